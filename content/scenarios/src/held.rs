//! Scenarios that are held back, because something that they use is broken.
//!
//! Scenarios depend on the content, and on the script modules and messages that they used. While one of these is
//! broken, failing scenarios are held back, and no random games are played. Of the scenarios that fail without a known
//! cause, three are reported.

use std::collections::BTreeSet;

use principes_core::catalog::Catalog;
use principes_findings::Subject;
use principes_model::{Loaded, LoadedScenario, Recovered, called_functions};
use principes_source::FileRole;

use crate::result::ScenarioResult;

/// What is broken, as far as scenarios use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BrokenParts {
    /// Whether something that every game needs is broken.
    pub everything: bool,
    /// Script modules, and those that import them.
    modules: BTreeSet<String>,
    /// Keys of messages.
    messages: BTreeSet<String>,
    /// Whether a file of messages cannot be read. If so, any key may be broken.
    any_message: bool,
    /// Files and pointers of scenarios.
    scenarios: BTreeSet<(String, String)>,
}

impl BrokenParts {
    /// What is broken according to the findings of a check.
    pub fn of(recovered: &Recovered) -> Self {
        let game = recovered.game();
        let mut broken = BrokenParts::default();
        for finding in recovered.findings().iter().filter(|finding| finding.is_error()) {
            broken.add(game, &finding.file, &finding.pointer);
            for part in &finding.breaks {
                if let Subject::Part { file, pointer } = part {
                    broken.add(game, file, pointer);
                }
            }
        }
        let importers = game.scripts.iter().map(|script| (script, game.mentions(script)));
        let importers: Vec<_> = importers.collect();
        loop {
            let before = broken.modules.len();
            for (script, mentions) in &importers {
                if mentions.imports.iter().any(|module| broken.modules.contains(module)) {
                    broken.modules.insert(script.module.clone());
                }
            }
            if broken.modules.len() == before {
                return broken;
            }
        }
    }

    /// Notes that a part of a file is broken.
    fn add(&mut self, game: &Loaded, file: &str, pointer: &str) {
        if let Some(script) = game.scripts.iter().find(|script| script.path == file) {
            self.modules.insert(script.module.clone());
            return;
        }
        let document = game.origins.documents.0.iter().find(|document| document.file == file);
        match document.map(|document| FileRole::of(&document.path)) {
            Some(FileRole::Messages(_)) => match pointer.strip_prefix("/messages/") {
                Some(key) => self.messages.extend(game.keys_of(key.split('/').next().unwrap_or_default())),
                None => self.any_message = true,
            },
            Some(FileRole::Scenarios) => {
                self.scenarios.insert((file.to_owned(), pointer.to_owned()));
            }
            // If a pin is wrong, some content is not what its author meant.
            _ => self.everything = true,
        }
    }

    /// Whether nothing is broken that any scenario could use.
    pub fn spares_all(&self) -> bool {
        *self == BrokenParts::default()
    }

    /// Whether a scenario uses something that is broken. `result` is that of its run.
    pub(crate) fn holds(&self, catalog: &Catalog, place: &LoadedScenario, result: &ScenarioResult) -> bool {
        let ran =
            || result.ran.iter().filter_map(|hook| catalog.hooks.get(hook.index())).map(|hook| hook.module.as_str());
        let calls =
            || called_functions(&place.scenario).filter_map(|name| name.rsplit_once('.')).map(|(module, _)| module);
        let inside = format!("{}/", place.pointer);
        let is_inside = |(file, pointer): &(String, String)| *file == place.file && pointer.starts_with(&inside);
        self.everything
            || ran().chain(calls()).any(|module| self.modules.contains(module))
            || result.sought.iter().any(|key| self.any_message || self.messages.contains(key))
            || self.scenarios.range((place.file.clone(), inside.clone())..).next().is_some_and(is_inside)
    }
}
