//! Where tiles may be laid. A side of a tile is a bit set with one bit for each kind of edge, and so is the set of
//! edges that a cell allows there. One comparison therefore decides whether a rotation fits.
//!
//! A rotation fits if every side is a subset of what the cell allows. The script host keeps what the empty cells allow
//! (`KnownFrontier`) until the tiles of the grid differ. A neighbor can rule a cell out: a tile with a given prop, or a
//! rival piece with one (`Bans`). The veto of the pack is a query point that is used only for the lists that scripts
//! request.

use super::error::RuleError;
use super::networks::Stretch;
use crate::catalog::{ALL_EDGES, MOST_EDGES, Props, RotatedTile, Tile, TileRule, edge_bits};
use crate::ids::*;
use crate::state::{Laid, Table};

/// A tile on a cell with a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placement {
    /// The tile to lay.
    pub card: CardId,
    /// The cell.
    pub space: SpaceId,
    /// The rotation, in sides clockwise.
    pub rotation: u8,
}

/// Why a tile may not be laid somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Another tile is there.
    Occupied,
    /// It would touch no tile.
    Apart,
    /// An edge may not face the border of the grid.
    Border,
    /// An edge may not touch the edge of a neighbor, or may not face an empty cell.
    Edge,
    /// It has edges of the network, but none touches what the root reaches.
    Network,
    /// A neighbor has the property that tiles must avoid.
    Avoided,
    /// A piece of another faction guards the cell.
    Guarded,
}

/// Cells that are excluded because of their neighbors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bans {
    /// Excludes cells next to a laid tile with this property.
    pub avoid: Option<SymbolId>,
    /// Excludes cells next to a laid tile with a piece of another faction whose kind has this property.
    pub guards: Option<SymbolId>,
    /// The faction whose own pieces do not count as guards.
    pub seat: Option<FactionId>,
}

impl Obstacle {
    /// The keyword for scripts.
    pub fn keyword(self) -> &'static str {
        match self {
            Obstacle::Occupied => "occupied",
            Obstacle::Apart => "apart",
            Obstacle::Border => "border",
            Obstacle::Edge => "edge",
            Obstacle::Network => "network",
            Obstacle::Avoided => "avoided",
            Obstacle::Guarded => "guarded",
        }
    }
}

/// The empty cells on which a tile might be laid, with what each allows.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// The network that tiles must connect to.
    network: Option<usize>,
    cells: Vec<Opening>,
}

/// An empty cell.
#[derive(Clone, Copy, Debug)]
struct Opening {
    cell: usize,
    /// The edges that are allowed there, as in [`RotatedTile::bits`].
    allowed: u128,
    /// The tile must have one of these edges, if it has any edge of the network.
    contacts: u128,
}

impl Opening {
    fn takes(&self, rotated: &RotatedTile, links: bool) -> bool {
        rotated.bits & !self.allowed == 0 && (!links || rotated.bits & self.contacts != 0)
    }

    /// The rotations of a tile that it takes. `links` says whether the tile must touch the network.
    fn rotations<'a>(&'a self, tile: &'a Tile, links: bool) -> impl Iterator<Item = &'a RotatedTile> {
        // Most cells have no contact.
        let all = if links && self.contacts == 0 { &[] } else { tile.rotations.as_slice() };
        all.iter().filter(move |turned| self.takes(turned, links))
    }
}

impl Frontier {
    /// The frontier without the excluded cells.
    #[must_use]
    pub fn without(&self, table: &Table, tiles: &TileRule, bans: &Bans) -> Frontier {
        if bans.avoid.is_none() && bans.guards.is_none() {
            return self.clone();
        }
        let banned = table.banned(tiles, bans);
        let cells = self.cells.iter().filter(|opening| !banned[opening.cell]).copied().collect();
        Frontier { network: self.network, cells }
    }

    /// The cells on which a tile fits in some rotation, in order.
    pub fn cells<'a>(&'a self, tile: &'a Tile) -> impl Iterator<Item = usize> + 'a {
        let links = self.links(tile);
        let fits = move |opening: &&Opening| opening.rotations(tile, links).next().is_some();
        self.cells.iter().filter(fits).map(|opening| opening.cell)
    }

    /// The rotations in which a tile fits on a cell.
    pub fn rotations<'a>(&'a self, tile: &'a Tile, cell: usize) -> impl Iterator<Item = u8> + 'a {
        let found = self.cells.binary_search_by_key(&cell, |opening| opening.cell).ok().map(|at| &self.cells[at]);
        let links = self.links(tile);
        found.into_iter().flat_map(move |opening| opening.rotations(tile, links)).map(|turned| turned.rotation)
    }

