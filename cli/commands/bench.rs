//! `principes bench`: measures the project's own performance.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use principes_app::packs::{PackRef, here, sources_of};
use principes_app::setup::{MOST_DECISIONS, Player, derive_seed, set_up};
use principes_content::{Stage, check};
use principes_core::bots::{Bot, MctsBot};
use principes_core::*;
use principes_lab::measure::clock::{median, memory, now, per_call, timed, yardstick};
use principes_lab::measure::work::{self, Calls, NOBODY, REBUILT, Timed, Work};
use principes_scripting::LuaHost;
use principes_source::PackSource;
use serde::Serialize;

use crate::arguments::{PackArgs, SetupArgs, number};
use crate::output::{self, Exit};
use crate::packs;

/// Playouts of the searching bot for each of its decisions.
const PLAYOUTS: u32 = 32;
/// The kernel's names for the peak and the current memory of the process.
const PEAK: &str = "VmHWM";
const NOW: &str = "VmRSS";
/// Clones that are held at once to measure the memory of one.
const CLONES: usize = 4_000;

const EXAMPLES: &str = "\
Examples:
  principes bench                             every game under content/ and mods/
  principes bench --game ID --seconds 20 --seed 3 > bench.json

Times are CPU times of one core, which other programs hardly affect. `yardstick_ns` times a
fixed piece of work, which shows how fast the machine was. To compare two runs, divide their
figures by it.";

/// Measures games, scripts, clones and loading on one core, and prints JSON.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// Seconds to play each game.
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    seconds: f64,
    /// The seed for all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
}

#[derive(Serialize)]
struct BenchReport {
    version: &'static str,
    optimized: bool,
    /// The peak memory of the process in KiB, including thousands of clones and two checks. `None` if the system does
    /// not report it.
    peak_memory_kib: Option<u64>,
    games: Vec<GameReport>,
}

#[derive(Serialize)]
struct GameReport {
    game: String,
    /// The loaded packs. A game is measured once for each of its variants and extensions.
    packs: Vec<PackRef>,
    seats: usize,
    games: usize,
    decisions: usize,
    cpu_seconds: f64,
    yardstick_ns: f64,
    games_per_second_per_core: f64,
    decisions_per_second_per_core: f64,
    /// The peak memory of the process after the games were played, in KiB.
    peak_memory_kib: Option<u64>,
    /// Measured at decisions spread over a game. `None` if there are no decisions.
    mcts_playouts_per_second: Option<f64>,
    /// The share of scripts in the time of whole games, with a clock around every call.
    script_time_share: f64,
    hook_calls: BTreeMap<&'static str, Calls>,
    clone_ns: f64,
    /// The memory of one clone among many. `None` if the system does not report it.
    clone_bytes: Option<u64>,
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

pub fn run(args: &Args) -> Result<Exit> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!("--seconds must be above 0 and at most 3600, found {}", args.seconds);
    }
    let chosen = if args.packs.packs.is_empty() && args.packs.game.is_none() {
        let folders: Vec<PathBuf> = here();
        let one = |folder| PackArgs { packs: vec![folder], game: None };
        folders.into_iter().map(one).collect()
    } else {
        vec![args.packs.clone()]
    };
    let mut games = Vec::new();
    for packs in &chosen {
        games.push(measure_game(packs, args)?);
    }
    // Outside the repository, only the built-in game exists.
    if games.is_empty() {
        games.push(measure_game(&args.packs, args)?);
    }
    let report = BenchReport {
        version: env!("CARGO_PKG_VERSION"),
        optimized: !cfg!(debug_assertions),
        peak_memory_kib: memory(PEAK),
        games,
    };
    output::json(&mut output::stdout(), &report)?;
    Ok(Exit::Success)
}

fn measure_game(chosen: &PackArgs, args: &Args) -> Result<GameReport> {
    let sources = sources_of(&chosen.request())?;
    let (ready, pack_load) = timed(|| packs::load(chosen));
    let ready = ready?;
    let (host, making_host) = timed(|| ready.host());
    let table = set_up(&ready.catalog, &args.setup.request(Player::Random, args.seed)?)?;
    let config = table.config;
    let work = Work { loaded: ready.loaded, host: host?, config, most_decisions: MOST_DECISIONS };

    let yardstick_ns = round(median(|| per_call(1, || _ = black_box(yardstick()))));
    let (mut games, mut decisions, mut taken) = (0, 0, Duration::ZERO);
    while games == 0 || taken.as_secs_f64() < args.seconds {
        let (game, time) = timed(|| work.play(&work.host, derive_seed(args.seed, games as u64), usize::MAX));
        decisions += game?.record().len();
        games += 1;
        taken += time;
    }
    let cpu_seconds = taken.as_secs_f64();
    // What follows holds much more memory than a game does.
    let peak_memory_kib = memory(PEAK);

    let (script_time_share, mut hook_calls) = measure_scripts(&work, args)?;
    // Small operations are measured in the middle of a game.
    let mut game = work.midway(args.seed)?;
    hook_calls.extend(measure_hooks(&mut game));
    let seat = work.config.seats.first().copied();
    let mcts_playouts_per_second = measure_search(&work, args.seed)?;
    let saved = work::save(&game)?;
    work.restore(&saved)?;
    let clone_bytes = measure_clones(&game);
    let (pack_check_ms, pack_check_after_edit_ms) = measure_check(&sources, chosen.game.as_deref())?;
    Ok(GameReport {
        game: work.loaded.catalog.game.clone(),
        packs: ready.packs,
        seats: work.config.seats.len(),
        games,
        decisions,
        cpu_seconds: round(cpu_seconds),
        yardstick_ns,
        games_per_second_per_core: round(games as f64 / cpu_seconds),
        decisions_per_second_per_core: round(decisions as f64 / cpu_seconds),
        peak_memory_kib,
        mcts_playouts_per_second,
        script_time_share,
        hook_calls,
        clone_ns: small(|| _ = black_box(game.clone())),
        clone_bytes,
        save_ns: small(|| _ = black_box(work::save(&game))),
        save_bytes: saved.len(),
        load_ns: small(|| _ = black_box(work.restore(&saved))),
        view_ns: small(|| _ = black_box(game.table().view(seat))),
        view_bytes: postcard::to_allocvec(&game.table().view(seat))?.len(),
        state_hash_ns: small(|| _ = black_box(game.digest())),
        pack_load_ms: milliseconds(pack_load),
        pack_check_ms,
        pack_check_after_edit_ms,
        host_ms: milliseconds(making_host),
    })
}

