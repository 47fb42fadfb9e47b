//! The lab of Principes: many games between bots, and what they say about a game.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`simulation`] | many games between bots, and their report |
//! | [`balance`] | what a game gives each faction, place and card, with intervals |
//! | [`learn`] | training players |
//! | [`perft`] | counting every way a game can go |
//! | [`numbers`] | quantiles and intervals, the same on every machine |
//! | [`measure`] | the measurements of `bench` |
//!
//! # What this crate must not know
//!
//! The terminal and the studio: they show its reports. How packs are written and edited: it plays packs as they are.
//!
//! # Example
//!
//! This example plays two random games of the base game and counts how often each seat wins:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use principes_app::packs::{OpenPacks, PackRequest};
//! use principes_app::setup::{Player, SetupRequest, set_up};
//! use principes_lab::simulation::{Format, Rows, Settings, Shard, Simulation, Sum};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! principes_games::install();
//! let packs = OpenPacks::open(&PackRequest::default())?;
//! let setup = SetupRequest::all(Player::Random, 7);
//! let table = set_up(&packs.catalog, &setup)?;
//! let settings = Settings { setup, games: 2, shard: Shard::ALL, format: Format::Json };
//! let simulation = Simulation {
//!     packs: &packs,
//!     table: &table,
//!     settings: &settings,
//!     checkpoint: None,
//!     stop: &AtomicBool::new(false),
//!     progress: &|_| {},
//! };
//! let sum = simulation.play(Sum::begin(Rows::None), 1)?;
//! assert_eq!(sum.tally.games, 2);
//! # Ok(())
//! # }
//! ```

pub mod balance;
pub mod learn;
pub mod measure;
pub mod numbers;
pub mod perft;
pub mod simulation;
