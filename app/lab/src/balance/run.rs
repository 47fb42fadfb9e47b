//! Plays games until there are enough. Whether there are is decided only at fixed borders, from the games up to there, so
//! the number of games does not depend on the number of workers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use principes_app::digest::hex;
use principes_app::packs::OpenPacks;
use principes_app::setup::Setup;
use principes_app::workers::ordered::{Next, Ordered};
use principes_core::{Catalog, SeatId};
use sha2::{Digest as _, Sha256};

use super::estimate::Estimate;
use super::observer::Observer;
use super::record::GameRecord;
use crate::numbers::factor;
use crate::simulation::SimulationError;
use crate::simulation::game::{Fault, play_watched, seed_of};

/// The most games of a measurement. Their records are kept in memory.
pub const MOST_GAMES: u64 = 1_000_000;
/// The number of games if nothing else is said.
pub const USUAL_GAMES: u64 = 1_000;
/// The first border at which the precision is looked at; all others are multiples of it.
const BORDER: u64 = 100;
/// The number of finished games for each worker that may wait for an earlier one.
const AHEAD: usize = 64;
/// The number of failed games that are listed.
const FAULTS_LISTED: usize = 20;

/// How many games to play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plan {
    /// The most games. Default: 1,000, or [`MOST_GAMES`] if one of the other limits is given.
    pub games: Option<u64>,
    /// Enough if the 95 % intervals of all factions' win shares reach at most this far to either side.
    pub precision: Option<f64>,
    /// The time after which no game is begun.
    pub time: Option<Duration>,
}

impl Plan {
    /// The most games.
    pub fn most(&self) -> u64 {
        let open = self.precision.is_some() || self.time.is_some();
        self.games.unwrap_or(if open { MOST_GAMES } else { USUAL_GAMES })
    }

    /// The next border after `done` games: a quarter more, in whole hundreds.
    fn border(&self, done: u64) -> u64 {
        match self.precision {
            Some(_) => {
                (done + done / 4).div_ceil(BORDER).max(done / BORDER + 1).saturating_mul(BORDER).min(self.most())
            }
            None => self.most(),
        }
    }
}

/// Why no more games were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// All games were played.
    Games,
    /// The intervals were narrow enough.
    Precision,
    /// The time was over.
    Time,
    /// Somebody stopped it.
    Interrupted,
}

/// The games that were played.
#[derive(Clone, Debug)]
pub struct Games {
    /// The finished games, in order.
    pub records: Vec<GameRecord>,
    /// The number of games that were played.
    pub played: u64,
    /// The number of failed games, which are not in `records`.
    pub faulty: u64,
    /// The number of failed games that only took too many answers or steps.
    pub unfinished: u64,
    /// The first failed games.
    pub faults: Vec<Fault>,
    /// The digest of all final states in the order of the games.
    pub state_hash: String,
    /// Why there are no more.
    pub stopped: Stopped,
}

/// What it takes to play games.
pub struct Measurement<'a> {
    /// The game to measure.
    pub packs: &'a OpenPacks,
    /// The players. The seeds of the games are derived from its seed.
    pub table: &'a Setup,
    /// How many games.
    pub plan: Plan,
    /// A flag that ends the run early.
    pub stop: &'a AtomicBool,
    /// A callback for each finished game.
    pub progress: &'a (dyn Fn() + Sync),
}

/// One finished game.
struct Done {
    digest: String,
    record: Option<GameRecord>,
    fault: Option<Fault>,
}

/// The games so far.
struct Sum {
    border: u64,
    games: Games,
    hash: Sha256,
    /// Why no more games are begun, once that is decided.
    stopped: Option<Stopped>,
}

type Queue<'a> = Ordered<'a, Sum, Done>;

