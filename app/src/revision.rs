//! The changes of packs since a git revision, and packs as they were at one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use principes_analysis::function_text;
use principes_json::expanded;
use principes_model::{EntityInfo, Loaded};
use principes_source::MemoryPack;
use serde_json::Value as Json;

/// Why the changes are unknown.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// Git failed or is not installed.
    #[error("git does not know `{revision}` in {folder}: {reason}")]
    Git {
        /// The requested revision.
        revision: String,
        /// The folder in which git ran.
        folder: String,
        /// Git's error.
        reason: String,
    },
}

/// The old content of files that have changed.
struct Old {
    /// Changed JSON files: the path, and the old value.
    files: Vec<(String, Json)>,
    /// Changed scripts: the module path, and the old text.
    scripts: Vec<(String, String)>,
}

/// The entities whose JSON, texts or hooks have changed since a revision: family and id.
///
/// # Errors
/// [`RevisionError`].
pub fn changed_since(loaded: &Loaded, revision: &str) -> Result<BTreeSet<(String, String)>, RevisionError> {
    let mut changed = BTreeSet::new();
    for (at, pack) in loaded.packs.iter().enumerate() {
        let Some(folder) = &pack.folder else { continue };
        let old = old(folder, revision)?;
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

fn old(folder: &Path, revision: &str) -> Result<Old, RevisionError> {
    let listed = git(
        folder,
        revision,
        &["diff", "--name-only", "--no-ext-diff", "--relative", "-z", "--end-of-options", revision, "--", "."],
    )?;
    let added = git(folder, revision, &["ls-files", "--others", "--exclude-standard", "-z", "--", "."])?;
    let mut old = Old { files: Vec::new(), scripts: Vec::new() };
    for path in listed.split('\0').chain(added.split('\0')).filter(|path| !path.is_empty()) {
        // A new file had no content.
        let object = format!("{revision}:./{path}");
        let text = git(folder, revision, &["show", "--no-textconv", "--no-ext-diff", "--end-of-options", &object]);
        let text = text.unwrap_or_default();
        match path.rsplit_once('.') {
            Some((_, "json")) => old.files.push((path.to_owned(), serde_json::from_str(&text).unwrap_or_default())),
            Some((module, "lua")) => old.scripts.push((module.to_owned(), text)),
            _ => {}
        }
    }
    Ok(old)
}

fn git(folder: &Path, revision: &str, arguments: &[&str]) -> Result<String, RevisionError> {
    git_bytes(folder, revision, arguments).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs git without settings from the repository, which could run programs of a stranger.
fn git_bytes(folder: &Path, revision: &str, arguments: &[&str]) -> Result<Vec<u8>, RevisionError> {
    let failed = |reason: String| RevisionError::Git {
        revision: revision.to_owned(),
        folder: folder.display().to_string(),
        reason,
    };
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "-c", "core.pager=cat"]);
    let output = command.args(arguments).output().map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned())),
    }
}

fn is_other(loaded: &Loaded, entity: &EntityInfo, old: &Old) -> bool {
    let Some(document) = loaded.origins.documents.0.get(entity.place.document) else { return false };
    let Some((_, then)) = old.files.iter().find(|(path, _)| *path == document.path) else { return false };
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
        let (_, then) = old.files.iter().find(|(path, _)| *path == document.path)?;
        Some((then.get("messages")?.as_object()?.clone(), document.value.get("messages")?.as_object()?.clone()))
    })
    .any(|(then, now)| then.keys().chain(now.keys()).any(|key| is_its(key) && then.get(key) != now.get(key)))
}

fn has_other_hooks(loaded: &Loaded, entity: &EntityInfo, old: &Old) -> bool {
    let hooks = entity.json.get("hooks").and_then(Json::as_object).into_iter().flatten();
    let names = hooks.filter_map(|(_, hook)| hook.as_str().or_else(|| hook.get("run")?.as_str()));
    let mut names = names.filter_map(|name| name.rsplit_once('.'));
    names.any(|(module, function)| {
        let Some((_, then)) = old.scripts.iter().find(|(path, _)| path == module) else { return false };
        let now = loaded.scripts.iter().find(|script| script.module == module);
        now.is_some_and(|script| function_text(&script.text, function) != function_text(then, function))
    })
}

/// A pack as it was at a revision, from `REVISION:PATH` as git writes it: `HEAD~1:mods/my-cards`. `None` if the text does
/// not have that form. The folder above the path must be in a repository; the path need not exist anymore.
///
/// # Errors
/// [`RevisionError`]: git does not know the revision, or there is no pack at the path.
pub fn pack_at(text: &str) -> Option<Result<MemoryPack, RevisionError>> {
    let (revision, path) = text.split_once(':').filter(|(revision, path)| !revision.is_empty() && !path.is_empty())?;
    Some(read_pack(text, revision, Path::new(path)))
}

fn read_pack(name: &str, revision: &str, path: &Path) -> Result<MemoryPack, RevisionError> {
    // The folder may be gone by now, but git needs one to start from.
    let here = path.ancestors().skip(1).find(|above| above.is_dir()).unwrap_or(Path::new("."));
    let below = path.strip_prefix(here).ok().filter(|below| *below != Path::new(".")).unwrap_or(Path::new(""));
    let tree = format!("{revision}:./{}", below.display());
    let listed =
        git(here, revision, &["ls-tree", "-r", "-z", "--full-tree", "--name-only", "--end-of-options", &tree])?;
    let mut pack = MemoryPack::new(name);
    for file in listed.split('\0').filter(|file| !file.is_empty()) {
        let object = format!("{}/{file}", tree.trim_end_matches('/'));
        let show = ["show", "--no-textconv", "--no-ext-diff", "--end-of-options", &object];
        pack = pack.with(file, git_bytes(here, revision, &show)?);
    }
    Ok(pack)
}
