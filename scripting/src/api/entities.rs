//! Entities: props, ids, params of cards.

use mlua::Value as LuaValue;
use principes_core::ids::{SymbolId, Value};

use crate::api::args::Args;
use crate::api::chapter::{answer, chapter, faction, flag, int};
use crate::error::ApiError;
use crate::host::context::Context;
use crate::host::facts::{self, BUILT_IN};
use crate::suggest::hint;
use crate::types::{Ty, gives, maybe, p};

chapter! { "Entities",
    look "prop" (p("entity", Ty::Entity), p("name", Ty::Prop)) [maybe(Ty::Any)]
        "A prop of an entity, or nil. Spaces also have `kind` and `home`, factions `group`, kinds and pieces `class`, pieces `kind` and `faction`, cards `type` and `faction`."
        "if prop(card, \"timing\") == \"turn\" then … end"
        Checks |c, a| Ok(answer(prop(c, a)?)), lua "return host.looked_up_by_name(host.facts.props, host.prop)";
    look "has" (p("entity", Ty::Entity), p("name", Ty::Prop)) [gives(Ty::Bool)]
        "Whether an entity has a prop that is neither 0 nor missing."
        "if has(land, \"capital\") then … end"
        Checks |c, a| {
            let name = a.text(1)?;
            let known = BUILT_IN.contains(&name.as_str()) || c.catalog.symbol(&name).is_some();
            Ok(flag(known && !matches!(prop(c, a)?, Value::Nil | Value::Int(0))))
        }, lua "
local props, ask = host.facts.props, host.has
return function(entity, name, extra)
  local column = props[name]
  local value = column and column[entity]
  if value == nil or extra ~= nil then
    return ask(entity, name, extra)
  end
  return value ~= false and value ~= 0
end";
    look "idof" (p("entity", Ty::Any)) [gives(Ty::Text)]
        "The id of an entity as packs write it. For a card it is the design's id, for a piece the kind's."
        "log(\"seen\", idof(card))"
        Machine |c, lua, a| lua.create_string(c.catalog.id_of(a.value(0))).map(LuaValue::String);
    look "param" (p("card", Ty::CardOrDesign), p("name", Ty::ParamName)) [gives(Ty::Int)]
        "A param of a card or design: the number that its text shows."
        "local gold = param(card, \"gold\")"
        One |c, a| {
            let design = match a.value(0) {
                Value::Card(card) => c.catalog.design_of(card),
                Value::Design(design) => &c.catalog.designs[design.index()],
                _ => return Err(a.refuse("no design")),
            };
            let name = a.text(1)?;
            match design.params.get(&name) {
                Some(value) => Ok(int(*value)),
                None => {
                    let hint = hint(&name, design.params.keys().map(String::as_str));
                    let message = format!("{}: `{}` has no param `{name}`", a.function, design.id);
                    Err(ApiError::raise_with(message, hint))
                }
            }
        };
}

/// The prop whose name is an argument.
pub fn property(c: &Context, a: &Args, at: usize) -> mlua::Result<SymbolId> {
    a.property(c, a.name(at)?)
}

/// Any prop of any entity. The prelude calls this only for props that are not in [`facts`].
fn prop(c: &Context, a: &Args) -> mlua::Result<Value> {
    let (entity, name) = (a.value(0), a.text(1)?);
    if let (Value::Piece(piece), "faction") = (entity, name.as_str()) {
        return c.read(|t| faction(t.world.piece(piece).owner()));
    }
    if let Some(found) = facts::built_in(&c.catalog, entity, &name) {
        return Ok(found);
    }
    if BUILT_IN.contains(&name.as_str()) && c.catalog.symbol(&name).is_none() {
        return Ok(Value::Nil);
    }
    let key = property(c, a, 1)?;
    Ok(facts::props(&c.catalog, entity).and_then(|props| props.get(key)).unwrap_or_default())
}