    /// Whether a tile must touch the network.
    fn links(&self, tile: &Tile) -> bool {
        self.network.is_some_and(|at| tile.networks >> at & 1 == 1)
    }
}

fn has(props: &Props, name: SymbolId) -> bool {
    !matches!(props.get(name), None | Some(Value::Nil | Value::Int(0)))
}

/// The last frontier and its grid, for callers that ask again before the grid changes.
#[derive(Clone, Debug, Default)]
pub struct KnownFrontier {
    /// The tiles of all cells. They are compared as a whole, so that no change can be missed.
    grid: Vec<i32>,
    root: Option<NetworkRoot>,
    frontier: Option<Frontier>,
}

/// The cell at which a network begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkRoot {
    /// The network, as an index into [`TileRule::networks`].
    pub network: usize,
    /// Its index in the grid.
    pub cell: usize,
}

impl NetworkRoot {
    /// The stretch from all sides of the cell over all tiles.
    pub fn stretch(self) -> Stretch {
        Stretch { network: self.network, root: self.cell, side: None, owner: None }
    }
}

impl KnownFrontier {
    /// The frontier of a table, computed if it is not known; see [`Table::frontier`].
    pub fn of(&mut self, table: &Table, tiles: &TileRule, root: Option<NetworkRoot>) -> &Frontier {
        let grid = table.world.grid(tiles);
        if self.root != root || self.grid != grid {
            self.frontier = None;
        }
        self.frontier.get_or_insert_with(|| {
            self.root = root;
            self.grid.clear();
            self.grid.extend_from_slice(grid);
            table.frontier(tiles, root.map(NetworkRoot::stretch).as_ref())
        })
    }
}

impl Table {
    /// The empty cells on which a tile might be laid: those that touch a tile, or all cells if the grid is empty. With
    /// a root, tiles with edges of its network must touch what it reaches.
    pub fn frontier(&self, tiles: &TileRule, root: Option<&Stretch>) -> Frontier {
        let reached = root.map(|stretch| (tiles.of_network(stretch.network), self.reached(tiles, stretch)));
        let mut cells: Vec<Opening> = Vec::new();
        // For each cell, its place in the list, from 1.
        let mut places = vec![0u16; tiles.len()];
        let mut any = false;
        for (cell, laid) in self.world.laid_tiles(tiles) {
            any = true;
            for (side, next) in tiles.beyond(cell).filter(|(_, next)| self.world.laid(tiles, *next).is_none()) {
                if places[next] == 0 {
                    cells.push(Opening { cell: next, allowed: tiles.rims[next], contacts: 0 });
                    places[next] = cells.len() as u16;
                }
                let opening = &mut cells[usize::from(places[next]) - 1];
                let back = tiles.opposite(side);
                let meets = self.edge_at(tiles, laid, side).map_or(0, |kind| tiles.edges[usize::from(kind)].meets);
                opening.allowed &= !edge_bits(back, ALL_EDGES);
                opening.allowed |= edge_bits(back, meets);
                if let Some((kinds, reached)) = &reached
                    && reached.sides(cell) >> side & 1 == 1
                {
                    opening.contacts |= edge_bits(back, *kinds);
                }
            }
        }
        if !any {
            let opening = |cell: usize| Opening { cell, allowed: tiles.rims[cell], contacts: 0 };
            return Frontier { network: None, cells: (0..tiles.len()).map(opening).collect() };
        }
        cells.sort_unstable_by_key(|opening| opening.cell);
        Frontier { network: root.map(|stretch| stretch.network), cells }
    }

    /// For each cell, whether it is excluded.
    fn banned(&self, tiles: &TileRule, bans: &Bans) -> Vec<bool> {
        let mut banned = vec![false; tiles.len()];
        let mut ban_around = |cell: usize| tiles.beyond(cell).for_each(|(_, next)| banned[next] = true);
        if let Some(name) = bans.avoid {
            let is_avoided = |laid: Laid| has(&self.catalog.design_of(laid.card).props, name);
            self.world.laid_tiles(tiles).filter(|(_, laid)| is_avoided(*laid)).for_each(|(cell, _)| ban_around(cell));
        }
        let guards = bans.guards.into_iter().flat_map(|name| {
            let kinds = (0..).map(KindId::at).zip(&self.catalog.kinds);
            kinds.filter(move |(_, kind)| has(&kind.props, name)).map(|(kind, _)| kind)
        });
        for kind in guards {
            for piece in self.catalog.pieces.of_kind(kind).map(|piece| self.world.piece(piece)) {
                let cell = piece.space().and_then(|space| tiles.cell(space));
                if let Some(cell) = cell.filter(|cell| self.world.laid(tiles, *cell).is_some())
                    && piece.owner() != bans.seat
                {
                    ban_around(cell);
                }
            }
        }
        banned
    }

