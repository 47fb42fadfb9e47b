//! Building blocks of all families: ids, references, properties, hooks, provenance.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::family::Family;

/// The form of an id.
pub const ID_PATTERN: &str = r"^[a-z0-9-]+(\.[a-z0-9-]+)*$";
/// The form of the name of a prop or param.
pub const NAME_PATTERN: &str = r"^[a-z][a-z0-9_-]*$";
/// The form of the id of a pack.
pub const PACK_ID_PATTERN: &str = r"^[a-z0-9-]+$";
/// The form of a version.
pub const VERSION_PATTERN: &str = r"^[0-9]+\.[0-9]+\.[0-9]+([-+].*)?$";
/// The form of the name of a script function: module, dot, function.
pub const FUNCTION_PATTERN: &str = r"^[a-z0-9_-]+(/[a-z0-9_-]+)*\.[A-Za-z_][A-Za-z0-9_]*$";

/// The maximum length of a name, in characters.
pub const NAME_LENGTH: usize = 64;
/// The maximum length of a function's name, in characters, including the path of its module.
pub const FUNCTION_LENGTH: usize = 200;

/// A string type whose schema is a pattern and, for references, the family it refers to.
macro_rules! strings {
    ($($(#[doc = $doc:literal])* $name:ident { $($key:literal: $value:expr),* $(,)? })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The text as written in the file.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", $($key: $value),*})
            }
        }
    )*};
}
pub(crate) use strings;

strings! {
    /// An id: lower-case words, joined by `-` or `.`, unique in its family.
    Id { "pattern": ID_PATTERN, "maxLength": NAME_LENGTH }
    /// A keyword: a word that scripts and messages know.
    Keyword { "pattern": ID_PATTERN, "maxLength": NAME_LENGTH }
    /// The name of a prop, a param, or a placeholder.
    Name { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// A text with placeholders: `{suit}-{rank}`.
    SeriesText { "pattern": r"\{[a-z0-9_-]+\}" }
    /// `module.function`: the module is the path of a script in its pack, without `.lua`.
    Function { "pattern": FUNCTION_PATTERN, "maxLength": FUNCTION_LENGTH, "x-ref": "scripts" }
    /// The `id` in the manifest of a pack.
    PackId { "pattern": PACK_ID_PATTERN, "maxLength": NAME_LENGTH }
    /// A version: `1.2.3`.
    Version { "pattern": VERSION_PATTERN }
    /// A version range: `^1.2`, `>=1.0, <2.0`, `*`.
    VersionRange { "minLength": 1 }
    /// A reference to a faction.
    FactionRef { "x-ref": "factions" }
    /// A reference to a space.
    SpaceRef { "x-ref": "spaces" }
    /// A reference to a kind of piece.
    KindRef { "x-ref": "kinds" }
    /// A reference to a counter.
    CounterRef { "x-ref": "counters" }
    /// A reference to a zone.
    ZoneRef { "x-ref": "zones" }
    /// A reference to a card design.
    CardRef { "x-ref": "cards" }
    /// A reference to a decision.
    DecisionRef { "x-ref": "decisions" }
    /// A reference to a phase.
    PhaseRef { "x-ref": "phases" }
    /// A reference to a hook point.
    PointRef { "x-ref": "points" }
    /// The id of a faction, space or card that owns a value.
    OwnerRef { "x-ref": "owners" }
    /// The id of a card or rule whose hooks can be run on their own.
    PerformerRef { "x-ref": "performers" }
    /// A space, or a keyword such as `map` that means several spaces.
    PlaceRef { "x-ref": "places" }
}

/// The smallest whole number allowed in content. Scripts use the numbers below it as handles.
pub const LEAST_WHOLE: i32 = -2_146_435_072;

/// The value of a prop: a whole number, true (1) or false (0), a keyword, or a reference such as `space:harbor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PropValue {
    /// `true` is 1, `false` is 0.
    Bool(bool),
    /// A whole number.
    Int(i32),
    /// A keyword or, with a colon, a reference.
    Text(String),
}

impl JsonSchema for PropValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PropValue".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let references: Vec<String> =
            Family::with_handles().map(|family| format!("`{}:…`", family.singular())).collect();
        let references = references.join(", ");
        json_schema!({
            "description": format!("A whole number, true (1) or false (0), a keyword, or a reference: {references}."),
            "type": ["integer", "boolean", "string"],
            "minimum": LEAST_WHOLE,
            "maximum": i32::MAX,
            "minLength": 1,
            "x-ref": "values",
        })
    }
}

/// A value as in a card, or a text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum OrSeries<T> {
    /// The same value for all cards.
    Plain(T),
    /// A text with placeholders.
    Series(SeriesText),
}

/// A map whose keys follow a pattern or refer to a family. The plain map type would lose that in its schema.
macro_rules! maps {
    ($($(#[doc = $doc:literal])* $name:ident<$value:ty> { $($key:literal: $rule:expr),* })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub std::collections::BTreeMap<String, $value>);

        impl std::ops::Deref for $name {
            type Target = std::collections::BTreeMap<String, $value>;
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let value = generator.subschema_for::<$value>();
                json_schema!({"type": "object", "propertyNames": {$($key: $rule),*}, "additionalProperties": value})
            }
        }
    )*};
}
pub(crate) use maps;

