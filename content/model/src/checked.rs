//! What a check gives.

use principes_findings::Finding;

use crate::game::Loaded;
use crate::pack::PackInfo;

/// A game with errors, as it was probably meant, to find more of them. Scripts that cannot run are replaced by
/// ones that only fail.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// What can be tried out.
    pub game: Loaded,
    /// All that was found in it.
    pub findings: Vec<Finding>,
}

/// What a check has examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packs.
    pub packs: usize,
    /// Entities of all families.
    pub entities: usize,
    /// Script functions bound to hook points or the flow.
    pub hooks: usize,
    /// Scenarios.
    pub scenarios: usize,
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// Everything that was found, sorted by place.
    pub findings: Vec<Finding>,
    /// What can be played, if there is no error and the stage was at least `Stage::Links`.
    pub loaded: Option<Loaded>,
    /// How much was examined.
    pub counts: Counts,
    /// All packs in load order, even if there are errors.
    pub packs: Vec<PackInfo>,
    /// If there are errors: the game as it was probably meant, to look for more. Its faulty scripts fail when
    /// called.
    pub recovered: Option<Recovered>,
}

/// The module and file of functions that are missing in a game as it was probably meant. No file of a pack can be
/// called so.
pub const MISSING: &str = "%missing";
