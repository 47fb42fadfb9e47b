//! The results of a check.

use principes_findings::{Answers, Finding};

use crate::game::Loaded;
use crate::pack::PackInfo;

/// A game with errors as the author probably meant it, used to find more errors. Scripts that cannot run are replaced
/// by stubs that fail. Its scenarios can run, but it is not a game to play.
#[derive(Debug)]
pub struct Recovered {
    game: Loaded,
    findings: Vec<Finding>,
}

impl Recovered {
    /// Marks a game with the errors of its check.
    pub fn new(game: Loaded, findings: Vec<Finding>) -> Self {
        Recovered { game, findings }
    }

    /// The game, for scenarios that look for more errors.
    pub fn game(&self) -> &Loaded {
        &self.game
    }

    /// The findings of the check.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// How much a check has examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many take part in the check.
    pub packs: usize,
    /// Entities of all families.
    pub entities: usize,
    /// Script functions bound to hook points or the flow.
    pub hooks: usize,
    /// How many the last pack has. Those of the packs that it requires count when they are checked themselves.
    pub scenarios: usize,
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// All findings, in the order of reports: causes before consequences, errors before warnings.
    pub findings: Vec<Finding>,
    /// The game, if there is no error and the stage was at least `Stage::Links`.
    pub loaded: Option<Loaded>,
    /// How much was examined.
    pub counts: Counts,
    /// All packs in load order, even if there are errors.
    pub packs: Vec<PackInfo>,
    /// What the packs answer to warnings.
    pub answers: Answers,
    /// If there are errors: the game as the author probably meant it, used to find more errors.
    pub recovered: Option<Recovered>,
}

/// The module and file of the stubs for missing functions in a recovered game. No file of a pack can have this name.
pub const MISSING: &str = "%missing";
