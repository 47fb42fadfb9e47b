//! The parts of Lua's library for scripts: their types, and how they are added to a machine.

use mlua::chunk::{AsChunk, Chunk, ChunkMode, Compiler};
use mlua::{Lua, Table as LuaTable, Value as LuaValue};

use crate::error::PRELUDE;
use crate::types::{Param, Ret, Ty, gives, maybe, opt, p, rest};

/// A function of Lua's library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFunction {
    /// The name, with its table.
    pub name: &'static str,
    /// The parameters.
    pub params: &'static [Param],
    /// The results.
    pub returns: &'static [Ret],
    /// Whether Lua 5.1 has it. The others come from Luau.
    pub classic: bool,
}

const fn lua(name: &'static str, params: &'static [Param], returns: &'static [Ret]) -> LibraryFunction {
    LibraryFunction { name, params, returns, classic: true }
}
const fn luau(name: &'static str, params: &'static [Param], returns: &'static [Ret]) -> LibraryFunction {
    LibraryFunction { name, params, returns, classic: false }
}

const X: Param = p("x", Ty::Number);
const Y: Param = p("y", Ty::Number);
const MORE: Param = rest("more", Ty::Number);
const TEXT: Param = p("text", Ty::Text);
const PATTERN: Param = p("pattern", Ty::Text);
const LIST: Param = p("list", Ty::List(&Ty::Lua));
const NUMBER: Ret = gives(Ty::Number);
const ANY: Ret = gives(Ty::Lua);
const FOUND: Ret = maybe(Ty::Text);

/// All functions.
pub const LIBRARY: &[LibraryFunction] = &[
    lua("assert", &[p("condition", Ty::Lua), opt("message", Ty::Lua)], &[ANY]),
    lua("error", &[p("message", Ty::Lua), opt("level", Ty::Number)], &[]),
    lua("ipairs", &[p("list", Ty::Table)], &[gives(Ty::Function), ANY, ANY]),
    lua("next", &[p("table", Ty::Table), opt("key", Ty::Lua)], &[ANY, ANY]),
    lua("pairs", &[p("table", Ty::Table)], &[gives(Ty::Function), ANY, ANY]),
    lua("pcall", &[p("call", Ty::Function), rest("args", Ty::Lua)], &[gives(Ty::Bool), ANY, ANY, ANY]),
    lua("select", &[p("at", Ty::Lua), rest("args", Ty::Lua)], &[ANY, ANY, ANY]),
    lua("tonumber", &[p("value", Ty::Lua), opt("base", Ty::Number)], &[maybe(Ty::Number)]),
    lua("tostring", &[p("value", Ty::Lua)], &[gives(Ty::Text)]),
    lua("type", &[p("value", Ty::Lua)], &[gives(Ty::Text)]),
    lua("unpack", &[LIST, opt("from", Ty::Number), opt("to", Ty::Number)], &[ANY, ANY, ANY, ANY]),
    lua("math.abs", &[X], &[NUMBER]),
    lua("math.ceil", &[X], &[NUMBER]),
    luau("math.clamp", &[X, p("least", Ty::Number), p("most", Ty::Number)], &[NUMBER]),
    lua("math.floor", &[X], &[NUMBER]),
    lua("math.fmod", &[X, Y], &[NUMBER]),
    lua("math.max", &[X, Y, MORE], &[NUMBER]),
    lua("math.min", &[X, Y, MORE], &[NUMBER]),
    lua("math.modf", &[X], &[NUMBER, NUMBER]),
    luau("math.round", &[X], &[NUMBER]),
    luau("math.sign", &[X], &[NUMBER]),
    lua("string.byte", &[TEXT, opt("from", Ty::Number), opt("to", Ty::Number)], &[maybe(Ty::Number)]),
    lua("string.char", &[rest("codes", Ty::Number)], &[gives(Ty::Text)]),
    lua(
        "string.find",
        &[TEXT, PATTERN, opt("from", Ty::Number), opt("plain", Ty::Bool)],
        &[maybe(Ty::Number), maybe(Ty::Number), FOUND],
    ),
    lua("string.format", &[PATTERN, rest("values", Ty::Lua)], &[gives(Ty::Text)]),
    lua("string.gmatch", &[TEXT, PATTERN], &[gives(Ty::Function)]),
    lua("string.gsub", &[TEXT, PATTERN, p("by", Ty::Lua), opt("most", Ty::Number)], &[gives(Ty::Text), NUMBER]),
    lua("string.len", &[TEXT], &[NUMBER]),
    lua("string.lower", &[TEXT], &[gives(Ty::Text)]),
    lua("string.match", &[TEXT, PATTERN, opt("from", Ty::Number)], &[FOUND, FOUND, FOUND]),
    lua("string.rep", &[TEXT, p("times", Ty::Number)], &[gives(Ty::Text)]),
    lua("string.reverse", &[TEXT], &[gives(Ty::Text)]),
    luau("string.split", &[TEXT, opt("separator", Ty::Text)], &[gives(Ty::List(&Ty::Text))]),
    lua("string.sub", &[TEXT, p("from", Ty::Number), opt("to", Ty::Number)], &[gives(Ty::Text)]),
    lua("string.upper", &[TEXT], &[gives(Ty::Text)]),
    lua(
        "table.concat",
        &[LIST, opt("separator", Ty::Text), opt("from", Ty::Number), opt("to", Ty::Number)],
        &[gives(Ty::Text)],
    ),
    luau("table.find", &[LIST, p("value", Ty::Lua), opt("from", Ty::Number)], &[maybe(Ty::Number)]),
    lua("table.insert", &[LIST, p("at_or_value", Ty::Lua), opt("value", Ty::Lua)], &[]),
    luau("table.pack", &[rest("values", Ty::Lua)], &[gives(Ty::Table)]),
    lua("table.remove", &[LIST, opt("at", Ty::Number)], &[ANY]),
    lua("table.sort", &[LIST, opt("before", Ty::Function)], &[]),
    luau("table.unpack", &[LIST, opt("from", Ty::Number), opt("to", Ty::Number)], &[ANY, ANY, ANY, ANY]),
];

