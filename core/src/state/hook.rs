//! Live hooks, and hook points that wait to run.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// A live hook with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveHook {
    /// The function.
    pub hook: HookId,
    /// The seat that owns the card or the rule; `None` if nobody does.
    pub owner: Option<FactionId>,
    /// The card, if the hook belongs to one.
    pub card: Option<CardId>,
    /// Lower numbers run first.
    pub priority: i16,
}

impl LiveHook {
    /// A function of the flow or of a procedure, without an owner.
    pub(crate) fn of_flow(hook: HookId) -> Self {
        LiveHook { hook, owner: None, card: None, priority: 0 }
    }
}

/// An effect hook point whose hooks run at the next pause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Trigger {
    /// The hook point.
    pub point: HookPointId,
    /// Its arguments.
    pub args: Args,
}
