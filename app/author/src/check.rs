//! Checks packs: their files, their scenarios, and random games.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_app::packs::{OpenPacks, PackError};
use principes_app::setup::{Player, SetupRequest, derive_seed, set_up};
use principes_content::{FUNCTION_FIELDS, LoadOptions, Stage, packs::read_manifest};
use principes_core::scripts::ScriptError;
use principes_core::{GameConfig, HookId, Value};
use principes_findings::budget::{Deadline, Effort, MOST_PLAY_STEPS, MOST_SCENARIO_STEPS};
use principes_findings::{Answers, Code, Finding, Severity, sort};
use principes_json::MemberPart;
use principes_model::{Checked, Loaded, PackInfo, Recovered};
use principes_scenarios::findings::{of_overstep, of_report, orphans, unreached};
use principes_scenarios::may::Limits;
use principes_scenarios::{Allowance, BrokenParts, Past, Plan, Renamed};
use principes_scripting::LuaHost;
use principes_source::PackSource;

use crate::smoke::smoke_games;
use crate::twins::Twins;

/// The findings, and the extent of the check.
#[derive(Default)]
pub struct Findings {
    /// The checked packs: their ids, or their paths if no id can be read.
    pub packs: Vec<String>,
    /// In the order of reports: causes before consequences, errors before warnings.
    pub findings: Vec<Finding>,
    /// The number of entities in the packs.
    pub entities: usize,
    /// The number of functions that their entities name as hooks.
    pub hooks: usize,
    /// The number of scenarios.
    pub scenarios: usize,
    /// The packs in load order, for each game.
    pub orders: Vec<Vec<PackInfo>>,
    /// The results of scenarios, for the next check.
    pub past: Past,
}

impl Findings {
    /// Adds the results of another check.
    pub fn add(&mut self, other: &Findings) {
        self.packs.extend(other.packs.iter().cloned());
        self.findings.extend(other.findings.iter().cloned());
        self.entities += other.entities;
        self.hooks += other.hooks;
        self.scenarios += other.scenarios;
    }
    /// The number of findings with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        count(&self.findings, severity)
    }
    /// Whether a check with these findings fails: because of errors, or because of anything if warnings are denied.
    pub fn fails(&self, deny_warnings: bool) -> bool {
        if deny_warnings { !self.findings.is_empty() } else { self.count(Severity::Error) > 0 }
    }
    /// The result in one line.
    pub fn summary(&self) -> String {
        let entities = if self.entities == 1 { "1 entity".to_owned() } else { format!("{} entities", self.entities) };
        let fixable = self.findings.iter().filter(|finding| finding.fix.is_some()).count();
        let fixes = if fixable == 0 { String::new() } else { format!("; `--fix` can fix {fixable}") };
        format!(
            "{} with {entities}, {} and {}: {}{fixes}",
            many(self.packs.len(), "pack"),
            many(self.hooks, "hook"),
            many(self.scenarios, "scenario"),
            tally(&self.findings),
        )
    }
}

fn many(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.severity == severity).count()
}

/// The number of findings, in words.
pub fn tally(findings: &[Finding]) -> String {
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(|severity| count(findings, severity));
    format!("{}, {}", many(errors, "error"), many(warnings, "warning"))
}

/// How far a check goes beyond the files.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// How far to go.
    pub until: Stage,
    /// Whether packs are loaded together that no scenarios are written for.
    pub together: bool,
}

/// The part of a check that follows the files: scenarios and random games.
pub struct Rest {
    game: Checkable,
    /// The scenarios to run, if requested.
    plan: Option<Plan>,
    /// When to stop.
    deadline: Deadline,
    /// The known errors. A game that has some is only run to find more.
    broken: BrokenParts,
    /// What the packs answer to warnings.
    answers: Answers,
}

/// A game whose files have been checked.
enum Checkable {
    /// It has no errors so far. Random games are played if requested.
    Sound { packs: Box<OpenPacks>, plays: bool },
    /// It has errors, so only its scenarios run.
    Recovered(Box<Recovered>),
}

impl Checkable {
    fn loaded(&self) -> &Loaded {
        match self {
            Checkable::Sound { packs, .. } => &packs.loaded,
            Checkable::Recovered(recovered) => recovered.game(),
        }
    }

    /// The packs in which random games are to be played.
    fn to_play(&self) -> Option<&OpenPacks> {
        match self {
            Checkable::Sound { packs, plays: true } => Some(packs),
            Checkable::Sound { plays: false, .. } | Checkable::Recovered(_) => None,
        }
    }
}

impl Rest {
    fn new(game: Checkable, broken: BrokenParts, reach: Reach, past: &Past, deadline: Deadline) -> Self {
        let answers = Answers::default();
        let plan = (reach.until >= Stage::Scenarios && !reach.together).then(|| past.plan(game.loaded()));
        Rest { game, plan, deadline, broken, answers }
    }

