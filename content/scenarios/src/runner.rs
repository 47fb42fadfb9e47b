//! Plays scenarios and compares them with their snapshots.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use principes_core::catalog::{Catalog, GameConfig};
use principes_core::scripts::Scripts as _;
use principes_core::{Game, HookId};
use principes_findings::Finding;
use principes_findings::budget::{self, Deadline};
use principes_model::{Loaded, MakeHost, Messages};
use principes_scripting::LuaHost;

use crate::english::EnglishMessages;
use crate::files::{DeclaredHooks, ScenarioFile, hooks_of, matches_filter, pack_under_test, scenario_files};
use crate::hooks::with_called_functions;
use crate::may::{Limits, Overstep};
use crate::offers::{Offers, offers};
use crate::play::{self, Audience, Played};
use crate::result::{Failure, ScenarioPart, ScenarioReport, ScenarioResult, Verdict};
use crate::setup;
use crate::snapshot::{self, diff};
use crate::step_error::StepResult;

/// The scenarios of one pack, and everything that is needed to play them.
pub struct ScenarioRunner {
    /// The catalog from [`with_called_functions`], for which the host was made.
    catalog: Arc<Catalog>,
    messages: Arc<Messages>,
    host: LuaHost,
    /// The hooks that scenarios should reach.
    declared: DeclaredHooks,
    /// What cards declare with `may`.
    limits: Limits,
    /// The keywords that decisions declare.
    offers: Offers,
    files: Arc<[ScenarioFile]>,
    /// Most scenarios start with the same setup.
    setups: RefCell<Vec<(GameConfig, Rc<Setup>)>>,
}

/// A table after its setup.
struct Setup {
    game: StepResult<Game<LuaHost>>,
    activity: HookActivity,
}

/// What hooks did during some action.
#[derive(Clone, Default)]
struct HookActivity {
    ran: BTreeSet<HookId>,
    oversteps: Vec<Overstep>,
    /// The most steps of one call.
    steps: u64,
    /// The steps of all calls together.
    steps_in_all: u64,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// When to stop.
    pub deadline: Deadline,
    /// Steps of all scenarios together: of their scripts, edits and expectations. A setup that several scenarios share
    /// counts for each of them.
    pub steps: u64,
}

impl Allowance {
    /// The finding that says why no further scenarios are played.
    fn finding(self, next: &ScenarioFile, steps: u64) -> Finding {
        let what = format!("everything from the scenario `{}` on", next.scenario.id);
        if steps <= self.steps {
            return Deadline::finding(&next.label, &what);
        }
        let message = format!("all scenarios together took more than {} steps, so {what} is left out", self.steps);
        budget::exceeded(&next.label, message, "make the scripts faster, or write fewer or shorter scenarios")
    }

    /// No limits.
    pub const ALL: Allowance = Allowance { deadline: Deadline::NONE, steps: u64::MAX };
}

/// The scenarios that were played.
pub(crate) struct PlayedAll {
    pub results: Vec<ScenarioResult>,
    /// The finding that says why some were not played, if that is so.
    pub stopped: Option<Finding>,
}

impl ScenarioRunner {
    /// Prepares to play `files` with the pack under test. Fails if a script cannot be loaded.
    pub fn new(loaded: &Loaded, files: Arc<[ScenarioFile]>, host: MakeHost) -> Result<Self, Vec<Finding>> {
        let catalog = with_called_functions(&loaded.catalog, &files);
        let host = loaded.host_with(Arc::clone(&catalog), host)?;
        let declared = hooks_of(loaded, pack_under_test(loaded));
        let limits = Limits::of(&loaded.entities);
        let (messages, offers, setups) = (Arc::clone(&loaded.messages), offers(loaded), RefCell::default());
        Ok(ScenarioRunner { catalog, messages, host, declared, limits, offers, files, setups })
    }

    /// The script host.
    pub fn host(&self) -> &LuaHost {
        &self.host
    }

