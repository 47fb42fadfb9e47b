//! Builds a machine: the environment for scripts, its verbs and guards, and the modules.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, LuaOptions, LuaString, StdLib, Table as LuaTable, Value as LuaValue, VmState};
use principes_core::catalog::{Catalog, Change, ChangeFor};
use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_lua::{LONGEST_NUMERAL, LONGEST_TEXT, is_long};

use crate::api::binder::{Binder, takes_options};
use crate::api::chapters::{CHAPTERS, entries, lua_parts, own_texts};
use crate::error::{ApiError, Described, TOO_MUCH_MEMORY, describe};
use crate::host::context::Context;
use crate::host::facts;
use crate::host::spelling::Spelling;
use crate::host::values::number;
use crate::host::vm::Vm;
use crate::machine::budget::CAUGHT;
use crate::machine::library::{add_bounded_parts, add_pure_parts, trusted};
use crate::machine::modules::Modules;
use crate::machine::names::{add_constants, unknown_raises};
use crate::machine::numerals;
use crate::machine::raw::{self, Stage};
use crate::machine::vetting::GUARDS;
use crate::source::ScriptSource;

/// Builds a machine with a memory limit, loads every module and finds the function of every hook. Reports all errors,
/// not only the first.
pub fn build(
    catalog: &Arc<Catalog>,
    sources: &[ScriptSource],
    counts_lines: bool,
    memory: usize,
) -> Result<Vm, Vec<ScriptError>> {
    let context = Rc::new(Context::new(catalog.clone(), Modules::new(sources, counts_lines)));
    let one = |error: mlua::Error| vec![describe(&error).into_error(None, sources)];
    let (lua, stage) = prepare(&context, memory).map_err(one)?;
    let mut errors = context.modules.load_all(&lua, &context.budget);
    let functions = context.modules.functions(&catalog.hooks, |change| changing(&lua, change), &mut errors);
    if !errors.is_empty() {
        errors.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        return Err(errors);
    }
    if let Some(listed) = context.hooks.listed.get() {
        // This fails only if memory has run out, and then nothing else works either.
        functions.iter().try_for_each(|function| listed.raw_push(function)).map_err(one)?;
    }
    let _ = context.hooks.functions.set(functions);
    context.budget.collect(&lua);
    Ok(Vm::new(lua, context, stage))
}

/// The function of a hook that changes a value without a script, for scripts that query the value. The kernel does not
/// need it; see [`Change::apply`].
fn changing(lua: &Lua, change: &Change) -> mlua::Result<Function> {
    let text = "local set, times, add, least, most, owners = ...
        return function(_, value, owner, first)
            if owners and (owner == nil or first ~= owner) then return value end
            value = math.clamp((set or value) * times, -2147483648, 2147483647)
            return math.min(math.max(math.clamp(value + add, -2147483648, 2147483647), least), most)
        end";
    let (least, most) = (change.least.unwrap_or(i32::MIN), change.most.unwrap_or(i32::MAX));
    let owners = change.whom == ChangeFor::Owner;
    trusted(lua, text).call((change.set, change.times, (change.add, least, (most, owners))))
}

/// A machine with guards and everything that modules use.
fn prepare(context: &Rc<Context>, memory: usize) -> mlua::Result<(Lua, Stage)> {
    let lua = guarded(context, memory)?;
    let _ = context.spelling.set(Spelling::new(&lua, &context.catalog, own_texts())?);
    let environment = lua.create_table()?;
    add_pure_parts(&lua, &environment)?;
    add_functions_of_modules(context, &lua, &environment)?;
    // Our own Lua code may call built-in functions directly, because no script sees the machine's own globals.
    lua.globals().set_safeenv(true);
    let binder = Binder::new(context, &lua)?;
    let stage = add_verbs(context, &lua, &binder, &environment)?;
    add_constants(&context.catalog, &lua, &environment)?;
    seal(&lua, &environment)?;
    // The names in modules are resolved once, when modules are loaded, and only among the machine's own globals.
    lua.set_globals(environment.clone())?;
    context.modules.set_environment(environment);
    Ok((lua, stage))
}

