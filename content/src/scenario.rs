//! Scenarios: a table as it is given, what happens, and what must be true then.
//!
//! **Setup.** With `run`, the first phase of the flow is played first where it is a `run` phase, every decision in it
//! answered by its first option: the standard setup. The rest of the flow is dropped, the edits of `given` are applied
//! (no hook hears of an edit; control follows it), `dice` are fixed, and what `run` names is started. When a hook has
//! ended, nobody is asked anything any more; `run.phase` goes on through the flow. Without `run` the flow goes from its
//! beginning to the first decision, and there `given` is applied.
//!
//! **Verdict.** A scenario passes if every step could be made, every expectation held, every fixed die was rolled and
//! no script failed unexpectedly, and if its transcript equals the stored snapshot.

mod names;
mod past;
mod play;
mod record;
mod snapshot;
mod transcript;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use principes_core::catalog::{Catalog, GameConfig, Hook, HookSource};
use principes_core::scripts::ScriptError;
use principes_core::{Game, HookId, Value};
use principes_schemas::{Family, Run, Scenario, Step};
use principes_scripting::{LuaHost, ScriptSource};

use crate::coverage::percent;
use crate::diagnostic::Diagnostic;
use crate::load::{EntityInfo, Loaded};
use crate::may::{Limits, Overstep};
use crate::messages::{Arg, FALLBACK, Messages};

pub use past::{Past, Plan};
pub use play::Played;
pub use record::Recorder;
pub use snapshot::{Verdict, body, diff, is_same};

/// The sentences that a transcript quotes: prompts, script messages, endings. In English, so that snapshots do not
/// depend on who runs them.
pub trait Words {
    /// The message `key`, with what it speaks of filled in; `None` where the pack has no such message.
    fn sentence(&self, key: &str, about: &[Value]) -> Option<String>;
}

/// The sentences of a game's packs.
struct English<'a> {
    /// For the names of things.
    catalog: &'a Catalog,
    messages: &'a Messages,
    /// Keys that were looked for.
    sought: RefCell<BTreeSet<String>>,
}

impl English<'_> {
    fn find(&self, key: &str, args: &dyn Fn(&str) -> Option<Arg>) -> Option<String> {
        self.sought.borrow_mut().insert(key.to_owned());
        self.messages.find(FALLBACK, key, args)
    }

    fn name(&self, value: Value) -> Arg {
        let id = self.catalog.id_of(value);
        let keys = match value {
            Value::Int(n) => return Arg::Int(n),
            Value::Nil => return Arg::Text(id),
            Value::Faction(_) => [format!("faction.{id}"), String::new()],
            Value::Space(_) => [format!("space.{id}"), String::new()],
            Value::Kind(_) | Value::Piece(_) => [format!("kind.{id}"), String::new()],
            Value::Card(_) | Value::Design(_) => [format!("card.{id}.title"), String::new()],
            Value::Zone(_) => [format!("zone.{id}"), String::new()],
            Value::Counter(_) => [format!("counter.{id}"), String::new()],
            Value::Symbol(_) => [format!("word.{id}"), format!("option.{id}")],
            Value::Rule(_) => [format!("rule.{id}.title"), String::new()],
        };
        Arg::Text(keys.iter().find_map(|key| self.find(key, &|_| None)).unwrap_or(id))
    }
}

impl Words for English<'_> {
    fn sentence(&self, key: &str, about: &[Value]) -> Option<String> {
        let named = |hole: &str| {
            let at = hole.parse::<usize>().ok()?.checked_sub(1)?;
            about.get(at).map(|value| self.name(*value))
        };
        self.find(key, &named)
    }
}

/// A scenario and where it stands.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// Pack it belongs to.
    pub pack: String,
    /// The file as users name it.
    pub label: String,
    /// The file inside its pack: `scenarios/luck/windfall.json`.
    pub path: String,
    /// Folder of the pack, where it has one: there snapshots are written.
    pub folder: Option<PathBuf>,
    /// The stored transcript, where there is one.
    pub stored: Option<String>,
    /// What the file says.
    pub scenario: Arc<Scenario>,
}

