//! Properties in words: what the packs call them and their values.

use principes_core::Value;
use principes_model::{EntityInfo, EntityProp};

use crate::packs::OpenPacks;
use crate::words::{Words, humanize};

/// A property of an entity, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The key in the file.
    pub key: String,
    /// The keyword in the file, if the value is a keyword.
    pub word: Option<String>,
    /// The name that players see.
    pub name: String,
    /// The value that players see; `None` for a property that is true.
    pub value: Option<String>,
}

impl Fact {
    /// `Name: value`, or the name alone.
    pub fn label(&self) -> String {
        self.value.as_ref().map_or_else(|| self.name.clone(), |value| format!("{}: {value}", self.name))
    }
}

/// The properties and stats of an entity. Flags are left out if they are false.
pub fn facts(packs: &OpenPacks, words: &Words, entity: &EntityInfo) -> Vec<Fact> {
    let prop = packs.loaded.prop_values(entity.family, &entity.json);
    let fact = |prop: &EntityProp<'_>| {
        let is_told = prop.value.as_bool().unwrap_or(true);
        is_told.then(|| Fact {
            key: prop.key.to_owned(),
            word: prop.value.as_str().map(str::to_owned),
            name: name(words, prop),
            value: (!prop.value.is_boolean()).then(|| value(packs, words, prop)),
        })
    };
    prop.iter().filter_map(fact).collect()
}

/// The properties and stats of an entity, each as `Name: value`. A flag is only a name, and is left out if it is false.
pub fn labels(packs: &OpenPacks, words: &Words, entity: &EntityInfo) -> Vec<String> {
    facts(packs, words, entity).iter().map(Fact::label).collect()
}

fn message(words: &Words, key: &str) -> Option<String> {
    words.message(key, &[], None)
}

/// The name of a property that players see.
pub fn name(words: &Words, prop: &EntityProp<'_>) -> String {
    let own = prop.prop.and_then(|prop| message(words, &format!("prop.{}", prop.id)));
    own.or_else(|| message(words, &format!("word.{}", prop.key))).unwrap_or_else(|| humanize(prop.key))
}

/// The value of a property that players see.
pub fn value(packs: &OpenPacks, words: &Words, prop: &EntityProp<'_>) -> String {
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
