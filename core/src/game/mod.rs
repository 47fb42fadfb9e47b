//! The door: a [`Game`] is one table with its scripts, behind the few calls that terminals, bots, tests and fuzzers
//! use.
//!
//! A suspended script cannot be saved. So a game keeps the world as it was when no script was suspended last (the
//! *base*) and the answers given since. Whatever is cloned, restored or taken back rebuilds its scripts by going from
//! the base through those answers again, and checks that it arrives at the same world. Scripts keep no state between
//! calls.
//!
//! - `game`: what a game holds, and what can be read from it
//! - `start`: starting a game, or taking one up again from a [`GameState`]
//! - `answers`: answers to open decisions, and asides
//! - `run`: the machine that continues until somebody must choose; `options` lists what there is to choose
//! - `simultaneous`: phases in which all choose at once, in secret
//! - `base`: keeping the base and rebuilding scripts from it
//! - `limits`: what a whole game may take
//! - `imagine`: games as a seat may imagine them
//! - `position`: keys of positions, for tools that count or merge what is equal
//! - `staging`: changes from outside the rules, for scenarios and tools

mod answers;
mod base;
#[expect(clippy::module_inception, reason = "the file of the type `Game`")]
mod game;
mod imagine;
mod limits;
mod options;
mod position;
mod run;
mod simultaneous;
mod staging;
mod start;

pub use answers::AnswerError;
pub use game::{Game, digest};
pub use limits::{MOST_ANSWERS, MOST_STEPS};
pub use position::PositionKey;
pub use start::{GameState, StartError};
