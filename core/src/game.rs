//! The [`Game`]: one table with its scripts, behind the narrow door that terminals, bots, tests and fuzzers use.
//!
//! A suspended script cannot be saved. So a game keeps the world as it was when no script was suspended last (the
//! *base*) and the answers given since; whatever is cloned, loaded or undone rebuilds its scripts by going from the base
//! through those answers again, and checks that it arrives at the same world. Scripts keep no state between calls.

mod position;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::battle::{Battle, SideId};
use crate::catalog::{BattleStep, Catalog, GameConfig, Offer, Scope};
use crate::decision::{Answer, Ask, Choice, merge_equal};
use crate::event::Event;
use crate::flow::{Frame, ScriptFrame, ScriptState, Turns, step_turns};
use crate::ids::*;
use crate::movement::Movement;
use crate::rng::Rng;
use crate::scripts::{Reply, ScriptError, Scripts, Step};
use crate::table::{LiveHook, Table};
use crate::world::{Outcome, World};

pub use position::PositionKey;

/// Steps of the flow that may pass without anybody being asked; far beyond what any game needs.
const FLOW_LIMIT: u32 = 100_000;

/// Why an answer was refused. The game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The seat has no decision that offers this.
    #[error("this is not on offer now")]
    NotOffered,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A script failed.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

/// Why a game could not be started or restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The seats, options or packs do not fit.
    #[error("{0}")]
    Config(String),
    /// A script failed.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

/// A game at one moment, as plain data: with the same packs it can be restored anywhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The packs it was made with.
    pub fingerprint: String,
    /// What the game was started with.
    pub config: GameConfig,
    base: World,
    since: Vec<Answer>,
    record: Vec<Answer>,
    world: World,
    rolled: Vec<u32>,
}

/// One game.
pub struct Game<S: Scripts> {
    scripts: S,
    live: S::Live,
    table: Table,
    // What stays as it is for a while is shared with clones until one of them goes on.
    config: Arc<GameConfig>,
    base: Arc<World>,
    since: Vec<Answer>,
    /// A newer base that counts once the answer under way has succeeded.
    next_base: Option<Arc<World>>,
    has_next_base: bool,
    /// Whether no script has begun since the last phase ended.
    between_phases: bool,
    /// Dice that had been rolled by then.
    rolled_before: usize,
    record: Arc<Vec<Answer>>,
    /// The plays beside the decisions that were listed last, while nothing has happened since.
    asides: Option<(SeatId, Vec<Choice>)>,
    /// Whether suspended scripts must be rebuilt before the next answer.
    dormant: bool,
}

impl<S: Scripts> Clone for Game<S> {
    fn clone(&self) -> Self {
        Game {
            scripts: self.scripts.clone(),
            live: S::Live::default(),
            table: Table { events: Vec::new(), ..self.table.clone() },
            config: self.config.clone(),
            base: self.base.clone(),
            since: self.since.clone(),
            next_base: None,
            has_next_base: false,
            between_phases: false,
            rolled_before: 0,
            record: self.record.clone(),
            asides: None,
            dormant: true,
        }
    }
}

impl<S: Scripts> Game<S> {
    /// Starts a game and runs it to the first decision.
    pub fn new(catalog: Arc<Catalog>, scripts: S, config: GameConfig) -> Result<Self, StartError> {
        Self::prepared(catalog, scripts, config, true, |_| Ok(()))
    }

    /// Starts a game whose table `prepare` may change before the first phase. With `flow` false no phase runs: the game
    /// idles until [`Game::run_hook`] or [`Game::run_phase`] starts something (scenarios do).
    pub fn prepared(
        catalog: Arc<Catalog>,
        scripts: S,
        mut config: GameConfig,
        flow: bool,
        prepare: impl FnOnce(&mut Table) -> Result<(), StartError>,
    ) -> Result<Self, StartError> {
        check_config(&catalog, &config)?;
        config.seats.sort_unstable();
        let world = Box::new(World::new(&catalog, &config));
        let mut table = Table { catalog, world, events: Vec::new(), record_events: true, rolled: Vec::new() };
        let all: Vec<SpaceId> = (0..table.catalog.spaces.len()).map(SpaceId::at).collect();
        table.settle_control(&all);
        table.world.triggers.clear();
        table.events.clear();
        table.world.flow.push(if flow { Frame::Turns(Turns::begin()) } else { Frame::Idle });
        prepare(&mut table)?;
        let base = Arc::new((*table.world).clone());
        let mut game = Game {
            scripts,
            live: S::Live::default(),
            table,
            config: Arc::new(config),
            next_base: None,
            base,
            since: Vec::new(),
            has_next_base: false,
            between_phases: false,
            rolled_before: 0,
            record: Arc::default(),
            asides: None,
            dormant: false,
        };
        game.advance()?;
        game.keep_next_base(None);
        Ok(game)
    }

