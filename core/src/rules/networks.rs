//! Connections on the grid: paths over edges of a network, groups of tiles with a property, enclosed empty cells.

use crate::catalog::TileRule;
use crate::ids::*;
use crate::state::{Laid, Table};

/// The start of a connected part of a network.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The network, as an index into [`TileRule::networks`].
    pub network: usize,
    /// The cell where it begins.
    pub root: usize,
    /// The side of that cell where it begins; `None` for all its sides.
    pub side: Option<usize>,
    /// Only tiles of this owner, except for the root.
    pub owner: Option<FactionId>,
}

/// The reached sides of each cell, one bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached(Vec<u8>);

impl Reached {
    /// The reached sides of a cell, one bit for each.
    pub fn sides(&self, cell: usize) -> u8 {
        self.0[cell]
    }
    /// The cells with a reached side.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len()).filter(|cell| self.0[*cell] != 0)
    }
}

/// Which tiles belong to a group.
#[derive(Clone, Copy, Debug)]
pub struct Grouping {
    /// The property of the card.
    pub prop: SymbolId,
    /// The value that it must have; `None` for any but 0.
    pub value: Option<Value>,
    /// The owner of the tiles; `None` for any owner.
    pub owner: Option<FactionId>,
}

impl Table {
    /// The sides that a stretch reaches.
    pub fn reached(&self, tiles: &TileRule, stretch: &Stretch) -> Reached {
        let mut reached = Reached(vec![0; tiles.len()]);
        let Some(laid) = self.world.laid(tiles, stretch.root) else { return reached };
        let kinds = tiles.of_network(stretch.network);
        let is_way =
            |laid: Laid, side: usize| self.edge_at(tiles, laid, side).is_some_and(|kind| kinds >> kind & 1 == 1);
        let mut open = Vec::new();
        let enter = |reached: &mut Reached, open: &mut Vec<(usize, usize)>, cell: usize, laid: Laid, side: usize| {
            let sides = self.joined_with(tiles, laid, side) & !reached.0[cell];
            reached.0[cell] |= sides;
            open.extend((0..tiles.sides()).filter(|side| sides >> side & 1 == 1).map(|side| (cell, side)));
        };
        let first = match stretch.side {
            Some(side) => side..(side + 1).min(tiles.sides()),
            None => 0..tiles.sides(),
        };
        for side in first.filter(|side| is_way(laid, *side)) {
            enter(&mut reached, &mut open, stretch.root, laid, side);
        }
        while let Some((cell, side)) = open.pop() {
            let Some(next) = tiles.across(cell, side).and_then(|space| tiles.cell(space)) else { continue };
            let Some(laid) = self.world.laid(tiles, next) else { continue };
            let back = tiles.opposite(side);
            if is_way(laid, back) && self.is_owned(laid, stretch.owner) {
                enter(&mut reached, &mut open, next, laid, back);
            }
        }
        reached
    }

    /// The number of reached edges that face an empty cell.
    pub fn open_ends(&self, tiles: &TileRule, reached: &Reached) -> usize {
        let is_open = |cell: usize, side: &usize| {
            let next = tiles.across(cell, *side).and_then(|space| tiles.cell(space));
            reached.sides(cell) >> side & 1 == 1 && next.is_some_and(|next| self.world.laid(tiles, next).is_none())
        };
        reached.cells().map(|cell| (0..tiles.sides()).filter(|side| is_open(cell, side)).count()).sum()
    }

    /// All stretches of a network over the tiles of an owner, or over all tiles, in the order of their first cells. A
    /// cell can be in several, if its links keep them apart.
    pub fn stretches(&self, tiles: &TileRule, network: usize, owner: Option<FactionId>) -> Vec<Reached> {
        let mut found: Vec<Reached> = Vec::new();
        let kinds = tiles.of_network(network);
        for (root, laid) in self.world.laid_tiles(tiles).filter(|(_, laid)| self.is_owned(*laid, owner)) {
            for side in 0..tiles.sides() {
                let is_way = self.edge_at(tiles, laid, side).is_some_and(|kind| kinds >> kind & 1 == 1);
                if is_way && !found.iter().any(|known| known.sides(root) >> side & 1 == 1) {
                    found.push(self.reached(tiles, &Stretch { network, root, side: Some(side), owner }));
                }
            }
        }
        found
    }

    /// The groups of touching tiles with a property, each in the order of its cells.
    pub fn groups(&self, tiles: &TileRule, grouping: &Grouping) -> Vec<Vec<usize>> {
        let mut fits = vec![false; tiles.len()];
        for (cell, laid) in self.world.laid_tiles(tiles).filter(|(_, laid)| self.is_owned(*laid, grouping.owner)) {
            let found = self.catalog.design_of(laid.card).props.get(grouping.prop);
            fits[cell] = match grouping.value {
                Some(value) => found == Some(value),
                None => !matches!(found, None | Some(Value::Nil | Value::Int(0))),
            };
        }
        areas(tiles, fits)
    }

    /// The areas of empty cells that have no path over empty cells to the border, each in the order of its cells.
    pub fn enclosed(&self, tiles: &TileRule) -> Vec<Vec<usize>> {
        let mut empty = vec![true; tiles.len()];
        self.world.laid_tiles(tiles).for_each(|(cell, _)| empty[cell] = false);
        let at_border = |cell: &usize| (0..tiles.sides()).any(|side| tiles.across(*cell, side).is_none());
        let mut all = areas(tiles, empty);
        all.retain(|area| !area.iter().any(&at_border));
        all
    }

    fn is_owned(&self, laid: Laid, owner: Option<FactionId>) -> bool {
        owner.is_none() || self.world.card_owner(&self.catalog, laid.card) == owner
    }
}

/// The connected areas of the matching cells, in the order of their first cells.
fn areas(tiles: &TileRule, mut fits: Vec<bool>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for first in 0..fits.len() {
        if !std::mem::take(&mut fits[first]) {
            continue;
        }
        let mut area = vec![first];
        let mut done = 0;
        while let Some(cell) = area.get(done).copied() {
            done += 1;
            for next in (0..tiles.sides()).filter_map(|side| tiles.cell(tiles.across(cell, side)?)) {
                if std::mem::take(&mut fits[next]) {
                    area.push(next);
                }
            }
        }
        area.sort_unstable();
        found.push(area);
    }
    found
}
