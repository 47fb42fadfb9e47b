//! The limits of a call: steps, and memory while it runs. The garbage collector runs only from here.

use std::cell::{Cell, RefCell};

use mlua::Lua;
use principes_core::scripts::ScriptErrorKind;

use crate::error::{ApiError, ScriptLocation, TOO_MUCH_MEMORY};
use crate::machine::steps;

/// The most iterations and calls of one hook call, including everything it calls.
pub const STEP_BUDGET: u64 = 1_000_000;

/// The most bytes that a machine may hold.
pub const MEMORY_LIMIT: usize = 32 * 1024 * 1024;

/// The most bytes, including garbage, of a machine with only one game, of which at most [`MEMORY_LIMIT`] may be held. A
/// game that fits into a machine with other games fits into this one.
pub const ALONE_LIMIT: usize = 4 * MEMORY_LIMIT;

/// The steps for catching an error, which carries the whole stack.
pub const CAUGHT: u64 = 1000;

/// The number of steps between two checks of the memory.
const WINDOW: u64 = 64;

/// The budget of the current call. Its error stays raised even if the script catches it.
///
/// Steps depend only on the code. Memory costs no steps, because it depends on what was there before.
#[derive(Default)]
pub struct Budget {
    /// The memory use at which garbage is collected next.
    full: Cell<usize>,
    latch: RefCell<Option<ApiError>>,
}

impl Budget {
    /// Gives a call all its steps. ([`Budget::begin`] checks the memory.)
    pub fn refill(&self) {
        steps::refill(STEP_BUDGET);
        steps::look_after(WINDOW);
    }

    /// Begins a call.
    pub fn begin(&self, lua: &Lua) {
        self.refill();
        if lua.used_memory() > self.full.get() {
            self.collect(lua);
        }
    }

    /// Collects all garbage, and returns the memory that is held.
    pub fn collect(&self, lua: &Lua) -> usize {
        // It fails only if finalizers fail, and there are none.
        let _ = lua.gc_collect();
        // A full collection restarts the collector.
        lua.gc_stop();
        let held = lua.used_memory();
        // Each allocated byte pays for examining one held byte.
        self.full.set(held + held.max(1 << 20));
        held
    }

    /// Removes an error of the last call.
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

    /// Charges one step, or many if a library function loops.
    pub fn charge(&self, many: u64) -> mlua::Result<()> {
        if steps::take(many) {
            return Ok(());
        }
        // The budget stays at zero, so a script that catches this error gets it again at its next step.
        Err(self.latch(
            ScriptErrorKind::Steps,
            format!("the script took more than {STEP_BUDGET} steps; it probably loops forever"),
        ))
    }

    /// The same. If the budget runs out, the error has the location of the script.
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

    /// Charges a step and checks the memory.
    pub fn look(&self, lua: &Lua) -> mlua::Result<()> {
        steps::look_after(WINDOW);
        self.charge_here(lua, 1)?;
        if lua.used_memory() > self.full.get() && self.collect(lua) > MEMORY_LIMIT {
            return Err(self.latch(ScriptErrorKind::Memory, TOO_MUCH_MEMORY.to_owned()));
        }
        Ok(())
    }
}

/// The innermost line of a running script.
fn running_line(lua: &Lua) -> Option<ScriptLocation> {
    for level in 0.. {
        let place = lua.inspect_stack(level, |frame| {
            let module = frame.source().source?.strip_prefix('@')?.to_owned();
            Some(ScriptLocation { module, line: u32::try_from(frame.current_line()?).ok()? })
        })?;
        if place.is_some() {
            return place;
        }
    }
    None
}
