//! Settings of the movement procedure.

use crate::ids::{DecisionId, SymbolId};

/// Which stat and which decisions the movement procedure uses.
#[derive(Clone, Debug)]
pub struct MovementRule {
    /// Stat that gives a piece's movement points, before hooks of `movement.points` change them.
    pub stat: SymbolId,
    /// Decision of the mover: pick a piece, take the last move back, or finish.
    pub pick: DecisionId,
    /// Decision of the mover: the destination of the picked piece.
    pub to: DecisionId,
    /// Decision of another seat: let the piece pass through its space.
    pub consent: DecisionId,
}
