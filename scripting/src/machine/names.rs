//! The tables of names for scripts (`faction.`, `space.`, …), and the errors for names that do not exist.

use mlua::{Lua, Table as LuaTable, Value as LuaValue};
use principes_core::catalog::Catalog;
use principes_core::ids::{self, Value};

use crate::error::{ApiError, say};
use crate::suggest::{Hint, hint};

/// The tables of names.
pub const CONSTANTS: [&str; 6] = ["faction", "space", "kind", "zone", "counter", "design"];

/// Adds the tables of names: `faction.`, `space.`, and so on.
pub fn add_constants(catalog: &Catalog, lua: &Lua, environment: &LuaTable) -> mlua::Result<()> {
    type Named<'a> = Vec<(&'a String, Value)>;
    let c = catalog;
    macro_rules! named {
        ($list:ident, $variant:ident, $id:ident) => {
            c.$list.iter().enumerate().map(|(at, spec)| (&spec.id, Value::$variant(ids::$id::at(at)))).collect()
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
            let spelled = id.replace(['-', '.'], "_");
            table.raw_set(spelled.as_str(), value.to_bits())?;
            // A keyword may have been read from a card, so `counter[track]` must work with the id as written.
            table.raw_set(id.as_str(), value.to_bits())?;
            known.push(spelled);
        }
        table.set_metatable(Some(unknown_raises(lua, name, known)?))?;
        table.set_readonly(true);
        environment.raw_set(name, table)?;
    }
    Ok(())
}

/// A metatable that makes an unknown name an error with a suggestion.
pub fn unknown_raises(lua: &Lua, what: &str, known: Vec<String>) -> mlua::Result<LuaTable> {
    let what = what.to_owned();
    let index = lua.create_function(move |_, (_, key): (LuaValue, LuaValue)| -> mlua::Result<LuaValue> {
        let LuaValue::String(name) = &key else {
            return Err(ApiError::raise(format!("a {what} is looked up by name, found {}", say(&key))));
        };
        let name = name.to_string_lossy();
        let hint = hint(&name, known.iter().map(String::as_str));
        let message = match what.as_str() {
            "global" => format!("unknown name `{name}`"),
            what => format!("unknown {what} `{name}`"),
        };
        Err(ApiError::raise_with(message, hint))
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", index)?;
    meta.set_readonly(true);
    Ok(meta)
}

/// A suggestion from the names in a table.
pub fn hint_from(table: &LuaTable, name: &str) -> mlua::Result<Hint> {
    let known: Vec<String> = table.pairs::<String, LuaValue>().map(|pair| Ok(pair?.0)).collect::<mlua::Result<_>>()?;
    // Names with two underscores belong to the host.
    Ok(hint(name, known.iter().map(String::as_str).filter(|name| !name.starts_with("__"))))
}
