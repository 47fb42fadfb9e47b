//! What a verb of the script API is.

use mlua::{Lua, Value as LuaValue};

use crate::api::args::Args;
use crate::host::context::Context;
use crate::machine::wire::{Answer, NextHook};
use crate::types::{Field, Param, Ret, Ty};

/// How a verb is carried out.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// In Rust, one result.
    One(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// In Rust, two results.
    Two(fn(&Context, &Args) -> mlua::Result<(Answer, Answer)>),
    /// In Rust, a list of handles.
    Many(fn(&Context, &Args) -> mlua::Result<Vec<f64>>),
    /// In Rust, with the machine at hand: to make strings, to call functions of scripts.
    Machine(fn(&Context, &Lua, &Args) -> mlua::Result<LuaValue>),
    /// By the part in Lua; this checks its arguments, or does what that does not.
    Checks(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// By the Lua part; this notes the decision. Nothing if the short way does not apply.
    Asks(fn(&Context, &Args) -> mlua::Result<Option<Answer>>),
    /// In Rust, which notes the procedure to run; the coroutine waits until it is over.
    Rests(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// By the Lua part, which runs the first hook and those that follow, as the host names them.
    Hooks(fn(&Context, &Args) -> mlua::Result<Option<NextHook>>),
}

/// A verb of the API.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name; `battle.` verbs are in a table.
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
    /// Its part in Lua, if it has one.
    pub(crate) lua: Option<&'static str>,
}

impl Entry {
    /// The fields of the table that is all this verb takes.
    pub(crate) fn fields(&self) -> Option<&'static [Field]> {
        match (self.params, self.run) {
            ([Param { ty: Ty::Fields(fields), optional: true, .. }], Run::One(_) | Run::Many(_)) => Some(fields),
            ([Param { ty: Ty::Fields(fields), .. }], Run::Rests(_)) => Some(fields),
            _ => None,
        }
    }

    /// Its name within the table it is in, if it is one of a battle.
    pub(crate) fn in_battle(&self) -> Option<&'static str> {
        self.name.strip_prefix("battle.")
    }

    /// `name(a, b?)`.
    pub fn signature(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|param| match (param.rest, !param.written) {
                (true, _) => "...".to_owned(),
                (false, true) => format!("{}?", param.name),
                (false, false) => param.name.to_owned(),
            })
            .collect();
        format!("{}({})", self.name, params.join(", "))
    }
}
