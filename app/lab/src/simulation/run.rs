//! The workers of a simulation. Each takes a batch of games, plays it, and adds its results. Batches are added in the
//! order of their games. The sum therefore does not depend on the number of workers, and it always covers the first
//! games without gaps.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use principes_app::digest::hex;
use principes_app::packs::{OpenPacks, PackError};
use principes_app::setup::Setup;
use principes_app::workers::WorkerError;
use principes_app::workers::ordered::{Next, Ordered};
use principes_core::Catalog;
use principes_scripting::LuaHost;
use sha2::{Digest as _, Sha256};

use super::checkpoint::{Checkpoint, CheckpointError, Format, Settings};
use super::game::{play, seed_of};
use super::rows::{Rows, RowsError, line};
use super::tally::Tally;

/// A batch ends after this many games …
const BATCH: u64 = 1024;
/// … or after this much time, so that batches of slow bots are small.
const BATCH_TIME: Duration = Duration::from_millis(100);
/// The number of batches for each worker that may wait for an earlier batch.
const AHEAD: usize = 4;
/// The time between two checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// Why a simulation failed. Games that fail do not make it fail; they are in its report.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The packs cannot be played.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// A thread failed.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// Rows could not be written.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The checkpoint could not be written, or does not match its games.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// A simulation to run.
pub struct Simulation<'a> {
    /// The game to play.
    pub packs: &'a OpenPacks,
    /// The players.
    pub table: &'a Setup,
    /// How many games, with which seed, in which shard.
    pub settings: &'a Settings,
    /// The file for the checkpoint.
    pub checkpoint: Option<&'a Path>,
    /// A flag that ends the run early.
    pub stop: &'a AtomicBool,
    /// A callback that gets the number of newly finished games.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The results of the games so far.
pub struct Sum {
    /// The sums.
    pub tally: Tally,
    /// Where each game adds its line.
    pub rows: Rows,
    hash: Sha256,
    seconds_before: f64,
    begin: Instant,
}

impl Sum {
    /// The sum of no games.
    pub fn begin(rows: Rows) -> Self {
        Sum { tally: Tally::default(), rows, hash: Sha256::new(), seconds_before: 0.0, begin: Instant::now() }
    }

    /// The sum that a checkpoint holds.
    ///
    /// # Errors
    /// [`CheckpointError::Hash`].
    pub fn resume(checkpoint: &Checkpoint, rows: Rows) -> Result<Self, CheckpointError> {
        let (tally, hash) = (checkpoint.tally.clone(), checkpoint.hash()?);
        Ok(Sum { tally, rows, hash, seconds_before: checkpoint.seconds, begin: Instant::now() })
    }

    /// The digest of all final states, in the order of the games.
    pub fn state_hash(&self) -> String {
        hex(&self.hash.clone().finalize())
    }

    /// The time taken, without pauses between runs.
    pub fn seconds(&self) -> f64 {
        self.seconds_before + self.begin.elapsed().as_secs_f64()
    }
}

/// The results of consecutive games.
struct Batch {
    tally: Tally,
    digests: Vec<u8>,
    rows: Vec<u8>,
}

/// The batches, with the sum and the time of the last checkpoint.
type Queue<'a> = Ordered<'a, (Sum, Option<Instant>), Batch>;

