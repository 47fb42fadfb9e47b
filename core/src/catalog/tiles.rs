//! Tiles: cards with edges, which are laid on the cells of a grid.
//!
//! A tile is a card, so that zones, hidden information, imagined games and saves need nothing new. A laid tile is in a
//! zone of laid tiles, which everyone sees; when it leaves the zone, `put_card` removes it from the grid. The cells of
//! the grid are spaces, which the compiler adds after all others. The tile on a cell is one number at the end of the
//! flat list of counters, so games without tiles are not affected. Nothing else is stored: legal placements are
//! computed on request (`rules/placements.rs`), and networks, groups and enclosed cells are found by flood fill
//! (`rules/networks.rs`).

use super::grid::{Grid, MOST_SIDES};
use crate::ids::*;

/// The most kinds of edges. A side of a tile takes this many bits of [`RotatedTile::bits`].
pub const MOST_EDGES: usize = 20;
const _: () = assert!(MOST_EDGES * MOST_SIDES <= 128);
/// All kinds of edges, one bit for each.
pub(crate) const ALL_EDGES: u32 = (1 << MOST_EDGES) - 1;

/// What a tile can have at a side, and what may touch it.
#[derive(Clone, Debug)]
pub struct EdgeKind {
    /// The keyword that names it.
    pub id: SymbolId,
    /// The character for it in designs and on displays.
    pub sign: char,
    /// Its network, as an index into [`TileRule::networks`].
    pub network: Option<usize>,
    /// The kinds of edges that it may touch, one bit for each index of [`TileRule::edges`]. The relation is symmetric.
    pub meets: u32,
    /// Whether it may face an empty cell.
    pub meets_empty: bool,
    /// Whether it may face the border of the grid.
    pub meets_border: bool,
}

/// The settings of tiles.
#[derive(Clone, Debug)]
pub struct TileRule {
    /// The shape and size of the area for tiles.
    pub grid: Grid,
    /// The space of its first cell. The other cells follow.
    pub first: SpaceId,
    /// For each cell, the cells beyond its sides; `None` at the border.
    across: Vec<[Option<SpaceId>; MOST_SIDES]>,
    /// The zones of laid tiles. The first is the default.
    pub zones: Vec<ZoneKindId>,
    /// Kinds of edges.
    pub edges: Vec<EdgeKind>,
    /// Networks by name.
    pub networks: Vec<SymbolId>,
    /// The query point that may forbid a tile on a space.
    pub veto: Option<HookPointId>,
    /// The index at which the numbers of the cells begin in the world's flat list of counter values.
    pub offset: usize,
    /// The tile of each design; `None` for cards that are not tiles.
    designs: Vec<Option<Tile>>,
    /// Whether copies of a design differ, because cards have counters.
    pub copies_differ: bool,
    /// For each cell, the edges that are allowed there while all its neighbors are empty, as in [`RotatedTile::bits`].
    pub(crate) rims: Vec<u128>,
}

/// The edges of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The kind of each edge, clockwise from side 0.
    pub edges: [u8; MOST_SIDES],
    /// For each side, the sides linked with it inside the tile, including itself, one bit for each. 0 for sides without
    /// a network.
    pub links: [u8; MOST_SIDES],
    /// The same, if all sides of a network are joined.
    pub whole: [u8; MOST_SIDES],
    /// All rotations that look different.
    pub rotations: Vec<RotatedTile>,
    /// For each network, the bits of [`RotatedTile::bits`] that its edges have on any side.
    pub networks: u32,
}

/// A tile with a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotatedTile {
    /// The rotation, in sides clockwise.
    pub rotation: u8,
    /// The bit `MOST_EDGES * side + kind` for each side of the map.
    pub bits: u128,
}

/// The bit of a kind of edge on a side, as in [`RotatedTile::bits`].
pub(crate) fn edge_bits(side: usize, kinds: u32) -> u128 {
    u128::from(kinds) << (MOST_EDGES * side)
}

