//! One Lua machine: the environment that scripts see, the guards around it, and the modules in it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::chunk::{AsChunk, Chunk, ChunkMode, Compiler};
use mlua::{Function, Lua, LuaOptions, LuaString, StdLib, Table as LuaTable, Value as LuaValue, VmState};
use principes_core::catalog::Catalog;
use principes_core::ids::{HookId, Value};
use principes_core::scripts::{ScriptError, ScriptErrorKind};

use crate::api::{Run, Shortcut, Shortcuts, entries};
use crate::args::{self, number};
use crate::bindings;
use crate::checked::{self, GUARDS};
use crate::context::{Context, MEMORY_LIMIT, Module, ScriptSource, Spelling, say};
use crate::facts;
use crate::fault::{Described, Fault, PRELUDE, TOO_MUCH_MEMORY, describe};
use crate::names::hint;
use crate::raw::{self, Answer, Coroutine, Given, Outcome, Raw, Shape, Stage};
use crate::types::Ty;

/// Library functions that scripts may use as they are. Everything else that Luau offers stays out.
const BASE: &[&str] = &["assert", "error", "ipairs", "next", "pairs", "select", "tonumber", "type"];
const MATH: &[&str] = &["abs", "ceil", "clamp", "floor", "fmod", "huge", "max", "min", "modf", "round", "sign"];
/// What the prelude wraps.
const STRING: &[&str] = &[
    "byte", "char", "len", "sub", "lower", "upper", "reverse", "split", "find", "match", "gmatch", "gsub", "rep",
    "format",
];
const TABLE: &[&str] = &["create", "insert", "remove", "concat", "sort", "unpack", "find"];

/// Functions the compiler would call directly, past the environment: those that scripts have not got or have got in
/// another form.
const NOT_BUILT_IN: &[&str] = &[
    "tostring",
    "getmetatable",
    "setmetatable",
    "rawset",
    "rawget",
    "rawequal",
    "rawlen",
    "typeof",
    "unpack",
    "table.unpack",
    "string.byte",
    "string.char",
    "string.len",
    "string.sub",
    "math.sin",
    "math.cos",
    "math.tan",
    "math.asin",
    "math.acos",
    "math.atan",
    "math.atan2",
    "math.sinh",
    "math.cosh",
    "math.tanh",
    "math.exp",
    "math.log",
    "math.log10",
    "math.pow",
    "math.sqrt",
    "math.ldexp",
    "math.frexp",
    "math.deg",
    "math.rad",
    "math.noise",
    "math.lerp",
];

/// Steps between two looks at the memory in use.
pub const WINDOW: u64 = 64;
/// Bytes that may be taken in a window for nothing.
const FREE: usize = 128 * 1024;
/// Bytes beyond which a window is worth a look at what is really held.
const BURST: usize = 256 * 1024;

/// Watches the memory that a call takes and holds, and puts a price on it: joining and comparing long strings is one step
/// each and may still take a millisecond. The collector runs only from here, so that what is taken can be counted.
#[derive(Default)]
pub struct Meter {
    /// In use when the call began.
    entered: Cell<usize>,
    /// In use at the last look.
    seen: Cell<usize>,
    /// In use before the next collection.
    full: Cell<usize>,
    /// What each step costs beside itself, for what the call holds.
    rent: Cell<u64>,
}

impl Meter {
    /// A call begins.
    pub fn begin(&self, lua: &Lua) {
        let mut used = lua.used_memory();
        if used > self.full.get() || self.rent.get() > 0 {
            used = self.collect(lua);
        }
        // Some of it is garbage. But how much is known only after a collection, and what earlier calls hold is not this
        // one's: a call pays for nothing that lay there before.
        self.entered.set(used);
        self.seen.set(used);
        self.rent.set(0);
    }

    /// Steps that a window costs beside its own.
    fn price(&self, lua: &Lua) -> u64 {
        let mut used = lua.used_memory();
        let taken = used.saturating_sub(self.seen.get());
        if taken > BURST || used > self.full.get() {
            used = self.collect(lua);
            self.rent.set((used.saturating_sub(self.entered.get() + BURST) / 4096) as u64);
        }
        self.seen.set(used);
        (taken.saturating_sub(FREE) / 256) as u64 + WINDOW * self.rent.get()
    }

