//! Pins: counts and sums of what a pack and those it builds on declare.

use principes_findings::{Code, Finding};
use principes_model::{Merged, Sourced};
use principes_schemas::{self as schemas, Family, PinFamily, PropValue};

use super::content::Content;

/// A value of something that a pin counts.
#[derive(Clone, Copy)]
enum Pinned<'m> {
    Text(&'m str),
    Number(i64),
}

/// Something that a pin counts: how often, its fields, its properties.
struct Item<'m> {
    pack: usize,
    times: i64,
    fields: Vec<(&'static str, Pinned<'m>)>,
    props: Option<&'m schemas::Props>,
    stats: Option<&'m schemas::Stats>,
}

impl<'m> Item<'m> {
    fn one() -> Self {
        Item { pack: 0, times: 1, fields: Vec::new(), props: None, stats: None }
    }

    fn value(&self, name: &str) -> Option<Pinned<'m>> {
        let field = self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
        let prop = || self.props.and_then(|props| props.get(name)).map(pinned);
        let stat = || self.stats.and_then(|stats| stats.get(name)).map(|stat| Pinned::Number(stat.0.into()));
        field.or_else(prop).or_else(stat)
    }

    fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(Pinned::Number(n)) => n,
            Some(Pinned::Text(_)) | None => 0,
        }
    }
}

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let mut known: Vec<(PinFamily, Vec<Item<'_>>)> = Vec::new();
    for entry in &merged.pins {
        let pin = &entry.value;
        if !merged.broken.spares(&[counted(pin.of)]) {
            continue;
        }
        let at = known.iter().position(|(family, _)| *family == pin.of).unwrap_or_else(|| {
            known.push((pin.of, items(merged, pin.of)));
            known.len() - 1
        });
        // What packs that the pin's own pack knows nothing of bring along is not pinned: two expansions would never
        // agree.
        let pack = merged.pack_of(&entry.place);
        let counts: Vec<bool> = (0..merged.packs.len()).map(|other| merged.stands_on(pack, other)).collect();
        let items = known[at].1.iter().filter(|item| counts[item.pack]);
        let matching = items.filter(|item| pin.filter.iter().all(|(name, wanted)| fits(item, name, wanted)));
        let what = family_name(pin.of);
        if let Some(count) = pin.count {
            let found: i64 = matching.map(|item| item.times).sum();
            if found != i64::from(count) {
                wrong(merged, entry, "/count", format!("expected {count} {what}, found {found}"), findings);
            }
        } else if let (Some(name), Some(is)) = (&pin.sum, pin.is) {
            let found: i64 = matching.map(|item| item.times * item.number(name.as_str())).sum();
            if found != i64::from(is) {
                wrong(
                    merged,
                    entry,
                    "/is",
                    format!("the sum of `{name}` over these {what} is {found}, not {is}"),
                    findings,
                );
            }
        }
    }
}

fn wrong(merged: &Merged, entry: &Sourced<schemas::Pin>, field: &str, message: String, findings: &mut Vec<Finding>) {
    findings.push(
        merged
            .finding(&entry.place, field, Code::WrongPin, format!("pin `{}`: {message}", entry.value.id))
            .help("undo the edit that changed the number, or change the pin if the new number is right"),
    );
}

/// References in filters may be written as in properties or as a plain id.
fn fits(item: &Item<'_>, name: &str, wanted: &PropValue) -> bool {
    match (item.value(name), pinned(wanted)) {
        (Some(Pinned::Text(have)), Pinned::Text(wanted)) => {
            have == wanted
                || have.split_once(':').map(|(_, id)| id) == Some(wanted)
                || wanted.split_once(':').map(|(_, id)| id) == Some(have)
        }
        (Some(Pinned::Number(n)), Pinned::Number(wanted)) => n == wanted,
        // What is not there counts as 0 or false.
        (None, Pinned::Number(wanted)) => wanted == 0,
        _ => false,
    }
}

fn pinned(value: &PropValue) -> Pinned<'_> {
    match value {
        PropValue::Int(n) => Pinned::Number((*n).into()),
        PropValue::Bool(yes) => Pinned::Number((*yes).into()),
        PropValue::Text(text) => Pinned::Text(text),
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
            let home = space.home.as_ref().map(|home| ("home", Pinned::Text(home.as_str())));
            let fields = [("id", Pinned::Text(space.id.as_str())), ("kind", Pinned::Text(space.kind.as_str()))]
                .into_iter()
                .chain(home);
            Item { fields: fields.collect(), props: Some(&space.props), ..Item::one() }
        }),
        PinFamily::Factions => each(merged, &merged.factions, |faction| {
            let playable = ("playable", Pinned::Number(faction.playable.into()));
            let fields = vec![
                ("id", Pinned::Text(faction.id.as_str())),
                ("group", Pinned::Text(faction.group.as_str())),
                playable,
            ];
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
                item.fields.extend(supply.faction.as_ref().map(|faction| ("faction", Pinned::Text(faction.as_str()))));
                item
            })
            .collect(),
        PinFamily::Cards => {
            each(merged, &merged.cards, |card| Item { times: i64::from(card.copies), ..card_item(card) })
        }
        PinFamily::Designs => each(merged, &merged.cards, card_item),
        PinFamily::Zones => each(merged, &merged.zones, |zone| Item {
            fields: vec![("id", Pinned::Text(zone.id.as_str()))],
            ..Item::one()
        }),
    }
}

/// An item for each entity, with its pack.
fn each<'m, T>(merged: &Merged, list: &'m [Sourced<T>], item: impl Fn(&'m T) -> Item<'m>) -> Vec<Item<'m>> {
    list.iter().map(|entry| Item { pack: merged.pack_of(&entry.place), ..item(&entry.value) }).collect()
}

fn card_item(card: &schemas::Card) -> Item<'_> {
    let fields = [
        ("id", Pinned::Text(card.id.as_str())),
        ("type", Pinned::Text(card.card_type.as_str())),
        ("zone", Pinned::Text(card.zone.as_str())),
    ];
    let faction = card.faction.as_ref().map(|faction| ("faction", Pinned::Text(faction.as_str())));
    Item { fields: fields.into_iter().chain(faction).collect(), props: Some(&card.props), ..Item::one() }
}

fn kind_item(kind: &schemas::Kind) -> Item<'_> {
    let fields = vec![
        ("id", Pinned::Text(kind.id.as_str())),
        ("kind", Pinned::Text(kind.id.as_str())),
        ("class", Pinned::Text(kind.class.as_str())),
        ("occupies", Pinned::Number(kind.occupies.into())),
    ];
    Item { fields, props: Some(&kind.props), stats: Some(&kind.stats), ..Item::one() }
}
