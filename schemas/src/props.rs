//! The family of props: the fixed properties of entities, and their values.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::basics::*;

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

/// The entities that can have a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PropOwner {
    /// Factions, distinguished by `group`.
    Factions,
    /// Spaces, distinguished by `kind`.
    Spaces,
    /// Kinds of pieces, distinguished by `class`.
    Kinds,
    /// The `stats` of kinds of pieces: numbers that hooks may change.
    Stats,
    /// Cards, distinguished by `type`.
    Cards,
}

impl PropOwner {
    /// All of them.
    pub const ALL: [PropOwner; 5] =
        [PropOwner::Factions, PropOwner::Spaces, PropOwner::Kinds, PropOwner::Stats, PropOwner::Cards];

    /// The word in content files.
    pub fn name(self) -> &'static str {
        match self {
            PropOwner::Factions => "factions",
            PropOwner::Spaces => "spaces",
            PropOwner::Kinds => "kinds",
            PropOwner::Stats => "stats",
            PropOwner::Cards => "cards",
        }
    }

    /// The family whose entities have it.
    pub fn family(self) -> crate::Family {
        match self {
            PropOwner::Factions => crate::Family::Factions,
            PropOwner::Spaces => crate::Family::Spaces,
            PropOwner::Kinds | PropOwner::Stats => crate::Family::Kinds,
            PropOwner::Cards => crate::Family::Cards,
        }
    }

    /// The field that distinguishes these entities.
    pub fn group(self) -> &'static str {
        match self {
            PropOwner::Factions => "group",
            PropOwner::Spaces => "kind",
            PropOwner::Kinds | PropOwner::Stats => "class",
            PropOwner::Cards => "type",
        }
    }

    /// The field that a prop with its name declares; stats have none.
    pub fn field(self) -> Option<&'static str> {
        (self != PropOwner::Stats).then(|| self.group())
    }
}

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PropType {
    /// One of the `words`.
    Keyword,
    /// A whole number.
    Number,
    /// `true`; `false` means the same as leaving it out. Scripts read 1 and 0.
    Flag,
    /// Any word. Scripts cannot compare it with a keyword.
    Text,
    /// `space:` and an id.
    Space,
    /// `faction:` and an id.
    Faction,
    /// `kind:` and an id.
    Kind,
    /// `card:` and an id.
    Card,
    /// `counter:` and an id.
    Counter,
    /// `zone:` and an id.
    Zone,
}

impl PropType {
    /// The prefix of a reference, before the colon; `None` for other types.
    pub fn prefix(self) -> Option<&'static str> {
        Some(match self {
            PropType::Space => "space",
            PropType::Faction => "faction",
            PropType::Kind => "kind",
            PropType::Card => "card",
            PropType::Counter => "counter",
            PropType::Zone => "zone",
            PropType::Keyword | PropType::Number | PropType::Flag | PropType::Text => return None,
        })
    }

    /// What a value must be, in words.
    pub fn wanted(self) -> &'static str {
        match self {
            PropType::Keyword => "a keyword",
            PropType::Number => "a whole number",
            PropType::Flag => "true or false",
            PropType::Text => "a word",
            PropType::Space => "`space:` and an id",
            PropType::Faction => "`faction:` and an id",
            PropType::Kind => "`kind:` and an id",
            PropType::Card => "`card:` and an id",
            PropType::Counter => "`counter:` and an id",
            PropType::Zone => "`zone:` and an id",
        }
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