    /// Collects all garbage; gives what is in use after it.
    fn collect(&self, lua: &Lua) -> usize {
        // It fails only where finalizers do, and there are none.
        let _ = lua.gc_collect();
        // A whole collection starts the collector again.
        lua.gc_stop();
        let used = lua.used_memory();
        self.full.set((used + used.max(1 << 20)).min(used.midpoint(MEMORY_LIMIT)));
        used
    }
}

/// Steps that catching an error costs.
const CAUGHT: u64 = 1000;

/// The innermost line of a script that is running.
fn running_line(lua: &Lua) -> Option<(String, u32)> {
    for level in 0.. {
        let place = lua.inspect_stack(level, |frame| {
            let source = frame.source().source?.strip_prefix('@')?.to_owned();
            Some((source, u32::try_from(frame.current_line()?).ok()?))
        })?;
        if place.is_some() {
            return place;
        }
    }
    None
}

/// Takes steps off the budget; where it runs out, the fault says where the script was.
fn charge(context: &Context, lua: &Lua, steps: u64) -> mlua::Result<()> {
    context.charge(steps).map_err(|error| {
        let mut latch = context.latch.borrow_mut();
        match &mut *latch {
            Some(fault) => {
                if fault.place.is_none() {
                    fault.place = running_line(lua);
                }
                mlua::Error::external(fault.clone())
            }
            None => error,
        }
    })
}

/// How often each line of each module has run, by module and line from 1; lines without code are left out.
pub type LineHits = BTreeMap<String, BTreeMap<u32, u64>>;

/// One machine. What is suspended in it keeps it alive.
pub struct Vm {
    pub lua: Lua,
    pub context: Rc<Context>,
    /// Finished coroutines, to be used again.
    pub idle: RefCell<Vec<Coroutine>>,
    /// How coroutines begin and go on.
    pub stage: Stage,
}

impl Vm {
    /// Makes a machine, loads every module and finds the function of every hook.
    pub fn build(catalog: &Arc<Catalog>, sources: &[ScriptSource], counts_lines: bool) -> Result<Vm, Vec<ScriptError>> {
        let context = Rc::new(Context::new(catalog.clone(), sources, counts_lines));
        let (lua, stage) = prepare(&context).map_err(|error| vec![describe(&error).into_error(None)])?;
        for source in sources {
            // Faults are noted in the context, all of them.
            let _ = load(&context, &lua, &source.module);
        }
        let mut faults = std::mem::take(&mut *context.load_faults.borrow_mut());
        let functions = find_hooks(&context, &mut faults);
        if !faults.is_empty() {
            faults.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
            return Err(faults);
        }
        if let Some(hooks) = context.hooks.get() {
            // Nothing but memory can be missing, and then nothing else will do either.
            let filled = functions.iter().try_for_each(|function| hooks.raw_push(function));
            filled.map_err(|error| vec![describe(&error).into_error(None)])?;
        }
        let _ = context.functions.set(functions);
        context.meter.collect(&lua);
        Ok(Vm { lua, context, idle: RefCell::new(Vec::new()), stage })
    }

    /// Adds to `hits` how often each line of each module has run, by module and line from 1.
    pub fn add_line_hits(&self, hits: &mut LineHits) {
        for (module, chunk) in self.context.counted.iter().flat_map(|counted| counted.borrow().clone()) {
            let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
            // The same line may belong to a function and to one inside it: the most counts.
            chunk.coverage(|function| {
                for (line, count) in function.hits.iter().enumerate().filter(|(_, count)| **count >= 0) {
                    let most = lines.entry(line as u32).or_default();
                    *most = (*most).max(count.unsigned_abs().into());
                }
            });
            let sums = hits.entry(module).or_default();
            lines.into_iter().for_each(|(line, count)| *sums.entry(line).or_default() += count);
        }
    }

