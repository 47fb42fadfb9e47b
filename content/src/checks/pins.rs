//! Pins: counts and sums over a pack and those that it builds on.

use std::collections::BTreeSet;

use principes_findings::budget::{self, MOST_PINNED};
use principes_findings::{Code, Finding, singular, suggestion};
use principes_json::{MemberPart, escape};
use principes_model::{Merged, Sourced};
use principes_schemas::{self as schemas, Family, PinFamily, PropValue};

use super::content::Content;

/// A field or prop of an item.
#[derive(Clone, Copy)]
enum Pinned<'m> {
    Text(&'m str),
    Number(i64),
}

/// An entity that a pin counts: how often, its fields, its props.
struct Item<'m> {
    pack: usize,
    times: i64,
    fields: Vec<(&'static str, Pinned<'m>)>,
    props: Option<&'m schemas::Props>,
    stats: Option<&'m schemas::Stats>,
    params: Option<&'m schemas::Params>,
}

impl<'m> Item<'m> {
    fn one() -> Self {
        Item { pack: 0, times: 1, fields: Vec::new(), props: None, stats: None, params: None }
    }

    fn value(&self, name: &str) -> Option<Pinned<'m>> {
        let field = self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
        let prop = || self.props.and_then(|props| props.get(name)).map(pinned);
        let stat = || self.stats.and_then(|stats| stats.get(name)).map(|stat| Pinned::Number(stat.0.into()));
        let param = || self.params.and_then(|params| params.get(name)).map(|n| Pinned::Number((*n).into()));
        field.or_else(prop).or_else(stat).or_else(param)
    }

    fn names(&self) -> impl Iterator<Item = &'m str> {
        let params = self.params.into_iter().flat_map(|params| params.keys().map(String::as_str));
        self.fields.iter().map(|(name, _)| *name).chain(params).collect::<Vec<_>>().into_iter()
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
    let mut looked = 0;
    for entry in &merged.pins {
        let pin = &entry.value;
        if !merged.broken.spares(&[counted(pin.of)]) {
            continue;
        }
        if budget::is_full(findings) {
            return;
        }
        let at = known.iter().position(|(family, _)| *family == pin.of).unwrap_or_else(|| {
            known.push((pin.of, items(merged, pin.of)));
            known.len() - 1
        });
        looked += (known[at].1.len() + merged.props.len()) * (1 + 2 * pin.filter.len());
        if looked > MOST_PINNED {
            let message = format!("up to this pin, the pins look at more than {MOST_PINNED} entities");
            let finding = merged.finding(&entry.place, "", Code::BudgetExceeded, message);
            return findings.push(finding.help("remove some; this pin and those after it are left out"));
        }
        // Additions of packs that the pin's own pack does not build on are not counted; otherwise, two expansions could
        // never agree. What any pack removes or changes is noticed: the pack that does it on purpose patches the pin.
        let pack = merged.pack_of(&entry.place);
        let counts: Vec<bool> = (0..merged.packs.len()).map(|other| merged.stands_on(pack, other)).collect();
        let items = known[at].1.iter().filter(|item| counts[item.pack]);
        let matching = items.filter(|item| pin.filter.iter().all(|(name, wanted)| fits(item, name, wanted)));
        let what = family_name(pin.of);
        names(merged, entry, &known[at].1, findings);
        if let Some(count) = pin.count {
            let found: i64 = matching.map(|item| item.times).sum();
            if found != i64::from(count) {
                let message = format!("expected {count} {what}, found {found}");
                wrong(merged, entry, ("count", found), message, findings);
            }
        } else if let (Some(name), Some(is)) = (&pin.sum, pin.is) {
            let found: i64 = matching.map(|item| item.times * item.number(name.as_str())).sum();
            if found != i64::from(is) {
                let message = format!("the sum of `{name}` over these {what} is {found}, not {is}");
                wrong(merged, entry, ("is", found), message, findings);
            }
        }
    }
}

