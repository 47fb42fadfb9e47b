//! Laid tiles of a world. Each cell of the grid has a number at the end of the flat list of counters, so that a game without
//! tiles has nothing more to copy, to save or to compare.

use serde::Serialize;

use super::world::World;
use crate::catalog::{Catalog, TileRule};
use crate::ids::*;

/// A tile that lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Laid {
    /// The card.
    pub card: CardId,
    /// By how many sides it is turned clockwise.
    pub rotation: u8,
    /// Whether all sides of each of its networks are joined, whatever the links of its design say.
    pub joined: bool,
}

impl Laid {
    /// The number of a cell on which it lies; 0 is an empty cell.
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
        let cells = self.counters.get(tiles.offset..tiles.offset + tiles.len()).unwrap_or_default();
        cells.iter().enumerate().filter_map(|(cell, number)| Some((cell, Laid::of(*number)?)))
    }
    /// The cell on which a card lies.
    pub fn laid_at(&self, tiles: &TileRule, card: CardId) -> Option<usize> {
        self.laid_tiles(tiles).find(|(_, laid)| laid.card == card).map(|(cell, _)| cell)
    }
    /// The owner of the zone that a card is in.
    pub fn card_owner(&self, catalog: &Catalog, card: CardId) -> Option<FactionId> {
        catalog.zone_list[self.card_zone(card).index()].1
    }
    /// Lays a tile or empties a cell, without any consequence.
    pub(crate) fn set_laid(&mut self, tiles: &TileRule, cell: usize, laid: Option<Laid>) {
        self.counters[tiles.offset + cell] = laid.map_or(0, Laid::number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_says_what_lies_on_a_cell() {
        for card in [0, 1, 65534] {
            for rotation in 0..6 {
                let laid = Laid { card: CardId(card), rotation, joined: rotation % 2 == 1 };
                assert_eq!(Laid::of(laid.number()), Some(laid));
            }
        }
        assert_eq!(Laid::of(0), None);
    }
}