impl ScenarioFile {
    /// Where the transcript is stored, inside the pack: `scenarios/luck/snapshots/windfall__plain-use.snap`.
    pub fn snapshot_path(&self) -> String {
        snapshot_path(&self.path, self.scenario.id.as_str())
    }
}

/// Where the transcript of a scenario is stored, inside the pack.
pub fn snapshot_path(path: &str, id: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or((".", path));
    let stem = file.strip_suffix(".json").unwrap_or(file);
    format!("{folder}/snapshots/{stem}__{id}.snap")
}

/// Which part of a scenario a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
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

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Start => write!(f, "start"),
            Part::Given(at) => write!(f, "`given` entry {}", at + 1),
            Part::Run => write!(f, "`run`"),
            Part::When(at) => write!(f, "`when` step {}", at + 1),
            Part::Then(at) => write!(f, "`then` entry {}", at + 1),
            Part::Dice => write!(f, "`dice`"),
            Part::Whole => write!(f, "`may`"),
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
    pub part: Part,
    /// What was expected and what is.
    pub message: String,
    /// The hook that went beyond its declaration, for [`Part::Whole`].
    pub overstep: Option<Overstep>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: scenario `{}`, {}: {}", self.file, self.scenario, self.part, self.message)
    }
}

/// What became of one scenario.
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
    /// What went wrong while it ran.
    pub failures: Vec<Failure>,
    /// The hooks that ran.
    pub ran: BTreeSet<HookId>,
    /// Keys of the messages that it quotes or would quote if there were any.
    sought: BTreeSet<String>,
    /// The whole run as text.
    pub transcript: String,
    /// How the run compares with the stored one.
    pub snapshot: Verdict,
    /// What differs from the stored run.
    pub diff: String,
    /// Where the snapshot is stored: a path as users write it.
    pub snapshot_file: String,
}

impl Outcome {
    /// Whether all is as it should be.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && matches!(self.snapshot, Verdict::Same | Verdict::Accepted)
    }
}

/// What became of all scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The scenarios in order of pack, file and place in the file.
    pub outcomes: Vec<Arc<Outcome>>,
    /// The hooks of the pack.
    pub declared: Vec<HookId>,
    /// Those that ran in any scenario.
    pub reached: BTreeSet<HookId>,
}

impl Report {
    fn new(declared: Vec<HookId>, outcomes: Vec<Arc<Outcome>>) -> Self {
        let ran = |hook: &HookId| outcomes.iter().any(|outcome| outcome.ran.contains(hook));
        let reached = declared.iter().copied().filter(ran).collect();
        Report { outcomes, declared, reached }
    }

    /// Whether every scenario passed.
    pub fn passed(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.passed())
    }
    /// The hooks that no scenario reached.
    pub fn unreached(&self) -> impl Iterator<Item = HookId> + '_ {
        self.declared.iter().copied().filter(|hook| !self.reached.contains(hook))
    }
    /// Hooks reached, in percent; 100 where there are none.
    pub fn coverage(&self) -> f64 {
        percent(self.reached.len(), self.declared.len())
    }
}

/// A hook in words: `windfall · card.play (cards/luck.windfall)`.
pub fn hook_name(catalog: &Catalog, hook: HookId) -> String {
    let Some(spec) = catalog.hooks.get(hook.index()) else { return "?".to_owned() };
    let function = format!("{}.{}", spec.module, spec.function);
    let owner = match spec.source {
        HookSource::Flow => return function,
        HookSource::Design(design) => catalog.id_of(Value::Design(design)),
        HookSource::Rule(rule) => catalog.id_of(Value::Rule(rule)),
    };
    let point = spec.point.and_then(|point| catalog.points.get(point.index())).map_or("?", |point| point.id.as_str());
    format!("{owner} · {point} ({function})")
}

/// The functions that a scenario calls by name.
pub(crate) fn called_functions(scenario: &Scenario) -> impl Iterator<Item = &str> {
    let run = match &scenario.run {
        Some(Run::Hook(run)) => Some(run.hook.as_str()),
        _ => None,
    };
    let calls = scenario.when.iter().filter_map(|step| match step {
        Step::Call(call) => Some(call.call.as_str()),
        _ => None,
    });
    run.into_iter().chain(calls)
}

