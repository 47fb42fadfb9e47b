//! Control of spaces, and the points that are gained and lost with it.
//!
//! Control is derived. A faction controls a space if only its occupying pieces are there. Without occupying pieces, the
//! space belongs to the faction whose borders enclose it, unless a blocking token is there. While a space waits for a
//! battle, its controller keeps it as long as the controller has pieces there. The `on_control` points of spaces and
//! pieces follow every change, losses before gains. A `derived` counter is computed from the controlled spaces and
//! never stored.

use crate::catalog::ControlScore;
use crate::ids::*;
use crate::state::{Event, Gain, Table};

/// A space whose controller changes.
#[derive(Clone, Copy)]
struct ControlChange {
    space: SpaceId,
    from: Option<SeatId>,
    to: Option<SeatId>,
}

impl Table {
    /// The seat that should control a space, according to the pieces on it.
    fn rightful_controller(&self, space: SpaceId) -> Option<SeatId> {
        let mask = self.world.occupant_mask(&self.catalog, space);
        let players = self.world.playing;
        if mask == 0 {
            let home = self.catalog.spaces[space.index()].home.filter(|home| self.world.is_led(*home))?;
            let blocked = self.catalog.control.blocked_by.is_some_and(|kind| {
                self.world.on_space(space).any(|piece| self.catalog.pieces[piece.index()].kind == kind)
            });
            return (!blocked).then_some(home);
        }
        if mask.is_power_of_two() {
            let sole = FactionId(mask.trailing_zeros() as u8);
            return (players & mask != 0).then_some(sole);
        }
        // With units of several factions, the space waits for a battle. It stays with its controller if that seat has
        // units there.
        self.world.controller(space).filter(|seat| mask >> seat.0 & 1 == 1)
    }

    /// Updates the control of spaces: first all losses, then all gains.
    pub fn settle_control(&mut self, spaces: &[SpaceId]) {
        // Usually only one space is affected, and then no list is needed.
        if let [space] = spaces {
            if let Some(change) = self.control_change(*space) {
                self.lose_control(change);
                self.take_control(change);
            }
            return;
        }
        let mut changes: Vec<ControlChange> = Vec::new();
        for space in spaces {
            if !changes.iter().any(|change| change.space == *space) {
                changes.extend(self.control_change(*space));
            }
        }
        for change in &changes {
            self.lose_control(*change);
        }
        for change in changes {
            self.take_control(change);
        }
    }

    fn control_change(&self, space: SpaceId) -> Option<ControlChange> {
        let (from, to) = (self.world.controller(space), self.rightful_controller(space));
        (from != to).then_some(ControlChange { space, from, to })
    }

    fn lose_control(&mut self, ControlChange { space, from, .. }: ControlChange) {
        self.world.control[space.index()] = u8::MAX;
        if let Some(seat) = from {
            self.score_control(space, seat, -1);
        }
    }

    fn take_control(&mut self, ControlChange { space, from, to }: ControlChange) {
        self.world.control[space.index()] = to.map_or(u8::MAX, |seat| seat.0);
        self.world.gains.retain(|gain| gain.space != space);
        if let Some(seat) = to {
            self.score_control(space, seat, 1);
        }
        let seen = self.seen_by(space);
        self.emit(Event::Control { space, from, to, seen });
        let value = |seat: Option<SeatId>| seat.map_or(Value::Nil, Value::Faction);
        self.queue(self.catalog.kernel.control_changed, Args::new(&[Value::Space(space), value(from), value(to)]));
    }

    fn score_control(&mut self, space: SpaceId, seat: SeatId, sign: i32) {
        let mut scores: Vec<ControlScore> = self.catalog.spaces[space.index()].on_control.clone();
        for piece in self.world.on_space(space) {
            scores.extend_from_slice(&self.kind_of(piece).on_control);
        }
        for score in scores {
            self.score(space, seat, score, sign);
        }
    }

    pub(super) fn score(&mut self, space: SpaceId, seat: SeatId, score: ControlScore, sign: i32) {
        // The loader has checked that the counter belongs to seats and is not derived.
        let applied = self.add(score.counter, sign * score.amount, Value::Faction(seat)).unwrap_or(0);
        if sign > 0 {
            self.world.gains.push(Gain { space, counter: score.counter, amount: applied });
        }
    }

    /// The points that the controller of a space has actually gained in a counter, from taking it over and from pieces
    /// that arrived since.
    pub fn gained(&self, space: SpaceId, counter: CounterId) -> i32 {
        self.world.gains.iter().filter(|g| g.space == space && g.counter == counter).map(|g| g.amount).sum()
    }
}
