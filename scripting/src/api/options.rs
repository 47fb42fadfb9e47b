//! Lists of options in scripts.

use mlua::Value as LuaValue;
use principes_core::DecisionOption;
use principes_core::ids::{SymbolId, Value};

use crate::error::{ApiError, say};
use crate::host::context::Context;
use crate::host::values::{any, keyword, no_value, value_of};
use crate::machine::wire::Raw;

/// The most options of a decision. A board with a thousand spaces and four exits each has no more.
pub const MOST_OPTIONS: usize = 4096;

/// Takes the options that a script has listed. Returns false if one of them is wrong.
pub fn take_options(c: &Context, list: &[Raw]) -> mlua::Result<bool> {
    c.charge(list.len() as u64)?;
    let mut options = c.pending.options.borrow_mut();
    options.clear();
    options.reserve(list.len());
    let mut rest = list;
    while !rest.is_empty() {
        match option(c, rest, &mut options) {
            Some(after) if options.len() <= MOST_OPTIONS => rest = after,
            _ => return Ok(false),
        }
    }
    // Lists in options cost as much as if their options were written out.
    c.charge(options.len().saturating_sub(list.len()) as u64)?;
    Ok(true)
}

/// Takes the first option of a list. Returns the rest.
fn option<'a>(c: &Context, list: &'a [Raw], options: &mut Vec<DecisionOption>) -> Option<&'a [Raw]> {
    let (first, rest) = list.split_first()?;
    let option = match first {
        Raw::Nil => return None,
        Raw::List(size) => return with_verb(c, *size, rest, options),
        _ => match value_of(c, *first)? {
            Value::Symbol(verb) => DecisionOption::verb(verb, &[]),
            value => DecisionOption::value(value),
        },
    };
    options.push(option);
    Some(rest)
}

/// Takes an option with a verb and values. If a value is a list, each of its elements makes an option.
fn with_verb<'a>(c: &Context, size: usize, list: &'a [Raw], options: &mut Vec<DecisionOption>) -> Option<&'a [Raw]> {
    let (verb, mut rest) = list.split_first()?;
    let from = options.len();
    options.push(DecisionOption::verb(as_verb(value_of(c, *verb)?)?, &[]));
    for _ in 1..size {
        let (value, after) = rest.split_first()?;
        let (elements, after) = match value {
            Raw::List(length) => after.split_at_checked(*length)?,
            _ => (std::slice::from_ref(value), after),
        };
        rest = after;
        if let [value] = elements {
            let value = option_value(c, *value)?;
            options[from..].iter_mut().try_for_each(|option| option.args.push(value))?;
            continue;
        }
        let begun = options.len() - from;
        // After an empty list there are no options to extend, but the elements must still be valid.
        if begun == 0 {
            elements.iter().try_for_each(|value| option_value(c, *value).map(|_| ()))?;
        }
        for at in from..from + begun {
            for (which, value) in elements.iter().enumerate() {
                // The first round determines the value of an element.
                let value = match options.get(from + begun + which).filter(|_| at > from) {
                    Some(first) => *first.args.last()?,
                    None => option_value(c, *value)?,
                };
                let mut option = options[at];
                option.args.push(value)?;
                options.push(option);
            }
            if options.len() - begun > MOST_OPTIONS {
                return None;
            }
        }
        options.drain(from..from + begun);
    }
    Some(rest)
}

fn option_value(c: &Context, value: Raw) -> Option<Value> {
    value_of(c, value).filter(|value| *value != Value::Nil)
}

fn as_verb(value: Value) -> Option<SymbolId> {
    match value {
        Value::Symbol(verb) => Some(verb),
        _ => None,
    }
}

/// Raises the error in a list of options.
pub fn refuse_options(c: &Context, list: &LuaValue) -> mlua::Result<()> {
    let function = c.pending.listing.get();
    let LuaValue::Table(table) = list else {
        return Err(ApiError::raise(format!("{function}: the options must be a list, found {}", say(list))));
    };
    let too_many = |count: usize| {
        ApiError::raise(format!("{function}: a decision has up to {MOST_OPTIONS} options, found {count}"))
    };
    let length = table.raw_len();
    if length > MOST_OPTIONS {
        return Err(too_many(length));
    }
    let mut count = 0usize;
    for at in 1..=length {
        count = count.saturating_add(refuse_option(c, function, &table.raw_get(at)?)?);
    }
    if count > MOST_OPTIONS {
        return Err(too_many(count));
    }
    Err(ApiError::raise(format!("{function}: cannot read these options")))
}

/// Raises the error in an element of a list of options. If there is none, returns the number of options that it makes.
fn refuse_option(c: &Context, function: &str, option: &LuaValue) -> mlua::Result<usize> {
    match option {
        LuaValue::Nil => Err(ApiError::raise(format!("{function}: nil is not an option"))),
        LuaValue::Table(parts) => {
            let LuaValue::String(verb) = parts.raw_get(1)? else {
                return Err(ApiError::raise(format!(
                    "{function}: an option in a table starts with its verb: {{verb, a, b, c}}"
                )));
            };
            keyword(c, function, &verb)?;
            let length = parts.raw_len();
            if length > 5 {
                let values = length - 1;
                return Err(ApiError::raise(format!("{function}: an option has up to four values, found {values}")));
            }
            let refuse = |part: &LuaValue| match part {
                LuaValue::Nil => Err(no_value(function, "a value of an option", part)),
                part => any(c, function, "a value of an option", part).map(|_| ()),
            };
            let mut count = 1usize;
            for at in 2..=length {
                match parts.raw_get(at)? {
                    LuaValue::Table(several) => {
                        let many = several.raw_len();
                        c.charge(many as u64)?;
                        (1..=many.min(MOST_OPTIONS)).try_for_each(|at| refuse(&several.raw_get(at)?))?;
                        count = count.saturating_mul(many);
                    }
                    part => refuse(&part)?,
                }
            }
            Ok(count)
        }
        other => any(c, function, "an option", other).map(|_| 1),
    }
}
