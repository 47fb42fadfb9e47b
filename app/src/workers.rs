//! Worker threads: their number, their stack size, and their failures. [`ordered`] is the queue for work whose results
//! have an order.
//!
//! If a thread panics, the whole work fails, and what it shared with others is dropped. The locks of this program
//! therefore do not remember panics; they are those of `parking_lot`.

pub mod ordered;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;

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

/// Does the work for each item on several threads.
///
/// # Errors
/// The first failure of the work; [`WorkerError`] if a thread cannot start or panics.
pub fn each<T: Send, E: From<WorkerError> + Send>(
    jobs: usize,
    items: &mut [T],
    work: impl Fn(&mut T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let jobs = jobs.min(items.len());
    let queue = Mutex::new(items.iter_mut());
    together(jobs, || std::iter::from_fn(|| queue.lock().next()).try_for_each(&work))
}

/// Does some work. A panic, which the hook of the program has reported, becomes an error.
fn caught<E: From<WorkerError>>(work: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    // The caller that gets the error drops what the work has changed.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(WorkerError::Failed.into()))
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
        let start = |_| thread().spawn_scoped(scope, || caught(&work));
        let others = (1..jobs).map(start).collect::<io::Result<Vec<_>>>().map_err(WorkerError::NoThread)?;
        let first = caught(&work);
        let ends = others.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err(WorkerError::Failed.into())));
        ends.fold(first, |result, end| result.and(end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_any_thread_is_an_error() {
        for jobs in [1, 2] {
            let mut items = [1, 2, 3, 4];
            let result = each(jobs, &mut items, |item: &mut i32| -> Result<(), WorkerError> {
                if *item == 3 {
                    std::panic::panic_any(());
                }
                *item *= 10;
                Ok(())
            });
            assert!(matches!(result, Err(WorkerError::Failed)), "{result:?}");
            assert_eq!(items[..3], [10, 20, 3]);
        }
    }
}
