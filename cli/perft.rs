//! `principes perft`: every way a game can go, counted.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use principes_core::*;
use serde::Serialize;

use crate::ink;
use crate::out::{self, Exit, Format};
use crate::packs::{Host, PackArgs, Ready};
use crate::save::answer_words;
use crate::setup::{Player, STUCK, Setup, SetupArgs, setup};
use crate::workers::{self, Jobs};

/// Positions that a worker takes at once.
const CHUNK: usize = 64;

const EXAMPLES: &str = "\
Examples:
  principes perft --game ID --depth 4
  principes perft --pack mods/my-game --depth 6 --format json
  principes perft --game ID --depth 5 --every-game     trusts no two positions to be equal

A depth is a number of answers. Where several seats are asked at once, they answer in seat order; plays beside the
decisions are left out. Chance falls as --seed says.";

/// Counts every way a game can go up to a depth: games, distinct positions, how they end.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// How many answers deep.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    depth: u16,
    /// Seed of all chance in the game.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play every game out instead of going on once from each position. Counts the same, and takes far longer.
    #[arg(long)]
    every_game: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The options chosen from the beginning, by their positions.
type Way = Vec<u16>;

/// What was counted at one depth.
#[derive(Default)]
struct Layer {
    /// Games over at this depth, by winner and cause.
    ended: BTreeMap<(Option<SeatId>, SymbolId), u64>,
    /// Different tables, running and ended.
    states: HashSet<PositionKey>,
    /// Where games go on: how many lead there, and one of them.
    open: HashMap<PositionKey, (u64, Way)>,
    /// Games that go on.
    running: u64,
}

impl Layer {
    /// Notes a position to which `games` games lead. Where they are to go on as one, `way` is one of them.
    fn add(&mut self, game: &Game<Host>, games: u64, way: Option<Way>) -> Result<()> {
        self.states.insert(game.position());
        if let Some(outcome) = game.outcome() {
            return grow(self.ended.entry((outcome.winner, outcome.cause)).or_default(), games);
        }
        grow(&mut self.running, games)?;
        match way {
            Some(way) => self.go_on(game.future(), games, way),
            None => Ok(()),
        }
    }

    fn go_on(&mut self, key: PositionKey, games: u64, way: Way) -> Result<()> {
        match self.open.entry(key) {
            Entry::Vacant(place) => drop(place.insert((games, way))),
            Entry::Occupied(place) => {
                let (sum, least) = place.into_mut();
                grow(sum, games)?;
                // The same one, whichever worker comes first.
                *least = way.min(std::mem::take(least));
            }
        }
        Ok(())
    }

    fn take_in(&mut self, other: Layer) -> Result<()> {
        self.states.extend(other.states);
        grow(&mut self.running, other.running)?;
        for (end, games) in other.ended {
            grow(self.ended.entry(end).or_default(), games)?;
        }
        // Sums and the least way come out the same in whichever order they are taken in.
        #[expect(clippy::iter_over_hash_type)]
        for (key, (games, way)) in other.open {
            self.go_on(key, games, way)?;
        }
        Ok(())
    }

    fn games_ended(&self) -> Result<u64> {
        let mut sum = 0;
        self.ended.values().try_for_each(|games| grow(&mut sum, *games))?;
        Ok(sum)
    }
}

fn grow(count: &mut u64, by: u64) -> Result<()> {
    *count = count.checked_add(by).context("there are more games than can be counted; go less deep")?;
    Ok(())
}

#[derive(Serialize)]
struct Report {
    game: String,
    seats: Vec<String>,
    seed: u64,
    depth: u16,
    /// Games of exactly that many answers, over or not.
    leaves: u64,
    /// Games that were over by then.
    games: u64,
    depths: Vec<DepthReport>,
    outcomes: Vec<OutcomeReport>,
    seconds: f64,
}

#[derive(Serialize)]
struct DepthReport {
    depth: usize,
    leaves: u64,
    states: usize,
    ended: u64,
}

#[derive(Serialize)]
struct OutcomeReport {
    winner: Option<String>,
    cause: String,
    games: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let ready = crate::packs::load(&args.packs)?;
    let table = setup(&ready.catalog, &args.setup, &[], Player::Random, Player::Random, None, args.seed)?;
    let jobs = args.jobs.count();
    let begin = Instant::now();
    let counter = Counter { ready: &ready, table: &table, depth: usize::from(args.depth), jobs };
    let layers = if args.every_game { counter.every_game()? } else { counter.by_position()? };
    let report = report(&ready.catalog, &table, args, &layers, begin.elapsed().as_secs_f64())?;
    match args.format {
        Format::Json => out::json(&mut out::stdout(), &report)?,
        Format::Human => human(&ready, &report)?,
    }
    Ok(Exit::Fine)
}

