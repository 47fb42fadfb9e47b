//! `principes bench`: the project's own figures.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use principes_content::load::{Stage, check};
use principes_content::source::{MemoryPack, PackSource};
use principes_core::bots::{self, Bot, MctsBot, Players, RandomBot};
use principes_core::scripts::{Reply, ScriptError, Scripts, Step};
use principes_core::table::LiveHook;
use principes_core::*;
use serde::Serialize;

use crate::out::{self, Exit};
use crate::packs::{Host, PackArgs, Ready};
use crate::save::{answer_words, start_words};
use crate::setup::{Player, Setup, SetupArgs, derive_seed, setup};

/// Rounds of a small measurement; the median counts.
const ROUNDS: usize = 7;
const MOST_DECISIONS: usize = 20_000;
/// Playouts of the searching bot.
const PLAYOUTS: u32 = 100;

const EXAMPLES: &str = "\
Examples:
  principes bench                             every game under content/ and mods/
  principes bench --game ID --seconds 20 --seed 3 > bench.json

Times are CPU times of one core, so that other programs disturb them little. `yardstick_ns` is a
fixed piece of work, which shows how fast the machine was meanwhile: figures of two runs compare
as their quotients.";

/// Measures games, scripts, copies and loading on one core. JSON.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// For how long games are played, for each game.
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    seconds: f64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    optimised: bool,
    /// Most memory that the process has held, in KiB; none where the system does not tell.
    peak_memory_kib: Option<u64>,
    games: Vec<GameReport>,
}

#[derive(Serialize)]
struct GameReport {
    game: String,
    seats: usize,
    games: usize,
    decisions: usize,
    cpu_seconds: f64,
    yardstick_ns: f64,
    games_per_second_per_core: f64,
    decisions_per_second_per_core: f64,
    mcts_playouts_per_second: f64,
    /// Of the time of whole games, with a clock beside every call.
    script_time_share: f64,
    hook_calls: BTreeMap<&'static str, Calls>,
    clone_ns: f64,
    save_ns: f64,
    save_bytes: usize,
    load_ns: f64,
    view_ns: f64,
    view_bytes: usize,
    state_hash_ns: f64,
    pack_load_ms: f64,
    pack_check_ms: f64,
    pack_check_after_edit_ms: f64,
    host_ms: f64,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Calls {
    calls: u64,
    ns_per_call: f64,
    #[serde(skip)]
    time: Duration,
}

/// CPU time of this thread.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where threads have no clock of their own, time as on the wall.
#[cfg(not(unix))]
fn now() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

/// Kinds of hook calls.
const NOBODY: &str = "query_nobody_listens";
const QUERY: &str = "query";
const EFFECT: &str = "effect_without_choice";
const LIVE: &str = "effect_with_choice_live";
const REBUILT: &str = "effect_with_choice_rebuilt";

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
    fn time<T>(&self, call: impl FnOnce(&S) -> T) -> (T, Duration) {
        let begin = now();
        let result = call(&self.inner);
        (result, now() - begin)
    }

    fn note(&self, name: &'static str, calls: u64, time: Duration) {
        let mut all = self.calls.borrow_mut();
        let entry = all.entry(name).or_default();
        entry.calls += calls;
        entry.time += time;
    }
}

/// Under which kind a step counts: a question is counted where it is asked, and its answer adds the time of going on.
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
    fn reopen(&self, live: &mut S::Live, frame: u32, table: &mut Table) -> Result<Option<Vec<Choice>>, ScriptError> {
        let (options, time) = self.time(|inner| inner.reopen(live, frame, table));
        self.note(LIVE, 0, time);
        options
    }
    fn query(&self, point: PointId, value: i32, args: &[Value], table: &mut Table) -> Result<i32, ScriptError> {
        if !table.anyone_listens(point) {
            return self.inner.query(point, value, args, table);
        }
        let (result, time) = self.time(|inner| inner.query(point, value, args, table));
        self.note(QUERY, 1, time);
        result
    }
    fn choices(&self, hook: HookId, args: &[Value], table: &mut Table) -> Result<Vec<Choice>, ScriptError> {
        let (list, time) = self.time(|inner| inner.choices(hook, args, table));
        self.note(QUERY, 1, time);
        list
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!("--seconds must be above 0 and at most 3600, got {}", args.seconds);
    }
    let chosen = if args.packs.packs.is_empty() && args.packs.game.is_none() {
        let folders: Vec<PathBuf> = crate::packs::under(&[])?;
        let one = |folder| PackArgs { packs: vec![folder], game: None };
        folders.into_iter().map(one).collect()
    } else {
        vec![args.packs.clone()]
    };
    let mut games = Vec::new();
    for packs in &chosen {
        games.push(measure_game(packs, args)?);
    }
    // Outside of the repository there is only the game in the program.
    if games.is_empty() {
        games.push(measure_game(&args.packs, args)?);
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        optimised: !cfg!(debug_assertions),
        peak_memory_kib: peak_memory(),
        games,
    };
    out::json(&mut out::stdout(), &report)?;
    Ok(Exit::Fine)
}

