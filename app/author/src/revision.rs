//! The changes of packs since a git revision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use principes_analysis::function_text;
use principes_app::revision::{RevisionError, files_at};
use principes_json::expanded;
use principes_model::{EntityInfo, Loaded};
use principes_source::FileRole;
use serde_json::Value as Json;

/// What has changed in the files of a pack.
struct Old {
    /// JSON files that differ: the path, and the old value. A new file had the value `null`.
    files: BTreeMap<String, Json>,
    /// The old texts of scripts that differ, by their modules. A new one had no text.
    scripts: BTreeMap<String, String>,
}

/// The entities whose JSON, texts or hooks have changed since a revision: family and id.
///
/// # Errors
/// [`RevisionError`].
pub fn changed_since(loaded: &Loaded, revision: &str) -> Result<BTreeSet<(String, String)>, RevisionError> {
    let mut changed = BTreeSet::new();
    for (at, pack) in loaded.packs.iter().enumerate() {
        let Some(folder) = &pack.folder else { continue };
        let old = old(loaded, at, folder, revision)?;
        let own = loaded.entities.iter().filter(|entity| {
            loaded.origins.documents.0.get(entity.place.document).is_some_and(|document| document.pack == at)
        });
        let differ = own.filter(|entity| {
            is_other(loaded, entity, &old)
                || has_other_texts(loaded, entity, at, &old)
                || has_other_hooks(loaded, entity, &old)
        });
        changed.extend(differ.map(|entity| (entity.family.key().to_owned(), entity.id.clone())));
    }
    Ok(changed)
}

fn old(loaded: &Loaded, pack: usize, folder: &Path, revision: &str) -> Result<Old, RevisionError> {
    let then = files_at(folder, revision, |path| matches!(path.rsplit_once('.'), Some((_, "json" | "lua"))))?;
    // A folder that did not exist had no files.
    let mut then = then.unwrap_or_default();
    // Git may store other line ends than it writes into folders.
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let mut old = Old { files: BTreeMap::new(), scripts: BTreeMap::new() };
    for document in loaded.origins.documents.0.iter().filter(|document| document.pack == pack) {
        let before = then.remove(&document.path).map(text).unwrap_or_default();
        if before != document.text.replace("\r\n", "\n") {
            old.files.insert(document.path.clone(), serde_json::from_str(&before).unwrap_or_default());
        }
    }
    let source = principes_source::folder(folder);
    for path in source.list().unwrap_or_default() {
        let Some(module) = FileRole::of(&path).module() else { continue };
        let before = then.remove(&path).map(text).unwrap_or_default();
        if source.read(&path).map(text).ok().as_ref() != Some(&before) {
            old.scripts.insert(module.to_owned(), before);
        }
    }
    Ok(old)
}

fn is_other(loaded: &Loaded, entity: &EntityInfo, old: &Old) -> bool {
    let Some(document) = loaded.origins.documents.0.get(entity.place.document) else { return false };
    let Some(then) = old.files.get(&document.path) else { return false };
    let id = Json::from(entity.id.as_str());
    let list = then.get(entity.family.key()).and_then(Json::as_array).map(|list| expanded(list)).unwrap_or_default();
    let before = list.iter().find(|item| item["id"] == id);
    let now = document.value.pointer(&entity.place.pointer);
    before != now
}

fn has_other_texts(loaded: &Loaded, entity: &EntityInfo, pack: usize, old: &Old) -> bool {
    let prefix = format!("{}.{}", entity.family.key().trim_end_matches('s'), entity.id);
    let is_its = |key: &String| key.strip_prefix(&prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let own = loaded.origins.documents.0.iter().filter(|document| document.pack == pack);
    own.filter_map(|document| {
        let then = old.files.get(&document.path)?;
        Some((then.get("messages")?.as_object()?.clone(), document.value.get("messages")?.as_object()?.clone()))
    })
    .any(|(then, now)| then.keys().chain(now.keys()).any(|key| is_its(key) && then.get(key) != now.get(key)))
}

fn has_other_hooks(loaded: &Loaded, entity: &EntityInfo, old: &Old) -> bool {
    let hooks = entity.json.get("hooks").and_then(Json::as_object).into_iter().flatten();
    let names = hooks.filter_map(|(_, hook)| hook.as_str().or_else(|| hook.get("run")?.as_str()));
    let mut names = names.filter_map(|name| name.rsplit_once('.'));
    names.any(|(module, function)| {
        let Some(then) = old.scripts.get(module) else { return false };
        let now = loaded.scripts.iter().find(|script| script.module == module);
        now.is_some_and(|script| function_text(&script.text, function) != function_text(then, function))
    })
}
