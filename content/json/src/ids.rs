//! The ids that references may name.

use std::collections::{BTreeMap, BTreeSet};

use principes_schemas::{Family, ReferenceKind};

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
    pub(crate) fn resolves(&self, reference: ReferenceKind, text: &str) -> bool {
        match reference {
            ReferenceKind::Entity(_) | ReferenceKind::Alias(_) => {
                reference.families().iter().any(|family| self.has(family.key(), text)) || reference.word() == Some(text)
            }
            ReferenceKind::Script => text.rsplit_once('.').is_none_or(|(module, _)| self.has("scripts", module)),
            ReferenceKind::Value => match text.split_once(':') {
                Some((prefix, id)) => Family::of_value(prefix).is_some_and(|family| self.has(family.key(), id)),
                None => true,
            },
        }
    }
}

/// References that a schema has seen: texts by what they refer to.
#[derive(Clone, Debug, Default)]
pub struct SeenReferences(BTreeMap<ReferenceKind, BTreeSet<String>>);

impl SeenReferences {
    pub(crate) fn add(&mut self, reference: ReferenceKind, text: &str) {
        let texts = self.0.entry(reference).or_default();
        if !texts.contains(text) {
            texts.insert(text.to_owned());
        }
    }

    /// Whether all of them exist. If so, the result of a schema check that assumed it is valid.
    pub fn resolve(&self, ids: &Ids) -> bool {
        self.0.iter().all(|(reference, texts)| texts.iter().all(|text| ids.resolves(*reference, text)))
    }
}
