//! Scenarios that need not run again, because nothing that they depend on has changed.
//!
//! A scenario runs again if it has changed, or if a module that it ran, the params of a card whose hook it ran, a
//! message that it quotes, or anything else in the content has changed. Scenarios with the same seats, seed and options
//! start from copies of one setup.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::catalog::{Catalog, HookSource};
use principes_findings::Finding;
use principes_json::Digest;
use principes_model::{FALLBACK, Loaded, Messages, called_functions};
use principes_schemas::{Family, Scenario};
use serde_json::Value;

use crate::files::{ScenarioFile, hooks_of, pack_under_test, scenario_files};
use crate::result::{ScenarioReport, ScenarioResult};
use crate::runner::{Allowance, PlayedAll, play_all};

/// The last results of the scenarios of a pack.
#[derive(Default)]
pub struct Past {
    /// What they depended on.
    seen: Option<Seen>,
    runs: BTreeMap<(String, String), PastRun>,
}

struct PastRun {
    scenario: Arc<Scenario>,
    stored: Option<String>,
    result: Arc<ScenarioResult>,
}

/// The scenarios that must run, and the results of the others.
pub struct Plan {
    files: Vec<(ScenarioFile, Option<Arc<ScenarioResult>>)>,
    seen: Seen,
}

impl Plan {
    /// The number of scenarios.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// The number of scenarios that must run.
    pub fn to_run(&self) -> usize {
        self.files.iter().filter(|(_, known)| known.is_none()).count()
    }

    /// Runs the scenarios that must run. The report is the same as if all had run.
    ///
    /// # Errors
    /// The findings about scripts that cannot be loaded.
    pub fn run(self, loaded: &Loaded, past: &mut Past, allowance: Allowance) -> Result<ScenarioReport, Vec<Finding>> {
        let played = match self.to_run() {
            0 => PlayedAll { results: Vec::new(), stopped: None },
            _ => {
                let all: Arc<[ScenarioFile]> = self.files.iter().map(|(file, _)| file.clone()).collect();
                let unknown = all.iter().zip(&self.files).filter(|(_, (_, known))| known.is_none());
                play_all(loaded, &all, &unknown.map(|(file, _)| file).collect::<Vec<_>>(), allowance)?
            }
        };
        let PlayedAll { results: played, stopped } = played;
        let mut played = played.into_iter().map(Arc::new);
        let mut results = Vec::new();
        past.runs.clear();
        for (file, known) in self.files {
            let Some(result) = known.or_else(|| played.next()) else { continue };
            results.push(Arc::clone(&result));
            let ScenarioFile { scenario, stored, .. } = file;
            past.runs.insert((result.file.clone(), result.id.clone()), PastRun { scenario, stored, result });
        }
        past.seen = Some(self.seen);
        let report = ScenarioReport::new(&hooks_of(loaded, pack_under_test(loaded)), results);
        Ok(ScenarioReport { stopped, ..report })
    }
}

impl Past {
    /// Determines which scenarios of the pack under test must run.
    pub fn plan(&self, loaded: &Loaded) -> Plan {
        let seen = Seen::new(loaded);
        let news = self.seen.as_ref().and_then(|before| seen.since(before));
        let known = |file: &ScenarioFile| {
            let run = self.runs.get(&(file.label.clone(), file.scenario.id.to_string()))?;
            let is_same = (Arc::ptr_eq(&run.scenario, &file.scenario) || run.scenario == file.scenario)
                && run.stored == file.stored;
            (is_same && !news.as_ref()?.concern(run)).then(|| Arc::clone(&run.result))
        };
        let files = scenario_files(loaded, pack_under_test(loaded)).into_iter();
        let with_known = |file: ScenarioFile| {
            let known = known(&file);
            (file, known)
        };
        Plan { files: files.map(with_known).collect(), seen }
    }
}

/// What runs depend on, besides their own files.
struct Seen {
    /// Digest of all content except scripts, messages and params.
    content: [u8; 32],
    catalog: Arc<Catalog>,
    messages: Arc<Messages>,
    modules: BTreeMap<String, SeenModule>,
}

struct SeenModule {
    text: Arc<str>,
    imports: BTreeSet<String>,
    /// Whether it reads params of other cards.
    asks: bool,
}

/// What has changed.
struct News {
    /// For each hook, whether its module or the params that it sees have changed.
    hooks: Vec<bool>,
    modules: BTreeSet<String>,
    messages: BTreeSet<String>,
}

