//! What is checked of a module's text before it runs.

use std::ops::Range;

use mlua::{Table as LuaTable, Value as LuaValue};
use principes_core::scripts::{ScriptError, ScriptErrorKind};

use crate::machine::names::{CONSTANTS, hint_from};
use crate::source::ScriptSource;
use crate::state::{Finding, Review, review};
use crate::suggest::Hint;

/// What stands before a table that a module makes while it loads, once the host has put it there.
pub const KEEP: &str = "__keep(";

/// What the text of a module shows.
pub struct Vetted {
    /// What is wrong with it.
    pub errors: Vec<ScriptError>,
    /// Bytes of the tables that it makes while it loads.
    pub tables: Vec<Range<usize>>,
}

/// Checks the text of a module, whose names must be in this environment.
pub fn vet(environment: &LuaTable, source: &ScriptSource) -> mlua::Result<Vetted> {
    let exists = |name: &str, field: Option<&str>| match (environment.raw_get::<LuaValue>(name), field) {
        _ if name == KEEP.trim_end_matches('(') => false,
        (Ok(LuaValue::Table(table)), Some(field)) => {
            table.raw_get::<LuaValue>(field).is_ok_and(|found| !found.is_nil())
        }
        (Ok(found), _) => !found.is_nil(),
        (Err(_), _) => false,
    };
    let Review { findings, tables } = review(&source.text, &exists);
    let mut errors = Vec::with_capacity(findings.len());
    for (line, finding) in &findings {
        let (message, hint) = told(environment, finding)?;
        errors.push(ScriptError {
            message: format!("{message}{hint}"),
            suggestion: hint.0,
            file: Some(source.path.clone()),
            line: Some(*line),
            trace: Vec::new(),
            hook: None,
            kind: ScriptErrorKind::Runtime,
        });
    }
    Ok(Vetted { errors, tables })
}

/// A finding in words, and what was probably meant.
fn told(environment: &LuaTable, finding: &Finding) -> mlua::Result<(String, Hint)> {
    let message = match finding {
        Finding::Kept(name) => format!(
            "`{name}` belongs to the module and is written inside a function: nothing may be kept between calls; keep it \
             in a counter or zone, or make it local to the function"
        ),
        Finding::Early(name) => format!(
            "{name} is called while the module loads: a module holds functions and constants; call it inside a function"
        ),
        Finding::Loop => "a loop with `in` goes through `pairs(…)`, `ipairs(…)` or `string.gmatch(…)`".to_owned(),
        Finding::Unknown(name, None) => return Ok((format!("unknown name `{name}`"), hint_from(environment, name)?)),
        Finding::Unknown(table, Some(name)) => {
            let hint = hint_from(&environment.raw_get::<LuaTable>(table.as_str())?, name)?;
            let message = match CONSTANTS.contains(&table.as_str()) {
                true => format!("no {table} is called `{name}`"),
                false => format!("there is no `{table}.{name}`"),
            };
            return Ok((message, hint));
        }
    };
    Ok((message, Hint::default()))
}
