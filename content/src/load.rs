//! Loading: from pack sources to a catalog with scripts and messages, or to findings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use principes_core::Catalog;
use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_schemas::{self as schemas, Family};
use principes_scripting::{LuaHost, ScriptSource};

use crate::cache::Cache;
use crate::checks;
use crate::compile::compile;
use crate::diagnostic::{self, Diagnostic, Label, Span, Suggestion};
use crate::digest::Digest;
use crate::document::{self, Documents, Part, escape};
use crate::lua::{self, Spoken};
use crate::may::Overstep;
use crate::merge::{self, Merged, Sourced};
use crate::messages::Messages;
use crate::packs;
use crate::patches::{History, overlap};
use crate::recover;
use crate::scenario;
use crate::source::PackSource;

/// How far packs are checked. Each stage includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Files can be read and are JSON.
    Syntax,
    /// Files fit their schemas.
    Schema,
    /// References lead somewhere, numbers fit together, messages are there; the packs compile.
    Links,
    /// Scripts fit the API and the content, compile, and have every hook's function.
    #[default]
    Scripts,
}

/// How packs are loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Which game, where several are loaded.
    pub game: Option<String>,
    /// Folders in which required packs are looked for, beside the folders of the given packs.
    pub search: Vec<PathBuf>,
    /// How far to go. Nothing is compiled before [`Stage::Links`].
    pub until: Stage,
    /// Whether files under `scenarios/` are read; who only plays needs none.
    pub scenarios: bool,
    /// What is known of files already. Clones share it.
    pub cache: Arc<Cache>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            game: None,
            search: packs::search_path(None),
            until: Stage::Scripts,
            scenarios: true,
            cache: Arc::default(),
        }
    }
}

/// One script module.
pub type Script = ScriptSource;

/// A pack that takes part.
#[derive(Clone, Debug)]
pub struct PackInfo {
    /// What its manifest says.
    pub manifest: schemas::Pack,
    /// The manifest's file as users name it.
    pub file: String,
    /// Its folder, where it has one.
    pub folder: Option<PathBuf>,
    /// Where its files are.
    pub source: Arc<dyn PackSource>,
    /// Why it stands where it does among the packs.
    pub reason: packs::Reason,
}

/// An entity as the packs say it, for displays and comparisons.
#[derive(Clone, Debug)]
pub struct EntityInfo {
    /// Its family.
    pub family: Family,
    /// Its id.
    pub id: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Packs that declared and changed it, in load order.
    pub packs: Vec<String>,
    /// What the files say, patches applied; null if a patch removed it.
    pub json: Arc<serde_json::Value>,
    /// Where it is declared.
    pub place: merge::Place,
    /// What patches did to it.
    pub history: Option<History>,
}

/// A pack that declared an entity, or changed a field of it.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The pack.
    pub pack: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Pointer to what was written, inside the entity; empty for the whole of it.
    pub path: String,
    /// What was written; nothing if it was taken away.
    pub value: Option<serde_json::Value>,
}

/// A scenario with its place.
#[derive(Clone, Debug)]
pub struct LoadedScenario {
    /// What the file says.
    pub scenario: Arc<schemas::Scenario>,
    /// Id of its pack.
    pub pack: String,
    /// Path of its file inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Text of the file.
    text: Arc<str>,
    /// Pointer to it in the file.
    pointer: String,
}

impl LoadedScenario {
    /// A finding about a part of it, at what the part says, is or does.
    pub fn finding(&self, code: &'static str, part: Option<scenario::Part>, message: impl Into<String>) -> Diagnostic {
        const SAYS: [&str; 15] = [
            "is", "choose", "aside", "call", "undo", "set", "pending", "offered", "refused", "logged", "outcome",
            "error", "in", "at", "to",
        ];
        let mut pointer = match part {
            None | Some(scenario::Part::Start | scenario::Part::Whole) => format!("{}/id", self.pointer),
            Some(scenario::Part::Given(at)) => format!("{}/given/{at}", self.pointer),
            Some(scenario::Part::Run) => format!("{}/run", self.pointer),
            Some(scenario::Part::When(at)) => format!("{}/when/{at}", self.pointer),
            Some(scenario::Part::Then(at)) => format!("{}/then/{at}", self.pointer),
            Some(scenario::Part::Dice) => format!("{}/dice", self.pointer),
        };
        let Ok(document) = document::parse(0, &self.path, &self.file, self.text.as_bytes(), &mut Vec::new()) else {
            // Its pack was loaded, so it can be read.
            return Diagnostic::new(code, &self.file, message);
        };
        for inner in ["expect", "edit"] {
            let nested = format!("{pointer}/{inner}");
            if document.value.pointer(&nested).is_some() {
                pointer = nested;
            }
        }
        let said = SAYS.iter().map(|key| format!("{pointer}/{key}")).find(|at| document.value.pointer(at).is_some());
        document.finding(code, &said.unwrap_or(pointer), Part::Value, message)
    }
}

