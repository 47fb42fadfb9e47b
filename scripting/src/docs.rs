//! Generates documents from the API table: the reference, the editor stubs, the list for tools.

use std::fmt::Write as _;

use principes_core::ids::HandleType;
use principes_lua::constant_name;

use crate::api::chapters::entries;
use crate::api::entry::Entry;
use crate::machine::library::LIBRARY;
use crate::types::{Field, Param, Ret, Ty};

const INTRODUCTION: &str = "\
# Script API

This file is generated from the chapters in `scripting/src/api/`; `.ci/generate` writes it.

A script is a Lua file of a pack. It is written in Luau, but without types, `continue`, `const`, `+=`, `//`, strings in
backticks, and `if` as a value, so that editors for Lua 5.1 understand it. It returns a table of functions, which cards,
rules and phases name as their hooks. `import(\"court/cards\")` returns the table of another module; modules that import each
other may use one another inside functions. Nothing is kept between calls: globals, modules and constants are read-only.
All state is in counters, zones and pieces.

Factions, spaces, kinds, pieces, cards, designs, zones and counters are opaque handles. Constants name them:
`faction.`, `space.`, `kind.`, `zone.`, `counter.` and `design.`, with `_` for `-` and `.`. An unknown name is an error.
Keywords are strings, nobody is nil, lists start at 1. Lists are in id order unless their text says otherwise.

Query hooks are `function(self, value, owner, ...)` and return the new value. They may only read, and so may functions
that list options. Effect hooks are `function(self, owner, ...)`. `self` has the fields `id`, `card` and `owner`, and one
for every param. A function marked *acts* changes the game or asks for a decision. Calling it in code that may only read
is an error.

From the standard library, scripts can use `assert`, `error`, `ipairs`, `next`, `pairs`, `pcall`, `select`, `tonumber`,
`tostring`, `type`, `unpack`, and parts of `string`, `table` and `math`. Every call of a hook has a budget of steps, which
is the same on every machine. A call that examines spaces, pieces or cards costs one step for every 32 of them.
`string.format` writes finite numbers only, and `tonumber` reads decimal numerals and whole numbers after `0x`.

A loop visits a list or table directly: `for _, land in neighbors(space) do`. A list that was filled from 1 up, as
the API and `table.insert` do, is visited from 1 to its end; keywords and handles are visited in the same order
everywhere. A table or function cannot be a key. While a module loads, it may call `import`, the functions in `math`, and
those standard functions that take no callback and return no table. It may not call its own functions.
";

/// The reference as Markdown.
pub fn markdown() -> String {
    let mut out = INTRODUCTION.to_owned();
    let mut group = "";
    for entry in entries() {
        if entry.group != group {
            group = entry.group;
            let _ = write!(out, "\n## {group}\n");
        }
        let returns = if entry.returns.is_empty() { String::new() } else { format!(" -> {}", returns(entry)) };
        let acts = if entry.acts { " *acts*" } else { "" };
        let _ = write!(out, "\n### `{}{returns}`{acts}\n\n{}\n", entry.signature(), entry.doc);
        if !entry.params.is_empty() {
            out.push('\n');
        }
        for param in entry.params {
            let more = match (param.rest, param.optional) {
                (true, _) => "; up to four",
                (false, true) if param.written => " or nil",
                (false, true) => "; optional",
                (false, false) => "",
            };
            let _ = writeln!(out, "- `{}`: {}{more}", param.name, param.ty.wanted());
            if let Ty::Fields(list) = param.ty {
                fields(&mut out, list);
            }
        }
        let _ = write!(out, "\n```lua\n{}\n```\n", entry.example);
    }
    out
}

