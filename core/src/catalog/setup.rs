//! Who can play, the named sets of options, and what a game is started with.

use serde::{Deserialize, Serialize};

use super::props::Props;
use crate::ids::*;

/// A faction: a people on the board. Playable ones can have a seat.
#[derive(Clone, Debug)]
pub struct Faction {
    /// The id that the pack gives it.
    pub id: String,
    /// Whether a player may lead it.
    pub playable: bool,
    /// Keyword of the group it belongs to; scripts compare it, the kernel does not.
    pub group: SymbolId,
    /// A color word such as `red`, for displays only.
    pub color: String,
    /// The faction recommended against it with two seats, for front ends only.
    pub rival: Option<FactionId>,
    /// Properties that the pack declares.
    pub props: Props,
}

/// A named set of setup options that a player can pick as a whole.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The id that the pack gives it.
    pub id: String,
    /// Setup options ([`Counter::option`](super::Counter::option)) and the values it gives them.
    pub options: Vec<(CounterId, i32)>,
    /// Least and greatest number of seats, both included.
    pub seats: (u8, u8),
}

/// What a game is started with. With the same packs and the same answers it leads to the same game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameConfig {
    /// Playable factions that somebody leads, each at most once, in any order.
    pub seats: Vec<FactionId>,
    /// Seed of all chance.
    pub seed: u64,
    /// Setup options that differ from their start values, each within the bounds of its counter.
    pub options: Vec<(CounterId, i32)>,
}
