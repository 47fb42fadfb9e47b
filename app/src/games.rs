//! The games that a player can choose, and what can be chosen in each.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;

use principes_content::packs::folders_in;
use principes_core::Value;
use principes_source::{PackSource, base_game, built_in, folder};
use schemars::JsonSchema;
use serde::Serialize;

use crate::packs::OpenPacks;
use crate::words::Words;

/// A pack, as its manifest describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PackBrief {
    /// The id in the manifest.
    pub id: String,
    /// The title in the manifest, in the language of its author.
    pub title: String,
    /// A sentence about it; empty if the manifest has none.
    pub description: String,
    /// The languages of its texts.
    pub languages: Vec<String>,
}

/// A game, as its manifest describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GameBrief {
    /// Its id, title and sentence.
    #[serde(flatten)]
    pub pack: PackBrief,
    /// The least and greatest number of seats.
    pub seats: (u64, u64),
    /// The packs that can be added to it.
    pub adds: Vec<PackBrief>,
}

/// What a player can choose in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OfferedSetup {
    /// The playable factions, in seat order.
    pub factions: Vec<OfferedFaction>,
    /// The least and greatest number of seats.
    pub seats: (u8, u8),
    /// The variants, without the usual game; empty if there is only that.
    pub variants: Vec<OfferedVariant>,
    /// The setup options, in the order of the packs.
    pub options: Vec<OfferedSetting>,
    /// Whether the packs bring a trained player.
    pub trained: bool,
}

/// A faction that can be led.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OfferedFaction {
    /// Its id, as `seats` of a setup name it.
    pub id: String,
    /// Its name in the language of the words.
    pub name: String,
    /// Its color, as a word.
    pub color: String,
    /// The faction that sits opposite in a game of two, if the packs recommend one.
    pub rival: Option<String>,
}

/// A variant that can be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OfferedVariant {
    /// Its id, as `variant` of a setup names it.
    pub id: String,
    /// Its name, after which the packs may explain it.
    pub name: String,
    /// The least and greatest number of seats.
    pub seats: (u8, u8),
}

/// A number that can be set before the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OfferedSetting {
    /// The id of its counter.
    pub id: String,
    /// The name of its counter.
    pub name: String,
    /// The packs' explanation.
    pub help: Option<String>,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// The value without a choice.
    pub start: i32,
}

/// All packs in these folders and in the program, those in folders first, each id once.
fn all(search: &[PathBuf]) -> Vec<(Arc<dyn PackSource>, serde_json::Value)> {
    let on_disk = search.iter().flat_map(|place| folders_in(place)).map(folder);
    let inside = built_in().iter().map(|pack| Arc::new(pack.clone()) as Arc<dyn PackSource>);
    let mut found: Vec<(Arc<dyn PackSource>, serde_json::Value)> = Vec::new();
    for source in on_disk.chain(inside) {
        // A byte order mark hides no game; the check of the pack reports it.
        let parsed =
            |bytes: Vec<u8>| serde_json::from_slice(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes)).ok();
        let manifest = source.read("pack.json").ok().and_then(parsed);
        let is_named = |manifest: &serde_json::Value| manifest["id"].is_string();
        let Some(manifest) = manifest.filter(is_named) else { continue };
        if !found.iter().any(|(_, known)| known["id"] == manifest["id"]) {
            found.push((source, manifest));
        }
    }
    found
}

fn brief(manifest: &serde_json::Value) -> PackBrief {
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_owned();
    let languages = manifest["languages"].as_array().into_iter().flatten();
    let languages = languages.filter_map(|code| code.as_str().map(str::to_owned)).collect();
    PackBrief { id: text("id"), title: text("title"), description: text("description"), languages }
}

/// The games in these folders and in the program: the base game, then those with the most files.
pub fn games(search: &[PathBuf]) -> Vec<GameBrief> {
    let packs = all(search);
    let is_game = |manifest: &serde_json::Value| manifest["kind"] == "game";
    let base = base_game().and_then(|pack| pack.read("pack.json").ok());
    let base = base.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    let base = base.map(|manifest| brief(&manifest).id);
    let game = |manifest: &serde_json::Value| {
        let pack = brief(manifest);
        let is_for_it = |other: &&serde_json::Value| !is_game(other) && other["requires"].get(&pack.id).is_some();
        let adds = packs.iter().map(|(_, other)| other).filter(is_for_it).map(brief).collect();
        let seats = |end: &str| manifest["seats"][end].as_u64().unwrap_or(1);
        GameBrief { seats: (seats("min"), seats("max")), adds, pack }
    };
    let mut games: Vec<GameBrief> =
        packs.iter().map(|(_, manifest)| manifest).filter(|manifest| is_game(manifest)).map(game).collect();
    let size = |id: &str| {
        let source = packs.iter().find(|(_, manifest)| manifest["id"] == id).map(|(source, _)| source);
        source.and_then(|source| source.list().ok()).map_or(0, |files| files.len())
    };
    games.sort_by_cached_key(|game| (Some(&game.pack.id) != base.as_ref(), Reverse(size(&game.pack.id))));
    games
}

/// What a player can choose in a game.
pub fn offer(packs: &OpenPacks, words: &Words) -> OfferedSetup {
    let catalog = &packs.catalog;
    let faction = |faction: &principes_core::catalog::Faction| OfferedFaction {
        id: faction.id.clone(),
        name: words.named("faction", &faction.id),
        color: faction.color.clone(),
        rival: faction.rival.map(|rival| catalog.factions[rival.index()].id.clone()),
    };
    let options = (0..catalog.counters.len()).map(principes_core::CounterId::at);
    let option = |counter: principes_core::CounterId| {
        let spec = &catalog.counters[counter.index()];
        spec.option.then(|| OfferedSetting {
            id: spec.id.clone(),
            name: words.value(Value::Counter(counter), None),
            help: words.message(&format!("counter.{}.help", spec.id), &[], None),
            min: spec.min,
            max: spec.max,
            start: spec.start,
        })
    };
    let variant = |variant: &principes_core::catalog::Variant| OfferedVariant {
        id: variant.id.clone(),
        name: words.named("variant", &variant.id),
        seats: variant.seats,
    };
    OfferedSetup {
        factions: catalog.factions.iter().take(catalog.playable).map(faction).collect(),
        seats: catalog.seats,
        variants: catalog.variants.iter().map(variant).collect(),
        options: options.filter_map(option).collect(),
        trained: catalog.trained.is_some(),
    }
}
