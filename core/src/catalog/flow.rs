//! The flow of a game: phases, their scripts and their decisions.

use super::filters::SpaceFilter;
use crate::ids::*;

/// A declared kind of decision.
#[derive(Clone, Debug)]
pub struct DecisionKind {
    /// The id that the pack gives it. The prompt is the message `decision.<id>`.
    pub id: String,
}

/// How often a phase is repeated.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// This many times; less than 1 skips the phase.
    Fixed(i32),
    /// The value of this counter of the game, read again before each iteration.
    Counter(CounterId),
}

/// What a phase does.
#[derive(Clone, Debug)]
pub enum PhaseBody {
    /// Runs a script once.
    Run(HookId),
    /// Runs a script for every playing seat, in turn order.
    Each(HookId),
    /// Runs a script for all playing seats at once. Each sees only its own decisions.
    Simultaneous(HookId),
    /// Repeats other phases.
    Repeat {
        /// How often.
        times: Times,
        /// The counter of the game that shows the iteration, from 1.
        counter: Option<CounterId>,
        /// The phases in order. A phase is part of at most one list.
        phases: Vec<PhaseId>,
    },
}

/// What a phase offers a seat.
#[derive(Clone, Copy, Debug)]
pub enum Offer {
    /// Spaces that match a filter.
    Spaces {
        /// The part of the filter that is the same for every seat. The fields below fill in `home`, `controller` and
        /// `beside`.
        filter: SpaceFilter,
        /// Whether only spaces inside the seat's own borders match.
        own_home: bool,
        /// Whether only spaces that the seat controls match.
        own_control: bool,
        /// Only neighbors of the space that this counter holds for the seat. If it holds nothing, no space matches.
        beside: Option<CounterId>,
    },
    /// The options that a script lists.
    Script(HookId),
}

/// The decision that a seat makes before its script starts. The script receives the answer.
#[derive(Clone, Copy, Debug)]
pub struct PhaseDecision {
    /// The kind of the decision.
    pub decision: DecisionId,
    /// The options.
    pub offer: Offer,
    /// Whether the seat is asked even if there is only one option, because that is a secret.
    pub always: bool,
}

/// A phase of the flow.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The id that the pack gives it.
    pub id: String,
    /// What it does.
    pub body: PhaseBody,
    /// The decision that each seat makes first. Only for [`PhaseBody::Each`] and [`PhaseBody::Simultaneous`].
    pub decision: Option<PhaseDecision>,
}

/// Asides: plays that are open to every seat besides the current decision.
#[derive(Clone, Debug)]
pub struct AsideRule {
    /// The script that lists the options of a seat.
    pub options: HookId,
    /// The script that carries out an option.
    pub play: HookId,
    /// The decision under which events and displays show them.
    pub decision: DecisionId,
}
