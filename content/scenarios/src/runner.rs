//! Plays scenarios and compares them with what is stored.

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
use crate::files::{ScenarioFile, hooks_of, is_meant, pack_under_test, scenario_files};
use crate::hooks::with_called_functions;
use crate::may::{Limits, Overstep};
use crate::offers::{Offers, offers};
use crate::outcome::{Failure, Outcome, Report, ScenarioPart};
use crate::play::{self, Played};
use crate::setup;
use crate::snapshot::{self, Verdict, diff};
use crate::step_error::StepResult;

/// The scenarios of one pack and all that is needed to play them.
pub struct ScenarioRunner {
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
    /// Most scenarios start with the same setup.
    setups: RefCell<Vec<(GameConfig, Rc<Setup>)>>,
}

/// A table after its setup.
struct Setup {
    game: StepResult<Game<LuaHost>>,
    activity: HookActivity,
}

/// What hooks did in a while.
#[derive(Clone, Default)]
struct HookActivity {
    ran: BTreeSet<HookId>,
    oversteps: Vec<Overstep>,
    /// The most that one call took.
    steps: u64,
    /// Steps that all calls took together.
    steps_in_all: u64,
}

/// How much may be played.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// When to stop.
    pub deadline: Deadline,
    /// Steps of the scripts in all scenarios together. Setups that several share count for each of them.
    pub steps: u64,
}

impl Allowance {
    /// The finding that says why nothing is played from a scenario on.
    fn finding(self, next: &ScenarioFile, steps: u64) -> Finding {
        let what = format!("what comes from the scenario `{}` on", next.scenario.id);
        if steps <= self.steps {
            return Deadline::finding(&next.label, &what);
        }
        let message =
            format!("the scripts of all scenarios together took more than {} steps, so {what} is left out", self.steps);
        budget::exceeded(&next.label, message, "make the scripts faster, or the scenarios fewer")
    }

    /// Everything is played.
    pub const ALL: Allowance = Allowance { deadline: Deadline::NONE, steps: u64::MAX };
}

/// What was played.
pub(crate) struct PlayedAll {
    pub outcomes: Vec<Outcome>,
    /// Why not everything was played, if it was not.
    pub stopped: Option<Finding>,
}

impl ScenarioRunner {
    /// Prepares to play `files` with the pack under test. Fails on errors in the scripts' own files.
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

    /// Plays the scenarios that `filter` means and compares each with its snapshot.
    pub fn run_all(&self, filter: Option<&str>) -> Report {
        let meant = self.files.iter().filter(|file| filter.is_none_or(|filter| is_meant(file, filter)));
        Report::new(self.declared.clone(), meant.map(|file| Arc::new(self.run_one(file))).collect())
    }

    /// The hooks that went beyond what they declare since the last call.
    fn oversteps(&self) -> Vec<Overstep> {
        match self.limits.is_empty() {
            true => Vec::new(),
            false => self.limits.beyond(&self.catalog, &self.host.watch()),
        }
    }

    /// Does something, and looks which hooks run meanwhile.
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
    pub fn run_one(&self, file: &ScenarioFile) -> Outcome {
        self.run_until(file, Deadline::NONE).0
    }

