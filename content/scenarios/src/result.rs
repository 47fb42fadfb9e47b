//! The results of scenarios.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use principes_core::HookId;
use principes_core::scripts::ScriptError;
use principes_findings::Finding;

use crate::files::DeclaredHooks;
use crate::may::Overstep;

/// How a transcript compares with the stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is equal.
    Same,
    /// Nothing is stored yet.
    New,
    /// It differs.
    Changed,
    /// It was stored just now.
    Accepted,
    /// It could not be stored.
    Unwritable(String),
}

/// The part of a scenario that a failure is about.
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
    /// The whole run: a hook changed something that its card or rule does not declare in `may`.
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
    /// What was expected, and what was found.
    pub message: String,
    /// The script failure that caused it.
    pub script: Option<ScriptError>,
    /// The hook that exceeded its declaration, for [`ScenarioPart::Whole`].
    pub overstep: Option<Overstep>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: scenario `{}`, {}: {}", self.file, self.scenario, self.part, self.message)
    }
}

/// What one run of a scenario has shown.
#[derive(Clone, Debug)]
pub struct ScenarioResult {
    /// Pack it belongs to.
    pub pack: String,
    /// The file as users name it.
    pub file: String,
    /// Id of the scenario.
    pub id: String,
    /// What the scenario shows, in the words of its author.
    pub title: String,
    /// Rules it cites.
    pub rules: Vec<String>,
    /// What failed while it ran.
    pub failures: Vec<Failure>,
    /// The open decision, if the scenario stops in the middle of something.
    pub waits_for: Option<String>,
    /// The hooks that ran.
    pub ran: BTreeSet<HookId>,
    /// Keys of the messages that it looked up, whether they exist or not.
    pub(crate) sought: BTreeSet<String>,
    /// The most steps that one call of a script took.
    pub steps: u64,
    /// The transcript of the run.
    pub transcript: String,
    /// How the transcript compares with the snapshot.
    pub snapshot: Verdict,
    /// What differs from the snapshot.
    pub diff: String,
    /// Where the snapshot is stored: a path as users write it.
    pub snapshot_file: String,
}

impl ScenarioResult {
    /// Whether all is as it should be.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && matches!(self.snapshot, Verdict::Same | Verdict::Accepted)
    }

    /// Why its snapshot could not be stored, if the attempt failed.
    pub fn unwritable(&self) -> Option<&str> {
        match &self.snapshot {
            Verdict::Unwritable(why) => Some(why),
            _ => None,
        }
    }
}

/// The results of all scenarios.
#[derive(Clone, Debug, Default)]
pub struct ScenarioReport {
    /// The results in the order of the packs, files and scenarios.
    pub results: Vec<Arc<ScenarioResult>>,
    /// The hooks of the pack.
    pub declared: Vec<HookId>,
    /// The hooks that ran in a scenario.
    pub reached: BTreeSet<HookId>,
    /// The finding that says why some scenarios were not played, if that is so.
    pub stopped: Option<Finding>,
}

impl ScenarioReport {
    pub(crate) fn new(declared: &DeclaredHooks, results: Vec<Arc<ScenarioResult>>) -> Self {
        let ran = results.iter().flat_map(|result| result.ran.iter().map(|hook| declared.first(*hook)));
        let ran: BTreeSet<HookId> = ran.collect();
        let declared = declared.hooks.clone();
        let reached = declared.iter().copied().filter(|hook| ran.contains(hook)).collect();
        ScenarioReport { results, declared, reached, stopped: None }
    }

    /// Whether every scenario passed.
    pub fn passed(&self) -> bool {
        self.results.iter().all(|result| result.passed())
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

/// A number as a percentage of all; 100 if there are none.
pub fn percent(part: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * part as f64 / all as f64 }
}
