//! Measurements for benchmarks: pieces of work, and clocks for them.

pub mod clock;
pub mod work;
