//! What every front end of Principes needs: the terminal, a web page, a language server, a Python module.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`packs`] | finding packs and opening them: [`packs::OpenPacks`] |
//! | [`setup`] | from wishes to a table: seats, players, variant, options |
//! | [`session`] | a game in progress, for several viewers: [`session::Session`] |
//! | [`save`], [`storage`] | recorded games; writing files so that nothing is lost |
//! | [`scenario_from_save`] | a played game as a scenario of its pack |
//! | [`check`] | what is wrong with packs: their files, their scenarios, how they play |
//! | [`words`] | names and sentences for options, decisions and events |
//! | [`board`] | the board as data |
//! | [`simulation`] | many games between bots, and their report |
//! | [`perft`], [`smoke`] | every way a game can go; a few random games |
//! | [`mod@format`] | the canonical shape of packs' files |
//! | [`entity`], [`diff`] | entities as people see them; what changed between packs |
//! | [`edit`], [`revision`] | changing single values of files; what changed since a revision of git |
//! | [`workbench`] | entities with their places in files, the map, the wall of cards |
//! | [`trial`] | a game in which a card can be played now |
//! | [`watch`] | which files have changed |
//! | [`workers`], [`searchers`] | threads that work; threads that search for a bot |
//! | [`measure`] | what benchmarks measure |
//! | [`failure`] | what failed in a game, in one sentence |
//!
//! This crate knows no command line, no terminal, no standard output and no end of the process. Errors are values that
//! say what is wrong; a front end adds what its users can do about it. Structures that leave the crate can be written
//! as JSON.
//!
//! A whole random game of the base game, as a spectator may read it:
//!
//! ```
//! use principes_app::packs::{OpenPacks, PackRequest};
//! use principes_app::session::Session;
//! use principes_app::setup::{Player, SetupRequest, set_up};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let packs = OpenPacks::open(&PackRequest::default())?;
//! let table = set_up(&packs.catalog, &SetupRequest::all(Player::Random, 7))?;
//! let mut session = Session::start(packs, table, "en")?;
//! session.run_bots()?;
//! for line in session.events_since(0, None).iter().rev().take(3).rev() {
//!     println!("{:>4}  {}", line.step, line.text);
//! }
//! assert!(session.game().outcome().is_some());
//! assert_eq!(session.record().answers.len(), session.steps());
//! # Ok(())
//! # }
//! ```

pub mod board;
pub mod check;
pub mod diff;
pub mod edit;
pub mod entity;
pub mod failure;
pub mod format;
pub mod measure;
pub mod packs;
pub mod perft;
pub mod props;
pub mod revision;
pub mod save;
pub mod scenario_from_save;
pub mod searchers;
pub mod session;
pub mod setup;
pub mod simulation;
pub mod smoke;
pub mod storage;
pub mod trial;
pub mod watch;
pub mod words;
pub mod workbench;
pub mod workers;
