//! Plays one scenario.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_core::catalog::{Catalog, GameConfig, PhaseBody};
use principes_core::scripts::{ScriptError, Scripts};
use principes_core::table::{LiveHook, PieceFilter, Table};
use principes_core::*;
use principes_schemas as schemas;
use principes_schemas::{Die, Edit, Expect, Position, Run, Scenario, Step};

use super::names::{self, Found};
use super::transcript::{self, Namer, Transcript};
use super::{Failure, Offers, Part, ScenarioFile, Words};
use crate::diagnostic::did_you_mean;

/// A setup that asks more often than this goes in circles.
const SETUP_ANSWERS: usize = 10_000;

/// What happened in a scenario.
#[derive(Clone, Debug)]
pub struct Played {
    /// The whole run as text.
    pub transcript: String,
    /// What went wrong.
    pub failures: Vec<Failure>,
}

/// Plays a scenario on the table that its start has led to.
pub(super) fn play<S: Scripts>(
    catalog: &Catalog,
    words: &dyn Words,
    offers: &Offers,
    file: &ScenarioFile,
    game: Found<Game<S>>,
) -> Played {
    let scenario = &file.scenario;
    let mut out = Transcript::default();
    out.line(&scenario.title);
    if !scenario.rules.is_empty() {
        out.line(format!("rules: {}", scenario.rules.join(", ")));
    }
    let mut failures = Vec::new();
    match game {
        Err(message) => failures.push((Part::Start, message)),
        Ok(game) => {
            let mut stage = Stage {
                namer: Namer { catalog, words },
                offers,
                scenario,
                game,
                out,
                logged: BTreeSet::new(),
                error: None,
                failed_at: None,
                past: Vec::new(),
                before: Vec::new(),
            };
            stage.perform(&mut failures);
            out = stage.out;
        }
    }
    for (part, message) in &failures {
        out.line(format!("FAILED at {part}: {message}"));
    }
    let failures = failures
        .into_iter()
        .map(|(part, message)| Failure {
            file: file.label.clone(),
            scenario: scenario.id.to_string(),
            part,
            message,
            overstep: None,
        })
        .collect();
    Played { transcript: out.finish(), failures }
}

/// What the game of a scenario is started with.
pub(super) fn config(catalog: &Catalog, scenario: &Scenario) -> Found<GameConfig> {
    let mut options = Vec::new();
    let mut most = usize::from(catalog.seats.1);
    if let Some(id) = &scenario.variant {
        let variant = catalog.variants.iter().find(|variant| variant.id == id.as_str()).ok_or_else(|| {
            let hint = did_you_mean(id.as_str(), catalog.variants.iter().map(|variant| variant.id.as_str()));
            format!("there is no variant `{id}`{}", hint.map_or_else(String::new, |hint| format!(" ({hint})")))
        })?;
        options.extend_from_slice(&variant.options);
        most = most.min(usize::from(variant.seats.1));
    }
    for (id, value) in scenario.options.iter() {
        let counter = names::counter(catalog, id)?;
        options.retain(|(other, _)| *other != counter);
        options.push((counter, *value));
    }
    let seats = match &scenario.seats {
        Some(seats) => seats.iter().map(|id| names::faction(catalog, id.as_str())).collect::<Found<Vec<_>>>()?,
        None => (0..catalog.playable.min(most)).map(FactionId::at).collect(),
    };
    Ok(GameConfig { seats, seed: scenario.seed.unwrap_or(1), options })
}

/// The results that the scenario fixes, counted from 0 as the generator gives them.
fn dice(catalog: &Catalog, scenario: &Scenario) -> Found<Vec<u32>> {
    let faces: Vec<&str> =
        catalog.battle.iter().flat_map(|rule| &rule.faces).map(|face| catalog.symbols.name(face.id.index())).collect();
    let face = |id: &str| {
        faces.iter().position(|face| *face == id).map(|at| at as u32).ok_or_else(|| {
            let hint = did_you_mean(id, faces.iter().copied());
            format!("the battle die has no face `{id}`{}", hint.map_or_else(String::new, |hint| format!(" ({hint})")))
        })
    };
    let result = |die: &Die| match die {
        Die::Number(n) => n.checked_sub(1).ok_or_else(|| "dice count from 1".to_owned()),
        Die::Face(id) => face(id.as_str()),
    };
    scenario.dice.iter().map(result).collect()
}