    /// A coroutine that runs nothing yet; a new one is over this function.
    pub fn coroutine(&self, function: &Function) -> mlua::Result<Coroutine> {
        let idle = self.idle.borrow_mut().pop();
        idle.map_or_else(|| Coroutine::new(&self.lua, function), Ok)
    }
}

fn prepare(context: &Rc<Context>) -> mlua::Result<(Lua, Stage)> {
    let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::COROUTINE | StdLib::BUFFER;
    let lua = Lua::new_with(libraries, LuaOptions::default())?;
    lua.set_memory_limit(MEMORY_LIMIT)?;
    context.refill();
    let guarded = context.clone();
    raw::count_steps(&lua, move |lua| {
        raw::look_after(WINDOW);
        charge(&guarded, lua, 1 + guarded.meter.price(lua))?;
        Ok(VmState::Continue)
    })?;

    context.meter.collect(&lua);
    context.meter.begin(&lua);

    let _ = context.spelling.set(Spelling::new(&lua, &context.catalog)?);

    let environment = lua.create_table()?;
    let globals = lua.globals();
    for name in BASE {
        environment.raw_set(*name, globals.raw_get::<LuaValue>(*name)?)?;
    }
    let math = lua.create_table()?;
    let whole_math: LuaTable = globals.raw_get("math")?;
    for name in MATH {
        math.raw_set(*name, whole_math.raw_get::<LuaValue>(*name)?)?;
    }
    environment.raw_set("math", math)?;

    let shared = context.clone();
    environment
        .raw_set("tostring", lua.create_function(move |lua, value: LuaValue| to_string(&shared, lua, value))?)?;
    let shared = context.clone();
    environment.raw_set("import", lua.create_function(move |lua, name: LuaValue| import(&shared, lua, name))?)?;

    let shared = context.clone();
    let keep = move |_: &Lua, table: LuaTable| {
        shared.kept.borrow_mut().push(table.clone());
        Ok(table)
    };
    environment.raw_set(GUARDS.table, lua.create_function(keep)?)?;

    // The prelude may call what is built in directly: nobody else sees the machine's own globals.
    globals.set_safeenv(true);
    let shortcuts = Shortcuts::new(context, &lua)?;
    let host = lua.create_table()?;
    let battle = lua.create_table()?;
    for entry in entries() {
        let function = entry.bind(context, &lua, &shortcuts, false)?;
        if entry.params.iter().any(|param| param.ty == Ty::Options) {
            host.raw_set(format!("{}_and_rest", entry.name), entry.bind(context, &lua, &shortcuts, true)?)?;
        }
        match (entry.name.strip_prefix("battle."), entry.run) {
            (_, Run::Prelude(_) | Run::Asks(_) | Run::Hooks(_)) => host.raw_set(entry.name, function)?,
            (Some(name), _) => battle.raw_set(name, function)?,
            (None, _) => environment.raw_set(entry.name, function)?,
        }
    }
    environment.raw_set("battle", battle)?;
    host.raw_set("facts", facts::tables(context, &lua)?)?;
    let hooks = lua.create_table()?;
    host.raw_set("hooks", &hooks)?;
    let stage = Stage::new(&lua, &hooks, &shortcuts.words)?;
    let _ = context.hooks.set(hooks);
    add_helpers(context, &lua, &host, &shortcuts)?;
    run_prelude(&lua, &host, &environment, &globals)?;
    let _ = context.options_of.set(host.raw_get("options_of")?);
    let _ = context.take_options.set(host.raw_get("take_options")?);
    add_constants(context, &lua, &environment)?;

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
    environment.set_metatable(Some(unknown_raises(&lua, "global", known)?))?;
    environment.set_readonly(true);
    environment.set_safeenv(true);
    // What modules name is looked up once, when they are loaded, and only among the machine's own globals.
    lua.set_globals(environment.clone())?;
    let _ = context.environment.set(environment);
    Ok((lua, stage))
}

