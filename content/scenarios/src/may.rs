//! What cards and rules declare with `may`, and whether their hooks keep to it.

use std::collections::BTreeMap;

use principes_core::Event;
use principes_core::catalog::Catalog;
use principes_core::ids::*;
use principes_model::{Allowed, EntityInfo};
use principes_scripting::{Effect, EffectKind};
use serde_json::Value as Json;

use crate::hooks::hook_name;

/// The declarations of all cards and rules that have one.
#[derive(Clone, Debug, Default)]
pub struct Limits(BTreeMap<(&'static str, String), Vec<Allowed>>);

/// A hook that changed something that its card or rule does not declare.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overstep {
    /// Family of the card or rule.
    pub family: &'static str,
    /// Of the card or rule that declares too little.
    pub id: String,
    /// The message: the hook, what it changed, and whose it was.
    pub message: String,
    /// The entry that the declaration lacks.
    pub missing: String,
}

impl Limits {
    /// The declarations of some entities.
    pub fn of(entities: &[EntityInfo]) -> Self {
        let list = |entity: &EntityInfo| {
            let may = entity.json.get("may")?.as_array()?;
            let allowed = may.iter().filter_map(Json::as_str).filter_map(Allowed::read).collect();
            Some(((entity.family.key(), entity.id.clone()), allowed))
        };
        Limits(entities.iter().filter_map(list).collect())
    }

    /// Whether no entity has a declaration.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The effects that no declaration allows, each kind once.
    pub fn beyond(&self, catalog: &Catalog, effects: &[Effect]) -> Vec<Overstep> {
        let mut found: Vec<Overstep> = Vec::new();
        for effect in effects {
            let (family, id) = match effect.source {
                Value::Card(card) => ("cards", catalog.design_of(card).id.as_str()),
                Value::Design(design) => ("cards", catalog.designs[design.index()].id.as_str()),
                Value::Rule(rule) => ("rules", catalog.rules[rule.index()].id.as_str()),
                _ => continue,
            };
            let Some(allowed) = self.0.get(&(family, id.to_owned())) else { continue };
            for (thing, whose) in touched(catalog, &effect.kind) {
                let is_own = whose.map(|whose| effect.owner == Some(whose));
                let fits =
                    |allowed: &Allowed| allowed.thing == thing && (allowed.own.is_none() || allowed.own == is_own);
                if allowed.iter().any(fits) || follows_control(catalog, allowed, &effect.kind) {
                    continue;
                }
                let (of, prefix) = match (whose, is_own) {
                    (Some(whose), Some(true)) => {
                        (format!(" of its owner {}", catalog.id_of(Value::Faction(whose))), "own ")
                    }
                    (Some(whose), _) => (format!(" of {}", catalog.id_of(Value::Faction(whose))), "other "),
                    (None, _) => (String::new(), ""),
                };
                let hook = hook_name(catalog, effect.hook);
                let overstep = Overstep {
                    family,
                    id: id.to_owned(),
                    message: format!("{hook} changes `{thing}`{of}, which `{id}` does not declare in `may`"),
                    missing: format!("{prefix}{thing}"),
                };
                if !found.iter().any(|known| known.id == overstep.id && known.missing == overstep.missing) {
                    found.push(overstep);
                }
            }
        }
        found
    }
}

/// Whether an effect only changes points for control, and control is declared.
fn follows_control(catalog: &Catalog, allowed: &[Allowed], kind: &EffectKind) -> bool {
    let EffectKind::Event(Event::Counter { counter, .. }) = kind else { return false };
    let of_spaces = catalog.spaces.iter().flat_map(|space| &space.on_control);
    let mut scores = of_spaces.chain(catalog.kinds.iter().flat_map(|kind| &kind.on_control));
    allowed.iter().any(|allowed| allowed.thing == "control") && scores.any(|score| score.counter == *counter)
}

/// The things that an effect changes, each with its owner. A card that moves changes both zones.
fn touched(catalog: &Catalog, kind: &EffectKind) -> Vec<(String, Option<FactionId>)> {
    let word = |word: &str| vec![(word.to_owned(), None)];
    let named = |family: &str, value: Value, whose| (format!("{family}:{}", catalog.id_of(value)), whose);
    let zone = |zone: ZoneId| {
        let (kind, owner) = catalog.zone_list[zone.index()];
        named("zone", Value::Zone(kind), owner)
    };
    match kind {
        EffectKind::Move => word("movement"),
        EffectKind::Fight => word("battle"),
        EffectKind::Event(event) => match *event {
            Event::Counter { counter, owner, .. } => {
                let whose = match owner {
                    Value::Faction(faction) => Some(faction),
                    _ => None,
                };
                vec![named("counter", Value::Counter(counter), whose)]
            }
            Event::Piece { piece, owner, .. } => {
                vec![named("kind", Value::Kind(catalog.pieces[piece.index()].kind), owner)]
            }
            Event::Given { piece, from, to, .. } => {
                let kind = Value::Kind(catalog.pieces[piece.index()].kind);
                vec![named("kind", kind, from), named("kind", kind, to)]
            }
            Event::Card { from, to, .. } if from == to => vec![zone(from)],
            Event::Card { from, to, .. } => vec![zone(from), zone(to)],
            // A tile that is laid also changes its zone, which is another event.
            Event::Tile { .. } => Vec::new(),
            Event::Shuffled { zone: shuffled } => vec![zone(shuffled)],
            Event::Control { .. } => word("control"),
            Event::Rolled { .. } => word("dice"),
            Event::Battle { .. } | Event::Face { .. } | Event::Count { .. } | Event::BattleWon { .. } => word("battle"),
            Event::Eliminated { .. } | Event::Over { .. } => word("end"),
            Event::Phase { .. } | Event::Revealed { .. } | Event::Chosen { .. } | Event::Log { .. } => Vec::new(),
        },
    }
}
