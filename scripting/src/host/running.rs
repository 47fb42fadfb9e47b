//! What is under way in a machine: the hooks that run, and what a script waits for.

use principes_core::Decision;
use principes_core::FightOrder;
use principes_core::LiveHook;
use principes_core::MoveOrder;
use principes_core::ids::{FactionId, HookId, HookPointId, Value};

/// What a script waits for.
pub enum Request {
    Ask(Decision),
    Move(MoveOrder),
    Fight(FightOrder),
}

/// A hook that is running; the innermost one is the source of decisions and of errors.
#[derive(Clone)]
pub struct Running {
    pub hook: HookId,
    pub source: Value,
    pub owner: Option<FactionId>,
    /// The point whose value it was asked for by a script.
    pub asked: Option<HookPointId>,
    /// Whether it may only look, until it is at its end: it was asked for a value, or lists options.
    pub looks: bool,
    /// Hooks of the same point that run after it, the next one last.
    pub rest: Vec<LiveHook>,
}

impl Running {
    pub fn new(hook: HookId, source: Value, owner: Option<FactionId>) -> Self {
        Running { hook, source, owner, asked: None, looks: false, rest: Vec::new() }
    }
}