    /// The catalog.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.table.catalog
    }
    /// The table. Not for clients: it knows every secret.
    pub fn table(&self) -> &Table {
        &self.table
    }
    /// Switches the event log on or off; simulations do without.
    pub fn record_events(&mut self, on: bool) {
        self.table.record_events = on;
    }
    /// What happened since the log was last taken or cleared.
    pub fn events(&self) -> &[Event] {
        &self.table.events
    }
    /// Clears the log.
    pub fn clear_events(&mut self) {
        self.table.events.clear();
    }
    /// What happened since the log was last taken or cleared.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.table.events)
    }
    /// What the game was started with.
    pub fn config(&self) -> &GameConfig {
        &self.config
    }
    /// All answers so far. With the packs and the config they are the whole game.
    pub fn record(&self) -> &[Answer] {
        &self.record
    }
    /// How the game ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.table.world.outcome
    }
    /// The open decisions.
    pub fn pending(&self) -> Vec<&Ask> {
        self.table.pending()
    }

    /// A digest of the world; equal worlds have equal digests on every machine.
    pub fn digest(&self) -> String {
        digest(&self.table.world)
    }

    /// The game as plain data.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            fingerprint: self.table.catalog.fingerprint.clone(),
            config: (*self.config).clone(),
            base: (*self.base).clone(),
            since: self.since.clone(),
            record: (*self.record).clone(),
            world: (*self.table.world).clone(),
            rolled: self.table.rolled.clone(),
        }
    }

    /// A game from a snapshot of this process's own making; its scripts are rebuilt when the next answer needs them.
    /// Files from outside are restored by [`Game::new`] and their record instead, which trusts nothing.
    pub fn restore(catalog: Arc<Catalog>, scripts: S, snapshot: Snapshot) -> Result<Self, StartError> {
        if snapshot.fingerprint != catalog.fingerprint {
            return Err(StartError::Config("the snapshot was made with other packs".to_owned()));
        }
        Ok(Game {
            scripts,
            live: S::Live::default(),
            table: Table {
                catalog,
                world: Box::new(snapshot.world),
                events: Vec::new(),
                record_events: true,
                rolled: snapshot.rolled,
            },
            config: Arc::new(snapshot.config),
            next_base: None,
            base: Arc::new(snapshot.base),
            since: snapshot.since,
            has_next_base: false,
            between_phases: false,
            rolled_before: 0,
            record: Arc::new(snapshot.record),
            asides: None,
            dormant: true,
        })
    }

    // Answers -----------------------------------------------------------------------------------------------------

    /// Answers an open decision of a seat. On an error nothing has changed.
    pub fn answer(&mut self, seat: SeatId, choice: Choice) -> Result<(), AnswerError> {
        if self.outcome().is_some() {
            return Err(AnswerError::Over);
        }
        let Some(decision) = self.table.offered(seat, &choice) else {
            return Err(AnswerError::NotOffered);
        };
        self.play(Answer { seat, choice, aside: false }, |game, answer| game.apply_offered(answer, decision))
    }

    /// What a seat may do beside the open decisions, at any moment in which the game waits.
    pub fn asides(&mut self, seat: SeatId) -> Result<Vec<Choice>, ScriptError> {
        if self.outcome().is_some() || !self.table.world.is_led(seat) || self.table.asks().next().is_none() {
            return Ok(Vec::new());
        }
        if let Some((_, options)) = self.asides.as_ref().filter(|(of, _)| *of == seat) {
            return Ok(options.clone());
        }
        let mut options = Vec::new();
        if let Some(rule) = &self.table.catalog.asides {
            options = self.listed(rule.options, seat)?;
        }
        if let Some(Frame::Movement(movement)) = self.table.world.flow.last()
            && movement.may_withdraw(seat)
        {
            options.push(Choice::verb(self.table.catalog.words.withdraw_consent, &[]));
        }
        self.asides = Some((seat, options.clone()));
        Ok(options)
    }

    /// Does one of [`Game::asides`].
    pub fn play_aside(&mut self, seat: SeatId, choice: Choice) -> Result<(), AnswerError> {
        if self.outcome().is_some() {
            return Err(AnswerError::Over);
        }
        if !self.asides(seat)?.contains(&choice) {
            return Err(AnswerError::NotOffered);
        }
        self.play(Answer { seat, choice, aside: true }, Game::apply_aside)
    }

    fn play(
        &mut self,
        answer: Answer,
        apply: impl FnOnce(&mut Self, &Answer) -> Result<(), ScriptError>,
    ) -> Result<(), AnswerError> {
        self.asides = None;
        if self.dormant {
            self.rebuild()?;
        }
        let events = self.table.events.len();
        let result = apply(self, &answer).and_then(|()| self.advance());
        match result {
            Ok(()) => {
                self.keep_next_base(Some(answer));
                Arc::make_mut(&mut self.record).push(answer);
                Ok(())
            }
            Err(error) => {
                // Back to where we were: through the answers since the base, without a word in the log.
                self.table.events.truncate(events);
                self.rebuild_quietly()?;
                Err(error.into())
            }
        }
    }

    /// The world as it is becomes the base.
    fn rebase(&mut self) {
        copy_world(&mut self.base, &self.table.world);
        self.since.clear();
        self.table.rolled.clear();
    }

    /// What was asked of the game has succeeded. The base moves on to where a phase ended, if one did; else the answer counts
    /// from the base on.
    fn keep_next_base(&mut self, answer: Option<Answer>) {
        if std::mem::take(&mut self.between_phases) {
            self.has_next_base = false;
            self.rebase();
            return;
        }
        let next = self.next_base.as_mut().filter(|_| std::mem::take(&mut self.has_next_base));
        if let Some(next) = next {
            std::mem::swap(&mut self.base, next);
            self.since.clear();
            self.table.rolled.drain(..self.rolled_before);
        } else if let Some(answer) = answer {
            self.since.push(answer);
        }
    }

    /// Brings suspended scripts back to life and proves that they stand where they stood.
    fn rebuild(&mut self) -> Result<(), ScriptError> {
        if self.table.world.flow.iter().any(Frame::is_suspended) {
            let world = self.table.world.clone();
            self.rebuild_quietly()?;
            if self.table.world != world {
                return Err(ScriptError::flow(
                    "a script did not come to the same state again: it depends on something outside the game",
                ));
            }
        }
        self.dormant = false;
        Ok(())
    }

    fn rebuild_quietly(&mut self) -> Result<(), ScriptError> {
        self.live = S::Live::default();
        (*self.table.world).clone_from(&self.base);
        self.table.rolled.clear();
        let recording = std::mem::replace(&mut self.table.record_events, false);
        let since = std::mem::take(&mut self.since);
        let result = self.advance().and_then(|()| {
            since.iter().try_for_each(|answer| {
                self.apply(answer)?;
                self.advance()
            })
        });
        self.since = since;
        (self.has_next_base, self.between_phases) = (false, false);
        self.table.record_events = recording;
        self.dormant = false;
        result
    }

    /// Hands an answer to the frame that waits for it.
    fn apply(&mut self, answer: &Answer) -> Result<(), ScriptError> {
        if answer.aside {
            return self.apply_aside(answer);
        }
        let offered = self.table.offered(answer.seat, &answer.choice);
        let Some(decision) = offered else {
            return Err(ScriptError::flow("a recorded answer is not on offer"));
        };
        self.apply_offered(answer, decision)
    }

    fn apply_offered(&mut self, answer: &Answer, decision: DecisionId) -> Result<(), ScriptError> {
        self.table.emit(Event::Chosen { seat: answer.seat, decision, choice: answer.choice });
        let waiting = match self.table.world.flow.last_mut() {
            Some(Frame::Script(script)) => Some(script),
            Some(Frame::Simultaneous(scripts)) => {
                scripts.iter_mut().find(|script| script.ask().is_some_and(|ask| ask.seat == answer.seat))
            }
            _ => None,
        };
        if let Some(script) = waiting {
            script.choose(Some(answer.choice));
            return Ok(());
        }
        // A movement changes the table, so it cannot lie on it meanwhile.
        let mut frame = self.pop();
        if let Some(Frame::Movement(movement)) = &mut frame
            && let Some(result) = movement.answer(&mut self.table, &answer.choice)
        {
            self.finish(Reply::Moved(result));
            return Ok(());
        }
        self.table.world.flow.extend(frame);
        Ok(())
    }

    fn apply_aside(&mut self, answer: &Answer) -> Result<(), ScriptError> {
        let words = &self.table.catalog.words;
        if answer.choice.verb == Some(words.withdraw_consent)
            && let Some(Frame::Movement(movement)) = self.table.world.flow.last_mut()
        {
            movement.withdraw(answer.seat);
            return Ok(());
        }
        let Some(rule) = &self.table.catalog.asides else {
            return Err(ScriptError::flow("the game has no plays beside decisions"));
        };
        let (play, decision) = (rule.play, rule.decision);
        self.table.emit(Event::Chosen { seat: answer.seat, decision, choice: answer.choice });
        let mut args = vec![Value::Faction(answer.seat)];
        args.push(answer.choice.verb.map_or(Value::Nil, Value::Symbol));
        args.extend_from_slice(&answer.choice.args);
        let live = LiveHook { hook: play, owner: Some(answer.seat), card: None, priority: 0 };
        let script = ScriptFrame::new(&mut self.table, live, Args::new(&args));
        self.table.world.flow.push(Frame::Script(script));
        Ok(())
    }

    fn pop(&mut self) -> Option<Frame> {
        self.table.world.flow.pop()
    }

    /// Gives what a finished procedure brought to the script below it.
    fn finish(&mut self, reply: Reply) {
        if let Some(script) = self.top_script() {
            script.state = ScriptState::Ready(reply);
        }
    }

    /// The hook that runs or waits, the innermost one where hooks have brought about others.
    pub fn running_hook(&self) -> Option<HookId> {
        self.table.world.flow.iter().rev().find_map(|frame| match frame {
            Frame::Script(script) => Some(script.hook),
            Frame::Simultaneous(scripts) => scripts.first().map(|script| script.hook),
            _ => None,
        })
    }

    // The machine -------------------------------------------------------------------------------------------------

    /// Runs the flow until somebody must choose or the game is over.
    fn advance(&mut self) -> Result<(), ScriptError> {
        for _ in 0..FLOW_LIMIT {
            if self.table.world.outcome.is_some() {
                self.table.world.flow.clear();
                self.table.world.triggers.clear();
                self.live = S::Live::default();
                return Ok(());
            }
            if !self.table.world.triggers.is_empty() {
                self.run_trigger();
                continue;
            }
            if !self.step()? {
                return Ok(());
            }
        }
        Err(self.in_circles())
    }

    fn in_circles(&self) -> ScriptError {
        let message = format!("{FLOW_LIMIT} steps passed and nobody was asked anything: the flow goes in circles");
        ScriptError { hook: self.running_hook(), ..ScriptError::flow(message) }
    }

    fn run_trigger(&mut self) {
        let trigger = self.table.world.triggers.remove(0);
        let mut hooks = Vec::new();
        self.table.live_hooks(trigger.point, &mut hooks);
        if hooks.is_empty() {
            return;
        }
        if let Some(frame) = self.table.world.flow.last_mut() {
            frame.mark_stale();
        }
        for hook in hooks.into_iter().rev() {
            let script = ScriptFrame::new(&mut self.table, hook, trigger.args);
            self.table.world.flow.push(Frame::Script(script));
        }
    }

    /// One step of the innermost frame. False where the game waits.
    fn step(&mut self) -> Result<bool, ScriptError> {
        // A script stays on the stack while it runs, so that it sees the battle it belongs to and what it starts comes to
        // lie above it.
        match self.table.world.flow.last() {
            Some(Frame::Script(script)) => {
                if script.is_new() {
                    self.leave_base();
                }
                return self.step_script();
            }
            Some(Frame::Simultaneous(scripts)) if scripts.iter().any(ScriptFrame::is_new) => self.leave_base(),
            Some(Frame::Idle) => return Ok(false),
            _ => {}
        }
        match self.pop() {
            Some(Frame::Turns(turns)) => self.step_phases(turns),
            Some(Frame::Simultaneous(scripts)) => self.step_simultaneous(scripts),
            Some(Frame::Movement(movement)) => self.step_movement(movement),
            Some(Frame::Battle(battle)) => self.step_battle(battle),
            _ => Err(ScriptError::flow("nothing is left to do and the game has no outcome")),
        }
    }

    fn step_phases(&mut self, mut turns: Turns) -> Result<bool, ScriptError> {
        if self.table.world.flow.is_empty() {
            self.between_phases = true;
        }
        for _ in 0..FLOW_LIMIT {
            let Some(next) = step_turns(&mut self.table, &mut turns)? else {
                return Err(ScriptError::flow("all phases are over and no script has ended the game"));
            };
            if let Some(frame) = next {
                self.table.world.flow.push(Frame::Turns(turns));
                self.table.world.flow.push(frame);
                return Ok(true);
            }
        }
        Err(self.in_circles())
    }

    /// The script that lies on top of the stack.
    fn top_script(&mut self) -> Option<&mut ScriptFrame> {
        match self.table.world.flow.last_mut() {
            Some(Frame::Script(script)) => Some(script),
            _ => None,
        }
    }

    fn step_script(&mut self) -> Result<bool, ScriptError> {
        let Some(script) = self.top_script() else { return Err(ScriptError::flow("a script is lost")) };
        if matches!(script.state, ScriptState::Asking { stale: false, .. }) {
            return Ok(false);
        }
        let (id, hook, args) = (script.id, script.live_hook(), script.args);
        let step = match std::mem::replace(&mut script.state, ScriptState::Waiting) {
            ScriptState::New => self.scripts.start(&mut self.live, id, hook, &args, &mut self.table)?,
            ScriptState::Ready(reply) => self.scripts.resume(&mut self.live, id, &reply, &mut self.table)?,
            ScriptState::Asking { mut ask, before, .. } => {
                self.list_again(id, &mut ask, before)?;
                self.settle(ask, before);
                return Ok(true);
            }
            ScriptState::Waiting => return Err(ScriptError::flow("a script waits for nothing")),
        };
        match step {
            Step::Done => {
                self.pop();
                if let Some(frame) = self.table.world.flow.last_mut() {
                    frame.mark_stale();
                }
            }
            Step::Ask(mut ask) => {
                merge_equal(&mut ask.options, &self.table.catalog);
                self.settle(ask, None);
            }
            Step::Move(order) => {
                if self.table.catalog.movement.is_none() {
                    return Err(ScriptError::flow("the game declares no movement procedure"));
                }
                self.table.world.flow.push(Frame::Movement(Box::new(Movement::new(order))));
            }
            Step::Fight(order) => {
                let battle = Battle::begin(&mut self.table, &order).map_err(|error| ScriptError::flow(error.0))?;
                self.table.world.flow.push(Frame::Battle(Box::new(battle)));
            }
        }
        Ok(true)
    }

    /// The script on top of the stack has asked, or its phase has.
    fn settle(&mut self, ask: Ask, before: Option<PhaseId>) {
        if let Some(script) = self.top_script() {
            script.settle(ask, before);
        }
    }

    /// Lists the options of a question anew: of a script, or of a phase before that starts.
    fn list_again(&mut self, script: u32, ask: &mut Ask, before: Option<PhaseId>) -> Result<(), ScriptError> {
        let Some(phase) = before else {
            if let Some(options) = self.scripts.reopen(&mut self.live, script, &mut self.table)? {
                ask.options = options;
                merge_equal(&mut ask.options, &self.table.catalog);
            }
            return Ok(());
        };
        let question = self.table.catalog.phases[phase.index()].question;
        ask.options = match question.map(|question| question.offer) {
            Some(Offer::Spaces { mut filter, own_home, own_control, beside }) => {
                filter.home = own_home.then_some(ask.seat);
                filter.controller = own_control.then_some(ask.seat);
                if let Some(counter) = beside {
                    let held = self.table.value(counter, Value::Faction(ask.seat));
                    filter.beside = match held.map_err(|error| ScriptError::flow(error.0))? {
                        Value::Space(space) => Some(space),
                        _ => None,
                    };
                }
                // Room for most lists at once.
                let mut options = Vec::with_capacity(16);
                // Nothing lies beside nowhere.
                if beside.is_none() || filter.beside.is_some() {
                    options.extend(self.table.find_spaces(&filter).map(|space| Choice::value(Value::Space(space))));
                }
                options
            }
            Some(Offer::Script(hook)) => self.listed(hook, ask.seat)?,
            None => return Err(ScriptError::flow("a phase lost its question")),
        };
        Ok(())
    }

    /// What a script lists for a seat, for a script that is told the choice beside the seat. Of options that look the same
    /// one is kept.
    fn listed(&mut self, hook: HookId, seat: SeatId) -> Result<Vec<Choice>, ScriptError> {
        let mut options = self.scripts.choices(hook, &[Value::Faction(seat)], &mut self.table)?;
        let fits = |choice: &Choice| 1 + usize::from(choice.verb.is_some()) + choice.args.len() <= Args::MOST;
        match options.iter().find(|choice| !fits(choice)) {
            None => {
                merge_equal(&mut options, &self.table.catalog);
                Ok(options)
            }
            Some(choice) => {
                let key = choice.key(&self.table.catalog);
                let message = format!("the option `{key}` has too many values: beside a keyword there may be two here");
                Err(ScriptError { hook: Some(hook), ..ScriptError::flow(message) })
            }
        }
    }

    /// A script begins. If nothing has run since the phase before, the game can be rebuilt from here without a past.
    fn leave_base(&mut self) {
        if !std::mem::take(&mut self.between_phases) {
            return;
        }
        match &mut self.next_base {
            Some(next) => copy_world(next, &self.table.world),
            None => self.next_base = Some(Arc::new((*self.table.world).clone())),
        }
        self.has_next_base = true;
        self.rolled_before = self.table.rolled.len();
    }

    fn step_simultaneous(&mut self, mut scripts: Vec<ScriptFrame>) -> Result<bool, ScriptError> {
        let mut moved = false;
        let mut done = Vec::new();
        for (at, script) in scripts.iter_mut().enumerate() {
            let step = match std::mem::replace(&mut script.state, ScriptState::Waiting) {
                ScriptState::New => {
                    let (hook, args) = (script.live_hook(), script.args);
                    self.scripts.start(&mut self.live, script.id, hook, &args, &mut self.table)?
                }
                ScriptState::Ready(reply) => self.scripts.resume(&mut self.live, script.id, &reply, &mut self.table)?,
                ScriptState::Asking { mut ask, stale, before } => {
                    if stale {
                        self.list_again(script.id, &mut ask, before)?;
                        moved = true;
                    }
                    script.settle(ask, before);
                    continue;
                }
                ScriptState::Waiting => return Err(ScriptError::flow("a script waits for nothing")),
            };
            moved = true;
            match step {
                Step::Done => done.push(at),
                Step::Ask(mut ask) => {
                    if Some(ask.seat) != script.owner {
                        return Err(ScriptError::flow("in a simultaneous phase a script may ask only its own seat"));
                    }
                    merge_equal(&mut ask.options, &self.table.catalog);
                    script.settle(ask, None);
                }
                Step::Move(_) | Step::Fight(_) => {
                    return Err(ScriptError::flow("a simultaneous phase cannot start a movement or a battle"));
                }
            }
        }
        for at in done.into_iter().rev() {
            scripts.remove(at);
        }
        if scripts.is_empty() {
            return Ok(true);
        }
        self.table.world.flow.push(Frame::Simultaneous(scripts));
        Ok(moved)
    }

    fn step_movement(&mut self, mut movement: Box<Movement>) -> Result<bool, ScriptError> {
        let scripts = &self.scripts;
        let prepared = movement
            .prepare(&mut self.table, &mut |table, point, value, args| scripts.query(point, value, args, table))?;
        if !prepared && movement.ask.is_some() && !movement.stale {
            self.table.world.flow.push(Frame::Movement(movement));
            return Ok(false);
        }
        movement.open(&self.table);
        let single = match &movement.ask {
            Some(ask) if ask.options.len() == 1 && !ask.always => Some(ask.options[0]),
            _ => None,
        };
        if let Some(choice) = single
            && let Some(result) = movement.answer(&mut self.table, &choice)
        {
            self.finish(Reply::Moved(result));
            return Ok(true);
        }
        self.table.world.flow.push(Frame::Movement(movement));
        Ok(true)
    }

    fn step_battle(&mut self, battle: Box<Battle>) -> Result<bool, ScriptError> {
        let fail = |error: crate::table::RuleError| ScriptError::flow(error.0);
        self.table.world.flow.push(Frame::Battle(battle));
        // The kernel's own steps bring about nothing that would have to run before the next one.
        while let Some(step) = self.table.next_battle_step().map_err(fail)? {
            match step {
                BattleStep::Roll => self.table.battle_roll([SideId::Attacker, SideId::Defender]).map_err(fail)?,
                BattleStep::Count => {
                    let mut totals = [0; 4];
                    let queries = self.table.count_queries().map_err(fail)?;
                    for (total, (point, value, args)) in totals.iter_mut().zip(queries) {
                        *total = self.scripts.query(point, value, &args, &mut self.table)?;
                    }
                    self.table.apply_count(totals).map_err(fail)?;
                }
                BattleStep::Resolve => {
                    self.table.battle_resolve().map_err(fail)?;
                }
                BattleStep::Run(hook) => {
                    let live = LiveHook { hook, owner: None, card: None, priority: 0 };
                    let script = ScriptFrame::new(&mut self.table, live, Args::NONE);
                    self.table.world.flow.push(Frame::Script(script));
                    return Ok(true);
                }
            }
        }
        let winner = self.table.world.battle().and_then(|battle| battle.winner);
        self.pop();
        let words = &self.table.catalog.words;
        let side = match winner {
            Some(SideId::Attacker) => words.attacker,
            Some(SideId::Defender) => words.defender,
            None => return Err(ScriptError::flow("a battle ended without a `resolve` step")),
        };
        self.finish(Reply::Fought(side));
        Ok(true)
    }

    // Imagination -------------------------------------------------------------------------------------------------

    /// Runs all live query hooks of a point over a value.
    pub fn query(&mut self, point: PointId, value: i32, args: &[Value]) -> Result<i32, ScriptError> {
        self.scripts.query(point, value, args, &mut self.table)
    }

    /// A copy of the game as `seat` may imagine it: what the seat cannot see is dealt anew, secret choices of others that
    /// are under way fall anew, and chance is new. The seat's view and everything it has seen since the last pause between
    /// scripts stay true, so dice lie as they lie. `None` where no deal of a few tries fits what the seat has seen. The
    /// copy keeps no events and its record begins here.
    pub fn imagine(&self, seat: SeatId, rng: &mut Rng) -> Option<Game<S>> {
        let seen = self.table.view(Some(seat));
        for _ in 0..8 {
            let mut copy = self.clone();
            copy.table.record_events = false;
            copy.record = Arc::default();
            let base = Arc::make_mut(&mut copy.base);
            base.reseed(rng);
            base.deal_unseen(&self.table.catalog, &self.table.world, seat, rng);
            base.stir_fog(&self.table.catalog, &self.table.world, seat, rng);
            // What others may choose from can hang on what has been dealt.
            base.flow.last_mut().into_iter().for_each(Frame::mark_stale);
            if copy.imagine_by_scripts(seat).is_err() {
                continue;
            }
            // Dice that lie on the table lie there in every imagined world.
            Arc::make_mut(&mut copy.base).rng.script(&self.table.rolled);
            if copy.rebuild_imagined(seat, rng).is_ok() && copy.table.view(Some(seat)) == seen {
                return Some(copy);
            }
        }
        None
    }

    /// Lets the packs deal anew in the base what the kernel knows nothing of.
    fn imagine_by_scripts(&mut self, seat: SeatId) -> Result<(), ScriptError> {
        let point = self.table.catalog.kernel.bot_imagine;
        if !self.table.anyone_listens(point) {
            return Ok(());
        }
        (*self.table.world).clone_from(&self.base);
        let mut hooks = Vec::new();
        self.table.live_hooks(point, &mut hooks);
        for hook in hooks {
            let step = self.scripts.start(&mut self.live, 0, hook, &[Value::Faction(seat)], &mut self.table)?;
            if !matches!(step, Step::Done) {
                return Err(ScriptError::flow("a `bot.imagine` hook may not ask, move or fight"));
            }
        }
        copy_world(&mut self.base, &self.table.world);
        Ok(())
    }

    /// Goes from the base through the answers since, but lets the secret choices of others fall anew.
    fn rebuild_imagined(&mut self, seat: SeatId, rng: &mut Rng) -> Result<(), ScriptError> {
        let since = std::mem::take(&mut self.since);
        self.live = S::Live::default();
        (*self.table.world).clone_from(&self.base);
        self.table.rolled.clear();
        self.advance()?;
        for mut answer in since {
            let is_secret = matches!(self.table.world.flow.last(), Some(Frame::Simultaneous(_)));
            if is_secret && !answer.aside && answer.seat != seat {
                // On another way through its choices the other may have finished sooner.
                let Some(choice) = self.any_choice(answer.seat, rng) else { continue };
                answer.choice = choice;
            }
            self.apply(&answer)?;
            self.advance()?;
            self.since.push(answer);
        }
        (self.has_next_base, self.between_phases) = (false, false);
        self.dormant = false;
        Ok(())
    }

    /// Any option that a seat has now and that does not just take something back.
    fn any_choice(&self, seat: SeatId, rng: &mut Rng) -> Option<Choice> {
        let words = &self.table.catalog.words;
        let ask = self.pending().into_iter().find(|ask| ask.seat == seat)?;
        let goes_on = |choice: &&Choice| choice.verb != Some(words.undo) && choice.verb != Some(words.back);
        let options: Vec<&Choice> = ask.options.iter().filter(goes_on).collect();
        options.get(rng.below(options.len().max(1) as u32) as usize).map(|choice| **choice)
    }

    // For scenarios -----------------------------------------------------------------------------------------------

    /// Whether nothing is to be done: what [`Game::run_hook`] started is over and no flow waits below it.
    pub fn is_idle(&self) -> bool {
        matches!(self.table.world.flow.last(), Some(Frame::Idle))
    }

    /// Runs an effect hook on top of whatever waits, as if the rules had called it. For scenarios and tools; a game that
    /// was changed this way has a record that does not replay.
    pub fn run_hook(&mut self, hook: LiveHook, args: &[Value]) -> Result<(), ScriptError> {
        if self.dormant {
            self.rebuild()?;
        }
        let script = ScriptFrame::new(&mut self.table, hook, Args::new(args));
        self.table.world.flow.push(Frame::Script(script));
        self.advance_from_here()
    }

    /// Drops whatever was to be done and goes through the flow from `phase` on. A loop around it is in the turn that its
    /// counter shows. For scenarios and tools, as above.
    pub fn run_phase(&mut self, phase: PhaseId) -> Result<(), ScriptError> {
        let turns =
            Turns::at(&self.table, phase).ok_or_else(|| ScriptError::flow("the phase is no part of the flow"))?;
        self.live = S::Live::default();
        self.table.world.flow.clear();
        self.table.world.triggers.clear();
        self.table.world.flow.push(Frame::Turns(turns));
        self.dormant = false;
        self.advance_from_here()
    }

    /// Changes the table directly and has open decisions listed again. No hook hears of the change. For scenarios and
    /// tools, as above.
    pub fn edit(&mut self, change: impl FnOnce(&mut Table) -> Result<(), StartError>) -> Result<(), StartError> {
        if self.dormant {
            self.rebuild()?;
        }
        self.asides = None;
        let queued = self.table.world.triggers.len();
        change(&mut self.table)?;
        self.table.world.triggers.truncate(queued);
        if let Some(frame) = self.table.world.flow.last_mut() {
            frame.mark_stale();
        }
        Ok(self.advance_from_here()?)
    }

    /// Goes on after a change from outside, which becomes part of the base wherever no script is suspended.
    fn advance_from_here(&mut self) -> Result<(), ScriptError> {
        self.asides = None;
        if !self.table.world.flow.iter().any(Frame::is_suspended) {
            self.rebase();
        }
        self.between_phases = false;
        self.advance()?;
        self.keep_next_base(None);
        Ok(())
    }
}

