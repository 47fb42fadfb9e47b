//! Changes to entities of an earlier pack.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::basics::*;
use crate::family::PatchFamily;

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
