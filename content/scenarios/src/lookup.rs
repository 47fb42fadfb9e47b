//! Ids of scenario files to handles of the catalog, with suggestions for unknown ids.

use principes_core::Table;
use principes_core::catalog::{Catalog, Holds, Scope};
use principes_core::*;
use principes_findings::{did_you_mean, with_article};
use principes_schemas::{Argument, CounterValue, Family, PropValue};

/// A handle, or a message about what could not be found.
pub(crate) type Lookup<T> = Result<T, String>;

fn unknown<'a>(what: &str, id: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let hint = did_you_mean(id, known).map_or_else(String::new, |hint| format!(" ({hint})"));
    format!("unknown {what} `{id}`{hint}")
}

/// The types of handles that scripts find by id.
fn named() -> impl Iterator<Item = HandleType> {
    HandleType::ALL.iter().copied().filter(|of| of.named().is_some())
}

/// What messages call one entity of a type.
fn noun(of: HandleType) -> &'static str {
    Family::with_handle(of.word()).map_or(of.word(), Family::noun)
}

/// What an id is, if it is unknown in the family that is needed.
fn other_family(catalog: &Catalog, id: &str) -> Option<&'static str> {
    let entity = named().find(|of| catalog.entity(*of, id).is_some()).map(noun);
    let decision = || catalog.decision(id).map(|_| "decision");
    entity.or_else(decision).or_else(|| catalog.phase(id).map(|_| "phase"))
}

/// Says that nothing in the family that is needed has an id.
fn missing<'a>(catalog: &Catalog, what: &str, id: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match other_family(catalog, id) {
        Some(other) => format!("`{id}` is {}; {} is needed", with_article(other), with_article(what)),
        None => unknown(what, id, known),
    }
}

macro_rules! finders {
    ($($fun:ident, $list:ident, $id:ident, $what:literal;)*) => {$(
        pub(crate) fn $fun(catalog: &Catalog, id: &str) -> Lookup<$id> {
            let known = || catalog.$list.iter().map(|item| item.id.as_str());
            catalog.$fun(id).ok_or_else(|| missing(catalog, $what, id, known()))
        }
    )*};
}

finders! {
    faction, factions, FactionId, "faction";
    space, spaces, SpaceId, "space";
    kind, kinds, KindId, "kind of piece";
    design, designs, DesignId, "card";
    counter, counters, CounterId, "counter";
    zone, zones, ZoneKindId, "zone";
    decision, decisions, DecisionId, "decision";
    phase, phases, PhaseId, "phase";
    point, points, HookPointId, "hook point";
}

/// A seat of this game.
pub(crate) fn seat(table: &Table, id: &str) -> Lookup<SeatId> {
    let seat = faction(&table.catalog, id)?;
    if table.world.was_led(seat) { Ok(seat) } else { Err(format!("`{id}` is not in `seats` of this scenario")) }
}

/// The zone that a scenario names, if `of` fits its scope.
pub(crate) fn table_zone(catalog: &Catalog, zone_id: &str, of: Option<&str>) -> Lookup<ZoneId> {
    let kind = zone(catalog, zone_id)?;
    let owner = of.map(|id| faction(catalog, id)).transpose()?;
    catalog.zone_of(kind, owner).ok_or_else(|| match (catalog.zones[kind.index()].scope, of) {
        (Scope::Faction, None) => format!("every faction has a zone `{zone_id}`: name the faction in `of`"),
        (Scope::Faction, Some(of)) => format!("`{of}` is not playable, so it has no zone `{zone_id}`"),
        _ => format!("zone `{zone_id}` belongs to the game: leave out `of`"),
    })
}

