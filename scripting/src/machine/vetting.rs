//! Checks the text of a module before it runs, and inserts checks for its run time.

use std::cell::RefCell;

use mlua::{Table as LuaTable, Value as LuaValue};
use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_lua::{Guards, LONGEST_NUMERAL, LONGEST_TEXT, Reason, ReviewError, SyntaxError, parse, review};

use crate::machine::names::{constants, hint_from};
use crate::source::{ScriptSource, UsedNames};
use crate::suggest::Hint;

/// The checks that are inserted before a table that a module makes while it loads, before keys that could be addresses,
/// before values that could be large, and before the limit of a loop; and the host's powers.
pub const GUARDS: Guards = Guards {
    table: "__keep",
    key: "__key",
    text: "__text",
    walk: "__walk",
    values: "__values",
    turns: "__turns",
    power: "__power",
};

/// The most errors of one module that are reported.
const MOST_ERRORS: usize = 200;
/// The most errors of all modules whose names are compared with every other name.
const MOST_COMPARED: usize = 100;

/// Whether all names of a text exist in this environment, too.
pub fn all_exist(names: &UsedNames, environment: &LuaTable) -> bool {
    names.iter().all(|(name, field)| exists(environment, name, field.as_deref()))
}

fn exists(environment: &LuaTable, name: &str, field: Option<&str>) -> bool {
    match (environment.raw_get::<LuaValue>(name), field) {
        _ if name.starts_with("__") => false,
        (Ok(LuaValue::Table(table)), Some(field)) => {
            table.raw_get::<LuaValue>(field).is_ok_and(|found| !found.is_nil())
        }
        (Ok(found), _) => !found.is_nil(),
        (Err(_), _) => false,
    }
}

/// The result of checking the text of a module.
pub enum Vetted {
    /// The text to compile, and the names that it uses.
    Text(String, UsedNames),
    /// What is wrong with it.
    Errors(Vec<ScriptError>),
}

/// Checks the text of a module, whose names must be in this environment. `told` is the number of errors in other
/// modules.
pub fn vet(environment: &LuaTable, source: &ScriptSource, told: usize) -> mlua::Result<Vetted> {
    let parsed = parse(&source.text);
    if !parsed.errors.is_empty() {
        let errors = parsed.errors.iter().take(MOST_ERRORS).map(|error| syntax_error(source, error));
        return Ok(Vetted::Errors(errors.collect()));
    }
    let used = RefCell::new(UsedNames::default());
    let review = review(&source.text, &parsed.chunk, &|name, field| {
        used.borrow_mut().insert((name.to_owned(), field.map(str::to_owned)));
        exists(environment, name, field)
    });
    if review.errors.is_empty() {
        return Ok(Vetted::Text(review.guarded(&source.text, GUARDS), used.into_inner()));
    }
    let first = review.errors.iter().take(MOST_ERRORS).zip(told..);
    first
        .map(|(error, at)| script_error(environment, source, error, at < MOST_COMPARED))
        .collect::<mlua::Result<_>>()
        .map(Vetted::Errors)
}

fn error(source: &ScriptSource, at: usize, message: String) -> ScriptError {
    let before = source.text.get(..at).unwrap_or_default();
    ScriptError {
        message,
        suggestion: None,
        file: Some(source.path.clone()),
        line: u32::try_from(before.matches('\n').count() + 1).ok(),
        trace: Vec::new(),
        hook: None,
        kind: ScriptErrorKind::Runtime,
        steps: 0,
    }
}

fn syntax_error(source: &ScriptSource, wrong: &SyntaxError) -> ScriptError {
    let help = wrong.help().map_or_else(String::new, |help| format!("; {help}"));
    let suggestion = wrong.fix.as_ref().map(|fix| fix.with.clone());
    ScriptError { suggestion, ..error(source, wrong.span.start, format!("{wrong}{help}")) }
}

fn script_error(
    environment: &LuaTable,
    source: &ScriptSource,
    refused: &ReviewError,
    compares: bool,
) -> mlua::Result<ScriptError> {
    let (message, hint) = wording(environment, &refused.why, compares)?;
    Ok(ScriptError { suggestion: hint.0.clone(), ..error(source, refused.span.start, format!("{message}{hint}")) })
}

/// An error in words, and the name that was probably meant.
fn wording(environment: &LuaTable, why: &Reason, compares: bool) -> mlua::Result<(String, Hint)> {
    let hint_from = |table: &LuaTable, name: &str| if compares { hint_from(table, name) } else { Ok(Hint::default()) };
    let message = match why {
        Reason::Kept(name) => format!(
            "`{name}` belongs to the module, so a function cannot write it: nothing is kept between calls; keep it \
             in a counter or zone, or make it local to the function"
        ),
        Reason::Early(name) => {
            let name = name.as_ref().map_or_else(|| "a function".to_owned(), |name| format!("`{name}`"));
            format!(
                "{name} is called while the module loads: a module holds functions and constants; call it inside a function"
            )
        }
        Reason::Loop => "a loop with `in` takes one list, table or call".to_owned(),
        Reason::Reserved(name) => format!("`{name}` starts with two underscores; such names are reserved"),
        Reason::Long => format!(
            "strings may have up to {LONGEST_TEXT} characters here, up to {LONGEST_NUMERAL} of them in a number at the \
             beginning"
        ),
        Reason::Beyond(extension) => format!("scripts cannot use {extension}; {}", extension.instead()),
        Reason::Unknown(name) => return Ok((format!("unknown name `{name}`"), hint_from(environment, name)?)),
        Reason::UnknownField { table, field } => {
            let hint = hint_from(&environment.raw_get::<LuaTable>(table.as_str())?, field)?;
            let message = match constants().any(|of| of.word() == table) {
                true => format!("unknown {table} `{field}`"),
                false => format!("unknown name `{table}.{field}`"),
            };
            return Ok((message, hint));
        }
    };
    Ok((message, Hint::default()))
}
