//! Hook points for scripts. [`crate::host::hooks`] explains hooks.

use mlua::{Lua, Table as LuaTable, Value as LuaValue};
use principes_core::catalog::HookPointKind;
use principes_core::ids::Value;

use crate::api::binder::Binder;
use crate::api::chapter::{chapter, flag};
use crate::host::context::Context;
use crate::host::values::value_of;
use crate::machine::raw::CallArgs;
use crate::machine::wire::Answer;
use crate::machine::wire::{CallOutcome, Shape};
use crate::types::{Ty, gives, opt, p, rest};

chapter! { "Hooks" with helpers,
    look "query" (p("point", Ty::Query), p("value", Ty::Int), rest("args", Ty::Any)) [gives(Ty::Int)]
        "Passes a value through all live query hooks of a point and returns the result. A point without hooks costs nothing."
        "local income = query(\"taxes.income\", 3, seat)"
        Hooks |c, a| {
            a.int(1)?;
            let point = c.taking(a.function, a.point(0)?, HookPointKind::Query, a.rest(2).len())?;
            c.begin_all(point, Some(point))
        }, lua "
-- The host says which hook has begun: its function, its `self`, its owner; and after it, which is next. They run in the
-- coroutine of their caller, so that they may ask.
local hooks, selves, missed, answered, query = host.hooks, host.selves, host.missed, host.answered, host.query
return function(point, value, ...)
  local hook, this, owner = query(point, value, ...)
  value = if value == true then 1 elseif value == false then 0 else value + 0
  while hook do
    value, hook, this, owner = answered((hooks[hook](selves[this] or missed[this], value, owner, ...)))
  end
  return value
end";
    act "trigger" (p("point", Ty::Effect), rest("args", Ty::Any)) []
        "Runs all live effect hooks of a point, one after another. They may ask for decisions."
        "trigger(\"round.started\")"
        Hooks |c, a| c.begin_all(c.taking(a.function, a.point(0)?, HookPointKind::Effect, a.rest(1).len())?, None), lua "
local hooks, selves, missed, leave, trigger = host.hooks, host.selves, host.missed, host.leave, host.trigger
return function(point, ...)
  local hook, this, owner = trigger(point, ...)
  while hook do
    hooks[hook](selves[this] or missed[this], owner, ...)
    hook, this, owner = leave()
  end
end";
    act "perform" (p("card", Ty::Entity), p("point", Ty::Effect), opt("seat", Ty::FACTION), rest("args", Ty::Any)) [gives(Ty::Bool)]
        "Runs the hook of a card, design or rule for an effect point, whether it is live or not. The seat acts as the owner. Returns false if the hook does not exist."
        "perform(card, \"card.play\", seat)"
        Hooks |c, a| {
            let point = c.taking(a.function, a.point(1)?, HookPointKind::Effect, a.rest(3).len())?;
            c.begin_own(a.value(0), point, a.optional_faction(2))
        }, lua "
local hooks, selves, missed, leave, perform = host.hooks, host.selves, host.missed, host.leave, host.perform
return function(entity, point, seat, ...)
  local hook, this = perform(entity, point, seat, ...)
  if not hook then
    return false
  end
  hooks[hook](selves[this] or missed[this], seat, ...)
  leave()
  return true
end";
    look "listens" (p("card", Ty::Entity), p("point", Ty::Point)) [gives(Ty::Bool)]
        "Whether a card, design or rule has a hook for a point."
        "if listens(tile, \"combined.assembly\") then … end"
        One |c, a| {
            let point = a.point(1)?;
            Ok(flag(c.read(|t| t.own_hook(a.value(0), point))?.is_some()))
        };
}

/// Provides the Lua parts: functions that end a hook and begin the next one, and the tables of `self`.
fn helpers(binder: &Binder) -> mlua::Result<()> {
    binder.sure_helper("leave", |c, given| {
        given.give_next(c.next_hook()?);
        Ok(CallOutcome::Done)
    })?;
    let answered = |c: &Context, given: &CallArgs| match value_of(c, given.arg(0)) {
        Some(Value::Int(answer)) => {
            given.give(Answer::Number(answer.into()));
            given.give_next(c.next_hook()?);
            Ok(CallOutcome::Done)
        }
        _ => Ok(CallOutcome::SlowPath),
    };
    let c = binder.context.clone();
    let wrong = binder.lua.create_function(move |_, result: LuaValue| Err::<(), _>(c.answered_wrongly(&result)))?;
    binder.helper("answered", Shape::Closed, answered, wrong)?;
    let selves = binder.lua.create_table()?;
    binder.host.raw_set("selves", &selves)?;
    // A missing field costs no step. The cost of a hook is therefore always the same, although each `self` is made only
    // once per machine.
    let c = binder.context.clone();
    let make = move |lua: &Lua, (_, number): (LuaTable, u32)| {
        let this = c.self_at(lua, number)?;
        selves.raw_set(number, &*this)?;
        Ok((*this).clone())
    };
    let missed = binder.lua.create_table()?;
    let meta = binder.lua.create_table_from([("__index", binder.lua.create_function(make)?)])?;
    missed.set_metatable(Some(meta))?;
    binder.host.raw_set("missed", missed)
}
