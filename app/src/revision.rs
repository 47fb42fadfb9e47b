//! Packs as they were at a git revision.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use principes_source::{MemoryPack, PackBudget, Refusal, is_litter};

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

/// The wanted files of a folder as they were at a revision, by their paths in the folder. `None` if there was nothing at
/// its path.
///
/// # Errors
/// [`RevisionError`]: git does not know the revision, or no pack may hold what is there.
pub fn files_at(
    folder: &Path,
    revision: &str,
    wanted: impl Fn(&str) -> bool,
) -> Result<Option<BTreeMap<String, Vec<u8>>>, RevisionError> {
    let place = Place::of(folder, revision)?;
    place.folder.is_some().then(|| place.files(wanted)).transpose()
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
