//! Pins: counts and sums of what a pack and those it stands on declare.

use principes_schemas::{self as schemas, Family, PinFamily, PropValue};

use crate::diagnostic::Diagnostic;
use crate::merge::{Merged, Sourced};

/// Something that a pin counts: how often, its fields, its properties.
struct Item<'m> {
    pack: usize,
    times: i64,
    fields: Vec<(&'static str, PropValue)>,
    props: Option<&'m schemas::Props>,
    stats: Option<&'m schemas::Stats>,
}

impl Item<'_> {
    fn one() -> Self {
        Item { pack: 0, times: 1, fields: Vec::new(), props: None, stats: None }
    }

    fn value(&self, name: &str) -> Option<PropValue> {
        let field = self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.clone());
        let prop = || self.props.and_then(|props| props.get(name)).cloned();
        let stat = || self.stats.and_then(|stats| stats.get(name)).map(|stat| PropValue::Int(stat.0));
        field.or_else(prop).or_else(stat)
    }

    fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(PropValue::Int(n)) => i64::from(n),
            Some(PropValue::Bool(yes)) => i64::from(yes),
            _ => 0,
        }
    }
}

pub fn check(merged: &Merged, findings: &mut Vec<Diagnostic>) {
    for entry in &merged.pins {
        let pin = &entry.value;
        if !merged.broken.spares(&[counted(pin.of)]) {
            continue;
        }
        let items = items(merged, pin.of);
        // What packs that the pin's own pack knows nothing of bring along is not pinned: two expansions would never
        // agree.
        let pack = merged.pack_of(&entry.place);
        let items = items.iter().filter(|item| merged.stands_on(pack, item.pack));
        let matching = items.filter(|item| pin.filter.iter().all(|(name, wanted)| fits(item, name, wanted)));
        let what = family_name(pin.of);
        if let Some(count) = pin.count {
            let found: i64 = matching.map(|item| item.times).sum();
            if found != i64::from(count) {
                wrong(merged, entry, "/count", format!("there are {found} {what}, not {count}"), findings);
            }
        } else if let (Some(name), Some(is)) = (&pin.sum, pin.is) {
            let found: i64 = matching.map(|item| item.times * item.number(name.as_str())).sum();
            if found != i64::from(is) {
                wrong(
                    merged,
                    entry,
                    "/is",
                    format!("the `{name}` of these {what} add up to {found}, not {is}"),
                    findings,
                );
            }
        }
    }
}

fn wrong(merged: &Merged, entry: &Sourced<schemas::Pin>, field: &str, message: String, findings: &mut Vec<Diagnostic>) {
    findings.push(
        merged
            .finding(&entry.place, field, "P0501", format!("pin `{}`: {message}", entry.value.id))
            .help("an edit broke what was pinned; mend it, or change the pin if the new number is meant"),
    );
}

/// References in filters may be written as in properties or as a plain id.
fn fits(item: &Item<'_>, name: &str, wanted: &PropValue) -> bool {
    match (item.value(name), wanted) {
        (Some(PropValue::Text(have)), PropValue::Text(wanted)) => {
            have == *wanted
                || have.split_once(':').map(|(_, id)| id) == Some(wanted)
                || wanted.split_once(':').map(|(_, id)| id) == Some(&have)
        }
        (Some(PropValue::Text(_)), _) => false,
        (None, PropValue::Text(_)) => false,
        (_, wanted) => item.number(name) == as_number(wanted),
    }
}

fn as_number(value: &PropValue) -> i64 {
    match value {
        PropValue::Int(n) => i64::from(*n),
        PropValue::Bool(yes) => i64::from(*yes),
        PropValue::Text(_) => 0,
    }
}

fn family_name(family: PinFamily) -> &'static str {
    match family {
        PinFamily::Spaces => "spaces",
        PinFamily::Factions => "factions",
        PinFamily::Kinds => "kinds",
        PinFamily::Pieces => "pieces",
        PinFamily::Cards => "cards",
        PinFamily::Designs => "designs",
        PinFamily::Zones => "zones",
    }
}

/// The family that must be whole for a pin to be right.
fn counted(family: PinFamily) -> Family {
    match family {
        PinFamily::Spaces => Family::Spaces,
        PinFamily::Factions => Family::Factions,
        PinFamily::Kinds | PinFamily::Pieces => Family::Kinds,
        PinFamily::Cards | PinFamily::Designs => Family::Cards,
        PinFamily::Zones => Family::Zones,
    }
}

fn items(merged: &Merged, family: PinFamily) -> Vec<Item<'_>> {
    match family {
        PinFamily::Spaces => each(merged, &merged.spaces, |space| {
            let home = space.home.as_ref().map(|home| ("home", text(home)));
            let fields = [("id", text(&space.id)), ("kind", text(&space.kind))].into_iter().chain(home);
            Item { fields: fields.collect(), props: Some(&space.props), ..Item::one() }
        }),
        PinFamily::Factions => each(merged, &merged.factions, |faction| {
            let playable = ("playable", PropValue::Bool(faction.playable));
            let fields = vec![("id", text(&faction.id)), ("group", text(&faction.group)), playable];
            Item { fields, props: Some(&faction.props), ..Item::one() }
        }),
        PinFamily::Kinds => each(merged, &merged.kinds, kind_item),
        PinFamily::Pieces => merged
            .kinds
            .iter()
            .flat_map(|entry| entry.value.supply.iter().map(move |supply| (entry, supply)))
            .map(|(entry, supply)| {
                let mut item = Item { pack: merged.pack_of(&entry.place), ..kind_item(&entry.value) };
                item.times = i64::from(supply.count);
                item.fields.extend(supply.faction.as_ref().map(|faction| ("faction", text(faction))));
                item
            })
            .collect(),
        PinFamily::Cards => {
            each(merged, &merged.cards, |card| Item { times: i64::from(card.copies), ..card_item(card) })
        }
        PinFamily::Designs => each(merged, &merged.cards, card_item),
        PinFamily::Zones => {
            each(merged, &merged.zones, |zone| Item { fields: vec![("id", text(&zone.id))], ..Item::one() })
        }
    }
}

/// An item for each entity, with its pack.
fn each<'m, T>(merged: &Merged, list: &'m [Sourced<T>], item: impl Fn(&'m T) -> Item<'m>) -> Vec<Item<'m>> {
    list.iter().map(|entry| Item { pack: merged.pack_of(&entry.place), ..item(&entry.value) }).collect()
}

fn card_item(card: &schemas::Card) -> Item<'_> {
    let fields = [("id", text(&card.id)), ("type", text(&card.card_type)), ("zone", text(&card.zone))];
    let faction = card.faction.as_ref().map(|faction| ("faction", text(faction)));
    Item { fields: fields.into_iter().chain(faction).collect(), props: Some(&card.props), ..Item::one() }
}

fn kind_item(kind: &schemas::Kind) -> Item<'_> {
    let fields = vec![
        ("id", text(&kind.id)),
        ("kind", text(&kind.id)),
        ("class", text(&kind.class)),
        ("occupies", PropValue::Bool(kind.occupies)),
    ];
    Item { fields, props: Some(&kind.props), stats: Some(&kind.stats), ..Item::one() }
}

fn text(word: &impl ToString) -> PropValue {
    PropValue::Text(word.to_string())
}
