//! The changes of packs since a git revision, and packs as they were at one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use principes_analysis::function_text;
use principes_json::expanded;
use principes_model::{EntityInfo, Loaded};
use principes_source::{FileRole, MemoryPack, PackBudget, Refusal, is_litter};
use serde_json::Value as Json;

use crate::git::{Entry, Kind, Object, Repository};

/// Why a revision cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// No repository has the folder in it.
    #[error("`{0}` is not in a git repository")]
    NoRepository(String),
    /// The repository does not have the revision.
    #[error("git does not know `{revision}` in {folder}: {reason}")]
    Unknown {
        /// The requested revision.
        revision: String,
        /// The folder of the repository.
        folder: String,
        /// What it is instead.
        reason: String,
    },
    /// The revision does not have the folder.
    #[error("`{path}` {problem} at `{revision}`; name the folder of a pack, relative to the current folder")]
    NoFolder {
        /// The requested revision.
        revision: String,
        /// The requested path.
        path: String,
        /// What it is instead.
        problem: &'static str,
    },
    /// The folder holds what no pack may hold.
    #[error("cannot read `{path}` at `{revision}`: {problem}; {help}")]
    Unfit {
        /// The requested revision.
        revision: String,
        /// The folder or file.
        path: String,
        /// What is wrong.
        problem: String,
        /// How to fix it.
        help: String,
    },
    /// Git failed or is not installed.
    #[error("cannot read `{revision}`: {reason}")]
    Git {
        /// The requested revision.
        revision: String,
        /// Why.
        reason: String,
    },
}

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
    let mut then = match Place::of(folder, revision)? {
        // A folder that did not exist had no files.
        Place { folder: None, .. } => BTreeMap::new(),
        place => place.files(|path| matches!(path.rsplit_once('.'), Some((_, "json" | "lua"))))?,
    };
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

/// A folder at a revision.
struct Place {
    repository: Repository,
    revision: String,
    /// The folder as users name it.
    name: String,
    /// Its object. `None` if there was nothing at the path.
    folder: Option<Object>,
}

impl Place {
    fn of(path: &Path, revision: &str) -> Result<Self, RevisionError> {
        let name = path.display().to_string();
        let whole = std::env::current_dir().map(|here| here.join(path));
        let whole =
            whole.map_err(|error| RevisionError::Git { revision: revision.to_owned(), reason: error.to_string() });
        let whole = lexical(&whole?);
        let is_folder = whole.is_dir() && !whole.is_symlink();
        // The folder may be gone by now. A link is looked up as a link.
        let there = whole.ancestors().skip(usize::from(!is_folder)).find(|above| above.is_dir());
        let found = there.and_then(|there| Some((there, there.canonicalize().ok()?, Repository::around(there)?)));
        let Some((there, real, repository)) = found else { return Err(RevisionError::NoRepository(name)) };
        let above = real.strip_prefix(&repository.top).unwrap_or(Path::new(""));
        let below = above.join(whole.strip_prefix(there).unwrap_or(Path::new("")));
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        let folder = folder_at(&repository, revision, &parts.join("/"), &name)?;
        Ok(Place { repository, revision: revision.to_owned(), name, folder })
    }

    /// The files that are wanted, by their paths in the folder. The budget counts all of them.
    fn files(&self, wanted: impl Fn(&str) -> bool) -> Result<BTreeMap<String, Vec<u8>>, RevisionError> {
        let Some(folder) = &self.folder else {
            return Err(no_folder(&self.revision, &self.name, "does not exist"));
        };
        let unfit = |refusal: Refusal| RevisionError::Unfit {
            revision: self.revision.clone(),
            path: if refusal.entry.is_empty() { self.name.clone() } else { format!("{}/{}", self.name, refusal.entry) },
            problem: refusal.message,
            help: refusal.help,
        };
        let failed = |reason: String| RevisionError::Git { revision: self.revision.clone(), reason };
        let (mut budget, mut listed) = (PackBudget::default(), Vec::new());
        let counted = self.repository.list(folder, |entry| {
            budget.name(&entry.path).map_err(Stop::Unfit)?;
            if entry.object.kind != Kind::Folder && !entry.path.split('/').any(is_litter) {
                counted(&mut budget, &entry).map_err(Stop::Unfit)?;
                listed.push(entry);
            }
            Ok(())
        });
        counted.map_err(|stop| match stop {
            Stop::Unfit(refusal) => unfit(refusal),
            Stop::Failed(reason) => failed(reason),
        })?;
        let mut reader = self.repository.reader().map_err(failed)?;
        let listed = listed.into_iter().filter(|entry| wanted(&entry.path));
        listed.map(|entry| Ok((entry.path.clone(), reader.read(&entry).map_err(failed)?))).collect()
    }
}

/// Why a list of files ends early.
enum Stop {
    Unfit(Refusal),
    Failed(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Stop::Failed(reason)
    }
}

fn counted(budget: &mut PackBudget, entry: &Entry) -> Result<(), Refusal> {
    let refused = |message: &str, help: &str| {
        Err(Refusal { entry: entry.path.clone(), message: message.to_owned(), help: help.to_owned() })
    };
    match entry.object.kind {
        Kind::Link => refused("this is a link", "replace it with the file itself"),
        Kind::Other => refused("this is a submodule", "name the folder of a pack inside it"),
        Kind::File | Kind::Folder => budget.file(&entry.path, entry.bytes),
    }
}

fn no_folder(revision: &str, path: &str, problem: &'static str) -> RevisionError {
    RevisionError::NoFolder { revision: revision.to_owned(), path: path.to_owned(), problem }
}

/// The folder at a path of the repository, with `/` between its parts. `None` if the revision has nothing there.
fn folder_at(repository: &Repository, revision: &str, path: &str, name: &str) -> Result<Option<Object>, RevisionError> {
    let find = |text: &str| {
        repository.object(text).map_err(|reason| RevisionError::Git { revision: revision.to_owned(), reason })
    };
    let Some(root) = find(&format!("{revision}^{{tree}}"))? else {
        let reason = if find(revision)?.is_some() { "it is not a commit" } else { "there is no such commit" };
        let folder = repository.top.display().to_string();
        return Err(RevisionError::Unknown { revision: revision.to_owned(), folder, reason: reason.to_owned() });
    };
    if path.is_empty() {
        return Ok(Some(root));
    }
    match find(&format!("{}:{path}", root.id))? {
        Some(object) if object.kind != Kind::Folder => Err(no_folder(revision, name, "is not a folder")),
        found => Ok(found),
    }
}

/// A path without `.` and `..`, as git reads paths.
fn lexical(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    whole
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

/// A pack as it was at a revision, from `REVISION:PATH`: `HEAD~1:mods/my-cards`. `None` if the text does not have that
/// form. The path is relative to the current folder and must lie in a repository, but need not exist anymore.
///
/// # Errors
/// [`RevisionError`]: git does not know the revision, or it has no folder at the path.
pub fn pack_at(text: &str) -> Option<Result<MemoryPack, RevisionError>> {
    let (revision, path) = text.split_once(':').filter(|(revision, _)| !revision.is_empty())?;
    let is_drive = cfg!(windows) && revision.len() == 1;
    (!is_drive).then(|| read_pack(text, revision, Path::new(if path.is_empty() { "." } else { path })))
}

fn read_pack(name: &str, revision: &str, path: &Path) -> Result<MemoryPack, RevisionError> {
    let files = Place::of(path, revision)?.files(|_| true)?;
    Ok(files.into_iter().fold(MemoryPack::new(name), |pack, (path, bytes)| pack.with(&path, bytes)))
}