/// Reports names in a pin that no entity has and no pack declares.
fn names(merged: &Merged, entry: &Sourced<schemas::Pin>, items: &[Item<'_>], findings: &mut Vec<Finding>) {
    let pin = &entry.value;
    let filter = pin.filter.keys().map(|name| (format!("/where/{}", escape(name)), name.as_str(), MemberPart::Key));
    let sum = pin.sum.iter().map(|name| ("/sum".to_owned(), name.as_str(), MemberPart::Value));
    let mut known: Option<BTreeSet<&str>> = None;
    for (field, name, part) in filter.chain(sum) {
        let is_declared = merged.props.iter().any(|prop| prop.value.key() == name);
        if is_declared || items.iter().any(|item| item.value(name).is_some()) || !merged.broken.spares(&[Family::Props])
        {
            continue;
        }
        let keys = merged.props.iter().map(|prop| prop.value.key());
        let known = known.get_or_insert_with(|| items.iter().flat_map(Item::names).chain(keys).collect());
        let at = format!("{}{field}", entry.place.pointer);
        let message = format!("pin `{}`: no {} has a field or prop `{name}`", pin.id, singular(family_name(pin.of)));
        let finding = merged.documents.finding(entry.place.document, &at, part, Code::UndeclaredProp, message);
        findings.push(finding.help("use one that they have").suggest(suggestion(name, known.iter().copied())));
    }
}

/// Reports a wrong pin, with the number found and the patch for a pack that changes it on purpose.
fn wrong(
    merged: &Merged,
    entry: &Sourced<schemas::Pin>,
    (field, found): (&str, i64),
    message: String,
    findings: &mut Vec<Finding>,
) {
    let id = &entry.value.id;
    let mut help = "undo the edit that changed the number, or change the pin if the new number is right".to_owned();
    // Only a later pack can patch the pin.
    if merged.pack_of(&entry.place) + 1 < merged.packs.len() {
        let patch = format!(r#"{{ "of": "pins", "id": "{id}", "set": {{ "{field}": {found} }} }}"#);
        help = format!("undo the edit that changed the number, or add to `patches` of your pack: {patch}");
    }
    let finding = merged.finding(&entry.place, &format!("/{field}"), Code::WrongPin, format!("pin `{id}`: {message}"));
    findings.push(finding.help(help).offer(format!("write {found}"), found.to_string()));
}

/// References in filters may be written as in props, or as a plain id.
fn fits(item: &Item<'_>, name: &str, wanted: &PropValue) -> bool {
    match (item.value(name), pinned(wanted)) {
        (Some(Pinned::Text(have)), Pinned::Text(wanted)) => {
            have == wanted
                || have.split_once(':').map(|(_, id)| id) == Some(wanted)
                || wanted.split_once(':').map(|(_, id)| id) == Some(have)
        }
        (Some(Pinned::Number(n)), Pinned::Number(wanted)) => n == wanted,
        // A missing value counts as 0 or false.
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
        PinFamily::Edges => "edges",
        PinFamily::Zones => "zones",
        PinFamily::Counters => "counters",
        PinFamily::Rules => "rules",
    }
}

/// The family that must be complete for a pin to be right.
fn counted(family: PinFamily) -> Family {
    match family {
        PinFamily::Spaces => Family::Spaces,
        PinFamily::Factions => Family::Factions,
        PinFamily::Kinds | PinFamily::Pieces => Family::Kinds,
        PinFamily::Cards | PinFamily::Designs | PinFamily::Edges => Family::Cards,
        PinFamily::Zones => Family::Zones,
        PinFamily::Counters => Family::Counters,
        PinFamily::Rules => Family::Rules,
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
        PinFamily::Pieces => {
            let piles = merged.kinds.iter().flat_map(|entry| {
                let pack = merged.pack_of(&entry.place);
                entry.value.supply.iter().map(move |supply| (pack, &*entry.value, supply))
            });
            let items = piles.map(|(pack, kind, supply)| {
                let mut item = Item { pack, ..kind_item(kind) };
                item.times = i64::from(supply.count);
                item.fields.extend(supply.faction.as_ref().map(|faction| ("faction", Pinned::Text(faction.as_str()))));
                item
            });
            items.collect()
        }
        PinFamily::Cards => {
            each(merged, &merged.cards, |card| Item { times: i64::from(card.copies), ..card_item(card) })
        }
        PinFamily::Designs => each(merged, &merged.cards, card_item),
        PinFamily::Edges => edges(merged),
        PinFamily::Zones => each(merged, &merged.zones, |zone| Item {
            fields: vec![
                ("id", Pinned::Text(zone.id.as_str())),
                ("active", Pinned::Number(zone.active.into())),
                ("visible", Pinned::Text(zone.visible.word())),
            ],
            ..Item::one()
        }),
        PinFamily::Counters => each(merged, &merged.counters, counter_item),
        PinFamily::Rules => each(merged, &merged.rules, |rule| Item {
            fields: vec![("id", Pinned::Text(rule.id.as_str()))],
            params: Some(&rule.params),
            ..Item::one()
        }),
    }
}

/// The sides of all tiles, each with the kind of its edge and all that is said about its card.
fn edges(merged: &Merged) -> Vec<Item<'_>> {
    let kinds = merged.procedures.iter().find_map(|entry| match &*entry.value {
        schemas::Procedure::Tiles { edges, .. } => Some(edges.as_slice()),
        _ => None,
    });
    let mut items = Vec::new();
    for entry in &merged.cards {
        let card = &*entry.value;
        for sign in card.tile.iter().flat_map(|tile| tile.edges.chars()) {
            let kind = kinds.into_iter().flatten().find(|kind| kind.sign.starts_with(sign));
            let edge = kind.map(|kind| ("edge", Pinned::Text(kind.id.as_str())));
            let pack = merged.pack_of(&entry.place);
            let mut item = Item { pack, times: i64::from(card.copies), ..card_item(card) };
            item.fields.extend(edge);
            items.push(item);
        }
    }
    items
}

/// An item for each entity.
fn each<'m, T>(merged: &Merged, list: &'m [Sourced<T>], item: impl Fn(&'m T) -> Item<'m>) -> Vec<Item<'m>> {
    list.iter().map(|entry| Item { pack: merged.pack_of(&entry.place), ..item(&entry.value) }).collect()
}

fn counter_item(counter: &schemas::Counter) -> Item<'_> {
    let fields = [
        ("id", Pinned::Text(counter.id.as_str())),
        ("option", Pinned::Number(counter.option.into())),
        ("track", Pinned::Number(counter.track.into())),
        ("visible", Pinned::Text(counter.visible.word())),
    ];
    let bounds = [("min", counter.min), ("max", counter.max), ("start", counter.start), ("supply", counter.supply)];
    let bounds = bounds.into_iter().filter_map(|(name, value)| Some((name, Pinned::Number(value?.into()))));
    Item { fields: fields.into_iter().chain(bounds).collect(), ..Item::one() }
}

fn card_item(card: &schemas::Card) -> Item<'_> {
    let fields = [
        ("id", Pinned::Text(card.id.as_str())),
        ("type", Pinned::Text(card.card_type.as_str())),
        ("zone", Pinned::Text(card.zone.as_str())),
    ];
    let faction = card.faction.as_ref().map(|faction| ("faction", Pinned::Text(faction.as_str())));
    Item {
        fields: fields.into_iter().chain(faction).collect(),
        props: Some(&card.props),
        params: Some(&card.params),
        ..Item::one()
    }
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
