//! What runs of scenarios say about a pack.
//!
//! `errors` holds earlier findings about a game that is only tried out as it was probably meant: nothing that can be a
//! consequence of them is reported. A game that can be played has none.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use principes_core::HookId;
use principes_core::scripts::ScriptError;
use principes_findings::budget;
use principes_findings::{Code, Finding, Label};
use principes_json::{Document, MemberPart, parse};
use principes_model::{EntityInfo, Loaded, LoadedScenario, MISSING};

use crate::files::{self, Orphan, pack_under_test};
use crate::hooks::hook_name;
use crate::may::Overstep;
use crate::outcome::{Failure, Outcome, Report, ScenarioPart};
use crate::snapshot::Verdict;
use crate::texts;

/// A script's failure from any source: file, line, message and hook.
type Cause<'e> = (&'e str, Option<u32>, &'e str, Option<HookId>);

/// The failures. A script line that fails the same way in several scenarios is reported once.
pub fn of_report(game: &Loaded, errors: &[Finding], report: &Report) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let places = Places::new(game, errors);
    // Where each failure of a script was first told, and in how many scenarios beside that one it happens.
    let mut by_cause: BTreeMap<Cause<'_>, (usize, usize)> = BTreeMap::new();
    for outcome in &report.outcomes {
        if budget::is_full(&findings) {
            break;
        }
        for (finding, failure) in of_outcome_with_causes(game, &places, errors, outcome) {
            let cause = failure.and_then(|failure| cause(game, failure.script.as_ref()?));
            if let Some(cause) = cause {
                let first = by_cause.entry(cause).or_insert((findings.len(), 0));
                if first.0 < findings.len() {
                    first.1 += 1;
                    continue;
                }
            }
            findings.push(finding);
        }
    }
    for (at, others) in by_cause.into_values().filter(|(_, others)| *others > 0) {
        findings[at].help = Some(match others {
            1 => "one other scenario fails here".to_owned(),
            others => format!("{others} other scenarios fail here"),
        });
    }
    findings.extend(report.stopped.clone());
    findings
}

/// The scenarios of a game by file and id, and the texts they are in.
struct Places<'g> {
    scenarios: BTreeMap<(&'g str, &'g str), &'g LoadedScenario>,
    /// Files with errors, and where.
    errors: BTreeSet<(&'g str, &'g str)>,
    documents: RefCell<BTreeMap<String, Option<Rc<Document>>>>,
}

impl<'g> Places<'g> {
    fn new(game: &'g Loaded, errors: &'g [Finding]) -> Self {
        let scenarios = game.scenarios.iter().rev().map(|it| ((it.file.as_str(), it.scenario.id.as_str()), it));
        let errors = errors.iter().filter(|error| error.is_error());
        Places {
            scenarios: scenarios.collect(),
            errors: errors.map(|error| (error.file.as_str(), error.pointer.as_str())).collect(),
            documents: RefCell::default(),
        }
    }

    /// Whether there is an error inside a scenario.
    fn is_faulty(&self, place: &LoadedScenario) -> bool {
        let inside = format!("{}/", place.pointer);
        let from = (place.file.as_str(), inside.as_str());
        self.errors.range(from..).next().is_some_and(|(file, at)| *file == place.file && at.starts_with(&inside))
    }

    /// The file that a scenario is in; nothing if it cannot be read.
    fn document(&self, place: &LoadedScenario) -> Option<Rc<Document>> {
        let mut known = self.documents.borrow_mut();
        let read = || parse(0, &place.path, &place.file, place.text.as_bytes(), &mut Vec::new()).ok().map(Rc::new);
        known.entry(place.file.clone()).or_insert_with(read).clone()
    }
}

/// What did not go as it should in one scenario.
pub fn of_outcome(game: &Loaded, errors: &[Finding], outcome: &Outcome) -> Vec<Finding> {
    of_outcome_with_causes(game, &Places::new(game, errors), errors, outcome)
        .into_iter()
        .map(|(finding, _)| finding)
        .collect()
}

