//! A queue of numbered work. Workers take numbers in order, and their results are added in order. The sum therefore does
//! not depend on the number of workers, and it always covers the first numbers without gaps.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};

use super::{WorkerError, caught, together};

/// What a worker does next.
pub enum Next<T> {
    /// Work on this many numbers, at least one. The value says what else the work needs.
    Take(u64, T),
    /// Wait until another result is added.
    Wait,
    /// Stop. All others stop when they have handed in what they have taken.
    End,
}

/// A queue. `S` is the sum, and `R` a result of one or more consecutive numbers.
pub struct Ordered<'a, S, R> {
    queue: Mutex<Queue<S, R>>,
    /// Results were added, or no more will come.
    changed: Condvar,
    /// The most results that wait for an earlier one before nobody takes more numbers.
    ahead: usize,
    stop: &'a AtomicBool,
    /// Whether a worker failed.
    failed: AtomicBool,
}

struct Queue<S, R> {
    /// The first number that nobody has taken.
    next: u64,
    /// All results before this number are in the sum.
    added: u64,
    /// Results that wait for an earlier one, by their first number, with the number after their last one.
    waiting: BTreeMap<u64, (u64, R)>,
    sum: S,
    /// Whether no more numbers are taken.
    is_closed: bool,
}

impl<'a, S: Send, R: Send> Ordered<'a, S, R> {
    /// A queue that begins with a number; the sum covers all numbers before it. While more than `ahead` results wait for
    /// an earlier one, workers wait too. If `stop` is set, they take no more, and may leave what they have taken.
    pub fn new(first: u64, ahead: usize, stop: &'a AtomicBool, sum: S) -> Self {
        let queue = Queue { next: first, added: first, waiting: BTreeMap::new(), sum, is_closed: false };
        let (queue, changed) = (Mutex::new(queue), Condvar::new());
        Ordered { queue, changed, ahead, stop, failed: AtomicBool::new(false) }
    }

    /// Lets each of several workers call `worker`, which takes numbers and hands in results until there are no more.
    /// Returns the sum. If one fails or panics, the others stop.
    ///
    /// # Errors
    /// The first failure of a worker; [`WorkerError`] if a thread cannot start or a worker panics.
    pub fn work<E: From<WorkerError> + Send>(
        self,
        jobs: usize,
        worker: impl Fn(&Self) -> Result<(), E> + Sync,
    ) -> Result<S, E> {
        together(jobs, || caught(|| worker(&self)).inspect_err(|_| self.fail()))?;
        Ok(self.queue.into_inner().sum)
    }

