//! Trained players as files of packs.

use std::collections::BTreeMap;

use principes_core::Catalog;
use principes_core::bots::features::{OptionFeature, PositionFeatures};
use principes_core::catalog::Trained;
use principes_json::shape::shape;
use serde_json::{Value, json};

/// Where a pack keeps its player.
pub const PATH: &str = "bots/player.bot.json";

/// Weights of positions by name, and of options by decision, verb and thing.
type Verbs = BTreeMap<String, BTreeMap<String, i32>>;

/// A trained player as a file of the pack, in the canonical format.
pub fn text(catalog: &Catalog, id: &str, trained: &Trained, games: u64, seed: u64) -> String {
    let named = PositionFeatures::names(catalog).into_iter().zip(&trained.value);
    let value: BTreeMap<String, Value> =
        named.filter(|(_, ends)| **ends != [0, 0]).map(|(name, ends)| (name, json!(ends))).collect();
    let mut policy: BTreeMap<String, Verbs> = BTreeMap::new();
    for (feature, weight) in trained.policy() {
        // A name has five parts; `OptionFeature::parse` reads the same ones.
        let name = OptionFeature(*feature).name(catalog);
        let parts: Vec<&str> = name.split(' ').collect();
        let [aspect, decision, verb, thing, number] = parts[..] else { continue };
        let verbs = policy.entry(decision.to_owned()).or_default();
        verbs.entry(format!("{aspect} {verb}")).or_default().insert(format!("{thing} {number}"), *weight);
    }
    let bot = json!({
        "id": id,
        "usualEnd": trained.usual_end,
        "training": { "games": games, "seed": seed },
        "value": value,
        "policy": policy,
    });
    let plain = json!({ "bots": [bot] }).to_string();
    // The file was just made, so it has a form; without one, it would still be a file.
    shape(PATH, PATH, plain.as_bytes()).unwrap_or(plain)
}
