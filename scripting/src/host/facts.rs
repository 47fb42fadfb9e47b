//! Constant data of a game, as frozen Lua tables. The prelude finds a card's prop here and need not call out of Lua.
//!
//! Calls between Lua and Rust are the main cost of scripts, so they are few: facts that never change in a game (`prop`,
//! `stat`, `kindof`, …) need none, and verbs are coarse. Names are identified by the address of the string that Luau
//! interns for each text. The globals of the machine are the environment of scripts, so `kind.knight` is looked up
//! once, when a module loads.

use std::collections::BTreeSet;

use mlua::{Lua, Table as LuaTable, Value as LuaValue};
use principes_core::catalog::{Catalog, Props};
use principes_core::ids::*;

use crate::host::context::Context;

/// Props that the kernel's own fields answer, besides those of packs.
pub const BUILT_IN: [&str; 6] = ["type", "home", "kind", "class", "group", "faction"];

fn handle(id: Option<FactionId>) -> Value {
    id.map_or(Value::Nil, Value::Faction)
}

/// The declared props of an entity, if it can have any.
pub fn props(catalog: &Catalog, entity: Value) -> Option<&Props> {
    Some(match entity {
        Value::Faction(id) => &catalog.factions[id.index()].props,
        Value::Space(id) => &catalog.spaces[id.index()].props,
        Value::Kind(id) => &catalog.kinds[id.index()].props,
        Value::Piece(id) => &catalog.kinds[catalog.pieces[id.index()].kind.index()].props,
        Value::Card(id) => &catalog.design_of(id).props,
        Value::Design(id) => &catalog.designs[id.index()].props,
        _ => return None,
    })
}

/// A built-in prop of an entity, if it has it. The owner of a piece is not included, because it changes.
pub fn built_in(catalog: &Catalog, entity: Value, name: &str) -> Option<Value> {
    let design = match entity {
        Value::Card(id) => Some(catalog.design_of(id)),
        Value::Design(id) => Some(&catalog.designs[id.index()]),
        _ => None,
    };
    Some(match (name, entity) {
        ("group", Value::Faction(id)) => Value::Symbol(catalog.factions[id.index()].group),
        ("kind", Value::Space(id)) => Value::Symbol(catalog.spaces[id.index()].kind),
        ("home", Value::Space(id)) => handle(catalog.spaces[id.index()].home),
        ("class", Value::Kind(id)) => Value::Symbol(catalog.kinds[id.index()].class),
        ("kind", Value::Piece(id)) => Value::Kind(catalog.pieces[id.index()].kind),
        ("class", Value::Piece(id)) => Value::Symbol(catalog.kinds[catalog.pieces[id.index()].kind.index()].class),
        ("type", _) => Value::Symbol(design?.card_type),
        ("faction", _) => handle(design?.faction),
        _ => return None,
    })
}

/// The tables: `props[name][entity]`, `stats[name][entity]`, `kinds[piece]`, `homes[space]` and `designs[card]`. False
/// stands for a known entity without a value.
pub fn tables(context: &Context, lua: &Lua) -> mlua::Result<LuaTable> {
    let catalog = &context.catalog;
    let all = |count: usize, value: fn(usize) -> Value| (0..count).map(value).collect::<Vec<_>>();
    let families = [
        all(catalog.factions.len(), |at| Value::Faction(FactionId::at(at))),
        all(catalog.spaces.len(), |at| Value::Space(SpaceId::at(at))),
        all(catalog.kinds.len(), |at| Value::Kind(KindId::at(at))),
        all(catalog.pieces.len(), |at| Value::Piece(PieceId::at(at))),
        all(catalog.cards.len(), |at| Value::Card(CardId::at(at))),
        all(catalog.designs.len(), |at| Value::Design(DesignId::at(at))),
    ];
    let fact = |value: Option<Value>| match value.unwrap_or_default() {
        Value::Nil => LuaValue::Boolean(false),
        value => context.to_lua(value),
    };
    let column = |table: &LuaTable, name: &str, entries: Vec<(Value, Option<Value>)>| -> mlua::Result<()> {
        let column = match table.raw_get::<Option<LuaTable>>(name)? {
            Some(column) => column,
            None => lua.create_table()?,
        };
        for (entity, value) in entries {
            column.raw_set(context.to_lua(entity), fact(value))?;
        }
        table.raw_set(name, column)
    };
    let known = lua.create_table()?;
    for family in &families {
        let names: BTreeSet<SymbolId> = family
            .iter()
            .filter_map(|entity| props(catalog, *entity))
            .flat_map(|props| &props.0)
            .map(|p| p.0)
            .collect();
        for name in names {
            let entries = family.iter().map(|entity| (*entity, props(catalog, *entity).and_then(|p| p.get(name))));
            column(&known, catalog.symbols.name(name.index()), entries.collect())?;
        }
        for name in BUILT_IN {
            let entries = family.iter().filter_map(|entity| Some((*entity, Some(built_in(catalog, *entity, name)?))));
            column(&known, name, entries.collect())?;
        }
    }
    let stats = lua.create_table()?;
    let names: BTreeSet<SymbolId> = catalog.kinds.iter().flat_map(|kind| &kind.stats.0).map(|stat| stat.0).collect();
    for name in names {
        let stat = |kind: KindId| Some(Value::Int(catalog.kinds[kind.index()].stats.int(name)));
        let kinds = (0..catalog.kinds.len()).map(KindId::at).map(|kind| (Value::Kind(kind), stat(kind)));
        let pieces =
            catalog.pieces.iter().enumerate().map(|(at, spec)| (Value::Piece(PieceId::at(at)), stat(spec.kind)));
        column(&stats, catalog.symbols.name(name.index()), kinds.chain(pieces).collect())?;
    }
    let facts = lua.create_table()?;
    facts.raw_set("props", known)?;
    facts.raw_set("stats", stats)?;
    let [_, spaces, _, pieces, cards, _] = &families;
    let of = |family: &[Value], name: &str| family.iter().map(|e| (*e, built_in(catalog, *e, name))).collect();
    column(&facts, "homes", of(spaces, "home"))?;
    column(&facts, "kinds", of(pieces, "kind"))?;
    let design = |card: &CardId| Some(Value::Design(catalog.cards[card.index()]));
    let cards = cards.iter().filter_map(|card| match card {
        Value::Card(id) => Some((*card, design(id))),
        _ => None,
    });
    column(&facts, "designs", cards.collect())?;
    Ok(facts)
}
