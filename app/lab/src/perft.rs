//! Counts every way a game can go: games, distinct positions, and outcomes. Comparing the results with published counts
//! shows that the rules are right.
//!
//! A depth is a number of answers. If several seats decide at once, they answer in seat order. Asides are left out.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use principes_app::failure::{answer_failure, start_failure};
use principes_app::packs::{OpenPacks, PackError};
use principes_app::setup::{STUCK, Setup};
use principes_app::workers::{self, WorkerError};
use principes_core::*;
use principes_scripting::LuaHost;
use serde::Serialize;

/// The number of positions that a worker takes at a time.
const CHUNK: usize = 64;

/// Why counting failed.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// The packs cannot be played.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// A worker thread failed.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The game cannot be started.
    #[error("{}", start_failure(.0))]
    Start(StartError),
    /// A count does not fit into 64 bits.
    #[error("there are too many games to count; use a smaller depth")]
    TooMany,
    /// A decision has more options than can be numbered.
    #[error("a decision has too many options")]
    TooManyOptions,
    /// The game is stuck.
    #[error("{STUCK}")]
    Stuck,
    /// A script failed.
    #[error("{seat}: {option}{}: {why}", after(before))]
    Answer {
        /// The seat that answered.
        seat: String,
        /// The key of the option.
        option: String,
        /// The keys of the answers before it.
        before: Vec<String>,
        /// The error.
        why: String,
    },
}

impl From<StartError> for PerftError {
    fn from(error: StartError) -> Self {
        PerftError::Start(error)
    }
}

fn after(before: &[String]) -> String {
    if before.is_empty() { String::new() } else { format!(" after {}", before.join(", ")) }
}

/// How games are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Continues once from each position.
    ByPosition,
    /// Plays every game, without relying on equal positions. The counts are the same, but it takes far longer.
    EveryGame,
}

/// The result of counting.
#[derive(Clone, Debug, Serialize)]
pub struct PerftReport {
    /// The id of the pack that is the game.
    pub game: String,
    /// The ids of the factions that play.
    pub seats: Vec<String>,
    /// The seed for all random numbers.
    pub seed: u64,
    /// The depth, in answers.
    pub depth: u16,
    /// The number of games with exactly this many answers, finished or not.
    pub leaves: u64,
    /// The number of games that have ended by then.
    pub games: u64,
    /// The depths, from 1.
    pub depths: Vec<DepthReport>,
    /// How the finished games ended.
    pub outcomes: Vec<OutcomeReport>,
    /// The time taken.
    pub seconds: f64,
}

/// The counts for one depth.
#[derive(Clone, Debug, Serialize)]
pub struct DepthReport {
    /// The depth, in answers.
    pub depth: usize,
    /// The number of games with this many answers.
    pub leaves: u64,
    /// The number of distinct positions among them.
    pub states: usize,
    /// The number of games that have ended.
    pub ended: u64,
}

/// An outcome of games.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeReport {
    /// The winner, if there is one.
    pub winner: Option<String>,
    /// The id of the cause.
    pub cause: String,
    /// The number of games.
    pub games: u64,
}

/// Counts the ways a game can go to a depth. `progress` receives the number of work items, and a call for each that is
/// done.
///
/// # Errors
/// [`PerftError`].
pub fn count(
    packs: &OpenPacks,
    table: &Setup,
    depth: u16,
    method: Method,
    jobs: usize,
    progress: &dyn Progress,
) -> Result<PerftReport, PerftError> {
    let begin = Instant::now();
    let counter = Enumeration { packs, table, depth: usize::from(depth), jobs, progress };
    let layers = match method {
        Method::ByPosition => counter.by_position()?,
        Method::EveryGame => counter.every_game()?,
    };
    report(&packs.catalog, table, depth, &layers, begin.elapsed().as_secs_f64())
}

/// Receives the progress of the counting.
pub trait Progress: Sync {
    /// A round with this many work items begins.
    fn begin(&self, items: usize);
    /// One item is done.
    fn done(&self);
    /// All items are done.
    fn end(&self);
}

/// The options taken from the start, by index.
type Way = Vec<u16>;

/// The counts for one depth.
#[derive(Default)]
struct Layer {
    /// The number of games that end at this depth, by winner and cause.
    ended: BTreeMap<(Option<SeatId>, SymbolId), u64>,
    /// The distinct positions, of running and finished games.
    states: HashSet<PositionKey>,
    /// The positions from which games continue: the number of games that reach each, and one way there.
    open: HashMap<PositionKey, (u64, Way)>,
    /// The number of games that continue.
    running: u64,
}

impl Layer {
    /// Adds a position that `games` games reach. With `way`, they continue from it together.
    fn add(&mut self, game: &Game<LuaHost>, games: u64, way: Option<Way>) -> Result<(), PerftError> {
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

    fn go_on(&mut self, key: PositionKey, games: u64, way: Way) -> Result<(), PerftError> {
        match self.open.entry(key) {
            Entry::Vacant(place) => drop(place.insert((games, way))),
            Entry::Occupied(place) => {
                let (sum, least) = place.into_mut();
                grow(sum, games)?;
                // Keep the least way, so that an error does not depend on the order of workers.
                *least = way.min(std::mem::take(least));
            }
        }
        Ok(())
    }

    fn take_in(&mut self, other: Layer) -> Result<(), PerftError> {
        self.states.extend(other.states);
        grow(&mut self.running, other.running)?;
        for (end, games) in other.ended {
            grow(self.ended.entry(end).or_default(), games)?;
        }
        // Sums and the least way do not depend on the order of merging.
        #[expect(clippy::iter_over_hash_type)]
        for (key, (games, way)) in other.open {
            self.go_on(key, games, way)?;
        }
        Ok(())
    }

    fn games_ended(&self) -> Result<u64, PerftError> {
        let mut sum = 0;
        self.ended.values().try_for_each(|games| grow(&mut sum, *games))?;
        Ok(sum)
    }
}

fn grow(count: &mut u64, by: u64) -> Result<(), PerftError> {
    *count = count.checked_add(by).ok_or(PerftError::TooMany)?;
    Ok(())
}

struct Enumeration<'a> {
    packs: &'a OpenPacks,
    table: &'a Setup,
    depth: usize,
    jobs: usize,
    progress: &'a dyn Progress,
}

