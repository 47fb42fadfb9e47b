//! What pins count: the entities of a family with the fields that a pin may name.

use principes_model::{EntityPlace, Merged, Sourced};
use principes_schemas::{self as schemas, PinFamily, PropValue};

/// A field or prop of an item.
#[derive(Clone, Copy)]
pub enum Pinned<'m> {
    Text(&'m str),
    Number(i64),
}

/// An entity that a pin counts: how often, its fields, its props.
pub struct Item<'m> {
    pub place: &'m EntityPlace,
    pub times: i64,
    fields: Vec<(&'static str, Pinned<'m>)>,
    props: Option<&'m schemas::Props>,
    stats: Option<&'m schemas::Stats>,
    params: Option<&'m schemas::Params>,
}

impl<'m> Item<'m> {
    fn at(place: &'m EntityPlace) -> Self {
        Item { place, times: 1, fields: Vec::new(), props: None, stats: None, params: None }
    }

    pub fn value(&self, name: &str) -> Option<Pinned<'m>> {
        let field = self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
        let prop = || self.props.and_then(|props| props.get(name)).map(pinned);
        let stat = || self.stats.and_then(|stats| stats.get(name)).map(|stat| Pinned::Number(stat.0.into()));
        let param = || self.params.and_then(|params| params.get(name)).map(|n| Pinned::Number((*n).into()));
        field.or_else(prop).or_else(stat).or_else(param)
    }

    pub fn names(&self) -> impl Iterator<Item = &'m str> {
        let params = self.params.into_iter().flat_map(|params| params.keys().map(String::as_str));
        self.fields.iter().map(|(name, _)| *name).chain(params).collect::<Vec<_>>().into_iter()
    }

    pub fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(Pinned::Number(n)) => n,
            Some(Pinned::Text(_)) | None => 0,
        }
    }
}

/// Whether a pin counts an item.
pub fn counts(pin: &schemas::Pin, item: &Item<'_>) -> bool {
    pin.filter.iter().all(|(name, wanted)| fits(item, name, wanted))
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

pub fn items(merged: &Merged, family: PinFamily) -> Vec<Item<'_>> {
    match family {
        PinFamily::Spaces => each(&merged.spaces, |place, space| {
            let home = space.home.as_ref().map(|home| ("home", Pinned::Text(home.as_str())));
            let fields = [("id", Pinned::Text(space.id.as_str())), ("kind", Pinned::Text(space.kind.as_str()))]
                .into_iter()
                .chain(home);
            Item { fields: fields.collect(), props: Some(&space.props), ..Item::at(place) }
        }),
        PinFamily::Factions => each(&merged.factions, |place, faction| {
            let playable = ("playable", Pinned::Number(faction.playable.into()));
            let fields = vec![
                ("id", Pinned::Text(faction.id.as_str())),
                ("group", Pinned::Text(faction.group.as_str())),
                playable,
            ];
            Item { fields, props: Some(&faction.props), ..Item::at(place) }
        }),
        PinFamily::Kinds => each(&merged.kinds, kind_item),
        PinFamily::Pieces => {
            let piles = merged
                .kinds
                .iter()
                .flat_map(|entry| entry.value.supply.iter().map(move |supply| (&entry.place, &*entry.value, supply)));
            let items = piles.map(|(place, kind, supply)| {
                let mut item = kind_item(place, kind);
                item.times = i64::from(supply.count);
                item.fields.extend(supply.faction.as_ref().map(|faction| ("faction", Pinned::Text(faction.as_str()))));
                item
            });
            items.collect()
        }
        PinFamily::Cards => {
            each(&merged.cards, |place, card| Item { times: i64::from(card.copies), ..card_item(place, card) })
        }
        PinFamily::Designs => each(&merged.cards, card_item),
        PinFamily::Edges => edges(merged),
        PinFamily::Zones => each(&merged.zones, |place, zone| Item {
            fields: vec![
                ("id", Pinned::Text(zone.id.as_str())),
                ("active", Pinned::Number(zone.active.into())),
                ("visible", Pinned::Text(zone.visible.word())),
            ],
            ..Item::at(place)
        }),
        PinFamily::Counters => each(&merged.counters, counter_item),
        PinFamily::Rules => each(&merged.rules, |place, rule| Item {
            fields: vec![("id", Pinned::Text(rule.id.as_str()))],
            params: Some(&rule.params),
            ..Item::at(place)
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
            let mut item = Item { times: i64::from(card.copies), ..card_item(&entry.place, card) };
            item.fields.extend(edge);
            items.push(item);
        }
    }
    items
}

/// An item for each entity.
fn each<'m, T>(list: &'m [Sourced<T>], item: impl Fn(&'m EntityPlace, &'m T) -> Item<'m>) -> Vec<Item<'m>> {
    list.iter().map(|entry| item(&entry.place, &entry.value)).collect()
}

fn counter_item<'m>(place: &'m EntityPlace, counter: &'m schemas::Counter) -> Item<'m> {
    let fields = [
        ("id", Pinned::Text(counter.id.as_str())),
        ("option", Pinned::Number(counter.option.into())),
        ("track", Pinned::Number(counter.track.into())),
        ("visible", Pinned::Text(counter.visible.word())),
    ];
    let bounds = [("min", counter.min), ("max", counter.max), ("start", counter.start), ("supply", counter.supply)];
    let bounds = bounds.into_iter().filter_map(|(name, value)| Some((name, Pinned::Number(value?.into()))));
    Item { fields: fields.into_iter().chain(bounds).collect(), ..Item::at(place) }
}

fn card_item<'m>(place: &'m EntityPlace, card: &'m schemas::Card) -> Item<'m> {
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
        ..Item::at(place)
    }
}

fn kind_item<'m>(place: &'m EntityPlace, kind: &'m schemas::Kind) -> Item<'m> {
    let fields = vec![
        ("id", Pinned::Text(kind.id.as_str())),
        ("kind", Pinned::Text(kind.id.as_str())),
        ("class", Pinned::Text(kind.class.as_str())),
        ("occupies", Pinned::Number(kind.occupies.into())),
    ];
    Item { fields, props: Some(&kind.props), stats: Some(&kind.stats), ..Item::at(place) }
}
