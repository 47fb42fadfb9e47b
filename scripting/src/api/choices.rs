//! Decisions that scripts ask a seat for.

use mlua::{Function, Value as LuaValue, Variadic};
use principes_core::ids::{Args as Values, Value};
use principes_core::{Decision, DecisionOption};

use crate::api::args::Args;
use crate::api::binder::Binder;
use crate::api::chapter::{NIL, chapter};
use crate::api::fields::fields;
use crate::api::options::{MOST_OPTIONS, refuse_options, take_options};
use crate::error::ApiError;
use crate::host::context::Context;
use crate::host::running::Request;
use crate::host::values::{any, value_of};
use crate::machine::raw::CallArgs;
use crate::machine::wire::{Answer, Raw};
use crate::machine::wire::{CallOutcome, Shape};
use crate::types::{Field, Ty, field, gives, maybe, opt, p};

/// The fields of a decision.
const ABOUT: &str = "about";
const SOURCE: &str = "source";
const ALWAYS: &str = "always";
const PASS: &str = "pass";

const QUESTION: &[Field] = &[
    field(ABOUT, Ty::List(&Ty::Any), "up to three values for the prompt"),
    field(SOURCE, Ty::Any, "the card that causes the decision"),
    field(ALWAYS, Ty::Bool, "true: ask even if there is only one option"),
    field(PASS, Ty::Bool, "true: the seat may pass. The option `pass` comes last and returns nil"),
];
/// A decision between yes and no.
const YES_OR_NO: &[Field] = &[QUESTION[0], QUESTION[1], QUESTION[2]];

chapter! { "Choices" with helpers,
    act "choose" (p("seat", Ty::Seat), p("decision", Ty::Decision), p("options", Ty::Options), opt("about", Ty::Fields(QUESTION))) [maybe(Ty::Any), maybe(Ty::Any), maybe(Ty::Any), maybe(Ty::Any)]
        "Asks a seat for a decision. An option is a handle, a number, a keyword, or `{verb, a, b, c}`. Returns the chosen value, or verb, a, b, c. If a value after the verb is a list, each of its elements makes an option: `{ \"build\", kinds, lands }` is every kind on every land. Without options, returns nil. A single option is taken without asking unless `always = true`. With `pass = true` the seat may decline, which returns nil too. If the options depend on gold, hands or tracks, pass a function that returns them: it is called again if something else happens in the meantime."
        "local land = choose(seat, \"march.target\", neighbors(here), { about = { here }, pass = true })"
        Asks choose, lua "
-- The coroutine yields the function that lists options, so that the host can call it again.
local ask, ask_and_rest, yield = host.choose, host.choose_and_rest, host.yield
local listing, listed, taken, take_options = host.listing, host.listed, host.taken, host.take_options
function host.options_of(f, ...)
  take_options((f(...)))
end
return function(seat, decision, options, about, ...)
  if type(options) ~= 'function' then
    return ask_and_rest(seat, decision, options, about, ...)
  end
  listing()
  listed((options()))
  ask(seat, decision, taken, about, ...)
  return yield(options)
end";
    act "confirm" (p("seat", Ty::Seat), p("decision", Ty::Decision), opt("about", Ty::Fields(YES_OR_NO))) [gives(Ty::Bool)]
        "Asks a seat for a yes-or-no decision."
        "if confirm(seat, \"toll.pay\", { about = { rival } }) then … end"
        Asks |_, _| Ok(Some(NIL)), lua "
local choose, check = api.choose, host.confirm
local YES_NO = { 'yes', 'no' }
return function(seat, decision, about)
  check(seat, decision, about)
  return choose(seat, decision, YES_NO, about) == 'yes'
end";
}

/// The options that a function lists for these arguments.
pub fn list_options(
    c: &Context,
    name: &'static str,
    function: &Function,
    args: impl IntoIterator<Item = LuaValue>,
) -> mlua::Result<Vec<DecisionOption>> {
    let take = c.pending.options_of.get().ok_or_else(|| ApiError::raise("the machine is not ready"))?;
    let args: Variadic<LuaValue> = args.into_iter().collect();
    let outer = c.pending.listing.replace(name);
    let taken = c.purely(|| take.call::<()>((function, args)));
    c.pending.listing.set(outer);
    taken.map(|()| c.pending.options.take())
}

