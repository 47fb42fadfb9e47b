//! Findings from runs of scenarios.
//!
//! In a recovered game, `broken` is what is broken according to earlier findings. Scenarios that use it are held back.
//! In a game without errors, nothing is broken.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use principes_core::HookId;
use principes_core::scripts::ScriptError;
use principes_findings::budget;
use principes_findings::{Code, Finding, Label, MOST_CONSEQUENCES, Subject};
use principes_json::{Document, MemberPart, parse};
use principes_model::{EntityInfo, Loaded, LoadedScenario, MISSING};

use crate::files::{self, Orphan, pack_under_test};
use crate::held::BrokenParts;
use crate::hooks::hook_name;
use crate::may::Overstep;
use crate::renamed::Renamed;
use crate::result::{Failure, ScenarioPart, ScenarioReport, ScenarioResult, Verdict};
use crate::texts;

/// What identifies the failure of a script: file, line, message and hook.
type Cause<'e> = (&'e str, Option<u32>, &'e str, Option<HookId>);

/// What the scenarios have shown.
#[derive(Debug, Default)]
pub struct ScenarioFindings {
    /// Those to report; consequences of known errors are left out.
    pub findings: Vec<Finding>,
    /// How many failed scenarios are held back.
    pub held_back: usize,
    /// For each file of changed texts that is held back, the position of the earlier finding that explains them.
    pub held_by: Vec<usize>,
    /// The scenarios without a snapshot that may have another name in the stored file.
    pub renamed: Renamed,
}

/// The findings about a run, after those in `told`. A script line that fails in the same way in several scenarios is reported once. Of the
/// scenarios that fail without a known cause, only a few are reported.
pub fn of_report(game: &Loaded, broken: &BrokenParts, told: &[Finding], report: &ScenarioReport) -> ScenarioFindings {
    let mut shown = ScenarioFindings { renamed: Renamed::new(game, broken, report), ..ScenarioFindings::default() };
    let places = ScenarioPlaces::new(game);
    // For each failure of a script, its first finding, and how many other scenarios have it.
    let mut by_cause: BTreeMap<Cause<'_>, (usize, usize)> = BTreeMap::new();
    let mut oversteps: BTreeSet<(&str, &str)> = BTreeSet::new();
    for result in &report.results {
        if budget::is_full(&shown.findings) {
            break;
        }
        let found = of_result_with_causes(game, &places, broken, &shown.renamed, result);
        shown.held_back += usize::from(found.is_none());
        for (finding, failure) in found.unwrap_or_default() {
            // The same entry may be missing for several seats.
            let overstep = failure.and_then(|failure| failure.overstep.as_ref());
            if overstep.is_some_and(|it| !oversteps.insert((it.id.as_str(), it.missing.as_str()))) {
                continue;
            }
            let cause = failure.and_then(|failure| cause(game, failure.script.as_ref()?));
            if let Some(cause) = cause {
                let first = by_cause.entry(cause).or_insert((shown.findings.len(), 0));
                if first.0 < shown.findings.len() {
                    first.1 += 1;
                    continue;
                }
            }
            shown.findings.push(finding);
        }
    }
    for (at, others) in by_cause.values().filter(|(_, others)| *others > 0) {
        shown.findings[*at].help = Some(match others {
            1 => "one other scenario fails here".to_owned(),
            others => format!("{others} other scenarios fail here"),
        });
    }
    let known: BTreeSet<usize> = by_cause.into_values().map(|(at, _)| at).collect();
    if broken.spares_all() {
        shown.findings.extend(texts::findings(game, told, &mut shown.held_by));
    }
    few_without_cause(&mut shown.findings, &known);
    shown.findings.extend(report.stopped.clone());
    shown
}

/// Keeps only a few of the scenarios and texts that fail without a known cause, because they may share one.
fn few_without_cause(findings: &mut Vec<Finding>, known: &BTreeSet<usize>) {
    let is_one = |at: usize, finding: &Finding| {
        !known.contains(&at)
            && matches!(finding.code, Code::FailedScenario | Code::ChangedScenario | Code::ChangedTexts)
    };
    let mut without: Vec<usize> = (0..findings.len()).filter(|at| is_one(*at, &findings[*at])).collect();
    // A failed expectation says more than a changed snapshot.
    without.sort_by_key(|at| (findings[*at].code, *at));
    let Some(rest) = without.get(MOST_CONSEQUENCES..).filter(|rest| !rest.is_empty()) else { return };
    let count = |code: Code| rest.iter().filter(|at| findings[**at].code == code).count();
    let [failed, changed] = [count(Code::FailedScenario), rest.len() - count(Code::FailedScenario)];
    let words = match (failed, changed) {
        (failed, 0) => format!("{failed} more that fail"),
        (0, changed) => format!("{changed} more that do not match their snapshots"),
        (failed, changed) => format!("{failed} more that fail and {changed} that do not match their snapshots"),
    };
    let first = without[0];
    let rest: BTreeSet<usize> = rest.iter().copied().collect();
    findings[first].held_back = Some(words);
    let mut at = 0..;
    findings.retain(|_| at.next().is_none_or(|at| !rest.contains(&at)));
}

