//! A game at one moment, as plain data: the table, the flow, the open decisions, and the events. It contains no rules;
//! legal changes of this data are in `rules`.
//!
//! - `world`: the [`World`], everything that changes during a game; `pieces`, `cards`, `tiles` and `setup` are operations on it
//!   without consequences
//! - `slots`: the records in the world's lists
//! - `frame`: the state of the flow, as a stack of frames; `movement` and `battle` are the content of two of them
//! - `decision`: what a seat must choose, and its answers
//! - `hook`: hooks that are live or wait to run
//! - `event`: what happened
//! - `view`: what a seat may know, as data
//! - `table`: a world with its catalog and its event log

mod battle;
mod cards;
mod decision;
mod event;
mod frame;
mod hook;
mod movement;
mod pieces;
mod setup;
mod slots;
mod table;
mod tiles;
mod view;
mod world;

pub use battle::{Battle, FightOrder, Side, SideId};
pub(crate) use decision::merge_equal;
pub use decision::{Answer, Decision, DecisionOption};
pub use event::{Event, SeenEvent};
pub use frame::{Frame, Level, Reply, ScriptFrame, ScriptState, Turns};
pub use hook::{LiveHook, Trigger};
pub(crate) use movement::{Consent, ConsentReply, DraftedMove, Range, Stage};
pub use movement::{MoveOrder, MoveResult, Movement};
pub use slots::{Gain, Outcome, Piece};
pub use table::Table;
pub use tiles::Laid;
pub use view::{View, ZoneView};
pub use world::World;