impl Measurement<'_> {
    /// Plays until there are enough games.
    ///
    /// # Errors
    /// [`SimulationError`]: the packs cannot be played, or a thread failed. Games that fail are counted.
    pub fn play(&self, jobs: usize) -> Result<Games, SimulationError> {
        let games = Games {
            records: Vec::new(),
            played: 0,
            faulty: 0,
            unfinished: 0,
            faults: Vec::new(),
            state_hash: String::new(),
            stopped: Stopped::Interrupted,
        };
        let border = self.plan.border(0);
        let stopped = (border == 0).then_some(Stopped::Games);
        let deadline = self.plan.time.map(|time| Instant::now() + time);
        let jobs = usize::try_from(self.plan.most()).map_or(jobs, |most| jobs.min(most)).max(1);
        let queue = Queue::new(0, AHEAD * jobs, self.stop, Sum { border, games, hash: Sha256::new(), stopped });
        let Sum { games, hash, stopped, .. } = queue.work(jobs, |queue| self.work(queue, deadline))?;
        Ok(Games { state_hash: hex(&hash.finalize()), stopped: stopped.unwrap_or(games.stopped), ..games })
    }

    fn work(&self, queue: &Queue, deadline: Option<Instant>) -> Result<(), SimulationError> {
        // Each worker has a copy of the catalog, because threads that count references to a shared one slow each other
        // down.
        let catalog = Arc::new(Catalog::clone(&self.packs.catalog));
        let host = self.packs.host_of(catalog.clone())?;
        while let Some((games, ())) = queue.take(|sum, number| next(sum, number, deadline)) {
            let number = games.start;
            let seed = seed_of(self.table.config.seed, number);
            let mut observer = Observer::new(&catalog, self.table);
            let mut played = play_watched(&catalog, &host, self.table, number, seed, &mut observer);
            let fault = played.fault.take();
            let record = if fault.is_none() { observer.record(&played) } else { None };
            let done = Done { digest: played.digest, record, fault };
            queue.hand_in(games, done, |sum, done| {
                self.add(sum, done);
                Ok::<_, SimulationError>(())
            })?;
            (self.progress)();
        }
        Ok(())
    }

    /// Adds a game. At a border, decides whether there are enough.
    fn add(&self, sum: &mut Sum, done: Done) {
        sum.games.add(done, &mut sum.hash);
        if sum.games.played == sum.border && sum.stopped.is_none() {
            let is_narrow = self.plan.precision.is_some_and(|wanted| widest(&sum.games.records, self.table) <= wanted);
            let is_last = sum.border >= self.plan.most();
            sum.stopped = if is_narrow { Some(Stopped::Precision) } else { is_last.then_some(Stopped::Games) };
            sum.border = self.plan.border(sum.border);
        }
    }
}

/// Whether another game is played.
fn next(sum: &mut Sum, number: u64, deadline: Option<Instant>) -> Next<()> {
    if sum.stopped.is_none() && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        sum.stopped = Some(Stopped::Time);
    }
    match sum.stopped {
        Some(_) => Next::End,
        None if number < sum.border => Next::Take(1, ()),
        None => Next::Wait,
    }
}

impl Games {
    fn add(&mut self, done: Done, hash: &mut Sha256) {
        self.played += 1;
        hash.update(done.digest.as_bytes());
        hash.update(b"\n");
        self.records.extend(done.record);
        if let Some(fault) = done.fault {
            self.faulty += 1;
            self.unfinished += u64::from(fault.unfinished);
            if self.faults.len() < FAULTS_LISTED {
                self.faults.push(fault);
            }
        }
    }
}

/// How far the widest 95 % interval of a win share reaches to one side.
fn widest(records: &[GameRecord], table: &Setup) -> f64 {
    let half = |seat: SeatId| {
        let won: Vec<Option<bool>> = records.iter().map(|game| Some(game.won(seat))).collect();
        let (low, high) = Estimate::share(&won).interval(factor(0.95, 1));
        (high - low) / 2.0
    };
    table.players.iter().map(|(seat, _)| half(*seat)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_grow_by_a_quarter() {
        let plan = Plan { precision: Some(0.01), games: Some(1_050), ..Plan::default() };
        let borders: Vec<u64> =
            std::iter::successors(Some(plan.border(0)), |done| (*done < 1_050).then(|| plan.border(*done))).collect();
        assert_eq!(borders, [100, 200, 300, 400, 500, 700, 900, 1_050]);
        assert_eq!(Plan::default().border(0), USUAL_GAMES);
    }
}
