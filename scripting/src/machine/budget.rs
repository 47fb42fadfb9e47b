//! What a call may take: steps, and memory while it runs.

use std::cell::{Cell, RefCell};

use mlua::Lua;
use principes_core::scripts::ScriptErrorKind;

use crate::error::{ApiError, Place};
use crate::machine::raw;

/// Loop turns and calls that one call of a hook, with everything it calls, may take.
pub const STEP_BUDGET: u64 = 1_000_000;

/// Bytes that one machine may hold.
pub const MEMORY_LIMIT: usize = 16 * 1024 * 1024;

/// Steps that catching an error costs: it carries the whole stack.
pub const CAUGHT: u64 = 1000;

/// Steps between two looks at the memory in use.
const WINDOW: u64 = 64;
/// Bytes that a window may allocate free of charge.
const FREE: usize = 128 * 1024;
/// Bytes beyond which a window is worth a look at what is really held.
const BURST: usize = 256 * 1024;

/// The budget of the call under way. What it raises when it runs out stays raised, whatever the script catches.
#[derive(Default)]
pub struct Budget {
    meter: Meter,
    latch: RefCell<Option<ApiError>>,
}

impl Budget {
    /// A call starts with all steps. (The memory in use is examined by [`Budget::begin`].)
    pub fn refill(&self) {
        raw::set_steps(STEP_BUDGET);
        raw::look_after(WINDOW);
    }

    /// A call begins.
    pub fn begin(&self, lua: &Lua) {
        self.refill();
        self.meter.begin(lua);
    }

    /// Collects all garbage now.
    pub fn collect(&self, lua: &Lua) {
        self.meter.collect(lua);
    }

    /// Forgets an error of the call before.
    pub fn unlatch(&self) -> Option<ApiError> {
        self.latch.borrow_mut().take()
    }

    /// The error that stays raised, if there is one.
    pub fn latched(&self) -> Option<ApiError> {
        self.latch.borrow().clone()
    }

    /// Raises an error that stays raised.
    pub fn latch(&self, kind: ScriptErrorKind, message: String) -> mlua::Error {
        let error = ApiError::new(kind, message);
        self.latch.borrow_mut().get_or_insert_with(|| error.clone());
        mlua::Error::external(error)
    }

    /// One step, or many if a library function loops.
    pub fn charge(&self, steps: u64) -> mlua::Result<()> {
        if raw::take_steps(steps) {
            return Ok(());
        }
        // The budget stays at zero, so that a script which catches this error gets it again at its next step.
        Err(self.latch(
            ScriptErrorKind::Steps,
            format!("the script took more than {STEP_BUDGET} steps; it probably loops forever"),
        ))
    }

    /// The same; if the budget runs out, the error says where the script was.
    pub fn charge_here(&self, lua: &Lua, steps: u64) -> mlua::Result<()> {
        self.charge(steps).map_err(|error| match &mut *self.latch.borrow_mut() {
            Some(latched) => {
                if latched.place.is_none() {
                    latched.place = running_line(lua);
                }
                mlua::Error::external(latched.clone())
            }
            None => error,
        })
    }

    /// One step that was counted for a whole window of them, and what the memory costs that was taken in it.
    pub fn look(&self, lua: &Lua) -> mlua::Result<()> {
        raw::look_after(WINDOW);
        self.charge_here(lua, 1 + self.meter.price(lua))
    }
}

/// The innermost line of a script that is running.
fn running_line(lua: &Lua) -> Option<Place> {
    for level in 0.. {
        let place = lua.inspect_stack(level, |frame| {
            let file = frame.source().source?.strip_prefix('@')?.to_owned();
            Some(Place { file, line: u32::try_from(frame.current_line()?).ok()? })
        })?;
        if place.is_some() {
            return place;
        }
    }
    None
}

/// Watches the memory that a call takes and holds, and puts a price on it: joining and comparing long strings is one
/// step each and may still take a millisecond. The collector runs only from here, so that what is taken can be counted.
#[derive(Default)]
struct Meter {
    /// In use when the call began.
    entered: Cell<usize>,
    /// In use at the last look.
    seen: Cell<usize>,
    /// In use before the next collection.
    full: Cell<usize>,
    /// The extra cost of each step, for the memory that the call holds.
    rent: Cell<u64>,
}

impl Meter {
    /// A call begins.
    fn begin(&self, lua: &Lua) {
        let mut used = lua.used_memory();
        if used > self.full.get() || self.rent.get() > 0 {
            used = self.collect(lua);
        }
        // Some of it is garbage. But how much is known only after a collection, and this call does not pay for what earlier
        // calls hold.
        self.entered.set(used);
        self.seen.set(used);
        self.rent.set(0);
    }

    /// Steps that a window costs beside its own.
    fn price(&self, lua: &Lua) -> u64 {
        let mut used = lua.used_memory();
        let taken = used.saturating_sub(self.seen.get());
        if taken > BURST || used > self.full.get() {
            used = self.collect(lua);
            self.rent.set((used.saturating_sub(self.entered.get() + BURST) / 4096) as u64);
        }
        self.seen.set(used);
        (taken.saturating_sub(FREE) / 256) as u64 + WINDOW * self.rent.get()
    }

    /// Collects all garbage; returns what is in use afterward.
    fn collect(&self, lua: &Lua) -> usize {
        // It fails only where finalizers do, and there are none.
        let _ = lua.gc_collect();
        // A whole collection starts the collector again.
        lua.gc_stop();
        let used = lua.used_memory();
        self.full.set((used + used.max(1 << 20)).min(used.midpoint(MEMORY_LIMIT)));
        used
    }
}
