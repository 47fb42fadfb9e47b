//! What the tests share: packs, the program, archives of small files, broken and costly packs.

pub mod archive;
pub mod broken;
pub mod costly;
mod packs;
pub mod program;
pub mod purse;

pub use packs::*;
