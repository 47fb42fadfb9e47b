//! Worker threads: how many there are, how deep their scripts may nest, and what becomes of their failures.

use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow};

/// Bytes of a thread's stack; scripts nest.
pub const STACK: usize = 16 << 20;

/// How many work at a time.
#[derive(Clone, Copy, clap::Args)]
pub struct Jobs {
    /// Worker threads; as many as there are cores unless said.
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

impl Jobs {
    /// Their number.
    pub fn count(self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// How many cores there are, as far as the system tells.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A thread with room for scripts.
pub fn thread() -> std::thread::Builder {
    std::thread::Builder::new().stack_size(STACK)
}

/// Does the work for each item, on all cores. The first failure is told.
pub fn each<T: Send>(items: &mut [T], work: impl Fn(&mut T) -> Result<()> + Sync) -> Result<()> {
    let jobs = cores().min(items.len());
    if jobs < 2 {
        return items.iter_mut().try_for_each(work);
    }
    let queue = Mutex::new(items.iter_mut());
    together(jobs, || {
        // Whoever holds this lock only takes the next item.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        std::iter::from_fn(next).try_for_each(&work)
    })
}

/// Does the same work on several threads until all have come to their end. The first failure is told.
///
/// One of them is the caller's, so that the memory that loading took is used again: to each thread the system's allocator gives a
/// heap of its own.
pub fn together(jobs: usize, work: impl Fn() -> Result<()> + Sync) -> Result<()> {
    std::thread::scope(|scope| {
        let start = |_| thread().spawn_scoped(scope, &work);
        let others = (1..jobs).map(start).collect::<std::io::Result<Vec<_>>>()?;
        let first = work();
        let ends = others.into_iter().map(|worker| worker.join().map_err(|_| anyhow!("a worker failed"))?);
        ends.fold(first, |told, end| told.and(end))
    })
}