/// The catalog with a hook for every function that the scenarios call by name. Hooks of the packs keep their ids, so
/// coverage and digests do not depend on the scenarios.
fn with_called_functions(catalog: &Arc<Catalog>, scenarios: &[ScenarioFile]) -> Arc<Catalog> {
    let mut called: BTreeSet<&str> = scenarios.iter().flat_map(|file| called_functions(&file.scenario)).collect();
    called.retain(|function| names::flow_hook(catalog, function).is_none());
    if called.is_empty() {
        return Arc::clone(catalog);
    }
    let mut extended = Catalog::clone(catalog);
    for function in called {
        // The schema asks for a dot.
        let (module, function) = function.rsplit_once('.').unwrap_or(("", function));
        let (module, function) = (module.to_owned(), function.to_owned());
        extended.hooks.push(Hook { module, function, source: HookSource::Flow, point: None });
    }
    Arc::new(extended)
}

/// Whether a scenario is meant by the text after `--filter`: part of its file, id, title or one of its rules.
fn is_meant(file: &ScenarioFile, filter: &str) -> bool {
    let scenario = &file.scenario;
    file.label.contains(filter)
        || scenario.id.as_str().contains(filter)
        || scenario.title.contains(filter)
        || scenario.rules.iter().any(|rule| rule.contains(filter))
}

/// The scenarios of one pack with their stored transcripts.
pub fn scenario_files(loaded: &Loaded, pack: &str) -> Vec<ScenarioFile> {
    let info = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack);
    let folder = info.and_then(|info| info.folder.clone());
    let of_pack = loaded.scenarios.iter().filter(|scenario| scenario.pack == pack);
    of_pack
        .map(|loaded| {
            let path = snapshot_path(&loaded.path, loaded.scenario.id.as_str());
            let stored = info.and_then(|info| match info.source.read(&path) {
                Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                // It is not as it should be, so it differs.
                Err(error) => Some(format!("this file cannot be read: {error}")),
            });
            ScenarioFile {
                pack: loaded.pack.clone(),
                label: loaded.file.clone(),
                path: loaded.path.clone(),
                folder: folder.clone(),
                stored,
                scenario: loaded.scenario.clone(),
            }
        })
        .collect()
}

/// A pack under test: the last one in load order, which is the one that needs all the others.
pub fn pack_under_test(loaded: &Loaded) -> &str {
    loaded.packs.last().map_or("", |info| info.manifest.id.as_str())
}

/// Plays the scenarios of the pack under test: those that `filter` means, or all. With `accept`, transcripts of scenarios
/// that did not fail are stored. On faults in the scripts' own files nothing is played.
pub fn run_all(loaded: &Loaded, filter: Option<&str>, accept: bool) -> Result<Report, Vec<Diagnostic>> {
    let pack = pack_under_test(loaded);
    let files: Arc<[ScenarioFile]> = scenario_files(loaded, pack).into();
    let meant: Vec<&ScenarioFile> =
        files.iter().filter(|file| filter.is_none_or(|filter| is_meant(file, filter))).collect();
    let outcomes = rehearse(loaded, &files, &meant, accept)?.into_iter().map(Arc::new);
    Ok(Report::new(hooks_of(loaded, pack), outcomes.collect()))
}

/// Scenarios for which a thread is worth the script host that it needs.
const WORTH_A_THREAD: usize = 64;
/// Stack of such a thread.
const STACK: usize = 16 << 20;

