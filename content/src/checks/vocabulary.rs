//! The words in scripts and content, to find what nothing mentions.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use principes_analysis::{Mentions, constant_name};
use principes_core::catalog::{Keywords, Names};
use principes_model::Merged;
use principes_schemas::{self as schemas, Family};
use serde_json::Value;

/// The words of all scripts and of the content. A hostile pack chooses them, so their hashes are keyed.
pub struct KnownWords<'m> {
    /// The numbers of modules.
    modules: BTreeMap<&'m str, usize>,
    /// What each of them imports.
    imports: Vec<Vec<usize>>,
    /// The modules that have a name.
    speakers: HashMap<&'m str, Vec<usize>>,
    /// The modules whose imports were followed last, and whether each module is among those reached.
    reached: RefCell<(BTreeSet<usize>, Vec<bool>)>,
    /// Texts of all scripts.
    texts: HashSet<&'m str>,
    /// Texts to which scripts add the rest of a name, and whether they are its beginning.
    built: HashSet<(String, bool)>,
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
        let mut speakers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, spoken) in modules.values().enumerate() {
            spoken.names.iter().for_each(|name| speakers.entry(name).or_default().push(at));
        }
        let numbers: BTreeMap<&str, usize> = modules.keys().enumerate().map(|(at, module)| (*module, at)).collect();
        let number = |module: &String| numbers.get(module.as_str()).copied();
        let imports = modules.values().map(|spoken| spoken.imports.iter().filter_map(number).collect()).collect();
        let (mut content, mut ids) = (HashSet::new(), HashSet::new());
        for document in &merged.documents.0 {
            if !matches!(document.family, None | Some(Family::Messages | Family::Scenarios)) {
                collect(&document.value, &mut content, &mut ids);
            }
        }
        // The kernel itself offers these options.
        let mut kernel = Names::default();
        Keywords::intern(&mut kernel);
        let reached = RefCell::default();
        let parts = merged.scripts.iter().flat_map(|script| script.known.built());
        // Shorter texts fit too many names.
        let built = parts.filter(|(text, _)| text.len() > 2).collect();
        KnownWords { modules: numbers, imports, speakers, reached, texts, built, content, ids, kernel }
    }

    /// Whether a script has a word, as a name or as a text.
    pub fn says(&self, word: &str) -> bool {
        self.texts.contains(word) || self.speakers.contains_key(constant_name(word).as_str())
    }

    /// Whether a script has the beginning of a word, to which it may add the rest.
    pub fn says_begin(&self, word: &str) -> bool {
        let lua = constant_name(word);
        let begins = |name: &str| {
            let ends = name.char_indices().map(|(at, letter)| at + letter.len_utf8());
            ends.filter(|end| *end > 2).any(|end| self.texts.contains(&name[..end]))
        };
        begins(word) || begins(&lua)
    }

    /// Whether a script has a word, or may build it from a part of it.
    pub fn uses(&self, word: &str) -> bool {
        self.says(word) || self.builds(word)
    }

    /// Whether a script may build a word from a part of it.
    fn builds(&self, word: &str) -> bool {
        let builds = |(part, begins): &(String, bool)| match begins {
            true => word.starts_with(part),
            false => word.ends_with(part),
        };
        self.built.iter().any(builds)
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
        if self.texts.contains(param) || self.builds(param) || changes.any(|(_, amount)| named(amount)) {
            return true;
        }
        let Some(speakers) = self.speakers.get(constant_name(param).as_str()) else { return false };
        let starts = hooks.values().filter_map(|hook| Some(hook.function()?.0.rsplit_once('.')?.0));
        let starts: BTreeSet<usize> = starts.filter_map(|module| self.modules.get(module).copied()).collect();
        let mut last = self.reached.borrow_mut();
        if last.0 != starts {
            *last = (starts.clone(), self.reached_from(starts));
        }
        speakers.iter().any(|module| last.1.get(*module) == Some(&true))
    }

    /// Which modules these ones import, each also by others.
    fn reached_from(&self, starts: BTreeSet<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.imports.len()];
        let mut open: Vec<usize> = starts.into_iter().collect();
        while let Some(module) = open.pop() {
            if !std::mem::replace(&mut reached[module], true) {
                open.extend(self.imports[module].iter().filter(|module| !reached[**module]));
            }
        }
        reached
    }
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
