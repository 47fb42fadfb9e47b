//! The workers of a simulation. Each takes a block of games, plays it, and hands in what came of it; blocks are added
//! up in the order of their games, so the sum is the same whatever the number of workers, and at every moment it is the
//! sum of the first so many games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use principes_core::Catalog;
use principes_scripting::LuaHost;
use sha2::{Digest as _, Sha256};

use super::Format;
use super::checkpoint::{Checkpoint, Settings};
use super::games::play;
use super::rows::{Rows, line};
use super::tally::Tally;
use crate::out;
use crate::packs::{Ready, hex};
use crate::setup::{Setup, derive_seed};
use crate::workers;

/// A block ends after so many games …
const BLOCK: u64 = 1024;
/// … or so much time, so that slow bots have small ones.
const BLOCK_TIME: Duration = Duration::from_millis(100);
/// Blocks for each worker that may wait for an earlier one.
const AHEAD: usize = 4;
/// How often the checkpoint is written anew.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// What is to be done.
pub struct Run<'a> {
    /// The packs.
    pub ready: &'a Ready,
    /// Who plays.
    pub table: &'a Setup,
    /// What was asked for.
    pub settings: &'a Settings,
    /// Where the state of the run is kept.
    pub checkpoint: Option<&'a Path>,
    /// Raised when the run shall end early.
    pub stop: &'a AtomicBool,
}

/// What has come of the games so far.
pub struct Sum {
    /// Their sums.
    pub tally: Tally,
    /// Their rows.
    pub rows: Rows,
    hash: Sha256,
    seconds_before: f64,
    begin: Instant,
}

impl Sum {
    /// Nothing yet.
    pub fn begin(rows: Rows) -> Self {
        Sum { tally: Tally::default(), rows, hash: Sha256::new(), seconds_before: 0.0, begin: Instant::now() }
    }

    /// What had come of them when the checkpoint was written.
    pub fn resume(checkpoint: &Checkpoint, rows: Rows) -> Result<Self> {
        let (tally, hash) = (checkpoint.tally.clone(), checkpoint.hash()?);
        Ok(Sum { tally, rows, hash, seconds_before: checkpoint.seconds, begin: Instant::now() })
    }

    /// Digest of every final state, in the order of the games.
    pub fn state_hash(&self) -> String {
        hex(&self.hash.clone().finalize())
    }

    /// Time taken, pauses between runs left out.
    pub fn seconds(&self) -> f64 {
        self.seconds_before + self.begin.elapsed().as_secs_f64()
    }
}

/// What came of some games in a row.
struct Block {
    tally: Tally,
    digests: Vec<u8>,
    rows: Vec<u8>,
}

/// What the workers share.
struct Desk {
    /// The next game that nobody has taken.
    next: u64,
    /// How many of the first games are in the sum.
    merged: u64,
    /// Blocks that wait for an earlier one, by their first game.
    waiting: BTreeMap<u64, Block>,
    sum: Sum,
    /// When the checkpoint was written last.
    saved: Option<Instant>,
}

