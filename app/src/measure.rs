//! What the project's benchmarks measure: pieces of work, and clocks for them.

pub mod clock;
pub mod work;
