//! The Lua host: it runs the hooks of content packs in a sandbox and gives them the script API.
//!
//! [`LuaHost`] implements [`principes_core::scripts::Scripts`] over Luau. A pack is untrusted: its scripts see only
//! what [`api`] lists and the pure parts of the standard library, every call has a step budget, and the machine has a
//! memory ceiling. The bindings, their argument checks, the editor stubs and the API reference all come from one table,
//! [`api::entries`].

pub mod api;
mod args;
mod bindings;
mod checked;
mod context;
mod docs;
mod facts;
mod fault;
mod host;
mod library;
mod names;
mod raw;
mod sandbox;
mod types;

pub use context::{Compiled, Deed, Did, ScriptSource};
pub use host::{Live, LuaHost};
pub use sandbox::LineHits;
