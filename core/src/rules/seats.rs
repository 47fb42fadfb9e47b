//! Seats: the turn order, eliminated seats, and the end of the game.

use super::error::RuleError;
use crate::catalog::{FactionSet, NOBODY};
use crate::ids::*;
use crate::state::{Event, Outcome, Table};

impl Table {
    /// Ends the game, unless it is already over. `winner` is `None` for a draw.
    pub fn end(&mut self, winner: Option<SeatId>, cause: SymbolId) {
        if self.world.outcome.is_none() {
            self.world.outcome = Some(Outcome { winner, cause });
            self.emit(Event::Over { winner, cause });
        }
    }

    /// Eliminates a seat. Its pieces stay, owned by a faction that nobody leads anymore.
    pub fn eliminate(&mut self, seat: SeatId) {
        if !self.world.is_led(seat) {
            return;
        }
        self.world.playing &= !(1 << seat.0);
        self.emit(Event::Eliminated { seat });
        let all: Vec<SpaceId> = (0..self.catalog.spaces.len()).map(SpaceId::at).collect();
        self.settle_control(&all);
    }

    /// Sets the turn order. Fails unless it lists every playing seat once; it may contain eliminated seats.
    pub fn set_order(&mut self, order: &[SeatId]) -> Result<(), RuleError> {
        let mask = order.iter().fold(0, |mask: FactionSet, seat| mask | 1 << seat.0.min(NOBODY));
        if mask & self.world.playing != self.world.playing
            || mask & !self.world.led != 0
            || mask.count_ones() as usize != order.len()
        {
            return Err(RuleError::new("the turn order must list every playing seat exactly once"));
        }
        self.world.order = order.to_vec();
        Ok(())
    }

    /// Sets the seat whose turn it is; `None` if it is nobody's turn.
    pub fn set_active(&mut self, seat: Option<SeatId>) {
        self.world.active = seat;
    }
}