/// The short way of a helper.
fn shortcut<F>(context: &Rc<Context>, shape: Shape, run: F) -> Shortcut<F> {
    Shortcut { context: context.clone(), shape, rests: false, run }
}

/// Helpers that only the prelude sees.
fn add_helpers(context: &Rc<Context>, lua: &Lua, host: &LuaTable, shortcuts: &Shortcuts) -> mlua::Result<()> {
    let no_way = lua.create_function(|_, ()| Err::<(), _>(Fault::runtime("the prelude has called it wrongly")))?;
    let leave = |c: &Context, given: &Given| {
        given.give_next(c.go_on()?);
        Ok(Outcome::Done)
    };
    host.raw_set("leave", shortcuts.function(lua, shortcut(context, Shape::Closed, leave), no_way.clone())?)?;
    let march = |c: &Context, _: &Given| Ok(Outcome::List(c.march.take()));
    host.raw_set("march", shortcuts.function(lua, shortcut(context, Shape::Closed, march), no_way.clone())?)?;
    let answered = |c: &Context, given: &Given| match args::value_of(c, given.arg(0)) {
        Some(Value::Int(answer)) => {
            given.give(Answer::Number(answer.into()));
            given.give_next(c.go_on()?);
            Ok(Outcome::Done)
        }
        _ => Ok(Outcome::LongWay),
    };
    let c = context.clone();
    let wrong = lua.create_function(move |_, result: LuaValue| Err::<(), _>(c.answered_wrongly(&result)))?;
    host.raw_set("answered", shortcuts.function(lua, shortcut(context, Shape::Closed, answered), wrong)?)?;
    let list = Shape::List(bindings::MOST_OPTIONS);
    let taking = |ends_listing: bool| {
        let c = context.clone();
        let refuse = lua.create_function(move |_, list: LuaValue| bindings::refuse_options(&c, &list))?;
        let take = move |c: &Context, given: &Given| {
            let takes = given.len() == 1 && given.arg(0) == Raw::Table && bindings::take_options(c, given.table)?;
            if takes && ends_listing {
                c.end_listing();
            }
            Ok(if takes { Outcome::Done } else { Outcome::LongWay })
        };
        shortcuts.function(lua, shortcut(context, list, take), refuse)
    };
    host.raw_set("take_options", taking(false)?)?;
    // A function that lists options may only look, from the one to the other.
    host.raw_set("listed", taking(true)?)?;
    let listing = |c: &Context, _: &Given| c.begin_listing().map(|()| Outcome::Done);
    host.raw_set("listing", shortcuts.function(lua, shortcut(context, Shape::Closed, listing), no_way)?)?;
    host.raw_set("nothing", Value::Nil.to_bits())?;
    // Scripts have no value of this type.
    host.raw_set("taken", LuaValue::NULL)?;
    let selves = lua.create_table()?;
    host.raw_set("selves", &selves)?;
    // A field that is missed costs no step. So what a hook costs is the same each time, although each `self` is made once in
    // the life of a machine.
    let c = context.clone();
    let make = move |lua: &Lua, (_, number): (LuaTable, u32)| {
        let this = c.self_at(lua, number)?;
        selves.raw_set(number, &*this)?;
        Ok((*this).clone())
    };
    let missed = lua.create_table()?;
    missed.set_metatable(Some(lua.create_table_from([("__index", lua.create_function(make)?)])?))?;
    host.raw_set("missed", missed)?;
    let c = context.clone();
    host.raw_set("mark", lua.create_function(move |_, ()| Ok(c.running.borrow().len()))?)?;
    let c = context.clone();
    let unwind = move |lua: &Lua, (depth, error): (usize, LuaValue)| {
        // An error is slow to raise: it carries the whole stack with it.
        let spent = charge(&c, lua, CAUGHT);
        if let Some(fault) = c.latch.borrow().clone() {
            return Err(mlua::Error::external(fault));
        }
        spent?;
        c.note_deeds(None);
        c.unwind(depth);
        let text = match &error {
            LuaValue::Error(error) => {
                let told = describe(error);
                if told.kind == ScriptErrorKind::Memory {
                    return Err(c.latched(ScriptErrorKind::Memory, told.message));
                }
                with_position(&told)
            }
            LuaValue::String(text) if text.as_bytes().starts_with(b"not enough memory") => {
                return Err(c.latched(ScriptErrorKind::Memory, TOO_MUCH_MEMORY.to_owned()));
            }
            other => return Ok(other.clone()),
        };
        lua.create_string(text).map(LuaValue::String)
    };
    host.raw_set("unwind", lua.create_function(unwind)?)?;
    let c = context.clone();
    host.raw_set(
        "charge",
        lua.create_function(move |lua, steps: f64| charge(&c, lua, steps.clamp(0.0, 1e12) as u64))?,
    )?;
    Ok(())
}

