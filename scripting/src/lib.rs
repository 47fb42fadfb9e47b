//! The Lua host of Principes: it runs the hooks of packs in a sandbox and provides the script API.
//!
//! [`LuaHost`] implements [`principes_core::scripts::Scripts`] with Luau. A pack is untrusted code: its scripts see
//! only the verbs of [`api`] and the pure parts of the standard library, each call has a step budget, and a machine has
//! a memory limit.
//!
//! # What this crate must not know
//!
//! It must not use files or JSON, or know the rules of any game. It receives a compiled catalog and the texts of
//! modules, and works on the kernel's `Table`. The crate `schemas` defines pack files, and `content` finds scripts.
//!
//! # Map, from the bottom up
//!
//! - `error`, `suggest`, `types`, `source`: errors that come out of Lua, suggestions for names, the types of the API,
//!   the modules of a pack.
//! - `machine/`: one Lua machine, independent of what runs in it. `raw` (calls past mlua, the only `unsafe` code),
//!   `wire` (the data that it passes), `budget` (steps and memory), `library` (the parts of Luau's library for
//!   scripts), `names` (`faction.`, `space.`, …), `vetting` and `modules` (checking, loading, imports, freezing).
//! - `host/`: the data that verbs share. `context` (the table while a hook runs), **`hooks` (the contract of hooks:
//!   where they come from, in which order they run, what they return)**, `running` and `watch` (active hooks, and their
//!   effects), `spelling`, `values` and `facts` (names, conversions, constant data), `selves`, `suspension`, `vm`.
//! - `api/`: a file for each chapter of the script API, with the complete definition of each verb. `chapter` explains
//!   how to write one; `chapters` lists them; `args`, `fields` and `options` check arguments; `binder` makes Lua
//!   functions.
//! - `docs`: the reference, the editor stubs and the list for tools, generated from the API.
//! - `assembly`: builds a machine. `lua_host`: the kernel's interface to it.
//!
//! # Adding a verb
//!
//! Write it into its chapter, `src/api/<chapter>.rs`, and run `.ci/generate`. Bindings, argument checks, the static
//! check of scripts, reference and stubs follow from that.
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
//! assert_eq!((bank.group, bank.params[0].ty, bank.acts), ("Counters", Ty::COUNTER, false));
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
pub use principes_lua::{LONGEST_NUMERAL, LONGEST_TEXT, WEIGHT_OF_A_STEP, meaning as script_meaning};
pub use source::{Compiled, ScriptSource};
