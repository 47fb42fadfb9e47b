//! The records in the lists of a world.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// The space index of a piece that is not on a space.
pub(super) const POOL: u16 = u16::MAX;
/// No piece, card or zone.
pub(super) const NONE: u16 = u16::MAX;

/// A piece on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Piece {
    pub(super) place: u16,
    /// The next piece on the same space, in id order.
    pub(super) next: u16,
    pub(super) owner: u8,
}

impl Piece {
    /// The piece without its link in the list of its space, which would reveal pieces that a viewer cannot see.
    pub(crate) fn alone(self) -> Piece {
        Piece { next: NONE, ..self }
    }
    /// The space it stands on; `None` in the pool.
    pub fn space(&self) -> Option<SpaceId> {
        (self.place != POOL).then_some(SpaceId(self.place))
    }
    /// The faction that owns it, if any.
    pub fn owner(&self) -> Option<FactionId> {
        (self.owner != u8::MAX).then_some(FactionId(self.owner))
    }
}

/// The position of a card: its zone, and its neighbors there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct CardSlot {
    pub(super) zone: u16,
    pub(super) next: u16,
    pub(super) prev: u16,
}

/// The cards of a zone: the first, the last, and their number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct ZoneSlot {
    pub(super) head: u16,
    pub(super) tail: u16,
    pub(super) len: u16,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<SeatId>,
    /// The cause, as a keyword of the pack.
    pub cause: SymbolId,
}

/// The points that one score of a space actually gave its controller, so that losing the space removes no more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// Which space gave them.
    pub space: SpaceId,
    /// The counter that changed.
    pub counter: CounterId,
    /// The points gained, within the counter's bounds and supply.
    pub amount: i32,
}