/// The owner of a counter's value.
pub(crate) fn counter_owner(catalog: &Catalog, counter: CounterId, of: Option<&str>) -> Lookup<Value> {
    let spec = &catalog.counters[counter.index()];
    let needs = |what: &str| format!("counter `{}` has a value for every {what}: name one in `of`", spec.id);
    Ok(match (spec.scope, of) {
        (Scope::Game, None) => Value::Nil,
        (Scope::Game, Some(_)) => return Err(format!("counter `{}` belongs to the game: leave out `of`", spec.id)),
        (Scope::Faction, of) => Value::Faction(faction(catalog, of.ok_or_else(|| needs("playable faction"))?)?),
        (Scope::Space, of) => Value::Space(space(catalog, of.ok_or_else(|| needs("space"))?)?),
        (Scope::Card, of) => Value::Card(first_copy(catalog, of.ok_or_else(|| needs("card"))?)?),
    })
}

/// What a scenario sets a counter to, as the kernel holds it.
pub(crate) fn counter_value(catalog: &Catalog, counter: CounterId, value: &CounterValue) -> Lookup<Value> {
    let spec = &catalog.counters[counter.index()];
    Ok(match (spec.holds, value) {
        (_, CounterValue::Nothing) => Value::Nil,
        (Holds::Number, CounterValue::Int(n)) => Value::Int(*n),
        (Holds::Space, CounterValue::Held(id)) => Value::Space(space(catalog, id.as_str())?),
        (Holds::Faction, CounterValue::Held(id)) => Value::Faction(faction(catalog, id.as_str())?),
        (Holds::Card, CounterValue::Held(id)) => Value::Card(first_copy(catalog, id.as_str())?),
        (Holds::Design, CounterValue::Held(id)) => Value::Design(design(catalog, id.as_str())?),
        (Holds::Number, CounterValue::Held(id)) => {
            return Err(format!("counter `{}` holds a number, not `{id}`", spec.id));
        }
        (_, CounterValue::Int(n)) => return Err(format!("counter `{}` holds an id or null, not {n}", spec.id)),
    })
}

fn copies(catalog: &Catalog, design: DesignId) -> impl Iterator<Item = CardId> + '_ {
    let fits = move |(at, of): (usize, &DesignId)| (*of == design).then(|| CardId::at(at));
    catalog.cards.iter().enumerate().filter_map(fits)
}

fn first_copy(catalog: &Catalog, id: &str) -> Lookup<CardId> {
    copies(catalog, design(catalog, id)?).next().ok_or_else(|| format!("the box has no copy of card `{id}`"))
}

/// The copy of a card that an edit moves to a zone: the one whose absence changes least.
pub(crate) fn copy_for(table: &Table, id: &str, to: ZoneId) -> Lookup<CardId> {
    let catalog = &table.catalog;
    let owner_of = |zone: ZoneId| catalog.zone_list[zone.index()].1;
    let rank = |card: &CardId| {
        let zone = table.world.card_zone(*card);
        match (owner_of(to), owner_of(zone)) {
            // Within a deck, the deepest copy moves, so that two edits move two copies.
            (None, _) if zone == to => 0,
            (_, None) => 1,
            (Some(_), Some(_)) if zone == to => 4,
            (Some(target), Some(owner)) if target == owner => 2,
            _ => 3,
        }
    };
    let depth = |card: &CardId| table.world.in_zone(table.world.card_zone(*card)).position(|other| other == *card);
    let of = design(catalog, id)?;
    copies(catalog, of)
        .min_by_key(|card| (rank(card), std::cmp::Reverse(depth(card))))
        .ok_or_else(|| format!("the box has no copy of card `{id}`"))
}

/// The copy of a tile that an edit lays: preferably one that is not on the grid yet, and from a zone of the same owner.
pub(crate) fn copy_to_lay(table: &Table, id: &str, to: ZoneId) -> Lookup<CardId> {
    let catalog = &table.catalog;
    let owner_of = |zone: ZoneId| catalog.zone_list[zone.index()].1;
    let rank = |card: &CardId| {
        let owner = owner_of(table.world.card_zone(*card));
        (table.laid_at(*card).is_some(), owner != owner_of(to), owner.is_some())
    };
    let of = design(catalog, id)?;
    copies(catalog, of).min_by_key(rank).ok_or_else(|| format!("the box has no copy of card `{id}`"))
}