fn with_position(told: &Described) -> String {
    match (&told.file, told.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", told.message),
        _ => told.message.clone(),
    }
}

fn run_prelude(lua: &Lua, host: &LuaTable, api: &LuaTable, globals: &LuaTable) -> mlua::Result<()> {
    let raw = lua.create_table()?;
    raw.raw_set("pcall", globals.raw_get::<LuaValue>("pcall")?)?;
    raw.raw_set("yield", globals.raw_get::<LuaTable>("coroutine")?.raw_get::<LuaValue>("yield")?)?;
    for (library, names) in [("string", STRING), ("table", TABLE)] {
        let whole: LuaTable = globals.raw_get(library)?;
        let part = lua.create_table()?;
        for name in names {
            part.raw_set(*name, whole.raw_get::<LuaValue>(*name)?)?;
        }
        raw.raw_set(library, part)?;
    }
    raw.raw_set("pack", globals.raw_get::<LuaTable>("table")?.raw_get::<LuaValue>("pack")?)?;
    trusted(lua, include_str!("prelude.lua")).call::<()>((host, api, raw))
}

/// Lua code of our own.
fn trusted<'a>(lua: &'a Lua, text: impl AsChunk + 'a) -> Chunk<'a> {
    lua.load(text)
        .set_name(format!("={PRELUDE}"))
        .set_mode(ChunkMode::Text)
        .set_compiler(Compiler::new().set_optimization_level(2).set_debug_level(1))
}

/// The tables of names: `faction.`, `space.`, and so on.
fn add_constants(context: &Rc<Context>, lua: &Lua, environment: &LuaTable) -> mlua::Result<()> {
    type Named<'a> = Vec<(&'a String, Value)>;
    let c = &context.catalog;
    macro_rules! named {
        ($list:ident, $variant:ident, $id:ident) => {
            c.$list
                .iter()
                .enumerate()
                .map(|(at, spec)| (&spec.id, Value::$variant(principes_core::ids::$id::at(at))))
                .collect()
        };
    }
    let tables: [(&str, Named); 6] = [
        ("faction", named!(factions, Faction, FactionId)),
        ("space", named!(spaces, Space, SpaceId)),
        ("kind", named!(kinds, Kind, KindId)),
        ("zone", named!(zones, Zone, ZoneKindId)),
        ("counter", named!(counters, Counter, CounterId)),
        ("design", named!(designs, Design, DesignId)),
    ];
    for (name, entries) in tables {
        let table = lua.create_table_with_capacity(0, entries.len())?;
        let mut known = Vec::with_capacity(entries.len());
        for (id, value) in entries {
            let spelt = id.replace(['-', '.'], "_");
            table.raw_set(spelt.as_str(), value.to_bits())?;
            // A keyword may have been read from a card: `counter[track]` then spells the id as it is.
            table.raw_set(id.as_str(), value.to_bits())?;
            known.push(spelt);
        }
        table.set_metatable(Some(unknown_raises(lua, name, known)?))?;
        table.set_readonly(true);
        environment.raw_set(name, table)?;
    }
    Ok(())
}

