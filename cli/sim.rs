//! `principes sim`: many games between bots, and what they say about a game's balance.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use principes_core::bots::{self, Players};
use principes_core::catalog::{PhaseBody, Visible};
use principes_core::scripts::Scripts;
use principes_core::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::ink;
use crate::out::{self, Exit};
use crate::packs::{PackArgs, Ready};
use crate::save::answer_words;
use crate::setup::{Player, Setup, SetupArgs, derive_seed, setup};

/// A game with more decisions than this is a fault.
const MOST_DECISIONS: usize = 20_000;
/// Answers that a fault shows.
const LAST_ANSWERS: usize = 8;
/// Stack of a worker; scripts nest.
const STACK: usize = 16 << 20;

const EXAMPLES: &str = "\
Examples:
  principes sim --games 1000
  principes sim --games 200 --seats greedy --format json --out balance.json
  principes sim --seats greedy,random,random --set KEY=1
  principes sim --games 10000 --shard 2/4        the second quarter, on one of four machines";

/// Many games between bots: who wins and how, which cards matter, which hooks never run.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// How many games.
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    /// Bots in seat order (one stands for all), or `faction=bot` pairs: random, greedy, mcts:N.
    #[arg(long, value_name = "LIST", default_value = "random")]
    seats: Vec<String>,
    /// Seed from which the games' seeds are derived.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worker threads; as many as there are cores unless said.
    #[arg(long, value_name = "J")]
    jobs: Option<usize>,
    /// Only one part of the games: the I-th of N.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<(usize, usize)>,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Where it is written; standard output unless said.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for people.
    Human,
    /// Everything, for programs.
    Json,
    /// One line a game.
    Csv,
}

fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if (1..=n).contains(&i) => Ok((i, n)),
        _ => Err("write it as I/N with I from 1 to N, such as 2/4".to_owned()),
    }
}

/// What is known of a game when it is over.
struct Played {
    seed: u64,
    digest: String,
    decisions: usize,
    outcome: Option<Outcome>,
    rounds: Option<i32>,
    /// Cards that left a hand face up: design and seat, each pair once.
    played: BTreeSet<(DesignId, SeatId)>,
    fault: Option<Fault>,
}

/// A game that went wrong.
#[derive(Clone, Debug, Serialize)]
struct Fault {
    game: usize,
    seed: u64,
    message: String,
    decisions: usize,
    last_answers: Vec<String>,
}

#[derive(Serialize)]
struct Report {
    games: usize,
    decisions: usize,
    seconds: f64,
    games_per_second: f64,
    decisions_per_second: f64,
    state_hash: String,
    outcomes: BTreeMap<String, usize>,
    seats: Vec<SeatReport>,
    rounds: BTreeMap<String, usize>,
    cards: BTreeMap<String, CardReport>,
    hooks: HookReport,
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct SeatReport {
    faction: String,
    bot: String,
    wins: usize,
    win_rate: f64,
    ci95: [f64; 2],
}

#[derive(Default, Serialize)]
struct CardReport {
    played: usize,
    won_when_played: usize,
}

#[derive(Serialize)]
struct HookReport {
    declared: usize,
    reached: usize,
    unreached: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if args.games == 0 {
        bail!("--games must be at least 1");
    }
    if args.jobs == Some(0) {
        bail!("--jobs must be at least 1");
    }
    let ready = crate::packs::load(&args.packs)?;
    let catalog = &ready.catalog;
    // A single bot stands for every seat.
    let single = match args.seats.as_slice() {
        [one] if !one.contains([',', '=']) => Some(Player::parse(one)?),
        _ => None,
    };
    let rest = single.unwrap_or(Player::Random);
    let table = setup(catalog, &args.setup, &args.seats, rest, rest, None, args.seed)?;
    if table.players.iter().any(|(_, player)| *player == Player::Human) {
        bail!("a simulation has no human seats; `principes play` has");
    }
    let (part, parts) = args.shard.unwrap_or((1, 1));
    let games: Vec<usize> = (0..args.games).filter(|game| game % parts == part - 1).collect();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = args.jobs.unwrap_or(cores).min(games.len().max(1));

