//! The ids that references may name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All ids that references may name.
#[derive(Debug, Default)]
pub struct Ids {
    families: BTreeMap<String, BTreeSet<String>>,
    /// Ids seen in files that could not be read: references to them are not reported.
    pub unsure: BTreeSet<String>,
}

impl Ids {
    /// Adds an id to a family.
    pub fn add(&mut self, family: &str, id: &str) {
        match self.families.get_mut(family) {
            Some(ids) => drop(ids.insert(id.to_owned())),
            None => drop(self.families.insert(family.to_owned(), BTreeSet::from([id.to_owned()]))),
        }
    }

    /// Whether a family has an id.
    pub fn has(&self, family: &str, id: &str) -> bool {
        self.families.get(family).is_some_and(|ids| ids.contains(id)) || self.unsure.contains(id)
    }

    /// Whether an entity of a family is known to have an id.
    pub(crate) fn has_surely(&self, family: &str, id: &str) -> bool {
        self.families.get(family).is_some_and(|ids| ids.contains(id))
    }

    /// The ids of a family.
    pub fn of(&self, family: &str) -> impl Iterator<Item = &str> {
        self.families.get(family).into_iter().flatten().map(String::as_str)
    }

    /// Whether the text of a reference names something that exists.
    pub(crate) fn resolves(&self, family: &str, text: &str) -> bool {
        match family {
            "owners" => ["factions", "spaces", "cards"].iter().any(|family| self.has(family, text)),
            "performers" => ["cards", "rules"].iter().any(|family| self.has(family, text)),
            "places" => text == "map" || self.has("spaces", text),
            "values" => match text.split_once(':') {
                Some((prefix, id)) => prop_family(prefix).is_some_and(|family| self.has(family, id)),
                None => true,
            },
            "scripts" => text.rsplit_once('.').is_none_or(|(module, _)| self.has("scripts", module)),
            _ => self.has(family, text),
        }
    }
}

pub(crate) const PROP_FAMILIES: [(&str, &str); 6] = [
    ("space", "spaces"),
    ("faction", "factions"),
    ("kind", "kinds"),
    ("card", "cards"),
    ("counter", "counters"),
    ("zone", "zones"),
];

/// The family that a prop's reference with this prefix names.
pub fn prop_family(prefix: &str) -> Option<&'static str> {
    PROP_FAMILIES.iter().find(|(name, _)| *name == prefix).map(|(_, family)| *family)
}

/// References that a schema has seen: texts by what they refer to.
#[derive(Clone, Debug, Default)]
pub struct SeenReferences(BTreeMap<Arc<str>, BTreeSet<String>>);

impl SeenReferences {
    pub(crate) fn add(&mut self, family: &Arc<str>, text: &str) {
        let texts = self.0.entry(Arc::clone(family)).or_default();
        if !texts.contains(text) {
            texts.insert(text.to_owned());
        }
    }

    /// Whether all of them exist. If so, the result of a schema check that assumed it is valid.
    pub fn resolve(&self, ids: &Ids) -> bool {
        self.0.iter().all(|(family, texts)| texts.iter().all(|text| ids.resolves(family, text)))
    }
}
