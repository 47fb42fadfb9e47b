//! The form in which chapters of the script API define their verbs.
//!
//! A verb is complete in its chapter, so adding one changes only one file:
//!
//! ```text
//! chapter! { "Counters",
//!     look "bank" (p("counter", Ty::COUNTER)) [gives(Ty::Int)]   mode, name, parameters, results
//!         "How much of a counter with a limited supply is left in the bank."  documentation
//!         "if bank(counter.gold) == 0 then return end"           example
//!         One |c, a| { … };                                      binding: a variant of `VerbBody`
//! }
//! ```
//!
//! `look` verbs only read. `act` verbs change the game or ask for a decision. A Lua part follows the binding as `, lua
//! "…"`: code that returns the function for scripts. It finds the binding as `host.<name>`, and earlier verbs in `api`.

use principes_core::ids::{FactionId, Value};
use principes_core::{RuleError, Table};

use crate::api::args::Args;
use crate::api::binder::Binder;
use crate::api::entry::Entry;
use crate::error::refused;
use crate::host::context::Context;
use crate::machine::wire::Answer;

/// A chapter of the API.
pub(crate) struct Chapter {
    pub(crate) verbs: &'static [Entry],
    /// Provides the Lua parts with what they need besides the bindings.
    pub(crate) helpers: fn(&Binder) -> mlua::Result<()>,
}

/// Defines a chapter; see the top of this file.
macro_rules! chapter {
    ($title:literal, $($verbs:tt)*) => {
        chapter! { $title with (|_| Ok(())), $($verbs)* }
    };
    ($title:literal with $helpers:expr, $($mode:ident $name:literal ($($param:expr),*) [$($returns:expr),*]
        $doc:literal $example:literal $how:ident $run:expr $(, lua $lua:literal)?;)*) => {
        pub(crate) static CHAPTER: crate::api::chapter::Chapter = crate::api::chapter::Chapter {
            verbs: &[$(crate::api::entry::Entry {
                name: $name,
                group: $title,
                params: &[$($param),*],
                returns: &[$($returns),*],
                acts: chapter!(@ $mode),
                doc: $doc,
                example: $example,
                run: crate::api::entry::VerbBody::$how($run),
                lua: chapter!(@lua $($lua)?),
            }),*],
            helpers: $helpers,
        };
    };
    (@ look) => { false };
    (@ act) => { true };
    (@lua) => { None };
    (@lua $lua:literal) => { Some($lua) };
}
pub(crate) use chapter;

// Words of the chapters -----------------------------------------------------------------------------------------------

/// No result.
pub(crate) const NIL: Answer = Answer::Nil;

pub(crate) fn int(n: i32) -> Answer {
    Answer::Number(f64::from(n))
}
pub(crate) fn flag(b: bool) -> Answer {
    Answer::Truth(b)
}
pub(crate) fn answer(value: Value) -> Answer {
    value.into()
}
pub(crate) fn faction(id: Option<FactionId>) -> Value {
    id.map_or(Value::Nil, Value::Faction)
}

/// The number of steps. Negative numbers count as 0.
pub(crate) fn far(steps: i32) -> u16 {
    u16::try_from(steps.max(0)).unwrap_or(u16::MAX)
}

/// Reads the table. Its errors become errors of the call.
pub(crate) fn look<T>(c: &Context, a: &Args, f: impl FnOnce(&Table) -> Result<T, RuleError>) -> mlua::Result<T> {
    c.read(f)?.map_err(|error| refused(a.function, error))
}

/// Changes the table. Its errors become errors of the call.
pub(crate) fn act<T>(c: &Context, a: &Args, f: impl FnOnce(&mut Table) -> Result<T, RuleError>) -> mlua::Result<T> {
    c.write(f)?.map_err(|error| refused(a.function, error))
}
