//! The [`Table`]: a world with its catalog and its event log.

use std::sync::Arc;

use super::decision::{Decision, DecisionOption};
use super::event::Event;
use super::frame::{Frame, ScriptFrame};
use super::hook::LiveHook;
use super::world::World;
use crate::catalog::Catalog;
use crate::ids::*;

/// A world with its catalog and its event log. Its methods are the operations from which rules are made; they are in
/// the folder `rules`, one file for each topic.
#[derive(Clone, Debug)]
pub struct Table {
    /// The content of the packs, shared with all other games.
    pub catalog: Arc<Catalog>,
    /// Everything that changes. It is boxed, because tables are moved whenever a script runs.
    pub world: Box<World>,
    /// The events since the log was last taken, oldest first.
    pub events: Vec<Event>,
    /// Whether events are recorded. Simulations do not need them.
    pub record_events: bool,
    /// The results of dice since the last pause between scripts; 0 is the first face.
    pub(crate) rolled: Vec<u32>,
}

impl Table {
    /// Records an event, if events are recorded.
    #[inline]
    pub fn emit(&mut self, event: Event) {
        if self.record_events {
            self.events.push(event);
        }
    }

    /// A frame for a hook. It is not yet on the stack.
    pub(crate) fn script_frame(&mut self, hook: LiveHook, args: Args) -> ScriptFrame {
        ScriptFrame::new(self.world.take_frame_id(), hook, args)
    }

    /// The open decisions.
    pub fn pending(&self) -> Vec<&Decision> {
        self.decisions().collect()
    }

    /// Iterates over the open decisions.
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
