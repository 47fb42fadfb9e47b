//! The budgets of a check. Sizes are counted, so that the same packs stop at the same place on every machine. The
//! deadline is the last resort.
//!
//! Each budget is checked before it can be exceeded: JSON values before they are created, entities and messages before
//! they are merged, findings between the checks, name comparisons while they are made. An exhausted budget is a
//! finding, and everything beyond it is left out. The deadline is passed down as a value; nothing else in the pipeline
//! reads a clock.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::code::Code;
use crate::finding::Finding;
use crate::suggestion;
pub use crate::suggestion::{MOST_COMPARISONS, begin_comparing};

/// Bytes of all JSON files of the packs together.
pub const MOST_TEXT: usize = 32 << 20;
/// Bytes of one rulebook.
pub const MOST_RULES: usize = 256 << 10;
/// Live parts of one rulebook.
pub const MOST_LIVE_PARTS: usize = 1_000;
/// Pictures, tables and examples in one rulebook.
pub const MOST_EXHIBITS: usize = 100;
/// Values and keys in one JSON file.
pub const MOST_VALUES_IN_FILE: usize = 200_000;
/// Values and keys in all JSON files of the packs together.
pub const MOST_VALUES: usize = 600_000;
/// Entities, patches and scenarios of the packs together.
pub const MOST_ENTITIES: usize = 20_000;
/// Patches of the packs together.
pub const MOST_PATCHES: usize = 5_000;
/// Messages of the packs together.
pub const MOST_MESSAGES: usize = 50_000;
/// How often the keys of messages with placeholders are compared with the cards of series.
pub const MOST_KEYS_TRIED: usize = 1_000_000;
/// Packs that one manifest may name.
pub const MOST_NAMED_PACKS: usize = 100;
/// Values of counters in one game: one for each game, faction, space or card that has the counter.
pub const MOST_CELLS: usize = 250_000;
/// Bytes of pictures, fonts and paths of looks, as they are and as they are written for drawings.
pub const MOST_DRAWN: usize = 64 << 20;
/// Pixels of all pictures of looks together. They are counted by the headers of the files.
pub const MOST_PIXELS: u64 = 400_000_000;
/// How often the pins of the packs look at an entity, once for each name in their filters.
pub const MOST_PINNED: usize = 20_000_000;
/// Items of a list that patches change.
pub const MOST_ITEMS: usize = 2_000;
/// The number of findings after which a check stops looking for more.
pub const MOST_FINDINGS: usize = 2_000;
/// Steps of all scenarios of a pack together: of their scripts, edits and expectations.
pub const MOST_SCENARIO_STEPS: u64 = 200_000_000;
/// Steps of all random games of a check together. Each answer counts as [`STEPS_OF_AN_ANSWER`].
pub const MOST_PLAY_STEPS: u64 = 1_000_000_000;
/// Steps that an answer of a random game costs beside those of its scripts.
pub const STEPS_OF_AN_ANSWER: u64 = 1_000;
/// Statements and expressions of scripts that are looked at, counted again in each round and lap of a loop.
pub const MOST_LOOKS: u64 = 20_000_000;
/// Seconds after which a check ends, whatever it is doing.
pub const MOST_SECONDS: u64 = if cfg!(debug_assertions) { 300 } else { 15 };

/// The finding about an exhausted budget.
pub fn exceeded(file: impl Into<String>, message: impl Into<String>, help: impl Into<String>) -> Finding {
    Finding::new(Code::BudgetExceeded, file, message).help(help)
}

/// The time at which a check ends, whatever it is doing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// No deadline.
    pub const NONE: Deadline = Deadline(None);

    /// The deadline of a check that begins now.
    pub fn of_a_check() -> Self {
        Deadline(Instant::now().checked_add(Duration::from_secs(MOST_SECONDS)))
    }

    /// A deadline that has already passed.
    pub fn over() -> Self {
        Deadline(Some(Instant::now()))
    }

    /// Whether it has passed.
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// The finding about a deadline that has passed; `what` is left out.
    pub fn finding(file: impl Into<String>, what: &str) -> Finding {
        let message = format!("the check took longer than {MOST_SECONDS} seconds, so {what} is left out");
        exceeded(file, message, "make the pack smaller, or its scripts faster; on a busy machine, try again")
    }
}

/// How many steps some work of a check may take. Steps are the same on every machine, so they end it first; the
/// deadline is the last resort.
#[derive(Debug)]
pub struct Effort {
    most: u64,
    steps: Cell<u64>,
    deadline: Deadline,
}

impl Effort {
    /// At most this many steps, until the deadline.
    pub fn new(most: u64, deadline: Deadline) -> Self {
        Effort { most, steps: Cell::new(0), deadline }
    }

    /// No limits.
    pub fn endless() -> Self {
        Effort::new(u64::MAX, Deadline::NONE)
    }

    /// Counts steps.
    pub fn take(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// Whether the steps or the time are used up.
    pub fn is_over(&self) -> bool {
        self.is_used_up() || self.deadline.is_over()
    }

    /// Whether the steps are used up.
    pub fn is_used_up(&self) -> bool {
        self.steps.get() > self.most
    }

    /// The finding about work that was left out. `work` took the steps; `what` is left out.
    pub fn finding(&self, file: impl Into<String>, work: &str, what: &str) -> Finding {
        if !self.is_used_up() {
            return Deadline::finding(file, what);
        }
        let message = format!("{work} took more than {} steps, so {what} is left out", self.most);
        exceeded(file, message, "make the pack smaller, or its scripts faster")
    }
}

/// Whether the budget of findings is exhausted.
pub fn is_full(findings: &[Finding]) -> bool {
    findings.len() > MOST_FINDINGS
}

/// Keeps as many findings as are reported, and says how many more are known. There may be others.
pub fn cut(findings: &mut Vec<Finding>) {
    if !is_full(findings) {
        return;
    }
    // An error must not make room for warnings.
    findings.sort_by_key(|finding| !finding.is_error());
    // Together with the finding that says so, there are as many as allowed.
    let (file, rest) = (findings[0].file.clone(), findings.len() - (MOST_FINDINGS - 1));
    findings.truncate(MOST_FINDINGS - 1);
    let message = format!("there are more than {MOST_FINDINGS} findings, so {rest} or more are left out");
    findings.push(exceeded(file, message, "fix those that are shown, then check again"));
}

/// The finding about names that were not compared on this thread, if there are any.
pub fn not_compared(file: impl Into<String>) -> Option<Finding> {
    suggestion::are_comparisons_used_up().then(|| {
        let message = format!("more than {MOST_COMPARISONS} names were compared, so some findings have no suggestion");
        exceeded(file, message, "fix what is shown, then check again")
    })
}
