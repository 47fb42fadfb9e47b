//! The subcommands, one file each.

pub mod api;
pub mod balance;
pub mod bench;
pub mod check;
pub mod completions;
pub mod diff;
pub mod explain;
pub mod fmt;
pub mod import;
pub mod learn;
pub mod man;
pub mod mutate;
pub mod new;
pub mod pack;
pub mod perft;
pub mod play;
pub mod print;
pub mod replay;
pub mod rules;
pub mod schema;
pub mod show;
pub mod sim;
pub mod studio;
pub mod test;
