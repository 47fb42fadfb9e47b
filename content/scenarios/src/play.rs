//! Plays one scenario.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use principes_core::catalog::Catalog;
use principes_core::scripts::Scripts;
use principes_core::*;
use principes_core::{LiveHook, Table};
use principes_findings::budget::MOST_SECONDS;
use principes_findings::did_you_mean;
use principes_schemas as schemas;
use principes_schemas::{Edit, Expect, Run, Scenario, Step};

use crate::cost;
use crate::edit::apply;
use crate::english::EnglishMessages;
use crate::files::ScenarioFile;
use crate::hooks::flow_hook;
use crate::lookup;
use crate::offers::Offers;
use crate::result::{Failure, ScenarioPart};
use crate::runner::Allowance;
use crate::setup::dice;
use crate::step_error::{StepError, StepResult, answer_error, list, script_error, start_error};
use crate::transcript::{self, Namer, Transcript};

/// How many answers a scenario can take back.
const MOST_TAKEN_BACK: usize = 100;

/// What happened in a scenario.
#[derive(Clone, Debug)]
pub struct Played {
    /// The transcript of the run.
    pub transcript: String,
    /// What failed.
    pub failures: Vec<Failure>,
    /// The open decision, if the scenario stops in the middle of something.
    pub waits_for: Option<String>,
    /// The steps of edits, expectations and copies of the table; those of scripts come on top.
    pub steps: u64,
}

