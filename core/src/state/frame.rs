//! The state of the flow: a stack of frames of plain data. It uses neither recursion nor threads.

use serde::{Deserialize, Serialize};

use super::battle::Battle;
use super::decision::{Decision, DecisionOption};
use super::hook::LiveHook;
use super::movement::{MoveResult, Movement};
use crate::catalog::{Catalog, PhaseBody};
use crate::ids::*;

/// The value with which a suspended script is resumed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The option taken; `None` if there was nothing to choose.
    Answer(Option<DecisionOption>),
    /// The result of a movement.
    Moved(MoveResult),
    /// The keyword of the side that won a battle: `attacker` or `defender`.
    Fought(SymbolId),
}

/// The state of a script frame.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ScriptState {
    /// Not started.
    New,
    /// It waits for an answer.
    Asking {
        /// What the seat must choose.
        decision: Decision,
        /// Whether its options must be listed, for the first time or because something else has run since.
        stale: bool,
        /// The phase that asks before the script starts; `None` if the script itself asks.
        before: Option<PhaseId>,
    },
    /// It waits for the frame above.
    Waiting,
    /// It can continue with this reply.
    Ready(Reply),
}

/// A running effect hook.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ScriptFrame {
    /// A unique number, with which the script host identifies its suspended part.
    pub id: u32,
    /// The function.
    pub hook: HookId,
    /// The seat it acts for, if any.
    pub owner: Option<FactionId>,
    /// The card it belongs to, if any.
    pub card: Option<CardId>,
    /// The arguments. A phase with a decision appends the answer.
    pub args: Args,
    /// Whether it is new, asks, waits or has an answer to take.
    pub state: ScriptState,
}

impl ScriptFrame {
    pub(crate) fn new(id: u32, hook: LiveHook, args: Args) -> Self {
        ScriptFrame { id, hook: hook.hook, owner: hook.owner, card: hook.card, args, state: ScriptState::New }
    }
    pub(crate) fn live_hook(&self) -> LiveHook {
        LiveHook { hook: self.hook, owner: self.owner, card: self.card, priority: 0 }
    }
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.state, ScriptState::New)
    }
    /// Whether the host holds a part of it that is not in the data.
    pub(crate) fn is_suspended(&self) -> bool {
        !matches!(self.state, ScriptState::New | ScriptState::Asking { before: Some(_), .. })
    }
    pub(crate) fn decision(&self) -> Option<&Decision> {
        match &self.state {
            ScriptState::Asking { decision, .. } => Some(decision),
            _ => None,
        }
    }
    pub(crate) fn mark_stale(&mut self) {
        if let ScriptState::Asking { stale, .. } = &mut self.state {
            *stale = true;
        }
    }
}

/// A list of phases in [`Turns`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Level {
    /// The repeated phase that contains these phases; `None` for the outermost phases.
    pub phase: Option<PhaseId>,
    /// The index of the phase that runs or comes next.
    pub index: usize,
    /// The iteration of the loop, from 1.
    pub iteration: i32,
    /// The index in the turn order of the next seat, for phases that go from seat to seat.
    pub seat: usize,
}

impl Level {
    /// The phases of the list.
    #[inline]
    pub(crate) fn phases<'a>(&self, catalog: &'a Catalog) -> &'a [PhaseId] {
        match self.phase {
            None => &catalog.flow,
            Some(phase) => match &catalog.phases[phase.index()].body {
                PhaseBody::Repeat { phases, .. } => phases,
                _ => &[],
            },
        }
    }
}

/// The current position in the phases.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Turns {
    /// The levels from the outermost list of phases inward; empty when all phases have ended.
    pub levels: Vec<Level>,
}

impl Turns {
    /// The position before the first phase.
    pub(crate) fn begin() -> Self {
        Turns { levels: vec![Level { phase: None, index: 0, iteration: 1, seat: 0 }] }
    }

