//! The scenarios of a pack, and what of a game is the pack's own.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use principes_core::HookId;
use principes_model::Loaded;
use principes_schemas::Scenario;

/// A scenario and where it stands.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// Pack it belongs to.
    pub pack: String,
    /// The file as users name it.
    pub label: String,
    /// The file inside its pack: `scenarios/luck/windfall.json`.
    pub path: String,
    /// Folder of the pack, where it has one: there snapshots are written.
    pub folder: Option<PathBuf>,
    /// The stored transcript, where there is one.
    pub stored: Option<String>,
    /// What the file says.
    pub scenario: Arc<Scenario>,
}

impl ScenarioFile {
    /// Where the transcript is stored, inside the pack: `scenarios/luck/snapshots/windfall__plain-use.snap`.
    pub fn snapshot_path(&self) -> String {
        snapshot_path(&self.path, self.scenario.id.as_str())
    }
}

/// Where the transcript of a scenario is stored, inside the pack.
pub fn snapshot_path(path: &str, id: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or((".", path));
    let stem = file.strip_suffix(".json").unwrap_or(file);
    format!("{folder}/snapshots/{stem}__{id}.snap")
}

/// Whether a scenario is meant by the text after `--filter`: part of its file, id, title or one of its rules.
pub(crate) fn is_meant(file: &ScenarioFile, filter: &str) -> bool {
    let scenario = &file.scenario;
    file.label.contains(filter)
        || scenario.id.as_str().contains(filter)
        || scenario.title.contains(filter)
        || scenario.rules.iter().any(|rule| rule.contains(filter))
}

/// The scenarios of one pack with their stored transcripts.
pub fn scenario_files(loaded: &Loaded, pack: &str) -> Vec<ScenarioFile> {
    let info = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack);
    let folder = info.and_then(|info| info.folder.clone());
    let of_pack = loaded.scenarios.iter().filter(|scenario| scenario.pack == pack);
    of_pack
        .map(|loaded| {
            let path = snapshot_path(&loaded.path, loaded.scenario.id.as_str());
            let stored = info.and_then(|info| match info.source.read(&path) {
                Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                // It is not as it should be, so it differs.
                Err(error) => Some(format!("this file cannot be read: {error}")),
            });
            ScenarioFile {
                pack: loaded.pack.clone(),
                label: loaded.file.clone(),
                path: loaded.path.clone(),
                folder: folder.clone(),
                stored,
                scenario: loaded.scenario.clone(),
            }
        })
        .collect()
}

/// A pack under test: the last one in load order, which is the one that needs all the others.
pub fn pack_under_test(loaded: &Loaded) -> &str {
    loaded.packs.last().map_or("", |info| info.manifest.id.as_str())
}

/// The script modules of a pack.
pub fn own_modules<'a>(loaded: &'a Loaded, pack: &str) -> BTreeSet<&'a str> {
    let Some(info) = loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack) else {
        return BTreeSet::new();
    };
    let scripts = format!("{}scripts/", info.file.strip_suffix("pack.json").unwrap_or_default());
    let own = loaded.scripts.iter().filter(|script| script.path.starts_with(&scripts));
    own.map(|script| script.module.as_str()).collect()
}

/// The hooks whose functions stand in a pack's own scripts.
pub(crate) fn hooks_of(loaded: &Loaded, pack: &str) -> Vec<HookId> {
    let own = own_modules(loaded, pack);
    let hooks = loaded.catalog.hooks.iter().enumerate();
    hooks.filter(|(_, hook)| own.contains(hook.module.as_str())).map(|(at, _)| HookId::at(at)).collect()
}