    let begin = Instant::now();
    let (played, runs) = play_all(&ready, &table, args.seed, &games, jobs)?;
    let report = report(catalog, &table, &games, &played, &runs, begin.elapsed());
    let text = match args.format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Csv => csv(catalog, &games, &played),
        Format::Human => human(&ready, &report)?,
    };
    out::to_file_or_stdout(args.out.as_deref(), &text)?;
    Ok(Exit::faults(!report.faults.is_empty()))
}

/// Plays games on worker threads. The result does not depend on how many there are.
fn play_all(ready: &Ready, table: &Setup, seed: u64, games: &[usize], jobs: usize) -> Result<(Vec<Played>, Vec<u64>)> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Played>>> = Mutex::new(games.iter().map(|_| None).collect());
    let runs: Mutex<Vec<u64>> = Mutex::new(vec![0; ready.catalog.hooks.len()]);
    let progress = out::progress(games.len(), "{bar:30} {pos}/{len} games, {per_sec}, {eta} left");
    let work = || -> Result<()> {
        let host = ready.host()?;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(at) else { break };
            // 53 bits, so that every reader of JSON can hold it and the game can be played again.
            let played = play_one(ready, &host, table, *game, derive_seed(seed, *game as u64) >> 11);
            results.lock().map_err(|_| anyhow!("another worker failed"))?[at] = Some(played);
            progress.inc(1);
        }
        let mut runs = runs.lock().map_err(|_| anyhow!("another worker failed"))?;
        for (sum, own) in runs.iter_mut().zip(host.hook_runs()) {
            *sum += own;
        }
        Ok(())
    };
    std::thread::scope(|scope| -> Result<()> {
        let mut workers = Vec::new();
        for _ in 0..jobs {
            workers.push(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?);
        }
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a worker failed"))?)
    })?;
    progress.finish_and_clear();
    let results = results.into_inner().map_err(|_| anyhow!("a worker failed"))?;
    let runs = runs.into_inner().map_err(|_| anyhow!("a worker failed"))?;
    Ok((results.into_iter().flatten().collect(), runs))
}

fn play_one<S: Scripts + 'static>(ready: &Ready, host: &S, table: &Setup, at: usize, seed: u64) -> Played {
    let config = GameConfig { seed, ..table.config.clone() };
    let fault = |message: String, decisions: usize, last_answers: Vec<String>| Fault {
        game: at,
        seed,
        message,
        decisions,
        last_answers,
    };
    let mut played = Played {
        seed,
        digest: String::new(),
        decisions: 0,
        outcome: None,
        rounds: None,
        played: BTreeSet::new(),
        fault: None,
    };
    let mut game = match Game::new(ready.catalog.clone(), host.clone(), config) {
        Ok(game) => game,
        Err(error) => {
            played.fault = Some(fault(crate::save::start_words(&error), 0, Vec::new()));
            return played;
        }
    };
    let mut players: Players<S> = table
        .players
        .iter()
        .filter_map(|(seat, player)| Some((*seat, player.bot(derive_seed(seed, 1 + u64::from(seat.0)), None)?)))
        .collect();
    let message = loop {
        note_cards(&mut game, &mut played.played);
        match bots::step(&mut game, &mut players) {
            Ok(true) if game.record().len() > MOST_DECISIONS => {
                break Some(format!("the game did not end within {MOST_DECISIONS} decisions"));
            }
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => break None,
            Ok(false) => break Some("nobody has anything to decide, and the game is not over".to_owned()),
            Err(error) => break Some(answer_words(&error)),
        }
    };
    note_cards(&mut game, &mut played.played);
    played.digest = game.digest();
    played.decisions = game.record().len();
    played.outcome = game.outcome();
    played.rounds = rounds(&game);
    played.fault = message.map(|message| {
        let catalog = game.catalog();
        let last = game.record().iter().rev().take(LAST_ANSWERS).rev();
        let words = last.map(|answer| {
            let aside = if answer.aside { " (aside)" } else { "" };
            format!("{}: {}{aside}", catalog.id_of(Value::Faction(answer.seat)), answer.choice.key(catalog))
        });
        fault(message, played.decisions, words.collect())
    });
    played
}

