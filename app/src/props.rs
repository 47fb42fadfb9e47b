//! Properties in words for people: what the packs call them and their values.

use principes_core::Value;
use principes_model::{EntityInfo, PropValue};

use crate::packs::OpenPacks;
use crate::words::{Words, humanize};

/// The properties and stats of an entity, each as `Name: value`; of those that are true or false only the true ones, by
/// name alone.
pub fn labels(packs: &OpenPacks, words: &Words, entity: &EntityInfo) -> Vec<String> {
    let prop = packs.loaded.prop_values(entity.family, &entity.json);
    let line = |prop: &PropValue<'_>| {
        let name = name(words, prop);
        match prop.value.as_bool() {
            Some(yes) => yes.then_some(name),
            None => Some(format!("{name}: {}", value(packs, words, prop))),
        }
    };
    prop.iter().filter_map(line).collect()
}

fn message(words: &Words, key: &str) -> Option<String> {
    words.message(key, &[], None)
}

/// What players call a property.
pub(crate) fn name(words: &Words, prop: &PropValue<'_>) -> String {
    let own = prop.prop.and_then(|prop| message(words, &format!("prop.{}", prop.id)));
    own.or_else(|| message(words, &format!("word.{}", prop.key))).unwrap_or_else(|| humanize(prop.key))
}

/// What players call its value.
pub(crate) fn value(packs: &OpenPacks, words: &Words, prop: &PropValue<'_>) -> String {
    let Some(text) = prop.value.as_str() else { return prop.value.to_string() };
    match text.split_once(':') {
        Some(("card", id)) => words.title("card", id),
        Some((family, id)) => words.named(family, id),
        None => {
            let own = prop.prop.and_then(|prop| message(words, &format!("prop.{}.{text}", prop.id)));
            let word = || packs.catalog.symbol(text).map(|word| words.value(Value::Symbol(word), None));
            own.or_else(word).unwrap_or_else(|| humanize(text))
        }
    }
}