/// The scenarios of a game by file and id, and the text of their files.
struct ScenarioPlaces<'g> {
    scenarios: BTreeMap<(&'g str, &'g str), &'g LoadedScenario>,
    documents: RefCell<BTreeMap<String, Option<Rc<Document>>>>,
}

impl<'g> ScenarioPlaces<'g> {
    fn new(game: &'g Loaded) -> Self {
        let scenarios = game.scenarios.iter().rev().map(|it| ((it.file.as_str(), it.scenario.id.as_str()), it));
        ScenarioPlaces { scenarios: scenarios.collect(), documents: RefCell::default() }
    }

    /// The file of a scenario; `None` if it cannot be read.
    fn document(&self, place: &LoadedScenario) -> Option<Rc<Document>> {
        let mut known = self.documents.borrow_mut();
        let read = || parse(0, &place.path, &place.file, place.text.as_bytes(), &mut Vec::new()).ok().map(Rc::new);
        known.entry(place.file.clone()).or_insert_with(read).clone()
    }
}

/// The findings about one scenario.
pub fn of_result(game: &Loaded, result: &ScenarioResult) -> Vec<Finding> {
    let (places, broken, renamed) = (ScenarioPlaces::new(game), BrokenParts::default(), Renamed::default());
    let found = of_result_with_causes(game, &places, &broken, &renamed, result);
    found.unwrap_or_default().into_iter().map(|(finding, _)| finding).collect()
}

fn cause<'e>(game: &Loaded, error: &'e ScriptError) -> Option<Cause<'e>> {
    let file = error.file.as_deref().filter(|file| game.origins.texts.contains_key(*file))?;
    Some((file, error.line, error.message.as_str(), error.hook))
}

/// The findings about one scenario, with their failures; `None` if it failed and is held back.
fn of_result_with_causes<'o>(
    game: &Loaded,
    places: &ScenarioPlaces<'_>,
    broken: &BrokenParts,
    renamed: &Renamed,
    result: &'o ScenarioResult,
) -> Option<Vec<(Finding, Option<&'o Failure>)>> {
    let id = result.id.as_str();
    let Some(place) = places.scenarios.get(&(result.file.as_str(), id)).copied() else { return Some(Vec::new()) };
    if !result.passed() && (stands_in(result) || broken.holds(&game.catalog, place, result)) {
        return None;
    }
    let at_part = |code, part, message: String| places.at_part(place, code, part, message);
    if !result.failures.is_empty() {
        let of = |failure| (of_failure(game, places, place, failure), Some(failure));
        return Some(result.failures.iter().map(of).collect());
    }
    let finding = match result.snapshot {
        Verdict::Same | Verdict::Accepted => {
            let Some(decision) = &result.waits_for else { return Some(Vec::new()) };
            let message = format!("scenario `{id}` ends while the decision `{decision}` is open");
            at_part(Code::UnfinishedScenario, Some(ScenarioPart::Run), message)
                .help("answer it in `when`, or say in `then` what must be true, such as `pending`")
        }
        Verdict::New => {
            let store = "store what it does now with `principes test --accept`";
            let (message, help) = match renamed.section(result) {
                None => (format!("scenario `{id}` has no snapshot"), store.to_owned()),
                Some(section) => (
                    format!(
                        "scenario `{id}` has no snapshot, but its section may be `{section}`, which has no scenario"
                    ),
                    format!("give one of them the name of the other; or remove the section, and {store}"),
                ),
            };
            at_part(Code::NewScenario, None, message).help(help)
        }
        Verdict::Changed | Verdict::Unwritable(_) => {
            let message = format!("scenario `{id}` does not match its snapshot");
            at_part(Code::ChangedScenario, None, message).help("`principes test --review` shows what changed")
        }
    };
    Some(vec![(finding, None)])
}

/// Whether the script that failed is a stub for a missing one.
fn stands_in(result: &ScenarioResult) -> bool {
    let file = |failure: &Failure| failure.script.as_ref().and_then(|error| error.file.as_deref()) == Some(MISSING);
    result.failures.iter().any(file)
}

fn of_failure(game: &Loaded, places: &ScenarioPlaces<'_>, place: &LoadedScenario, failure: &Failure) -> Finding {
    if let Some(overstep) = &failure.overstep {
        let here = places.at_part(place, Code::Overstep, None, "");
        let label = here.source.map(|source| Label {
            file: here.file,
            span: here.span,
            message: "in this scenario".to_owned(),
            source,
        });
        return label.into_iter().fold(of_overstep(game, overstep), Finding::label);
    }
    let message = format!("scenario `{}`, {}: {}", failure.scenario, failure.part, failure.message);
    let finding = places.at_part(place, Code::FailedScenario, Some(failure.part), message);
    let Some((error, line)) = failure.script.as_ref().and_then(|error| Some((error, game.failed_line(error)?))) else {
        return finding;
    };
    if matches!(failure.part, ScenarioPart::Then(_)) {
        return finding.label(line);
    }
    let at_script = Finding::new(finding.code, line.file, finding.message).at(&line.source, line.span);
    let at_script = game.callers(error).into_iter().fold(at_script, Finding::label);
    let step =
        |source| Label { file: finding.file, span: finding.span, message: "in this scenario".to_owned(), source };
    finding.source.map(step).into_iter().fold(at_script, Finding::label)
}