    /// Whether this takes no time, because all results are known.
    pub fn is_known(&self) -> bool {
        self.game.to_play().is_none()
            && self.plan.as_ref().is_none_or(|plan| self.broken.everything || plan.to_run() == 0)
    }

    /// Runs the scenarios and random games. Scenarios that ran before run again only if something they use has changed.
    /// Findings that are consequences of a known error are held back.
    ///
    /// # Errors
    /// The errors of the scripts, if no host can be made from them.
    pub fn check(mut self, result: &mut Findings) -> Result<(), PackError> {
        let runs_scenarios = self.plan.is_some();
        let loaded = self.game.loaded();
        if let Some(plan) = self.plan {
            let mut renamed = Renamed::default();
            if self.broken.everything {
                hold(result, plan.count());
            } else {
                let allowance = Allowance { deadline: self.deadline, steps: MOST_SCENARIO_STEPS };
                let report = plan.run(loaded, &mut result.past, allowance).map_err(PackError::broken)?;
                let shown = of_report(loaded, &self.broken, &result.findings, &report);
                hold(result, shown.held_back);
                for at in shown.held_by {
                    result.findings[at].held_back.get_or_insert_with(|| "changed texts".to_owned());
                }
                result.findings.extend(shown.findings);
                result.findings.extend(unreached(loaded, &self.broken, &report));
                renamed = shown.renamed;
            }
            result.findings.extend(orphans(loaded, &renamed));
        }
        // A random game that fails where a scenario failed says nothing new.
        let is_error_of_scenarios = |finding: &Finding| finding.is_error() && finding.code.stage() == Stage::Scenarios;
        if let Some(packs) = self.game.to_play()
            && !result.findings.iter().any(is_error_of_scenarios)
        {
            check_play(packs, &packs.host()?, &Effort::new(MOST_PLAY_STEPS, self.deadline), result);
        }
        self.answers.apply(&mut result.findings);
        if runs_scenarios && !result.findings.iter().any(Finding::is_error) {
            result.findings.extend(self.answers.idle(Stage::Scenarios..=Stage::Play));
        }
        sort(&mut result.findings);
        Ok(())
    }
}

/// Records on the first error how many scenarios are held back.
fn hold(result: &mut Findings, scenarios: usize) {
    if let Some(first) = result.findings.iter_mut().find(|finding| finding.is_error()).filter(|_| scenarios > 0) {
        let more = many(scenarios, "scenario");
        first.held_back = Some(match first.held_back.take() {
            Some(others) => format!("{others} and {more}"),
            None => more,
        });
    }
}

/// Findings for packs with the same id. Each is checked alone, because they cannot be loaded together.
pub fn twins(given: &[Arc<dyn PackSource>]) -> Vec<Finding> {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut found = Vec::new();
    for entry in given.iter().filter_map(|source| read_manifest(source, &mut Vec::new())) {
        match first.get(entry.id()) {
            None => drop(first.insert(entry.id().to_owned(), entry.document.file.clone())),
            Some(other) => {
                let message = format!("two of the packs have the id `{}`", entry.id());
                let finding = entry.finding(Code::DuplicateId, "/id", MemberPart::Value, message);
                found.push(finding.help(format!("the other is {other}; change one of the ids")));
            }
        }
    }
    found
}

/// Checks packs that are loaded together.
///
/// # Errors
/// The errors of the scripts, if no host can be made from them.
pub fn check_table(
    given: &[Arc<dyn PackSource>],
    reach: Reach,
    options: &LoadOptions,
    result: &mut Findings,
) -> Result<(), PackError> {
    check_files(given, reach, options, result).map_or(Ok(()), |rest| rest.check(result))
}

/// Checks the files of packs that are loaded together. Returns the rest of the check.
pub fn check_files(
    given: &[Arc<dyn PackSource>],
    reach: Reach,
    options: &LoadOptions,
    result: &mut Findings,
) -> Option<Rest> {
    let deadline = Deadline::of_a_check();
    let options = &LoadOptions { deadline, ..options.clone() };
    let Checked { findings, loaded, counts, packs, recovered, answers } = principes_content::check(given, options);
    result.findings.extend(findings);
    result.orders.push(packs);
    let Some(loaded) = loaded else {
        result.packs.extend(given.iter().map(name));
        result.entities += counts.entities;
        result.scenarios += counts.scenarios;
        return recovered.map(|recovered| {
            let broken = BrokenParts::of(&recovered);
            Rest {
                answers,
                ..Rest::new(Checkable::Recovered(Box::new(recovered)), broken, reach, &result.past, deadline)
            }
        });
    };
    let labels: Vec<String> = given.iter().map(|source| source.label("pack.json")).collect();
    for pack in loaded.packs.iter().filter(|pack| labels.contains(&pack.file)) {
        let id = pack.manifest.id.to_string();
        result.entities += loaded.entities.iter().filter(|entity| entity.packs.first() == Some(&id)).count();
        result.scenarios += loaded.scenarios.iter().filter(|scenario| scenario.pack == id).count();
        result.hooks += own_functions(&loaded, &id);
        result.packs.push(id);
    }
    (reach.until >= Stage::Scripts).then(|| {
        let game = Checkable::Sound { packs: Box::new(OpenPacks::new(loaded)), plays: reach.until >= Stage::Play };
        Rest { answers, ..Rest::new(game, BrokenParts::default(), reach, &result.past, deadline) }
    })
}

