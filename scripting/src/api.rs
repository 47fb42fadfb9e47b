//! The script API. Each verb is described and bound once, in a file for each chapter. The argument checks, the static
//! check of scripts, the editor stubs and the reference are generated from these descriptions.

pub(crate) mod args;
mod battle;
pub(crate) mod binder;
mod cards;
mod chapter;
pub(crate) mod chapters;
pub(crate) mod choices;
mod counters;
mod entities;
pub(crate) mod entry;
pub(crate) mod fields;
mod game;
mod hooks;
mod lists;
pub(crate) mod options;
mod pieces;
mod procedures;
mod seats;
mod spaces;
mod tiles;

pub use crate::api::chapters::entries;
pub use crate::api::entry::Entry;
pub use crate::docs::{ALIASES, HOLDERS, PackNames, json, lua_stub, markdown, pack_stub};
pub use crate::machine::library::{LIBRARY, LibraryFunction};
pub use crate::types::{Field, Param, Ret, Ty};