/// Notes cards that went from where only their owner saw them to where everybody does.
fn note_cards<S: Scripts>(game: &mut Game<S>, played: &mut BTreeSet<(DesignId, SeatId)>) {
    let events = game.take_events();
    let catalog = game.catalog();
    for event in events {
        let Event::Card { card, from, to, face } = event else { continue };
        let visible = |zone: ZoneId| catalog.zones[catalog.zone_list[zone.index()].0.index()].visible;
        let shown = face || visible(to) == Visible::Everyone;
        if let (Some(owner), Visible::Owner, true) = (catalog.zone_list[from.index()].1, visible(from), shown) {
            played.insert((catalog.cards[card.index()], owner));
        }
    }
}

/// How far the outermost loop of the game came, where it is counted.
fn rounds<S: Scripts>(game: &Game<S>) -> Option<i32> {
    let catalog = game.catalog();
    let counter = catalog.flow.iter().find_map(|phase| match &catalog.phases[phase.index()].body {
        PhaseBody::Repeat { counter, .. } => *counter,
        _ => None,
    })?;
    game.table().get(counter, Value::Nil).ok()
}

fn report(
    catalog: &Catalog,
    table: &Setup,
    games: &[usize],
    played: &[Played],
    runs: &[u64],
    time: Duration,
) -> Report {
    let mut hash = Sha256::new();
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let mut rounds: BTreeMap<String, usize> = BTreeMap::new();
    let mut cards: BTreeMap<String, CardReport> = BTreeMap::new();
    let mut wins: BTreeMap<SeatId, usize> = BTreeMap::new();
    for game in played {
        hash.update(game.digest.as_bytes());
        hash.update(b"\n");
        let winner = game.outcome.and_then(|outcome| outcome.winner);
        if let Some(outcome) = game.outcome {
            *outcomes.entry(catalog.symbols.name(outcome.cause.index()).to_owned()).or_default() += 1;
        }
        if let Some(winner) = winner {
            *wins.entry(winner).or_default() += 1;
        }
        if let Some(n) = game.rounds {
            *rounds.entry(n.to_string()).or_default() += 1;
        }
        for (design, seat) in &game.played {
            let card = cards.entry(catalog.designs[design.index()].id.clone()).or_default();
            card.played += 1;
            card.won_when_played += usize::from(winner == Some(*seat));
        }
    }
    let seats = table.players.iter().map(|(seat, player)| {
        let won = wins.get(seat).copied().unwrap_or(0);
        SeatReport {
            faction: catalog.id_of(Value::Faction(*seat)),
            bot: player.name(),
            wins: won,
            win_rate: round(won as f64 / played.len().max(1) as f64),
            ci95: wilson(won, played.len()),
        }
    });
    let seats = seats.collect();
    let unreached: Vec<String> = catalog
        .hooks
        .iter()
        .enumerate()
        .filter(|(at, _)| runs.get(*at).is_none_or(|runs| *runs == 0))
        .map(|(at, _)| crate::packs::hook_name(catalog, HookId::at(at)))
        .collect();
    let seconds = time.as_secs_f64();
    let decisions: usize = played.iter().map(|game| game.decisions).sum();
    Report {
        games: games.len(),
        decisions,
        seconds: round(seconds),
        games_per_second: round(games.len() as f64 / seconds.max(1e-9)),
        decisions_per_second: round(decisions as f64 / seconds.max(1e-9)),
        state_hash: crate::packs::hex(&hash.finalize()),
        outcomes,
        seats,
        rounds,
        cards,
        hooks: HookReport { declared: catalog.hooks.len(), reached: catalog.hooks.len() - unreached.len(), unreached },
        faults: played.iter().filter_map(|game| game.fault.clone()).collect(),
    }
}

fn round(x: f64) -> f64 {
    (x * 10_000.0).round() / 10_000.0
}

/// Wilson's interval: where a rate lies with 95 % confidence.
fn wilson(wins: usize, games: usize) -> [f64; 2] {
    if games == 0 {
        return [0.0, 1.0];
    }
    let (n, z) = (games as f64, 1.96_f64);
    let p = wins as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    [round(((middle - half) / scale).max(0.0)), round(((middle + half) / scale).min(1.0))]
}