/// Plays some of the scenarios, many of them on all cores. The outcomes have the order of the files.
fn rehearse(
    loaded: &Loaded,
    all: &Arc<[ScenarioFile]>,
    meant: &[&ScenarioFile],
    accept: bool,
) -> Result<Vec<Outcome>, Vec<Diagnostic>> {
    let play = |part: &[&ScenarioFile]| -> Result<Vec<Outcome>, Vec<Diagnostic>> {
        let rehearsal = Rehearsal::new(loaded, Arc::clone(all), LuaHost::new)?;
        Ok(part.iter().map(|file| rehearsal.run_one(file, accept)).collect())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(meant.len() / WORTH_A_THREAD).max(1);
    let mut parts = meant.chunks(meant.len().div_ceil(threads).max(1));
    let first = parts.next().unwrap_or_default();
    let parts: Vec<Result<Vec<Outcome>, Vec<Diagnostic>>> = std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| {
                let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || play(part));
                (part, thread)
            })
            .collect();
        let played = std::iter::once(play(first));
        // Where no thread can be had, the work is done here.
        let join = |(part, thread): (_, std::io::Result<std::thread::ScopedJoinHandle<_>>)| {
            thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| play(part))
        };
        played.chain(others.into_iter().map(join)).collect()
    });
    parts.into_iter().try_fold(Vec::new(), |mut outcomes, part| {
        outcomes.extend(part?);
        Ok(outcomes)
    })
}

/// The script modules of a pack.
pub fn own_modules<'a>(loaded: &'a Loaded, pack: &str) -> BTreeSet<&'a str> {
    let Some(info) = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack) else {
        return BTreeSet::new();
    };
    let scripts = format!("{}scripts/", info.file.strip_suffix("pack.json").unwrap_or_default());
    let own = loaded.scripts.iter().filter(|script| script.path.starts_with(&scripts));
    own.map(|script| script.module.as_str()).collect()
}

/// The hooks whose functions stand in a pack's own scripts.
fn hooks_of(loaded: &Loaded, pack: &str) -> Vec<HookId> {
    let own = own_modules(loaded, pack);
    let hooks = loaded.catalog.hooks.iter().enumerate();
    hooks.filter(|(_, hook)| own.contains(hook.module.as_str())).map(|(at, _)| HookId::at(at)).collect()
}

/// How a script host is made: [`LuaHost::new`] or [`LuaHost::counting_lines`].
pub type MakeHost = fn(Arc<Catalog>, &[ScriptSource]) -> Result<LuaHost, Vec<ScriptError>>;

/// Keywords by the id of their decision.
pub(crate) type Offers = BTreeMap<String, BTreeSet<String>>;

fn offers(loaded: &Loaded) -> Offers {
    let decisions = loaded.entities.iter().filter(|entity| entity.family == Family::Decisions);
    let words = |entity: &EntityInfo| {
        let list = entity.json.get("options").and_then(serde_json::Value::as_array);
        list.into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
    };
    decisions.map(|entity| (entity.id.clone(), words(entity))).collect()
}

/// The scenarios of one pack and all that is needed to play them.
pub struct Rehearsal {
    /// The catalog of [`with_called_functions`], for which the host was made.
    catalog: Arc<Catalog>,
    messages: Arc<Messages>,
    host: LuaHost,
    /// The hooks that scenarios should reach.
    declared: Vec<HookId>,
    /// What cards say that they touch.
    limits: Limits,
    /// The keywords that decisions say they may offer.
    offers: Offers,
    files: Arc<[ScenarioFile]>,
    /// Most scenarios begin with the same setup.
    setups: RefCell<Vec<(GameConfig, Rc<Setup>)>>,
}

/// A table after its setup.
struct Setup {
    game: Result<Game<LuaHost>, String>,
    doings: Doings,
}

/// What hooks did in a while.
#[derive(Clone, Default)]
struct Doings {
    ran: BTreeSet<HookId>,
    oversteps: Vec<Overstep>,
}

impl Rehearsal {
    /// Gets ready to play `files` with the pack under test. Fails on faults in the scripts' own files.
    pub fn new(loaded: &Loaded, files: Arc<[ScenarioFile]>, host: MakeHost) -> Result<Self, Vec<Diagnostic>> {
        let catalog = with_called_functions(&loaded.catalog, &files);
        let host = loaded.host_made(Arc::clone(&catalog), host)?;
        let declared = hooks_of(loaded, pack_under_test(loaded));
        let limits = Limits::of(&loaded.entities);
        let (messages, offers, setups) = (Arc::clone(&loaded.messages), offers(loaded), RefCell::default());
        Ok(Rehearsal { catalog, messages, host, declared, limits, offers, files, setups })
    }

