//! What the references in content files may name: the meaning of `x-ref` in the schemas.

use crate::family::Family;

/// What a reference may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceKind {
    /// An entity of a family.
    Entity(Family),
    /// An entity of any of several families, or a word.
    Alias(&'static Alias),
    /// A function of a script: the module must exist.
    Script,
    /// An entity, if a value of a prop has a colon: the family stands before it.
    Value,
}

/// A name for several families.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alias {
    /// As `x-ref` writes it.
    pub key: &'static str,
    /// Those whose ids it may be, in the order in which they are searched.
    pub families: &'static [Family],
    /// A word that may stand in place of an id.
    pub word: Option<&'static str>,
}

/// Every alias that a schema writes.
pub const ALIASES: &[Alias] = &[
    Alias { key: "owners", families: &[Family::Factions, Family::Spaces, Family::Cards], word: None },
    Alias { key: "performers", families: &[Family::Cards, Family::Rules], word: None },
    Alias { key: "places", families: &[Family::Spaces], word: Some("map") },
];

impl ReferenceKind {
    /// The meaning of an `x-ref`; `None` if there is no such reference.
    pub fn of(key: &str) -> Option<ReferenceKind> {
        match key {
            "scripts" => Some(ReferenceKind::Script),
            "values" => Some(ReferenceKind::Value),
            _ => {
                let alias = || ALIASES.iter().find(|alias| alias.key == key).map(ReferenceKind::Alias);
                Family::with_key(key).map(ReferenceKind::Entity).or_else(alias)
            }
        }
    }

    /// As `x-ref` writes it.
    pub fn key(self) -> &'static str {
        match self {
            ReferenceKind::Entity(family) => family.key(),
            ReferenceKind::Alias(alias) => alias.key,
            ReferenceKind::Script => "scripts",
            ReferenceKind::Value => "values",
        }
    }

    /// The families whose ids it may be. Functions and values are not ids.
    pub fn families(self) -> &'static [Family] {
        match self {
            ReferenceKind::Entity(family) => family.alone(),
            ReferenceKind::Alias(alias) => alias.families,
            ReferenceKind::Script | ReferenceKind::Value => &[],
        }
    }

    /// The word that may stand in place of an id.
    pub fn word(self) -> Option<&'static str> {
        match self {
            ReferenceKind::Alias(alias) => alias.word,
            _ => None,
        }
    }

    /// What messages call one of the things that it may name: `faction, space or card`. Empty for functions and values.
    pub fn noun(self) -> String {
        let nouns: Vec<&str> = self.families().iter().map(|family| family.noun()).collect();
        match nouns.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn references(schema: &Value, found: &mut Vec<String>) {
        match schema {
            Value::Object(object) => {
                found.extend(object.get("x-ref").and_then(Value::as_str).map(str::to_owned));
                object.values().for_each(|value| references(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_of_the_schemas_has_a_meaning() {
        let mut found = Vec::new();
        crate::all().iter().for_each(|(_, schema)| references(schema, &mut found));
        for key in &found {
            assert_eq!(ReferenceKind::of(key).map(ReferenceKind::key), Some(key.as_str()));
        }
        for alias in ALIASES {
            assert!(found.iter().any(|key| key == alias.key), "nothing refers to `{}`", alias.key);
        }
    }

    #[test]
    fn a_reference_is_told_by_its_families() {
        let noun = |key| ReferenceKind::of(key).map(ReferenceKind::noun);
        assert_eq!(noun("owners").as_deref(), Some("faction, space or card"));
        assert_eq!(noun("performers").as_deref(), Some("card or rule"));
        assert_eq!(noun("points").as_deref(), Some("hook point"));
        assert_eq!(noun("owner"), None);
    }
}
