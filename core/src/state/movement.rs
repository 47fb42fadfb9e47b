//! A movement in progress: the order, the draft so far, and the consents it depends on.

use serde::{Deserialize, Serialize};

use super::decision::Decision;
use crate::catalog::FactionSet;
use crate::ids::*;

/// The order of a script to start a movement.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MoveOrder {
    /// The seat that moves the pieces, which need not be its own.
    pub mover: FactionId,
    /// The pieces that may be moved, each at most once.
    pub pieces: Vec<PieceId>,
    /// The most pieces of each kind. Kinds without an entry are not limited.
    pub limits: Vec<(KindId, u32)>,
    /// Spaces on which no move may end.
    pub forbid: Vec<SpaceId>,
    /// The card, design or rule that asks for it; [`Value::Nil`] if there is none.
    pub source: Value,
}

impl MoveOrder {
    /// A movement without limits, forbidden spaces or source.
    pub fn new(mover: SeatId, pieces: Vec<PieceId>) -> Self {
        MoveOrder { mover, pieces, limits: Vec::new(), forbid: Vec::new(), source: Value::Nil }
    }
}

/// The result of a movement.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct MoveResult {
    /// The moved pieces with the spaces they left and entered, in the order of the draft.
    pub moved: Vec<(PieceId, SpaceId, SpaceId)>,
    /// The spaces on which moves ended, in id order, each once.
    pub ended: Vec<SpaceId>,
    /// The previous controllers of these spaces, in the same order.
    pub before: Vec<Option<SeatId>>,
}

/// The movement points of one owner's pieces of one kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) owner: Option<FactionId>,
    pub(crate) kind: KindId,
    pub(crate) points: i32,
}

/// The consent of a seat to let a piece pass through a space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Consent {
    pub(crate) seat: SeatId,
    pub(crate) space: SpaceId,
}

/// A seat's answer to a request for consent.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct ConsentReply {
    pub(crate) consent: Consent,
    pub(crate) given: bool,
}

/// One move of the draft.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct DraftedMove {
    pub(crate) piece: PieceId,
    pub(crate) to: SpaceId,
    /// The consents that its path depends on.
    pub(crate) needs: Vec<Consent>,
}

/// What the movement waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// The mover picks a piece, takes back a move or finishes.
    Pick,
    /// The mover picks a destination.
    To(PieceId),
    /// Other seats are asked for consent, one after the other. `next` is an index into `needs`.
    Consent { piece: PieceId, to: SpaceId, needs: Vec<Consent>, next: usize },
}

/// A movement in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Movement {
    pub(crate) order: MoveOrder,
    /// Movement points by owner and kind, read once when the movement starts.
    pub(crate) ranges: Vec<Range>,
    /// The factions whose empty spaces also stop movement.
    pub(crate) guards: FactionSet,
    pub(crate) draft: Vec<DraftedMove>,
    pub(crate) replies: Vec<ConsentReply>,
    pub(crate) stage: Stage,
    pub(crate) decision: Option<Decision>,
    /// Whether the decision must be opened again before it is shown.
    pub(crate) stale: bool,
    /// Whether ranges and guards have been read.
    pub(crate) started: bool,
}

impl Movement {
    pub(crate) fn new(order: MoveOrder) -> Self {
        Movement {
            order,
            ranges: Vec::new(),
            guards: 0,
            draft: Vec::new(),
            replies: Vec::new(),
            stage: Stage::Pick,
            decision: None,
            stale: false,
            started: false,
        }
    }

    /// The seat that moves.
    pub fn mover(&self) -> SeatId {
        self.order.mover
    }
}
