//! The flow of a game: phases, what they do and what they ask first.

use super::filters::SpaceFilter;
use crate::ids::*;

/// A declared kind of decision.
#[derive(Clone, Debug)]
pub struct DecisionKind {
    /// The id that the pack gives it; the prompt is the message `decision.<id>`.
    pub id: String,
}

/// How often a phase is repeated.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// How many times; less than 1 skips the phase.
    Fixed(i32),
    /// As often as this counter of the game says, read again before each turn of the loop.
    Counter(CounterId),
}

/// What a phase does.
#[derive(Clone, Debug)]
pub enum PhaseBody {
    /// Runs a script once.
    Run(HookId),
    /// Runs a script for every playing seat, in turn order.
    Each(HookId),
    /// Runs a script for every playing seat at the same time; each sees only its own decisions.
    Simultaneous(HookId),
    /// Runs other phases again and again.
    Repeat {
        /// How often.
        times: Times,
        /// The counter of the game that shows the turn of the loop, from 1.
        counter: Option<CounterId>,
        /// The phases in order; a phase is part of at most one list.
        phases: Vec<PhaseId>,
    },
}

/// What a phase lets a seat choose from.
#[derive(Clone, Copy, Debug)]
pub enum Offer {
    /// Spaces that fit a filter.
    Spaces {
        /// The part of the filter that is the same for every seat; the fields below fill in `home`, `controller` and
        /// `beside`.
        filter: SpaceFilter,
        /// Whether only spaces inside the seat's own borders fit.
        own_home: bool,
        /// Whether only spaces that the seat controls fit.
        own_control: bool,
        /// Only neighbors of the space that this counter holds for the seat; none if it holds nothing.
        beside: Option<CounterId>,
    },
    /// What a script lists.
    Script(HookId),
}

/// What a phase asks a seat before it starts the seat's script, which receives the answer.
#[derive(Clone, Copy, Debug)]
pub struct PhaseDecision {
    /// The kind of the decision.
    pub decision: DecisionId,
    /// What the seat chooses from.
    pub offer: Offer,
    /// Whether the seat is asked even if there is a single option, because that is a secret.
    pub always: bool,
}

/// A phase of the flow.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The id that the pack gives it.
    pub id: String,
    /// What it does.
    pub body: PhaseBody,
    /// What each seat is asked first; only for [`PhaseBody::Each`] and [`PhaseBody::Simultaneous`].
    pub decision: Option<PhaseDecision>,
}

/// Asides: plays that are open to every seat beside whatever decision the game waits for.
#[derive(Clone, Debug)]
pub struct AsideRule {
    /// Script that lists the options of a seat.
    pub options: HookId,
    /// Script that carries one out.
    pub play: HookId,
    /// The kind of decision under which events and displays show them.
    pub decision: DecisionId,
}
