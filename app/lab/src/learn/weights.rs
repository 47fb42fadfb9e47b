//! What a learning player knows while it plays.

use principes_core::bots::features::OptionFeature;
use rustc_hash::FxHashMap;

/// The weights that a batch of games is played with.
#[derive(Clone, Default)]
pub struct Weights {
    /// For each feature of a position, the logit at the beginning and at the end of a game.
    pub value: Vec<[f32; 2]>,
    /// The logit of each feature of an option. The map is never iterated, but for sorted export.
    pub policy: FxHashMap<OptionFeature, f32>,
    /// The iteration of the outermost loop in which games usually end.
    pub usual_end: i32,
}
