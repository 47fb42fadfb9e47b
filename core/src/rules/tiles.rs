//! Laying tiles on cells, joining their links, and reading the laid tiles.

use super::error::RuleError;
use crate::catalog::{TileRule, turn_sides};
use crate::ids::*;
use crate::state::{Event, Laid, Table};

impl Table {
    /// The settings of tiles.
    pub fn tile_rule(&self) -> Result<&TileRule, RuleError> {
        self.catalog.tiles.as_deref().ok_or_else(|| RuleError::new("this game has no procedure `tiles`"))
    }

    /// The cell index of a space.
    pub fn cell(&self, space: SpaceId) -> Result<usize, RuleError> {
        let found = self.tile_rule()?.cell(space);
        found.ok_or_else(|| {
            RuleError(format!("`{}` is not a cell of the grid", self.catalog.id_of(Value::Space(space))))
        })
    }

    /// The network with a name.
    pub fn network(&self, name: SymbolId) -> Result<usize, RuleError> {
        let found = self.tile_rule()?.network(name);
        found.ok_or_else(|| RuleError(format!("no edge has the network `{}`", self.catalog.symbols.name(name.index()))))
    }

    /// Lays a tile on a cell, or moves it there, and puts its card into a zone. It does not check whether the edges
    /// fit.
    pub fn lay(&mut self, card: CardId, space: SpaceId, rotation: i32, zone: ZoneId) -> Result<(), RuleError> {
        let (cell, tiles) = (self.cell(space)?, self.tile_rule()?);
        let id = |value: Value| self.catalog.id_of(value);
        if tiles.tile(self.catalog.cards[card.index()]).is_none() {
            return Err(RuleError(format!("the card `{}` is not a tile", id(Value::Card(card)))));
        }
        let sides = tiles.sides();
        let turn = u8::try_from(rotation).ok().filter(|turn| usize::from(*turn) < sides).ok_or_else(|| {
            RuleError(format!("a tile of this grid has the rotations 0 to {}, found {rotation}", sides - 1))
        })?;
        let (kind, _) = self.catalog.zone_list[zone.index()];
        if !tiles.zones.contains(&kind) {
            let zone = id(Value::Zone(kind));
            return Err(RuleError(format!("`{zone}` is not among the `zones` of the procedure `tiles`")));
        }
        let mut joined = false;
        match self.world.laid(tiles, cell) {
            Some(laid) if laid.card == card => joined = laid.joined,
            Some(laid) => {
                let (space, other) = (id(Value::Space(space)), id(Value::Card(laid.card)));
                return Err(RuleError(format!("`{space}` is not empty: `{other}` lies there")));
            }
            None => {}
        }
        let old = self.cell_of(tiles, card);
        if self.world.card_zone(card) != zone {
            self.put_card(card, zone, false, true);
        }
        let laid = Laid { card, rotation: turn, joined };
        self.change_tiles(|world, tiles| {
            if let Some(old) = old {
                world.set_laid(tiles, old, None);
            }
            world.set_laid(tiles, cell, Some(laid));
        });
        self.emit(Event::Tile { card, space, laid: Some(laid) });
        Ok(())
    }

    /// Takes a card off the grid if it is there and has left the zones of laid tiles.
    pub(super) fn take_up(&mut self, card: CardId, from: ZoneId, to: ZoneId) {
        let Some(tiles) = &self.catalog.tiles else { return };
        let is_laid = |zone: ZoneId| tiles.zones.contains(&self.catalog.zone_list[zone.index()].0);
        if !is_laid(from) || is_laid(to) {
            return;
        }
        let Some(cell) = self.world.laid_at(tiles, card) else { return };
        let space = tiles.space(cell);
        self.change_tiles(|world, tiles| world.set_laid(tiles, cell, None));
        self.emit(Event::Tile { card, space, laid: None });
    }

    /// Joins all sides of each network of the tile on a cell, or restores the links of its design.
    pub fn join_links(&mut self, space: SpaceId, joined: bool) -> Result<(), RuleError> {
        let (cell, tiles) = (self.cell(space)?, self.tile_rule()?);
        let Some(old) = self.world.laid(tiles, cell) else {
            return Err(RuleError(format!("no tile lies on `{}`", self.catalog.id_of(Value::Space(space)))));
        };
        if old.joined != joined {
            let laid = Laid { joined, ..old };
            self.change_tiles(|world, tiles| world.set_laid(tiles, cell, Some(laid)));
            self.emit(Event::Tile { card: laid.card, space, laid: Some(laid) });
        }
        Ok(())
    }

    /// A clone of the table without a laid tile, to see where the tile could be moved. `None` if it is not on the grid.
    pub fn without_tile(&self, card: CardId) -> Option<Table> {
        let tiles = self.catalog.tiles.as_deref()?;
        let cell = self.cell_of(tiles, card)?;
        let mut copy = Table {
            catalog: self.catalog.clone(),
            world: self.world.clone(),
            events: Vec::new(),
            record_events: false,
            rolled: Vec::new(),
        };
        copy.change_tiles(|world, tiles| world.set_laid(tiles, cell, None));
        Some(copy)
    }

    /// The cell of a laid card. Most cards are in other zones, where none is laid.
    fn cell_of(&self, tiles: &TileRule, card: CardId) -> Option<usize> {
        let (kind, _) = self.catalog.zone_list[self.world.card_zone(card).index()];
        tiles.zones.contains(&kind).then(|| self.world.laid_at(tiles, card)).flatten()
    }

    fn change_tiles(&mut self, change: impl FnOnce(&mut crate::state::World, &TileRule)) {
        if let Some(tiles) = &self.catalog.tiles {
            change(&mut self.world, tiles);
        }
    }

    /// The tile on a space, if it is a cell.
    pub fn laid(&self, space: SpaceId) -> Option<Laid> {
        let tiles = self.catalog.tiles.as_deref()?;
        self.world.laid(tiles, tiles.cell(space)?)
    }

    /// The space of a laid card.
    pub fn laid_at(&self, card: CardId) -> Option<SpaceId> {
        let tiles = self.catalog.tiles.as_deref()?;
        self.world.laid_at(tiles, card).map(|cell| tiles.space(cell))
    }

    /// The kind of a laid tile's edge at a side of the map, as an index into [`TileRule::edges`].
    pub fn edge_at(&self, tiles: &TileRule, laid: Laid, side: usize) -> Option<u8> {
        let tile = tiles.tile(self.catalog.cards[laid.card.index()])?;
        let sides = tiles.sides();
        Some(tile.edges[(side + sides - usize::from(laid.rotation)) % sides])
    }

    /// The sides of the map that are joined with a side of a laid tile, including that side, one bit for each. 0 if the
    /// edge has no network.
    pub fn joined_with(&self, tiles: &TileRule, laid: Laid, side: usize) -> u8 {
        let Some(tile) = tiles.tile(self.catalog.cards[laid.card.index()]) else { return 0 };
        let sides = tiles.sides();
        let links = if laid.joined { &tile.whole } else { &tile.links };
        turn_sides(links[(side + sides - usize::from(laid.rotation)) % sides], laid.rotation, sides)
    }
}
