//! The script API, described once: from [`entries`] come the bindings, their argument checks, the editor stubs and the
//! reference.

use mlua::{Function, IntoLuaMulti, Lua, Value as LuaValue, Variadic};
use principes_core::scripts::ScriptErrorKind;
use std::rc::Rc;

use crate::args::{Args, MOST};
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
    /// In Rust, any number of handles, which the prelude puts into a list.
    Many(fn(&Context, &Args) -> mlua::Result<Variadic<f64>>),
    /// By the prelude, over this helper.
    Prelude(fn(&Context, &Lua, &Args) -> mlua::Result<LuaValue>),
    /// By the prelude, which runs the hooks that this finds.
    Hooks(fn(&Context, &Lua, &Args) -> mlua::Result<Variadic<LuaValue>>),
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
    #[inline]
    fn open<'a>(&self, context: &Context, raw: &'a [LuaValue]) -> mlua::Result<Args<'a>> {
        self.enter(context)?;
        Args::check(context, self.name, self.params, raw)
    }

    /// Whether the function may be called now, and what it costs.
    #[inline]
    fn enter(&self, context: &Context) -> mlua::Result<()> {
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
        Ok(())
    }

    /// The fields of the table that is all this function takes; the prelude hands them over ([`crate::flat`]).
    pub(crate) fn fields(&self) -> Option<&'static [Field]> {
        match (self.params, self.run) {
            ([Param { ty: Ty::Fields(fields), optional: true, .. }], Run::One(_) | Run::Many(_)) => Some(fields),
            _ => None,
        }
    }

    /// The function that raises what is wrong with a table of fields.
    pub(crate) fn refusal(
        &'static self,
        fields: &'static [Field],
        context: &Rc<Context>,
        lua: &Lua,
    ) -> mlua::Result<Function> {
        let c = context.clone();
        lua.create_function(move |_, (table, extra): (LuaValue, LuaValue)| {
            bindings::refuse_fields(&c, &Args::check(&c, self.name, self.params, &[table, extra])?, fields)
        })
    }

    /// The Lua function.
    pub(crate) fn bind(&'static self, context: &Rc<Context>, lua: &Lua) -> mlua::Result<Function> {
        let c = context.clone();
        match (self.fields(), self.run) {
            (Some(fields), Run::One(run)) => lua.create_function(move |lua, end: usize| {
                self.enter(&c)?;
                run(&c, lua, &Args::check_fields(&c, self.name, fields, end)?)
            }),
            (Some(fields), Run::Many(run)) => lua.create_function(move |_, end: usize| {
                self.enter(&c)?;
                run(&c, &Args::check_fields(&c, self.name, fields, end)?)
            }),
            (_, Run::One(run) | Run::Prelude(run)) => {
                self.taking(lua, move |lua, raw| run(&c, lua, &self.open(&c, raw)?))
            }
            (_, Run::Two(run)) => self.taking(lua, move |lua, raw| run(&c, lua, &self.open(&c, raw)?)),
            (_, Run::Hooks(run)) => self.taking(lua, move |lua, raw| run(&c, lua, &self.open(&c, raw)?)),
            (_, Run::Many(run)) => self.taking(lua, move |_, raw| run(&c, &self.open(&c, raw)?)),
        }
    }

    /// Every value taken from the Lua stack costs, so short parameter lists take few: one more than there are
    /// parameters, to find calls with too many.
    fn taking<R: IntoLuaMulti>(
        &self,
        lua: &Lua,
        run: impl Fn(&Lua, &[LuaValue]) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<Function> {
        let most = if self.params.iter().any(|param| param.rest) { MOST } else { self.params.len() };
        match most {
            0..=1 => lua.create_function(move |lua, (p, x): (LuaValue, LuaValue)| run(lua, &[p, x])),
            2 => {
                type Raw = (LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, x): Raw| run(lua, &[p, q, x]))
            }
            3 => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, x): Raw| run(lua, &[p, q, r, x]))
            }
            _ => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, s, t, u, v, x): Raw| run(lua, &[p, q, r, s, t, u, v, x]))
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
