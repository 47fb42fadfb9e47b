//! What learned players see of a position and of an option: lists of named numbers, made from the catalog alone.
//!
//! - `position`: the features of a position, as a seat sees it
//! - `option`: the features of an option, without looking ahead
//! - `ground`: what is on and around a space, and how far the game has come
//!
//! Features come from the catalog alone and describe only what a seat sees: positions for the *value*, options for the
//! *policy*. Weights are integers, and so is everything that chooses an option.

mod ground;
mod option;
mod position;

pub use ground::{iteration, stage};
pub use option::{OptionFeature, OptionFeatureError, OptionFeatures, OptionScan};
pub use position::PositionFeatures;

/// Positions are described by two weights for each feature: one for the beginning of a game and one for its end. Between
/// them, the stage of a game from 0 to this number decides.
pub const LAST_STAGE: i32 = 256;
