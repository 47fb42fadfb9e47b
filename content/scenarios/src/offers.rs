//! The options that decisions declare.

use std::collections::{BTreeMap, BTreeSet};

use principes_model::{EntityInfo, Loaded};
use principes_schemas::Family;

/// Keywords by the id of their decision.
pub(crate) type Offers = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn offers(loaded: &Loaded) -> Offers {
    let decisions = loaded.entities.iter().filter(|entity| entity.family == Family::Decisions);
    let words = |entity: &EntityInfo| {
        let list = entity.json.get("options").and_then(serde_json::Value::as_array);
        list.into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
    };
    decisions.map(|entity| (entity.id.clone(), words(entity))).collect()
}