maps! {
    /// Properties by name, as files of `props` declare them.
    Props<PropValue> { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// Numbers by name, read by both the text and the hooks of an entity.
    Params<i32> { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// Numbers by name, or texts that are one placeholder of a series.
    SeriesParams<OrSeries<i32>> { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// Hooks by the hook point they listen to.
    SeriesHooks<OrSeries<Hook>> { "x-ref": "points" }
    /// Numbers by name, read by procedures and scripts; never negative.
    Stats<Stat> { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// Hooks by the hook point they listen to.
    Hooks<Hook> { "x-ref": "points" }
    /// Values of setup options by counter.
    OptionValues<i32> { "x-ref": "counters" }
    /// Version ranges by pack.
    Requirements<VersionRange> { "pattern": PACK_ID_PATTERN, "maxLength": NAME_LENGTH }
    /// Reasons by the code of the allowed warning.
    Allow<AllowReason> { "pattern": CODE_PATTERN }
    /// Message texts by key.
    MessageTexts<crate::MessageText> { "pattern": r"^[a-z0-9_{}-]+(\.[a-z0-9_{}-]+)*$" }
}

/// The form of the code of a finding.
pub(crate) const CODE_PATTERN: &str = "^P[0-9]{4}$";

/// Why the warning is allowed, for the next reader.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct AllowReason(#[schemars(length(min = 1), regex(pattern = r"\S"))] pub String);

/// A stat of a kind of piece, 0 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Stat(#[schemars(range(min = 0, max = 1000))] pub i32);

/// What runs at a hook point: a script function, one with a priority, or a change of the value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Hook {
    /// `module.function`.
    Function(Function),
    /// A function with a priority, or one that stays.
    Ranked(RankedHook),
    /// A change of the value, without a script.
    Change(HookChange),
}

/// A change of the value of a query point: `{"add": "gold", "for": "owner"}`. The parts apply in this order: `set`, `times`,
/// `add` and `subtract`, `least`, `most`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub struct HookChange {
    /// The new value.
    #[serde(default)]
    pub set: Option<Amount>,
    /// The factor to multiply by.
    #[serde(default)]
    pub times: Option<Amount>,
    /// The amount to add.
    #[serde(default)]
    pub add: Option<Amount>,
    /// The amount to subtract.
    #[serde(default)]
    pub subtract: Option<Amount>,
    /// The smallest allowed result.
    #[serde(default)]
    pub least: Option<Amount>,
    /// The largest allowed result.
    #[serde(default)]
    pub most: Option<Amount>,
    /// Who is affected. Default: everybody.
    #[serde(default, rename = "for")]
    pub whom: ChangeFor,
    /// Lower numbers run first. Default: 0.
    #[serde(default)]
    pub priority: i16,
}

impl HookChange {
    /// The amounts, each with the field that gives it.
    pub fn amounts(&self) -> impl Iterator<Item = (&'static str, &Amount)> {
        let all = [
            ("set", &self.set),
            ("times", &self.times),
            ("add", &self.add),
            ("subtract", &self.subtract),
            ("least", &self.least),
            ("most", &self.most),
        ];
        all.into_iter().filter_map(|(field, amount)| Some((field, amount.as_ref()?)))
    }
}

/// A number, or the name of a param of the same card or rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Amount {
    /// The number itself.
    Number(i32),
    /// The param that holds it.
    Param(String),
}

/// Who is affected by a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeFor {
    /// The change applies whatever the arguments of the point are.
    #[default]
    Everybody,
    /// The owner of the card or rule: the first value that the point passes must be that faction.
    Owner,
}

/// A script function, and how it runs among the listeners of the same hook point.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankedHook {
    /// `module.function`.
    pub run: Function,
    /// Lower numbers run first. Default: 0.
    #[serde(default)]
    pub priority: i16,
    /// Whether an effect hook of a card runs even if an earlier hook at the same hook point has moved the card out of
    /// its zone, or eliminated its owner. Default: false.
    #[serde(default)]
    pub stays: bool,
}

impl Hook {
    /// The function, if there is one.
    pub fn function(&self) -> Option<&Function> {
        match self {
            Hook::Function(function) => Some(function),
            Hook::Ranked(ranked) => Some(&ranked.run),
            Hook::Change(_) => None,
        }
    }
    /// The change, if there is one.
    pub fn change(&self) -> Option<&HookChange> {
        match self {
            Hook::Change(change) => Some(change),
            Hook::Function(_) | Hook::Ranked(_) => None,
        }
    }
    /// Lower numbers run first.
    pub fn priority(&self) -> i16 {
        match self {
            Hook::Function(_) => 0,
            Hook::Ranked(ranked) => ranked.priority,
            Hook::Change(change) => change.priority,
        }
    }
    /// Whether it runs even if its card is gone by then.
    pub fn stays(&self) -> bool {
        matches!(self, Hook::Ranked(RankedHook { stays: true, .. }))
    }
}

/// Where an entity comes from. Give at least one of the three.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub struct Provenance {
    /// The page of the rulebook that defines it: `p. 27`.
    #[serde(default)]
    pub rulebook: Option<String>,
    /// The note or ruling that led to its design for this edition.
    #[serde(default)]
    pub designed: Option<String>,
    /// The ruling that settles what the rulebook leaves open.
    #[serde(default)]
    pub ruling: Option<String>,
}

/// Declares an entity: the named fields, then `allow`, `notes` and `provenance`, which every entity has.
macro_rules! entity {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:ty,)* }) => {
        #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $ty,)*
            /// Warnings to allow here: the code of each, with the reason.
            #[serde(default)]
            pub allow: $crate::Allow,
            /// A remark for other designers; the game ignores it.
            #[serde(default)]
            pub notes: Option<String>,
            /// Where it comes from.
            #[serde(default)]
            pub provenance: Option<$crate::Provenance>,
        }
    };
}
pub(crate) use entity;

/// For `#[serde(default = …)]`.
pub(crate) fn yes() -> bool {
    true
}

/// For `#[serde(default = …)]`.
pub(crate) fn one() -> u16 {
    1
}
