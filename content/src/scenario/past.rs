//! Runs of scenarios that need not be run again, because nothing that they depend on has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::HookId;
use principes_schemas::Family;
use principes_scripting::LuaHost;
use sha2::{Digest, Sha256};

use super::{Outcome, Rehearsal, Report, ScenarioFile, called_functions, pack_under_test, scenario_files};
use crate::diagnostic::Diagnostic;
use crate::load::Loaded;
use crate::lua::spoken;

/// What a run depended on.
type Mark = [u8; 32];

/// The scenarios of a pack as they went.
#[derive(Debug, Default)]
pub struct Past {
    runs: BTreeMap<(String, String), (Mark, Outcome)>,
}

/// What is to be run.
pub struct Plan {
    files: Vec<(ScenarioFile, Option<Outcome>)>,
    marks: Marks,
}

impl Plan {
    /// Runs what must be run. The report is the one of a run of everything.
    pub fn run(self, loaded: &Loaded, past: &mut Past) -> Result<Report, Vec<Diagnostic>> {
        let all: Arc<[ScenarioFile]> = self.files.iter().map(|(file, _)| file.clone()).collect();
        let rehearsal = Rehearsal::new(loaded, all, LuaHost::new)?;
        let outcomes = self.files.into_iter().map(|(file, known)| {
            let outcome = known.unwrap_or_else(|| rehearsal.run_one(&file, false));
            (self.marks.of(loaded, &file, &outcome.ran), outcome)
        });
        let outcomes: Vec<(Mark, Outcome)> = outcomes.collect();
        let report = rehearsal.report(outcomes.iter().map(|(_, outcome)| outcome.clone()).collect());
        let name = |outcome: &Outcome| (outcome.file.clone(), outcome.id.clone());
        past.runs = outcomes.into_iter().map(|(mark, outcome)| (name(&outcome), (mark, outcome))).collect();
        Ok(report)
    }
}

impl Past {
    /// Looks which scenarios of the pack under test must be run.
    pub fn plan(&self, loaded: &Loaded) -> Plan {
        let marks = Marks::new(loaded);
        let known = |file: &ScenarioFile| {
            let (mark, outcome) = self.runs.get(&(file.label.clone(), file.scenario.id.to_string()))?;
            (marks.of(loaded, file, &outcome.ran) == *mark).then(|| outcome.clone())
        };
        let files = scenario_files(loaded, pack_under_test(loaded)).into_iter();
        let with_known = |file: ScenarioFile| {
            let known = known(&file);
            (file, known)
        };
        Plan { files: files.map(with_known).collect(), marks }
    }
}

/// Digests of what scenarios depend on.
struct Marks {
    /// Everything but scripts and scenarios: it decides what happens and how it is told.
    content: Mark,
    /// Each module with all that it imports.
    modules: BTreeMap<String, Mark>,
}

impl Marks {
    fn new(loaded: &Loaded) -> Self {
        let mut content = Sha256::new();
        for pack in &loaded.packs {
            add(&mut content, pack.manifest.id.as_str());
            add(&mut content, pack.manifest.version.as_str());
        }
        for document in loaded.documents().filter(|document| document.family != Some(Family::Scenarios)) {
            add(&mut content, &document.file);
            add(&mut content, &document.text);
        }
        let imports: BTreeMap<&str, BTreeSet<String>> =
            loaded.scripts.iter().map(|script| (script.module.as_str(), spoken(&script.text).imports)).collect();
        let texts: BTreeMap<&str, &str> =
            loaded.scripts.iter().map(|script| (script.module.as_str(), script.text.as_str())).collect();
        let whole = |module: &str| {
            let (mut open, mut seen) = (vec![module], BTreeSet::new());
            while let Some(at) = open.pop() {
                if seen.insert(at) {
                    open.extend(imports.get(at).into_iter().flatten().map(String::as_str));
                }
            }
            let mut mark = Sha256::new();
            for module in seen {
                add(&mut mark, module);
                add(&mut mark, texts.get(module).copied().unwrap_or_default());
            }
            mark.finalize().into()
        };
        let modules = texts.keys().map(|module| ((*module).to_owned(), whole(module))).collect();
        Marks { content: content.finalize().into(), modules }
    }

    /// What a scenario depends on that runs these hooks, or calls modules by their names.
    fn of(&self, loaded: &Loaded, file: &ScenarioFile, ran: &BTreeSet<HookId>) -> Mark {
        let hooks = ran.iter().filter_map(|hook| loaded.catalog.hooks.get(hook.index()));
        let called = called_functions(&file.scenario).filter_map(|function| Some(function.rsplit_once('.')?.0));
        let modules: BTreeSet<&str> = hooks.map(|hook| hook.module.as_str()).chain(called).collect();
        let mut mark = Sha256::new();
        mark.update(self.content);
        for module in modules {
            add(&mut mark, module);
            mark.update(self.modules.get(module).copied().unwrap_or_default());
        }
        add(&mut mark, &format!("{:?}", file.scenario));
        add(&mut mark, file.stored.as_deref().unwrap_or_default());
        mark.update([u8::from(file.stored.is_some())]);
        mark.finalize().into()
    }
}

fn add(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}
