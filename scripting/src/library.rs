//! The parts of Lua's own library that scripts have, with their types.

use crate::types::{Param, Ret, Ty, gives, maybe, opt, p, rest};

/// A function of Lua's library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFunction {
    /// Its name, with its table.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it returns.
    pub returns: &'static [Ret],
    /// Whether Lua 5.1 has it; the others come from Luau.
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

/// All of them.
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