fn measure_game(packs: &PackArgs, args: &Args) -> Result<GameReport> {
    let sources = crate::packs::given(packs)?;
    let (pack_check_ms, pack_check_after_edit_ms) = measure_check(&sources, packs.game.as_deref())?;
    let begin = now();
    let ready = crate::packs::load(packs)?;
    let pack_load_ms = milliseconds(now() - begin);
    let begin = now();
    let host = ready.host()?;
    let host_ms = milliseconds(now() - begin);
    let table = setup(&ready.catalog, &args.setup, &[], Player::Random, Player::Random, None, args.seed)?;

    let yardstick_ns = median(|| per_call(1, || _ = black_box(yardstick())));
    let begin = now();
    let (mut games, mut decisions) = (0, 0);
    while games == 0 || (now() - begin).as_secs_f64() < args.seconds {
        decisions += play(&ready, &host, &table, derive_seed(args.seed, games as u64), usize::MAX)?.record().len();
        games += 1;
    }
    let cpu_seconds = (now() - begin).as_secs_f64();

    let (script_time_share, mut hook_calls) = measure_scripts(&ready, &table, args)?;
    // Small operations are measured in the middle of a game.
    let whole = play(&ready, &host, &table, args.seed, usize::MAX)?;
    let mut game = play(&ready, &host, &table, args.seed, whole.record().len() / 2)?;
    hook_calls.extend(measure_hooks(&mut game)?);
    let snapshot = game.snapshot();
    let seat = table.config.seats.first().copied();
    let ask = game.pending().first().map(|ask| (*ask).clone());
    let mut mcts = MctsBot::new(args.seed, PLAYOUTS, None);
    let mcts_ns = median(|| {
        per_call(1, || {
            if let Some(ask) = &ask {
                black_box(mcts.choose(&game, ask));
            }
        })
    });
    let saved = postcard::to_allocvec(&snapshot)?;
    let restore = || -> Result<_> {
        let snapshot: Snapshot = postcard::from_bytes(&saved)?;
        Game::restore(ready.catalog.clone(), host.clone(), snapshot).map_err(|error| anyhow!("{error}"))
    };
    restore()?;
    Ok(GameReport {
        game: ready.catalog.game.clone(),
        seats: table.players.len(),
        games,
        decisions,
        cpu_seconds: round(cpu_seconds),
        yardstick_ns,
        games_per_second_per_core: round(games as f64 / cpu_seconds),
        decisions_per_second_per_core: round(decisions as f64 / cpu_seconds),
        mcts_playouts_per_second: round(f64::from(PLAYOUTS) * 1e9 / mcts_ns),
        script_time_share,
        hook_calls,
        clone_ns: median(|| per_call(100, || drop(black_box(game.clone())))),
        save_ns: median(|| per_call(100, || drop(black_box(postcard::to_allocvec(&game.snapshot()))))),
        save_bytes: saved.len(),
        load_ns: median(|| per_call(100, || drop(black_box(restore())))),
        view_ns: median(|| per_call(100, || drop(black_box(game.table().view(seat))))),
        view_bytes: postcard::to_allocvec(&game.table().view(seat))?.len(),
        state_hash_ns: median(|| per_call(100, || drop(black_box(game.digest())))),
        pack_load_ms,
        pack_check_ms,
        pack_check_after_edit_ms,
        host_ms,
    })
}

/// Plays one game with random bots, at most so many decisions of it.
fn play<S: Scripts + 'static>(ready: &Ready, host: &S, table: &Setup, seed: u64, decisions: usize) -> Result<Game<S>> {
    let config = GameConfig { seed, ..table.config.clone() };
    let started = Game::new(ready.catalog.clone(), host.clone(), config);
    let mut game = started.map_err(|error| anyhow!("{}", start_words(&error)))?;
    game.record_events(false);
    let mut players: Players<S> = Vec::new();
    for (seat, _) in &table.players {
        players.push((*seat, Box::new(RandomBot::new(derive_seed(seed, 1 + u64::from(seat.0))))));
    }
    while game.record().len() < decisions.min(MOST_DECISIONS)
        && bots::step(&mut game, &mut players).map_err(|error| anyhow!("{}", answer_words(&error)))?
    {}
    Ok(game)
}

