//! A [`Game`] is one table with its scripts, behind the few functions that terminals, bots, tests and fuzzers use.
//!
//! A suspended script cannot be saved. A game therefore keeps the last world without suspended scripts (the *base*) and
//! the answers since. After a clone, a restore or an undo, it rebuilds its scripts by replaying those answers from the
//! base, and checks that it reaches the same world. Scripts keep no state between calls.
//!
//! - `game`: the data of a game, and read access to it
//! - `start`: starting a game, or restoring one from a [`GameState`]
//! - `answers`: answers to open decisions, and asides
//! - `run`: the machine that continues until a seat must choose; `options` lists the options
//! - `simultaneous`: phases in which all seats choose at once, in secret
//! - `base`: keeping the base and rebuilding scripts from it
//! - `limits`: the limits of a whole game
//! - `imagine`: games as a seat may imagine them
//! - `position`: keys of positions, for tools that count or merge equal positions
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
