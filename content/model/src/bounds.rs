//! Bounds of counters.

use principes_schemas as schemas;

/// Bounds of a counter, with the defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The minimum.
    pub min: i32,
    /// The maximum.
    pub max: i32,
    /// The value at the start.
    pub start: i32,
}

impl Bounds {
    /// The bounds of a counter.
    pub fn of(counter: &schemas::Counter) -> Self {
        if counter.holds.is_some() {
            // The kernel stores a handle as its position plus one, and nil as 0.
            return Bounds { min: 0, max: i32::MAX, start: 0 };
        }
        let min = counter.min.unwrap_or(0);
        let max = counter.max.or(counter.supply).unwrap_or(i32::MAX);
        Bounds { min, max, start: counter.start.unwrap_or(min.max(0)) }
    }
}
