//! Bots that know no rules: they see open decisions, views, and copies of the game as their seat may imagine it.
//!
//! - `bot`: what a bot is, and how bots play a game together
//! - `random`, `greedy`, `mcts`: the bots
//! - `judge`: the value of a seat's position
//! - `search`, `tree`, `result`: the search of `mcts`: how it is divided, a single search, and its results

mod bot;
mod greedy;
mod judge;
mod mcts;
mod random;
mod result;
mod search;
mod tree;

pub use bot::{Bot, Players, forward, step};
pub use greedy::GreedyBot;
pub use judge::evaluate;
pub use mcts::MctsBot;
pub use random::RandomBot;
pub use result::{SearchResult, decide};
pub use search::{Search, Workers, searches};