    /// The innermost current phase.
    pub fn phase(&self, catalog: &Catalog) -> Option<PhaseId> {
        let level = self.levels.last()?;
        // `index` has already advanced while a phase that runs once is running.
        let index = level.index.saturating_sub(usize::from(level.seat == 0 && level.index > 0));
        level.phases(catalog).get(index).copied().or(level.phase)
    }
}

/// One frame of the flow.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Frame {
    /// Phases, rounds and turns.
    Turns(Turns),
    /// An effect hook.
    Script(ScriptFrame),
    /// Effect hooks of several seats at once, each asking its own seat.
    Simultaneous(Vec<ScriptFrame>),
    /// A seat moves pieces, and other seats may be asked for consent.
    Movement(Box<Movement>),
    /// Two factions fight for a space.
    Battle(Box<Battle>),
    /// Nothing to do and nobody to ask. Scenarios run single hooks above it; games never reach it.
    Idle,
}

// Written by hand: turns and decisions are copied at nearly every pause, over values of the same type.
impl Clone for Frame {
    fn clone(&self) -> Self {
        match self {
            Frame::Turns(turns) => Frame::Turns(turns.clone()),
            Frame::Script(script) => Frame::Script(script.clone()),
            Frame::Simultaneous(scripts) => Frame::Simultaneous(scripts.clone()),
            Frame::Movement(movement) => Frame::Movement(movement.clone()),
            Frame::Battle(battle) => Frame::Battle(battle.clone()),
            Frame::Idle => Frame::Idle,
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Frame::Turns(to), Frame::Turns(from)) => to.levels.clone_from(&from.levels),
            (Frame::Script(to), Frame::Script(from)) => to.clone_from(from),
            (to, from) => *to = from.clone(),
        }
    }
}

impl Clone for ScriptFrame {
    fn clone(&self) -> Self {
        ScriptFrame { state: self.state.clone(), ..*self }
    }
    fn clone_from(&mut self, source: &Self) {
        let ScriptFrame { id, hook, owner, card, args, state } = self;
        (*id, *hook, *owner, *card, *args) = (source.id, source.hook, source.owner, source.card, source.args);
        state.clone_from(&source.state);
    }
}

impl Clone for ScriptState {
    fn clone(&self) -> Self {
        match self {
            ScriptState::New => ScriptState::New,
            ScriptState::Asking { decision, stale, before } => {
                ScriptState::Asking { decision: decision.clone(), stale: *stale, before: *before }
            }
            ScriptState::Waiting => ScriptState::Waiting,
            ScriptState::Ready(reply) => ScriptState::Ready(reply.clone()),
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (
                ScriptState::Asking { decision, stale, before },
                ScriptState::Asking { decision: asked, stale: old, before: phase },
            ) => {
                decision.clone_from(asked);
                (*stale, *before) = (*old, *phase);
            }
            (to, from) => *to = from.clone(),
        }
    }
}

impl Frame {
    /// The decisions that wait in this frame.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        let (one, several) = match self {
            Frame::Script(script) => (script.decision(), [].as_slice()),
            Frame::Simultaneous(scripts) => (None, scripts.as_slice()),
            Frame::Movement(movement) => (movement.decision.as_ref(), [].as_slice()),
            Frame::Turns(_) | Frame::Battle(_) | Frame::Idle => (None, [].as_slice()),
        };
        one.into_iter().chain(several.iter().filter_map(ScriptFrame::decision))
    }

    /// Whether it contains a suspended script, whose state can be rebuilt only by running the script again.
    pub(crate) fn is_suspended(&self) -> bool {
        match self {
            Frame::Script(script) => script.is_suspended(),
            Frame::Simultaneous(scripts) => scripts.iter().any(ScriptFrame::is_suspended),
            _ => false,
        }
    }

    /// Makes the options of open decisions be listed again before they are shown.
    pub(crate) fn mark_stale(&mut self) {
        match self {
            Frame::Script(script) => script.mark_stale(),
            Frame::Simultaneous(scripts) => scripts.iter_mut().for_each(ScriptFrame::mark_stale),
            Frame::Movement(movement) => movement.stale = true,
            Frame::Turns(_) | Frame::Battle(_) | Frame::Idle => {}
        }
    }
}
