//! Worker threads: their number, their stack size, and their failures.

use std::io;
use std::sync::{Mutex, PoisonError};

/// The stack size of a thread in bytes. Nested scripts need much.
pub const STACK: usize = 16 << 20;

/// Why threads failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The system could not start a thread.
    #[error("cannot start a thread: {0}; each needs {size} MiB of memory for its stack", size = STACK >> 20)]
    NoThread(io::Error),
    /// A thread panicked.
    #[error("a worker failed")]
    Failed,
}

/// The number of cores, as reported by the system.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A thread with enough stack for scripts.
pub fn thread() -> std::thread::Builder {
    std::thread::Builder::new().stack_size(STACK)
}

/// Does the work for each item, on all cores.
///
/// # Errors
/// The first failure of the work; [`WorkerError`] if a thread cannot start or panics.
pub fn each<T: Send, E: From<WorkerError> + Send>(
    items: &mut [T],
    work: impl Fn(&mut T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let jobs = cores().min(items.len());
    if jobs < 2 {
        return items.iter_mut().try_for_each(work);
    }
    let queue = Mutex::new(items.iter_mut());
    together(jobs, || {
        // A poisoned lock is harmless: its holder only takes the next item.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        std::iter::from_fn(next).try_for_each(&work)
    })
}

/// Does a part of shared work. If it fails or panics, calls `end`, so that other workers do not wait for it forever.
///
/// # Errors
/// The failure of the work.
pub fn or_end<E>(end: impl Fn(), work: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    struct Guard<F: Fn()>(F, bool);
    impl<F: Fn()> Drop for Guard<F> {
        fn drop(&mut self) {
            if !self.1 {
                (self.0)();
            }
        }
    }
    let mut guard = Guard(end, false);
    let result = work();
    guard.1 = result.is_ok();
    result
}

/// Does the same work on several threads until all have finished.
///
/// One of them is the calling thread, so that it reuses the memory that loading took: the system's allocator gives each
/// thread a separate heap.
///
/// # Errors
/// The first failure of the work; [`WorkerError`] if a thread cannot start or panics.
pub fn together<E: From<WorkerError> + Send>(jobs: usize, work: impl Fn() -> Result<(), E> + Sync) -> Result<(), E> {
    std::thread::scope(|scope| {
        let start = |_| thread().spawn_scoped(scope, &work);
        let others = (1..jobs).map(start).collect::<io::Result<Vec<_>>>().map_err(WorkerError::NoThread)?;
        let first = work();
        let ends = others.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err(WorkerError::Failed.into())));
        ends.fold(first, |result, end| result.and(end))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn others_learn_of_failures_and_panics() {
        let ended = Cell::new(0);
        let end = || ended.set(ended.get() + 1);
        assert_eq!(or_end(end, || Ok::<(), ()>(())), Ok(()));
        assert_eq!(ended.get(), 0);
        assert_eq!(or_end(end, || Err("no")), Err("no"));
        assert_eq!(ended.get(), 1);
        let panics = || or_end(end, || -> Result<(), ()> { std::panic::panic_any(()) });
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert_eq!(ended.get(), 2);
    }
}