/// The fields of a decision besides its options.
struct About {
    values: Values,
    source: Value,
    always: bool,
    /// Whether the seat may decline.
    pass: bool,
}

/// The fields of a decision, read on the fast path. `None` if one of them is wrong.
fn about(c: &Context, table: &[Raw], source: Value) -> Option<About> {
    let known = c.spelling.get()?;
    let mut about = About { values: Values::NONE, source, always: false, pass: false };
    let mut rest = table;
    while let [Raw::Text(name), value, after @ ..] = rest {
        rest = after;
        match value {
            Raw::Truth(truth) if known.text(*name) == Some(ALWAYS) => about.always = *truth,
            Raw::Truth(truth) if known.text(*name) == Some(PASS) => about.pass = *truth,
            Raw::List(size) if known.text(*name) == Some(ABOUT) => {
                let (values, after) = rest.split_at_checked(*size)?;
                rest = after;
                values.iter().take(4).try_for_each(|raw| about.values.push(value_of(c, *raw)?))?;
            }
            value if known.text(*name) == Some(SOURCE) => about.source = value_of(c, *value)?,
            _ => return None,
        }
    }
    rest.is_empty().then_some(about)
}

fn choose(c: &Context, a: &Args) -> mlua::Result<Option<Answer>> {
    let seat = a.faction(0)?;
    let decision = a.decision(1)?;
    let source = c.source_now();
    let fields_given = match a.fast() {
        Some(given) if given.arg(2) != Raw::Table => given.table,
        Some(given) if take_options(c, given.table)? => given.fields,
        Some(_) => return Ok(None),
        None => &[],
    };
    let Some(mut given) = about(c, fields_given, source) else { return Ok(None) };
    if let LuaValue::Table(list) = a.lua(2) {
        let take = c.pending.take_options.get().ok_or_else(|| ApiError::raise("the machine is not ready"))?;
        take.call::<()>(list)?;
    }
    if a.given(3) {
        fields(c, a, a.table(3)?, QUESTION, |name, value| {
            match (name, value) {
                (ABOUT, LuaValue::Table(list)) => {
                    for at in 1..=list.raw_len().min(4) {
                        let value = any(c, a.function, ABOUT, &list.raw_get::<LuaValue>(at)?)?;
                        // There is room for four.
                        let _ = given.values.push(value);
                    }
                }
                (SOURCE, value) => given.source = any(c, a.function, SOURCE, value)?,
                (PASS, value) => given.pass = *value == LuaValue::Boolean(true),
                (_, value) => given.always = *value == LuaValue::Boolean(true),
            }
            Ok(())
        })?;
    }
    let mut options = c.pending.options.take();
    let pass = match given.pass {
        true => Some(
            c.pending
                .pass
                .ok_or_else(|| a.refuse("unknown keyword `pass`: add it to the `options` of the decision"))?,
        ),
        false => None,
    };
    options.extend(pass.map(|pass| DecisionOption::verb(pass, &[])));
    c.pending.declining.set(pass);
    let decision_made =
        Decision { seat, kind: decision, source: given.source, about: given.values, options, always: given.always };
    c.request(Request::Ask(decision_made))?;
    Ok(Some(NIL))
}

/// Provides the Lua part: functions that take options, and that list them in a function that may only read.
fn helpers(binder: &Binder) -> mlua::Result<()> {
    let taking = |name: &str, ends_listing: bool| {
        let c = binder.context.clone();
        let refuse = binder.lua.create_function(move |_, list: LuaValue| refuse_options(&c, &list))?;
        let take = move |c: &Context, given: &CallArgs| {
            let takes = given.len() == 1 && given.arg(0) == Raw::Table && take_options(c, given.table)?;
            if takes && ends_listing {
                c.end_listing();
            }
            Ok(if takes { CallOutcome::Done } else { CallOutcome::SlowPath })
        };
        binder.helper(name, Shape::List(MOST_OPTIONS), take, refuse)
    };
    taking("take_options", false)?;
    taking("listed", true)?;
    binder.sure_helper("listing", |c, _| c.begin_listing().map(|()| CallOutcome::Done))?;
    // Scripts cannot make a value of this type.
    binder.host.raw_set("taken", LuaValue::NULL)
}
