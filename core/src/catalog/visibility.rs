//! Who may see something.

use super::limits::{FactionSet, NOBODY};
use crate::ids::{FactionId, SeatId};

/// Who may see the cards of a zone or the values of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// Everyone, spectators included.
    Everyone,
    /// Only the owner: for a zone or value, its faction; for a space, its controller; for a card, the owner of its
    /// zone.
    Owner,
    /// Nobody. Only scripts read it.
    Nobody,
    /// The factions that see the space (see [`CatalogParts::fog`](super::CatalogParts::fog)). Only for counters of
    /// spaces.
    Fog,
}

impl Visible {
    /// Whether a viewer sees what belongs to `owner`, ignoring fog. A viewer without a seat is a spectator.
    pub(crate) fn shows(self, owner: Option<FactionId>, viewer: Option<SeatId>) -> bool {
        match self {
            Visible::Everyone => true,
            Visible::Owner => viewer.is_some() && owner == viewer,
            Visible::Nobody | Visible::Fog => false,
        }
    }
}

/// Whether a set of factions contains a viewer. A spectator sees only what everyone sees, which is a full set.
pub(crate) fn mask_has(mask: FactionSet, viewer: Option<SeatId>) -> bool {
    viewer.map_or(mask == FactionSet::MAX, |seat| mask >> seat.0.min(NOBODY) & 1 == 1)
}
