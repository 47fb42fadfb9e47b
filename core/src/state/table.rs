//! The [`Table`]: a world with its catalog and its event log.

use std::sync::Arc;

use super::decision::{Decision, DecisionOption};
use super::event::Event;
use super::frame::{Frame, ScriptFrame};
use super::hook::LiveHook;
use super::world::World;
use crate::catalog::Catalog;
use crate::ids::*;

/// A world with its catalog and its event log. The operations that rules are made of are its methods; they are in the
/// folder `rules`, one file for each kind.
#[derive(Clone, Debug)]
pub struct Table {
    /// What the packs compiled to, shared with all other games.
    pub catalog: Arc<Catalog>,
    /// Everything that changes, boxed: tables change hands whenever a script runs.
    pub world: Box<World>,
    /// What has happened since the log was last taken, oldest first.
    pub events: Vec<Event>,
    /// Whether events are kept. Simulations do without.
    pub record_events: bool,
    /// What the dice have shown since the last pause between scripts: 0 is the first face.
    pub(crate) rolled: Vec<u32>,
}

impl Table {
    /// Writes an event, if events are kept.
    #[inline]
    pub fn emit(&mut self, event: Event) {
        if self.record_events {
            self.events.push(event);
        }
    }

    /// A frame for a hook, which is not yet on the stack.
    pub(crate) fn script_frame(&mut self, hook: LiveHook, args: Args) -> ScriptFrame {
        ScriptFrame::new(self.world.take_frame_id(), hook, args)
    }

    /// The decisions that are open now.
    pub fn pending(&self) -> Vec<&Decision> {
        self.decisions().collect()
    }

    /// The decisions that are open now, one after the other.
    pub(crate) fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.world.flow.last().into_iter().flat_map(Frame::decisions)
    }

    /// The kind of the open decision that offers a seat an option; `None` if none does.
    pub(crate) fn offered(&self, seat: SeatId, option: &DecisionOption) -> Option<DecisionId> {
        self.decisions()
            .find(|decision| decision.seat == seat && decision.options.contains(option))
            .map(|decision| decision.kind)
    }
}
