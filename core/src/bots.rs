//! Bots that know no rules: they see open decisions, views, and copies of the game as their seat may imagine it.
//!
//! - `bot`: what a bot is, and how bots play a game together
//! - `random`, `greedy`, `mcts`: the bots
//! - `judge`: the value of a seat's position
//! - `features`, `model`: what learned bots see, and the weights that they learned
//! - `policy`, `value`: the learned bots, without and with one step of looking ahead, which is in `look`
//! - `arithmetic`: functions of floating-point numbers that are the same on every machine
//! - `search`, `tree`, `guided`, `result`: the search of `mcts`: how it is divided, a single search without and with a
//!   trained player, and its results

pub mod arithmetic;
mod bot;
pub mod features;
mod greedy;
mod guided;
mod judge;
mod look;
mod mcts;
mod model;
mod policy;
mod random;
mod result;
mod search;
mod tree;
mod value;

pub use bot::{Bot, Players, forward, step};
pub use greedy::GreedyBot;
pub use judge::evaluate;
pub use look::{ANY_OPTION, Look, look_ahead};
pub use mcts::MctsBot;
pub use model::Model;
pub use policy::PolicyBot;
pub use random::RandomBot;
pub use result::{SearchResult, decide};
pub use search::{Search, Workers, searches};
pub use value::ValueBot;