fn cause<'e>(game: &Loaded, error: &'e ScriptError) -> Option<Cause<'e>> {
    let file = error.file.as_deref().filter(|file| game.origins.texts.contains_key(*file))?;
    Some((file, error.line, error.message.as_str(), error.hook))
}

fn of_outcome_with_causes<'o>(
    game: &Loaded,
    places: &Places<'_>,
    errors: &[Finding],
    outcome: &'o Outcome,
) -> Vec<(Finding, Option<&'o Failure>)> {
    let id = outcome.id.as_str();
    if outcome.failures.iter().any(|failure| is_stand_in(errors, failure)) {
        return Vec::new();
    }
    let tells_another_story = outcome.failures.is_empty() && outcome.snapshot == Verdict::Changed;
    if tells_another_story && !errors.is_empty() {
        return Vec::new();
    }
    let Some(place) = places.scenarios.get(&(outcome.file.as_str(), id)).copied() else { return Vec::new() };
    if places.is_faulty(place) {
        return Vec::new();
    }
    let at_part = |code, part, message: String| places.at_part(place, code, part, message);
    if !outcome.failures.is_empty() {
        let of = |failure| (of_failure(game, places, place, failure), Some(failure));
        return outcome.failures.iter().map(of).collect();
    }
    let finding = match outcome.snapshot {
        Verdict::Same | Verdict::Accepted => return Vec::new(),
        Verdict::New => {
            let message = format!("scenario `{id}` has no snapshot");
            at_part(Code::NewScenario, None, message).help("store what it does now with `principes test --accept`")
        }
        Verdict::Changed | Verdict::Unwritable(_) => {
            let message = format!("scenario `{id}` does not match its snapshot");
            at_part(Code::ChangedScenario, None, message).help("`principes test --review` shows what changed")
        }
    };
    vec![(finding, None)]
}

/// Whether the script that failed only replaces one with errors.
fn is_stand_in(errors: &[Finding], failure: &Failure) -> bool {
    let file = failure.script.as_ref().and_then(|error| error.file.as_deref());
    file.is_some_and(|file| file == MISSING || errors.iter().any(|error| error.is_error() && error.file == file))
}

fn of_failure(game: &Loaded, places: &Places<'_>, place: &LoadedScenario, failure: &Failure) -> Finding {
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

/// A hook that went beyond what its card or rule declares, at the declaration.
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

/// The hooks that no scenario reached. If a scenario fails, there are none: it might have reached them.
pub fn unreached(game: &Loaded, errors: &[Finding], report: &Report) -> Vec<Finding> {
    if !errors.is_empty()
        || report.stopped.is_some()
        || report.outcomes.iter().any(|outcome| !outcome.failures.is_empty())
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

/// What is wrong with the stored texts of the pack under test.
pub fn of_texts(game: &Loaded, errors: &[Finding]) -> Vec<Finding> {
    if errors.is_empty() { crate::texts::findings(game) } else { Vec::new() }
}

/// The stored snapshots that belong to no scenario.
pub fn orphans(game: &Loaded) -> Vec<Finding> {
    let orphans = files::orphans(game, pack_under_test(game)).into_iter().chain(texts::orphans(game));
    let finding = |orphan: Orphan| match orphan.section {
        Some(id) => {
            Finding::new(Code::OrphanSnapshot, orphan.file, format!("the section `{id}` belongs to no scenario"))
                .help(format!("rename `{id}` as its scenario, or take the section away"))
        }
        None => Finding::new(Code::OrphanSnapshot, orphan.file, "there are no scenarios beside these snapshots")
            .help("delete the file, or rename it as the file of its scenarios"),
    };
    orphans.map(finding).collect()
}

impl Places<'_> {
    /// A finding about a part of a scenario, at what the part says, is or does.
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
            // Its pack was loaded, so it can be read.
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
