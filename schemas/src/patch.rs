//! Changes to entities of an earlier pack.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::basics::*;

entity! {
    /// A change to one entity of an earlier pack. It has exactly one of `set`, `replace` and `remove`.
    #[schemars(extend("oneOf" = [{"required": ["set"]}, {"required": ["replace"]}, {"required": ["remove"]}]))]
    pub struct Patch {
        /// Family of the entity.
        of: PatchFamily,
        /// Id of the entity.
        id: Id,
        /// A pack of `optional`: without it the patch is left out.
        #[serde(default)]
        with: Option<PackId>,
        /// Fields to change: objects are merged, null takes a field away, everything else takes the place of what was.
        #[serde(default)]
        set: Option<Map<String, Value>>,
        /// The whole entity anew, without its id.
        #[serde(default)]
        replace: Option<Map<String, Value>>,
        /// `true`: the entity is gone.
        #[serde(default)]
        #[schemars(extend("const" = true))]
        remove: Option<bool>,
    }
}

/// Families whose entities can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PatchFamily {
    /// Props.
    Props,
    /// Factions.
    Factions,
    /// Spaces.
    Spaces,
    /// Kinds of pieces.
    Kinds,
    /// Counters.
    Counters,
    /// Zones.
    Zones,
    /// Cards.
    Cards,
    /// Rules.
    Rules,
    /// Hook points.
    Points,
    /// Decision kinds.
    Decisions,
    /// Phases, nested ones too.
    Phases,
    /// Procedures.
    Procedures,
    /// Variants.
    Variants,
    /// Pins.
    Pins,
}

impl PatchFamily {
    /// The family key.
    pub fn key(self) -> &'static str {
        match self {
            PatchFamily::Props => "props",
            PatchFamily::Factions => "factions",
            PatchFamily::Spaces => "spaces",
            PatchFamily::Kinds => "kinds",
            PatchFamily::Counters => "counters",
            PatchFamily::Zones => "zones",
            PatchFamily::Cards => "cards",
            PatchFamily::Rules => "rules",
            PatchFamily::Points => "points",
            PatchFamily::Decisions => "decisions",
            PatchFamily::Phases => "phases",
            PatchFamily::Procedures => "procedures",
            PatchFamily::Variants => "variants",
            PatchFamily::Pins => "pins",
        }
    }
}