/// The finding about a hook that exceeds the `may` of its card or rule.
pub fn of_overstep(game: &Loaded, overstep: &Overstep) -> Finding {
    let is_it = |entity: &&EntityInfo| entity.family.key() == overstep.family && entity.id == overstep.id;
    let help = format!("add \"{}\" to `may` if the card text allows it; otherwise change the script", overstep.missing);
    let finding = match game.entities.iter().find(is_it) {
        Some(EntityInfo { place, .. }) => {
            let pointer = format!("{}/may", place.pointer);
            let documents = &game.origins.documents;
            documents.finding(place.document, &pointer, MemberPart::Key, Code::Overstep, overstep.message.as_str())
        }
        // Only entities of these packs have declarations.
        None => Finding::new(Code::Overstep, overstep.id.as_str(), overstep.message.as_str()),
    };
    finding.help(help)
}

/// Findings about hooks that no scenario reached. If a scenario failed, there are none, because it might have reached
/// them.
pub fn unreached(game: &Loaded, broken: &BrokenParts, report: &ScenarioReport) -> Vec<Finding> {
    if !broken.spares_all()
        || report.stopped.is_some()
        || report.results.iter().any(|result| !result.failures.is_empty())
    {
        return Vec::new();
    }
    let at_hook = |hook: HookId| {
        let place = game.origins.hooks.get(hook.index())?.as_ref()?;
        let message = format!("no scenario reaches {}", hook_name(&game.catalog, hook));
        let fresh =
            Finding::new(Code::UnreachedHook, &place.file, message).help("add a scenario; see docs/scenarios.md");
        let Finding { code, severity, message, help, .. } = fresh;
        Some(Finding { code, severity, message, help, ..place.clone() })
    };
    report.unreached().filter_map(at_hook).collect()
}

/// Findings about stored snapshots that belong to no scenario, except those that other findings name.
pub fn orphans(game: &Loaded, renamed: &Renamed) -> Vec<Finding> {
    let orphans = files::orphans(game, pack_under_test(game)).into_iter().chain(texts::orphans(game));
    let finding = |orphan: Orphan| {
        let (message, help) = match orphan.section {
            Some(id) => (
                format!("the section `{id}` belongs to no scenario"),
                format!("give `{id}` the id of its scenario, or remove the section"),
            ),
            None => (
                "there are no scenarios beside these snapshots".to_owned(),
                "delete the file, or name it after the file of its scenarios".to_owned(),
            ),
        };
        Finding::new(Code::OrphanSnapshot, orphan.file, message)
            .help(help)
            .rests_on(orphan.of.into_iter().map(Subject::file))
    };
    orphans.filter(|orphan| !renamed.is_stored_as(orphan)).map(finding).collect()
}

impl ScenarioPlaces<'_> {
    /// A finding about a part of a scenario, at the most telling field of the part.
    fn at_part(
        &self,
        place: &LoadedScenario,
        code: Code,
        part: Option<ScenarioPart>,
        message: impl Into<String>,
    ) -> Finding {
        const SAYS: [&str; 15] = [
            "is", "choose", "aside", "call", "undo", "set", "pending", "offered", "refused", "logged", "outcome",
            "error", "in", "at", "to",
        ];
        let here = &place.pointer;
        let mut pointer = match part {
            None | Some(ScenarioPart::Start | ScenarioPart::Whole) => format!("{here}/id"),
            Some(ScenarioPart::Given(at)) => format!("{here}/given/{at}"),
            Some(ScenarioPart::Run) => format!("{here}/run"),
            Some(ScenarioPart::When(at)) => format!("{here}/when/{at}"),
            Some(ScenarioPart::Then(at)) => format!("{here}/then/{at}"),
            Some(ScenarioPart::Dice) => format!("{here}/dice"),
        };
        let Some(document) = self.document(place) else {
            // The pack was loaded, so the file can be read.
            return Finding::new(code, &place.file, message);
        };
        for inner in ["expect", "edit"] {
            let nested = format!("{pointer}/{inner}");
            if document.value.pointer(&nested).is_some() {
                pointer = nested;
            }
        }
        let says = SAYS.iter().map(|key| format!("{pointer}/{key}")).find(|at| document.value.pointer(at).is_some());
        document.finding(code, &says.unwrap_or(pointer), MemberPart::Value, message)
    }
}
