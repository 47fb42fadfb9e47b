//! Scripts that wait: a hook that asks for a decision is a suspended coroutine.
//!
//! A script passes its options as a list or, if they depend on gold, hands or tracks, as a function. The function stays
//! on the stack of the coroutine, and the host calls it again whenever anything else has run.

use std::rc::Rc;

use principes_core::ids::SymbolId;

use crate::host::running::Running;
use crate::host::vm::Vm;
use crate::machine::raw::Coroutine;

/// A script that waits.
pub struct Suspended {
    pub coroutine: Coroutine,
    /// The hooks that run in it.
    pub running: Vec<Running>,
    /// The option that declines the decision and returns nil; `None` if the decision cannot be declined.
    pub declining: Option<SymbolId>,
    pub vm: Rc<Vm>,
}

/// The suspended scripts of one game.
#[derive(Default)]
pub struct Live {
    /// By frame. There are rarely more than two.
    frames: Vec<(u32, Suspended)>,
}

impl Live {
    pub(crate) fn keep(&mut self, frame: u32, script: Suspended) {
        self.frames.push((frame, script));
    }
    pub(crate) fn get(&self, frame: u32) -> Option<&Suspended> {
        self.at(frame).map(|at| &self.frames[at].1)
    }
    pub(crate) fn take(&mut self, frame: u32) -> Option<Suspended> {
        self.at(frame).map(|at| self.frames.swap_remove(at).1)
    }
    fn at(&self, frame: u32) -> Option<usize> {
        self.frames.iter().rposition(|(at, _)| *at == frame)
    }
}
