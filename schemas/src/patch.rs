//! Changes to entities of an earlier pack.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::basics::*;

entity! {
    /// A change to one entity of an earlier pack. It has exactly one of `set`, `replace`, `remove`, `add` and `take`.
    #[schemars(extend("oneOf" = [
        {"required": ["set"]}, {"required": ["replace"]}, {"required": ["remove"]}, {"required": ["add"]},
        {"required": ["take"]}
    ]))]
    pub struct Patch {
        /// Family of the entity.
        of: PatchFamily,
        /// Id of the entity.
        id: Id,
        /// A pack listed in `optional`. The patch applies only if that pack is loaded.
        #[serde(default)]
        with: Option<PackId>,
        /// The fields to change. Objects are merged, null removes a field, and any other value replaces the old one.
        #[serde(default)]
        set: Option<Map<String, Value>>,
        /// The new entity as a whole, without its id.
        #[serde(default)]
        replace: Option<Map<String, Value>>,
        /// `true` to remove the entity. Spaces of earlier packs lose it as a neighbor.
        #[serde(default)]
        #[schemars(extend("const" = true))]
        remove: Option<bool>,
        /// Items to add at the end of lists, by field.
        #[serde(default)]
        add: Option<BTreeMap<String, Vec<Value>>>,
        /// Items to remove from lists, by field. For an object, the members that identify it are enough.
        #[serde(default)]
        take: Option<BTreeMap<String, Vec<Value>>>,
    }
}

/// Families whose entities can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PatchFamily {
    /// Declared properties and stats.
    Props,
    /// The powers of the game.
    Factions,
    /// Places on the board.
    Spaces,
    /// Kinds of pieces.
    Kinds,
    /// Numbers of the game, its factions, spaces and cards.
    Counters,
    /// Places for cards.
    Zones,
    /// Card designs.
    Cards,
    /// Hooks that are live without a card.
    Rules,
    /// Hook points.
    Points,
    /// What seats can be asked.
    Decisions,
    /// Phases, including nested ones.
    Phases,
    /// Settings of the kernel's procedures.
    Procedures,
    /// Named sets of setup options.
    Variants,
    /// What things look like.
    Looks,
    /// Counts and sums that must be right.
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
            PatchFamily::Looks => "looks",
            PatchFamily::Pins => "pins",
        }
    }
}