/// The id of a pack, or its path if the id cannot be read.
fn name(pack: &Arc<dyn PackSource>) -> String {
    let place = || pack.label("").trim_end_matches('/').to_owned();
    read_manifest(pack, &mut Vec::new()).map_or_else(place, |entry| entry.id().to_owned())
}

/// The number of functions that the entities of a pack name as hooks.
fn own_functions(loaded: &Loaded, pack: &str) -> usize {
    fn count(value: &serde_json::Value, in_hooks: bool) -> usize {
        match value {
            serde_json::Value::Object(map) => map
                .iter()
                .map(|(key, value)| match value {
                    serde_json::Value::String(function) => {
                        usize::from((in_hooks || FUNCTION_FIELDS.contains(&key.as_str())) && function.contains('.'))
                    }
                    other => count(other, key == "hooks"),
                })
                .sum(),
            serde_json::Value::Array(list) => list.iter().map(|value| count(value, false)).sum(),
            _ => 0,
        }
    }
    loaded
        .entities
        .iter()
        .filter(|entity| entity.packs.iter().any(|id| id == pack))
        .map(|entity| count(&entity.json, false))
        .sum()
}

/// Plays a few random games in every variant. They must end, and no hook may do more than it declares.
fn check_play(packs: &OpenPacks, host: &LuaHost, effort: &Effort, result: &mut Findings) {
    let mut reported = BTreeSet::new();
    let (limits, mut overstepped) = (Limits::of(&packs.loaded.entities), BTreeSet::new());
    host.watch();
    let is_whole = smoke_games(packs, host, effort, |variant, played| {
        for overstep in limits.beyond(&packs.catalog, &host.watch()) {
            if overstepped.insert(overstep.clone()) {
                result.findings.push(of_overstep(&packs.loaded, &overstep));
            }
        }
        let Err(error) = played else { return };
        let of = variant.map(|id| format!(" (variant `{id}`)")).unwrap_or_default();
        let mut finding = packs.loaded.script_finding(&error);
        finding.code = Code::FailedGame;
        finding.message = format!("a random game failed{of}: {}", finding.message);
        if reported.insert((finding.file.clone(), error.line, error.message.clone())) {
            result.findings.push(finding);
        }
    });
    if is_whole && reported.is_empty() {
        check_secrets(packs, host, effort, result);
    }
    let what = if is_whole { "a part of the search for secrets" } else { "a part of these games" };
    if effort.is_over() {
        let file = packs.loaded.packs.last().map(|pack| pack.file.as_str()).unwrap_or_default();
        result.findings.push(effort.finding(file, "the random games together", what));
    }
}

/// The finding about a hook at its place in the content.
fn of_hook(packs: &OpenPacks, hook: Option<HookId>, code: Code, message: String) -> Finding {
    let finding = packs.loaded.script_finding(&ScriptError { hook, ..ScriptError::flow(message) });
    Finding { code, severity: code.severity(), ..finding }
}

fn hook_in_words(packs: &OpenPacks, hook: Option<HookId>) -> String {
    let spec = hook.and_then(|hook| packs.catalog.hooks.get(hook.index()));
    spec.map_or("the flow".to_owned(), |hook| format!("`{}.{}`", hook.module, hook.function))
}

/// How many pairs of games are played to see whether secrets stay secret.
const PAIRS: u64 = 8;

/// Plays pairs of games that differ only in what a seat cannot see, and reports the first difference that it sees.
fn check_secrets(packs: &OpenPacks, host: &LuaHost, effort: &Effort, result: &mut Findings) {
    let Ok(table) = set_up(&packs.catalog, &SetupRequest::all(Player::Random, 1)) else { return };
    let config = |number| GameConfig { seed: derive_seed(3, number), ..table.config.clone() };
    let twins = Twins { catalog: &packs.catalog, host, config: &config, effort };
    let Err(leak) = twins.look(PAIRS) else { return };
    let seat = packs.catalog.id_of(Value::Faction(leak.seat));
    let hook = hook_in_words(packs, leak.hook);
    let message = format!(
        "`{seat}` can tell what it cannot see: in two games that must look the same to it, {} of {hook} differ",
        leak.what
    );
    let (seed, answers) = leak.moment;
    let help = format!(
        "reveal the secret to the seat first, or leave it out; with seed {seed}, the games part after {answers} answers"
    );
    result.findings.push(of_hook(packs, leak.hook, Code::LearnedSecret, message).help(help));
}
