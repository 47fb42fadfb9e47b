//! The results of scenarios.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use principes_core::HookId;
use principes_core::scripts::ScriptError;
use principes_findings::Finding;

use crate::may::Overstep;
use crate::snapshot::Verdict;

/// Which part of a scenario a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScenarioPart {
    /// Seats, seed, variant, options, setup.
    Start,
    /// An entry of `given`, from 0.
    Given(usize),
    /// `run`.
    Run,
    /// A step of `when`, from 0.
    When(usize),
    /// An entry of `then`, from 0.
    Then(usize),
    /// `dice`.
    Dice,
    /// The whole run: a hook went beyond what its card or rule declares in `may`.
    Whole,
}

impl fmt::Display for ScenarioPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScenarioPart::Start => write!(f, "start"),
            ScenarioPart::Given(at) => write!(f, "`given` entry {}", at + 1),
            ScenarioPart::Run => write!(f, "`run`"),
            ScenarioPart::When(at) => write!(f, "`when` step {}", at + 1),
            ScenarioPart::Then(at) => write!(f, "`then` entry {}", at + 1),
            ScenarioPart::Dice => write!(f, "`dice`"),
            ScenarioPart::Whole => write!(f, "`may`"),
        }
    }
}

/// Why a scenario failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file as users name it.
    pub file: String,
    /// Id of the scenario.
    pub scenario: String,
    /// Which part of it.
    pub part: ScenarioPart,
    /// What was expected and what is.
    pub message: String,
    /// The failure of a script that is behind it.
    pub script: Option<ScriptError>,
    /// The hook that went beyond its declaration, for [`ScenarioPart::Whole`].
    pub overstep: Option<Overstep>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: scenario `{}`, {}: {}", self.file, self.scenario, self.part, self.message)
    }
}

/// The result of one scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Pack it belongs to.
    pub pack: String,
    /// The file as users name it.
    pub file: String,
    /// Id of the scenario.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Rules it cites.
    pub rules: Vec<String>,
    /// What failed while it ran.
    pub failures: Vec<Failure>,
    /// The decision that is open at the end, if the scenario breaks off there.
    pub waits_for: Option<String>,
    /// The hooks that ran.
    pub ran: BTreeSet<HookId>,
    /// Keys of the messages that it quotes or would quote if there were any.
    pub(crate) sought: BTreeSet<String>,
    /// The most steps that one call of a script took.
    pub steps: u64,
    /// The whole run as text.
    pub transcript: String,
    /// How the run compares with the stored one.
    pub snapshot: Verdict,
    /// What differs from the snapshot.
    pub diff: String,
    /// Where the snapshot is stored: a path as users write it.
    pub snapshot_file: String,
}

impl Outcome {
    /// Whether all is as it should be.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && matches!(self.snapshot, Verdict::Same | Verdict::Accepted)
    }

    /// Why its snapshot could not be stored, if that was tried.
    pub fn unwritable(&self) -> Option<&str> {
        match &self.snapshot {
            Verdict::Unwritable(why) => Some(why),
            _ => None,
        }
    }
}

/// The results of all scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The scenarios in order of pack, file and place in the file.
    pub outcomes: Vec<Arc<Outcome>>,
    /// The hooks of the pack.
    pub declared: Vec<HookId>,
    /// Those that ran in any scenario.
    pub reached: BTreeSet<HookId>,
    /// Why not all scenarios were played, if they were not.
    pub stopped: Option<Finding>,
}

impl Report {
    pub(crate) fn new(declared: Vec<HookId>, outcomes: Vec<Arc<Outcome>>) -> Self {
        let ran: BTreeSet<HookId> = outcomes.iter().flat_map(|outcome| outcome.ran.iter().copied()).collect();
        let reached = declared.iter().copied().filter(|hook| ran.contains(hook)).collect();
        Report { outcomes, declared, reached, stopped: None }
    }

    /// Whether every scenario passed.
    pub fn passed(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.passed())
    }
    /// The hooks that no scenario reached.
    pub fn unreached(&self) -> impl Iterator<Item = HookId> + '_ {
        self.declared.iter().copied().filter(|hook| !self.reached.contains(hook))
    }
    /// Hooks reached, in percent; 100 if there are none.
    pub fn coverage(&self) -> f64 {
        percent(self.reached.len(), self.declared.len())
    }
}

/// A part in percent of all there are; 100 if there are none.
pub fn percent(part: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * part as f64 / all as f64 }
}