/// Library functions that scripts may use unchanged. Everything else in Luau is left out.
const BASE: &[&str] = &["assert", "error", "ipairs", "next", "pairs", "select", "type"];
const MATH: &[&str] = &["abs", "ceil", "clamp", "floor", "fmod", "huge", "max", "min", "modf", "round", "sign"];
/// The functions that `library.lua` wraps.
const STRING: &[&str] = &[
    "byte", "char", "len", "sub", "lower", "upper", "reverse", "split", "find", "match", "gmatch", "gsub", "rep",
    "format",
];
const TABLE: &[&str] = &["pack", "create", "insert", "remove", "concat", "sort", "unpack", "find"];

/// Functions that the compiler must not call directly, past the environment, because scripts do not have them or have
/// another version.
pub const NOT_BUILT_IN: &[&str] = &[
    "tostring",
    "tonumber",
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

/// Adds the pure and bounded parts of Luau's library to the environment of scripts, unchanged.
pub fn add_pure_parts(lua: &Lua, environment: &LuaTable) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in BASE {
        environment.raw_set(*name, globals.raw_get::<LuaValue>(*name)?)?;
    }
    environment.raw_set("math", part(lua, "math", MATH)?)
}

/// Adds the rest, wrapped by `library.lua`. `host` must have the functions from `add_guards`.
pub fn add_bounded_parts(lua: &Lua, host: &LuaTable, environment: &LuaTable) -> mlua::Result<()> {
    let raw = lua.create_table()?;
    raw.raw_set("pcall", lua.globals().raw_get::<LuaValue>("pcall")?)?;
    raw.raw_set("string", part(lua, "string", STRING)?)?;
    raw.raw_set("table", part(lua, "table", TABLE)?)?;
    trusted(lua, include_str!("library.lua")).call::<()>((host, environment, raw))
}

/// Some functions of a library.
fn part(lua: &Lua, library: &str, names: &[&str]) -> mlua::Result<LuaTable> {
    let whole: LuaTable = lua.globals().raw_get(library)?;
    let part = lua.create_table()?;
    for name in names {
        part.raw_set(*name, whole.raw_get::<LuaValue>(*name)?)?;
    }
    Ok(part)
}

/// Compiles our own Lua code.
pub fn trusted<'a>(lua: &'a Lua, text: impl AsChunk + 'a) -> Chunk<'a> {
    lua.load(text)
        .set_name(format!("={PRELUDE}"))
        .set_mode(ChunkMode::Text)
        .set_compiler(Compiler::new().set_optimization_level(2).set_debug_level(1))
}
