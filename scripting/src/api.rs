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
        match self.fields() {
            Some(fields) => Args::check_fields(context, self.name, fields, raw),
            None => Args::check(context, self.name, self.params, raw),
        }
    }

    /// The fields of the table that is all this function takes. They are handed over one by one (see [`Entry::unpacking`]).
    pub(crate) fn fields(&self) -> Option<&'static [Field]> {
        match (self.params, self.run) {
            ([Param { ty: Ty::Fields(fields), optional: true, .. }], Run::One(_) | Run::Many(_)) => Some(fields),
            _ => None,
        }
    }

    /// Lua that makes a function which takes a table of named fields from one that takes their values in order, and from
    /// one that raises what is wrong with the table.
    pub(crate) fn unpacking(&self, fields: &[Field]) -> String {
        let list = |shown: fn(&Field) -> String| fields.iter().map(shown).collect::<Vec<_>>().join(", ");
        let (known, values) = (list(|f| format!("{} = true", f.name)), list(|f| format!("fields.{}", f.name)));
        let (open, close) = if matches!(self.run, Run::Many(_)) { ("{ ", " }") } else { ("", "") };
        format!(
            "local run, refuse = ...
            local known = {{ {known} }}
            return function(fields, extra)
              if extra ~= nil or fields ~= nil and type(fields) ~= 'table' then return refuse(fields, extra) end
              if fields == nil then return {open}run(){close} end
              for name in fields do
                if not known[name] then return refuse(fields) end
              end
              return {open}run({values}){close}
            end"
        )
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
            bindings::refuse_fields(&Args::check(&c, self.name, self.params, &[table, extra])?, fields)
        })
    }

    /// The Lua function.
    pub(crate) fn bind(&'static self, context: &Rc<Context>, lua: &Lua) -> mlua::Result<Function> {
        let c = context.clone();
        match self.run {
            Run::One(run) | Run::Prelude(run) => self.taking(lua, move |lua, raw| run(&c, lua, &self.open(&c, raw)?)),
            Run::Two(run) => self.taking(lua, move |lua, raw| run(&c, lua, &self.open(&c, raw)?)),
            Run::Many(run) => self.taking(lua, move |_, raw| run(&c, &self.open(&c, raw)?)),
        }
    }

    /// Every value taken from the Lua stack costs, so short parameter lists take few: one more than there are parameters,
    /// to find calls with too many.
    fn taking<R: IntoLuaMulti>(
        &self,
        lua: &Lua,
        run: impl Fn(&Lua, &[LuaValue]) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<Function> {
        let most = match self.fields() {
            Some(fields) => fields.len(),
            None if self.params.iter().any(|param| param.rest) => MOST,
            None => self.params.len(),
        };
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