/// What happens in a scenario, for those who want to tell it in their own words.
#[derive(Clone, Copy, Debug)]
pub enum Happening<'t> {
    /// The table is as the scenario describes it.
    Begins,
    /// Something happened.
    Events(&'t [Event]),
    /// A seat takes an option.
    Chosen(SeatId, &'t DecisionOption),
}

/// Hears what happens in a scenario, with the game at that moment.
pub type Audience<'a, S> = &'a mut dyn FnMut(&Game<S>, Happening<'_>);

/// Plays a scenario on the table after its setup.
pub(crate) fn play<S: Scripts>(
    catalog: &Catalog,
    words: &EnglishMessages<'_>,
    offers: &Offers,
    file: &ScenarioFile,
    game: StepResult<Game<S>>,
    allowance: Allowance,
    audience: Audience<'_, S>,
) -> Played {
    let scenario = &file.scenario;
    let mut out = Transcript::default();
    out.line(&scenario.title);
    if !scenario.rules.is_empty() {
        out.line(format!("rules: {}", scenario.rules.join(", ")));
    }
    let (mut failures, mut waits_for, mut steps) = (Vec::new(), None, 0);
    match game {
        Err(problem) => failures.push((ScenarioPart::Start, problem)),
        Ok(game) => {
            let mut run = ScenarioRun {
                namer: Namer { catalog, words },
                offers,
                scenario,
                game,
                out,
                logged: BTreeSet::new(),
                error: None,
                failed_at: None,
                past: VecDeque::new(),
                takes_back: scenario.when.iter().any(|step| matches!(step, Step::Undo(_))),
                allowance,
                audience,
                steps: 0,
                before: Vec::new(),
            };
            run.perform(&mut failures);
            waits_for = run.waits_for();
            steps = run.steps;
            out = run.out;
        }
    }
    for (part, problem) in &failures {
        out.line(format!("FAILED at {part}: {problem}"));
    }
    let failures = failures
        .into_iter()
        .map(|(part, problem)| Failure {
            file: file.label.clone(),
            scenario: scenario.id.to_string(),
            part,
            message: problem.message,
            script: problem.script.map(|error| *error),
            overstep: None,
        })
        .collect();
    Played { transcript: out.finish(), failures, waits_for, steps }
}

/// A scenario in progress.
pub(crate) struct ScenarioRun<'a, S: Scripts> {
    pub namer: Namer<'a>,
    offers: &'a Offers,
    scenario: &'a Scenario,
    pub game: Game<S>,
    pub out: Transcript,
    /// Keys of the log messages so far.
    pub logged: BTreeSet<String>,
    /// A script's failure that no expectation has mentioned yet.
    pub error: Option<StepError>,
    /// The part of the scenario in which it failed.
    failed_at: Option<ScenarioPart>,
    /// The game before each answer, for steps that take answers back.
    past: VecDeque<Game<S>>,
    /// Whether any step takes answers back.
    takes_back: bool,
    allowance: Allowance,
    audience: Audience<'a, S>,
    /// The steps of everything but scripts.
    steps: u64,
    /// The counters before the run.
    before: Vec<(CounterId, Value, Value)>,
}

impl<S: Scripts> ScenarioRun<'_, S> {
    pub fn catalog(&self) -> &Catalog {
        self.namer.catalog
    }

    fn perform(&mut self, failures: &mut Vec<(ScenarioPart, StepError)>) {
        // Each scenario has a table of its own.
        if let Err(message) = self.charge(cost::of_table(self.game.table())) {
            failures.push((ScenarioPart::Start, message));
            return;
        }
        // If the run broke off, the expectations are not checked.
        if let Err((part, message)) = self.acts() {
            failures.push((self.failed_at.filter(|_| self.error.is_none()).unwrap_or(part), message));
            return;
        }
        let expects_error = |expect: &Expect| matches!(expect, Expect::Error(_));
        if !self.scenario.then.iter().any(expects_error)
            && let (Some(error), Some(part)) = (self.error.take(), self.failed_at)
        {
            failures.push((part, error.reworded(a_script_failed)));
            return;
        }
        if !self.scenario.then.is_empty() {
            self.out.line("then");
        }
        for (at, expect) in self.scenario.then.iter().enumerate() {
            if let Err(message) = self.charge(cost::of_expect(self.game.table(), expect)) {
                failures.push((ScenarioPart::Then(at), message));
                return;
            }
            if let Err(message) = self.expect(expect) {
                if expects_error(expect) {
                    // The run did not break off as intended. The other failures are consequences.
                    *failures = vec![(ScenarioPart::Then(at), message)];
                    return;
                }
                failures.push((ScenarioPart::Then(at), message));
            }
        }
        if let Some(error) = self.error.take() {
            failures.push((self.failed_at.unwrap_or(ScenarioPart::Run), error.reworded(a_script_failed)));
        }
        let left = self.game.table().scripted_dice_left();
        if left > 0 {
            let all = self.scenario.dice.len();
            failures.push((ScenarioPart::Dice, format!("{left} of {all} fixed dice were not rolled").into()));
        }
    }

    fn acts(&mut self) -> Result<(), (ScenarioPart, StepError)> {
        self.tell_events();
        if !self.scenario.given.is_empty() {
            self.out.line("given");
        }
        for (at, edit) in self.scenario.given.iter().enumerate() {
            self.edit(edit).map_err(|message| (ScenarioPart::Given(at), message))?;
        }
        self.before = transcript::counters(self.game.table());
        (self.audience)(&self.game, Happening::Begins);
        if let Some(run) = &self.scenario.run {
            let fixed = dice(self.catalog(), self.scenario).map_err(|message| (ScenarioPart::Dice, message))?;
            let fix = |table: &mut Table| {
                table.script_dice(&fixed);
                Ok(())
            };
            self.change(fix).map_err(|message| (ScenarioPart::Run, message))?;
            self.out.line(format!("run {}", transcript::run(run)));
            self.run(run).map_err(|message| (ScenarioPart::Run, message))?;
            self.note_failure(ScenarioPart::Run);
        }
        for (at, step) in self.scenario.when.iter().enumerate() {
            self.step(step).map_err(|message| (ScenarioPart::When(at), message))?;
            self.note_failure(ScenarioPart::When(at));
        }
        self.tell_end();
        Ok(())
    }

    /// The decision that is open at the end, unless the scenario expects something after its last step. After a phase,
    /// the flow itself continues to the next decision, so a scenario with answers in a phase may end anywhere.
    fn waits_for(&self) -> Option<String> {
        let steps = &self.scenario.when;
        let ends_with_expectation = !self.scenario.then.is_empty() || matches!(steps.last(), Some(Step::Expect(_)));
        let is_under_test = match &self.scenario.run {
            Some(Run::Hook(_) | Run::Perform(_)) => true,
            Some(Run::Phase(_)) => steps.is_empty(),
            None => false,
        };
        let open =
            self.game.pending().first().filter(|_| is_under_test && !ends_with_expectation).map(|open| open.kind)?;
        Some(self.catalog().decisions[open.index()].id.clone())
    }

    fn note_failure(&mut self, part: ScenarioPart) {
        self.failed_at = self.error.is_some().then(|| self.failed_at.unwrap_or(part));
    }

    /// Charges for work outside of scripts. Fails if the steps or the time are used up.
    fn charge(&mut self, steps: u64) -> StepResult<()> {
        self.steps += steps;
        if self.steps > self.allowance.steps {
            return Err(format!(
                "the scenario took more than {} steps; make it shorter, or its game smaller",
                self.allowance.steps
            )
            .into());
        }
        if self.allowance.deadline.is_over() {
            return Err(
                format!("the check took longer than {MOST_SECONDS} seconds; on a busy machine, try again").into()
            );
        }
        Ok(())
    }

    // Acting ------------------------------------------------------------------------------------------------

    fn change(&mut self, change: impl FnOnce(&mut Table) -> Result<(), StartError>) -> StepResult<()> {
        let result = self.game.edit(change);
        result.map_err(|error| start_error(self.catalog(), error))
    }

    fn edit(&mut self, edit: &Edit) -> StepResult<()> {
        self.charge(cost::of_edit(self.game.table(), edit))?;
        self.out.line(format!("  {}", transcript::edit(edit)));
        self.change(|table| apply(table, edit).map_err(StartError::Config))?;
        // Only the effect of the edit itself is shown, not its consequences in the flow.
        self.game.take_events();
        Ok(())
    }

    /// Makes a change that runs scripts. A failure is kept for the expectation about it.
    fn attempt(&mut self, act: impl FnOnce(&mut Game<S>) -> StepResult<()>) -> StepResult<()> {
        if let Some(error) = self.error.take() {
            return Err(error.reworded(a_script_failed));
        }
        self.charge(cost::of_table(self.game.table()))?;
        let before = self.game.clone();
        if let Err(error) = act(&mut self.game) {
            self.game = before;
            self.out.line(format!("  script failed: {error}"));
            self.error = Some(error);
        }
        self.tell_events();
        Ok(())
    }

    fn run(&mut self, run: &Run) -> StepResult<()> {
        let catalog = Arc::clone(self.game.catalog());
        match run {
            Run::Hook(run) => self.call(run.hook.as_str(), &run.args),
            Run::Phase(run) => {
                let phase = lookup::phase(&catalog, run.phase.as_str())?;
                self.attempt(|game| game.run_phase(phase).map_err(|error| script_error(&catalog, error)))
            }
            Run::Perform(run) => {
                let table = self.game.table();
                let id = run.perform.as_str();
                let seat = run.seat.as_ref().map(|seat| lookup::seat(table, seat.as_str())).transpose()?;
                let entity = match catalog.rule(id) {
                    Some(rule) => Value::Rule(rule),
                    None => Value::Card(lookup::copy_of(table, id, seat)?),
                };
                let point = lookup::point(&catalog, run.point.as_str())?;
                let hook =
                    table.own_hook(entity, point).ok_or_else(|| format!("`{id}` has no hook `{}`", run.point))?;
                let card = match entity {
                    Value::Card(card) => Some(card),
                    _ => None,
                };
                let args = lookup::arguments(table, &run.args)?;
                let live = LiveHook { hook, owner: seat, card, priority: 0 };
                self.attempt(|game| game.run_hook(live, &args).map_err(|error| script_error(&catalog, error)))
            }
        }
    }

    fn call(&mut self, function: &str, args: &[schemas::Argument]) -> StepResult<()> {
        let catalog = Arc::clone(self.game.catalog());
        let hook = flow_hook(&catalog, function).ok_or_else(|| format!("unknown function `{function}`"))?;
        let args = lookup::arguments(self.game.table(), args)?;
        let owner = None;
        let live = LiveHook { hook, owner, card: None, priority: 0 };
        self.attempt(|game| game.run_hook(live, &args).map_err(|error| script_error(&catalog, error)))
    }

    /// Checks that a decision declares the keywords of its options.
    fn unlisted(&self, open: &Decision) -> Option<&str> {
        let catalog = self.catalog();
        let listed = self.offers.get(&catalog.decisions[open.kind.index()].id)?;
        let words = open.options.iter().filter_map(|option| match (option.verb, option.args.iter().next()) {
            (Some(verb), _) => Some(verb),
            (None, Some(Value::Symbol(word))) => Some(*word),
            _ => None,
        });
        words.map(|word| catalog.symbols.name(word.index())).find(|word| !listed.contains(*word))
    }

    fn step(&mut self, step: &Step) -> StepResult<()> {
        match step {
            Step::Choose(step) => self.choose(step),
            Step::Aside(step) => self.aside(step),
            Step::Expect(step) => {
                self.charge(cost::of_expect(self.game.table(), &step.expect))?;
                self.out.line("expect");
                self.expect(&step.expect)
            }
            Step::Edit(step) => {
                self.out.line("edit");
                self.edit(&step.edit)
            }
            Step::Call(step) => {
                let args: String = step.args.iter().map(|arg| format!(" {}", transcript::argument(arg))).collect();
                self.out.line(format!("call {}{args}", step.call));
                self.call(step.call.as_str(), &step.args)
            }
            Step::Undo(step) => self.undo(step.undo as usize),
        }
    }

    fn choose(&mut self, step: &schemas::StepChoose) -> StepResult<()> {
        let catalog = Arc::clone(self.game.catalog());
        let seat = lookup::seat(self.game.table(), step.seat.as_str())?;
        let decision = step.decision.as_ref().map(|id| lookup::decision(&catalog, id.as_str())).transpose()?;
        let pending = self.game.pending();
        let open = pending.iter().find(|open| open.seat == seat && decision.is_none_or(|id| open.kind == id));
        let Some(open) = open else {
            let wanted = step.decision.as_ref().map_or_else(String::new, |id| format!(" `{id}`"));
            let error = self.error.as_ref().map_or_else(String::new, |error| format!("; a script failed: {error}"));
            let message = format!("`{}` has no decision{wanted}; {}{error}", step.seat, self.who_is_asked());
            let script = self.error.as_ref().and_then(|error| error.script.clone());
            return Err(StepError { message, script });
        };
        if let Some(word) = self.unlisted(open) {
            let id = &catalog.decisions[open.kind.index()].id;
            return Err(format!("`{word}` is offered, but not listed in the `options` of the decision `{id}`").into());
        }
        let head = self.namer.decision_line(open);
        let options = self.namer.options(&open.options);
        let option = find_option(&catalog, &open.options, &step.choose)?;
        self.out.line(head);
        self.out.line(format!("  {options}"));
        self.out.line(format!("> {}", step.choose));
        (self.audience)(&self.game, Happening::Chosen(seat, &option));
        self.remember();
        self.attempt(|game| game.answer(seat, option).map_err(|error| answer_error(&catalog, error)))
    }

    fn aside(&mut self, step: &schemas::StepAside) -> StepResult<()> {
        let catalog = Arc::clone(self.game.catalog());
        let seat = lookup::seat(self.game.table(), step.seat.as_str())?;
        let options = self.game.asides(seat).map_err(|error| script_error(&catalog, error))?;
        let option = find_option(&catalog, &options, &step.aside)?;
        self.out.line(format!("{} beside the decision", step.seat));
        self.out.line(format!("  {}", self.namer.options(&options)));
        self.out.line(format!("> {}", step.aside));
        self.remember();
        self.attempt(|game| game.play_aside(seat, option).map_err(|error| answer_error(&catalog, error)))
    }

    fn remember(&mut self) {
        if self.takes_back {
            if self.past.len() == MOST_TAKEN_BACK {
                self.past.pop_front();
            }
            self.past.push_back(self.game.clone());
        }
    }

    fn undo(&mut self, answers: usize) -> StepResult<()> {
        let made = self.past.len();
        if answers > MOST_TAKEN_BACK {
            return Err(format!("at most {MOST_TAKEN_BACK} answers can be taken back").into());
        }
        let at = made.checked_sub(answers).ok_or_else(|| format!("there are only {made} answers so far"))?;
        self.past.truncate(at + 1);
        self.game = self.past.pop_back().ok_or("there are no answers yet")?;
        self.out.line(format!("the last {answers} answers are taken back"));
        Ok(())
    }

    // Telling ------------------------------------------------------------------------------------------------

    fn tell_events(&mut self) {
        let events = self.game.take_events();
        (self.audience)(&self.game, Happening::Events(&events));
        for event in events {
            if let Event::Log { key, .. } = event {
                self.logged.insert(self.namer.catalog.symbols.name(key.index()).to_owned());
            }
            if let Some(text) = self.namer.event(&event) {
                self.out.line(format!("  {text}"));
            }
        }
    }

    /// Writes the open decisions and the changed counters at the end.
    fn tell_end(&mut self) {
        for open in self.game.pending() {
            self.out.line(self.namer.decision_line(open));
            self.out.line(format!("  {}", self.namer.options(&open.options)));
        }
        let after = transcript::counters(self.game.table());
        let changed: Vec<String> = self
            .before
            .iter()
            .zip(&after)
            .filter(|((_, _, before), (_, _, after))| before != after)
            .map(|((counter, owner, before), (_, _, after))| {
                let (name, before, after) =
                    (self.namer.owned_counter(*counter, *owner), self.namer.id(*before), self.namer.id(*after));
                format!("  {name} {before} -> {after}")
            })
            .collect();
        if !changed.is_empty() {
            self.out.line("changed");
        }
        for line in changed {
            self.out.line(line);
        }
    }

    pub fn who_is_asked(&self) -> String {
        let asked: Vec<String> = self
            .game
            .pending()
            .iter()
            .map(|open| {
                let decision = &self.catalog().decisions[open.kind.index()].id;
                let options = self.namer.options(&open.options);
                format!("`{}` has the decision `{decision}`: {options}", self.namer.id(Value::Faction(open.seat)))
            })
            .collect();
        if asked.is_empty() { "no seat has a decision".to_owned() } else { asked.join("; ") }
    }
}

fn a_script_failed(error: &str) -> String {
    format!("a script failed: {error}")
}

fn find_option(catalog: &Catalog, options: &[DecisionOption], key: &str) -> StepResult<DecisionOption> {
    let keys: Vec<String> = options.iter().map(|option| option.key(catalog)).collect();
    if let Some(at) = keys.iter().position(|known| known == key) {
        return Ok(options[at]);
    }
    let hint = did_you_mean(key, keys.iter().map(String::as_str));
    let hint = hint.map_or_else(|| ".".to_owned(), |hint| format!("; {hint}"));
    Err(format!("`{key}` is not an option{hint} The options are {}", list(&keys)).into())
}
