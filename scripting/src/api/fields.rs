//! Tables of named fields, as arguments.

use mlua::{Table as LuaTable, Value as LuaValue};
use principes_core::ids::{FactionId, KindId, Value};

use crate::api::args::Args;
use crate::error::{ApiError, say};
use crate::host::context::Context;
use crate::host::values::{number, shown};
use crate::suggest::hint;
use crate::types::{Field, Ty};

/// The field that a key of a table names. Unknown names are an error.
fn field_named<'k>(a: &Args, known: &'k [Field], key: &LuaValue) -> mlua::Result<&'k Field> {
    let LuaValue::String(name) = key else {
        return Err(a.refuse(format!("field names must be strings, found {}", say(key))));
    };
    let name = name.as_bytes();
    known.iter().find(|field| field.name.as_bytes() == &*name).ok_or_else(|| {
        let name = String::from_utf8_lossy(&name);
        let hint = hint(&name, known.iter().map(|field| field.name));
        ApiError::raise_with(format_args!("{}: unknown field `{name}`", a.function), hint)
    })
}

/// Raises the error in a table of fields.
pub fn refuse_fields(c: &Context, a: &Args, known: &[Field]) -> mlua::Result<()> {
    a.table(0)?.for_each(|key: LuaValue, value: LuaValue| a.refuse_field(c, field_named(a, known, &key)?, &value))
}

/// Reads the fields of a table argument.
pub fn fields(
    c: &Context,
    a: &Args,
    table: &LuaTable,
    known: &[Field],
    mut take: impl FnMut(&str, &LuaValue) -> mlua::Result<()>,
) -> mlua::Result<()> {
    table.for_each(|key: LuaValue, value: LuaValue| {
        let Field { name, ty, .. } = field_named(a, known, &key)?;
        let given = match (ty, &value) {
            (Ty::Any, _) => true,
            (Ty::Bool, LuaValue::Boolean(_)) => true,
            (Ty::List(_) | Ty::Map(..), LuaValue::Table(_)) => true,
            (Ty::Handle(of), v) => number(c, v).and_then(Value::handle_type) == Some(*of),
            (Ty::Seat, v) => matches!(number(c, v), Some(Value::Faction(f)) if f.index() < c.catalog.playable),
            _ => false,
        };
        if !given {
            let got = number(c, &value).map_or_else(|| say(&value), |found| shown(c, found));
            return Err(a.refuse(format!("field `{name}` must be {}, found {got}", ty.wanted())));
        }
        take(name, &value)
    })
}

/// The faction in a value.
pub fn as_faction(c: &Context, value: &LuaValue) -> Option<FactionId> {
    match number(c, value) {
        Some(Value::Faction(id)) => Some(id),
        _ => None,
    }
}
/// The kind in a value.
pub fn as_kind(c: &Context, value: &LuaValue) -> Option<KindId> {
    match number(c, value) {
        Some(Value::Kind(id)) => Some(id),
        _ => None,
    }
}

/// The handles of a type in a list.
pub fn handles<T>(
    c: &Context,
    a: &Args,
    field: &str,
    list: &LuaValue,
    pick: impl Fn(Value) -> Option<T>,
) -> mlua::Result<Vec<T>> {
    let LuaValue::Table(list) = list else { return Ok(Vec::new()) };
    let length = list.raw_len();
    c.charge(length as u64)?;
    let mut found = Vec::with_capacity(length);
    for at in 1..=length {
        let value = list.raw_get::<LuaValue>(at)?;
        let handle = number(c, &value).and_then(&pick);
        found.push(handle.ok_or_else(|| {
            let got = number(c, &value).map_or_else(|| say(&value), |found| shown(c, found));
            a.refuse(format!("field `{field}` cannot contain {got}"))
        })?);
    }
    Ok(found)
}
