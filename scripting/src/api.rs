//! The script API, described once: from [`entries`] come the bindings, their argument checks, the editor stubs and the
//! reference.

use mlua::{Function, Lua, Value as LuaValue};
use principes_core::scripts::ScriptErrorKind;
use std::rc::Rc;

use crate::args::Args;
use crate::bindings;
use crate::context::Context;
pub use crate::docs::{ALIASES, HOLDERS, PackNames, json, lua_stub, markdown, pack_stub};
pub use crate::library::{LIBRARY, LibraryFunction};
pub use crate::types::{Field, Param, Ret, Ty};

/// How a function is carried out.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// In Rust, one result.
    One(fn(&Context, &Lua, &Args) -> mlua::Result<LuaValue>),
    /// In Rust, two results.
    Two(fn(&Context, &Lua, &Args) -> mlua::Result<(LuaValue, LuaValue)>),
    /// By the prelude, over this helper.
    Prelude(fn(&Context, &Lua, &Args) -> mlua::Result<LuaValue>),
}

/// A function of the API.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name; `battle.` functions lie in a table.
    pub name: &'static str,
    /// The chapter of the reference it belongs to.
    pub group: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it returns.
    pub returns: &'static [Ret],
    /// Whether it changes the world or asks: forbidden in query hooks and option functions.
    pub acts: bool,
    /// What it does.
    pub doc: &'static str,
    /// How it is used.
    pub example: &'static str,
    pub(crate) run: Run,
}

/// All functions of the API, by chapter.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    bindings::GROUPS.iter().flat_map(|group| group.iter())
}

impl Entry {
    fn open<const N: usize>(&self, context: &Context, raw: [LuaValue; N]) -> mlua::Result<Args> {
        if self.acts && context.pure.get() > 0 {
            return Err(context.latched(
                ScriptErrorKind::Impure,
                format!(
                    "{}: query hooks and option functions may only look: they cannot change the game or ask",
                    self.name
                ),
            ));
        }
        if self.acts {
            // What is done is also told, and the host keeps what is told.
            context.charge(8)?;
        }
        Args::check(context, self.name, self.params, raw)
    }

    /// The Lua function. Every value taken from the Lua stack costs, so short parameter lists take few: one more than
    /// there are parameters, to find calls with too many.
    pub(crate) fn bind(&'static self, context: &Rc<Context>, lua: &Lua) -> mlua::Result<Function> {
        let c = context.clone();
        let run = match self.run {
            Run::One(run) | Run::Prelude(run) => run,
            Run::Two(run) => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue);
                return lua.create_function(move |lua, (p, q, r, x): Raw| run(&c, lua, &self.open(&c, [p, q, r, x])?));
            }
        };
        match self.params.len() {
            0..=1 if self.params.iter().all(|param| !param.rest) => {
                lua.create_function(move |lua, (p, x): (LuaValue, LuaValue)| run(&c, lua, &self.open(&c, [p, x])?))
            }
            0..=3 if self.params.iter().all(|param| !param.rest) => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, x): Raw| run(&c, lua, &self.open(&c, [p, q, r, x])?))
            }
            _ => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, s, t, u, v, x): Raw| {
                    run(&c, lua, &self.open(&c, [p, q, r, s, t, u, v, x])?)
                })
            }
        }
    }

    /// `name(a, b?)`.
    pub fn signature(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|param| match (param.rest, param.optional) {
                (true, _) => "...".to_owned(),
                (false, true) => format!("{}?", param.name),
                (false, false) => param.name.to_owned(),
            })
            .collect();
        format!("{}({})", self.name, params.join(", "))
    }
}
