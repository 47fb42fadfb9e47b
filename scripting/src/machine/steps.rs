//! The steps that are left to the call that runs on this thread.

use std::cell::Cell;

thread_local! {
    /// Steps until the next look. Luau's loop counts here, so this is by itself.
    static COUNTDOWN: Cell<u64> = const { Cell::new(0) };
    /// Steps that are left then.
    static BEYOND: Cell<u64> = const { Cell::new(0) };
}

/// Steps that are left to the call that runs on this thread.
pub fn left() -> u64 {
    BEYOND.get() + COUNTDOWN.get()
}

/// From now on so many steps are left. The closure given to [`count_steps`](crate::machine::raw::count_steps) is called at
/// the first of them.
pub fn refill(left: u64) {
    COUNTDOWN.set(0);
    BEYOND.set(left);
}

/// The closure given to [`count_steps`](crate::machine::raw::count_steps) is called when so many steps have been counted
/// without it.
pub fn look_after(steps: u64) {
    let left = left();
    let countdown = steps.min(left);
    COUNTDOWN.set(countdown);
    BEYOND.set(left - countdown);
}

/// Takes so many steps off; false where there are not so many, and then none is left.
pub fn take(steps: u64) -> bool {
    let rest = left().checked_sub(steps);
    let countdown = COUNTDOWN.get().saturating_sub(steps);
    COUNTDOWN.set(countdown);
    BEYOND.set(rest.unwrap_or_default().saturating_sub(countdown));
    rest.is_some()
}

/// Where the steps until the next look are counted on this thread.
#[inline]
pub fn countdown() -> *mut u64 {
    COUNTDOWN.with(Cell::as_ptr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_out_once() {
        refill(100);
        look_after(64);
        assert!(left() == 100 && take(10) && left() == 90 && COUNTDOWN.get() == 54);
        assert!(take(60) && left() == 30 && COUNTDOWN.get() == 0);
        look_after(64);
        assert!(left() == 30 && COUNTDOWN.get() == 30);
        assert!(!take(31) && left() == 0 && take(0) && !take(1));
    }
}