/// The share of scripts in the time of whole games, and the time of their calls.
fn measure_scripts(work: &Work, args: &Args) -> Result<(f64, BTreeMap<&'static str, Calls>)> {
    let host = Timed::new(work.loaded.host().map_err(packs::refuse)?);
    let clock = median(|| per_call(1000, || _ = black_box(now())));
    let begin = now();
    let mut games = 0;
    while games == 0 || (now() - begin).as_secs_f64() < args.seconds / 2.0 {
        work.play(&host, derive_seed(args.seed, games), usize::MAX)?;
        games += 1;
    }
    let all = (now() - begin).as_nanos() as f64;
    let mut calls = host.calls.borrow().clone();
    let mut in_scripts = 0.0;
    let mut clocks = 0.0;
    for entry in calls.values_mut() {
        // About one clock reading falls into the time of the call.
        let net = (entry.time.as_nanos() as f64 - clock * entry.calls as f64).max(0.0);
        entry.ns_per_call = round(net / entry.calls.max(1) as f64);
        in_scripts += net;
        clocks += 2.0 * clock * entry.calls as f64;
    }
    Ok((round((in_scripts / (all - clocks).max(1.0)).min(1.0)), calls))
}

/// Playouts of the searching bot. Their cost depends on the options, so the bot thinks at several decisions.
fn measure_search(work: &Work, seed: u64) -> Result<Option<f64>> {
    let mut mcts = MctsBot::new(seed, PLAYOUTS, None);
    let (mut playouts, mut taken) = (0, Duration::ZERO);
    for (game, decision) in work.options(seed)? {
        taken += timed(|| _ = black_box(mcts.choose(&game, &decision))).1;
        playouts += PLAYOUTS;
    }
    Ok((playouts > 0).then(|| round(f64::from(playouts) / taken.as_secs_f64())))
}

/// Hook calls that do not occur in the games, or not in isolation.
fn measure_hooks(game: &mut Game<LuaHost>) -> Vec<(&'static str, Calls)> {
    let mut list = Vec::new();
    let mut add = |name, ns: f64| list.push((name, Calls { ns_per_call: round(ns), ..Calls::default() }));
    if let Some(point) = work::quiet_query(game) {
        add(NOBODY, median(|| per_call(1000, || _ = black_box(game.query(point, 1, &[])))));
    }
    if game.outcome().is_none() {
        let clone = median(|| per_call(50, || _ = black_box(game.clone())));
        let answered = median(|| per_call(50, || _ = black_box(work::answer_copy(game))));
        add(REBUILT, (answered - clone).max(0.0));
    }
    list
}

/// The memory of one clone in bytes, measured over many that are held at once.
fn measure_clones(game: &Game<LuaHost>) -> Option<u64> {
    let hold = || (0..CLONES).map(|_| game.clone()).collect::<Vec<_>>();
    // The first clones reuse freed memory.
    let first = hold();
    let before = memory(NOW)?;
    let second = hold();
    let after = memory(NOW)?;
    drop((first, second));
    Some(after.saturating_sub(before) * 1024 / CLONES as u64)
}

/// The time of a whole check, and of a second check after one file was edited.
fn measure_check(sources: &[std::sync::Arc<dyn PackSource>], game: Option<&str>) -> Result<(f64, f64)> {
    let options = packs::options(game, Stage::Scripts);
    let (_, cold) = timed(|| _ = black_box(check(sources, &options)));
    let edited = work::edited(sources)?;
    let (_, warm) = timed(|| _ = black_box(check(&edited, &options)));
    Ok((milliseconds(cold), milliseconds(warm)))
}

/// The time of a small operation in nanoseconds.
fn small(call: impl FnMut()) -> f64 {
    let mut call = call;
    round(median(|| per_call(100, &mut call)))
}

fn milliseconds(time: Duration) -> f64 {
    round(time.as_secs_f64() * 1000.0)
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