    /// Why a cell is excluded; `None` if it is not.
    pub fn ban(&self, tiles: &TileRule, cell: usize, bans: &Bans) -> Option<Obstacle> {
        let laid = |side: usize| {
            let space = tiles.across(cell, side)?;
            Some((space, self.world.laid(tiles, tiles.cell(space)?)?))
        };
        let is_guard = |piece: PieceId, name: SymbolId| {
            self.world.piece(piece).owner() != bans.seat && has(&self.kind_of(piece).props, name)
        };
        for (space, laid) in (0..tiles.sides()).filter_map(laid) {
            if bans.avoid.is_some_and(|name| has(&self.catalog.design_of(laid.card).props, name)) {
                return Some(Obstacle::Avoided);
            }
            let guards = |name: SymbolId| self.world.on_space(space).any(|piece| is_guard(piece, name));
            if bans.guards.is_some_and(guards) {
                return Some(Obstacle::Guarded);
            }
        }
        None
    }

    /// One card of each design, in order, because copies fit in the same ways. All cards, if cards have counters.
    pub fn distinct_tiles(&self, cards: impl Iterator<Item = CardId>) -> Vec<CardId> {
        let Some(tiles) = &self.catalog.tiles else { return Vec::new() };
        let mut seen = vec![false; self.catalog.designs.len()];
        let is_new = |card: &CardId| {
            let design = self.catalog.cards[card.index()];
            tiles.tile(design).is_some() && (!std::mem::replace(&mut seen[design.index()], true) || tiles.copies_differ)
        };
        cards.filter(is_new).collect()
    }

    /// All ways to lay these tiles, in the order of cards, cells and rotations. Vetoes of scripts are ignored.
    pub fn placements(&self, tiles: &TileRule, cards: &[CardId], frontier: &Frontier) -> Vec<Placement> {
        let mut found = Vec::new();
        for card in cards {
            let Some(tile) = tiles.tile(self.catalog.cards[card.index()]) else { continue };
            let links = frontier.links(tile);
            for opening in &frontier.cells {
                let (space, fits) = (tiles.space(opening.cell), opening.rotations(tile, links));
                found.extend(fits.map(|turned| Placement { card: *card, space, rotation: turned.rotation }));
            }
        }
        found
    }

    /// Why a tile may not be laid on a cell in a rotation; `None` if it may. Vetoes of scripts are ignored.
    pub fn obstacle(
        &self,
        card: CardId,
        space: SpaceId,
        rotation: i32,
        root: Option<&Stretch>,
    ) -> Result<Option<Obstacle>, RuleError> {
        let (cell, tiles) = (self.cell(space)?, self.tile_rule()?);
        let Some(tile) = tiles.tile(self.catalog.cards[card.index()]) else {
            return Err(RuleError(format!("the card `{}` is not a tile", self.catalog.id_of(Value::Card(card)))));
        };
        if self.world.laid(tiles, cell).is_some() {
            return Ok(Some(Obstacle::Occupied));
        }
        let frontier = self.frontier(tiles, root);
        let Some(opening) = frontier.cells.iter().find(|opening| opening.cell == cell) else {
            return Ok(Some(Obstacle::Apart));
        };
        let sides = tiles.sides();
        let turn = usize::try_from(rotation).ok().filter(|turn| *turn < sides).ok_or_else(|| {
            RuleError(format!("a tile of this grid has the rotations 0 to {}, found {rotation}", sides - 1))
        })?;
        let kind = |side: usize| 1 << tile.edges[(side + sides - turn) % sides];
        let bits = (0..sides).fold(0, |bits, side| bits | edge_bits(side, kind(side)));
        let mask = u128::from(ALL_EDGES);
        let clashes = |side: &usize| (bits & !opening.allowed) >> (MOST_EDGES * side) & mask != 0;
        let at_border = |side: &usize| tiles.across(cell, *side).is_none();
        Ok(match (0..sides).find(clashes) {
            Some(side) if at_border(&side) => Some(Obstacle::Border),
            Some(_) => Some(Obstacle::Edge),
            None => {
                let turned = RotatedTile { rotation: turn as u8, bits };
                (!opening.takes(&turned, frontier.links(tile))).then_some(Obstacle::Network)
            }
        })
    }
}
