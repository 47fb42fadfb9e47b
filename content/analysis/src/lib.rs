//! The analysis of scripts: names and types, found without running anything.
//!
//! The API is small and regular, all modules of the packs are at hand, and what the kernel passes to hooks is declared.
//! So types need no annotations: they flow from hooks, results of the API and constants through all scripts. An unknown
//! type may be anything, and is never reported.
//!
//! # What this crate must not know
//!
//! Packs and their files. It receives [`Facts`] and scripts, and returns findings. Errors in the content come back as
//! the position of a [`Reference`].
//!
//! # Map
//!
//! - `script`, `mentions`, `script_words`: one script and what is known about it alone. `facts`: what the content says
//!   to scripts; `vocabulary`: its declared props and options; `constants`: its tables of ids.
//! - `answers`: warnings that comments answer.
//! - `types`: what a value may be. `program`: all scripts together, evaluated until nothing changes.
//! - `walk`: one function, statement by statement. `values`, `operators`: expressions. `calls`: calls of scripts.
//!   `api_calls`, `api_names`: calls of the API. `methods`: methods, and fields of values. `props`: names and values of
//!   props. `words`: unknown words. `missing`: parts of Lua that scripts do not have.
//! - `report`: findings about the program as a whole. `self_reads`: what hooks read of their card. `omissions`:
//!   arguments that one call alone leaves out. `help`: what they advise. `check`: the entry point.
//! - `texts`: the canonical shape of scripts, and the text of single functions.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use principes_analysis::{Facts, Script, ScriptFile, check};
//! use principes_findings::budget::Effort;
//!
//! let text: Arc<str> = "local M = {}\nfunction M.f()\n  lgo(\"x\")\nend\nreturn M\n".into();
//! let known = Arc::new(Script::new(Arc::clone(&text)));
//! let (module, path, file) = ("m".into(), "scripts/m.lua".into(), "m.lua".into());
//! let script = ScriptFile { pack: 0, module, path, file, text, known };
//! let checked = check(&[script], &Facts::default(), Effort::endless());
//! assert!(checked.findings.iter().any(|finding| finding.message.contains("`lgo`")));
//! ```

mod answers;
mod api_calls;
mod api_names;
mod calls;
mod check;
mod constants;
mod facts;
mod help;
mod mentions;
mod methods;
mod missing;
mod omissions;
mod operators;
mod program;
mod props;
mod report;
mod script;
mod script_words;
mod self_reads;
mod texts;
mod types;
mod values;
mod vocabulary;
mod walk;
mod words;

pub use answers::{ScriptAnswer, script_answers};
pub use check::{CheckedScripts, STACK, check};
pub use constants::Constants;
pub use facts::{Facts, PointFacts, Reference, Role, this};
pub use mentions::{Mention, Mentions, each_mention, mentions};
pub use principes_lua::constant_name;
pub use report::MissingFunction;
pub use script::{Script, ScriptFile};
pub use texts::{function_text, tidy};
pub use types::Type;
pub use vocabulary::{Vocabulary, value_of};
pub use words::is_of_the_api;