/// Packs that can be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the kernel needs.
    pub catalog: Arc<Catalog>,
    /// Script modules, by name.
    pub scripts: Vec<ScriptSource>,
    /// Messages of all languages.
    pub messages: Arc<Messages>,
    /// Scenarios of all packs.
    pub scenarios: Vec<LoadedScenario>,
    /// What the packs declare of properties.
    pub props: Vec<Arc<schemas::Prop>>,
    /// The game's manifest.
    pub manifest: schemas::Pack,
    /// All packs in load order.
    pub packs: Vec<PackInfo>,
    /// All entities.
    pub entities: Vec<EntityInfo>,
    /// Entities that patches removed.
    pub removed: Vec<EntityInfo>,
    /// Digest of all files that decide what happens.
    pub fingerprint: String,
    /// What is not wrong but probably not meant so; in a game as it was probably meant everything that was found.
    pub warnings: Vec<Diagnostic>,
    /// Texts of scripts, by file as users name it.
    files: BTreeMap<String, Arc<str>>,
    /// What the scripts speak of, by file as users name it.
    spoken: BTreeMap<String, Arc<Spoken>>,
    /// The files of all packs.
    documents: Arc<Documents>,
    /// Where each hook stands in the content.
    hook_places: Vec<Option<Diagnostic>>,
    /// Whether the packs have errors, and this is what they were probably meant to be.
    is_mended: bool,
}

impl Loaded {
    /// The JSON files of all packs but their manifests.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &document::Document> {
        self.documents.0.iter()
    }

    /// What a script of the packs speaks of.
    pub(crate) fn spoken(&self, script: &ScriptSource) -> Arc<Spoken> {
        // Another text may stand in the place of a faulty one.
        let is_it = self.files.get(&script.path).is_some_and(|text| **text == *script.text);
        let known = self.spoken.get(&script.path).filter(|_| is_it);
        known.map_or_else(|| Arc::new(lua::spoken(&script.text)), Arc::clone)
    }

    /// A script host for these packs, or what keeps their scripts from being loaded.
    pub fn host(&self) -> Result<LuaHost, Vec<Diagnostic>> {
        self.host_of(Arc::clone(&self.catalog))
    }

    /// A script host that works with a copy of the catalog.
    pub fn host_of(&self, catalog: Arc<Catalog>) -> Result<LuaHost, Vec<Diagnostic>> {
        self.host_made(catalog, LuaHost::new)
    }

    /// A script host of another make.
    pub fn host_made(&self, catalog: Arc<Catalog>, make: scenario::MakeHost) -> Result<LuaHost, Vec<Diagnostic>> {
        make(catalog, &self.scripts).map_err(|errors| errors.iter().map(|error| self.script_finding(error)).collect())
    }

    /// Without what only those need who look into the packs: their files, entities and scenarios, and what was found. What
    /// is left is enough to play.
    pub fn only_to_play(self) -> Self {
        Loaded {
            scenarios: Vec::new(),
            entities: Vec::new(),
            removed: Vec::new(),
            warnings: Vec::new(),
            spoken: BTreeMap::new(),
            documents: Arc::default(),
            ..self
        }
    }

    /// Who wrote a field of an entity, in load order: its pack first, then every patch that touched the field,
    /// something inside it or something around it. `path` is a pointer inside the entity; empty for the whole of it.
    pub fn writers(&self, entity: &EntityInfo, path: &str) -> Vec<Writer> {
        let writer = |document: usize, pointer: &str, path: &str, value: Option<&serde_json::Value>| {
            let home = self.documents.0.get(document)?;
            Some(Writer {
                pack: self.packs.get(home.pack)?.manifest.id.to_string(),
                file: home.file.clone(),
                line: home.line(pointer),
                path: path.to_owned(),
                value: value.cloned(),
            })
        };
        let declared = entity.history.as_ref().map_or(&*entity.json, |history| &history.base).pointer(path);
        let base = declared.and_then(|value| {
            writer(entity.place.document, &format!("{}{path}", entity.place.pointer), path, Some(value))
        });
        let writes = entity.history.iter().flat_map(|history| &history.writes);
        let patches = writes.filter(|write| overlap(&write.path, path)).filter_map(|write| {
            // Of a whole entity only the field in question is of interest.
            let inner = path.strip_prefix(write.path.as_str());
            let (path, value) = match inner {
                Some(inner) => (path, write.value.as_ref().and_then(|value| value.pointer(inner))),
                None => (write.path.as_str(), write.value.as_ref()),
            };
            writer(write.place.document, &write.place.pointer, path, value)
        });
        base.into_iter().chain(patches).collect()
    }

    /// A script's failure as a finding: at its line where it has one, else at the hook that names it.
    pub fn script_finding(&self, error: &ScriptError) -> Diagnostic {
        let code = match error.kind {
            ScriptErrorKind::Runtime if error.line.is_some() => "P0304",
            ScriptErrorKind::Runtime => "P0302",
            ScriptErrorKind::Steps | ScriptErrorKind::Memory => "P0308",
            ScriptErrorKind::Impure | ScriptErrorKind::Flow => "P0309",
        };
        let hook = error.hook.and_then(|hook| self.hook_places.get(hook.index())?.as_ref());
        let script = error.file.as_ref().and_then(|file| Some((file, self.files.get(file)?)));
        match (script, error.line, hook) {
            (Some((file, text)), Some(line), _) => {
                Diagnostic::new(code, file, error.message.as_str()).at(text, Span::of_line(text, line as usize))
            }
            (script, _, Some(place)) => {
                let fresh = Diagnostic::new(code, &place.file, error.message.as_str());
                let finding = Diagnostic { code, severity: fresh.severity, message: fresh.message, ..place.clone() };
                match script.filter(|_| code == "P0302") {
                    Some((file, text)) => missing_function(finding, file, text),
                    None => finding,
                }
            }
            (Some((file, text)), ..) => {
                Diagnostic::new(code, file, error.message.as_str()).at(text, Span::of_line(text, 1))
            }
            _ => {
                // Where no hook ran, the flow itself failed.
                let flow = self.hook_places.iter().flatten().find(|place| place.pointer.starts_with("/phases"));
                let file = error.file.as_deref().or(flow.map(|place| place.file.as_str()));
                let pack = self.packs.last().map_or("pack.json", |pack| pack.file.as_str());
                Diagnostic::new(code, file.unwrap_or(pack), error.message.as_str())
            }
        }
    }
}

