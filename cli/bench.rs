//! `principes bench`: the project's own figures.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::scripts::{Reply, ScriptError, Scripts, Step};
use principes_core::table::LiveHook;
use principes_core::*;
use serde::Serialize;

use crate::out::{self, Exit};
use crate::packs::PackArgs;
use crate::save::{answer_words, start_words};
use crate::setup::{Player, SetupArgs, derive_seed, setup};

/// How often small operations are repeated.
const REPEATS: u32 = 400;
const MOST_DECISIONS: usize = 20_000;

const EXAMPLES: &str = "\
Examples:
  principes bench
  principes bench --seconds 20 --seed 3 > bench.json";

/// Measures the program on one core: games, decisions, scripts, copies. JSON.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// For how long games are played.
    #[arg(long, default_value_t = 5.0, value_name = "S")]
    seconds: f64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    optimised: bool,
    game: String,
    seats: usize,
    games: usize,
    decisions: usize,
    seconds: f64,
    games_per_second_per_core: f64,
    decisions_per_second_per_core: f64,
    script_time_share: f64,
    script_calls: BTreeMap<&'static str, Calls>,
    load_ms: f64,
    host_ms: f64,
    clone_ns: f64,
    snapshot_ns: f64,
    view_ns: f64,
    digest_ns: f64,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Calls {
    calls: u64,
    ns_per_call: f64,
    #[serde(skip)]
    time: Duration,
}

/// A script host with a clock beside it.
struct Timed<S> {
    inner: S,
    calls: Rc<RefCell<BTreeMap<&'static str, Calls>>>,
}

impl<S: Clone> Clone for Timed<S> {
    fn clone(&self) -> Self {
        Timed { inner: self.inner.clone(), calls: self.calls.clone() }
    }
}

impl<S> Timed<S> {
    fn time<T>(&self, name: &'static str, call: impl FnOnce(&S) -> T) -> T {
        let begin = Instant::now();
        let result = call(&self.inner);
        let time = begin.elapsed();
        let mut calls = self.calls.borrow_mut();
        let entry = calls.entry(name).or_default();
        entry.calls += 1;
        entry.time += time;
        result
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
        self.time("start", |inner| inner.start(live, frame, hook, args, table))
    }
    fn resume(&self, live: &mut S::Live, frame: u32, reply: &Reply, table: &mut Table) -> Result<Step, ScriptError> {
        self.time("resume", |inner| inner.resume(live, frame, reply, table))
    }
    fn reopen(&self, live: &mut S::Live, frame: u32, table: &mut Table) -> Result<Option<Vec<Choice>>, ScriptError> {
        self.time("reopen", |inner| inner.reopen(live, frame, table))
    }
    fn query(&self, point: PointId, value: i32, args: &[Value], table: &mut Table) -> Result<i32, ScriptError> {
        self.time("query", |inner| inner.query(point, value, args, table))
    }
    fn choices(&self, hook: HookId, args: &[Value], table: &mut Table) -> Result<Vec<Choice>, ScriptError> {
        self.time("choices", |inner| inner.choices(hook, args, table))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        anyhow::bail!("--seconds must be above 0 and at most 3600, got {}", args.seconds);
    }
    let begin = Instant::now();
    let ready = crate::packs::load(&args.packs)?;
    let load_ms = milliseconds(begin.elapsed());
    let begin = Instant::now();
    let host = Timed { inner: ready.host()?, calls: Rc::default() };
    let host_ms = milliseconds(begin.elapsed());
    let table = setup(&ready.catalog, &args.setup, &[], Player::Random, Player::Random, None, args.seed)?;

    let start = |seed: u64| -> Result<_> {
        let config = GameConfig { seed, ..table.config.clone() };
        let mut game = Game::new(ready.catalog.clone(), host.clone(), config)
            .map_err(|error| anyhow!("{}", start_words(&error)))?;
        game.record_events(false);
        let mut players: Players<_> = Vec::new();
        for (seat, _) in &table.players {
            players.push((*seat, Box::new(RandomBot::new(derive_seed(seed, 1 + u64::from(seat.0))))));
        }
        Ok((game, players))
    };
    let step = |game: &mut Game<_>, players: &mut Players<_>| -> Result<bool> {
        let moved = bots::step(game, players).map_err(|error| anyhow!("{}", answer_words(&error)))?;
        Ok(moved && game.record().len() < MOST_DECISIONS)
    };

    // Small operations are measured in the middle of a game.
    let (mut whole, mut players) = start(args.seed)?;
    while step(&mut whole, &mut players)? {}
    let middle = whole.record().len() / 2;
    let (mut game, mut players) = start(args.seed)?;
    while game.record().len() < middle && step(&mut game, &mut players)? {}
    let clone_ns = measure(|| drop(black_box(game.clone())));
    let snapshot_ns = measure(|| drop(black_box(game.snapshot())));
    let seat = table.config.seats.first().copied();
    let view_ns = measure(|| drop(black_box(game.table().view(seat))));
    let digest_ns = measure(|| drop(black_box(game.digest())));

    host.calls.borrow_mut().clear();
    let begin = Instant::now();
    let (mut games, mut decisions) = (0, 0);
    while games == 0 || begin.elapsed().as_secs_f64() < args.seconds {
        let (mut game, mut players) = start(derive_seed(args.seed, games as u64))?;
        while step(&mut game, &mut players)? {}
        games += 1;
        decisions += game.record().len();
    }
    let time = begin.elapsed();
    let mut calls = host.calls.borrow().clone();
    for entry in calls.values_mut() {
        entry.ns_per_call = round(entry.time.as_nanos() as f64 / entry.calls.max(1) as f64);
    }
    let in_scripts: Duration = calls.values().map(|entry| entry.time).sum();
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        optimised: !cfg!(debug_assertions),
        game: ready.catalog.game.clone(),
        seats: table.players.len(),
        games,
        decisions,
        seconds: round(time.as_secs_f64()),
        games_per_second_per_core: round(games as f64 / time.as_secs_f64()),
        decisions_per_second_per_core: round(decisions as f64 / time.as_secs_f64()),
        script_time_share: round(in_scripts.as_secs_f64() / time.as_secs_f64()),
        script_calls: calls,
        load_ms,
        host_ms,
        clone_ns,
        snapshot_ns,
        view_ns,
        digest_ns,
    };
    out::json(&mut out::stdout(), &report)?;
    Ok(Exit::Fine)
}

/// Nanoseconds of one call: the least of a few rounds, which noise has disturbed least.
fn measure(mut call: impl FnMut()) -> f64 {
    let rounds = (0..5).map(|_| {
        let begin = Instant::now();
        for _ in 0..REPEATS {
            call();
        }
        begin.elapsed().as_nanos() as f64 / f64::from(REPEATS)
    });
    round(rounds.fold(f64::INFINITY, f64::min))
}

fn milliseconds(time: Duration) -> f64 {
    round(time.as_secs_f64() * 1000.0)
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
