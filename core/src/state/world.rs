//! The [`World`]: everything that changes during a game, as plain data.

use serde::{Deserialize, Serialize};

use super::battle::Battle;
use super::frame::Frame;
use super::hook::Trigger;
use super::slots::{CardSlot, Gain, Outcome, Piece, ZoneSlot};
use crate::catalog::{FactionSet, NOBODY};
use crate::ids::*;
use crate::rng::Rng;

/// Everything that changes during a game. Equal worlds with the same catalog continue alike with the same answers, as
/// long as no script is suspended.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct World {
    pub(crate) counters: Vec<i32>,
    pub(super) pieces: Vec<Piece>,
    /// The first piece on each space, in id order.
    pub(super) heads: Vec<u16>,
    pub(crate) control: Vec<u8>,
    pub(super) cards: Vec<CardSlot>,
    pub(super) zones: Vec<ZoneSlot>,
    /// For each hook point, the number of listening cards in active zones.
    pub(crate) live: Vec<u16>,
    pub(crate) led: FactionSet,
    pub(crate) playing: FactionSet,
    pub(crate) order: Vec<FactionId>,
    pub(crate) active: Option<SeatId>,
    pub(crate) rng: Rng,
    pub(crate) flow: Vec<Frame>,
    pub(crate) next_frame: u32,
    pub(crate) triggers: Vec<Trigger>,
    pub(crate) gains: Vec<Gain>,
    pub(crate) outcome: Option<Outcome>,
}

// Written by hand, because a derived `clone_from` would drop the target's buffers, and games copy worlds all the time.
impl Clone for World {
    fn clone(&self) -> Self {
        World {
            counters: self.counters.clone(),
            pieces: self.pieces.clone(),
            heads: self.heads.clone(),
            control: self.control.clone(),
            cards: self.cards.clone(),
            zones: self.zones.clone(),
            live: self.live.clone(),
            led: self.led,
            playing: self.playing,
            order: self.order.clone(),
            active: self.active,
            rng: self.rng.clone(),
            flow: self.flow.clone(),
            next_frame: self.next_frame,
            triggers: self.triggers.clone(),
            gains: self.gains.clone(),
            outcome: self.outcome,
        }
    }
    fn clone_from(&mut self, source: &Self) {
        let World {
            counters,
            pieces,
            heads,
            control,
            cards,
            zones,
            live,
            led,
            playing,
            order,
            active,
            rng,
            flow,
            next_frame,
            triggers,
            gains,
            outcome,
        } = source;
        self.counters.clone_from(counters);
        self.pieces.clone_from(pieces);
        self.heads.clone_from(heads);
        self.control.clone_from(control);
        self.cards.clone_from(cards);
        self.zones.clone_from(zones);
        self.live.clone_from(live);
        self.led = *led;
        self.playing = *playing;
        self.order.clone_from(order);
        self.active = *active;
        self.rng.clone_from(rng);
        self.flow.clone_from(flow);
        self.next_frame = *next_frame;
        self.triggers.clone_from(triggers);
        self.gains.clone_from(gains);
        self.outcome = *outcome;
    }
}

impl World {
    /// The number of counter values, pieces and cards.
    pub fn things(&self) -> usize {
        self.counters.len() + self.pieces.len() + self.cards.len()
    }
    /// Whether it differs from another moment of the same game at most in its cards and in the position in the flow.
    pub fn differs_only_in_cards(&self, other: &World) -> bool {
        *self
            == World {
                cards: self.cards.clone(),
                zones: self.zones.clone(),
                live: self.live.clone(),
                flow: self.flow.clone(),
                next_frame: self.next_frame,
                ..other.clone()
            }
    }

    /// A new frame number.
    pub(crate) fn take_frame_id(&mut self) -> u32 {
        self.next_frame += 1;
        self.next_frame - 1
    }
    /// Whether the faction was led at the start of the game.
    pub fn was_led(&self, faction: FactionId) -> bool {
        self.led >> faction.0 & 1 == 1
    }
    /// Whether the faction is led now. An eliminated seat does not lead it anymore.
    pub fn is_led(&self, faction: FactionId) -> bool {
        faction.0 < NOBODY && self.playing >> faction.0 & 1 == 1
    }
    /// The seats that are still in the game, in turn order.
    pub fn seats(&self) -> impl Iterator<Item = SeatId> + '_ {
        self.order.iter().copied().filter(|seat| self.is_led(*seat))
    }
    /// The turn order, including eliminated seats.
    pub fn order(&self) -> &[SeatId] {
        &self.order
    }
    /// The seat whose turn it is, in phases that go from seat to seat.
    pub fn active(&self) -> Option<SeatId> {
        self.active
    }
    /// How the game ended; `None` while it continues.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    /// The frames of the flow; the innermost is last.
    pub fn flow(&self) -> &[Frame] {
        &self.flow
    }
    /// The faction that controls a space.
    pub fn controller(&self, space: SpaceId) -> Option<SeatId> {
        let seat = self.control[space.index()];
        (seat != u8::MAX).then_some(FactionId(seat))
    }
    /// The innermost current battle.
    pub fn battle(&self) -> Option<&Battle> {
        self.flow.iter().rev().find_map(|frame| match frame {
            Frame::Battle(battle) => Some(&**battle),
            _ => None,
        })
    }
    pub(crate) fn battle_mut(&mut self) -> Option<&mut Battle> {
        self.flow.iter_mut().rev().find_map(|frame| match frame {
            Frame::Battle(battle) => Some(&mut **battle),
            _ => None,
        })
    }
}