/// The share of scripts in the time of whole games, and what their calls take.
fn measure_scripts(ready: &Ready, table: &Setup, args: &Args) -> Result<(f64, BTreeMap<&'static str, Calls>)> {
    let host = Timed { inner: ready.host()?, calls: Rc::default() };
    let clock = median(|| per_call(1000, || _ = black_box(now())));
    let begin = now();
    let mut games = 0;
    while games == 0 || (now() - begin).as_secs_f64() < args.seconds / 2.0 {
        play(ready, &host, table, derive_seed(args.seed, games), usize::MAX)?;
        games += 1;
    }
    let all = (now() - begin).as_nanos() as f64;
    let mut calls = host.calls.borrow().clone();
    let mut in_scripts = 0.0;
    let mut clocks = 0.0;
    for entry in calls.values_mut() {
        // One of the two looks at the clock falls into the time of the call.
        let net = (entry.time.as_nanos() as f64 - clock * entry.calls as f64).max(0.0);
        entry.ns_per_call = round(net / entry.calls.max(1) as f64);
        in_scripts += net;
        clocks += 2.0 * clock * entry.calls as f64;
    }
    Ok((round((in_scripts / (all - clocks).max(1.0)).min(1.0)), calls))
}

/// Hook calls that do not come up, or not alone, in the games.
fn measure_hooks(game: &mut Game<Host>) -> Result<Vec<(&'static str, Calls)>> {
    let mut list = Vec::new();
    let mut add = |name, ns: f64| list.push((name, Calls { calls: 0, ns_per_call: round(ns), time: Duration::ZERO }));
    let quiet = (0..game.catalog().points.len()).map(PointId::at).find(|point| {
        let queries = game.catalog().points[point.index()].kind == principes_core::catalog::PointKind::Query;
        queries && !game.table().anyone_listens(*point)
    });
    if let Some(point) = quiet {
        add(NOBODY, median(|| per_call(1000, || drop(black_box(game.query(point, 1, &[]))))));
    }
    // An answer to a copy brings its suspended scripts back to life first; an answer to the copy after that does not.
    if let Some(ask) = game.pending().first().map(|ask| (*ask).clone()) {
        let choice = ask.options[0];
        let clone = median(|| per_call(50, || drop(black_box(game.clone()))));
        let answered = median(|| per_call(50, || drop(black_box(game.clone().answer(ask.seat, choice)))));
        add(REBUILT, (answered - clone).max(0.0));
    }
    Ok(list)
}

/// Time of a whole check, and of another after one file has been edited.
fn measure_check(sources: &[std::sync::Arc<dyn PackSource>], game: Option<&str>) -> Result<(f64, f64)> {
    let options = crate::packs::options(game, Stage::Scripts);
    let begin = now();
    black_box(check(sources, &options));
    let cold = milliseconds(now() - begin);
    let mut edited: Vec<std::sync::Arc<dyn PackSource>> = sources.to_vec();
    if let Some(last) = edited.last_mut() {
        let files = last.list()?;
        let texts = files.iter().find(|file| file.starts_with("locale/"));
        let mut copy = MemoryPack::new(last.label(""));
        for file in &files {
            let mut bytes = last.read(file)?;
            if Some(file) == texts {
                bytes.push(b'\n');
            }
            copy = copy.with(file, bytes);
        }
        *last = std::sync::Arc::new(copy);
    }
    let begin = now();
    black_box(check(&edited, &options));
    Ok((cold, milliseconds(now() - begin)))
}

/// A fixed piece of work that has nothing to do with games: a million steps of a generator.
fn yardstick() -> u64 {
    (0..1_000_000u64).fold(1, |z, at| (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(at))
}

/// Nanoseconds of one call among many.
fn per_call(calls: u32, mut call: impl FnMut()) -> f64 {
    let begin = now();
    for _ in 0..calls {
        call();
    }
    (now() - begin).as_nanos() as f64 / f64::from(calls)
}

/// The median of a few rounds.
fn median(mut round_of: impl FnMut() -> f64) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS).map(|_| round_of()).collect();
    rounds.sort_by(f64::total_cmp);
    round(rounds[ROUNDS / 2])
}

/// Most memory that the process has held, in KiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn milliseconds(time: Duration) -> f64 {
    round(time.as_secs_f64() * 1000.0)
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
