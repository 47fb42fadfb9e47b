//! Everything that is generated from the API table: the reference, the editor stub, the machine-readable list.

use std::fmt::Write as _;

use crate::api::{Entry, entries};

/// The constants tables: name, class of their values, what they hold.
const CONSTANTS: [(&str, &str, &str); 6] = [
    ("faction", "Faction", "factions"),
    ("space", "Space", "spaces"),
    ("kind", "Kind", "kinds of pieces"),
    ("zone", "Zone", "zones"),
    ("counter", "Counter", "counters"),
    ("design", "Design", "card designs"),
];

const INTRODUCTION: &str = "\
# Script API

This file is generated from the table in `scripting/src/bindings.rs`; `UPDATE_DOCS=1 cargo test -p principes-scripting`
writes it anew.

A script is a Lua 5.1 file under `scripts/`. It returns a table of functions, which cards, rules and phases name as their
hooks. `import(\"cards/court\")` gives the table of another module; modules that import each other may use one another
inside functions. Nothing is kept between calls: globals, modules and constants are read-only, and all state lies in
counters, zones and pieces.

Factions, spaces, kinds, pieces, cards, designs, zones and counters are opaque handles. Constants name them:
`faction.`, `space.`, `kind.`, `zone.`, `counter.` and `design.`, with `_` for `-` and `.`. An unknown name is an error.
Keywords are strings, nobody is nil, lists begin at 1 and are in id order unless said otherwise.

Query hooks are `function(self, value, owner, ...)` and return the new value; they and functions that list options may
only look. Effect hooks are `function(self, owner, ...)`. `self` has the `id`, the `card` and `owner`, and every
parameter as a field. A function marked *acts* changes the game or asks, and is an error where only looking is allowed.

Of the standard library there are `assert error import ipairs next pairs pcall select tonumber tostring type unpack`, and
parts of `string`, `table` and `math`. Every call of a hook has a budget of steps, which is the same on every machine.

`pairs` goes through keywords and handles in the same order everywhere, but through tables and functions used as keys in
an order of the machine: do not use them as keys where order matters.
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
        let returns = if entry.returns.is_empty() { String::new() } else { format!(" -> {}", entry.returns) };
        let acts = if entry.acts { " *acts*" } else { "" };
        let _ = write!(out, "\n### `{}{returns}`{acts}\n\n{}\n", entry.signature(), entry.doc);
        if !entry.params.is_empty() {
            out.push('\n');
        }
        for param in entry.params {
            let more = match (param.rest, param.optional) {
                (true, _) => "; up to four",
                (false, true) => "; may be left out",
                (false, false) => "",
            };
            let _ = writeln!(out, "- `{}`: {}{more}", param.name, param.ty.wanted());
        }
        let _ = write!(out, "\n```lua\n{}\n```\n", entry.example);
    }
    out
}

/// The stub for editors and the EmmyLua analyser.
pub fn lua_stub() -> String {
    let mut out = String::from("---@meta\n-- Generated from the script API; do not edit.\n\n");
    for class in ["Handle", "Faction: Handle", "Space: Handle", "Kind: Handle", "Piece: Handle", "Card: Handle"] {
        let _ = writeln!(out, "---@class {class}");
    }
    for class in ["Design: Handle", "Zone: Handle", "Counter: Handle", "Rule: Handle"] {
        let _ = writeln!(out, "---@class {class}");
    }
    out.push_str("---@alias Seat Faction\n\n");
    for (name, class, what) in CONSTANTS {
        let _ = write!(out, "--- The {what} of the packs.\n---@type table<string, {class}>\n{name} = {{}}\n\n");
    }
    out.push_str(
        "--- The table of another module.\n---@param module string\n---@return table\nfunction import(module) end\n\n",
    );
    out.push_str("battle = {}\n");
    for entry in entries() {
        stub_entry(&mut out, entry);
    }
    out
}

fn stub_entry(out: &mut String, entry: &Entry) {
    let _ = write!(out, "\n--- {}\n", entry.doc);
    let mut names = Vec::new();
    for param in entry.params {
        let name = match (param.rest, param.name) {
            (true, _) => "...",
            (_, name) => name,
        };
        let mark = if param.optional && !param.rest { "?" } else { "" };
        let _ = writeln!(out, "---@param {name}{mark} {}", param.ty.stub());
        names.push(name);
    }
    if !entry.returns.is_empty() {
        let _ = writeln!(out, "---@return {}", entry.returns);
    }
    let _ = writeln!(out, "function {}({}) end", entry.name, names.join(", "));
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
                        "name": param.name, "type": param.ty.stub(), "optional": param.optional, "rest": param.rest,
                    })
                })
                .collect();
            serde_json::json!({
                "name": entry.name, "group": entry.group, "params": params, "returns": entry.returns,
                "acts": entry.acts, "doc": entry.doc, "example": entry.example,
            })
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&list).unwrap_or_default();
    text.push('\n');
    text
}
