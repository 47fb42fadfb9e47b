//! The pieces of work that benchmarks measure.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use principes_app::failure::{answer_failure, start_failure};
use principes_app::setup::STUCK;
use principes_core::LiveHook;
use principes_core::bots::{self, Players, RandomBot};
use principes_core::catalog::HookPointKind;
use principes_core::rng::derive_seed;
use principes_core::scripts::{Reply, ScriptError, Scripts, Step};
use principes_core::*;
use principes_model::Loaded;
use principes_scripting::LuaHost;
use principes_source::{FileRole, MemoryPack, PackSource};
use serde::Serialize;

use super::clock::timed;

/// A query without listeners.
pub const NOBODY: &str = "query_nobody_listens";
/// A query with a listener.
pub const QUERY: &str = "query";
/// An effect hook without a decision.
pub const EFFECT: &str = "effect_without_choice";
/// An effect hook with a decision, which continues with the answer.
pub const LIVE: &str = "effect_with_choice_live";
/// An answer to a clone, whose suspended scripts must be rebuilt.
pub const REBUILT: &str = "effect_with_choice_rebuilt";

/// Calls of one kind, and their time.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Calls {
    /// The number of calls.
    pub calls: u64,
    /// The time of one call in nanoseconds.
    pub ns_per_call: f64,
    /// The time of all calls.
    #[serde(skip)]
    pub time: Duration,
}

/// A script host that measures its calls.
pub struct Timed<S> {
    inner: S,
    /// The measurements by kind of call.
    pub calls: Rc<RefCell<BTreeMap<&'static str, Calls>>>,
}

impl<S> Timed<S> {
    /// Wraps a host.
    pub fn new(inner: S) -> Self {
        Timed { inner, calls: Rc::default() }
    }

    fn time<T>(&self, call: impl FnOnce(&S) -> T) -> (T, Duration) {
        timed(|| call(&self.inner))
    }

    fn note(&self, name: &'static str, calls: u64, time: Duration) {
        let mut all = self.calls.borrow_mut();
        let entry = all.entry(name).or_default();
        entry.calls += calls;
        entry.time += time;
    }
}

impl<S: Clone> Clone for Timed<S> {
    fn clone(&self) -> Self {
        Timed { inner: self.inner.clone(), calls: self.calls.clone() }
    }
}

/// The kind of a step. A decision is counted when the hook asks for it; its answer adds the time of continuing.
fn kind(step: &Result<Step, ScriptError>) -> &'static str {
    match step {
        Ok(Step::Done) | Err(_) => EFFECT,
        Ok(_) => LIVE,
    }
}

impl<S: Scripts> Scripts for Timed<S> {
    type Live = S::Live;

    fn start(
        &self,
        live: &mut S::Live,
        frame: u32,
        hook: LiveHook,
        args: &[Value],
        table: &mut Table,
    ) -> Result<Step, ScriptError> {
        let (step, time) = self.time(|inner| inner.start(live, frame, hook, args, table));
        self.note(kind(&step), 1, time);
        step
    }
    fn resume(&self, live: &mut S::Live, frame: u32, reply: &Reply, table: &mut Table) -> Result<Step, ScriptError> {
        let (step, time) = self.time(|inner| inner.resume(live, frame, reply, table));
        self.note(LIVE, u64::from(kind(&step) == LIVE), time);
        step
    }
    fn reopen(
        &self,
        live: &mut S::Live,
        frame: u32,
        table: &mut Table,
    ) -> Result<Option<Vec<DecisionOption>>, ScriptError> {
        let (options, time) = self.time(|inner| inner.reopen(live, frame, table));
        self.note(LIVE, 0, time);
        options
    }
    fn query(&self, point: HookPointId, value: i32, args: &[Value], table: &mut Table) -> Result<i32, ScriptError> {
        if !table.anyone_listens(point) {
            return self.inner.query(point, value, args, table);
        }
        let (result, time) = self.time(|inner| inner.query(point, value, args, table));
        self.note(QUERY, 1, time);
        result
    }
    fn options(&self, hook: HookId, args: &[Value], table: &mut Table) -> Result<Vec<DecisionOption>, ScriptError> {
        let (list, time) = self.time(|inner| inner.options(hook, args, table));
        self.note(QUERY, 1, time);
        list
    }
    fn steps(&self) -> u64 {
        self.inner.steps()
    }
    fn take_most_steps(&self) -> u64 {
        self.inner.take_most_steps()
    }
    fn seclude(&self, on: bool) -> bool {
        self.inner.seclude(on)
    }
}

/// The number of decisions at which the searching bot is measured.
const POSITIONS: usize = 5;

/// Why work failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The game cannot be started or restored.
    #[error("{}", start_failure(.0))]
    Start(StartError),
    /// A script failed.
    #[error("{}", answer_failure(.0))]
    Answer(Box<AnswerError>),
    /// The state could not be serialized or deserialized.
    #[error(transparent)]
    Bytes(#[from] postcard::Error),
    /// The game is stuck.
    #[error("{STUCK}")]
    Stuck,
}