struct Counter<'a> {
    ready: &'a Ready,
    table: &'a Setup,
    depth: usize,
    jobs: usize,
}

impl Counter<'_> {
    fn start(&self, host: &Host) -> Result<Game<Host>> {
        let mut game = self.ready.start(host, self.table.config.clone())?;
        game.record_events(false);
        Ok(game)
    }

    /// Depth by depth, going on once from each position.
    fn by_position(&self) -> Result<Vec<Layer>> {
        let mut layers = Vec::new();
        let mut open: Vec<(u64, Way)> = vec![(1, Way::new())];
        for depth in 1..=self.depth {
            if open.is_empty() {
                break;
            }
            let goes_on = depth < self.depth;
            let work = |host: &Host, layer: &mut [Layer], (ways, way): &(u64, Way)| -> Result<()> {
                let game = follow(self.start(host)?, way)?;
                each_answer(game, &mut |child, option| {
                    let longer = goes_on.then(|| way.iter().copied().chain([option]).collect());
                    layer[0].add(&child, *ways, longer)
                })
            };
            let mut found = self.share(1, &open, &work)?;
            let mut layer = found.pop().unwrap_or_default();
            open = std::mem::take(&mut layer.open).into_values().collect();
            open.sort_unstable_by(|a, b| a.1.cmp(&b.1));
            layers.push(layer);
        }
        Ok(layers)
    }

    /// Every game, one after the other.
    fn every_game(&self) -> Result<Vec<Layer>> {
        // Beginnings to share among the workers.
        let split = self.depth.min(3);
        let mut ways = vec![Way::new()];
        let host = self.ready.host()?;
        let mut layers: Vec<Layer> = (0..self.depth).map(|_| Layer::default()).collect();
        for layer in layers.iter_mut().take(split) {
            let mut longer_ways = Vec::new();
            for way in ways {
                each_answer(follow(self.start(&host)?, &way)?, &mut |child, option| {
                    layer.add(&child, 1, None)?;
                    if child.outcome().is_none() {
                        longer_ways.push(way.iter().copied().chain([option]).collect());
                    }
                    Ok(())
                })?;
            }
            ways = longer_ways;
        }
        let work = |host: &Host, layers: &mut [Layer], way: &Way| -> Result<()> {
            walk(follow(self.start(host)?, way)?, &mut layers[split..])
        };
        let found = self.share(self.depth, &ways, &work)?;
        for (layer, more) in layers.iter_mut().zip(found) {
            layer.take_in(more)?;
        }
        while layers.last().is_some_and(|layer| layer.states.is_empty()) {
            layers.pop();
        }
        Ok(layers)
    }

    /// Shares work among threads, each with a script host and layers of its own, and adds the layers up.
    fn share<T: Sync>(
        &self,
        depths: usize,
        list: &[T],
        work: &(impl Fn(&Host, &mut [Layer], &T) -> Result<()> + Sync),
    ) -> Result<Vec<Layer>> {
        let fresh = || -> Vec<Layer> { (0..depths).map(|_| Layer::default()).collect() };
        let next = AtomicUsize::new(0);
        let sum: Mutex<Vec<Layer>> = Mutex::new(fresh());
        let bar = out::progress(list.len(), "{bar:30} {pos}/{len} positions, {eta} left");
        let chunk = CHUNK.min(list.len().div_ceil(self.jobs)).max(1);
        let run = || -> Result<()> {
            let host = self.ready.host()?;
            let mut layers = fresh();
            loop {
                let from = next.fetch_add(chunk, Ordering::Relaxed);
                let Some(part) = list.get(from..list.len().min(from + chunk)).filter(|part| !part.is_empty()) else {
                    break;
                };
                for item in part {
                    work(&host, &mut layers, item)?;
                    bar.inc(1);
                }
            }
            let mut sum = sum.lock().map_err(|_| anyhow!("another worker failed"))?;
            sum.iter_mut().zip(layers).try_for_each(|(sum, own)| sum.take_in(own))
        };
        workers::together(self.jobs.min(list.len().div_ceil(chunk)).max(1), run)?;
        bar.finish_and_clear();
        sum.into_inner().map_err(|_| anyhow!("a worker failed"))
    }
}