    /// Plays the scenarios that match `filter`, and compares each with its snapshot.
    pub fn run_all(&self, filter: Option<&str>) -> ScenarioReport {
        let selected = self.files.iter().filter(|file| filter.is_none_or(|filter| matches_filter(file, filter)));
        ScenarioReport::new(&self.declared, selected.map(|file| Arc::new(self.run_one(file))).collect())
    }

    /// Takes the hooks that exceeded their declarations since the last call.
    fn oversteps(&self) -> Vec<Overstep> {
        match self.limits.is_empty() {
            true => Vec::new(),
            false => self.limits.beyond(&self.catalog, &self.host.watch()),
        }
    }

    /// Runs an action, and observes the hooks that run meanwhile.
    fn observed<T>(&self, run: impl FnOnce() -> T) -> (T, HookActivity) {
        self.oversteps();
        self.host.take_most_steps();
        let (before, sum) = (self.host.hook_runs(), self.host.steps_in_all());
        let result = run();
        let before = before.into_iter().chain(std::iter::repeat(0));
        let runs = self.host.hook_runs().into_iter().zip(before).enumerate();
        let ran = runs.filter(|(_, (now, before))| now > before).map(|(hook, _)| HookId::at(hook)).collect();
        let steps_in_all = self.host.steps_in_all() - sum;
        let steps = self.host.take_most_steps();
        (result, HookActivity { ran, oversteps: self.oversteps(), steps, steps_in_all })
    }

    /// The table of a scenario after its setup.
    fn set_up(&self, config: GameConfig) -> Rc<Setup> {
        if let Some((_, known)) = self.setups.borrow().iter().find(|(known, _)| *known == config) {
            return Rc::clone(known);
        }
        let (game, activity) = self.observed(|| setup::set_up(&self.catalog, &self.host, config.clone()));
        let setup = Rc::new(Setup { game, activity });
        // Line counts are kept for each scenario separately.
        if !self.host.counts_lines() {
            self.setups.borrow_mut().push((config, Rc::clone(&setup)));
        }
        setup
    }

    /// Plays one scenario and compares it with its snapshot.
    pub fn run_one(&self, file: &ScenarioFile) -> ScenarioResult {
        self.run_within(file, Allowance::ALL).0
    }

    /// Plays one scenario for an audience. Returns whether it passes.
    pub fn tell(&self, file: &ScenarioFile, audience: Audience<'_, LuaHost>) -> bool {
        self.run_for(file, Allowance::ALL, audience).0.failures.is_empty()
    }

    /// The same with limits, at which a scenario in progress fails. Also returns all steps.
    fn run_within(&self, file: &ScenarioFile, allowance: Allowance) -> (ScenarioResult, u64) {
        self.run_for(file, allowance, &mut |_, _| {})
    }

    fn run_for(
        &self,
        file: &ScenarioFile,
        allowance: Allowance,
        audience: Audience<'_, LuaHost>,
    ) -> (ScenarioResult, u64) {
        let words = EnglishMessages { catalog: &self.catalog, messages: &self.messages, sought: RefCell::default() };
        let (game, mut activity) = match setup::config(&self.catalog, &file.scenario) {
            Err(problem) => (Err(problem), HookActivity::default()),
            Ok(config) if file.scenario.run.is_some() => {
                let begun = self.set_up(config);
                (begun.game.clone(), begun.activity.clone())
            }
            Ok(config) => self.observed(|| setup::first_decision(&self.catalog, &self.host, config, &file.scenario)),
        };
        let (Played { transcript, mut failures, waits_for, steps }, more) =
            self.observed(|| play::play(&self.catalog, &words, &self.offers, file, game, allowance, audience));
        activity.ran.extend(more.ran);
        activity.steps = activity.steps.max(more.steps);
        activity.steps_in_all += more.steps_in_all + steps;
        activity.oversteps.extend(more.oversteps);
        failures.extend(activity.oversteps.into_iter().map(|overstep| Failure {
            file: file.label.clone(),
            scenario: file.scenario.id.to_string(),
            part: ScenarioPart::Whole,
            message: overstep.message.clone(),
            script: None,
            overstep: Some(overstep),
        }));
        let snapshot = snapshot::compare(file, &transcript);
        let diff = match snapshot {
            Verdict::Changed => diff(file.stored.as_deref().unwrap_or_default(), &transcript),
            _ => String::new(),
        };
        let result = ScenarioResult {
            pack: file.pack.clone(),
            file: file.label.clone(),
            id: file.scenario.id.to_string(),
            title: file.scenario.title.clone(),
            rules: file.scenario.rules.clone(),
            ran: activity.ran,
            sought: words.sought.into_inner(),
            failures,
            waits_for,
            steps: activity.steps,
            diff,
            transcript,
            snapshot,
            snapshot_file: snapshot::label(file),
        };
        (result, activity.steps_in_all)
    }
}

