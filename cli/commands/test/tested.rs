//! The results of a pack's scenarios.

use principes_scenarios::coverage::ModuleCoverage;
use principes_scenarios::{ScenarioReport, ScenarioResult, Texts, Verdict};

/// The scenarios of one pack and their results.
pub(super) struct Tested {
    pub(super) pack: String,
    pub(super) report: ScenarioReport,
    /// The texts that players read, if they are stored or requested.
    pub(super) texts: Vec<Texts>,
    /// The names of hooks that no scenario runs.
    pub(super) unreached: Vec<String>,
    /// The coverage of its scripts, if counted.
    pub(super) coverage: Option<Vec<ModuleCoverage>>,
    /// The message if coverage is below `--min-coverage`.
    pub(super) too_little: Option<String>,
    /// Whether only some scenarios were selected.
    pub(super) is_filtered: bool,
}

impl Tested {
    /// Whether nothing failed or is too little.
    pub(super) fn is_fine(&self) -> bool {
        self.report.passed() && self.texts.iter().all(Texts::passed) && self.too_little.is_none()
    }
}

/// Sums over modules: lines run, all lines, branches run, all branches.
pub(super) fn sums(modules: &[ModuleCoverage]) -> [usize; 4] {
    let add = |sums: [usize; 4], module: &ModuleCoverage| {
        let own = [module.lines_hit(), module.lines.len(), module.branches_hit(), module.branches.len()];
        std::array::from_fn(|at| sums[at] + own[at])
    };
    modules.iter().fold([0; 4], add)
}

/// The state of a scenario in a word or two, after its name.
pub(super) fn verdict(result: &ScenarioResult) -> &'static str {
    match (&result.snapshot, result.failures.is_empty()) {
        (_, false) => "fails",
        (Verdict::New, _) => "new",
        (Verdict::Changed, _) => "changed",
        (Verdict::Unwritable(_), _) => "not stored",
        (Verdict::Same | Verdict::Accepted, _) => "passes",
    }
}

/// The failures of a scenario apart from its snapshot, with their locations.
pub(super) fn failures(result: &ScenarioResult) -> Vec<String> {
    result.failures.iter().map(|failure| format!("{}: {}", failure.part, failure.message)).collect()
}

/// The message about a pack that cannot be loaded.
pub(super) fn why_not_loaded(path: &str) -> String {
    format!("cannot load `{path}`; `principes check {path}` says why")
}