fn answer(game: &mut Game<Host>, option: usize) -> Result<()> {
    let ask = game.pending().first().copied().context(STUCK)?;
    let (seat, choice) = (ask.seat, ask.options[option]);
    game.answer(seat, choice).map_err(|error| {
        let catalog = game.catalog().clone();
        let words: Vec<String> = game.record().iter().map(|answer| answer.choice.key(&catalog)).collect();
        let before = if words.is_empty() { String::new() } else { format!(" after {}", words.join(", ")) };
        anyhow!("{}: {}{before}: {}", catalog.id_of(Value::Faction(seat)), choice.key(&catalog), answer_words(&error))
    })
}

fn follow(mut game: Game<Host>, way: &[u16]) -> Result<Game<Host>> {
    for option in way {
        answer(&mut game, usize::from(*option))?;
    }
    Ok(game)
}

/// Calls `with` for the game after each answer that is possible now.
fn each_answer(game: Game<Host>, with: &mut impl FnMut(Game<Host>, u16) -> Result<()>) -> Result<()> {
    let ask = game.pending().first().copied().context(STUCK)?;
    let last = ask.options.len() - 1;
    for option in 0..last {
        let mut child = game.clone();
        child.record_events(false);
        answer(&mut child, option)?;
        with(child, u16::try_from(option).context("a decision has too many options")?)?;
    }
    // The last child needs no copy.
    let mut game = game;
    answer(&mut game, last)?;
    with(game, u16::try_from(last).context("a decision has too many options")?)
}

fn walk(game: Game<Host>, layers: &mut [Layer]) -> Result<()> {
    let Some((layer, deeper)) = layers.split_first_mut() else { return Ok(()) };
    each_answer(game, &mut |child, _| {
        layer.add(&child, 1, None)?;
        if child.outcome().is_none() { walk(child, deeper) } else { Ok(()) }
    })
}

fn report(catalog: &Catalog, table: &Setup, args: &Args, layers: &[Layer], seconds: f64) -> Result<Report> {
    let name = |seat: SeatId| catalog.id_of(Value::Faction(seat));
    let mut ends: BTreeMap<(Option<SeatId>, SymbolId), u64> = BTreeMap::new();
    let mut depths = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        let ended = layer.games_ended()?;
        let mut leaves = layer.running;
        grow(&mut leaves, ended)?;
        depths.push(DepthReport { depth: at + 1, leaves, states: layer.states.len(), ended });
        for (end, games) in &layer.ended {
            grow(ends.entry(*end).or_default(), *games)?;
        }
    }
    let outcomes: Vec<OutcomeReport> = ends
        .into_iter()
        .map(|((winner, cause), games)| OutcomeReport {
            winner: winner.map(name),
            cause: catalog.symbols.name(cause.index()).to_owned(),
            games,
        })
        .collect();
    let deepest = depths.last().filter(|last| last.depth == usize::from(args.depth));
    Ok(Report {
        game: catalog.game.clone(),
        seats: table.config.seats.iter().map(|seat| name(*seat)).collect(),
        seed: args.seed,
        depth: args.depth,
        leaves: deepest.map_or(0, |depth| depth.leaves),
        games: depths.iter().map(|depth| depth.ended).sum(),
        depths,
        outcomes,
        seconds: (seconds * 1000.0).round() / 1000.0,
    })
}

fn human(ready: &Ready, report: &Report) -> Result<()> {
    let words = ready.words("en");
    let mut out = out::stdout();
    let bold = ink::bold();
    writeln!(out, "{bold}{:>5} {:>20} {:>14} {:>20}{bold:#}", "depth", "leaves", "positions", "games over")?;
    for depth in &report.depths {
        writeln!(out, "{:>5} {:>20} {:>14} {:>20}", depth.depth, depth.leaves, depth.states, depth.ended)?;
    }
    if report.games > 0 {
        writeln!(out, "\n{bold}{} games were over by then{bold:#}", report.games)?;
    }
    for end in &report.outcomes {
        let winner = match &end.winner {
            Some(seat) => words.named("faction", seat),
            None => "nobody".to_owned(),
        };
        writeln!(out, "{:>20}  {winner} wins ({})", end.games, end.cause)?;
    }
    out.flush()?;
    out::note(&format!("{:.1} s", report.seconds));
    Ok(())
}