/// A finding about a function that a module lacks: where the module says what it has, and what was probably meant.
fn missing_function(finding: Diagnostic, file: &str, text: &Arc<str>) -> Diagnostic {
    let old = finding.source.as_deref().and_then(|source| source.get(finding.span.bytes.clone())).unwrap_or_default();
    let old = old.trim_matches('"').to_owned();
    let near = finding.message.split_once("; did you mean `").and_then(|(message, near)| {
        let near = near.split('`').next()?;
        let module = old.rsplit_once('.')?.0;
        let text = format!("{module}.{near}");
        Some((message.to_owned(), Suggestion { name: near.to_owned(), text, only: true }))
    });
    let last =
        text.lines().count() - text.lines().rev().take_while(|line| !line.trim_start().starts_with("return")).count();
    let label = Label {
        file: file.to_owned(),
        span: Span::of_line(text, last.max(1)),
        message: "it is not in what the module returns".to_owned(),
        source: Arc::clone(text),
    };
    match near {
        Some((message, near)) => Diagnostic { message, ..finding }.suggest(Some(near)),
        None => finding,
    }
    .label(label)
}

/// What a script says in whose place it stands because the script has faults of its own.
const LEFT_OUT: &str = "this script has faults of its own";
/// What stands at the line of a script that failed in a scenario.
const FAILED_HERE: &str = "the script failed here";
/// The module of functions that are missing.
const MISSING: &str = "%missing";

impl Loaded {
    /// Puts scripts that only fail in the place of those in faulty files, and of functions that are missing.
    fn leave_out_scripts(&mut self, faulty: &BTreeSet<&str>, faults: &[Diagnostic]) {
        self.is_mended = true;
        let mut functions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let missing = |place: &Option<Diagnostic>| {
            place.as_ref().is_some_and(|place| {
                faults
                    .iter()
                    .any(|fault| fault.code == "P0302" && (&fault.file, &fault.span) == (&place.file, &place.span))
            })
        };
        let mut catalog = Catalog::clone(&self.catalog);
        for (hook, place) in catalog.hooks.iter_mut().zip(&self.hook_places) {
            if missing(place) {
                hook.module = MISSING.to_owned();
                hook.function = "missing".to_owned();
            }
            functions.entry(hook.module.clone()).or_default().insert(hook.function.clone());
        }
        for called in self.scenarios.iter().flat_map(|file| scenario::called_functions(&file.scenario)) {
            if let Some((module, function)) = called.rsplit_once('.') {
                functions.entry(module.to_owned()).or_default().insert(function.to_owned());
            }
        }
        for script in self.scripts.iter_mut().filter(|script| faulty.contains(script.path.as_str())) {
            // Other scripts may call what it declares.
            let mut names = functions.remove(&script.module).unwrap_or_default();
            let declared =
                script.text.lines().filter_map(|line| line.trim().strip_prefix("function ")?.split_once('.'));
            names.extend(declared.map(|(_, rest)| rest.split('(').next().unwrap_or_default().trim().to_owned()));
            *script = script.clone().with_text(failing_module(&names));
        }
        let names = functions.remove(MISSING).unwrap_or_default();
        let text = failing_module(&names);
        self.scripts.push(ScriptSource::new(MISSING, MISSING, text));
        self.catalog = Arc::new(catalog);
    }
}

