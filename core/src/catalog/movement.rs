//! Settings of the movement procedure.

use crate::ids::{DecisionId, SymbolId};

/// The stat and the decisions that the movement procedure uses.
#[derive(Clone, Debug)]
pub struct MovementRule {
    /// The stat for a piece's movement points, before hooks of `movement.points` change them.
    pub stat: SymbolId,
    /// The decision of the mover: pick a piece, take back the last move, or finish.
    pub pick: DecisionId,
    /// The decision of the mover: the destination of the picked piece.
    pub to: DecisionId,
    /// The decision of another seat: whether to let the piece pass through its space.
    pub consent: DecisionId,
}
