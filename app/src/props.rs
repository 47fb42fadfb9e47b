//! Properties in words for people: what the packs call them and their values.

use principes_core::Value;
use principes_schemas::{Prop, PropOwner, PropType};
use serde_json::Value as Json;

use crate::packs::OpenPacks;
use crate::words::{Words, humanize};

/// The properties and stats of an entity, each as `Name: value`; of those that are true or false only the true ones, by
/// name alone.
pub fn told(packs: &OpenPacks, words: &Words, family: &str, entity: &Json) -> Vec<String> {
    let mut list = Vec::new();
    for of in PropOwner::ALL.into_iter().filter(|of| of.family().key() == family) {
        let members = if of == PropOwner::Stats { "stats" } else { "props" };
        let group = entity[of.group()].as_str().unwrap_or_default();
        for (key, value) in entity[members].as_object().into_iter().flatten() {
            let props = packs.loaded.props.iter().map(|prop| &**prop);
            let prop = props.into_iter().find(|prop| prop.of == of && prop.key() == key && prop.is_for(group));
            let name = label(words, prop, key);
            match value.as_bool() {
                Some(yes) => list.extend(yes.then_some(name)),
                None => list.push(format!("{name}: {}", self::value(packs, words, prop, value))),
            }
        }
    }
    list
}

fn message(words: &Words, key: &str) -> Option<String> {
    words.message(key, &[], None)
}

fn label(words: &Words, prop: Option<&Prop>, key: &str) -> String {
    let own = prop.and_then(|prop| message(words, &format!("prop.{}", prop.id)));
    own.or_else(|| message(words, &format!("word.{key}"))).unwrap_or_else(|| humanize(key))
}

fn value(packs: &OpenPacks, words: &Words, prop: Option<&Prop>, value: &Json) -> String {
    let Some(text) = value.as_str() else { return value.to_string() };
    match text.split_once(':') {
        Some(("card", id)) => words.title("card", id),
        Some((family, id)) => words.named(family, id),
        None => {
            let own = prop.filter(|prop| prop.value == PropType::Keyword);
            let own = own.and_then(|prop| message(words, &format!("prop.{}.{text}", prop.id)));
            let word = || packs.catalog.symbol(text).map(|word| words.value(Value::Symbol(word), None));
            own.or_else(word).unwrap_or_else(|| humanize(text))
        }
    }
}
