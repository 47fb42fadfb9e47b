//! A machine that is ready to run hooks.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua};

use crate::host::context::Context;
use crate::machine::raw::{Coroutine, Stage};

/// The number of finished coroutines that are kept for reuse.
const IDLE: usize = 16;

/// A machine. Suspended scripts keep it alive.
pub struct Vm {
    pub lua: Lua,
    pub context: Rc<Context>,
    /// Starts and resumes coroutines.
    pub stage: Stage,
    idle: RefCell<Vec<Coroutine>>,
}

impl Vm {
    pub fn new(lua: Lua, context: Rc<Context>, stage: Stage) -> Self {
        Vm { lua, context, stage, idle: RefCell::default() }
    }

    /// An idle coroutine. A new one is made with this function.
    pub fn coroutine(&self, function: &Function) -> mlua::Result<Coroutine> {
        let idle = self.idle.borrow_mut().pop();
        idle.map_or_else(|| Coroutine::new(&self.lua, function), Ok)
    }

    /// Keeps a finished coroutine for reuse.
    pub fn give_back(&self, coroutine: Coroutine) {
        let mut idle = self.idle.borrow_mut();
        if idle.len() < IDLE {
            idle.push(coroutine);
        }
    }
}
