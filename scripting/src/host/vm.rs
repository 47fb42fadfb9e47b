//! A machine that is ready to run hooks.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua};

use crate::host::context::Context;
use crate::machine::raw::{Coroutine, Stage};

/// Finished coroutines that are kept, to be used again.
const IDLE: usize = 16;

/// One machine. What is suspended in it keeps it alive.
pub struct Vm {
    pub lua: Lua,
    pub context: Rc<Context>,
    /// How coroutines begin and continue.
    pub stage: Stage,
    idle: RefCell<Vec<Coroutine>>,
}

impl Vm {
    pub fn new(lua: Lua, context: Rc<Context>, stage: Stage) -> Self {
        Vm { lua, context, stage, idle: RefCell::default() }
    }

    /// A coroutine that runs nothing yet; a new one is over this function.
    pub fn coroutine(&self, function: &Function) -> mlua::Result<Coroutine> {
        let idle = self.idle.borrow_mut().pop();
        idle.map_or_else(|| Coroutine::new(&self.lua, function), Ok)
    }

    /// A coroutine is at its end.
    pub fn give_back(&self, coroutine: Coroutine) {
        let mut idle = self.idle.borrow_mut();
        if idle.len() < IDLE {
            idle.push(coroutine);
        }
    }
}
