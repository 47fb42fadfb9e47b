//! Mutants, judged by this pipeline.

use std::sync::Arc;

use principes_scenarios::mutate::{Judge, TryOut, Unready};
use principes_source::PackSource;

use crate::options::{LoadOptions, Stage};
use crate::pipeline::check;

/// An unchanged pack, ready to be compared with its mutants. `play` tries out mutants that survive.
pub fn judge(source: &Arc<dyn PackSource>, options: &LoadOptions, play: Option<TryOut>) -> Result<Judge, Unready> {
    let options = LoadOptions { until: Stage::Scripts, ..options.clone() };
    Judge::new(source, Box::new(move |pack| check(std::slice::from_ref(pack), &options)), play)
}