fn failing_module(functions: &BTreeSet<String>) -> String {
    let name = |name: &&String| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.is_empty();
    let functions: String =
        functions.iter().filter(name).map(|name| format!("function M.{name}() error(\"{LEFT_OUT}\") end\n")).collect();
    format!("local M = {{}}\n{functions}return M\n")
}

impl Loaded {
    /// What did not go as it should in scenarios. A line of a script that fails alike in several of them is told once.
    pub fn report_findings(&self, report: &scenario::Report) -> Vec<Diagnostic> {
        let mut findings: Vec<Diagnostic> = Vec::new();
        // Where each failure of a script was first told, and in how many scenarios beside that one it happens.
        let mut told: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
        for finding in report.outcomes.iter().flat_map(|outcome| self.scenario_findings(outcome)) {
            let label = finding.labels.iter().find(|label| label.message == FAILED_HERE);
            let why = label.and_then(|label| finding.message.split_once(&format!("{}:", label.file)));
            if let Some((label, (_, why))) = label.zip(why) {
                let first = told.entry((label.file.clone(), why.to_owned())).or_insert((findings.len(), 0));
                if first.0 < findings.len() {
                    first.1 += 1;
                    continue;
                }
            }
            findings.push(finding);
        }
        for (at, others) in told.into_values().filter(|(_, others)| *others > 0) {
            findings[at].help = Some(match others {
                1 => "another scenario fails there as well".to_owned(),
                others => format!("{others} other scenarios fail there as well"),
            });
        }
        findings
    }

    /// What did not go as it should in a scenario. In a game with errors only what cannot be their consequence.
    pub fn scenario_findings(&self, outcome: &scenario::Outcome) -> Vec<Diagnostic> {
        let id = outcome.id.as_str();
        let left_out = |failure: &scenario::Failure| failure.message.contains(LEFT_OUT);
        let tells_another_story = matches!(outcome.snapshot, scenario::Verdict::Changed);
        if outcome.failures.iter().any(left_out)
            || (self.is_mended && outcome.failures.is_empty() && tells_another_story)
        {
            return Vec::new();
        }
        let is_it = |s: &&LoadedScenario| s.file == outcome.file && s.scenario.id.as_str() == id;
        let Some(place) = self.scenarios.iter().find(is_it) else { return Vec::new() };
        let inside = format!("{}/", place.pointer);
        let is_faulty = |f: &Diagnostic| f.is_error() && f.file == place.file && f.pointer.starts_with(&inside);
        if self.is_mended && self.warnings.iter().any(is_faulty) {
            return Vec::new();
        }
        if !outcome.failures.is_empty() {
            let failures = outcome.failures.iter().map(|failure| {
                if let Some(overstep) = &failure.overstep {
                    let here = place.finding("P0705", None, "");
                    let label = here.source.map(|source| Label {
                        file: here.file,
                        span: here.span,
                        message: "in this scenario".to_owned(),
                        source,
                    });
                    let finding = self.overstep_finding(overstep);
                    return label.into_iter().fold(finding, Diagnostic::label);
                }
                let message = format!("scenario `{id}`, {}: {}", failure.part, failure.message);
                let finding = place.finding("P0701", Some(failure.part), message);
                match self.script_label(&failure.message) {
                    Some(label) => finding.label(label),
                    None => finding,
                }
            });
            return failures.collect();
        }
        match outcome.snapshot {
            scenario::Verdict::Same | scenario::Verdict::Accepted => Vec::new(),
            scenario::Verdict::New => {
                let message = format!("scenario `{id}` has no stored snapshot");
                let help = "`principes test --accept` stores what it does now";
                vec![place.finding("P0703", None, message).help(help)]
            }
            scenario::Verdict::Changed | scenario::Verdict::Unwritable(_) => {
                let message = format!("scenario `{id}` does something else than its stored snapshot says");
                let help = "`principes test --review` shows what changed";
                vec![place.finding("P0702", None, message).help(help)]
            }
        }
    }

