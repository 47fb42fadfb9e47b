//! The rules that the kernel knows: lawful changes of a table, and the procedures of flow, movement and battle.
//!
//! Operations keep derived state true (control, points for control, live hooks) and write events. They never ask:
//! asking is the business of procedures, which open a decision and wait.
//!
//! - `counters`, `pieces`, `cards`, `dice`, `seats`: operations on what is on the table
//! - `control`: who controls a space, and what that brings
//! - `filters`, `distance`: which spaces and pieces fit, and how far they are apart
//! - `tiles`: laying tiles; `placements` says where they fit, and `networks` what hangs together
//! - `hooks`: what listens to a hook point now
//! - `sight`: what a seat sees
//! - `flow`: from phase to phase, and what happens to a decision
//! - `movement`: a draft that its mover changes freely, and one commit; `paths` finds where a piece can go
//! - `battle`: sides, dice, the count of damage, and who wins

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
pub use placements::{Bans, Frontier, Placement, Refusal};