    /// The same, but a scenario that is under way at the deadline fails. Gives the steps that all calls took, too.
    fn run_until(&self, file: &ScenarioFile, deadline: Deadline) -> (Outcome, u64) {
        let words = EnglishMessages { catalog: &self.catalog, messages: &self.messages, sought: RefCell::default() };
        let (game, mut activity) = match setup::config(&self.catalog, &file.scenario) {
            Err(problem) => (Err(problem), HookActivity::default()),
            Ok(config) if file.scenario.run.is_some() => {
                let begun = self.set_up(config);
                (begun.game.clone(), begun.activity.clone())
            }
            Ok(config) => self.observed(|| setup::first_decision(&self.catalog, &self.host, config, &file.scenario)),
        };
        let (Played { transcript, mut failures, waits_for }, more) =
            self.observed(|| play::play(&self.catalog, &words, &self.offers, file, game, deadline));
        activity.ran.extend(more.ran);
        activity.steps = activity.steps.max(more.steps);
        activity.steps_in_all += more.steps_in_all;
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
        let outcome = Outcome {
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
        (outcome, activity.steps_in_all)
    }
}

/// Plays the scenarios of the pack under test: those that `filter` means, or all. With `accept`, transcripts of
/// scenarios that did not fail are stored. On errors in the scripts' own files, nothing is played.
pub fn run_all(loaded: &Loaded, filter: Option<&str>, accept: bool) -> Result<Report, Vec<Finding>> {
    let pack = pack_under_test(loaded);
    let files: Arc<[ScenarioFile]> = scenario_files(loaded, pack).into();
    let meant: Vec<&ScenarioFile> =
        files.iter().filter(|file| filter.is_none_or(|filter| is_meant(file, filter))).collect();
    let mut outcomes = play_all(loaded, &files, &meant, Allowance::ALL)?.outcomes;
    if accept {
        snapshot::accept(&files, &mut outcomes);
    }
    Ok(Report::new(hooks_of(loaded, pack), outcomes.into_iter().map(Arc::new).collect()))
}

/// Scenarios for which a thread is worth the script host that it needs.
const WORTH_A_THREAD: usize = 64;
/// The stack of such a thread.
const STACK: usize = 16 << 20;

/// The outcomes of some scenarios, each with its steps; or why none could be played.
type PlayedPart = Result<Vec<(Outcome, u64)>, Vec<Finding>>;

/// Plays some of the scenarios, many of them on all cores. The outcomes have the order of the files.
pub(crate) fn play_all(
    loaded: &Loaded,
    all: &Arc<[ScenarioFile]>,
    meant: &[&ScenarioFile],
    allowance: Allowance,
) -> Result<PlayedAll, Vec<Finding>> {
    let play = |part: &[&ScenarioFile]| -> PlayedPart {
        let runner = ScenarioRunner::new(loaded, Arc::clone(all), LuaHost::new)?;
        let mut steps = 0;
        let mut played = Vec::new();
        for file in part.iter().take_while(|_| !allowance.deadline.is_over()) {
            let outcome = runner.run_until(file, allowance.deadline);
            steps += outcome.1;
            played.push(outcome);
            // What is enough for all is enough for a part.
            if steps > allowance.steps {
                break;
            }
        }
        Ok(played)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(meant.len() / WORTH_A_THREAD).max(1);
    let mut parts = meant.chunks(meant.len().div_ceil(threads).max(1));
    let first = parts.next().unwrap_or_default();
    let parts: Vec<PlayedPart> = std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| {
                let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || play(part));
                (part, thread)
            })
            .collect();
        let played = std::iter::once(play(first));
        // If no thread can be started, the work is done here.
        let join = |(part, thread): (_, std::io::Result<std::thread::ScopedJoinHandle<_>>)| {
            thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| play(part))
        };
        played.chain(others.into_iter().map(join)).collect()
    });
    let size = meant.len().div_ceil(threads).max(1);
    let mut played = PlayedAll { outcomes: Vec::new(), stopped: None };
    let mut steps = 0;
    for (nth, part) in parts.into_iter().enumerate() {
        let part = part?;
        let of_part = meant.len().saturating_sub(nth * size).min(size);
        let is_whole = part.len() == of_part;
        for (outcome, taken) in part {
            steps += taken;
            played.outcomes.push(outcome);
            if steps > allowance.steps {
                break;
            }
        }
        if steps > allowance.steps || !is_whole {
            played.stopped = meant.get(played.outcomes.len()).map(|next| allowance.finding(next, steps));
            break;
        }
    }
    Ok(played)
}