/// A set of sides, one bit for each, rotated clockwise.
pub(crate) fn turn_sides(mask: u8, rotation: u8, sides: usize) -> u8 {
    let (mask, rotation) = (u16::from(mask), usize::from(rotation) % sides);
    (((mask << rotation) | (mask >> (sides - rotation))) & ((1 << sides) - 1)) as u8
}

impl Tile {
    /// A tile with these kinds of edges. `links` are sets of joined sides, one bit for each side. In networks that it
    /// does not mention, all sides are joined.
    pub fn new(rule: &[EdgeKind], sides: usize, edges: [u8; MOST_SIDES], links: &[u8]) -> Tile {
        let network = |side: usize| rule.get(usize::from(edges[side])).and_then(|kind| kind.network);
        let all = 0..sides;
        let (mut whole, mut joined) = ([0u8; MOST_SIDES], [0u8; MOST_SIDES]);
        let mut networks = 0;
        for side in all.clone().filter(|side| network(*side).is_some()) {
            networks |= network(side).map_or(0, |at| 1 << at);
            let alike = |other: &usize| network(*other) == network(side);
            whole[side] = all.clone().filter(alike).fold(0, |mask, other| mask | 1 << other);
            let is_listed = links.iter().any(|link| link & whole[side] != 0);
            // Links that share a side are merged.
            let own = (0..sides).fold(1 << side, |mask: u8, _| {
                links.iter().filter(|link| **link & mask & whole[side] != 0).fold(mask, |mask, link| mask | link)
            });
            joined[side] = if is_listed { own & whole[side] } else { whole[side] };
        }
        let mut tile = Tile { edges, links: joined, whole, rotations: Vec::new(), networks };
        let looks = |rotation: usize| {
            let turned = |side: usize| (side + sides - rotation) % sides;
            let links = |side: usize| turn_sides(joined[turned(side)], rotation as u8, sides);
            all.clone().map(|side| (edges[turned(side)], links(side))).collect::<Vec<_>>()
        };
        let mut seen = Vec::new();
        for rotation in all.clone() {
            let look = looks(rotation);
            if seen.contains(&look) {
                continue;
            }
            let bits = look.iter().enumerate().fold(0, |bits, (side, (kind, _))| bits | edge_bits(side, 1 << kind));
            tile.rotations.push(RotatedTile { rotation: rotation as u8, bits });
            seen.push(look);
        }
        tile
    }
}

