//! The pack pipeline: read, check, merge, compile.
//!
//! [`load`](load::load) turns pack sources into a [`Loaded`] game: the kernel's catalog, the scripts, the messages.
//! Whatever is wrong in a pack comes back as a list of [`Diagnostic`]s with file, line and column; a broken file does
//! not hide what is wrong in the next one.

pub mod archive;
pub mod cache;
mod checks;
pub mod compile;
pub mod coverage;
pub mod diagnostic;
mod digest;
pub mod document;
pub mod editor_schema;
pub mod explain;
pub mod load;
mod lua;
pub mod may;
pub mod merge;
pub mod messages;
pub mod mutate;
pub mod packs;
pub mod patches;
mod places;
pub mod plural;
pub mod props;
mod recover;
pub mod scenario;
pub mod source;
mod syntax;
pub mod template;
mod text_position;
pub mod validate;

pub use diagnostic::{Diagnostic, Severity};
pub use load::{Checked, LoadOptions, Loaded, LoadedScenario, Stage, check, load, script_names};
pub use messages::{Arg, Messages};
pub use principes_scripting::ScriptSource;
pub use source::{DiskPack, MemoryPack, PackSource, base_game, folder};