/// The game at its first decision.
pub(super) fn first_decision<S: Scripts>(
    catalog: &Arc<Catalog>,
    scripts: &S,
    config: GameConfig,
    scenario: &Scenario,
) -> Found<Game<S>> {
    let fixed = dice(catalog, scenario)?;
    let prepare = |table: &mut Table| {
        table.script_dice(&fixed);
        Ok(())
    };
    Game::prepared(Arc::clone(catalog), scripts.clone(), config, true, prepare)
        .map_err(|error| start_error(catalog, error))
}

/// The game after its setup, with nothing more to be done.
pub(super) fn set_up<S: Scripts>(catalog: &Arc<Catalog>, scripts: &S, config: GameConfig) -> Found<Game<S>> {
    let mut game = Game::prepared(Arc::clone(catalog), scripts.clone(), config, false, |_| Ok(()))
        .map_err(|error| start_error(catalog, error))?;
    let setup = catalog.flow.first().map(|phase| &catalog.phases[phase.index()].body);
    if let Some(PhaseBody::Run(hook)) = setup {
        let fail = |error: String| format!("setup failed: {error}");
        run_flow_hook(&mut game, *hook).map_err(|error| fail(script_error(catalog, &error)))?;
        for _ in 0..SETUP_ANSWERS {
            let first = game.pending().first().map(|ask| (ask.seat, ask.options[0]));
            let Some((seat, choice)) = first else { break };
            game.answer(seat, choice).map_err(|error| fail(answer_error(catalog, error)))?;
        }
    }
    if !game.is_idle() {
        return Err("setup did not come to an end".to_owned());
    }
    game.take_events();
    Ok(game)
}

fn run_flow_hook<S: Scripts>(game: &mut Game<S>, hook: HookId) -> Result<(), ScriptError> {
    game.run_hook(LiveHook { hook, owner: None, card: None, priority: 0 }, &[])
}

/// A script's failure with the place where it happened.
fn script_error(catalog: &Catalog, error: &ScriptError) -> String {
    let place = match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        (Some(file), None) => format!("{file}: "),
        _ => String::new(),
    };
    let hook = error.hook.map_or_else(String::new, |hook| format!(" (in {})", super::hook_name(catalog, hook)));
    format!("{place}{}{hook}", error.message)
}

fn start_error(catalog: &Catalog, error: StartError) -> String {
    match error {
        StartError::Script(error) => script_error(catalog, &error),
        other => other.to_string(),
    }
}

fn answer_error(catalog: &Catalog, error: AnswerError) -> String {
    match error {
        AnswerError::Script(error) => script_error(catalog, &error),
        other => other.to_string(),
    }
}

/// A scenario under way.
struct Stage<'a, S: Scripts> {
    namer: Namer<'a>,
    offers: &'a Offers,
    scenario: &'a Scenario,
    game: Game<S>,
    out: Transcript,
    /// Keys of the messages so far.
    logged: BTreeSet<String>,
    /// A script's failure that no expectation has spoken of yet.
    error: Option<String>,
    /// Where that was.
    failed_at: Option<Part>,
    /// The game before each answer, for steps that take answers back.
    past: Vec<Game<S>>,
    /// The counters before the run.
    before: Vec<(CounterId, Value, Value)>,
}

