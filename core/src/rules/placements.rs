//! Where tiles may be laid. A side of a tile is a bit set with one bit for each kind of edge, and so is the set of
//! edges that a cell allows there. One comparison therefore decides whether a rotation fits.

use super::error::RuleError;
use super::networks::Stretch;
use crate::catalog::{MOST_EDGES, Props, RotatedTile, Tile, TileRule, edge_bits};
use crate::ids::*;
use crate::state::Table;

/// A tile on a cell with a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placement {
    /// The card.
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
    fn takes(&self, tile: &Tile, rotated: &RotatedTile, network: Option<usize>) -> bool {
        rotated.bits & !self.allowed == 0
            && network.is_none_or(|at| tile.networks >> at & 1 == 0 || rotated.bits & self.contacts != 0)
    }
}

impl Frontier {
    /// Removes the excluded cells.
    #[must_use]
    pub fn without(mut self, table: &Table, tiles: &TileRule, bans: &Bans) -> Frontier {
        if bans.avoid.is_some() || bans.guards.is_some() {
            self.cells.retain(|opening| table.ban(tiles, opening.cell, bans).is_none());
        }
        self
    }

    /// The cells on which a tile fits in some rotation, in order.
    pub fn cells<'a>(&'a self, tile: &'a Tile) -> impl Iterator<Item = usize> + 'a {
        let fits = |opening: &&Opening| tile.rotations.iter().any(|turned| opening.takes(tile, turned, self.network));
        self.cells.iter().filter(fits).map(|opening| opening.cell)
    }

    /// The rotations in which a tile fits on a cell.
    pub fn rotations<'a>(&'a self, tile: &'a Tile, cell: usize) -> impl Iterator<Item = u8> + 'a {
        let found = self.cells.binary_search_by_key(&cell, |opening| opening.cell).ok().map(|at| &self.cells[at]);
        let fits = move |turned: &&RotatedTile| found.is_some_and(|opening| opening.takes(tile, turned, self.network));
        tile.rotations.iter().filter(fits).map(|turned| turned.rotation)
    }
}

impl Table {
    /// The empty cells on which a tile might be laid: those that touch a tile, or all cells if the grid is empty. With
    /// a root, tiles with edges of its network must touch what it reaches.
    pub fn frontier(&self, tiles: &TileRule, root: Option<&Stretch>) -> Frontier {
        let reached = root.map(|stretch| (stretch.network, self.reached(tiles, stretch)));
        let mut is_open = vec![false; tiles.len()];
        let mut any = false;
        for (cell, _) in self.world.laid_tiles(tiles) {
            any = true;
            for next in (0..tiles.sides()).filter_map(|side| tiles.cell(tiles.across(cell, side)?)) {
                is_open[next] = true;
            }
        }
        let opening = |cell: usize| Opening {
            cell,
            allowed: self.allowed(tiles, cell),
            contacts: reached.as_ref().map_or(0, |(network, reached)| self.contacts(tiles, reached, *network, cell)),
        };
        let cells = (0..tiles.len()).filter(|cell| (is_open[*cell] || !any) && self.world.laid(tiles, *cell).is_none());
        Frontier { network: root.filter(|_| any).map(|stretch| stretch.network), cells: cells.map(opening).collect() }
    }

    /// Why a cell is excluded; `None` if it is not.
    pub fn ban(&self, tiles: &TileRule, cell: usize, bans: &Bans) -> Option<Obstacle> {
        let laid = |side: usize| {
            let space = tiles.across(cell, side)?;
            Some((space, self.world.laid(tiles, tiles.cell(space)?)?))
        };
        let has = |props: &Props, name: SymbolId| !matches!(props.get(name), None | Some(Value::Nil | Value::Int(0)));
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

    /// The edges that a tile on a cell may have, as in [`RotatedTile::bits`].
    fn allowed(&self, tiles: &TileRule, cell: usize) -> u128 {
        let [empty, border] = tiles.faces;
        let kinds = |side: usize| {
            let Some(next) = tiles.across(cell, side).and_then(|space| tiles.cell(space)) else { return border };
            let Some(laid) = self.world.laid(tiles, next) else { return empty };
            let edge = self.edge_at(tiles, laid, tiles.opposite(side));
            edge.map_or(0, |kind| tiles.edges[usize::from(kind)].meets)
        };
        (0..tiles.sides()).fold(0, |bits, side| bits | edge_bits(side, kinds(side)))
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
            for opening in &frontier.cells {
                let fits = tile.rotations.iter().filter(|turned| opening.takes(tile, turned, frontier.network));
                let space = tiles.space(opening.cell);
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
        let mask = (1u128 << MOST_EDGES) - 1;
        let clashes = |side: &usize| (bits & !opening.allowed) >> (MOST_EDGES * side) & mask != 0;
        let at_border = |side: &usize| tiles.across(cell, *side).is_none();
        Ok(match (0..sides).find(clashes) {
            Some(side) if at_border(&side) => Some(Obstacle::Border),
            Some(_) => Some(Obstacle::Edge),
            None => {
                let turned = RotatedTile { rotation: turn as u8, bits };
                (!opening.takes(tile, &turned, frontier.network)).then_some(Obstacle::Network)
            }
        })
    }
}
