//! Messages and pins.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::basics::*;
use crate::family::PinFamily;

/// A text that players see, or one text for each plural form. `{name}` is replaced by a value; `{{` and `}}` are
/// literal braces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MessageText {
    /// One text for every number.
    Plain(String),
    /// A text for each plural form of a number.
    Plural(PluralText),
}

/// One text for each plural form of the language.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PluralText {
    /// The name of the value that decides the form.
    pub by: String,
    /// For 1 in most languages.
    #[serde(default)]
    pub one: Option<String>,
    /// For 2 to 4, 22 to 24… in Slavic languages.
    #[serde(default)]
    pub few: Option<String>,
    /// For 0, 5 to 21, 25… in Slavic languages.
    #[serde(default)]
    pub many: Option<String>,
    /// For everything else.
    #[serde(default)]
    pub other: Option<String>,
}

entity! {
    /// A number that must be right when the pack is loaded, so that a bad edit fails in `check`, not during a game.
    #[schemars(extend("oneOf" = [{"required": ["count"]}, {"required": ["sum", "is"]}]))]
    pub struct Pin {
        /// Unique among pins.
        id: Id,
        /// What to count.
        of: PinFamily,
        /// Only entities with these values: `id`, `kind`, `home`, `group`, `playable`, `type`, `class`, `faction`,
        /// `occupies`, `zone`, `active`, `option`, `track`, `visible`, `edge`, or any prop.
        #[serde(default, rename = "where")]
        filter: std::collections::BTreeMap<String, PropValue>,
        /// How many there must be.
        #[serde(default)]
        #[schemars(range(min = 0))]
        count: Option<i32>,
        /// The prop, stat or param to add up, or `min`, `max`, `start` or `supply` of counters.
        #[serde(default)]
        sum: Option<Keyword>,
        /// What the sum must be.
        #[serde(default)]
        is: Option<i32>,
    }
}
