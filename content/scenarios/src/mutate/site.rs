//! A place where a mistake could be made, and the names that it could take.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use principes_core::ids::SpaceId;
use principes_lua::constant_name;
use principes_model::Loaded;
use principes_schemas::Family;

use super::class::Class;

/// A change of a text.
pub struct Site {
    pub class: Class,
    pub range: Range<usize>,
    pub with: String,
}

/// Names that could take the place of the right one by mistake.
#[derive(Default)]
pub struct NamePool {
    /// Ids by family, in the order of their files.
    pub ids: BTreeMap<String, Vec<String>>,
    /// The tables of constants with the names in them.
    pub constants: BTreeMap<&'static str, Vec<String>>,
    /// `module.function` of every function that the content names.
    pub functions: Vec<String>,
    /// Constants of the derived counters. Only these have a second value, beyond their bounds.
    pub derived: BTreeSet<String>,
    /// Whether every way on the board can be taken in both directions.
    pub mutual: bool,
}

impl NamePool {
    pub fn of(&self, family: &str) -> impl Iterator<Item = &str> + Clone {
        self.ids.get(family).into_iter().flatten().map(String::as_str)
    }

    /// The other functions of a module.
    pub fn functions_beside<'a>(&'a self, function: &'a str) -> impl Iterator<Item = &'a str> + Clone {
        let module = |function: &'a str| function.rsplit_once('.').map(|(module, _)| module);
        self.functions.iter().map(String::as_str).filter(move |other| module(other) == module(function))
    }

    pub fn gather(loaded: &Loaded) -> NamePool {
        let mut names = NamePool::default();
        for entity in &loaded.entities {
            names.ids.entry(entity.family.key().to_owned()).or_default().push(entity.id.clone());
        }
        for (table, family) in Family::with_handles().filter_map(|family| Some((family.spec().handle?, family))) {
            names.constants.insert(table, names.of(family.key()).map(constant_name).collect());
        }
        let hooks = loaded.catalog.hooks.iter().filter(|hook| hook.change.is_none());
        let functions: BTreeSet<String> = hooks.map(|hook| format!("{}.{}", hook.module, hook.function)).collect();
        names.functions = functions.into_iter().collect();
        let catalog = &loaded.catalog;
        let derived = catalog.counters.iter().filter(|counter| counter.derived.is_some());
        names.derived = derived.map(|counter| constant_name(&counter.id)).collect();
        names.mutual = catalog.spaces.iter().enumerate().all(|(here, space)| {
            let leads_back = |there: &SpaceId| catalog.spaces[there.index()].exits.contains(&SpaceId::at(here));
            space.exits.iter().all(leads_back)
        });
        names
    }
}

/// A word with two letters swapped, as happens in fast typing.
pub fn typo(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    // The first letter is rarely wrong.
    match (1..letters.len().saturating_sub(1)).find(|at| letters[*at] != letters[at + 1]) {
        Some(at) => {
            let mut changed = letters;
            changed.swap(at, at + 1);
            changed.into_iter().collect()
        }
        None => format!("{word}x"),
    }
}
