//! What is on the face of a card.

use std::sync::Arc;

use principes_app::entity::face;
use principes_app::packs::OpenPacks;
use principes_app::props::{Fact, facts};
use principes_app::words::{Words, humanize};
use principes_core::{DesignId, Value};
use principes_model::{Looks, Picture};
use principes_schemas::{CardFrame, CardGround, CardSize, Color, PropPlace};

use super::emblem;
use crate::look::faction_color;
use crate::theme::{color, is_color, tint};
use crate::tile::Plan;

/// The width and height of a card in the drawing, for every size. The proportions are those of a poker card.
pub const SIZE: (f64, f64) = (250.0, 350.0);
/// The width of the colored edge.
pub(super) const EDGE: f64 = 9.0;
/// The distance from the border of the card to the text.
pub(super) const INSET: f64 = 21.0;

/// The content of a card.
#[derive(Clone, Debug)]
pub struct Face {
    /// The id of the design.
    pub id: String,
    /// Already in the language of the viewer.
    pub title: String,
    /// The name of its card type, already in the language of the viewer.
    pub card_type: String,
    /// The text, with numbers filled in.
    pub text: String,
    /// The flavor text, which has no effect.
    pub flavor: String,
    /// The props, in words.
    pub facts: Vec<String>,
    /// The number of copies.
    pub copies: u16,
    /// The color of the edge, such as `#c8352b`.
    pub color: String,
    /// The size in print.
    pub size: CardSize,
    /// The props that are shown below the text.
    pub(super) shown: Vec<Shown>,
    pub(super) emblem: Emblem,
    pub(super) frame: CardFrame,
    pub(super) pattern: CardGround,
}

/// A prop on a card.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub name: String,
    pub value: Option<String>,
    /// Both, in words.
    pub label: String,
    /// The path and the color of its symbol.
    pub symbol: Option<(String, Option<String>)>,
    /// Whether the symbol stands for the prop, whatever its value is.
    pub is_general: bool,
    pub place: PropPlace,
}

impl Shown {
    pub(super) fn of(look: &Looks, fact: Fact) -> Option<Shown> {
        let own = look.props.get(&fact.key);
        let is_color_only = own.is_none() && fact.word.as_deref().is_some_and(is_color);
        if own.is_some_and(|own| !own.show) || is_color_only {
            return None;
        }
        let value = fact.word.clone().or_else(|| fact.value.clone()).unwrap_or_default();
        let emblem = own.and_then(|own| own.values.get(&value));
        let named = emblem.and_then(|emblem| emblem.symbol.as_ref()).or(own.and_then(|own| own.symbol.as_ref()));
        let color = emblem.and_then(|emblem| emblem.color.as_ref()).or(own.and_then(|own| own.color.as_ref()));
        let symbol = look.symbol(named).map(|path| (path.to_owned(), color.map(|color| color.0.clone())));
        let is_general = emblem.is_none_or(|emblem| emblem.symbol.is_none());
        let place = own.map(|own| own.place).unwrap_or_default();
        let label = fact.label();
        Some(Shown { label, name: fact.name, value: fact.value, symbol, is_general, place })
    }
}

/// The emblem above the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Emblem {
    /// Arms that are derived from the id.
    Arms,
    /// The path of a symbol.
    Symbol(String),
    /// From a look, in a box above the text.
    Picture(Arc<Picture>),
    /// The drawn plan of a tile.
    Tile(String),
}

impl Face {
    /// The face of a design, in the language of the words.
    pub fn of(packs: &OpenPacks, words: &Words, design: DesignId) -> Face {
        let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
        let spec = &catalog.designs[design.index()];
        let id = catalog.symbols.name(spec.card_type.index());
        let entity = packs.loaded.entities.iter().find(|entity| entity.family.key() == "cards" && entity.id == spec.id);
        let (title, text) = entity.map_or_else(|| (spec.id.clone(), None), |entity| face(packs, words, entity));
        let facts = entity.map(|entity| facts(packs, words, entity)).unwrap_or_default();
        let (own, typed) = (look.cards.get(&spec.id), look.types.get(id));
        let named = own.and_then(|card| card.symbol.as_ref());
        let path = look.symbol(named.or(typed.and_then(|kind| kind.symbol.as_ref())));
        let emblem = match (look.pictures.get(&spec.id), Plan::printed(catalog, design), path) {
            (Some(picture), ..) => Emblem::Picture(Arc::clone(picture)),
            (None, Some(plan), _) => Emblem::Tile(emblem::tile(&plan, look)),
            (None, None, Some(path)) => Emblem::Symbol(path.to_owned()),
            (None, None, None) => Emblem::Arms,
        };
        Face {
            id: spec.id.clone(),
            title,
            card_type: type_name(words, id),
            text: text.unwrap_or_default(),
            flavor: words.message_lines(&format!("card.{}.flavor", spec.id), &[], None).unwrap_or_default(),
            facts: facts.iter().map(Fact::label).collect(),
            copies: spec.copies,
            color: color_of(packs, design),
            size: typed.map(|kind| kind.size).unwrap_or_default(),
            shown: in_order(packs, facts).into_iter().filter_map(|fact| Shown::of(look, fact)).collect(),
            emblem,
            frame: typed.map(|kind| kind.frame).unwrap_or_default(),
            pattern: typed.map(|kind| kind.ground).unwrap_or_default(),
        }
    }

    /// Everything on the card, in words.
    pub(super) fn told(&self) -> String {
        let facts = if self.facts.is_empty() { String::new() } else { format!(" {}.", self.facts.join("; ")) };
        format!("{}. {}{facts}", self.title, self.text)
    }
}

/// Facts in the order in which their props are declared.
fn in_order(packs: &OpenPacks, mut facts: Vec<Fact>) -> Vec<Fact> {
    let place = |fact: &Fact| packs.loaded.props.iter().position(|prop| prop.key() == fact.key);
    facts.sort_by_cached_key(|fact| place(fact).unwrap_or(usize::MAX));
    facts
}

/// The color of a design: its own, or that of its faction, of a property or of its type.
pub(super) fn color_of(packs: &OpenPacks, design: DesignId) -> String {
    let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
    let spec = &catalog.designs[design.index()];
    let faction = spec.faction.map(|faction| &catalog.factions[faction.index()]);
    let card_type = catalog.symbols.name(spec.card_type.index());
    let named = |color: Option<&Color>| color.map(|color| color.0.clone());
    named(look.cards.get(&spec.id).and_then(|card| card.color.as_ref()))
        .or_else(|| faction.map(|faction| faction_color(look, &faction.id, &faction.color)))
        .or_else(|| own_color(packs, design))
        .or_else(|| named(look.types.get(card_type).and_then(|kind| kind.color.as_ref())))
        .unwrap_or_else(|| tint(card_type))
}

/// The color that a prop of a design names.
fn own_color(packs: &OpenPacks, design: DesignId) -> Option<String> {
    let catalog = &packs.catalog;
    let named = |value: &Value| match value {
        Value::Symbol(word) => Some(catalog.symbols.name(word.index())).filter(|word| is_color(word)),
        _ => None,
    };
    catalog.designs[design.index()].props.0.iter().find_map(|(_, value)| named(value)).map(color)
}

/// What a card type is called.
pub(super) fn type_name(words: &Words, id: &str) -> String {
    if words.is_named("type", id) { words.named("type", id) } else { humanize(id) }
}