/// A machine that counts steps and has a memory limit.
fn guarded(context: &Rc<Context>, memory: usize) -> mlua::Result<Lua> {
    let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::COROUTINE | StdLib::BUFFER;
    let lua = Lua::new_with(libraries, LuaOptions::default())?;
    raw::check_build(&lua)?;
    lua.set_memory_limit(memory)?;
    context.budget.refill();
    let guarded = context.clone();
    raw::count_steps(&lua, move |lua| {
        guarded.budget.look(lua)?;
        Ok(VmState::Continue)
    })?;
    context.budget.collect(&lua);
    context.budget.begin(&lua);
    Ok(lua)
}

/// Adds the functions that modules can call besides the library and the verbs.
fn add_functions_of_modules(context: &Rc<Context>, lua: &Lua, environment: &LuaTable) -> mlua::Result<()> {
    let c = context.clone();
    environment.raw_set("tostring", lua.create_function(move |lua, value: LuaValue| to_string(&c, lua, value))?)?;
    let c = context.clone();
    let import = move |lua: &Lua, name: LuaValue| c.modules.import(lua, &c.budget, &name);
    environment.raw_set("import", lua.create_function(import)?)?;
    let c = context.clone();
    let keep = move |_: &Lua, table: LuaTable| {
        c.modules.keep(table.clone());
        Ok(table)
    };
    environment.raw_set(GUARDS.table, lua.create_function(keep)?)
}

/// Binds all verbs, and runs their Lua parts.
fn add_verbs(context: &Rc<Context>, lua: &Lua, binder: &Binder, environment: &LuaTable) -> mlua::Result<Stage> {
    let host = &binder.host;
    let battle = lua.create_table()?;
    for entry in entries() {
        let function = binder.verb(entry)?;
        if takes_options(entry) {
            host.raw_set(format!("{}_and_rest", entry.name), binder.resting_verb(entry)?)?;
        }
        match (entry.in_battle(), entry.lua) {
            (_, Some(_)) => host.raw_set(entry.name, function)?,
            (Some(name), None) => battle.raw_set(name, function)?,
            (None, None) => environment.raw_set(entry.name, function)?,
        }
    }
    environment.raw_set("battle", battle)?;
    host.raw_set("facts", facts::tables(context, lua)?)?;
    let coroutines: LuaTable = lua.globals().raw_get("coroutine")?;
    host.raw_set("yield", coroutines.raw_get::<LuaValue>("yield")?)?;
    let listed = lua.create_table()?;
    host.raw_set("hooks", &listed)?;
    let stage = Stage::new(lua, &listed, &binder.words)?;
    let _ = context.hooks.listed.set(listed);
    CHAPTERS.iter().try_for_each(|chapter| (chapter.helpers)(binder))?;
    add_guards(context, lua, host)?;
    add_bounded_parts(lua, host, environment)?;
    trusted(lua, include_str!("host/facts.lua")).call::<()>(host)?;
    trusted(lua, lua_parts()).call::<()>((host, environment))?;
    let _ = context.pending.options_of.set(host.raw_get("options_of")?);
    let _ = context.pending.take_options.set(host.raw_get("take_options")?);
    Ok(stage)
}

/// Adds the host functions for `pcall` and the bounded library.
fn add_guards(context: &Rc<Context>, lua: &Lua, host: &LuaTable) -> mlua::Result<()> {
    let c = context.clone();
    host.raw_set("mark", lua.create_function(move |_, ()| Ok(c.hooks.running.borrow().len()))?)?;
    let c = context.clone();
    let unwind = move |lua: &Lua, (depth, error): (usize, LuaValue)| {
        // Raising an error is slow, because it carries the whole stack.
        let spent = c.budget.charge_here(lua, CAUGHT);
        if let Some(error) = c.budget.latched() {
            return Err(mlua::Error::external(error));
        }
        spent?;
        c.note_effects(None);
        c.unwind(depth);
        let text = match &error {
            LuaValue::Error(error) => {
                let described = describe(error);
                if described.kind == ScriptErrorKind::Memory {
                    return Err(c.budget.latch(ScriptErrorKind::Memory, described.message));
                }
                with_position(&described)
            }
            LuaValue::String(text) if text.as_bytes().starts_with(b"not enough memory") => {
                return Err(c.budget.latch(ScriptErrorKind::Memory, TOO_MUCH_MEMORY.to_owned()));
            }
            other => return Ok(other.clone()),
        };
        lua.create_string(text).map(LuaValue::String)
    };
    host.raw_set("unwind", lua.create_function(unwind)?)?;
    let c = context.clone();
    let charge = move |lua: &Lua, steps: f64| c.budget.charge_here(lua, steps.clamp(0.0, 1e12) as u64);
    host.raw_set("charge", lua.create_function(charge)?)?;
    let charged = |lua: &Lua, (charge, inner): (Function, Option<Function>)| raw::charged(lua, &charge, inner.as_ref());
    host.raw_set("charged", lua.create_function(charged)?)?;
    host.raw_set("longest", LONGEST_TEXT)?;
    host.raw_set("longest_numeral", LONGEST_NUMERAL)?;
    let long = |_: &Lua, text: LuaString| Ok(is_long(&text.as_bytes()));
    host.raw_set("is_long", lua.create_function(long)?)?;
    let written = |_: &Lua, (flags, letter, value): (String, String, f64)| {
        numerals::written(&flags, &letter, value).map_err(ApiError::raise)
    };
    host.raw_set("written", lua.create_function(written)?)?;
    // The result is the same on every system: this uses nothing but operations that IEEE 754 defines.
    let power = |_: &Lua, (base, exponent): (f64, f64)| Ok(libm::pow(base, exponent));
    host.raw_set("power", lua.create_function(power)?)?;
    let numeral = |_: &Lua, text: LuaString| Ok(numerals::numeral(&text.as_bytes()));
    host.raw_set("numeral", lua.create_function(numeral)?)
}

