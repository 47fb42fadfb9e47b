//! The words in scripts and content, to find what nothing mentions.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use principes_analysis::Mentions;
use principes_core::catalog::{Keywords, Names};
use principes_model::Merged;
use principes_schemas::{self as schemas, Family};
use serde_json::Value;

/// The words of all scripts and of the content. A hostile pack chooses them, so their hashes are keyed.
pub struct KnownWords<'m> {
    modules: BTreeMap<&'m str, &'m Mentions>,
    /// Texts and names of all scripts.
    texts: HashSet<&'m str>,
    names: HashSet<&'m str>,
    content: HashSet<&'m str>,
    ids: HashSet<&'m str>,
    kernel: Names,
}

impl<'m> KnownWords<'m> {
    /// The words of some packs.
    pub fn new(merged: &'m Merged) -> Self {
        let modules: BTreeMap<&str, &Mentions> =
            merged.scripts.iter().map(|script| (script.module.as_str(), &**script.known.mentions())).collect();
        let texts = modules.values().flat_map(|spoken| &spoken.texts).map(String::as_str).collect();
        let names = modules.values().flat_map(|spoken| &spoken.names).map(String::as_str).collect();
        let (mut content, mut ids) = (HashSet::new(), HashSet::new());
        for document in &merged.documents.0 {
            if !matches!(document.family, None | Some(Family::Messages | Family::Scenarios)) {
                collect(&document.value, &mut content, &mut ids);
            }
        }
        // The kernel itself offers these options.
        let mut kernel = Names::default();
        Keywords::intern(&mut kernel);
        KnownWords { modules, texts, names, content, ids, kernel }
    }

    /// Whether a script has a word, as a name or as a text.
    pub fn says(&self, word: &str) -> bool {
        self.texts.contains(word) || self.names.contains(lua_name(word).as_str())
    }

    /// Whether a script has the beginning of a word, to which it may add the rest.
    pub fn says_begin(&self, word: &str) -> bool {
        let lua = lua_name(word);
        let begins = |text: &&str| text.len() > 2 && (word.starts_with(*text) || lua.starts_with(*text));
        self.texts.iter().any(begins)
    }

    /// Whether the content has a word, as a key or as a text that is not an id itself.
    pub fn content(&self, word: &str) -> bool {
        self.content.contains(word)
    }

    /// Whether a word is an id, or a name of the kernel.
    pub fn id(&self, word: &str) -> bool {
        self.ids.contains(word) || self.kernel.find(word).is_some()
    }

    /// Whether one of these hooks reads a param of their entity. A change names the param; a script may read it by a
    /// computed name.
    pub fn reads(&self, hooks: &schemas::Hooks, param: &str) -> bool {
        let named = |amount: &schemas::Amount| matches!(amount, schemas::Amount::Param(name) if name == param);
        let mut changes = hooks.values().filter_map(schemas::Hook::change).flat_map(schemas::HookChange::amounts);
        if self.texts.contains(param) || changes.any(|(_, amount)| named(amount)) {
            return true;
        }
        let lua = lua_name(param);
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> =
            hooks.values().filter_map(|hook| Some(hook.function()?.0.rsplit_once('.')?.0)).collect();
        while let Some(module) = open.pop() {
            let Some(spoken) = self.modules.get(module).filter(|_| seen.insert(module)) else { continue };
            if spoken.names.contains(&lua) {
                return true;
            }
            open.extend(spoken.imports.iter().map(String::as_str));
        }
        false
    }
}

fn lua_name(id: &str) -> String {
    id.replace(['-', '.'], "_")
}

fn collect<'m>(value: &'m Value, words: &mut HashSet<&'m str>, ids: &mut HashSet<&'m str>) {
    match value {
        Value::String(text) => {
            words.insert(text.split_once(':').map_or(text.as_str(), |(_, id)| id));
        }
        Value::Array(list) => list.iter().for_each(|item| collect(item, words, ids)),
        Value::Object(object) => {
            for (key, item) in object {
                words.insert(key);
                if let Some(id) = item.as_str().filter(|_| key == "id") {
                    ids.insert(id);
                } else {
                    collect(item, words, ids);
                }
            }
        }
        _ => {}
    }
}