    /// A hook that went beyond what its card or rule declares, at the declaration.
    pub fn overstep_finding(&self, overstep: &Overstep) -> Diagnostic {
        let is_it = |entity: &&EntityInfo| entity.family.key() == overstep.family && entity.id == overstep.id;
        let help = format!("add \"{}\" to `may` if the text says so; else the script does too much", overstep.missing);
        let finding = match self.entities.iter().find(is_it) {
            Some(EntityInfo { place, .. }) => {
                let pointer = format!("{}/may", place.pointer);
                self.documents.finding(place.document, &pointer, Part::Key, "P0705", overstep.message.as_str())
            }
            // Only entities of these packs have declarations.
            None => Diagnostic::new("P0705", overstep.id.as_str(), overstep.message.as_str()),
        };
        finding.help(help)
    }

    /// The hooks that no scenario reached. Where a scenario fails this says nothing: it may have been on its way there.
    pub fn unreached_findings(&self, report: &scenario::Report) -> Vec<Diagnostic> {
        if self.is_mended || report.outcomes.iter().any(|outcome| !outcome.failures.is_empty()) {
            return Vec::new();
        }
        let place = |hook: principes_core::HookId| {
            let place = self.hook_places.get(hook.index())?.as_ref()?;
            let message = format!("no scenario reaches {}", scenario::hook_name(&self.catalog, hook));
            let fresh = Diagnostic::new("P0704", &place.file, message).help("write one: docs/scenarios.md says how");
            let Diagnostic { code, severity, message, help, .. } = fresh;
            Some(Diagnostic { code, severity, message, help, ..place.clone() })
        };
        report.unreached().filter_map(place).collect()
    }

    /// The line of a script that a message names.
    fn script_label(&self, message: &str) -> Option<Label> {
        self.files.iter().find_map(|(file, text)| {
            let rest = message.split_once(&format!("{file}:"))?.1;
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let line = rest[..digits].parse().ok()?;
            Some(Label {
                file: file.clone(),
                span: Span::of_line(text, line),
                message: FAILED_HERE.to_owned(),
                source: Arc::clone(text),
            })
        })
    }
}

/// What a check has looked at.
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
    pub findings: Vec<Diagnostic>,
    /// What can be played, where there is no error and the stage was [`Stage::Links`].
    pub loaded: Option<Loaded>,
    /// How much was looked at.
    pub counts: Counts,
    /// All packs in load order, also where there are errors.
    pub packs: Vec<PackInfo>,
    /// Where there are errors: the game as it was probably meant, to look for more. Its faulty scripts fail when
    /// called.
    pub meant: Option<Loaded>,
}

