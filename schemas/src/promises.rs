//! Promises: what the designer of a game says about its balance. No rule reads them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::basics::*;

maps! {
    /// Ranges for individual factions.
    FactionRanges<PromiseRange> { "x-ref": "factions" }
    /// Ranges by the keyword of an ending.
    EndingRanges<PromiseRange> { "pattern": ID_PATTERN, "maxLength": NAME_LENGTH }
}

/// A range of whole numbers, including both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromiseRange {
    /// The smallest number. Omit it if there is none.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub least: Option<u32>,
    /// The largest number. Omit it if there is none.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub most: Option<u32>,
}

entity! {
    /// What a designer promises about the balance of a game with a given number of players.
    /// `principes balance --gate` tests it.
    pub struct Promises {
        /// Unique among promises.
        id: Id,
        /// The number of seats. Default: as many as the game allows.
        #[serde(default)]
        #[schemars(range(min = 1, max = 31))]
        players: Option<u8>,
        /// The variant. Default: none.
        #[serde(default)]
        variant: Option<Id>,
        /// Values of setup options (counters with `option`).
        #[serde(default)]
        options: OptionValues,
        /// The bot in all seats, such as `greedy` or `mcts:50`. Default: the one that `principes balance` chooses.
        #[serde(default)]
        #[schemars(regex(pattern = "^[a-z]+(:[1-9][0-9]{0,6})?$"))]
        bots: Option<String>,
        /// The share of games that each faction wins, in percent.
        #[serde(default)]
        shares: Option<PromiseRange>,
        /// The same for individual factions, in place of `shares`.
        #[serde(default)]
        factions: FactionRanges,
        /// The largest win share of the first seat in the turn order, in percent of the mean: 130 means 1.3 times the
        /// mean.
        #[serde(default)]
        #[schemars(range(min = 100, max = 10_000))]
        first: Option<u32>,
        /// The share of games that end for each cause, in percent.
        #[serde(default)]
        endings: EndingRanges,
        /// The mean number of rounds.
        #[serde(default)]
        rounds: Option<PromiseRange>,
        /// The mean number of answers.
        #[serde(default)]
        answers: Option<PromiseRange>,
        /// The most percentage points by which drawing any one card may change the chance of winning, up or down. It
        /// covers the cards that are drawn at random.
        #[serde(default)]
        #[schemars(range(min = 1, max = 100))]
        cards: Option<u32>,
    }
}
