//! Properties in words for people: what the packs call them and their values.

use principes_content::load::{EntityInfo, SaidProp};
use principes_core::Value;

use crate::packs::OpenPacks;
use crate::words::{Words, humanize};

/// The properties and stats of an entity, each as `Name: value`; of those that are true or false only the true ones, by
/// name alone.
pub fn told(packs: &OpenPacks, words: &Words, entity: &EntityInfo) -> Vec<String> {
    let said = packs.loaded.said_props(entity.family, &entity.json);
    let line = |said: &SaidProp<'_>| {
        let name = name(words, said);
        match said.value.as_bool() {
            Some(yes) => yes.then_some(name),
            None => Some(format!("{name}: {}", value(packs, words, said))),
        }
    };
    said.iter().filter_map(line).collect()
}

fn message(words: &Words, key: &str) -> Option<String> {
    words.message(key, &[], None)
}

fn name(words: &Words, said: &SaidProp<'_>) -> String {
    let own = said.prop.and_then(|prop| message(words, &format!("prop.{}", prop.id)));
    own.or_else(|| message(words, &format!("word.{}", said.key))).unwrap_or_else(|| humanize(said.key))
}

fn value(packs: &OpenPacks, words: &Words, said: &SaidProp<'_>) -> String {
    let Some(text) = said.value.as_str() else { return said.value.to_string() };
    match text.split_once(':') {
        Some(("card", id)) => words.title("card", id),
        Some((family, id)) => words.named(family, id),
        None => {
            let own = said.prop.and_then(|prop| message(words, &format!("prop.{}.{text}", prop.id)));
            let word = || packs.catalog.symbol(text).map(|word| words.value(Value::Symbol(word), None));
            own.or_else(word).unwrap_or_else(|| humanize(text))
        }
    }
}
