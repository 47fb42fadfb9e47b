//! The family of props: the fixed properties of entities, and their values.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::{Value, json};

use crate::basics::*;
use crate::family::{Family, PropOwner};

entity! {
    /// A property that entities may have, or a keyword that they must have: its name, its values and the entities that
    /// have it. A property that no pack declares is an error.
    pub struct Prop {
        /// Unique among props, e.g. `court.timing`. Its name for players is the message `prop.<id>`.
        id: Id,
        /// The entities that have it.
        of: PropOwner,
        /// Only entities of these card types, kinds of spaces, classes of pieces or groups of factions. Default: all.
        #[serde(default, rename = "in")]
        only: Vec<Keyword>,
        /// Its name in content and scripts. Default: the last word of the id. `type` of cards, `kind` of spaces,
        /// `class` of kinds and `group` of factions declare the keywords that those fields allow.
        #[serde(default)]
        key: Option<PropKey>,
        /// The type of its values.
        #[serde(rename = "type")]
        value: PropType,
        /// Its keywords, each with one sentence. Only with the type `keyword`.
        #[serde(default)]
        words: PropWords,
        /// Its smallest value. Only with the type `number`.
        #[serde(default)]
        min: Option<i32>,
        /// Its largest value. Only with the type `number`.
        #[serde(default)]
        max: Option<i32>,
        /// Whether everything that may have it must have it.
        #[serde(default)]
        required: bool,
        /// The value for entities that do not set it. Not with `required`.
        #[serde(default)]
        default: Option<PropValue>,
        /// What it means: one sentence.
        doc: String,
    }
}

impl Prop {
    /// Its name in content and scripts.
    pub fn key(&self) -> &str {
        let last = || self.id.as_str().rsplit('.').next().unwrap_or_default();
        self.key.as_ref().map_or_else(last, PropKey::as_str)
    }

    /// Whether it declares a field that every entity of its family has, not a property.
    pub fn is_field(&self) -> bool {
        self.of.field() == Some(self.key())
    }

    /// Whether the entities with this type, kind, class or group may have it.
    pub fn is_for(&self, group: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| word.as_str() == group)
    }
}

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropType {
    /// One of the `words`.
    Keyword,
    /// A whole number.
    Number,
    /// `true`; `false` means the same as leaving it out. Scripts read 1 and 0.
    Flag,
    /// Any word. Scripts cannot compare it with a keyword.
    Text,
    /// An entity of this family: its singular, a colon and an id.
    Entity(Family),
}

impl PropType {
    /// All of them, in the order in which they are listed for users.
    pub fn all() -> impl Iterator<Item = PropType> {
        let plain = [PropType::Keyword, PropType::Number, PropType::Flag, PropType::Text];
        plain.into_iter().chain(Family::with_handles().map(PropType::Entity))
    }

    /// The word in content files.
    pub fn word(self) -> &'static str {
        match self {
            PropType::Keyword => "keyword",
            PropType::Number => "number",
            PropType::Flag => "flag",
            PropType::Text => "text",
            PropType::Entity(family) => family.singular(),
        }
    }

    /// The prefix of a reference, before the colon; `None` for other types.
    pub fn prefix(self) -> Option<&'static str> {
        match self {
            PropType::Entity(family) => Some(family.singular()),
            _ => None,
        }
    }

    /// What a value must be, in words.
    pub fn wanted(self) -> String {
        match self {
            PropType::Keyword => "a keyword".to_owned(),
            PropType::Number => "a whole number".to_owned(),
            PropType::Flag => "true or false".to_owned(),
            PropType::Text => "a word".to_owned(),
            PropType::Entity(family) => format!("`{}:` and an id", family.singular()),
        }
    }

    /// What it means, for editors.
    fn doc(self) -> String {
        match self {
            PropType::Keyword => "One of the `words`.".to_owned(),
            PropType::Number => "A whole number.".to_owned(),
            PropType::Flag => "`true`; `false` means the same as leaving it out. Scripts read 1 and 0.".to_owned(),
            PropType::Text => "Any word. Scripts cannot compare it with a keyword.".to_owned(),
            PropType::Entity(_) => format!("{}.", self.wanted()),
        }
    }
}

impl<'de> Deserialize<'de> for PropType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        PropType::all().find(|of| of.word() == word).ok_or_else(|| D::Error::custom(format!("unknown type `{word}`")))
    }
}

impl JsonSchema for PropType {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PropType".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let types: Vec<Value> =
            PropType::all().map(|of| json!({"type": "string", "const": of.word(), "description": of.doc()})).collect();
        json_schema!({"description": "The type of a property's values.", "oneOf": types})
    }
}

/// The name of a property.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct PropKey(pub String);

impl PropKey {
    /// The text as written in the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for PropKey {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PropKey".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH})
    }
}

/// Keywords, each with a sentence that says what it means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct PropWords(pub BTreeMap<String, String>);

impl std::ops::Deref for PropWords {
    type Target = BTreeMap<String, String>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl JsonSchema for PropWords {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PropWords".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "propertyNames": {"pattern": ID_PATTERN, "maxLength": NAME_LENGTH},
            "additionalProperties": {"type": "string", "minLength": 1},
        })
    }
}
