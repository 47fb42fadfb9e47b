//! The scenarios, modules and hooks of one pack.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::HookId;
use principes_findings::budget::MOST_FINDINGS;
use principes_model::{Loaded, PackInfo};
use principes_schemas::Scenario;
use principes_source::{HeldFolder, PackSource, text_of};

use crate::bundle::Bundle;

/// A scenario and its place.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// Pack it belongs to.
    pub pack: String,
    /// The file as users name it.
    pub label: String,
    /// The file inside its pack: `luck/windfall.scenarios.json`.
    pub path: String,
    /// The folder of the pack, if it has one. Snapshots are written there.
    pub folder: Option<HeldFolder>,
    /// The stored transcript, if there is one.
    pub stored: Option<String>,
    /// The scenario as the file describes it.
    pub scenario: Arc<Scenario>,
}

impl ScenarioFile {
    /// Where the transcript is stored, inside the pack: `luck/windfall.scenarios.snap`.
    pub fn snapshot_path(&self) -> String {
        snapshot_path(&self.path)
    }
}

/// Where the transcripts of a scenario file are stored, inside the pack: beside it.
pub fn snapshot_path(path: &str) -> String {
    format!("{}.snap", path.strip_suffix(".json").unwrap_or(path))
}

/// Whether a scenario matches the text after `--filter`, which is part of its file, id, title or one of its rules.
pub(crate) fn matches_filter(file: &ScenarioFile, filter: &str) -> bool {
    let scenario = &file.scenario;
    file.label.contains(filter)
        || scenario.id.as_str().contains(filter)
        || scenario.title.contains(filter)
        || scenario.rules.iter().any(|rule| rule.contains(filter))
}

/// The snapshots of a scenario file as they are stored.
enum Stored {
    Bundle(Bundle),
    /// The file is malformed, so it differs from any transcript.
    Unreadable(String),
}

impl Stored {
    fn read(source: &dyn PackSource, path: &str) -> Self {
        match source.read(path) {
            Ok(bytes) => {
                let text = text_of(bytes);
                Bundle::read(&text).map_or_else(|| Stored::Unreadable(text), Stored::Bundle)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Stored::Bundle(Bundle::default()),
            Err(error) => Stored::Unreadable(format!("this file cannot be read: {error}")),
        }
    }

    fn section(&self, id: &str) -> Option<String> {
        match self {
            Stored::Bundle(bundle) => bundle.sections.get(id).cloned(),
            Stored::Unreadable(text) => Some(text.clone()),
        }
    }
}

/// The scenarios of one pack with their stored transcripts.
pub fn scenario_files(loaded: &Loaded, pack: &str) -> Vec<ScenarioFile> {
    let info = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack);
    let folder = info.and_then(|info| info.source.held()?.ok());
    let mut stored: BTreeMap<&str, Stored> = BTreeMap::new();
    let of_pack = loaded.scenarios.iter().filter(|scenario| scenario.pack == pack);
    of_pack
        .map(|loaded| {
            let read = |info: &PackInfo| Stored::read(&*info.source, &snapshot_path(&loaded.path));
            let none = || Stored::Bundle(Bundle::default());
            let stored = stored.entry(&loaded.path).or_insert_with(|| info.map_or_else(none, read));
            ScenarioFile {
                pack: loaded.pack.clone(),
                label: loaded.file.clone(),
                path: loaded.path.clone(),
                folder: folder.clone(),
                stored: stored.section(loaded.scenario.id.as_str()),
                scenario: loaded.scenario.clone(),
            }
        })
        .collect()
}

/// A stored snapshot that belongs to no scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    /// The .snap file as users name it.
    pub file: String,
    /// The section; `None` if nothing is beside it of which it is a snapshot.
    pub section: Option<String>,
    /// The files of which it would be a snapshot, as users name them.
    pub of: Vec<String>,
}

/// The stored snapshots of a pack that belong to no scenario; of each file, at most as many as there can be findings.
pub fn orphans(loaded: &Loaded, pack: &str) -> Vec<Orphan> {
    let Some(info) = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack) else { return Vec::new() };
    let mut known: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for scenario in loaded.scenarios.iter().filter(|scenario| scenario.pack == pack) {
        known.entry(snapshot_path(&scenario.path)).or_default().insert(scenario.scenario.id.as_str());
    }
    let mut orphans = Vec::new();
    // A pack that cannot be listed is reported when it is loaded.
    for path in info.source.list().unwrap_or_default().iter().filter(|path| path.ends_with(".snap")) {
        if is_texts(path) {
            continue;
        }
        let file = info.source.label(path);
        let of = vec![info.source.label(&format!("{}.json", path.strip_suffix(".snap").unwrap_or(path)))];
        let Some(ids) = known.get(path) else {
            orphans.push(Orphan { file, section: None, of });
            continue;
        };
        if let Stored::Bundle(bundle) = Stored::read(&*info.source, path) {
            let without = bundle.sections.into_keys().filter(|id| !ids.contains(id.as_str())).take(MOST_FINDINGS);
            orphans.extend(without.map(|id| Orphan { file: file.clone(), section: Some(id), of: of.clone() }));
        }
    }
    orphans
}

/// The pack under test: the last one in load order, which requires the others.
pub fn pack_under_test(loaded: &Loaded) -> &str {
    loaded.packs.last().map_or("", |info| info.manifest.id.as_str())
}

/// The script modules of a pack.
pub fn own_modules<'a>(loaded: &'a Loaded, pack: &str) -> BTreeSet<&'a str> {
    let Some(info) = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack) else {
        return BTreeSet::new();
    };
    // A module is in one of two places.
    let is_own = |module: &str, file: &str| {
        ["", "scripts/"].iter().any(|folder| info.source.label(&format!("{folder}{module}.lua")) == file)
    };
    let own = loaded.scripts.iter().filter(|script| is_own(&script.module, &script.path));
    own.map(|script| script.module.as_str()).collect()
}

/// The hooks that scenarios should reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredHooks {
    /// The first hook of each entry.
    pub hooks: Vec<HookId>,
    /// For each hook of a series, the first one of its entry.
    alike: BTreeMap<HookId, HookId>,
}

impl DeclaredHooks {
    /// The hook that counts for a hook.
    pub(crate) fn first(&self, hook: HookId) -> HookId {
        self.alike.get(&hook).copied().unwrap_or(hook)
    }
}

/// The hooks whose functions are in a pack's own scripts. All cards of a series have the same hooks, so one of them is
/// enough.
pub(crate) fn hooks_of(loaded: &Loaded, pack: &str) -> DeclaredHooks {
    let own = own_modules(loaded, pack);
    let mut declared = DeclaredHooks::default();
    let mut first: BTreeMap<(&str, usize, &str), HookId> = BTreeMap::new();
    for (at, hook) in loaded.catalog.hooks.iter().enumerate().filter(|(_, hook)| own.contains(hook.module.as_str())) {
        let id = HookId::at(at);
        let place = loaded.origins.hooks.get(at).and_then(Option::as_ref).filter(|place| place.is_shared);
        match place.map(|place| first.entry((&place.file, place.span.bytes.start, &hook.function)).or_insert(id)) {
            Some(first) if *first != id => drop(declared.alike.insert(id, *first)),
            _ => declared.hooks.push(id),
        }
    }
    declared
}

/// Whether a file holds stored texts, by its name.
pub(crate) fn is_texts(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("texts.") && name.ends_with(".snap")
}
