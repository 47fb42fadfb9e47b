//! A game that can be played, and where in its files the parts are.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use principes_analysis::Mentions;
use principes_core::Catalog;
use principes_core::scripts::ScriptError;
use principes_findings::Finding;
use principes_json::Documents;
use principes_schemas::{self as schemas, Family};
use principes_scripting::{LuaHost, ScriptSource};

use crate::history::History;
use crate::look::Looks;
use crate::messages::Messages;
use crate::pack::PackInfo;
use crate::place::EntityPlace;
use crate::rulebook::RulesFile;

/// An entity as the packs declare it, for displays and comparisons.
#[derive(Clone, Debug)]
pub struct EntityInfo {
    /// Which family declares it.
    pub family: Family,
    /// Unique in its family.
    pub id: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Packs that declared and changed it, in load order.
    pub packs: Vec<String>,
    /// Its JSON with patches applied; null if a patch removed it.
    pub json: Arc<serde_json::Value>,
    /// Where it is declared.
    pub place: EntityPlace,
    /// What patches did to it.
    pub history: Option<History>,
}

/// A scenario with its place.
#[derive(Clone, Debug)]
pub struct LoadedScenario {
    /// The scenario as the file describes it.
    pub scenario: Arc<schemas::Scenario>,
    /// Id of its pack.
    pub pack: String,
    /// Path of its file inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Text of the file.
    pub text: Arc<str>,
    /// Pointer to it in the file.
    pub pointer: String,
}

/// Packs that can be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the kernel needs.
    pub catalog: Arc<Catalog>,
    /// Script modules, by name.
    pub scripts: Vec<ScriptSource>,
    /// Messages of all languages.
    pub messages: Arc<Messages>,
    /// Scenarios of all packs.
    pub scenarios: Vec<LoadedScenario>,
    /// The rules as prose, in load order of their packs.
    pub rulebooks: Vec<RulesFile>,
    /// What the things of the game look like.
    pub look: Arc<Looks>,
    /// What the designers say about the balance of the game.
    pub promises: Vec<Arc<schemas::Promises>>,
    /// The declared props.
    pub props: Vec<Arc<schemas::Prop>>,
    /// The game's manifest.
    pub manifest: schemas::Pack,
    /// All packs in load order.
    pub packs: Vec<PackInfo>,
    /// In load order.
    pub entities: Vec<EntityInfo>,
    /// Entities that patches removed.
    pub removed: Vec<EntityInfo>,
    /// The digest of all files that affect games.
    pub fingerprint: String,
    /// [`Loaded::meaning`], once it is known.
    pub known_meaning: OnceLock<String>,
    /// What the check found that stops no game.
    pub warnings: Vec<Finding>,
    /// Where all of this is in the files.
    pub origins: Origins,
}

/// Where the parts of a game are in its files. Findings about the game point there.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Texts of scripts, by file as users name it.
    pub texts: BTreeMap<String, Arc<str>>,
    /// The names and texts in the scripts, by file as users name it.
    pub mentions: BTreeMap<String, Arc<Mentions>>,
    /// The JSON files of all packs, without the manifests.
    pub documents: Arc<Documents>,
    /// The place of each hook in the content, as a finding without a message.
    pub hooks: Vec<Option<Finding>>,
}

/// How a script host is made: [`LuaHost::new`] or [`LuaHost::counting_lines`].
pub type MakeHost = fn(Arc<Catalog>, &[ScriptSource]) -> Result<LuaHost, Vec<ScriptError>>;

impl Loaded {
    /// The keys that a key in a file stands for: several if it has placeholders of a series.
    pub fn keys_of(&self, key: &str) -> Vec<String> {
        if !key.contains('{') {
            return vec![key.to_owned()];
        }
        let filled = |card: &EntityInfo| {
            let member = self.origins.documents.0.get(card.place.document)?.member(&card.place.pointer)?;
            let key = member.fill(key)?;
            key.starts_with(&format!("card.{}.", card.id)).then_some(key)
        };
        self.entities.iter().filter(|entity| entity.family == Family::Cards).filter_map(filled).collect()
    }

    /// The names and texts in a script.
    pub fn mentions(&self, script: &ScriptSource) -> Arc<Mentions> {
        // A stub may have replaced the script.
        let is_it = self.origins.texts.get(&script.path).is_some_and(|text| **text == *script.text);
        let known = self.origins.mentions.get(&script.path).filter(|_| is_it);
        known.map_or_else(|| Arc::new(principes_analysis::mentions(&script.text)), Arc::clone)
    }

    /// A script host for these packs, or the findings about scripts that cannot be loaded.
    pub fn host(&self) -> Result<LuaHost, Vec<Finding>> {
        self.host_with(Arc::clone(&self.catalog), LuaHost::new)
    }

    /// A script host that `make` creates for a catalog, such as a changed copy of this game's.
    pub fn host_with(&self, catalog: Arc<Catalog>, make: MakeHost) -> Result<LuaHost, Vec<Finding>> {
        make(catalog, &self.scripts).map_err(|errors| errors.iter().map(|error| self.script_finding(error)).collect())
    }

    /// The game without its files, entities, scenarios and findings. What is left is enough to play.
    pub fn only_to_play(self) -> Self {
        self.meaning();
        let origins = Origins { mentions: BTreeMap::new(), documents: Arc::default(), ..self.origins };
        Loaded {
            scenarios: Vec::new(),
            rulebooks: Vec::new(),
            entities: Vec::new(),
            removed: Vec::new(),
            warnings: Vec::new(),
            origins,
            ..self
        }
    }
}