impl Run<'_> {
    /// How many games there are.
    pub fn games(&self) -> u64 {
        let (part, parts) = self.settings.shard.unwrap_or((1, 1));
        (self.settings.games + parts - part) / parts
    }

    /// The number of a game among those of all shards.
    fn number(&self, at: u64) -> u64 {
        let (part, parts) = self.settings.shard.unwrap_or((1, 1));
        at * parts + part - 1
    }

    /// Plays until all games are in the sum or the stop flag is raised.
    pub fn play(&self, sum: Sum, jobs: usize) -> Result<Sum> {
        let done = sum.tally.games;
        let left = self.games().saturating_sub(done);
        let desk = Desk { next: done, merged: done, waiting: BTreeMap::new(), sum, saved: None };
        let shared = Shared { desk: Mutex::new(desk), merged: Condvar::new() };
        let jobs = usize::try_from(left).map_or(jobs, |left| jobs.min(left)).max(1);
        let games = usize::try_from(self.games()).unwrap_or(usize::MAX);
        let bar = out::progress(games, "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left");
        bar.set_position(done);
        bar.reset_eta();
        workers::together(jobs, || self.work(&shared, jobs, &bar))?;
        bar.finish_and_clear();
        let mut sum = shared.desk.into_inner().map_err(|_| anyhow!("a worker failed"))?.sum;
        if sum.tally.games < self.games() {
            self.save(&mut sum)?;
        }
        Ok(sum)
    }

    fn work(&self, shared: &Shared, jobs: usize, bar: &indicatif::ProgressBar) -> Result<()> {
        // Whoever fails or panics takes the others along instead of letting them wait for ever.
        let mut alarm = Alarm { stop: self.stop, armed: true };
        // A catalog of its own: threads that count references to a common one wait for each other's caches.
        let catalog = Arc::new(Catalog::clone(&self.ready.catalog));
        let host = self.ready.host_of(catalog.clone())?;
        let mut runs_before = host.hook_runs();
        while let Some((mut from, to)) = self.take(shared, jobs)? {
            while from < to && !self.stop.load(Ordering::Relaxed) {
                let block = self.block(&catalog, &host, from, to, &mut runs_before)?;
                bar.inc(block.tally.games);
                let first = from;
                from += block.tally.games;
                self.hand_in(shared, first, block)?;
            }
        }
        alarm.armed = false;
        Ok(())
    }

    /// The next games to be played; none where all are taken or the run shall end.
    fn take(&self, shared: &Shared, jobs: usize) -> Result<Option<(u64, u64)>> {
        let mut desk = shared.lock()?;
        // Whoever is far ahead waits for the slowest, else the blocks between them would heap up. The slowest has
        // something to do and is not here.
        while desk.waiting.len() >= AHEAD * jobs && !self.stop.load(Ordering::Relaxed) {
            desk = shared.merged.wait_timeout(desk, BLOCK_TIME).map_err(|_| anyhow!("another worker failed"))?.0;
        }
        if self.stop.load(Ordering::Relaxed) || desk.next >= self.games() {
            return Ok(None);
        }
        // Towards the end blocks get smaller, so that all workers end together.
        let fair = (self.games() - desk.next).div_ceil(2 * jobs as u64);
        let from = desk.next;
        desk.next += fair.min(BLOCK);
        Ok(Some((from, desk.next)))
    }

    /// Plays some games, at least one.
    fn block(
        &self,
        catalog: &Arc<Catalog>,
        host: &LuaHost,
        from: u64,
        to: u64,
        runs_before: &mut Vec<u64>,
    ) -> Result<Block> {
        let begin = Instant::now();
        let mut block = Block { tally: Tally::default(), digests: Vec::new(), rows: Vec::new() };
        for at in from..to {
            let number = self.number(at);
            // 53 bits, so that every reader of JSON can hold it and the game can be played again.
            let seed = derive_seed(self.settings.seed, number) >> 11;
            let game = play(catalog, host, self.table, number, seed);
            block.tally.add(&game);
            block.digests.extend_from_slice(game.digest.as_bytes());
            block.digests.push(b'\n');
            if self.settings.format == Format::Csv {
                line(catalog, &game, &mut block.rows)?;
            }
            if begin.elapsed() > BLOCK_TIME || self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let runs = host.hook_runs();
        block.tally.add_hooks(runs.iter().zip(&*runs_before).map(|(now, before)| now - before));
        *runs_before = runs;
        Ok(block)
    }

    /// Adds a block to the sum, or keeps it until those before it are there.
    fn hand_in(&self, shared: &Shared, from: u64, block: Block) -> Result<()> {
        let mut desk = shared.lock()?;
        let desk = &mut *desk;
        desk.waiting.insert(from, block);
        let before = desk.merged;
        while let Some(block) = desk.waiting.remove(&desk.merged) {
            desk.merged += block.tally.games;
            desk.sum.tally.take_in(block.tally);
            desk.sum.hash.update(&block.digests);
            desk.sum.rows.write(&block.rows)?;
        }
        let due = desk.saved.is_none_or(|saved| saved.elapsed() > CHECKPOINT_EVERY);
        if self.checkpoint.is_some() && desk.merged > before && due {
            self.save(&mut desk.sum)?;
            desk.saved = Some(Instant::now());
        }
        shared.merged.notify_all();
        Ok(())
    }

    /// Writes the checkpoint, rows first.
    fn save(&self, sum: &mut Sum) -> Result<()> {
        let Some(path) = self.checkpoint else { return Ok(()) };
        let rows = sum.rows.sync()?;
        let fingerprint = self.ready.catalog.fingerprint.clone();
        let seconds = sum.seconds();
        Checkpoint::new(self.settings.clone(), fingerprint, sum.tally.clone(), &sum.hash, rows, seconds).write(path)
    }
}

/// The desk, and how workers hear that blocks were added up.
struct Shared {
    desk: Mutex<Desk>,
    merged: Condvar,
}

impl Shared {
    fn lock(&self) -> Result<MutexGuard<'_, Desk>> {
        self.desk.lock().map_err(|_| anyhow!("another worker failed"))
    }
}

/// Raises the stop flag when a worker does not come to its end.
struct Alarm<'a> {
    stop: &'a AtomicBool,
    armed: bool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