/// The names of packs for stubs: constants, and names that scripts write as strings.
#[derive(Clone, Debug, Default)]
pub struct PackNames {
    /// By table of constants (`faction`, `space`, …): ids and the classes of their values.
    pub constants: Vec<(&'static str, Vec<(String, &'static str)>)>,
    /// By alias ([`ALIASES`]): the existing names.
    pub aliases: Vec<(&'static str, Vec<String>)>,
    /// The `self` of the hooks of an entity: class, description, names of the params.
    pub selves: Vec<(String, String, Vec<String>)>,
    /// By function of the API: its results for certain arguments, as EmmyLua overloads.
    pub overloads: Vec<(&'static str, Vec<String>)>,
}

/// The kinds of names that scripts write as strings, with descriptions.
pub const ALIASES: [(&str, &str); 8] = [
    ("DecisionName", "A decision that a pack declares."),
    ("QueryPoint", "A query point."),
    ("EffectPoint", "An effect point."),
    ("MessageKey", "A message `log.<key>`."),
    ("OutcomeKey", "A message `outcome.<key>`."),
    ("PropName", "A prop of some entity."),
    ("StatName", "A stat of some kind of piece."),
    ("ParamName", "A param of some card."),
];

/// What counters can hold: the class in stubs, and the result of `get`.
pub const HOLDERS: [(&str, &str); 5] = [
    ("CounterOfNumber", "integer"),
    ("CounterOfSpace", "Space?"),
    ("CounterOfFaction", "Faction?"),
    ("CounterOfCard", "Card?"),
    ("CounterOfDesign", "Design?"),
];

/// The stubs for editors. Without the names of packs, any name is accepted.
pub fn lua_stub() -> String {
    stub(None)
}

/// The stubs for editors, with the names of packs.
pub fn pack_stub(names: &PackNames) -> String {
    stub(Some(names))
}

fn stub(names: Option<&PackNames>) -> String {
    let mut out = String::from("---@meta\n-- Generated from the script API; do not edit.\n\n");
    let _ = writeln!(out, "---@class Handle");
    // A keyword is a string.
    for of in HandleType::ALL.iter().filter(|of| **of != HandleType::Symbol) {
        let _ = writeln!(out, "---@class {}: Handle", of.class());
    }
    for (class, _) in HOLDERS {
        let _ = writeln!(out, "---@class {class}: Counter");
    }
    out.push_str("---@alias Seat Faction\n---@alias Side \"attacker\"|\"defender\"\n\n");
    for (alias, what) in ALIASES {
        let list = names.and_then(|names| names.aliases.iter().find(|(name, _)| *name == alias));
        let of = match list {
            // A string that is put together has the type `string`, and may be right.
            Some((_, list)) => list.iter().map(|name| format!("\"{name}\"|")).collect::<String>() + "string",
            None => "string".to_owned(),
        };
        let _ = write!(out, "--- {what}\n---@alias {alias} {of}\n\n");
    }
    for of in HandleType::ALL {
        let (name, class, Some(named)) = (of.word(), of.class(), of.named()) else { continue };
        let _ = writeln!(out, "--- The {named} of the packs.");
        match names.and_then(|names| names.constants.iter().find(|(table, _)| *table == name)) {
            Some((_, list)) => {
                let _ = writeln!(out, "---@class ConstantsOf{class}");
                for (id, class) in list {
                    let _ = writeln!(out, "---@field {} {class}", constant_name(id));
                }
                // A keyword that was read from an entity can be used as a key.
                let _ = write!(out, "---@field [string] {class}\n{name} = {{}}\n\n");
            }
            None => {
                let _ = write!(out, "---@type table<string, {class}>\n{name} = {{}}\n\n");
            }
        }
    }
    for (class, doc, params) in names.map(|names| names.selves.as_slice()).unwrap_or_default() {
        let _ = writeln!(
            out,
            "--- {doc}\n---@class {class}\n---@field id string\n---@field card Card\n---@field owner Seat?"
        );
        for param in params {
            match param.contains('-') {
                true => drop(writeln!(out, "---@field [\"{param}\"] integer")),
                false => drop(writeln!(out, "---@field {param} integer")),
            }
        }
        out.push('\n');
    }
    out.push_str(
        "--- The table of another module.\n---@param module string\n---@return table\nfunction import(module) end\n\n",
    );
    out.push_str("battle = {}\n");
    for entry in entries() {
        let _ = write!(out, "\n--- {}\n", entry.doc);
        if entry.returns.first().is_some_and(|result| result.ty == Ty::Held) {
            for (class, held) in HOLDERS {
                let _ = writeln!(out, "---@overload fun(counter: {class}, owner?: {}): {held}", Ty::Owner.stub());
            }
        }
        let overloads = names.map(|names| names.overloads.as_slice()).unwrap_or_default();
        for (_, lines) in overloads.iter().filter(|(name, _)| *name == entry.name) {
            for line in lines {
                let _ = writeln!(out, "---@overload {line}");
            }
        }
        stub_function(&mut out, entry.name, entry.params, entry.returns);
    }
    out.push_str("\n-- What Luau has beyond Lua 5.1.\n");
    for function in LIBRARY.iter().filter(|function| !function.classic) {
        out.push('\n');
        stub_function(&mut out, function.name, function.params, function.returns);
    }
    out
}

fn stub_function(out: &mut String, name: &str, params: &[Param], returns: &[Ret]) {
    let mut names = Vec::new();
    for param in params {
        let name = if param.rest { "..." } else { param.name };
        let mark = if param.optional && !param.written && !param.rest { "?" } else { "" };
        let or_nil = if param.optional && param.written { "|nil" } else { "" };
        // For editors, `/` and most of `math` return a number, whole or not.
        let _ = writeln!(out, "---@param {name}{mark} {}{or_nil}", param.ty.stub().replace("integer", "number"));
        names.push(name);
    }
    for result in returns {
        let _ = writeln!(out, "---@return {}", result.stub());
    }
    let _ = writeln!(out, "function {name}({}) end", names.join(", "));
}

/// The API as JSON, for tools.
pub fn json() -> String {
    let list: Vec<serde_json::Value> = entries()
        .map(|entry| {
            let params: Vec<serde_json::Value> = entry
                .params
                .iter()
                .map(|param| {
                    serde_json::json!({
                        "name": param.name, "type": param.ty.stub(), "optional": !param.written, "rest": param.rest,
                    })
                })
                .collect();
            serde_json::json!({
                "name": entry.name, "group": entry.group, "params": params, "returns": returns(entry),
                "acts": entry.acts, "doc": entry.doc, "example": entry.example,
            })
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&list).unwrap_or_default();
    text.push('\n');
    text
}

/// The results of a function, in the notation of editor stubs; empty if there are none.
fn returns(entry: &Entry) -> String {
    let list: Vec<String> = entry
        .returns
        .iter()
        .map(|result| match result.ty {
            Ty::Held => "integer or handle".to_owned(),
            Ty::Fields(_) => "table".to_owned(),
            _ => result.stub(),
        })
        .collect();
    list.join(", ")
}

/// The fields of a table parameter, for the reference.
fn fields(out: &mut String, fields: &[Field]) {
    for field in fields {
        let more = if field.optional { "" } else { "; required" };
        let _ = writeln!(out, "  - `{}`: {}: {}{more}", field.name, field.ty.wanted(), field.doc);
    }
}
