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
//! A game with one decision, built in code: a seat picks a number, and a script ends the game.
//!
//! ```
//! use std::sync::Arc;
//!
//! use principes_core::catalog::{Catalog, DecisionKind, Faction, Offer, Phase, PhaseBody, Props, PhaseDecision};
//! use principes_core::scripts::{Reply, ScriptError, Scripts, Step};
//! use principes_core::*;
//!
//! const PICK: HookId = HookId(0);
//! const NUMBERS: HookId = HookId(1);
//! const END: SymbolId = SymbolId(0);
//!
//! /// A script host with two functions and no language.
//! #[derive(Clone)]
//! struct Host;
//!
//! impl Scripts for Host {
//!     type Live = ();
//!
//!     fn options(&self, hook: HookId, _: &[Value], _: &mut Table) -> Result<Vec<DecisionOption>, ScriptError> {
//!         assert_eq!(hook, NUMBERS);
//!         Ok([1, 2, 3].map(|n| DecisionOption::value(Value::Int(n))).to_vec())
//!     }
//!     fn start(
//!         &self,
//!         _: &mut (),
//!         _frame: u32,
//!         hook: LiveHook,
//!         args: &[Value],
//!         table: &mut Table,
//!     ) -> Result<Step, ScriptError> {
//!         assert_eq!(hook.hook, PICK);
//!         // The phase asks first, so the script receives the seat and the answer.
//!         if let [Value::Faction(seat), Value::Int(number)] = *args {
//!             table.end((number == 3).then_some(seat), END);
//!         }
//!         Ok(Step::Done)
//!     }
//!     fn query(&self, _: HookPointId, value: i32, _: &[Value], _: &mut Table) -> Result<i32, ScriptError> {
//!         Ok(value)
//!     }
//!     fn resume(&self, _: &mut (), _: u32, _: &Reply, _: &mut Table) -> Result<Step, ScriptError> {
//!         Err(ScriptError::flow("no script of this host is suspended"))
//!     }
//!     fn reopen(&self, _: &mut (), _: u32, _: &mut Table) -> Result<Option<Vec<DecisionOption>>, ScriptError> {
//!         Ok(None)
//!     }
//! }
//!
//! let mut catalog = Catalog::new("three");
//! catalog.playable = 1;
//! catalog.factions.push(Faction {
//!     id: "red".to_owned(),
//!     playable: true,
//!     group: END,
//!     color: "red".to_owned(),
//!     rival: None,
//!     props: Props::default(),
//! });
//! catalog.decisions.push(DecisionKind { id: "number".to_owned() });
//! let decision = PhaseDecision { decision: DecisionId(0), offer: Offer::Script(NUMBERS), always: false };
//! catalog.phases.push(Phase { id: "turn".to_owned(), body: PhaseBody::Each(PICK), decision: Some(decision) });
//! catalog.flow.push(PhaseId(0));
//!
//! let red = FactionId(0);
//! let config = GameConfig { seats: vec![red], seed: 1, options: Vec::new() };
//! let mut game = Game::new(Arc::new(catalog), Host, config)?;
//!
//! let three = game.pending()[0].options[2];
//! assert_eq!(three.key(game.catalog()), "3");
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

pub use catalog::{Catalog, GameConfig, KindOrClass, PieceFilter, SpaceFilter};
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
