//! What every front end of Principes plays with: the terminal, the studio, a language server, a Python module.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`packs`], [`games`] | finding and opening packs: [`packs::OpenPacks`]; what a player can choose in a game |
//! | [`players`] | who can play a seat: people and bots |
//! | [`setup`] | setting up a game: seats, players, variant, options |
//! | [`session`] | a game in progress, for several viewers: [`session::Session`] |
//! | [`save`], [`state_digest`], [`storage`] | recorded games; the states in them; writing files safely |
//! | [`words`], [`props`] | names and sentences for options, decisions, events and properties |
//! | [`entity`] | the titles and texts of entities |
//! | [`board`] | the board as data |
//! | [`rulebook`] | the rules as prose, with live parts filled in |
//! | [`revision`], `git` | packs as they were at a git revision; reading git objects |
//! | [`programs`] | the only place that starts other programs |
//! | [`watch`] | noticing changed files |
//! | [`workers`], [`searchers`] | worker threads; threads that search for a bot |
//! | [`failure`], [`mod@digest`] | failures of a game in one sentence; digests as text |
//!
//! # What this crate must not know
//!
//! This crate has no command line, terminal or standard output, and it never ends the process. Errors are values that
//! say what is wrong; a front end adds what its users can do about it. Data that leaves the crate can be serialized as
//! JSON.
//!
//! # Example
//!
//! This example plays a random game of the base game and prints the last lines that a spectator sees:
//!
//! ```
//! use principes_app::packs::{OpenPacks, PackRequest};
//! use principes_app::session::Session;
//! use principes_app::setup::{Player, SetupRequest, set_up};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! principes_games::install();
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
pub mod digest;
pub mod entity;
pub mod failure;
pub mod games;
mod git;
pub mod packs;
pub mod players;
pub mod programs;
pub mod props;
pub mod revision;
pub mod rulebook;
pub mod save;
pub mod searchers;
pub mod session;
pub mod setup;
pub mod state_digest;
pub mod storage;
pub mod watch;
pub mod words;
pub mod workers;