impl Simulation<'_> {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.settings.shard.count(self.settings.games)
    }

    /// Plays until all games are in the sum or the stop flag is set.
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn play(&self, sum: Sum, jobs: usize) -> Result<Sum, SimulationError> {
        let mut sum = self.play_up_to(sum, self.games(), jobs)?;
        if sum.tally.games < self.games() {
            self.save(&mut sum)?;
        }
        Ok(sum)
    }

    /// Plays the games of a checkpoint again and compares the results. `None` if the stop flag was set.
    ///
    /// # Errors
    /// [`CheckpointError::Untrue`], or an error of playing.
    pub fn verify(&self, checkpoint: &Checkpoint, jobs: usize) -> Result<Option<()>, SimulationError> {
        let quiet = Simulation { checkpoint: None, ..*self };
        let games = checkpoint.tally.games;
        let again = quiet.play_up_to(Sum::begin(Rows::None), games, jobs)?;
        if again.tally.games < games {
            return Ok(None);
        }
        if again.tally != checkpoint.tally {
            return Err(CheckpointError::Untrue("the totals differ").into());
        }
        if again.state_hash() != Sum::resume(checkpoint, Rows::None)?.state_hash() {
            return Err(CheckpointError::Untrue("the final states differ").into());
        }
        Ok(Some(()))
    }

    fn play_up_to(&self, sum: Sum, end: u64, jobs: usize) -> Result<Sum, SimulationError> {
        let done = sum.tally.games;
        let left = end.saturating_sub(done);
        let jobs = usize::try_from(left).map_or(jobs, |left| jobs.min(left)).max(1);
        let queue = Queue::new(done, AHEAD * jobs, self.stop, (sum, None));
        let (sum, _) = queue.work(jobs, |queue| self.work(queue, end, jobs as u64))?;
        Ok(sum)
    }

    fn work(&self, queue: &Queue, end: u64, jobs: u64) -> Result<(), SimulationError> {
        // Each worker has a copy of the catalog, because threads that count references to a shared one slow each other
        // down.
        let catalog = Arc::new(Catalog::clone(&self.packs.catalog));
        let host = self.packs.host_of(catalog.clone())?;
        let mut runs_before = host.hook_runs();
        // Parts get smaller toward the end, so that all workers finish at about the same time.
        let part = |_: &mut _, next: u64| match (end - next).div_ceil(2 * jobs) {
            0 => Next::End,
            fair => Next::Take(fair.min(BATCH), ()),
        };
        while let Some((games, ())) = queue.take(part) {
            let mut from = games.start;
            while from < games.end && !queue.is_stopped() {
                let batch = self.batch(queue, &catalog, &host, from..games.end, &mut runs_before);
                (self.progress)(batch.tally.games);
                let first = from;
                from += batch.tally.games;
                queue.hand_in(first..from, batch, |(sum, saved), batch| self.add(sum, saved, batch))?;
            }
        }
        Ok(())
    }

    /// Plays some games, at least one.
    fn batch(
        &self,
        queue: &Queue,
        catalog: &Arc<Catalog>,
        host: &LuaHost,
        games: Range<u64>,
        runs_before: &mut Vec<u64>,
    ) -> Batch {
        let begin = Instant::now();
        let mut batch = Batch { tally: Tally::default(), digests: Vec::new(), rows: Vec::new() };
        for at in games {
            let number = self.settings.shard.number(at);
            let seed = seed_of(self.settings.setup.seed, number);
            let game = play(catalog, host, self.table, number, seed);
            batch.tally.add(&game);
            batch.digests.extend_from_slice(game.digest.as_bytes());
            batch.digests.push(b'\n');
            if self.settings.format == Format::Csv {
                line(catalog, &game, &mut batch.rows);
            }
            if begin.elapsed() > BATCH_TIME || queue.is_stopped() {
                break;
            }
        }
        let runs = host.hook_runs();
        batch.tally.add_hooks(runs.iter().zip(&*runs_before).map(|(now, before)| now - before));
        *runs_before = runs;
        batch
    }

    /// Adds a batch to the sum, and saves the sum now and then.
    fn add(&self, sum: &mut Sum, saved: &mut Option<Instant>, batch: Batch) -> Result<(), SimulationError> {
        sum.tally.take_in(batch.tally);
        sum.hash.update(&batch.digests);
        sum.rows.write(&batch.rows)?;
        if self.checkpoint.is_some() && saved.is_none_or(|saved| saved.elapsed() > CHECKPOINT_EVERY) {
            self.save(sum)?;
            *saved = Some(Instant::now());
        }
        Ok(())
    }

    /// Writes the checkpoint. Rows are flushed first.
    fn save(&self, sum: &mut Sum) -> Result<(), SimulationError> {
        let Some(path) = self.checkpoint else { return Ok(()) };
        let rows = sum.rows.sync()?;
        let seconds = sum.seconds();
        Ok(Checkpoint::new(self.settings.clone(), self.packs, sum.tally.clone(), &sum.hash, rows, seconds)
            .write(path)?)
    }
}
