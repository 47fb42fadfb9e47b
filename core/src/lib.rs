//! The kernel runs games without knowing them. It provides turns, movement, battles, control of spaces and hidden
//! information; everything else about a game is content.
//!
//! Packs are compiled to a [`Catalog`]. Their scripts run through the trait [`scripts::Scripts`]. All other code uses a
//! [`Game`]: it lists the open decisions, takes answers, and shows each seat what that seat may know. Everything that
//! changes is plain data in a [`World`]. The same packs, [`GameConfig`] and answers lead to the same world, bit for
//! bit, on every machine.
//!
//! # What this crate must not know
//!
//! The kernel must not use files, the network, the clock, the environment, threads, JSON or a script language, and it
//! must not contain the name of any game, faction, space or card. It has no hash maps, and no floating-point numbers
//! outside [`bots`].
//!
//! # Map
//!
//! Each folder uses only those above it.
//!
//! | module        | what is in it                                                                        |
//! |---------------|--------------------------------------------------------------------------------------|
//! | `ids`, `rng`  | numbers that identify things; all chance                                               |
//! | [`catalog`]   | what packs compile to; never changes during a game                                   |
//! | [`state`]     | a game at one moment, as data: world, flow, decisions, events, views                 |
//! | [`scripts`]   | the trait through which the kernel calls scripts                                     |
//! | [`rules`]     | lawful changes of a table; the procedures of flow, movement and battle               |
//! | [`game`]      | games: start, answer, run to the next decision, save, rebuild, imagine               |
//! | [`bots`]      | bots that know no rules, and a search                                                |
//!
//! # Example
//!
//! A game with one decision, built in code: a seat picks a number, and the host, which has no script language, ends the
//! game.
//!
//! ```
//! use std::sync::Arc;
//!
//! use principes_core::catalog::*;
//! use principes_core::scripts::*;
//! use principes_core::*;
//!
//! #[derive(Clone)]
//! struct Host;
//!
//! impl Scripts for Host {
//!     type Live = ();
//!     fn options(&self, _: HookId, _: &[Value], _: &mut Table) -> Result<Vec<DecisionOption>, ScriptError> {
//!         Ok([1, 2, 3].map(|n| DecisionOption::value(Value::Int(n))).to_vec())
//!     }
//!     fn start(&self, _: &mut (), _: u32, _: LiveHook, args: &[Value], table: &mut Table) -> Result<Step, ScriptError> {
//!         if let [Value::Faction(seat), Value::Int(3)] = *args {
//!             table.end(Some(seat), table.catalog.words.done);
//!         }
//!         Ok(Step::Done)
//!     }
//! }
//!
//! let mut parts = CatalogParts::new("three");
//! let [pick, numbers] = ["pick", "numbers"].map(|function| parts.add_function("three", function));
//! (parts.playable, parts.factions) = (1, vec![Faction::new("red", parts.words.yes)]);
//! parts.decisions = vec![DecisionKind { id: "number".to_owned() }];
//! let decision = PhaseDecision { decision: DecisionId(0), offer: Offer::Script(numbers), always: false };
//! parts.phases = vec![Phase { id: "turn".to_owned(), body: PhaseBody::Each(pick), decision: Some(decision) }];
//! parts.flow = vec![PhaseId(0)];
//!
//! let red = FactionId(0);
//! let config = GameConfig { seats: vec![red], seed: 1, options: Vec::new() };
//! let mut game = Game::new(Arc::new(parts.build()?), Host, config)?;
//! let three = game.pending()[0].options[2];
//! game.answer(red, three)?;
//! assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(red));
//!
//! // An answer that is not an option is refused, and nothing changes.
//! assert_eq!(game.answer(red, three), Err(AnswerError::Over));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bots;
pub mod catalog;
pub mod game;
pub mod ids;
pub mod rng;
pub mod rules;
pub mod scripts;
pub mod state;

pub use catalog::{
    Catalog, CatalogError, CatalogErrors, CatalogParts, GameConfig, KindOrClass, PieceFilter, SpaceFilter,
};
pub use game::{AnswerError, Game, GameState, MOST_ANSWERS, MOST_STEPS, PositionKey, StartError};
pub use ids::*;
pub use rules::{
    Bans, CountQuery, Frontier, Grouping, KnownFrontier, Losses, NetworkRoot, Obstacle, Placement, Reached, RuleError,
    Stretch,
};
pub use state::{
    Answer, Battle, Decision, DecisionOption, Event, FightOrder, Frame, Gain, Laid, Level, LiveHook, MoveOrder,
    MoveResult, Movement, Outcome, Piece, ScriptFrame, ScriptState, SeenEvent, Side, SideId, Table, Trigger, Turns,
    View, World, ZoneView,
};
