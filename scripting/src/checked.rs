//! The text of a module before it is compiled: what is refused, and what the host looks at while it runs.

use mlua::{Table as LuaTable, Value as LuaValue};
use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_lua::{Guards, Reason, Review, parse, review};

use crate::context::{Context, ScriptSource};
use crate::names::hint;

/// What stands before a table that a module makes while it loads, and before keys that could lie by an address.
pub const GUARDS: Guards = Guards { table: "__keep", key: "__key" };

/// The tables of names.
const CONSTANTS: [&str; 6] = ["faction", "space", "kind", "zone", "counter", "design"];

/// The text that is compiled for a module, or nothing where something is wrong with it, which is noted.
pub fn guarded(context: &Context, environment: &LuaTable, source: &ScriptSource) -> mlua::Result<Option<String>> {
    let note = |at: usize, message: String| {
        let before = source.text.get(..at).unwrap_or_default();
        let line = u32::try_from(before.matches('\n').count() + 1).ok();
        let fault =
            ScriptError { message, file: Some(source.path.clone()), line, hook: None, kind: ScriptErrorKind::Runtime };
        context.load_faults.borrow_mut().push(fault);
    };
    let parsed = parse(&source.text);
    for error in &parsed.errors {
        let help = error.help().map_or_else(String::new, |help| format!("; {help}"));
        note(error.span.start, format!("{error}{help}"));
    }
    if !parsed.errors.is_empty() {
        return Ok(None);
    }
    let exists = |name: &str, field: Option<&str>| match (environment.raw_get::<LuaValue>(name), field) {
        _ if is_of_the_host(name) => false,
        (Ok(LuaValue::Table(table)), Some(field)) => {
            table.raw_get::<LuaValue>(field).is_ok_and(|found| !found.is_nil())
        }
        (Ok(found), _) => !found.is_nil(),
        (Err(_), _) => false,
    };
    let review: Review = review(&source.text, &parsed.chunk, &exists);
    for refusal in &review.refusals {
        note(refusal.span.start, message(environment, &refusal.why)?);
    }
    Ok(review.refusals.is_empty().then(|| review.guarded(&source.text, GUARDS)))
}

fn message(environment: &LuaTable, why: &Reason) -> mlua::Result<String> {
    Ok(match why {
        Reason::Kept(name) => format!(
            "`{name}` belongs to the module and is written inside a function: nothing may be kept between calls; keep it \
             in a counter or zone, or make it local to the function"
        ),
        Reason::Early(name) => {
            let name = name.as_ref().map_or_else(|| "a function".to_owned(), |name| format!("`{name}`"));
            format!(
                "{name} is called while the module loads: a module holds functions and constants; call it inside a function"
            )
        }
        Reason::Loop => "a loop with `in` goes through `pairs(…)`, `ipairs(…)` or `string.gmatch(…)`".to_owned(),
        Reason::Unknown(name) => format!("unknown name `{name}`{}", hint_from(environment, name)?),
        Reason::UnknownField { table, field } => {
            let hint = hint_from(&environment.raw_get::<LuaTable>(table.as_str())?, field)?;
            match CONSTANTS.contains(&table.as_str()) {
                true => format!("no {table} is called `{field}`{hint}"),
                false => format!("there is no `{table}.{field}`{hint}"),
            }
        }
        Reason::Reserved(name) => format!("`{name}` begins with two underscores, and such names belong to the host"),
        Reason::Beyond(extension) => format!("scripts have no {extension}; {}", extension.instead()),
    })
}

fn is_of_the_host(name: &str) -> bool {
    name.starts_with("__")
}

/// A suggestion from the names in a table.
fn hint_from(table: &LuaTable, name: &str) -> mlua::Result<String> {
    let known: Vec<String> = table.pairs::<String, LuaValue>().map(|pair| Ok(pair?.0)).collect::<mlua::Result<_>>()?;
    Ok(hint(name, known.iter().map(String::as_str).filter(|name| !is_of_the_host(name))))
}