/// The copy of a card that a seat uses: its own if it has one, otherwise the first.
pub(crate) fn copy_of(table: &Table, id: &str, seat: Option<SeatId>) -> Lookup<CardId> {
    let catalog = &table.catalog;
    let owned = |card: &CardId| {
        let owner = catalog.zone_list[table.world.card_zone(*card).index()].1;
        seat.is_some() && owner == seat
    };
    let all: Vec<CardId> = copies(catalog, design(catalog, id)?).collect();
    let own = all.iter().copied().find(owned);
    own.or_else(|| all.first().copied()).ok_or_else(|| format!("the box has no copy of card `{id}`"))
}

/// Arguments of a script function. `card:x` is a copy of the card: that of the first faction among the arguments, if it
/// has one. `design:x` is the card design, `piece:guard@hill` the first such piece on the space.
pub(crate) fn arguments(table: &Table, args: &[Argument]) -> Lookup<Vec<Value>> {
    let mut values: Vec<Value> = Vec::with_capacity(args.len());
    for arg in args {
        let seat = values.iter().find_map(|value| match value {
            Value::Faction(seat) => Some(*seat),
            _ => None,
        });
        values.push(argument(table, arg, seat)?);
    }
    Ok(values)
}

fn argument(table: &Table, argument: &Argument, owner: Option<SeatId>) -> Lookup<Value> {
    let catalog = &table.catalog;
    let text = match argument {
        Argument::Nothing => return Ok(Value::Nil),
        Argument::Value(PropValue::Bool(yes)) => return Ok(Value::Int(i32::from(*yes))),
        Argument::Value(PropValue::Int(n)) => return Ok(Value::Int(*n)),
        Argument::Value(PropValue::Text(text)) => text.as_str(),
    };
    let Some((family, id)) = text.split_once(':') else {
        return catalog.symbol(text).map(Value::Symbol).ok_or_else(|| {
            let hint = match () {
                () if catalog.faction(text).is_some() => format!("; the faction is `faction:{text}`"),
                () if catalog.space(text).is_some() => format!("; the space is `space:{text}`"),
                () if catalog.design(text).is_some() => format!("; the card is `card:{text}`"),
                () => String::new(),
            };
            format!("unknown keyword `{text}`{hint}")
        });
    };
    let is_it = |of: &HandleType| of.word() == family;
    if let Some(of) = named().find(is_it) {
        return catalog.entity(of, id).ok_or_else(|| missing(catalog, noun(of), id, catalog.ids(of)));
    }
    let others = [HandleType::Card, HandleType::Piece];
    Ok(match others.into_iter().find(is_it) {
        Some(HandleType::Card) => Value::Card(copy_of(table, id, owner)?),
        Some(_) => {
            let (kind_id, space_id) =
                id.split_once('@').ok_or_else(|| format!("write a piece as `piece:kind@space`, not `{text}`"))?;
            let (wanted, at) = (kind(catalog, kind_id)?, space(catalog, space_id)?);
            let found = table.world.on_space(at).find(|piece| catalog.pieces[piece.index()].kind == wanted);
            Value::Piece(found.ok_or_else(|| format!("there is no `{kind_id}` on `{space_id}`"))?)
        }
        None => return Err(unknown("family", family, named().chain(others).map(HandleType::word))),
    })
}

/// Checks that every word of an option's key is known. A misspelled key would always be refused.
pub(crate) fn check_key(catalog: &Catalog, key: &str) -> Lookup<()> {
    for word in key.split(' ') {
        let known = word.parse::<i32>().is_ok()
            || word == "none"
            || catalog.symbol(word).is_some()
            || HandleType::ALL.iter().any(|of| catalog.entity(*of, word).is_some());
        if !known {
            let ids = HandleType::ALL.iter().flat_map(|of| catalog.ids(*of));
            let all = catalog.symbols.iter().chain(ids);
            return Err(unknown("word or id", word, all));
        }
    }
    Ok(())
}
