//! The rules of the kernel: legal changes of a table, and the procedures of flow, movement and battle.
//!
//! Operations keep derived state consistent (control, points for control, live hooks) and write events. They never ask
//! for decisions: only procedures open decisions and wait.
//!
//! - `counters`, `pieces`, `cards`, `dice`, `seats`: operations on the table
//! - `control`: who controls a space, and the points for it
//! - `filters`, `distance`: matching spaces and pieces, and distances
//! - `tiles`: laying tiles; `placements` lists where they fit, and `networks` what is connected
//! - `hooks`: the listeners of a hook point
//! - `sight`: what a seat sees
//! - `flow`: the order of phases, and the handling of decisions
//! - `movement`: a draft that its mover changes freely, and one commit; `paths` finds where a piece can go
//! - `battle`: sides, dice, the count of damage, and the winner

mod battle;
mod cards;
mod control;
mod counters;
mod dice;
mod distance;
mod error;
mod filters;
mod flow;
mod hooks;
mod movement;
mod networks;
mod paths;
mod pieces;
mod placements;
mod seats;
mod sight;
mod tiles;

pub use battle::{CountQuery, Losses};
pub use error::RuleError;
pub(crate) use flow::{NextPhase, step_turns};
pub use networks::{Grouping, Reached, Stretch};
pub use placements::{Bans, Frontier, KnownFrontier, NetworkRoot, Obstacle, Placement};