    /// Whether workers should leave what they have taken: a worker failed, or the flag is set.
    pub fn is_stopped(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// Takes the next numbers. `decide` gets the first of them, and the sum so far. `None` if the work is over.
    ///
    /// # Panics
    /// If `decide` waits although all taken numbers have been added: nothing would ever happen.
    pub fn take<T>(&self, mut decide: impl FnMut(&mut S, u64) -> Next<T>) -> Option<(Range<u64>, T)> {
        let mut queue = self.queue.lock();
        while !self.is_stopped() && !queue.is_closed {
            let first = queue.next;
            // The worker with the earliest missing result never waits here, and adds those that wait for it.
            let next = if queue.waiting.len() > self.ahead { Next::Wait } else { decide(&mut queue.sum, first) };
            match next {
                Next::Take(count, with) => {
                    queue.next += count;
                    return Some((first..queue.next, with));
                }
                Next::Wait => {
                    assert!(queue.added < first, "nobody works on what a worker waits for");
                    self.changed.wait(&mut queue);
                }
                Next::End => queue.is_closed = true,
            }
        }
        // Others may wait for what this worker has left.
        self.changed.notify_all();
        None
    }

    /// Hands in a result. It is added, with those that wait for it, as soon as no earlier one is missing.
    ///
    /// # Errors
    /// The failure of `add`.
    pub fn hand_in<E>(
        &self,
        numbers: Range<u64>,
        result: R,
        mut add: impl FnMut(&mut S, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut queue = self.queue.lock();
        let queue = &mut *queue;
        queue.waiting.insert(numbers.start, (numbers.end, result));
        while let Some((end, result)) = queue.waiting.remove(&queue.added) {
            queue.added = end;
            add(&mut queue.sum, result)?;
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Stops all others.
    fn fail(&self) {
        // With the lock, nobody can be between looking at the flag and waiting.
        let _queue = self.queue.lock();
        self.failed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    type Numbers<'a> = Ordered<'a, Vec<u64>, u64>;

    static GO: AtomicBool = AtomicBool::new(false);

    fn take(queue: &Numbers, most: u64) -> Option<Range<u64>> {
        let decide = |_: &mut Vec<u64>, next| match most - next {
            0 => Next::End,
            left => Next::Take(left.min(3), ()),
        };
        queue.take(decide).map(|(numbers, ())| numbers)
    }

    fn add(sum: &mut Vec<u64>, result: u64) -> Result<(), WorkerError> {
        sum.push(result);
        Ok(())
    }

    #[test]
    fn results_are_added_in_order() {
        let queue = Numbers::new(5, 9, &GO, Vec::new());
        let [first, second] = [(); 2].map(|()| take(&queue, 9).unwrap());
        assert_eq!((first, second.clone()), (5..8, 8..9));
        queue.hand_in(second, 8, add).unwrap();
        assert!(queue.queue.lock().sum.is_empty());
        // A part of what was taken.
        queue.hand_in(5..6, 5, add).unwrap();
        assert_eq!(queue.queue.lock().sum, [5]);
        // Nobody leaves what was taken because there is no more.
        assert!(take(&queue, 9).is_none() && !queue.is_stopped());
        queue.hand_in(6..8, 6, add).unwrap();
        assert_eq!(queue.queue.lock().sum, [5, 6, 8]);
    }

    #[test]
    fn any_number_of_workers_gives_the_same_sum() {
        for (jobs, ahead) in [(1, 0), (2, 0), (2, 9), (5, 2)] {
            let worker = |queue: &Numbers| -> Result<(), WorkerError> {
                while let Some(numbers) = take(queue, 500) {
                    for number in numbers {
                        queue.hand_in(number..number + 1, number, add)?;
                    }
                }
                Ok(())
            };
            let sum = Numbers::new(0, ahead, &GO, Vec::new()).work(jobs, worker).unwrap();
            assert_eq!(sum, (0..500).collect::<Vec<_>>(), "{jobs} workers, {ahead} ahead");
        }
    }

    #[test]
    fn nobody_is_too_far_ahead() {
        let queue = Numbers::new(0, 1, &GO, Vec::new());
        let slow = take(&queue, 99).unwrap();
        let decide = |sum: &mut Vec<u64>, next| {
            assert!(next <= 6 || !sum.is_empty(), "{next}");
            if next < 99 { Next::Take(3, ()) } else { Next::End }
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                while let Some((numbers, ())) = queue.take(decide) {
                    queue.hand_in(numbers.clone(), numbers.start, add).unwrap();
                }
            });
            while queue.queue.lock().waiting.len() < 2 {
                std::thread::yield_now();
            }
            queue.hand_in(slow, 0, add).unwrap();
            other.join().unwrap();
        });
        assert_eq!(queue.queue.lock().sum, (0..99).step_by(3).collect::<Vec<_>>());
    }

    #[test]
    fn the_flag_stops_all() {
        let stop = AtomicBool::new(false);
        let worker = |queue: &Numbers| -> Result<(), WorkerError> {
            while let Some(numbers) = take(queue, u64::MAX) {
                stop.store(numbers.start > 20, Ordering::Relaxed);
                queue.hand_in(numbers.clone(), numbers.start, add)?;
            }
            Ok(())
        };
        let sum = Numbers::new(0, 1, &stop, Vec::new()).work(3, worker).unwrap();
        assert!(sum.len() >= 8 && sum.iter().copied().eq((0..).step_by(3).take(sum.len())), "{sum:?}");
    }

    #[test]
    fn a_failure_and_a_panic_end_the_work_of_all() {
        for panics in [false, true] {
            let worker = |queue: &Numbers| -> Result<(), WorkerError> {
                while let Some(numbers) = take(queue, u64::MAX) {
                    // The others wait for this result, which never comes.
                    queue.hand_in(numbers.clone(), numbers.start, |sum, number| match number {
                        9 if panics => std::panic::panic_any(()),
                        9 => Err(WorkerError::Failed),
                        _ => add(sum, number),
                    })?;
                }
                Ok(())
            };
            let result = Numbers::new(0, 1, &GO, Vec::new()).work(3, worker);
            assert!(matches!(result, Err(WorkerError::Failed)), "{result:?}");
        }
    }

    #[test]
    fn nobody_waits_for_nothing() {
        let worker = |queue: &Numbers| -> Result<(), WorkerError> {
            queue.take(|_, _| Next::<()>::Wait);
            Ok(())
        };
        let result = Numbers::new(0, 1, &GO, Vec::new()).work(2, worker);
        assert!(matches!(result, Err(WorkerError::Failed)), "{result:?}");
    }
}