impl Enumeration<'_> {
    fn start(&self, host: &LuaHost) -> Result<Game<LuaHost>, PerftError> {
        let mut game = self.packs.start(host, self.table.config.clone())?;
        game.record_events(false);
        Ok(game)
    }

    /// Walks depth by depth and continues once from each position.
    fn by_position(&self) -> Result<Vec<Layer>, PerftError> {
        let mut layers = Vec::new();
        let mut open: Vec<(u64, Way)> = vec![(1, Way::new())];
        for depth in 1..=self.depth {
            if open.is_empty() {
                break;
            }
            let goes_on = depth < self.depth;
            let work = |host: &LuaHost, layer: &mut [Layer], (ways, way): &(u64, Way)| -> Result<(), PerftError> {
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

    /// Walks every game.
    fn every_game(&self) -> Result<Vec<Layer>, PerftError> {
        // The first answers are the work items that the workers share.
        let split = self.depth.min(3);
        let mut ways = vec![Way::new()];
        let host = self.packs.host()?;
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
        let work = |host: &LuaHost, layers: &mut [Layer], way: &Way| -> Result<(), PerftError> {
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

    /// Shares items among threads, each with its own script host and layers, and adds up the layers.
    fn share<T: Sync>(
        &self,
        depths: usize,
        list: &[T],
        work: &(impl Fn(&LuaHost, &mut [Layer], &T) -> Result<(), PerftError> + Sync),
    ) -> Result<Vec<Layer>, PerftError> {
        let fresh = || -> Vec<Layer> { (0..depths).map(|_| Layer::default()).collect() };
        let next = AtomicUsize::new(0);
        let sum: Mutex<Vec<Layer>> = Mutex::new(fresh());
        self.progress.begin(list.len());
        let chunk = CHUNK.min(list.len().div_ceil(self.jobs)).max(1);
        let run = || -> Result<(), PerftError> {
            let host = self.packs.host()?;
            let mut layers = fresh();
            loop {
                let from = next.fetch_add(chunk, Ordering::Relaxed);
                let Some(part) = list.get(from..list.len().min(from + chunk)).filter(|part| !part.is_empty()) else {
                    break;
                };
                for item in part {
                    work(&host, &mut layers, item)?;
                    self.progress.done();
                }
            }
            sum.lock().iter_mut().zip(layers).try_for_each(|(sum, own)| sum.take_in(own))
        };
        workers::together(self.jobs.min(list.len().div_ceil(chunk)).max(1), run)?;
        self.progress.end();
        Ok(sum.into_inner())
    }
}

fn answer(game: &mut Game<LuaHost>, option: usize) -> Result<(), PerftError> {
    let decision = game.pending().first().copied().ok_or(PerftError::Stuck)?;
    let (seat, option) = (decision.seat, decision.options[option]);
    game.answer(seat, option).map_err(|error| {
        let catalog = game.catalog();
        PerftError::Answer {
            seat: catalog.id_of(Value::Faction(seat)),
            option: option.key(catalog),
            before: game.record().iter().map(|answer| answer.option.key(catalog)).collect(),
            why: answer_failure(&error),
        }
    })
}

fn follow(mut game: Game<LuaHost>, way: &[u16]) -> Result<Game<LuaHost>, PerftError> {
    for option in way {
        answer(&mut game, usize::from(*option))?;
    }
    Ok(game)
}

/// Calls `with` for the game after each possible answer.
fn each_answer(
    game: Game<LuaHost>,
    with: &mut impl FnMut(Game<LuaHost>, u16) -> Result<(), PerftError>,
) -> Result<(), PerftError> {
    let decision = game.pending().first().copied().ok_or(PerftError::Stuck)?;
    let last = decision.options.len() - 1;
    for option in 0..last {
        let mut child = game.clone();
        child.record_events(false);
        answer(&mut child, option)?;
        with(child, u16::try_from(option).map_err(|_| PerftError::TooManyOptions)?)?;
    }
    // The last child needs no clone.
    let mut game = game;
    answer(&mut game, last)?;
    with(game, u16::try_from(last).map_err(|_| PerftError::TooManyOptions)?)
}

fn walk(game: Game<LuaHost>, layers: &mut [Layer]) -> Result<(), PerftError> {
    let Some((layer, deeper)) = layers.split_first_mut() else { return Ok(()) };
    each_answer(game, &mut |child, _| {
        layer.add(&child, 1, None)?;
        if child.outcome().is_none() { walk(child, deeper) } else { Ok(()) }
    })
}

fn report(
    catalog: &Catalog,
    table: &Setup,
    depth: u16,
    layers: &[Layer],
    seconds: f64,
) -> Result<PerftReport, PerftError> {
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
    let deepest = depths.last().filter(|last| last.depth == usize::from(depth));
    Ok(PerftReport {
        game: catalog.game.clone(),
        seats: table.config.seats.iter().map(|seat| name(*seat)).collect(),
        seed: table.config.seed,
        depth,
        leaves: deepest.map_or(0, |depth| depth.leaves),
        games: depths.iter().map(|depth| depth.ended).sum(),
        depths,
        outcomes,
        seconds: (seconds * 1000.0).round() / 1000.0,
    })
}
