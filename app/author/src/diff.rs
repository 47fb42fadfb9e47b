//! The changes between two packs, entity by entity.

use std::collections::{BTreeMap, BTreeSet};

use principes_app::digest::digest;
use principes_app::entity::face;
use principes_app::packs::OpenPacks;
use principes_model::EntityInfo;
use serde::Serialize;
use serde_json::Value as Json;

use crate::entity::flat;

/// A change of one entity or script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntityChange {
    /// Family and id: `cards:raid`.
    pub entity: String,
    /// Its title, after the change if there is one.
    pub title: String,
    /// What happened to it.
    #[serde(flatten)]
    pub change: Change,
}

/// What happened to an entity between the old and the new packs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Change {
    /// The entity is new.
    Added {
        /// Its fields by their paths, and its title and text.
        fields: BTreeMap<String, String>,
    },
    /// The entity was removed.
    Removed,
    /// Some fields have changed.
    Changed {
        /// The changed fields.
        fields: Vec<FieldChange>,
    },
}

/// A field that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Its path, such as `params.gold`.
    pub field: String,
    /// What it was; none if it was not there.
    pub from: Option<String>,
    /// The new value; `None` if the field was removed.
    pub to: Option<String>,
}

/// An entity in a form for comparison: its fields by path.
struct ComparedEntity {
    title: String,
    fields: BTreeMap<String, String>,
}

/// The changes between two sets of packs, sorted by family and id. Texts are compared in one language.
pub fn diff(old: &OpenPacks, new: &OpenPacks, language: &str) -> Vec<EntityChange> {
    let (old, new) = (sides(old, language), sides(new, language));
    let keys: BTreeSet<&(String, String)> = old.keys().chain(new.keys()).collect();
    let change = |key: &(String, String)| {
        let (title, change) = match (old.get(key), new.get(key)) {
            (None, Some(new)) => (&new.title, Change::Added { fields: new.fields.clone() }),
            (Some(old), None) => (&old.title, Change::Removed),
            (Some(old), Some(new)) => {
                let fields = changes(&old.fields, &new.fields);
                if fields.is_empty() {
                    return None;
                }
                (&new.title, Change::Changed { fields })
            }
            (None, None) => return None,
        };
        Some(EntityChange { entity: format!("{}:{}", key.0, key.1), title: title.clone(), change })
    };
    keys.into_iter().filter_map(change).collect()
}

fn changes(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<FieldChange> {
    let fields: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    fields
        .into_iter()
        .filter(|field| old.get(*field) != new.get(*field))
        .map(|field| FieldChange { field: field.clone(), from: old.get(field).cloned(), to: new.get(field).cloned() })
        .collect()
}

fn sides(packs: &OpenPacks, language: &str) -> BTreeMap<(String, String), ComparedEntity> {
    let words = packs.words(language);
    let side = |entity: &EntityInfo| {
        let family = entity.family.key();
        let mut fields = BTreeMap::new();
        flatten("", &entity.json, &mut fields);
        let (title, text) = face(packs, &words, entity);
        fields.insert("title".to_owned(), title.clone());
        if let Some(text) = text {
            fields.insert("text".to_owned(), text);
        }
        ((family.to_owned(), entity.id.clone()), ComparedEntity { title, fields })
    };
    let mut sides: BTreeMap<_, _> = packs.loaded.entities.iter().map(side).collect();
    // A changed script changes the effect of cards even if their entries stay the same.
    for script in &packs.loaded.scripts {
        let digest = digest(script.text.as_bytes());
        let fields = BTreeMap::from([
            ("lines".to_owned(), script.text.lines().count().to_string()),
            ("digest".to_owned(), digest),
        ]);
        sides.insert(
            ("scripts".to_owned(), script.module.clone()),
            ComparedEntity { title: script.module.clone(), fields },
        );
    }
    sides
}

/// The leaves of a JSON value by path. A list is one leaf: if two lists differ, both are shown completely.
fn flatten(path: &str, value: &Json, fields: &mut BTreeMap<String, String>) {
    match value {
        Json::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, fields);
            }
        }
        Json::Null => {}
        leaf => {
            fields.insert(path.to_owned(), flat(leaf));
        }
    }
}