/// Copies a world over another, in place where no clone shares that.
fn copy_world(to: &mut Arc<World>, from: &World) {
    match Arc::get_mut(to) {
        Some(to) => to.clone_from(from),
        None => *to = Arc::new(from.clone()),
    }
}

fn check_config(catalog: &Catalog, config: &GameConfig) -> Result<(), StartError> {
    let fail = |message: String| Err(StartError::Config(message));
    let (least, most) = catalog.seats;
    if config.seats.len() < usize::from(least) || config.seats.len() > usize::from(most) {
        return fail(format!("`{}` is for {least} to {most} seats, got {}", catalog.game, config.seats.len()));
    }
    for (at, seat) in config.seats.iter().enumerate() {
        if seat.index() >= catalog.playable {
            return fail(format!("faction `{}` cannot be led", catalog.id_of(Value::Faction(*seat))));
        }
        if config.seats[..at].contains(seat) {
            return fail(format!("faction `{}` is led twice", catalog.id_of(Value::Faction(*seat))));
        }
    }
    for (counter, value) in &config.options {
        let Some(spec) = catalog.counters.get(counter.index()) else { return fail("unknown option".to_owned()) };
        if !spec.option || spec.scope != Scope::Game {
            return fail(format!("`{}` is no setup option", spec.id));
        }
        if !(spec.min..=spec.max).contains(value) {
            return fail(format!("option `{}` goes from {} to {}, got {value}", spec.id, spec.min, spec.max));
        }
    }
    Ok(())
}

/// A digest of a world, as 16 hexadecimal digits.
pub fn digest(world: &World) -> String {
    // Plain data without maps or floats always serialises.
    let bytes = postcard::to_extend(world, Vec::with_capacity(1024)).unwrap_or_default();
    let first = Sha256::digest(&bytes).iter().take(8).fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{first:016x}")
}
