//! What authors of packs need, in the terminal and in the workbench: checks, edits, differences, trials.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`check`] | checking packs: files, scenarios, random games |
//! | [`smoke`], [`twins`] | a few random games; games that differ only in what a seat cannot see |
//! | [`mod@format`] | the canonical format of packs' files |
//! | [`entity`], [`workbench`] | everything about an entity; with locations in files, the map, the wall of cards |
//! | [`diff`], [`revision`] | changes between packs, and since a git revision |
//! | [`edit`] | changing single values in files |
//! | [`desk`], [`journal`] | what an author wishes to change, as differences to look at; undoing and redoing it |
//! | [`spreadsheet`] | cards as a table for spreadsheets, and back |
//! | [`trial`] | finding a game in which a card can be played |
//! | [`scenario_from_save`] | a played game as a scenario of its pack |
//!
//! # What this crate must not know
//!
//! The terminal and the studio: they show what it finds. Which packs may be written: a front end names them.
//!
//! # Example
//!
//! This example checks the files of the base game:
//!
//! ```
//! use principes_app::packs::sources;
//! use principes_author::check::{Findings, Reach, check_table};
//! use principes_content::{LoadOptions, Stage};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! principes_games::install();
//! let mut result = Findings::default();
//! let reach = Reach { until: Stage::Scripts, together: false };
//! check_table(&sources(&[])?, reach, &LoadOptions::default(), &mut result)?;
//! assert!(!result.fails(true), "{}", result.summary());
//! # Ok(())
//! # }
//! ```

pub mod check;
pub mod desk;
pub mod diff;
pub mod edit;
pub mod entity;
pub mod format;
pub mod journal;
pub mod revision;
pub mod scenario_from_save;
pub mod smoke;
pub mod spreadsheet;
pub mod trial;
pub mod twins;
pub mod workbench;
