//! The tables of names for scripts (`faction.`, `space.`, …), and the errors for names that do not exist.

use mlua::{Lua, Table as LuaTable, Value as LuaValue};
use principes_core::catalog::Catalog;
use principes_core::ids::HandleType;
use principes_lua::constant_name;

use crate::error::{ApiError, say};
use crate::suggest::{Hint, hint};

/// The types of handles with a table of names: `faction.`, `space.`, and so on.
pub fn constants() -> impl Iterator<Item = HandleType> {
    HandleType::ALL.iter().copied().filter(|of| of.named().is_some())
}

/// Adds the tables of names.
pub fn add_constants(catalog: &Catalog, lua: &Lua, environment: &LuaTable) -> mlua::Result<()> {
    for of in constants() {
        let ids = catalog.ids(of);
        let table = lua.create_table_with_capacity(0, ids.len())?;
        let mut known = Vec::with_capacity(ids.len());
        for (at, id) in ids.into_iter().enumerate() {
            let bits = of.value(at).to_bits();
            let spelled = constant_name(id);
            table.raw_set(spelled.as_str(), bits)?;
            // A keyword may have been read from a card, so `counter[track]` must work with the id as written.
            table.raw_set(id, bits)?;
            known.push(spelled);
        }
        table.set_metatable(Some(unknown_raises(lua, of.word(), known)?))?;
        table.set_readonly(true);
        environment.raw_set(of.word(), table)?;
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
