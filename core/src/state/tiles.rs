//! Laid tiles of a world. Each cell of the grid has a number at the end of the flat list of counters, so that a game
//! without tiles has no extra data to copy, save or compare.

use serde::Serialize;

use super::world::World;
use crate::catalog::{Catalog, TileRule};
use crate::ids::*;

/// A tile that lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Laid {
    /// The card whose edges the tile has.
    pub card: CardId,
    /// The rotation, in sides clockwise.
    pub rotation: u8,
    /// Whether all sides of each of its networks are joined, regardless of the links of its design.
    pub joined: bool,
}

impl Laid {
    /// The number of a cell with this tile; 0 is an empty cell.
    pub(crate) fn number(self) -> i32 {
        (i32::from(self.card.0) + 1) << 4 | i32::from(self.joined) << 3 | i32::from(self.rotation)
    }
    fn of(number: i32) -> Option<Laid> {
        let card = u16::try_from((number >> 4) - 1).ok()?;
        Some(Laid { card: CardId(card), rotation: (number & 7) as u8, joined: number >> 3 & 1 == 1 })
    }
}

impl World {
    /// The tile on a cell.
    #[inline]
    pub fn laid(&self, tiles: &TileRule, cell: usize) -> Option<Laid> {
        Laid::of(*self.counters.get(tiles.offset + cell)?)
    }
    /// All laid tiles in the order of their cells.
    pub fn laid_tiles<'a>(&'a self, tiles: &'a TileRule) -> impl Iterator<Item = (usize, Laid)> + 'a {
        let laid = self.grid(tiles).iter().enumerate().filter(|(_, number)| **number != 0);
        laid.filter_map(|(cell, number)| Some((cell, Laid::of(*number)?)))
    }
    /// The number of each cell.
    pub(crate) fn grid(&self, tiles: &TileRule) -> &[i32] {
        self.counters.get(tiles.offset..tiles.offset + tiles.len()).unwrap_or_default()
    }
    /// The cell of a laid card.
    pub fn laid_at(&self, tiles: &TileRule, card: CardId) -> Option<usize> {
        let number = i32::from(card.0) + 1;
        self.grid(tiles).iter().position(|laid| laid >> 4 == number)
    }
    /// The owner of a card's zone.
    pub fn card_owner(&self, catalog: &Catalog, card: CardId) -> Option<FactionId> {
        catalog.zone_list[self.card_zone(card).index()].1
    }
    /// Lays a tile or empties a cell, without consequences.
    pub(crate) fn set_laid(&mut self, tiles: &TileRule, cell: usize, laid: Option<Laid>) {
        self.counters[tiles.offset + cell] = laid.map_or(0, Laid::number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cells_can_be_decoded() {
        for card in [0, 1, 65534] {
            for rotation in 0..6 {
                let laid = Laid { card: CardId(card), rotation, joined: rotation % 2 == 1 };
                assert_eq!(Laid::of(laid.number()), Some(laid));
            }
        }
        assert_eq!(Laid::of(0), None);
    }
}
