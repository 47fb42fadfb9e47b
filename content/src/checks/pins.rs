//! Pins: counts and sums of what a pack and those it stands on declare.

use principes_schemas::{self as schemas, Family, PinFamily, PropValue};

use crate::diagnostic::Diagnostic;
use crate::merge::{Merged, Sourced};

/// Something that a pin counts: how often, its fields, its properties.
struct Item<'m> {
    pack: usize,
    times: i64,
    fields: Vec<(&'static str, PropValue)>,
    props: Vec<&'m schemas::Props>,
    stats: Option<&'m schemas::Stats>,
}

impl Item<'_> {
    fn value(&self, name: &str) -> Option<PropValue> {
        let field = self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.clone());
        let prop = || self.props.iter().find_map(|props| props.get(name).cloned());
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
        // What packs that the pin's own pack knows nothing of bring along is not pinned: two expansions would never agree.
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
    let text = |text: &str| PropValue::Text(text.to_owned());
    let faction = |id: &Option<schemas::FactionRef>, name: &'static str| {
        id.as_ref().map(|id| (name, PropValue::Text(id.to_string())))
    };
    match family {
        PinFamily::Spaces => merged
            .spaces
            .iter()
            .map(|e| Item {
                pack: merged.pack_of(&e.place),
                times: 1,
                fields: [("id", text(e.value.id.as_str())), ("kind", text(e.value.kind.as_str()))]
                    .into_iter()
                    .chain(faction(&e.value.home, "home"))
                    .collect(),
                props: vec![&e.value.props],
                stats: None,
            })
            .collect(),
        PinFamily::Factions => merged
            .factions
            .iter()
            .map(|e| Item {
                pack: merged.pack_of(&e.place),
                times: 1,
                fields: vec![
                    ("id", text(e.value.id.as_str())),
                    ("group", text(e.value.group.as_str())),
                    ("playable", PropValue::Bool(e.value.playable)),
                ],
                props: vec![&e.value.props],
                stats: None,
            })
            .collect(),
        PinFamily::Kinds => merged.kinds.iter().map(|e| kind_item(merged, e, 1, None)).collect(),
        PinFamily::Pieces => merged
            .kinds
            .iter()
            .flat_map(|e| {
                e.value
                    .supply
                    .iter()
                    .map(|supply| kind_item(merged, e, i64::from(supply.count), supply.faction.as_ref()))
            })
            .collect(),
        PinFamily::Cards | PinFamily::Designs => merged
            .cards
            .iter()
            .map(|e| Item {
                pack: merged.pack_of(&e.place),
                times: if family == PinFamily::Cards { i64::from(e.value.copies) } else { 1 },
                fields: [
                    ("id", text(e.value.id.as_str())),
                    ("type", text(e.value.card_type.as_str())),
                    ("zone", text(e.value.zone.as_str())),
                ]
                .into_iter()
                .chain(faction(&e.value.faction, "faction"))
                .collect(),
                props: vec![&e.value.props],
                stats: None,
            })
            .collect(),
        PinFamily::Zones => merged
            .zones
            .iter()
            .map(|e| Item {
                pack: merged.pack_of(&e.place),
                times: 1,
                fields: vec![("id", text(e.value.id.as_str()))],
                props: Vec::new(),
                stats: None,
            })
            .collect(),
    }
}

fn kind_item<'m>(
    merged: &Merged,
    entry: &'m Sourced<schemas::Kind>,
    times: i64,
    faction: Option<&schemas::FactionRef>,
) -> Item<'m> {
    let kind = &entry.value;
    let text = |text: &str| PropValue::Text(text.to_owned());
    let fields = [
        ("id", text(kind.id.as_str())),
        ("kind", text(kind.id.as_str())),
        ("class", text(kind.class.as_str())),
        ("occupies", PropValue::Bool(kind.occupies)),
    ];
    let owner = faction.map(|id| ("faction", text(id.as_str())));
    Item {
        pack: merged.pack_of(&entry.place),
        times,
        fields: fields.into_iter().chain(owner).collect(),
        props: vec![&kind.props],
        stats: Some(&kind.stats),
    }
}