impl TileRule {
    /// The settings of tiles on a grid whose first cell is the space `first`. `designs` has the tile of each design.
    /// The code that builds a catalog ensures that all indices are valid.
    pub fn new(grid: Grid, first: SpaceId, edges: Vec<EdgeKind>, designs: Vec<Option<Tile>>) -> TileRule {
        let cell = |at: usize| SpaceId::at(first.index() + at);
        let across: Vec<[Option<SpaceId>; MOST_SIDES]> =
            grid.across().into_iter().map(|beyond| beyond.map(|there| there.map(cell))).collect();
        let [empty, border] = [|kind: &EdgeKind| kind.meets_empty, |kind: &EdgeKind| kind.meets_border].map(|may| {
            let mut mask = 0;
            for (at, kind) in edges.iter().enumerate() {
                mask |= u32::from(may(kind)) << at;
            }
            mask
        });
        let face = |there: &Option<SpaceId>| if there.is_some() { empty } else { border };
        let rim = |beyond: &[Option<SpaceId>; MOST_SIDES]| {
            let sides = beyond.iter().take(grid.sides()).enumerate();
            sides.fold(0, |bits, (side, there)| bits | edge_bits(side, face(there)))
        };
        let rims = across.iter().map(rim).collect();
        TileRule {
            grid,
            first,
            across,
            zones: Vec::new(),
            edges,
            networks: Vec::new(),
            veto: None,
            offset: 0,
            designs,
            copies_differ: false,
            rims,
        }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.across.len()
    }
    /// Whether the grid has no cells.
    pub fn is_empty(&self) -> bool {
        self.across.is_empty()
    }
    /// The index of a space among the cells; `None` for other spaces.
    pub fn cell(&self, space: SpaceId) -> Option<usize> {
        space.index().checked_sub(self.first.index()).filter(|at| *at < self.across.len())
    }
    /// The cell at an index.
    pub fn space(&self, cell: usize) -> SpaceId {
        SpaceId::at(self.first.index() + cell)
    }
    /// The number of sides of a cell.
    pub fn sides(&self) -> usize {
        self.grid.sides()
    }
    /// The side of a neighbor that touches the given side.
    pub fn opposite(&self, side: usize) -> usize {
        (side + self.sides() / 2) % self.sides()
    }
    /// The cell beyond a side of a cell; `None` at the border.
    pub fn across(&self, cell: usize, side: usize) -> Option<SpaceId> {
        *self.across.get(cell)?.get(side)?
    }
    /// The sides of a cell with the cells beyond them, without the border.
    pub fn beyond(&self, cell: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let sides = self.across.get(cell).map_or([].as_slice(), |sides| &sides[..self.sides()]);
        sides.iter().enumerate().filter_map(|(side, space)| Some((side, self.cell((*space)?)?)))
    }
    /// The tile of a design; `None` for cards that are not tiles.
    pub fn tile(&self, design: DesignId) -> Option<&Tile> {
        self.designs.get(design.index())?.as_ref()
    }
    /// The network with a name.
    pub fn network(&self, name: SymbolId) -> Option<usize> {
        self.networks.iter().position(|known| *known == name)
    }
    /// The kinds of edges of a network, one bit for each.
    pub(crate) fn of_network(&self, network: usize) -> u32 {
        let kinds = self.edges.iter().enumerate().filter(|(_, kind)| kind.network == Some(network));
        kinds.fold(0, |mask, (at, _)| mask | 1 << at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> Vec<EdgeKind> {
        let kind = |network: Option<usize>| EdgeKind {
            id: SymbolId(0),
            sign: '?',
            network,
            meets: 0,
            meets_empty: true,
            meets_border: true,
        };
        vec![kind(None), kind(Some(0)), kind(Some(1))]
    }

    fn rotations(tile: &Tile) -> Vec<u8> {
        tile.rotations.iter().map(|turned| turned.rotation).collect()
    }

    #[test]
    fn rotations_that_look_alike_are_left_out() {
        let blank = Tile::new(&kinds(), 6, [0; 6], &[]);
        assert_eq!(rotations(&blank), [0]);
        let straight = Tile::new(&kinds(), 6, [1, 0, 0, 1, 0, 0], &[]);
        assert_eq!(rotations(&straight), [0, 1, 2]);
        let cross = Tile::new(&kinds(), 4, [1; 6], &[]);
        assert_eq!(rotations(&cross), [0]);
        // The same edges with other links.
        let bends = Tile::new(&kinds(), 4, [1; 6], &[0b0011, 0b1100]);
        assert_eq!(rotations(&bends), [0, 1]);
    }

    #[test]
    fn sides_of_a_network_are_joined_unless_links_say_otherwise() {
        let tile = Tile::new(&kinds(), 6, [1, 2, 1, 0, 2, 1], &[0b000101]);
        assert_eq!(tile.links, [0b000101, 0b010010, 0b000101, 0, 0b010010, 0b100000]);
        assert_eq!(tile.whole, [0b100101, 0b010010, 0b100101, 0, 0b010010, 0b100101]);
        assert_eq!(tile.networks, 0b11);
        let chain = Tile::new(&kinds(), 6, [1; 6], &[0b000011, 0b001100, 0b000110]);
        assert_eq!(chain.links, [0b1111, 0b1111, 0b1111, 0b1111, 0b10000, 0b100000]);
    }

    #[test]
    fn sides_turn_clockwise() {
        assert_eq!(turn_sides(0b100001, 1, 6), 0b000011);
        assert_eq!(turn_sides(0b1000, 2, 4), 0b0010);
        assert_eq!(turn_sides(0b1010, 0, 4), 0b1010);
    }
}
