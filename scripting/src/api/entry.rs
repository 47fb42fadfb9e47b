//! The definition of a verb.

use mlua::{Lua, Value as LuaValue};

use crate::api::args::Args;
use crate::host::context::Context;
use crate::machine::wire::{Answer, NextHook};
use crate::types::{Field, Param, Ret, Ty};

/// How a verb runs.
#[derive(Clone, Copy)]
pub(crate) enum VerbBody {
    /// In Rust, one result.
    One(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// In Rust, two results.
    Two(fn(&Context, &Args) -> mlua::Result<(Answer, Answer)>),
    /// In Rust, a list of handles.
    Many(fn(&Context, &Args) -> mlua::Result<Vec<f64>>),
    /// In Rust, a table, as its keys and values in turn.
    Pairs(fn(&Context, &Args) -> mlua::Result<Vec<f64>>),
    /// In Rust, with access to the machine, to make strings or to call functions of scripts.
    Machine(fn(&Context, &Lua, &Args) -> mlua::Result<LuaValue>),
    /// In the Lua part. This function checks its arguments, or handles the remaining cases.
    Checks(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// In the Lua part. This function records the decision. `None` if the fast path does not apply.
    Asks(fn(&Context, &Args) -> mlua::Result<Option<Answer>>),
    /// In Rust. This function records the procedure to run; the coroutine waits until the procedure has ended.
    Rests(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// In the Lua part, which runs the first hook and the following ones, as the host names them.
    Hooks(fn(&Context, &Args) -> mlua::Result<Option<NextHook>>),
}

/// A verb of the API.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name. Verbs that begin with `battle.` are in a table.
    pub name: &'static str,
    /// The chapter of the reference.
    pub group: &'static str,
    /// The parameters.
    pub params: &'static [Param],
    /// The results.
    pub returns: &'static [Ret],
    /// Whether it changes the world or asks for a decision, which query hooks and option functions must not do.
    pub acts: bool,
    /// The description.
    pub doc: &'static str,
    /// Lua for the reference that shows how to use the verb.
    pub example: &'static str,
    pub(crate) run: VerbBody,
    /// The Lua part, if there is one.
    pub(crate) lua: Option<&'static str>,
}

impl Entry {
    /// The fields of the table, if a table is its only parameter.
    pub(crate) fn fields(&self) -> Option<&'static [Field]> {
        match (self.params, self.run) {
            (
                [Param { ty: Ty::Fields(fields), optional: true, .. }],
                VerbBody::One(_) | VerbBody::Many(_) | VerbBody::Pairs(_),
            ) => Some(fields),
            ([Param { ty: Ty::Fields(fields), .. }], VerbBody::Rests(_)) => Some(fields),
            _ => None,
        }
    }

    /// The name within the table `battle`, if it is there.
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
