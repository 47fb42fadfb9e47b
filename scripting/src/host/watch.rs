//! The effects of hooks, for tools that watch them.

use principes_core::Event;
use principes_core::ids::{FactionId, HookId, Value};

use crate::host::running::Running;

/// An effect of an effect hook itself, not of another hook or procedure that it started.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// Whose function caused it.
    pub hook: HookId,
    /// The card, design or rule of the hook; nil for functions of the flow.
    pub source: Value,
    /// The owner of the hook.
    pub owner: Option<FactionId>,
    /// The effect.
    pub kind: EffectKind,
}

/// What the hook did.
#[derive(Clone, Copy, Debug)]
pub enum EffectKind {
    /// It changed the table.
    Event(Event),
    /// It started a movement.
    Move,
    /// It started a battle.
    Fight,
}

/// The recorded effects, while watching is on.
#[derive(Default)]
pub struct Watch {
    /// The number of events of the table that have been read.
    seen: usize,
    effects: Vec<Effect>,
}

impl Watch {
    /// Skips the current events.
    pub fn skip(&mut self, events: &[Event]) {
        self.seen = events.len();
    }

    /// Records the events since the last time, and then one more effect, as effects of a hook.
    pub fn note(&mut self, events: &[Event], more: Option<EffectKind>, by: Option<&Running>) {
        if let Some(&Running { hook, source, owner, .. }) = by {
            let events = events.get(self.seen..).unwrap_or_default().iter().map(|event| EffectKind::Event(*event));
            self.effects.extend(events.chain(more).map(|kind| Effect { hook, source, owner, kind }));
        }
        self.seen = events.len();
    }

    /// Returns and clears the recorded effects.
    pub fn take(&mut self) -> Vec<Effect> {
        self.effects.drain(..).collect()
    }
}