/// A metatable that makes unknown names an error with a suggestion.
fn unknown_raises(lua: &Lua, what: &str, known: Vec<String>) -> mlua::Result<LuaTable> {
    let what = what.to_owned();
    let index = lua.create_function(move |_, (_, key): (LuaValue, LuaValue)| -> mlua::Result<LuaValue> {
        let LuaValue::String(name) = &key else {
            return Err(Fault::runtime(format!("a {what} is looked up by name, got {}", say(&key))));
        };
        let name = name.to_string_lossy();
        let hint = hint(&name, known.iter().map(String::as_str));
        Err(Fault::runtime(match what.as_str() {
            "global" => format!("unknown name `{name}`{hint}"),
            what => format!("no {what} is called `{name}`{hint}"),
        }))
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", index)?;
    meta.set_readonly(true);
    Ok(meta)
}

/// `tostring` without addresses; handles are written with their ids.
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

// Modules -------------------------------------------------------------------------------------------------------------

fn import(context: &Rc<Context>, lua: &Lua, name: LuaValue) -> mlua::Result<LuaTable> {
    let LuaValue::String(name) = &name else {
        return Err(Fault::runtime(format!("import: 1st argument must be the name of a module, got {}", say(&name))));
    };
    load(context, lua, &name.to_string_lossy())
}

/// The table of a module, loaded now where it is not yet. A module that imports one which is still loading gets a
/// stand-in that works once that is done.
fn load(context: &Rc<Context>, lua: &Lua, name: &str) -> mlua::Result<LuaTable> {
    let at = {
        let mut modules = context.modules.borrow_mut();
        match modules.get_mut(name) {
            None => {
                let hint = hint(name, modules.keys().map(String::as_str));
                return Err(Fault::runtime(format!("import: no module is called `{name}`{hint}")));
            }
            Some(Module::Loaded(table)) => return Ok(table.clone()),
            Some(Module::Failed) => return Err(Fault::echo(format!("import: module `{name}` has faults"))),
            Some(Module::Loading(Some(stand_in))) => return Ok(stand_in.clone()),
            Some(Module::Loading(none)) => {
                let stand_in = stand_in(lua, name)?;
                *none = Some(stand_in.clone());
                return Ok(stand_in);
            }
            Some(slot @ Module::Waiting(_)) => match std::mem::replace(slot, Module::Loading(None)) {
                Module::Waiting(at) => at,
                _ => return Err(Fault::runtime("import: the module is gone")),
            },
        }
    };
    let result = run_module(context, lua, &context.sources[at]);
    let mut modules = context.modules.borrow_mut();
    let state = match &result {
        Ok(table) => Module::Loaded(table.clone()),
        Err(_) => Module::Failed,
    };
    if let Some(Module::Loading(Some(stand_in))) = modules.insert(name.to_owned(), state)
        && let (Ok(table), Some(meta)) = (&result, stand_in.metatable())
    {
        meta.raw_set("__index", table)?;
        meta.set_readonly(true);
    }
    drop(modules);
    result.map_err(|error| {
        let told = describe(&error);
        if told.echo {
            return error;
        }
        let mut told = told;
        told.file.get_or_insert_with(|| context.sources[at].path.clone());
        context.load_faults.borrow_mut().push(told.into_error(None));
        Fault::echo(format!("import: module `{name}` has faults"))
    })
}

fn stand_in(lua: &Lua, name: &str) -> mlua::Result<LuaTable> {
    let name = name.to_owned();
    let early = lua.create_function(move |_, (_, key): (LuaValue, LuaValue)| -> mlua::Result<LuaValue> {
        let key = say(&key);
        Err(Fault::runtime(format!(
            "module `{name}` is still loading, because it imports this one: use {key} inside a function, not while modules load"
        )))
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", early)?;
    let stand_in = lua.create_table()?;
    stand_in.set_metatable(Some(meta))?;
    stand_in.set_readonly(true);
    Ok(stand_in)
}

fn run_module(context: &Rc<Context>, lua: &Lua, source: &ScriptSource) -> mlua::Result<LuaTable> {
    let environment = context.environment.get().ok_or_else(|| Fault::runtime("the machine is not ready"))?;
    context.refill();
    context.meter.begin(lua);
    let counts = context.counted.is_some();
    let compiler = Compiler::new()
        // Where a function is inlined its lines are not counted.
        .set_optimization_level(if counts { 1 } else { 2 })
        .set_debug_level(1)
        .set_coverage_level(if counts { 2 } else { 0 })
        .set_disabled_builtins(NOT_BUILT_IN.iter().copied());
    let load = |chunk: &[u8], mode: ChunkMode| {
        lua.load(chunk)
            .set_name(format!("@{}", source.path))
            .set_mode(mode)
            .set_environment(environment.clone())
            .set_compiler(compiler.clone())
            .into_function()
    };
    let known = source.compiled.of(&source.text, counts);
    let Some(text) = checked::guarded(context, environment, source)? else {
        return Err(Fault::echo(format!("module `{}` has faults", source.module)));
    };
    let chunk = match known {
        Some(code) => load(code, ChunkMode::Binary)?,
        None => match compiler.compile(&text) {
            Ok(code) => {
                let chunk = load(&code, ChunkMode::Binary)?;
                source.compiled.keep(&source.text, counts, code);
                chunk
            }
            // Too many variables, or too long a jump: the machine says so of the text.
            Err(_) => load(text.as_bytes(), ChunkMode::Text)?,
        },
    };
    if let Some(counted) = &context.counted {
        counted.borrow_mut().insert(source.module.clone(), chunk.clone());
    }
    let outer = context.kept.take();
    let result: mlua::Result<LuaValue> = chunk.call(());
    let kept = context.kept.replace(outer);
    match result? {
        LuaValue::Table(table) => {
            freeze(&table)?;
            for table in kept {
                freeze(&table)?;
            }
            Ok(table)
        }
        other => Err(Fault::runtime(format!(
            "a module must end with `return` and a table of functions, got {}",
            say(&other)
        ))),
    }
}

/// Makes a table and the tables in it read-only.
fn freeze(table: &LuaTable) -> mlua::Result<()> {
    let mut open = vec![table.clone()];
    while let Some(table) = open.pop() {
        if table.is_readonly() {
            continue;
        }
        table.set_readonly(true);
        for pair in table.pairs::<LuaValue, LuaValue>() {
            let (key, value) = pair?;
            open.extend([key, value].into_iter().filter_map(|part| match part {
                LuaValue::Table(inner) => Some(inner),
                _ => None,
            }));
        }
    }
    Ok(())
}

/// The function of every hook; what is missing is a fault.
fn find_hooks(context: &Context, faults: &mut Vec<ScriptError>) -> Vec<Function> {
    let modules = context.modules.borrow();
    let mut functions = Vec::with_capacity(context.catalog.hooks.len());
    for (at, hook) in context.catalog.hooks.iter().enumerate() {
        let file = context.sources.iter().find(|source| source.module == hook.module).map(|source| source.path.clone());
        let mut fault = |message: String| {
            faults.push(ScriptError {
                message,
                file: file.clone(),
                line: None,
                hook: Some(HookId::at(at)),
                kind: ScriptErrorKind::Runtime,
            });
        };
        match modules.get(&hook.module) {
            Some(Module::Loaded(table)) => match table.raw_get::<LuaValue>(hook.function.as_str()) {
                Ok(LuaValue::Function(function)) => functions.push(function),
                Ok(LuaValue::Nil) => {
                    let names: Vec<String> =
                        table.pairs::<String, LuaValue>().filter_map(|p| Some(p.ok()?.0)).collect();
                    let hint = hint(&hook.function, names.iter().map(String::as_str));
                    fault(format!("module `{}` has no function `{}`{hint}", hook.module, hook.function));
                }
                Ok(other) => {
                    fault(format!("`{}.{}` must be a function, got {}", hook.module, hook.function, say(&other)))
                }
                Err(error) => fault(describe(&error).message),
            },
            None => {
                let hint = hint(&hook.module, modules.keys().map(String::as_str));
                fault(format!("no module is called `{}`{hint}", hook.module));
            }
            // Reported where it failed.
            Some(_) => {}
        }
    }
    functions
}
