//! What a seat may know, as data. Clients see a game only through views.

use serde::Serialize;

use super::decision::Decision;
use super::slots::{Outcome, Piece};
use super::tiles::Laid;
use crate::ids::*;

/// A zone as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ZoneView {
    /// The declared zone.
    pub zone: ZoneKindId,
    /// Its owner; `None` for a zone of the game.
    pub owner: Option<FactionId>,
    /// Its cards, top first; `None` for a card whose face the viewer does not see.
    pub cards: Vec<Option<CardId>>,
}

/// The table as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The viewer's seat; `None` is a spectator.
    pub seat: Option<SeatId>,
    /// The counters that the viewer sees: counter, owner ([`Value::Nil`] for one of the game), and value. In id order.
    pub counters: Vec<(CounterId, Value, Value)>,
    /// Every piece in id order; `None` for a piece that the viewer does not see.
    pub pieces: Vec<Option<Piece>>,
    /// The controller of each space, in id order; `None` also if the viewer does not see it.
    pub control: Vec<Option<SeatId>>,
    /// The laid tiles with their cells, in the order of the cells. Everyone sees them.
    pub tiles: Vec<(SpaceId, Laid)>,
    /// Every zone in id order.
    pub zones: Vec<ZoneView>,
    /// Seats still playing, in turn order.
    pub order: Vec<SeatId>,
    /// The seat whose turn it is, in phases that go from seat to seat.
    pub active: Option<SeatId>,
    /// The innermost current phase.
    pub phase: Option<PhaseId>,
    /// The seats that must decide. In a simultaneous phase, these are all playing seats, because it is secret who has
    /// finished.
    pub waiting_for: Vec<SeatId>,
    /// The viewer's own open decisions.
    pub decisions: Vec<Decision>,
    /// How the game ended; `None` while it continues.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The pieces that the viewer sees, in id order.
    pub fn seen_pieces(&self) -> impl Iterator<Item = (PieceId, Piece)> + '_ {
        self.pieces.iter().enumerate().filter_map(|(at, piece)| piece.map(|piece| (PieceId::at(at), piece)))
    }
}
