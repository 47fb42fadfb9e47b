//! What hooks do, for tools that watch them.

use principes_core::Event;
use principes_core::ids::{FactionId, HookId, Value};

use crate::host::running::Running;

/// Something that an effect hook did itself, not another hook or procedure that it started.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// The hook.
    pub hook: HookId,
    /// The card, design or rule that it belongs to; nothing for functions of the flow.
    pub source: Value,
    /// Whom it works for.
    pub owner: Option<FactionId>,
    /// What it did.
    pub did: Did,
}

/// What a hook can do.
#[derive(Clone, Copy, Debug)]
pub enum Did {
    /// It changed the table.
    Event(Event),
    /// It started a movement.
    Move,
    /// It started a battle.
    Fight,
}

/// What hooks have done, while watching is on.
#[derive(Default)]
pub struct Watch {
    /// How many events of the table have been read.
    seen: usize,
    deeds: Vec<Deed>,
}

impl Watch {
    /// Skips the events that there are.
    pub fn skip(&mut self, events: &[Event]) {
        self.seen = events.len();
    }

    /// Notes the events since the last time, and then one more deed, as what a hook did.
    pub fn note(&mut self, events: &[Event], more: Option<Did>, by: Option<&Running>) {
        if let Some(&Running { hook, source, owner, .. }) = by {
            let events = events.get(self.seen..).unwrap_or_default().iter().map(|event| Did::Event(*event));
            self.deeds.extend(events.chain(more).map(|did| Deed { hook, source, owner, did }));
        }
        self.seen = events.len();
    }

    /// What was noted so far, and is noted no longer.
    pub fn take(&mut self) -> Vec<Deed> {
        self.deeds.drain(..).collect()
    }
}