    /// The script host.
    pub fn host(&self) -> &LuaHost {
        &self.host
    }

    /// Plays the scenarios that `filter` means and compares each with its snapshot, or stores it with `accept`. A
    /// scenario that failed is never stored.
    pub fn run_all(&self, filter: Option<&str>, accept: bool) -> Report {
        let meant = self.files.iter().filter(|file| filter.is_none_or(|filter| is_meant(file, filter)));
        Report::new(self.declared.clone(), meant.map(|file| Arc::new(self.run_one(file, accept))).collect())
    }

    /// The hooks that went beyond what they declare since the last call.
    fn oversteps(&self) -> Vec<Overstep> {
        match self.limits.is_empty() {
            true => Vec::new(),
            false => self.limits.beyond(&self.catalog, &self.host.watch()),
        }
    }

    /// Does something, and looks which hooks run meanwhile.
    fn observed<T>(&self, run: impl FnOnce() -> T) -> (T, Doings) {
        self.oversteps();
        let before = self.host.hook_runs();
        let result = run();
        let before = before.into_iter().chain(std::iter::repeat(0));
        let runs = self.host.hook_runs().into_iter().zip(before).enumerate();
        let ran = runs.filter(|(_, (now, before))| now > before).map(|(hook, _)| HookId::at(hook)).collect();
        (result, Doings { ran, oversteps: self.oversteps() })
    }

    /// The table of a scenario after its setup.
    fn set_up(&self, config: GameConfig) -> Rc<Setup> {
        if let Some((_, known)) = self.setups.borrow().iter().find(|(known, _)| *known == config) {
            return Rc::clone(known);
        }
        let (game, doings) = self.observed(|| play::set_up(&self.catalog, &self.host, config.clone()));
        let setup = Rc::new(Setup { game, doings });
        // Whoever counts lines wants to know which ones each scenario reaches.
        if !self.host.counts_lines() {
            self.setups.borrow_mut().push((config, Rc::clone(&setup)));
        }
        setup
    }

    /// Plays one scenario and compares it with its snapshot, or stores it with `accept`.
    pub fn run_one(&self, file: &ScenarioFile, accept: bool) -> Outcome {
        let words = English { catalog: &self.catalog, messages: &self.messages, sought: RefCell::default() };
        let (game, mut doings) = match play::config(&self.catalog, &file.scenario) {
            Err(message) => (Err(message), Doings::default()),
            Ok(config) if file.scenario.run.is_some() => {
                let setup = self.set_up(config);
                (setup.game.clone(), setup.doings.clone())
            }
            Ok(config) => self.observed(|| play::first_decision(&self.catalog, &self.host, config, &file.scenario)),
        };
        let (Played { transcript, mut failures }, more) =
            self.observed(|| play::play(&self.catalog, &words, &self.offers, file, game));
        doings.ran.extend(more.ran);
        doings.oversteps.extend(more.oversteps);
        failures.extend(doings.oversteps.into_iter().map(|overstep| Failure {
            file: file.label.clone(),
            scenario: file.scenario.id.to_string(),
            part: Part::Whole,
            message: overstep.message.clone(),
            overstep: Some(overstep),
        }));
        let snapshot = match (snapshot::compare(file, &transcript), failures.is_empty()) {
            (Verdict::New | Verdict::Changed, true) if accept => snapshot::store(file, &transcript),
            (verdict, _) => verdict,
        };
        let diff = match snapshot {
            Verdict::Changed => diff(file.stored.as_deref().unwrap_or_default(), &transcript),
            _ => String::new(),
        };
        Outcome {
            pack: file.pack.clone(),
            file: file.label.clone(),
            id: file.scenario.id.to_string(),
            title: file.scenario.title.clone(),
            rules: file.scenario.rules.clone(),
            ran: doings.ran,
            sought: words.sought.into_inner(),
            failures,
            diff,
            transcript,
            snapshot,
            snapshot_file: snapshot::label(file),
        }
    }
}
