//! What a call may take: steps, and memory while it runs. The collector runs only from here.

use std::cell::{Cell, RefCell};

use mlua::Lua;
use principes_core::scripts::ScriptErrorKind;

use crate::error::{ApiError, Place, TOO_MUCH_MEMORY};
use crate::machine::steps;

/// Loop turns and calls that one call of a hook, with everything it calls, may take.
pub const STEP_BUDGET: u64 = 1_000_000;

/// Bytes that a machine may hold at most.
pub const MEMORY_LIMIT: usize = 32 * 1024 * 1024;

/// Bytes that a machine may take in which one game is alone, garbage included; at most [`MEMORY_LIMIT`] of them are held.
/// What fits into a machine with other games fits into this one.
pub const ALONE_LIMIT: usize = 4 * MEMORY_LIMIT;

/// Steps that catching an error costs: it carries the whole stack with it.
pub const CAUGHT: u64 = 1000;

/// Steps between two looks at the memory in use.
const WINDOW: u64 = 64;

/// The budget of the call under way. What it raises when it runs out stays raised, whatever the script catches.
///
/// Steps are a matter of the code alone: what it takes of the memory costs none, because that depends on what lay there
/// before.
#[derive(Default)]
pub struct Budget {
    /// In use before the next collection.
    full: Cell<usize>,
    latch: RefCell<Option<ApiError>>,
}

impl Budget {
    /// A call starts with all steps. (The memory in use is examined by [`Budget::begin`].)
    pub fn refill(&self) {
        steps::refill(STEP_BUDGET);
        steps::look_after(WINDOW);
    }

    /// A call begins.
    pub fn begin(&self, lua: &Lua) {
        self.refill();
        if lua.used_memory() > self.full.get() {
            self.collect(lua);
        }
    }

    /// Collects all garbage now; gives what is held.
    pub fn collect(&self, lua: &Lua) -> usize {
        // It fails only where finalizers do, and there are none.
        let _ = lua.gc_collect();
        // A whole collection starts the collector again.
        lua.gc_stop();
        let held = lua.used_memory();
        // Each byte that is taken pays for looking at one that is held.
        self.full.set(held + held.max(1 << 20));
        held
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

    /// One step, or many where a library function loops.
    pub fn charge(&self, many: u64) -> mlua::Result<()> {
        if steps::take(many) {
            return Ok(());
        }
        // The budget stays at zero, so that a script which catches this error gets it again at its next step.
        Err(self.latch(
            ScriptErrorKind::Steps,
            format!("the script took more than {STEP_BUDGET} steps; it probably loops forever"),
        ))
    }

    /// The same; where the budget runs out, the error says where the script was.
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

    /// A step at which the memory is looked at.
    pub fn look(&self, lua: &Lua) -> mlua::Result<()> {
        steps::look_after(WINDOW);
        self.charge_here(lua, 1)?;
        if lua.used_memory() > self.full.get() && self.collect(lua) > MEMORY_LIMIT {
            return Err(self.latch(ScriptErrorKind::Memory, TOO_MUCH_MEMORY.to_owned()));
        }
        Ok(())
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
