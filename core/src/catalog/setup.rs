//! Playable factions, variants, and the configuration of a game.

use serde::{Deserialize, Serialize};

use super::props::Props;
use crate::ids::*;

/// A faction. Playable factions can have a seat.
#[derive(Clone, Debug)]
pub struct Faction {
    /// The id that the pack gives it.
    pub id: String,
    /// Whether a player may lead it.
    pub playable: bool,
    /// Keyword of its group. Scripts compare it; the kernel does not.
    pub group: SymbolId,
    /// A color word such as `red`, for displays only.
    pub color: String,
    /// The recommended opponent in a game of two, for front ends only.
    pub rival: Option<FactionId>,
    /// Properties that the pack declares.
    pub props: Props,
}

impl Faction {
    /// A playable faction without a rival and props, whose color is its id.
    pub fn new(id: &str, group: SymbolId) -> Self {
        let (id, color) = (id.to_owned(), id.to_owned());
        Faction { id, playable: true, group, color, rival: None, props: Props::default() }
    }
}

/// A named set of setup options that a player can choose.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The id that the pack gives it.
    pub id: String,
    /// Setup options ([`Counter::option`](super::Counter::option)) with their values.
    pub options: Vec<(CounterId, i32)>,
    /// The least and greatest number of seats, inclusive.
    pub seats: (u8, u8),
}

/// The configuration of a game. The same configuration, packs and answers lead to the same game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameConfig {
    /// The playable factions that are led, each at most once, in any order.
    pub seats: Vec<FactionId>,
    /// The seed for all random numbers.
    pub seed: u64,
    /// Setup options that differ from their defaults, each within the bounds of its counter.
    pub options: Vec<(CounterId, i32)>,
}
