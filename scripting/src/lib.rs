//! The Lua host of Principes: it runs the hooks of content packs in a sandbox and gives them the script API.
//!
//! [`LuaHost`] implements [`principes_core::scripts::Scripts`] over Luau. A pack is untrusted code: its scripts see the
//! verbs of [`api`] and the pure parts of the standard library, each call has a budget of steps, and a machine has a
//! memory ceiling.
//!
//! # What this crate must not know
//!
//! No files, no JSON, no rules of any game. It is given a compiled catalog and the texts of modules, and works on the
//! kernel's `Table`. What a pack file may say is `schemas`; where a script comes from is `content`.
//!
//! # Map, from the bottom up
//!
//! - `error`, `suggest`, `types`, `source`: errors on their way out of Lua, the name that was probably meant, the
//!   types of the API, the modules of a pack.
//! - `machine/`: one Lua machine, whatever runs in it. `raw` (calls past mlua, the only `unsafe` code), `wire` (what
//!   crosses the border there), `budget` (steps and memory), `library` (what scripts have of Luau's), `names`
//!   (`faction.`, `space.`, …), `vetting` and `modules` (loading, imports, freezing).
//! - `host/`: what verbs share. `context` (the table while a hook runs), **`hooks` (the contract of hooks: where they
//!   come from, in which order they run, what they return)**, `running` and `watch` (what is under way, and what was
//!   done), `spelling`, `values` and `facts` (names, conversions, what never changes), `selves`, `suspension`, `vm`.
//! - `api/`: a file for each chapter of the script API, in which each verb is complete. `chapter` explains how one is
//!   written; `chapters` lists them; `args`, `fields` and `options` check what is passed; `binder` makes Lua functions.
//! - `docs`: the reference, the editor stubs and the list for tools, made from the API.
//! - `assembly`: puts a machine together. `lua_host`: the kernel's door to it.
//!
//! # Adding a verb
//!
//! Write it into its chapter, `src/api/<chapter>.rs`, and run `.ci/generate`. That is
//! all: bindings, argument checks, the static check of scripts, reference and stubs follow.
//!
//! # Example
//!
//! The API is data, for tools as well as for the host:
//!
//! ```
//! use principes_scripting::api::{Ty, entries};
//!
//! let bank = entries().find(|verb| verb.name == "bank").ok_or("there is no verb `bank`")?;
//! assert_eq!(bank.signature(), "bank(counter)");
//! assert_eq!((bank.group, bank.params[0].ty, bank.acts), ("Counters", Ty::Counter, false));
//! # Ok::<(), &str>(())
//! ```

pub mod api;
mod assembly;
mod docs;
mod error;
mod host;
mod lua_host;
mod machine;
mod source;
mod suggest;
mod types;

pub use host::suspension::Live;
pub use host::watch::{Effect, EffectKind};
pub use lua_host::LuaHost;
pub use machine::budget::{ALONE_LIMIT, CAUGHT, MEMORY_LIMIT, STEP_BUDGET};
pub use machine::modules::LineHits;
pub use principes_lua::{LONGEST_NUMERAL, LONGEST_TEXT, WEIGHT_OF_A_STEP};
pub use source::{Compiled, ScriptSource};
