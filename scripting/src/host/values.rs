//! Conversion of values between Lua and the kernel, one check for each direction, and values in messages.

use mlua::{LuaString, Value as LuaValue};
use principes_core::ids::*;

use crate::error::{ApiError, say};
use crate::host::context::Context;
use crate::machine::wire::Raw;
use crate::suggest::hint;

/// The handle, whole number or keyword in an argument.
#[inline]
pub fn value_of(context: &Context, value: Raw) -> Option<Value> {
    match value {
        Raw::Nil => Some(Value::Nil),
        Raw::Truth(truth) => Some(Value::Int(i32::from(truth))),
        Raw::Number(number) => numbered(context, number),
        Raw::Text(address) => context.spelling.get()?.symbol(address).map(Value::Symbol),
        Raw::Table | Raw::List(_) | Raw::Light | Raw::Other => None,
    }
}

/// The handle or whole number in a Lua number.
#[inline]
fn numbered(context: &Context, number: f64) -> Option<Value> {
    handle(context, whole_bits(number)?)
}

/// A number without a fraction, if it fits into 32 bits.
#[inline]
pub fn whole_bits(number: f64) -> Option<i32> {
    // After adding this number, the last bits of the sum are the whole number. (A cast would first check for numbers
    // that are too large.)
    const ONES: f64 = (3u64 << 51) as f64;
    let bits = (number + ONES).to_bits() as i32;
    (f64::from(bits) == number).then_some(bits)
}

/// The keyword of a Lua string.
pub fn keyword(context: &Context, function: &str, text: &LuaString) -> mlua::Result<SymbolId> {
    context.symbol(text).ok_or_else(|| {
        let name = text.to_string_lossy();
        let hint = hint(&name, context.catalog.symbols.iter());
        ApiError::raise_with(format_args!("{function}: unknown keyword \"{name}\""), hint)
    })
}

/// The handle or whole number in a Lua number or boolean; `None` for handles that do not exist.
pub fn number(context: &Context, value: &LuaValue) -> Option<Value> {
    match value {
        LuaValue::Integer(bits) => handle(context, i32::try_from(*bits).ok()?),
        value => whole(value).map(Value::Int),
    }
}

/// The handle or whole number in an integer; `None` for handles that do not exist.
#[inline]
fn handle(context: &Context, bits: i32) -> Option<Value> {
    let Some((family, index)) = Value::handle_parts(bits) else { return Some(Value::Int(bits)) };
    if u32::from(index) < context.extents[family] { Value::from_bits(bits) } else { None }
}

/// Any value that options, arguments and messages can have.
pub fn any(context: &Context, function: &str, what: &str, value: &LuaValue) -> mlua::Result<Value> {
    match value {
        LuaValue::Nil => Ok(Value::Nil),
        LuaValue::String(text) => keyword(context, function, text).map(Value::Symbol),
        other => number(context, other).ok_or_else(|| no_value(function, what, other)),
    }
}

/// The error if something is not such a value.
pub fn no_value(function: &str, what: &str, got: &LuaValue) -> mlua::Error {
    ApiError::raise(format!("{function}: {what} must be a handle, a whole number or a keyword, found {}", say(got)))
}

/// A value in an error message: ``the space `hill` ``.
pub fn shown(context: &Context, value: Value) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::Int(n) => format!("the number {n}"),
        other => {
            let kind = other.type_name();
            let kind = kind.strip_prefix("a ").or_else(|| kind.strip_prefix("an ")).unwrap_or(kind);
            format!("the {kind} `{}`", context.catalog.id_of(other))
        }
    }
}

/// A Lua value as a whole number. Booleans count as 1 and 0.
pub fn whole(value: &LuaValue) -> Option<i32> {
    match value {
        // `-x` can be minus zero, which is not an integer for mlua.
        LuaValue::Number(0.0) => Some(0),
        // Lower numbers are handles.
        LuaValue::Integer(n) => i32::try_from(*n).ok().filter(|n| *n >= Value::LEAST),
        LuaValue::Boolean(b) => Some(i32::from(*b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_32_bits_are_recognized() {
        for whole in [0, 1, -1, 65_535, i32::MAX, i32::MIN, i32::MIN + 1, Value::LEAST, Value::Nil.to_bits()] {
            assert_eq!(whole_bits(f64::from(whole)), Some(whole));
        }
        assert_eq!(whole_bits(-0.0), Some(0));
        let two_to_the_31 = f64::from(i32::MAX) + 1.0;
        let no_such = [0.5, -0.5, 1e-300, two_to_the_31, -two_to_the_31 - 1.0, 2.0 * two_to_the_31, 1e18, -1e300];
        for number in no_such.into_iter().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN]) {
            assert_eq!(whole_bits(number), None, "{number}");
        }
    }
}
