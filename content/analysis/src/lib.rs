//! Scripts, read without running them: syntax, names, types.
//!
//! The API is small and regular, every module of the packs is at hand, and what the kernel hands to hooks is declared.
//! So types need no annotations: they are what flows through all scripts from hooks, results of the API and constants.
//! What cannot be known may be anything, and is not complained of.

mod api_calls;
mod api_names;
mod calls;
mod check;
mod facts;
mod mentions;
mod operators;
mod program;
mod report;
mod script;
mod texts;
mod types;
mod values;
mod walk;

pub use check::{Checked, STACK, check};
pub use facts::{CONSTANTS, Facts, Point, Reference, Role, spelt, this};
pub use mentions::{Mentions, mentions};
pub use report::MissingFunction;
pub use script::{Script, ScriptFile};
pub use texts::{function_text, tidy};
pub use types::Type;