fn csv(catalog: &Catalog, games: &[usize], played: &[Played]) -> String {
    let mut text = String::from("game,seed,decisions,rounds,winner,cause,digest,fault\n");
    for (at, game) in games.iter().zip(played) {
        let winner =
            game.outcome.and_then(|o| o.winner).map(|seat| catalog.id_of(Value::Faction(seat))).unwrap_or_default();
        let cause = game.outcome.map(|o| catalog.symbols.name(o.cause.index()).to_owned()).unwrap_or_default();
        let rounds = game.rounds.map(|n| n.to_string()).unwrap_or_default();
        let fault =
            game.fault.as_ref().map(|fault| format!("\"{}\"", fault.message.replace('"', "\"\""))).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "{at},{},{},{rounds},{winner},{cause},{},{fault}", game.seed, game.decisions, game.digest);
    }
    text
}

fn human(ready: &Ready, report: &Report) -> Result<String> {
    let words = ready.words("en");
    let mut text = Vec::new();
    let bold = ink::bold();
    writeln!(
        text,
        "{bold}{} games{bold:#}, {} decisions, {:.1} s ({:.1} games/s, {:.0} decisions/s)",
        report.games, report.decisions, report.seconds, report.games_per_second, report.decisions_per_second
    )?;
    writeln!(text, "state hash {}", report.state_hash)?;
    writeln!(text, "\n{bold}Seats{bold:#}")?;
    for seat in &report.seats {
        writeln!(
            text,
            "  {:<24} {:<8} {:>6} {:<4}  {:>5.1} %  (95 %: {:.1} to {:.1} %)",
            words.named("faction", &seat.faction),
            seat.bot,
            seat.wins,
            if seat.wins == 1 { "win" } else { "wins" },
            100.0 * seat.win_rate,
            100.0 * seat.ci95[0],
            100.0 * seat.ci95[1]
        )?;
    }
    let share = |n: usize| 100.0 * n as f64 / report.games.max(1) as f64;
    writeln!(text, "\n{bold}Endings{bold:#}")?;
    for (cause, n) in &report.outcomes {
        writeln!(text, "  {cause:<24} {n:>6}  {:>5.1} %", share(*n))?;
    }
    if !report.rounds.is_empty() {
        let rounds: Vec<String> = report.rounds.iter().map(|(round, n)| format!("{round}: {n}")).collect();
        writeln!(text, "\n{bold}Rounds{bold:#}  {}", rounds.join(", "))?;
    }
    if !report.cards.is_empty() {
        writeln!(text, "\n{bold}Cards{bold:#} (games in which a seat played it, and won)")?;
        let mut cards: Vec<_> = report.cards.iter().collect();
        let rate = |card: &CardReport| card.won_when_played as f64 / card.played.max(1) as f64;
        cards.sort_by(|a, b| rate(b.1).total_cmp(&rate(a.1)).then(a.0.cmp(b.0)));
        for (id, card) in cards {
            writeln!(text, "  {id:<32} {:>6}  {:>5.1} %", card.played, 100.0 * rate(card))?;
        }
    }
    writeln!(text, "\n{bold}Hooks{bold:#}  {} of {} ran", report.hooks.reached, report.hooks.declared)?;
    for hook in &report.hooks.unreached {
        writeln!(text, "  never: {hook}")?;
    }
    if !report.faults.is_empty() {
        let bad = ink::bad();
        writeln!(text, "\n{bad}Faults{bad:#}")?;
        for fault in &report.faults {
            writeln!(
                text,
                "  game {} (seed {}), after {} decisions: {}",
                fault.game, fault.seed, fault.decisions, fault.message
            )?;
            for answer in &fault.last_answers {
                writeln!(text, "    {answer}")?;
            }
        }
    }
    Ok(String::from_utf8(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_and_intervals() {
        assert_eq!(parse_shard("2/4"), Ok((2, 4)));
        for wrong in ["0/4", "5/4", "x", "1", "1/0"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
        let [low, high] = wilson(25, 100);
        assert!(low < 0.25 && 0.25 < high && high - low < 0.18);
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
    }
}
