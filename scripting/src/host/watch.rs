//! What hooks do, for tools that watch them.

use principes_core::Event;
use principes_core::ids::{FactionId, HookId, Value};

use crate::host::running::Running;

/// Something that an effect hook did itself, not another hook or procedure that it started.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// The hook.
    pub hook: HookId,
    /// The card, design or rule that it belongs to; nothing for functions of the flow.
    pub source: Value,
    /// Whom it works for.
    pub owner: Option<FactionId>,
    /// What it did.
    pub kind: EffectKind,
}

/// What a hook can do.
#[derive(Clone, Copy, Debug)]
pub enum EffectKind {
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
    effects: Vec<Effect>,
}

impl Watch {
    /// Skips the events that there are.
    pub fn skip(&mut self, events: &[Event]) {
        self.seen = events.len();
    }

    /// Notes the events since the last time, and then one more effect, as what a hook did.
    pub fn note(&mut self, events: &[Event], more: Option<EffectKind>, by: Option<&Running>) {
        if let Some(&Running { hook, source, owner, .. }) = by {
            let events = events.get(self.seen..).unwrap_or_default().iter().map(|event| EffectKind::Event(*event));
            self.effects.extend(events.chain(more).map(|kind| Effect { hook, source, owner, kind }));
        }
        self.seen = events.len();
    }

    /// What was noted so far, and is noted no longer.
    pub fn take(&mut self) -> Vec<Effect> {
        self.effects.drain(..).collect()
    }
}
