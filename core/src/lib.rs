//! The kernel: state, turns, movement, battle, decisions.
//!
//! It has no I/O, no clock, no script language and no JSON; it knows no game. What packs say reaches it as a
//! [`catalog::Catalog`], what their scripts do through the trait [`scripts::Scripts`]. Everything that changes is plain
//! data in [`world::World`]; with the same packs, `(config, answers)` give the same world bit for bit on every machine.

pub mod battle;
pub mod bots;
pub mod catalog;
pub mod decision;
pub mod event;
pub mod flow;
pub mod game;
pub mod ids;
pub mod movement;
pub mod rng;
pub mod scripts;
pub mod search;
pub mod table;
pub mod view;
pub mod world;

pub use catalog::{Catalog, GameConfig};
pub use decision::{Answer, Ask, Choice};
pub use event::Event;
pub use game::{AnswerError, Game, PositionKey, Snapshot, StartError};
pub use ids::*;
pub use table::{RuleError, Table};
pub use view::View;
pub use world::{Outcome, World};