/// Checks packs and, where nothing is wrong, loads them. All findings are reported, not only the first.
pub fn check(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Checked {
    let mut findings = Vec::new();
    let packs = packs::resolve(given, &options.search, options.game.as_deref(), &mut findings);
    if packs.is_empty() {
        diagnostic::sort(&mut findings);
        return Checked { findings, ..Checked::default() };
    }
    let infos = infos(&packs);
    let mut merged = merge::merge(packs, options, &mut findings);
    let (entities, removed) = entities(&merged);
    let mut checked = Checked { counts: counts(&merged, &entities), packs: infos, ..Checked::default() };
    let mut made = Err(entities);
    if options.until >= Stage::Scripts {
        let (scripts, ahead) = lua::check(&merged, &options.cache, || {
            checks::run(&merged, &mut findings);
            let sound = merged.broken.spares_the_game() && !findings.iter().any(Diagnostic::is_error);
            made.or_else(|entities| if sound { Ok(Made::of(&merged, entities, options)) } else { Err(entities) })
        });
        findings.extend(scripts);
        made = ahead;
    } else if options.until == Stage::Links {
        checks::run(&merged, &mut findings);
    }
    if options.until >= Stage::Links && merged.broken.spares_the_game() {
        play(&mut merged, made, options, &mut checked, &mut findings);
    }
    diagnostic::sort(&mut findings);
    if let Some(loaded) = checked.loaded.as_mut().or(checked.meant.as_mut()) {
        loaded.warnings = findings.clone();
        loaded.removed = removed;
        loaded.documents = Arc::new(merged.documents);
    }
    checked.findings = findings;
    checked
}

/// A game and what keeps its scripts from being loaded, or what keeps the game from being put together.
struct Made(Result<Box<(Loaded, Vec<Diagnostic>)>, Vec<Diagnostic>>);

impl Made {
    /// Compiles the packs and loads their scripts.
    fn of(merged: &Merged, entities: Vec<EntityInfo>, options: &LoadOptions) -> Made {
        let mut findings = Vec::new();
        let Some(loaded) = loaded(merged, entities, &mut findings) else { return Made(Err(findings)) };
        let faults = match options.until >= Stage::Scripts {
            true => options
                .cache
                .faults_of_scripts(what_hosts_are_made_of(&loaded), || loaded.host().err().unwrap_or_default()),
            false => Vec::new(),
        };
        Made(Ok(Box::new((loaded, faults))))
    }
}

/// Makes the game of its entities, where need be as it was probably meant, if it is not made already.
fn play(
    merged: &mut Merged,
    made: Result<Made, Vec<EntityInfo>>,
    options: &LoadOptions,
    checked: &mut Checked,
    findings: &mut Vec<Diagnostic>,
) {
    let sound = !findings.iter().any(Diagnostic::is_error);
    let playable = sound || findings.iter().all(|finding| !finding.is_error() || recover::is_mended(finding));
    // More than ids can count must not even be compiled.
    if findings.iter().any(|finding| finding.code == "P0412") || (!playable && options.until < Stage::Scripts) {
        return;
    }
    let made = made.unwrap_or_else(|entities| {
        recover::borders(merged);
        Made::of(merged, entities, options)
    });
    let (mut loaded, faults) = match made.0 {
        Ok(made) => *made,
        Err(compiled) => {
            if sound {
                findings.extend(compiled);
            }
            return;
        }
    };
    checked.counts.hooks = loaded.catalog.hooks.len();
    not_of_endless_modules(&loaded, &faults, findings);
    if sound && faults.is_empty() {
        checked.loaded = Some(loaded);
        return;
    }
    // What has been found without running the scripts is not told twice.
    let told = |fault: &Diagnostic| {
        findings.iter().any(|finding| {
            let known = finding.code == "P0304" || finding.span.line == fault.span.line;
            finding.is_error() && finding.file == fault.file && known
        })
    };
    let new: Vec<Diagnostic> = faults.iter().filter(|fault| !told(fault)).cloned().collect();
    findings.extend(new);
    if playable && options.until >= Stage::Scripts {
        let faulty: BTreeSet<&str> =
            findings.iter().filter(|finding| finding.is_error()).map(|finding| finding.file.as_str()).collect();
        loaded.leave_out_scripts(&faulty, &faults);
        // Those that call what is not there cannot be played.
        let is_faulty = |scenario: &LoadedScenario| {
            let inside = format!("{}/", scenario.pointer);
            let is_inside = |fault: &Diagnostic| fault.file == scenario.file && fault.pointer.starts_with(&inside);
            findings.iter().any(|fault| fault.code == "P0302" && is_inside(fault))
        };
        loaded.scenarios.retain(|scenario| !is_faulty(scenario));
        checked.meant = loaded.host().is_ok().then_some(loaded);
    }
}

/// Leaves out what is missed in modules that do not come to their end: what they would have had, nobody knows.
fn not_of_endless_modules(loaded: &Loaded, faults: &[Diagnostic], findings: &mut Vec<Diagnostic>) {
    let is_endless = |script: &ScriptSource| faults.iter().any(|f| f.code == "P0308" && f.file == script.path);
    let endless: Vec<String> =
        loaded.scripts.iter().filter(|script| is_endless(script)).map(|script| format!("{}.", script.module)).collect();
    findings.retain(|finding| {
        let said = || Some(finding.source.as_deref()?.get(finding.span.bytes.clone())?.trim_matches('"'));
        finding.code != "P0302" || !said().is_some_and(|name| endless.iter().any(|module| name.starts_with(module)))
    });
}

/// Digest of all that decides whether a script host can be made: scripts, all that they can see while they are loaded,
/// which is names, the hooks that they must have, and how much of the machine's memory the facts of the content take.
fn what_hosts_are_made_of(loaded: &Loaded) -> [u8; 32] {
    let Catalog { symbols, factions, spaces, kinds, zones, counters, designs, points, decisions, hooks, .. } =
        &*loaded.catalog;
    let mut digest = Digest::default();
    let mut add = |text: &str| digest.add(text);
    for script in &loaded.scripts {
        [&*script.module, &*script.path, &*script.text].into_iter().for_each(&mut add);
    }
    let named = [
        symbols.iter().collect::<Vec<_>>(),
        factions.iter().map(|entry| entry.id.as_str()).collect(),
        spaces.iter().map(|entry| entry.id.as_str()).collect(),
        kinds.iter().map(|entry| entry.id.as_str()).collect(),
        zones.iter().map(|entry| entry.id.as_str()).collect(),
        counters.iter().map(|entry| entry.id.as_str()).collect(),
        designs.iter().map(|entry| entry.id.as_str()).collect(),
        points.iter().map(|entry| entry.id.as_str()).collect(),
        decisions.iter().map(|entry| entry.id.as_str()).collect(),
    ];
    for names in named {
        add("");
        names.into_iter().for_each(&mut add);
    }
    for hook in hooks {
        add(&hook.module);
        add(&hook.function);
    }
    let props = factions.iter().map(|entry| &entry.props).chain(spaces.iter().map(|entry| &entry.props));
    let props = props.chain(kinds.iter().map(|entry| &entry.props)).chain(designs.iter().map(|entry| &entry.props));
    add(&format!("{:?} {:?}", loaded.catalog.pieces.len(), loaded.catalog.cards.len()));
    props.for_each(|props| add(&props.0.len().to_string()));
    kinds.iter().for_each(|kind| add(&kind.stats.0.len().to_string()));
    digest.finish()
}

/// The names of packs that scripts may write, for the stubs of editors; nothing where no pack can be read.
pub fn script_names(
    given: &[Arc<dyn PackSource>],
    options: &LoadOptions,
) -> Option<principes_scripting::api::PackNames> {
    let options = LoadOptions { until: Stage::Links, ..options.clone() };
    let packs = packs::resolve(given, &options.search, options.game.as_deref(), &mut Vec::new());
    let merged = (!packs.is_empty()).then(|| merge::merge(packs, &options, &mut Vec::new()))?;
    Some(lua::names(&merged))
}

/// Loads packs; on errors, everything that is wrong with them. Scripts are not run yet: see [`Loaded::host`].
pub fn load(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Result<Loaded, Vec<Diagnostic>> {
    let options = LoadOptions { until: Stage::Links, ..options.clone() };
    let checked = check(given, &options);
    checked.loaded.ok_or(checked.findings)
}

fn loaded(merged: &Merged, entities: Vec<EntityInfo>, findings: &mut Vec<Diagnostic>) -> Option<Loaded> {
    let game = game(merged)?;
    let manifest = game.manifest.clone();
    let seats = manifest.seats.map_or((1, 1), |seats| (seats.min, seats.max));
    let fingerprint = fingerprint(merged);
    let Some(catalog) = compile(merged, manifest.id.as_str(), seats, fingerprint.clone()) else {
        // Unreachable as long as every reference is checked; said rather than hidden.
        let message = "the packs passed all checks but could not be put together";
        findings.push(game.document.finding("P0109", "", Part::Value, message));
        return None;
    };
    let mut messages = Messages::default();
    for entry in &merged.messages {
        messages.insert(&entry.language, &entry.key, entry.text.clone());
    }
    let script = |script: &merge::ScriptFile| ScriptSource {
        module: script.module.clone(),
        path: script.file.clone(),
        text: Arc::clone(&script.text),
        compiled: script.known.compiled.clone(),
    };
    let mut scripts: Vec<ScriptSource> = merged.scripts.iter().map(script).collect();
    scripts.sort_by(|a, b| a.module.cmp(&b.module));
    let file = |script: &merge::ScriptFile| (script.file.clone(), Arc::clone(&script.text));
    let spoken = |script: &merge::ScriptFile| (script.file.clone(), Arc::clone(script.known.spoken()));
    let functions = function_places(merged);
    let hook_place = |hook: &principes_core::catalog::Hook| {
        let (document, pointer) = functions.get(&*format!("{}.{}", hook.module, hook.function))?;
        Some(merged.documents.finding(*document, pointer, Part::Value, "P0302", ""))
    };
    Some(Loaded {
        files: merged.scripts.iter().map(file).collect(),
        spoken: merged.scripts.iter().map(spoken).collect(),
        hook_places: catalog.hooks.iter().map(hook_place).collect(),
        catalog: Arc::new(catalog),
        scripts,
        messages: Arc::new(messages),
        scenarios: merged.scenarios.iter().map(|scenario| loaded_scenario(merged, scenario)).collect(),
        props: merged.props.iter().map(|prop| Arc::clone(&prop.value)).collect(),
        manifest,
        packs: infos(&merged.packs),
        entities,
        removed: Vec::new(),
        documents: Arc::default(),
        fingerprint,
        warnings: Vec::new(),
        is_mended: false,
    })
}

fn infos(packs: &[packs::PackEntry]) -> Vec<PackInfo> {
    let info = |entry: &packs::PackEntry| PackInfo {
        manifest: entry.manifest.clone(),
        file: entry.document.file.clone(),
        folder: entry.source.folder(),
        source: Arc::clone(&entry.source),
        reason: entry.reason.clone(),
    };
    packs.iter().map(info).collect()
}

/// Fields that name a script function, beside those of `hooks`.
pub const FUNCTION_FIELDS: [&str; 5] = ["run", "each", "simultaneous", "options", "play"];

/// The first place of every text in the content that names a script function.
fn function_places(merged: &Merged) -> BTreeMap<&str, (usize, &str)> {
    fn visit(value: &serde_json::Value, pointer: &mut String, names: bool, found: &mut Vec<(String, String)>) {
        let length = pointer.len();
        match value {
            serde_json::Value::String(text) if names && text.contains('.') => {
                found.push((pointer.clone(), text.clone()));
            }
            serde_json::Value::Array(list) => {
                for (at, item) in list.iter().enumerate() {
                    let _ = write!(pointer, "/{at}");
                    visit(item, pointer, false, found);
                    pointer.truncate(length);
                }
            }
            serde_json::Value::Object(object) => {
                let hooks = pointer.ends_with("/hooks");
                for (key, item) in object {
                    let names = hooks || FUNCTION_FIELDS.contains(&key.as_str());
                    pointer.push('/');
                    pointer.push_str(&escape(key));
                    visit(item, pointer, names, found);
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
    }
    let mut places = BTreeMap::new();
    for (at, document) in merged.documents.0.iter().enumerate() {
        let speaks = !matches!(document.family, None | Some(Family::Messages | Family::Scenarios | Family::Patches));
        if speaks {
            let find = || {
                let mut found = Vec::new();
                visit(&document.value, &mut String::new(), false, &mut found);
                found
            };
            for (pointer, function) in document.functions(find) {
                places.entry(function.as_str()).or_insert((at, pointer.as_str()));
            }
        }
    }
    places
}

/// The game among the packs: the last one that no other game requires.
pub(crate) fn game(merged: &Merged) -> Option<&packs::PackEntry> {
    merged.packs.iter().rfind(|entry| entry.manifest.kind == schemas::PackKind::Game)
}

fn loaded_scenario(merged: &Merged, scenario: &Sourced<schemas::Scenario>) -> LoadedScenario {
    let document = &merged.documents.0[scenario.place.document];
    LoadedScenario {
        scenario: scenario.value.clone(),
        pack: merged.packs[document.pack].manifest.id.to_string(),
        path: document.path.clone(),
        file: document.file.clone(),
        line: document.line(&scenario.place.pointer),
        text: Arc::clone(&document.text),
        pointer: scenario.place.pointer.clone(),
    }
}

/// All entities, and those that patches removed.
fn entities(merged: &Merged) -> (Vec<EntityInfo>, Vec<EntityInfo>) {
    let removed =
        merged.histories.iter().map(|((_, id), history)| ((history.place.document, &history.place.pointer), id));
    let removed: BTreeMap<(usize, &String), &String> = removed.collect();
    let mut list = Vec::new();
    for (nth, document) in merged.documents.0.iter().enumerate() {
        let Some(family) = document.family.filter(|family| !matches!(family, Family::Patches | Family::Scenarios))
        else {
            continue;
        };
        for (at, item) in document.items().iter().enumerate() {
            let pointer = format!("/{}/{at}", family.key());
            let id = item.get("id").and_then(serde_json::Value::as_str);
            let Some(id) = id.or_else(|| removed.get(&(nth, &pointer)).map(|id| id.as_str())) else { continue };
            let history = merged.histories.get(&(family, id.to_owned()));
            let mut packs = vec![merged.packs[document.pack].manifest.id.to_string()];
            for write in history.into_iter().flat_map(|history| &history.writes) {
                let id = merged.packs[write.pack].manifest.id.as_str();
                if !packs.iter().any(|known| known == id) {
                    packs.push(id.to_owned());
                }
            }
            list.push(EntityInfo {
                family,
                id: id.to_owned(),
                file: document.file.clone(),
                line: document.line(&pointer),
                packs,
                json: Arc::clone(item),
                place: merge::Place { document: nth, pointer },
                history: history.cloned(),
            });
        }
    }
    list.into_iter().partition(|entity| !entity.json.is_null())
}

/// What the last pack itself brings; the packs it requires are counted when it is their turn to be checked.
fn counts(merged: &Merged, entities: &[EntityInfo]) -> Counts {
    let last = merged.packs.len().saturating_sub(1);
    let id = merged.packs.last().map(|pack| pack.manifest.id.to_string());
    let own = |document: usize| merged.documents.0.get(document).is_some_and(|document| document.pack == last);
    Counts {
        packs: merged.packs.len(),
        entities: entities.iter().filter(|entity| entity.packs.first() == id.as_ref()).count(),
        hooks: 0,
        scenarios: merged.scenarios.iter().filter(|scenario| own(scenario.place.document)).count(),
    }
}

/// SHA-256 over names, lengths and contents of the files that decide what happens, in order of their names.
fn fingerprint(merged: &Merged) -> String {
    let mut files: Vec<&(String, Arc<[u8]>)> = merged.digest.iter().collect();
    files.sort();
    let mut digest = Digest::default();
    for (name, content) in files {
        digest.add(name);
        digest.add(content);
    }
    digest.finish().iter().map(|byte| format!("{byte:02x}")).collect()
}
