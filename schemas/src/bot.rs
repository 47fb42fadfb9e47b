//! Trained players: what `principes learn` writes. No rule reads them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::basics::*;

maps! {
    /// Weights of positions by feature, such as `counter own gold`: at the beginning and at the end of a game.
    PositionWeights<Ends> { "minLength": 1, "maxLength": 300 }
    /// Weights of options by decision.
    OptionWeights<VerbWeights> { "pattern": ID_PATTERN, "maxLength": NAME_LENGTH }
    /// Weights of options by what is described and the verb, such as `value recruit`; `-` means no verb.
    VerbWeights<ThingWeights> { "minLength": 3, "maxLength": 200 }
    /// Weights of options by a thing and a number, such as `kind:knight 0`; `-` means no thing.
    ThingWeights<Weight> { "minLength": 3, "maxLength": 200 }
}

/// A weight at the beginning and at the end of a game.
pub type Ends = [Weight; 2];

/// How much a feature counts, in the unit of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Weight(#[schemars(range(min = -100_000_000, max = 100_000_000))] pub i32);

entity! {
    /// A player that has learned the game by playing against itself. `principes learn` writes it. If there are several,
    /// the last one is used.
    pub struct Bot {
        /// Unique among bots.
        id: Id,
        /// The round (iteration of the outermost loop) in which games usually end.
        #[serde(rename = "usualEnd")]
        #[schemars(range(min = 1, max = 10000))]
        usual_end: i32,
        /// How it was trained.
        #[serde(default)]
        training: Option<Training>,
        /// What makes a position good: weights in millionths of a logit.
        #[serde(default)]
        value: PositionWeights,
        /// What makes an option attractive: weights in thousandths of a logit.
        #[serde(default)]
        policy: OptionWeights,
    }
}

/// How a player was trained. The same program, packs, games and seed give the same player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// The number of games.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub games: u32,
    /// The seed of the random numbers.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub seed: u64,
}
