//! Distances between spaces, and straight rows of spaces.

use crate::catalog::{Board, PieceFilter};
use crate::ids::*;
use crate::state::Table;

/// Whether a space that is this many steps away is within `most` steps.
fn is_near(steps: u16, most: u16) -> bool {
    steps <= most && steps != Board::NO_WAY
}

impl Table {
    /// The length, in spaces, of the longest straight row without gaps through a space, over spaces that a seat
    /// controls. A row is straight if each space is an exit of the previous one, and the offsets between their drawing
    /// positions are equal. 0 if the seat does not control the space.
    pub fn row(&self, space: SpaceId, seat: SeatId) -> usize {
        let spaces = &self.catalog.spaces;
        let holds = |space: SpaceId| self.world.controller(space) == Some(seat);
        if !holds(space) {
            return 0;
        }
        let step = |from: SpaceId, to: SpaceId| {
            let ((x, y), (to_x, to_y)) = (spaces[from.index()].at, spaces[to.index()].at);
            (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y))
        };
        let run = |way: (i64, i64)| {
            let next = |from: SpaceId| {
                let mut exits = spaces[from.index()].exits.iter().copied();
                exits.find(|to| step(from, *to) == way && holds(*to))
            };
            std::iter::successors(next(space), |at| next(*at)).count()
        };
        let exits = spaces[space.index()].exits.iter().filter(|to| holds(**to));
        // Spaces that are drawn at the same position have no direction.
        let ways = exits.map(|to| step(space, *to)).filter(|way| *way != (0, 0));
        1 + ways.map(|(x, y)| run((x, y)) + run((-x, -y))).max().unwrap_or_default()
    }

    /// The number of steps from one space to another; `None` if there is no way.
    pub fn distance(&self, from: SpaceId, to: SpaceId) -> Option<u16> {
        Some(self.catalog.spaces.steps(from)[to.index()]).filter(|steps| *steps != Board::NO_WAY)
    }

    /// The spaces within a number of steps of a space, itself included, in id order.
    pub fn within(&self, from: SpaceId, most: u16) -> impl Iterator<Item = SpaceId> + '_ {
        let steps = self.catalog.spaces.steps(from);
        (0..steps.len()).map(SpaceId::at).filter(move |space| is_near(steps[space.index()], most))
    }

    /// The pieces that match a filter and are within a number of steps of a space.
    pub fn find_pieces_near(
        &self,
        filter: &PieceFilter,
        from: SpaceId,
        most: u16,
    ) -> impl Iterator<Item = PieceId> + '_ {
        let steps = self.catalog.spaces.steps(from);
        self.find_pieces(filter).filter(move |piece| {
            self.world.piece(*piece).space().is_some_and(|space| is_near(steps[space.index()], most))
        })
    }
}
