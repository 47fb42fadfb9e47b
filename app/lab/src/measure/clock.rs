//! The time and memory of this process, and medians.

use std::hint::black_box;
use std::time::Duration;

/// The number of rounds of a small measurement. Its result is the median.
const ROUNDS: usize = 7;

/// The CPU time of this thread.
#[cfg(unix)]
pub fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

/// The wall-clock time, on systems without CPU time of threads.
#[cfg(not(unix))]
pub fn now() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

/// Calls a function and measures its time.
pub fn timed<T>(call: impl FnOnce() -> T) -> (T, Duration) {
    let begin = now();
    let result = call();
    (result, now() - begin)
}

/// The time of one of many calls, in nanoseconds.
pub fn per_call(calls: u32, mut call: impl FnMut()) -> f64 {
    let ((), time) = timed(|| (0..calls).for_each(|_| call()));
    time.as_nanos() as f64 / f64::from(calls)
}

/// The median of a few rounds.
pub fn median(mut round_of: impl FnMut() -> f64) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS).map(|_| round_of()).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

/// A fixed piece of work to compare machines: a million steps of a generator.
pub fn yardstick() -> u64 {
    let step = |z: u64, at| (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(at);
    (0..1_000_000u64).fold(black_box(1), step)
}

/// The memory that the process holds now (`VmRSS`) or its peak (`VmHWM`), in KiB. `None` if the system does not report
/// it.
pub fn memory(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
