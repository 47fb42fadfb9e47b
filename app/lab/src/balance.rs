//! What a game gives each faction, each place in the turn order and each card: many games between strong bots, and
//! figures with intervals.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`players`] | which bots play if nobody names any |
//! | [`decks`] | which draws are an experiment, and how likely each card was |
//! | [`observer`], [`record`] | following one game; what is kept of it |
//! | [`run`] | playing games until there are enough |
//! | [`estimate`] | an estimate with what each game contributes to it |
//! | [`figures`] | the figures of many games |
//! | [`versions`], [`compare`] | which packs are two versions of one; what changed between them |
//! | [`retraining`] | training the players of two versions again before they are compared |
//! | [`page`], [`markdown`], [`markup`] | the reports as pages and for pull requests |
//! | [`promises`] | whether the games keep what the designer promises |
//! | [`report`], [`wording`], [`digits`] | the figures as data; how numbers are written |

pub mod compare;
pub mod decks;
pub mod digits;
pub mod estimate;
pub mod figures;
pub mod markdown;
pub mod markup;
pub mod observer;
pub mod page;
pub mod players;
pub mod promises;
pub mod record;
pub mod report;
pub mod retraining;
pub mod run;
pub mod versions;
pub mod wording;

pub use compare::{ComparisonReport, Version};
pub use players::strongest;
pub use promises::{Gate, Kept};
pub use record::GameRecord;
pub use report::BalanceReport;
pub use run::{Games, Plan, Stopped};
