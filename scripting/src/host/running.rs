//! The running hooks of a machine, and the requests of scripts.

use principes_core::Decision;
use principes_core::FightOrder;
use principes_core::LiveHook;
use principes_core::MoveOrder;
use principes_core::ids::{FactionId, HookId, HookPointId, Value};

/// The request of a script.
pub enum Request {
    Ask(Decision),
    Move(MoveOrder),
    Fight(FightOrder),
}

/// A running hook. The innermost one is the source of decisions and errors.
#[derive(Clone)]
pub struct Running {
    pub hook: HookId,
    pub source: Value,
    pub owner: Option<FactionId>,
    /// The point, if a script queried its value.
    pub asked: Option<HookPointId>,
    /// Whether it may only read, because it computes a value or lists options.
    pub looks: bool,
    /// The hooks of the same point that run after it; the next one is last.
    pub rest: Vec<LiveHook>,
}

impl Running {
    pub fn new(hook: HookId, source: Value, owner: Option<FactionId>) -> Self {
        Running { hook, source, owner, asked: None, looks: false, rest: Vec::new() }
    }
}