/// Makes the environment read-only, and unknown names errors.
fn seal(lua: &Lua, environment: &LuaTable) -> mlua::Result<()> {
    let strings: LuaTable = environment.raw_get("string")?;
    if let Some(methods) = lua.type_metatable::<LuaString>() {
        methods.set_readonly(false);
        methods.raw_set("__index", &strings)?;
        methods.set_readonly(true);
    }
    for name in ["string", "table", "math", "battle"] {
        environment.raw_get::<LuaTable>(name)?.set_readonly(true);
    }
    let known: Vec<String> =
        environment.pairs::<String, LuaValue>().map(|pair| Ok(pair?.0)).collect::<mlua::Result<_>>()?;
    environment.set_metatable(Some(unknown_raises(lua, "global", known)?))?;
    environment.set_readonly(true);
    environment.set_safeenv(true);
    Ok(())
}

/// `tostring` without addresses. Handles are written with their ids.
fn to_string(context: &Context, lua: &Lua, value: LuaValue) -> mlua::Result<LuaString> {
    let text = match &value {
        LuaValue::String(text) => return Ok(text.clone()),
        LuaValue::Nil => "nil".to_owned(),
        LuaValue::Boolean(b) => b.to_string(),
        LuaValue::Integer(n) => match number(context, &value) {
            Some(handle) => context.catalog.id_of(handle),
            None => n.to_string(),
        },
        LuaValue::Number(n) => (n + 0.0).to_string(),
        LuaValue::Error(error) => with_position(&describe(error)),
        other => other.type_name().to_owned(),
    };
    lua.create_string(text)
}

fn with_position(described: &Described) -> String {
    match &described.place {
        Some(place) => format!("{}:{}: {}", place.module, place.line, described.message),
        None => described.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

    use super::*;
    use crate::machine::budget::MEMORY_LIMIT;
    use crate::machine::raw::{CallArgs, FastPath};
    use crate::machine::wire::{CallOutcome, Shape};

    struct Panics;

    impl FastPath for Panics {
        fn shape(&self) -> Shape {
            Shape::Closed
        }
        fn rests(&self) -> bool {
            false
        }
        fn run(&self, _: &CallArgs) -> CallOutcome {
            panic_any("on the fast path")
        }
    }

    #[test]
    fn no_script_continues_after_a_panic_of_the_host() -> mlua::Result<()> {
        let context = Rc::new(Context::new(
            Arc::new(principes_core::CatalogParts::new("none").build().unwrap()),
            Modules::new(&[], false),
        ));
        let (lua, _) = prepare(&context, MEMORY_LIMIT)?;
        let long = lua.create_function(|_, ()| -> mlua::Result<()> { panic_any("on the slow path") })?;
        let raise = lua.create_function(|_, ()| -> mlua::Result<()> {
            raw::resume_panic();
            Ok(())
        })?;
        let short = raw::function(&lua, Panics, long.clone(), &raise, &lua.create_table()?)?;
        for panics in [long, short] {
            let text = "local f = ... local count = 0
                pcall(function() pcall(f) count = count + 1 end)
                return count + 1";
            let run = || lua.load(text).call::<i32>(panics);
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
        Ok(())
    }
}