impl From<StartError> for WorkError {
    fn from(error: StartError) -> Self {
        WorkError::Start(error)
    }
}

impl From<AnswerError> for WorkError {
    fn from(error: AnswerError) -> Self {
        WorkError::Answer(Box::new(error))
    }
}

/// Games between random bots.
pub struct Work {
    /// The packs.
    pub loaded: Loaded,
    /// The script host.
    pub host: LuaHost,
    /// The seats and options of every game.
    pub config: GameConfig,
    /// A game ends after this many decisions.
    pub most_decisions: usize,
}

impl Work {
    /// Plays one game for at most the given number of decisions.
    pub fn play<S: Scripts + 'static>(&self, host: &S, seed: u64, decisions: usize) -> Result<Game<S>, WorkError> {
        self.play_while(host, seed, |game| game.record().len() < decisions)
    }

    /// Plays one game until a callback, which runs before each decision, stops it.
    fn play_while<S: Scripts + 'static>(
        &self,
        host: &S,
        seed: u64,
        mut goes_on: impl FnMut(&Game<S>) -> bool,
    ) -> Result<Game<S>, WorkError> {
        let config = GameConfig { seed, ..self.config.clone() };
        let mut game = Game::new(self.loaded.catalog.clone(), host.clone(), config)?;
        game.record_events(false);
        let mut players: Players<S> = Vec::new();
        for seat in &self.config.seats {
            players.push((*seat, Box::new(RandomBot::new(derive_seed(seed, 1 + u64::from(seat.0))))));
        }
        while game.record().len() < self.most_decisions && goes_on(&game) && bots::step(&mut game, &mut players)? {}
        Ok(game)
    }

    /// A game in its middle.
    pub fn midway(&self, seed: u64) -> Result<Game<LuaHost>, WorkError> {
        let whole = self.play(&self.host, seed, usize::MAX)?;
        self.play(&self.host, seed, whole.record().len() / 2)
    }

    /// Positions spread over a game, each with a decision between several options.
    pub fn options(&self, seed: u64) -> Result<Vec<(Game<LuaHost>, Decision)>, WorkError> {
        let all = self.play(&self.host, seed, usize::MAX)?.record().len();
        let mut found = Vec::new();
        self.play_while(&self.host, seed, |game| {
            let pending = game.pending();
            let decision = pending.first().filter(|decision| bots::forward(game, decision).len() > 1);
            if let Some(decision) =
                decision.filter(|_| game.record().len() * (POSITIONS + 1) >= all * (found.len() + 1))
            {
                found.push((game.clone(), (*decision).clone()));
            }
            found.len() < POSITIONS
        })?;
        Ok(found)
    }

    /// Restores a saved game.
    pub fn restore(&self, saved: &[u8]) -> Result<Game<LuaHost>, WorkError> {
        let snapshot: GameState = postcard::from_bytes(saved)?;
        Ok(Game::restore(self.loaded.catalog.clone(), self.host.clone(), snapshot)?)
    }
}

/// Serializes a game.
pub fn save(game: &Game<LuaHost>) -> Result<Vec<u8>, WorkError> {
    Ok(postcard::to_allocvec(&game.state())?)
}

/// A query without listeners, if the game has one.
pub fn quiet_query(game: &Game<LuaHost>) -> Option<HookPointId> {
    let points = &game.catalog().points;
    let is_quiet = |point: &HookPointId| {
        points[point.index()].kind == HookPointKind::Query && !game.table().anyone_listens(*point)
    };
    (0..points.len()).map(HookPointId::at).find(is_quiet)
}

/// Answers a decision of a clone, which first rebuilds its suspended scripts.
pub fn answer_copy(game: &Game<LuaHost>) -> Result<Game<LuaHost>, WorkError> {
    let decision = game.pending().first().map(|decision| (*decision).clone()).ok_or(WorkError::Stuck)?;
    let mut copy = game.clone();
    copy.answer(decision.seat, decision.options[0])?;
    Ok(copy)
}

/// The packs with one file of the last one edited: a file of messages gets another line.
pub fn edited(sources: &[Arc<dyn PackSource>]) -> io::Result<Vec<Arc<dyn PackSource>>> {
    let mut edited = sources.to_vec();
    if let Some(last) = edited.last_mut() {
        let files = last.list()?;
        let texts = files.iter().find(|file| matches!(FileRole::of(file), FileRole::Messages(_)));
        let mut copy = MemoryPack::new(last.label(""));
        for file in &files {
            let mut bytes = last.read(file)?;
            if Some(file) == texts {
                bytes.push(b'\n');
            }
            copy = copy.with(file, bytes);
        }
        *last = Arc::new(copy);
    }
    Ok(edited)
}