impl News {
    /// Whether a run depends on any of this.
    fn concern(&self, run: &PastRun) -> bool {
        let is_new = |module: &str| self.modules.contains(module);
        run.result.ran.iter().any(|hook| self.hooks.get(hook.index()).is_some_and(|new| *new))
            || called_functions(&run.scenario).filter_map(|function| function.rsplit_once('.')).any(|(m, _)| is_new(m))
            || run.result.sought.iter().any(|key| self.messages.contains(key))
    }
}

impl Seen {
    fn new(loaded: &Loaded) -> Self {
        let mut content = Digest::default();
        for pack in &loaded.packs {
            content.add(pack.manifest.id.as_str());
            content.add(pack.manifest.version.as_str());
        }
        // Nothing else in a manifest affects games.
        content.add([loaded.catalog.seats.0, loaded.catalog.seats.1]);
        for document in &loaded.origins.documents.0 {
            let Some(family) = document.family else { continue };
            // Patches have been applied, and each run knows the messages that it looked up.
            if !matches!(family, Family::Scenarios | Family::Messages | Family::Patches) {
                content.add(document.seen(|| digest(family, &document.value)));
            }
        }
        let modules = loaded.scripts.iter().map(|script| {
            let mentions = loaded.mentions(script);
            let asks = mentions.names.contains("param");
            (script.module.clone(), SeenModule { text: script.text.clone(), imports: mentions.imports.clone(), asks })
        });
        Seen {
            content: content.finish(),
            catalog: Arc::clone(&loaded.catalog),
            messages: Arc::clone(&loaded.messages),
            modules: modules.collect(),
        }
    }

    /// What has changed; `None` if everything may have.
    fn since(&self, before: &Seen) -> Option<News> {
        if self.content != before.content {
            return None;
        }
        let (catalog, old) = (&self.catalog, &before.catalog);
        let is_new = |source| params(catalog, source) != params(old, source);
        let any_params = catalog.designs.iter().map(|design| &design.params).ne(old.designs.iter().map(|d| &d.params));
        let changed = |name: &str| {
            let (now, then) = (self.modules.get(name), before.modules.get(name));
            now.map(|module| &module.text) != then.map(|module| &module.text)
                || (any_params && now.is_some_and(|module| module.asks))
        };
        let concerned = |name: &String| self.with_imports(name).into_iter().any(changed);
        let modules: BTreeSet<String> = self.modules.keys().filter(|name| concerned(name)).cloned().collect();
        Some(News {
            hooks: catalog.hooks.iter().map(|hook| modules.contains(&hook.module) || is_new(hook.source)).collect(),
            messages: self.messages.changes(&before.messages, FALLBACK),
            modules,
        })
    }

    /// A module and all that it imports.
    fn with_imports<'a>(&'a self, module: &'a str) -> BTreeSet<&'a str> {
        let (mut open, mut seen) = (vec![module], BTreeSet::new());
        while let Some(at) = open.pop() {
            if seen.insert(at) {
                let imports = self.modules.get(at).map(|module| &module.imports);
                open.extend(imports.into_iter().flatten().map(String::as_str));
            }
        }
        seen
    }
}

/// The params in `self` of a hook.
fn params(catalog: &Catalog, source: HookSource) -> Option<&BTreeMap<String, i32>> {
    match source {
        HookSource::Design(design) => catalog.designs.get(design.index()).map(|design| &design.params),
        HookSource::Rule(rule) => catalog.rules.get(rule.index()).map(|rule| &rule.params),
        HookSource::Flow => None,
    }
}

/// Digest of the entities of a file, without what only people read, and without params, which only hooks see.
fn digest(family: Family, file: &Value) -> [u8; 32] {
    let mut digest = Digest::default();
    let entities = file.get(family.key()).and_then(Value::as_array);
    digest.add(family.key());
    for (name, value) in file.as_object().into_iter().flatten().filter(|_| entities.is_none()) {
        digest.add(name);
        digest.add(value.to_string());
    }
    for entity in entities.into_iter().flatten() {
        digest.add("");
        for (name, value) in entity.as_object().into_iter().flatten() {
            let unseen = match name.as_str() {
                "allow" | "notes" | "provenance" => true,
                "params" => matches!(family, Family::Cards | Family::Rules),
                _ => false,
            };
            if !unseen {
                digest.add(name);
                digest.add(value.to_string());
            }
        }
    }
    digest.finish()
}
