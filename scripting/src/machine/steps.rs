//! The remaining steps of the call that runs on this thread.

use std::cell::Cell;

/// The two counters are together, because Luau's loops count here.
struct Steps {
    /// The steps until the next check.
    countdown: Cell<u64>,
    /// The steps that remain after that.
    beyond: Cell<u64>,
}

thread_local! {
    static STEPS: Steps = const { Steps { countdown: Cell::new(0), beyond: Cell::new(0) } };
}

/// The remaining steps of the call that runs on this thread.
pub fn left() -> u64 {
    STEPS.with(|steps| steps.beyond.get() + steps.countdown.get())
}

/// Sets the number of remaining steps. The closure given to [`count_steps`](crate::machine::raw::count_steps) is called
/// at the first of them.
pub fn refill(left: u64) {
    STEPS.with(|steps| {
        steps.countdown.set(0);
        steps.beyond.set(left);
    });
}

/// Sets after how many steps the closure given to [`count_steps`](crate::machine::raw::count_steps) is called.
pub fn look_after(many: u64) {
    STEPS.with(|steps| {
        let left = steps.beyond.get() + steps.countdown.get();
        let countdown = if many < left { many } else { left };
        steps.countdown.set(countdown);
        steps.beyond.set(left - countdown);
    });
}

/// Takes steps off. Returns false if there are too few; then none remain.
pub fn take(many: u64) -> bool {
    STEPS.with(|steps| {
        let countdown = steps.countdown.get();
        if many <= countdown {
            steps.countdown.set(countdown - many);
            return true;
        }
        let rest = (steps.beyond.get() + countdown).checked_sub(many);
        steps.countdown.set(0);
        steps.beyond.set(rest.unwrap_or_default());
        rest.is_some()
    })
}

/// Counts a step. Returns false if it is time to call the closure.
#[inline]
pub fn count() -> bool {
    STEPS.with(|steps| {
        let some = steps.countdown.get();
        if some != 0 {
            steps.countdown.set(some - 1);
        }
        some != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until_look() -> u64 {
        STEPS.with(|steps| steps.countdown.get())
    }

    #[test]
    fn steps_run_out_once() {
        refill(100);
        look_after(64);
        assert!(left() == 100 && take(10) && left() == 90 && until_look() == 54);
        assert!(take(60) && left() == 30 && until_look() == 0);
        look_after(64);
        assert!(left() == 30 && until_look() == 30);
        assert!(!take(31) && left() == 0 && take(0) && !take(1));
    }
}
