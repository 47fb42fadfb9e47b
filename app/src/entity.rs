//! Entities of packs as people see them: their titles and texts.

use principes_model::EntityInfo;

use crate::packs::OpenPacks;
use crate::words::Words;

/// The title of an entity, and its text if it has one.
pub fn face(packs: &OpenPacks, words: &Words, entity: &EntityInfo) -> (String, Option<String>) {
    let (catalog, id) = (&packs.catalog, &entity.id);
    match entity.family.key().trim_end_matches('s') {
        "card" => (words.title("card", id), catalog.design(id).and_then(|design| words.card_text(design))),
        "rule" => (words.title("rule", id), catalog.rule(id).and_then(|rule| words.rule_text(rule))),
        "decision" => (words.message(&format!("decision.{id}"), &[], None).unwrap_or_else(|| id.clone()), None),
        family => (words.named(family, id), None),
    }
}