/// Plays the scenarios of the pack under test that match `filter`, or all of them. With `accept`, it stores the
/// transcripts of scenarios that did not fail. If a script cannot be loaded, nothing is played.
pub fn run_all(loaded: &Loaded, filter: Option<&str>, accept: bool) -> Result<ScenarioReport, Vec<Finding>> {
    let pack = pack_under_test(loaded);
    let files: Arc<[ScenarioFile]> = scenario_files(loaded, pack).into();
    let selected: Vec<&ScenarioFile> =
        files.iter().filter(|file| filter.is_none_or(|filter| matches_filter(file, filter))).collect();
    let mut results = play_all(loaded, &files, &selected, Allowance::ALL)?.results;
    if accept {
        snapshot::accept(&files, &mut results);
    }
    Ok(ScenarioReport::new(&hooks_of(loaded, pack), results.into_iter().map(Arc::new).collect()))
}

/// The number of scenarios that makes another thread, with its own script host, worthwhile.
const WORTH_A_THREAD: usize = 64;
/// The stack of such a thread.
const STACK: usize = 16 << 20;

/// The results of some scenarios, each with its steps; or the findings because of which none could be played.
type PlayedPart = Result<Vec<(ScenarioResult, u64)>, Vec<Finding>>;

/// Plays some of the scenarios; if there are many, on all cores. The results are in the order of the files.
pub(crate) fn play_all(
    loaded: &Loaded,
    all: &Arc<[ScenarioFile]>,
    selected: &[&ScenarioFile],
    allowance: Allowance,
) -> Result<PlayedAll, Vec<Finding>> {
    let play = |part: &[&ScenarioFile]| -> PlayedPart {
        let runner = ScenarioRunner::new(loaded, Arc::clone(all), LuaHost::new)?;
        let mut steps = 0;
        let mut played = Vec::new();
        for file in part.iter().take_while(|_| !allowance.deadline.is_over()) {
            let result = runner.run_within(file, allowance);
            steps += result.1;
            played.push(result);
            // A part may not use more than all of them together.
            if steps > allowance.steps {
                break;
            }
        }
        Ok(played)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(selected.len() / WORTH_A_THREAD).max(1);
    let mut parts = selected.chunks(selected.len().div_ceil(threads).max(1));
    let first = parts.next().unwrap_or_default();
    let parts: Vec<PlayedPart> = std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| {
                let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || play(part));
                (part, thread)
            })
            .collect();
        let played = std::iter::once(play(first));
        // If no thread can be started, this one does the work.
        let join = |(part, thread): (_, std::io::Result<std::thread::ScopedJoinHandle<_>>)| {
            thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| play(part))
        };
        played.chain(others.into_iter().map(join)).collect()
    });
    let size = selected.len().div_ceil(threads).max(1);
    let mut played = PlayedAll { results: Vec::new(), stopped: None };
    let mut steps = 0;
    for (nth, part) in parts.into_iter().enumerate() {
        let part = part?;
        let of_part = selected.len().saturating_sub(nth * size).min(size);
        let is_whole = part.len() == of_part;
        for (result, taken) in part {
            steps += taken;
            played.results.push(result);
            if steps > allowance.steps {
                break;
            }
        }
        if steps > allowance.steps || !is_whole {
            played.stopped = selected.get(played.results.len()).map(|next| allowance.finding(next, steps));
            break;
        }
    }
    Ok(played)
}