impl<S: Scripts> Stage<'_, S> {
    fn catalog(&self) -> &Catalog {
        self.namer.catalog
    }

    fn perform(&mut self, failures: &mut Vec<(Part, String)>) {
        // What would be true at the end says nothing about a run that broke off.
        if let Err((part, message)) = self.acts() {
            failures.push((self.failed_at.filter(|_| self.error.is_none()).unwrap_or(part), message));
            return;
        }
        let speaks = |expect: &Expect| matches!(expect, Expect::Error(_));
        if !self.scenario.then.iter().any(speaks)
            && let (Some(error), Some(part)) = (self.error.take(), self.failed_at)
        {
            failures.push((part, format!("a script failed: {error}")));
            return;
        }
        if !self.scenario.then.is_empty() {
            self.out.line("then");
        }
        for (at, expect) in self.scenario.then.iter().enumerate() {
            if let Err(message) = self.expect(expect) {
                if speaks(expect) {
                    // The run broke off elsewhere than meant, or not at all: the rest follows from that.
                    *failures = vec![(Part::Then(at), message)];
                    return;
                }
                failures.push((Part::Then(at), message));
            }
        }
        if let Some(error) = self.error.take() {
            failures.push((self.failed_at.unwrap_or(Part::Run), format!("a script failed: {error}")));
        }
        let left = self.game.table().scripted_dice_left();
        if left > 0 {
            let all = self.scenario.dice.len();
            failures.push((Part::Dice, format!("{left} of {all} fixed dice were never rolled")));
        }
    }

    fn acts(&mut self) -> Result<(), (Part, String)> {
        self.tell_events();
        if !self.scenario.given.is_empty() {
            self.out.line("given");
        }
        for (at, edit) in self.scenario.given.iter().enumerate() {
            self.edit(edit).map_err(|message| (Part::Given(at), message))?;
        }
        self.before = transcript::counters(self.game.table());
        if let Some(run) = &self.scenario.run {
            let fixed = dice(self.catalog(), self.scenario).map_err(|message| (Part::Dice, message))?;
            let fix = |table: &mut Table| {
                table.script_dice(&fixed);
                Ok(())
            };
            self.change(fix).map_err(|message| (Part::Run, message))?;
            self.out.line(format!("run {}", transcript::run(run)));
            self.run(run).map_err(|message| (Part::Run, message))?;
            self.note_failure(Part::Run);
        }
        for (at, step) in self.scenario.when.iter().enumerate() {
            self.step(step).map_err(|message| (Part::When(at), message))?;
            self.note_failure(Part::When(at));
        }
        self.tell_end();
        Ok(())
    }

    fn note_failure(&mut self, part: Part) {
        self.failed_at = self.error.is_some().then(|| self.failed_at.unwrap_or(part));
    }

    // What is done ------------------------------------------------------------------------------------------------

    fn change(&mut self, change: impl FnOnce(&mut Table) -> Result<(), StartError>) -> Found<()> {
        let result = self.game.edit(change);
        result.map_err(|error| start_error(self.catalog(), error))
    }

    fn edit(&mut self, edit: &Edit) -> Found<()> {
        self.out.line(format!("  {}", transcript::edit(edit)));
        self.change(|table| apply(table, edit).map_err(StartError::Config))?;
        // What the edit itself did is said; what followed from it in the flow is not.
        self.game.take_events();
        Ok(())
    }

    /// Does something that runs scripts. A failure waits for the expectation that speaks of it.
    fn attempt(&mut self, act: impl FnOnce(&mut Game<S>) -> Result<(), String>) -> Found<()> {
        if let Some(error) = self.error.take() {
            return Err(format!("a script failed: {error}"));
        }
        let before = self.game.clone();
        if let Err(error) = act(&mut self.game) {
            self.game = before;
            self.out.line(format!("  script failed: {error}"));
            self.error = Some(error);
        }
        self.tell_events();
        Ok(())
    }

    fn run(&mut self, run: &Run) -> Found<()> {
        let catalog = Arc::clone(self.game.catalog());
        match run {
            Run::Hook(run) => self.call(run.hook.as_str(), &run.args),
            Run::Phase(run) => {
                let phase = names::phase(&catalog, run.phase.as_str())?;
                self.attempt(|game| game.run_phase(phase).map_err(|error| script_error(&catalog, &error)))
            }
            Run::Perform(run) => {
                let table = self.game.table();
                let id = run.perform.as_str();
                let seat = run.seat.as_ref().map(|seat| names::seat(table, seat.as_str())).transpose()?;
                let entity = match catalog.rule(id) {
                    Some(rule) => Value::Rule(rule),
                    None => Value::Card(names::copy_of(table, id, seat)?),
                };
                let point = names::point(&catalog, run.point.as_str())?;
                let hook =
                    table.own_hook(entity, point).ok_or_else(|| format!("`{id}` has no hook `{}`", run.point))?;
                let card = match entity {
                    Value::Card(card) => Some(card),
                    _ => None,
                };
                let args = names::arguments(table, &run.args)?;
                let live = LiveHook { hook, owner: seat, card, priority: 0 };
                self.attempt(|game| game.run_hook(live, &args).map_err(|error| script_error(&catalog, &error)))
            }
        }
    }

    fn call(&mut self, function: &str, args: &[schemas::Argument]) -> Found<()> {
        let catalog = Arc::clone(self.game.catalog());
        let hook = names::flow_hook(&catalog, function).ok_or_else(|| format!("there is no function `{function}`"))?;
        let args = names::arguments(self.game.table(), args)?;
        let owner = None;
        let live = LiveHook { hook, owner, card: None, priority: 0 };
        self.attempt(|game| game.run_hook(live, &args).map_err(|error| script_error(&catalog, &error)))
    }

    /// A keyword on offer that the decision does not know.
    fn unlisted(&self, ask: &Ask) -> Option<&str> {
        let catalog = self.catalog();
        let listed = self.offers.get(&catalog.decisions[ask.decision.index()].id)?;
        let words = ask.options.iter().filter_map(|choice| match (choice.verb, choice.args.iter().next()) {
            (Some(verb), _) => Some(verb),
            (None, Some(Value::Symbol(word))) => Some(*word),
            _ => None,
        });
        // These are what `confirm` offers.
        let words = words.filter(|word| *word != catalog.words.yes && *word != catalog.words.no);
        words.map(|word| catalog.symbols.name(word.index())).find(|word| !listed.contains(*word))
    }

    fn step(&mut self, step: &Step) -> Found<()> {
        match step {
            Step::Choose(step) => self.choose(step),
            Step::Aside(step) => self.aside(step),
            Step::Expect(step) => {
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

    fn choose(&mut self, step: &schemas::StepChoose) -> Found<()> {
        let catalog = Arc::clone(self.game.catalog());
        let seat = names::seat(self.game.table(), step.seat.as_str())?;
        let decision = step.decision.as_ref().map(|id| names::decision(&catalog, id.as_str())).transpose()?;
        let pending = self.game.pending();
        let ask = pending.iter().find(|ask| ask.seat == seat && decision.is_none_or(|id| ask.decision == id));
        let Some(ask) = ask else {
            let wanted = step.decision.as_ref().map_or_else(String::new, |id| format!(" `{id}`"));
            let error = self.error.as_ref().map_or_else(String::new, |error| format!("; a script failed: {error}"));
            return Err(format!("`{}` has no decision{wanted} to make; {}{error}", step.seat, self.who_is_asked()));
        };
        if let Some(word) = self.unlisted(ask) {
            let id = &catalog.decisions[ask.decision.index()].id;
            return Err(format!("`{word}` is on offer, and the `options` of the decision `{id}` do not list it"));
        }
        let head = self.namer.ask(ask);
        let options = self.namer.options(&ask.options);
        let choice = find_option(&catalog, &ask.options, &step.choose)?;
        self.out.line(head);
        self.out.line(format!("  {options}"));
        self.out.line(format!("> {}", step.choose));
        self.remember();
        self.attempt(|game| game.answer(seat, choice).map_err(|error| answer_error(&catalog, error)))
    }

    fn aside(&mut self, step: &schemas::StepAside) -> Found<()> {
        let catalog = Arc::clone(self.game.catalog());
        let seat = names::seat(self.game.table(), step.seat.as_str())?;
        let options = self.game.asides(seat).map_err(|error| script_error(&catalog, &error))?;
        let choice = find_option(&catalog, &options, &step.aside)?;
        self.out.line(format!("{} beside the decision", step.seat));
        self.out.line(format!("  {}", self.namer.options(&options)));
        self.out.line(format!("> {}", step.aside));
        self.remember();
        self.attempt(|game| game.play_aside(seat, choice).map_err(|error| answer_error(&catalog, error)))
    }

    fn remember(&mut self) {
        if self.scenario.when.iter().any(|step| matches!(step, Step::Undo(_))) {
            self.past.push(self.game.clone());
        }
    }

    fn undo(&mut self, answers: usize) -> Found<()> {
        let made = self.past.len();
        let at = made.checked_sub(answers).ok_or_else(|| format!("only {made} answers were given so far"))?;
        self.past.truncate(at + 1);
        self.game = self.past.pop().ok_or("no answer was given so far")?;
        self.out.line(format!("the last {answers} answers are taken back"));
        Ok(())
    }

    // What is said ------------------------------------------------------------------------------------------------

    fn tell_events(&mut self) {
        for event in self.game.take_events() {
            if let Event::Log { key, .. } = event {
                self.logged.insert(self.namer.catalog.symbols.name(key.index()).to_owned());
            }
            if let Some(text) = self.namer.event(&event) {
                self.out.line(format!("  {text}"));
            }
        }
    }

    /// Open decisions and changed counters at the end.
    fn tell_end(&mut self) {
        for ask in self.game.pending() {
            self.out.line(self.namer.ask(ask));
            self.out.line(format!("  {}", self.namer.options(&ask.options)));
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

    fn who_is_asked(&self) -> String {
        let asked: Vec<String> = self
            .game
            .pending()
            .iter()
            .map(|ask| {
                let decision = &self.catalog().decisions[ask.decision.index()].id;
                let options = self.namer.options(&ask.options);
                format!("`{}` is asked `{decision}`: {options}", self.namer.id(Value::Faction(ask.seat)))
            })
            .collect();
        if asked.is_empty() { "nobody is asked anything".to_owned() } else { asked.join("; ") }
    }

    // What must be true -------------------------------------------------------------------------------------------

    fn expect(&mut self, expect: &Expect) -> Found<()> {
        self.out.line(format!("  {}", transcript::expect(expect)));
        self.check(expect).map_err(|is| format!("expected: {}; {is}", transcript::expect(expect)))
    }

    fn check(&mut self, expect: &Expect) -> Found<()> {
        let table = self.game.table();
        let catalog = &table.catalog;
        match expect {
            Expect::Counter(e) => {
                let counter = names::counter(catalog, e.counter.as_str())?;
                let owner = names::counter_owner(catalog, counter, e.of.as_ref().map(|of| of.as_str()))?;
                let wanted = names::counter_value(catalog, counter, &e.is)?;
                let value = table.value(counter, owner).map_err(|error| error.0)?;
                holds(value == wanted, || format!("it is {}", catalog.id_of(value)))
            }
            Expect::Control(e) => {
                let space = names::space(catalog, e.control.as_str())?;
                let wanted = e.is.as_ref().map(|id| names::faction(catalog, id.as_str())).transpose()?;
                let controller = table.world.controller(space);
                let name = controller.map_or_else(|| "nobody".to_owned(), |seat| catalog.id_of(Value::Faction(seat)));
                holds(controller == wanted, || format!("{name} does"))
            }
            Expect::Pieces(e) => {
                let filter = piece_filter(catalog, &e.pieces)?;
                let found = table.find_pieces(&filter).count();
                holds(i32::try_from(found) == Ok(e.is), || format!("there are {found}"))
            }
            Expect::Zone(e) => {
                let zone = names::table_zone(catalog, e.zone.as_str(), e.of.as_ref().map(|of| of.as_str()))?;
                let cards: Vec<String> =
                    table.world.in_zone(zone).map(|card| catalog.id_of(Value::Card(card))).collect();
                let shown = if cards.len() <= 12 { format!(": {}", cards.join(", ")) } else { String::new() };
                holds(i32::try_from(cards.len()) == Ok(e.is), || format!("there are {}{shown}", cards.len()))
            }
            Expect::Card(e) => {
                let zone = names::table_zone(catalog, e.r#in.as_str(), e.of.as_ref().map(|of| of.as_str()))?;
                let design = names::design(catalog, e.card.as_str())?;
                let cards: Vec<CardId> = table.world.in_zone(zone).collect();
                let is_it = |card: &CardId| catalog.cards[card.index()] == design;
                let found = match e.position {
                    None => cards.iter().any(is_it),
                    Some(Position::Top) => cards.first().is_some_and(is_it),
                    Some(Position::Bottom) => cards.last().is_some_and(is_it),
                };
                holds(found, || {
                    let names: Vec<String> = cards.iter().map(|card| catalog.id_of(Value::Card(*card))).collect();
                    format!(
                        "there lie, from the top: {}",
                        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
                    )
                })
            }
            Expect::Pending(e) => {
                let pending = self.game.pending();
                let right = match &e.pending {
                    None => pending.is_empty(),
                    Some(filter) => {
                        let seat = names::seat(table, filter.seat.as_str())?;
                        let decision =
                            filter.decision.as_ref().map(|id| names::decision(catalog, id.as_str())).transpose()?;
                        pending.iter().any(|ask| ask.seat == seat && decision.is_none_or(|id| ask.decision == id))
                    }
                };
                holds(right, || self.who_is_asked())
            }
            Expect::Offered(e) => {
                let keys = self.offered(e.seat.as_ref())?;
                holds(keys.contains(&e.offered), || format!("offered are {}", list(&keys)))
            }
            Expect::Refused(e) => {
                names::check_key(catalog, &e.refused)?;
                let keys = self.offered(e.seat.as_ref())?;
                holds(!keys.contains(&e.refused), || format!("offered are {}", list(&keys)))
            }
            Expect::Logged(e) => holds(self.logged.contains(&e.logged), || {
                let said: Vec<String> = self.logged.iter().cloned().collect();
                format!("said were {}", list(&said))
            }),
            Expect::Outcome(e) => {
                let outcome = self.game.outcome();
                let winner = e.winner.as_ref().map(|id| names::faction(catalog, id.as_str())).transpose()?;
                let cause = outcome.map(|outcome| catalog.symbols.name(outcome.cause.index()));
                let right = cause == e.outcome.as_ref().map(|cause| cause.as_str())
                    && (winner.is_none() || outcome.and_then(|outcome| outcome.winner) == winner);
                holds(right, || match outcome {
                    None => "the game goes on".to_owned(),
                    Some(outcome) => format!(
                        "the game is over: {}, won by {}",
                        cause.unwrap_or_default(),
                        outcome.winner.map_or_else(|| "nobody".to_owned(), |seat| catalog.id_of(Value::Faction(seat)))
                    ),
                })
            }
            Expect::Error(e) => match self.error.take() {
                Some(error) if error.contains(&e.error) => Ok(()),
                Some(error) => Err(format!("the failure is: {error}")),
                None => Err("no script failed".to_owned()),
            },
        }
    }

    /// Keys of everything that a seat (or anybody) can do now.
    fn offered(&mut self, seat: Option<&schemas::FactionRef>) -> Found<Vec<String>> {
        let catalog = Arc::clone(self.game.catalog());
        let seat = seat.map(|id| names::seat(self.game.table(), id.as_str())).transpose()?;
        let asks = self.game.pending();
        let mut keys: Vec<String> = asks
            .iter()
            .filter(|ask| seat.is_none_or(|seat| ask.seat == seat))
            .flat_map(|ask| ask.options.iter().map(|choice| choice.key(&catalog)))
            .collect();
        let seats: Vec<SeatId> = match seat {
            Some(seat) => vec![seat],
            None => self.game.table().world.seats().collect(),
        };
        for seat in seats {
            let asides = self.game.asides(seat).map_err(|error| script_error(&catalog, &error))?;
            keys.extend(asides.iter().map(|choice| choice.key(&catalog)));
        }
        let mut seen = BTreeSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        Ok(keys)
    }
}

fn holds(right: bool, is: impl FnOnce() -> String) -> Found<()> {
    if right { Ok(()) } else { Err(is()) }
}

fn list(keys: &[String]) -> String {
    if keys.is_empty() {
        return "none".to_owned();
    }
    keys.iter().map(|key| format!("[{key}]")).collect::<Vec<_>>().join(" ")
}

fn find_option(catalog: &Catalog, options: &[Choice], key: &str) -> Found<Choice> {
    let keys: Vec<String> = options.iter().map(|choice| choice.key(catalog)).collect();
    if let Some(at) = keys.iter().position(|known| known == key) {
        return Ok(options[at]);
    }
    let hint = did_you_mean(key, keys.iter().map(String::as_str));
    let hint = hint.map_or_else(|| ".".to_owned(), |hint| format!("; {hint}"));
    Err(format!("`{key}` is not on offer{hint} Offered are {}", list(&keys)))
}

fn piece_filter(catalog: &Catalog, filter: &schemas::PieceFilter) -> Found<PieceFilter> {
    Ok(PieceFilter {
        at: filter.at.as_ref().map(|id| names::space(catalog, id.as_str())).transpose()?,
        owner: filter.faction.as_ref().map(|id| names::faction(catalog, id.as_str())).transpose()?,
        kind: filter.kind.as_ref().map(|id| names::kind(catalog, id.as_str())).transpose()?,
        on_map: filter.on.map(|area| area == schemas::PieceArea::Map),
        ..PieceFilter::default()
    })
}

/// Changes the table as an edit says.
fn apply(table: &mut Table, edit: &Edit) -> Found<()> {
    let catalog = Arc::clone(&table.catalog);
    match edit {
        Edit::Counter(e) => {
            let counter = names::counter(&catalog, e.counter.as_str())?;
            let owner = names::counter_owner(&catalog, counter, e.of.as_ref().map(|of| of.as_str()))?;
            let value = names::counter_value(&catalog, counter, &e.set)?;
            table.set_value(counter, value, owner).map_err(|error| error.0)
        }
        Edit::Place(e) => {
            let kind = names::kind(&catalog, e.place.as_str())?;
            let owner = e.faction.as_ref().map(|id| names::faction(&catalog, id.as_str())).transpose()?;
            let space = names::space(&catalog, e.at.as_str())?;
            for placed in 0..e.count {
                table.place(kind, owner, space).ok_or_else(|| {
                    let whose = e.faction.as_ref().map_or_else(String::new, |id| format!(" of `{id}`"));
                    format!(
                        "the pool has only {placed} `{}`{whose}, not {}; remove some from the map first",
                        e.place, e.count
                    )
                })?;
            }
            Ok(())
        }
        Edit::Remove(e) => {
            let at = match e.from.as_str() {
                "map" => None,
                id => Some(names::space(&catalog, id)?),
            };
            let filter = PieceFilter {
                at,
                owner: e.faction.as_ref().map(|id| names::faction(&catalog, id.as_str())).transpose()?,
                kind: Some(names::kind(&catalog, e.remove.as_str())?),
                on_map: Some(true),
                ..PieceFilter::default()
            };
            let found = table.find_pieces(&filter).take(e.count.map_or(usize::MAX, usize::from));
            let moves: Vec<(PieceId, Option<SpaceId>)> = found.map(|piece| (piece, None)).collect();
            table.move_pieces(&moves);
            Ok(())
        }
        Edit::Card(e) => {
            let zone = names::table_zone(&catalog, e.to.as_str(), e.of.as_ref().map(|of| of.as_str()))?;
            let card = names::copy_for(table, e.card.as_str(), zone)?;
            table.put_card(card, zone, e.position == Position::Top, false);
            Ok(())
        }
        Edit::Clear(e) => {
            let to = names::table_zone(&catalog, e.to.as_str(), None)?;
            let kind = names::zone(&catalog, e.clear.as_str())?;
            let from: Vec<ZoneId> = match &e.of {
                Some(of) => vec![names::table_zone(&catalog, e.clear.as_str(), Some(of.as_str()))?],
                None => (0..catalog.zone_list.len())
                    .map(ZoneId::at)
                    .filter(|zone| catalog.zone_list[zone.index()].0 == kind)
                    .collect(),
            };
            for zone in from {
                let cards: Vec<CardId> = table.world.in_zone(zone).collect();
                for card in cards {
                    table.put_card(card, to, false, false);
                }
            }
            Ok(())
        }
    }
}
