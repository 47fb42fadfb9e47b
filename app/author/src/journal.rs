//! The history of edits on disk: what each write of a workbench replaced, so that it can be undone and redone, even
//! after a restart. It is also the log that makes a write of several files whole: old and new contents are on the disk
//! before the first file changes, and a write that was interrupted is completed when the journal is read again.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use principes_app::digest::digest;
use principes_app::storage::{
    FileError, FileLock, FilePlace, LockError, Storage, link_below, sweep, write_at, write_whole,
};
use principes_source::{HeldFolder, read_file};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most steps that are kept.
const MOST_STEPS: usize = 200;
/// A longer file is not one of the journal's.
const MOST_BYTES: u64 = 256 << 20;
/// How often a lock that another program holds is tried again, and after how long.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(20);
const INDEX: &str = "journal.json";

/// A change of a whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// The folder of its pack.
    pub root: PathBuf,
    /// Its path, below that folder.
    pub file: PathBuf,
    /// The file as users name it.
    pub name: String,
    /// Its content; `None` if it does not exist.
    pub old: Option<String>,
    /// Its new content; `None` if it is to be removed.
    pub new: Option<String>,
}

/// Why an edit was not written, undone or redone.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file is not as the edit left it.
    #[error("`{0}` was changed elsewhere; undoing or redoing this would lose that change")]
    ChangedElsewhere(String),
    /// There is nothing to undo or redo.
    #[error("there is nothing to undo or redo")]
    Nothing,
    /// A file of a pack cannot be written. All files are unchanged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of a pack could not be written, and others could not be restored.
    #[error("cannot write `{file}`: {cause}; the edit is half done and completes as soon as it can; the old contents are in `{}`", journal.display())]
    Half {
        /// The file that could not be written, as users name it.
        file: String,
        /// The folder with the old and the new contents.
        journal: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The journal itself cannot be read or written. No file of a pack has changed.
    #[error("the history of edits cannot be kept in `{}`: {cause}", path.display())]
    Journal {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// Another program is writing.
    #[error(transparent)]
    Locked(#[from] LockError),
}

/// An edit that can be undone or redone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TurnOffer {
    /// What the edit does, in a few words.
    pub title: String,
    /// The files that would change, as users name them.
    pub files: Vec<String>,
    /// The file that was changed elsewhere, so that this is not possible.
    pub blocked_by: Option<String>,
}

/// What can be undone and redone now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TurnOffers {
    /// The last edit.
    pub undo: Option<TurnOffer>,
    /// The last edit that was undone.
    pub redo: Option<TurnOffer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Way {
    Forward,
    Back,
}

/// A step, without its contents.
#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    /// The file with its changes.
    file: String,
    title: String,
}

/// The steps, how many of them are done, and the one that is being carried out.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Index {
    steps: Vec<Entry>,
    done: usize,
    pending: Option<(usize, Way)>,
    /// The number of steps ever made, for their names.
    count: u64,
}

/// A journal in a folder of its own.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// The journal of edits of these packs, by their folders. Nothing is read or created yet.
    pub fn of(home: &Path, packs: &[PathBuf]) -> Self {
        let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let names: BTreeSet<PathBuf> = packs.iter().map(whole).collect();
        let names: Vec<String> = names.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        Journal { folder: home.join(digest(names.join("\n").as_bytes())) }
    }

    /// Writes the changes of an edit, all or none. It can be undone afterward.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn write(&self, storage: &dyn Storage, title: &str, changes: &[FileChange]) -> Result<(), JournalError> {
        let _lock = self.lock()?;
        let mut index = self.whole(storage)?;
        stands(changes, Way::Forward)?;
        let before = index.clone();
        let dropped = self.add(storage, &mut index, title, changes)?;
        let last = index.steps.len() - 1;
        self.carry_out(storage, (&before, &mut index), (last, Way::Forward), changes)?;
        self.forget(storage, &dropped);
        Ok(())
    }

    /// Notes an edit that something else has written, so that it can be undone.
    ///
    /// # Errors
    /// [`JournalError`]: the journal cannot be written.
    pub fn note(&self, storage: &dyn Storage, title: &str, changes: &[FileChange]) -> Result<(), JournalError> {
        let _lock = self.lock()?;
        let mut index = self.whole(storage)?;
        let dropped = self.add(storage, &mut index, title, changes)?;
        index.done = index.steps.len();
        self.store(storage, &index)?;
        self.forget(storage, &dropped);
        Ok(())
    }

    /// Takes the last edit back. Returns its title.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn undo(&self, storage: &dyn Storage) -> Result<String, JournalError> {
        self.turn(storage, Way::Back)
    }

    /// Does the edit again that was taken back last. Returns its title.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn redo(&self, storage: &dyn Storage) -> Result<String, JournalError> {
        self.turn(storage, Way::Forward)
    }

    /// What can be undone and redone. An edit that was interrupted is completed first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn offers(&self, storage: &dyn Storage) -> Result<TurnOffers, JournalError> {
        if !self.folder.join(INDEX).exists() {
            return Ok(TurnOffers::default());
        }
        let _lock = self.lock()?;
        let index = self.whole(storage)?;
        let offer = |step: Option<usize>, way: Way| -> Result<Option<TurnOffer>, JournalError> {
            let Some(step) = step else { return Ok(None) };
            let changes = self.changes(&index.steps[step])?;
            let blocked_by = changes.iter().find(|change| !change.is_at(way.start())).map(|change| change.name.clone());
            let files = changes.iter().map(|change| change.name.clone()).collect();
            Ok(Some(TurnOffer { title: index.steps[step].title.clone(), files, blocked_by }))
        };
        Ok(TurnOffers {
            undo: offer(index.done.checked_sub(1), Way::Back)?,
            redo: offer(Some(index.done).filter(|at| *at < index.steps.len()), Way::Forward)?,
        })
    }

    /// The changes that undoing or redoing would make.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn coming(&self, storage: &dyn Storage, is_undo: bool) -> Result<Vec<FileChange>, JournalError> {
        let _lock = self.lock()?;
        let index = self.whole(storage)?;
        let step = if is_undo { index.done.checked_sub(1) } else { Some(index.done) };
        let entry = step.and_then(|step| index.steps.get(step)).ok_or(JournalError::Nothing)?;
        let turned = |change: FileChange| match is_undo {
            true => FileChange { old: change.new, new: change.old, ..change },
            false => change,
        };
        Ok(self.changes(entry)?.into_iter().map(turned).collect())
    }

    fn turn(&self, storage: &dyn Storage, way: Way) -> Result<String, JournalError> {
        let _lock = self.lock()?;
        let mut index = self.whole(storage)?;
        let step = match way {
            Way::Back => index.done.checked_sub(1),
            Way::Forward => Some(index.done).filter(|at| *at < index.steps.len()),
        };
        let step = step.ok_or(JournalError::Nothing)?;
        let changes = self.changes(&index.steps[step])?;
        stands(&changes, way)?;
        self.carry_out(storage, (&index.clone(), &mut index), (step, way), &changes)?;
        Ok(index.steps[step].title.clone())
    }

    fn lock(&self) -> Result<FileLock, JournalError> {
        std::fs::create_dir_all(&self.folder).map_err(self.failed(&self.folder))?;
        let target = self.folder.join(INDEX);
        for _ in 0..TRIES {
            match FileLock::take(&target) {
                Err(LockError::Held(_)) => std::thread::sleep(PAUSE),
                lock => return Ok(lock?),
            }
        }
        Ok(FileLock::take(&target)?)
    }

    /// Reads the index, and completes the step that was interrupted, if there is one.
    fn whole(&self, storage: &dyn Storage) -> Result<Index, JournalError> {
        let path = self.folder.join(INDEX);
        sweep(&path);
        let mut index: Index = match read_file(&path, MOST_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| self.failed(&path)(error.into()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Index::default(),
            Err(error) => return Err(self.failed(&path)(error)),
        };
        index.done = index.done.min(index.steps.len());
        if let Some((step, way)) = index.pending.filter(|(step, _)| *step < index.steps.len()) {
            let changes = self.changes(&index.steps[step])?;
            let is_ours = changes.iter().all(|change| change.is_at(Side::Old) || change.is_at(Side::New));
            if is_ours {
                changes.iter().for_each(|change| sweep(&change.file));
                let before = Index { pending: None, ..index.clone() };
                self.carry_out(storage, (&before, &mut index), (step, way), &changes)?;
            } else {
                // Somebody has changed a file since. Nothing is overwritten; the step can no longer be undone.
                index.end((step, way));
                self.store(storage, &index)?;
            }
        }
        Ok(index)
    }

    /// Adds a step, which is not done yet. Returns the entries that are no longer needed.
    fn add(
        &self,
        storage: &dyn Storage,
        index: &mut Index,
        title: &str,
        changes: &[FileChange],
    ) -> Result<Vec<Entry>, JournalError> {
        let mut dropped = index.steps.split_off(index.done);
        let surplus = (index.steps.len() + 1).saturating_sub(MOST_STEPS);
        dropped.extend(index.steps.drain(..surplus));
        index.done = index.steps.len();
        index.count += 1;
        let entry = Entry { file: format!("step-{}.json", index.count), title: title.to_owned() };
        let path = self.folder.join(&entry.file);
        let text = serde_json::to_vec(changes).map_err(|error| self.failed(&path)(error.into()))?;
        write_whole(storage, &path, &text).map_err(|error| self.failed(&path)(error.into()))?;
        index.steps.push(entry);
        Ok(dropped)
    }

    /// Carries out a step, all or none. If it fails, the index is again what it was before.
    fn carry_out(
        &self,
        storage: &dyn Storage,
        (before, index): (&Index, &mut Index),
        (step, way): (usize, Way),
        changes: &[FileChange],
    ) -> Result<(), JournalError> {
        index.pending = Some((step, way));
        if let Err(error) = self.store(storage, index) {
            // What was written may be there all the same, and would complete a step of which an error was told.
            let _ = self.store(storage, before);
            return Err(error);
        }
        for at in 0..changes.len() {
            let Err(error) = changes[at].go(storage, way.end()) else { continue };
            // The file itself may have been replaced, too.
            let lost = changes[..=at].iter().filter(|change| change.go(storage, way.start()).is_err()).count();
            if lost == 0 && self.store(storage, before).is_ok() {
                return Err(FileError::at(&changes[at].file)(error).into());
            }
            return Err(JournalError::Half {
                file: changes[at].name.clone(),
                journal: self.folder.clone(),
                cause: error,
            });
        }
        index.end((step, way));
        self.store(storage, index)
    }

    fn changes(&self, entry: &Entry) -> Result<Vec<FileChange>, JournalError> {
        let path = self.folder.join(&entry.file);
        let bytes = read_file(&path, MOST_BYTES).map_err(self.failed(&path))?;
        serde_json::from_slice(&bytes).map_err(|error| self.failed(&path)(error.into()))
    }

    fn store(&self, storage: &dyn Storage, index: &Index) -> Result<(), JournalError> {
        let path = self.folder.join(INDEX);
        let text = serde_json::to_vec(index).map_err(|error| self.failed(&path)(error.into()))?;
        write_whole(storage, &path, &text).map_err(|error| self.failed(&path)(error.into()))
    }

    fn forget(&self, storage: &dyn Storage, dropped: &[Entry]) {
        for entry in dropped {
            // At worst, a file is left that nothing reads.
            let _ = FilePlace::at(&self.folder.join(&entry.file)).and_then(|place| place.remove(storage));
        }
    }

    fn failed(&self, path: &Path) -> impl Fn(io::Error) -> JournalError + use<> {
        let path = path.to_owned();
        move |cause| JournalError::Journal { path: path.clone(), cause }
    }
}

impl Index {
    fn end(&mut self, (step, way): (usize, Way)) {
        self.pending = None;
        self.done = if way == Way::Forward { step + 1 } else { step };
    }
}

/// One of the two contents of a changed file.
#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

impl Way {
    fn start(self) -> Side {
        if self == Way::Forward { Side::Old } else { Side::New }
    }

    fn end(self) -> Side {
        if self == Way::Forward { Side::New } else { Side::Old }
    }
}

impl FileChange {
    fn side(&self, side: Side) -> Option<&str> {
        match side {
            Side::Old => self.old.as_deref(),
            Side::New => self.new.as_deref(),
        }
    }

    /// Whether the file has one of its contents now.
    fn is_at(&self, side: Side) -> bool {
        match (self.content(), self.side(side)) {
            (Err(error), None) => error.kind() == io::ErrorKind::NotFound,
            (Ok(bytes), Some(text)) => bytes == text.as_bytes(),
            _ => false,
        }
    }

    fn inside(&self) -> &Path {
        self.file.strip_prefix(&self.root).unwrap_or(&self.file)
    }

    fn content(&self) -> io::Result<Vec<u8>> {
        HeldFolder::open(&self.root)?.read(self.inside(), MOST_BYTES)
    }

    /// Gives the file one of its contents, unless it has it.
    fn go(&self, storage: &dyn Storage, side: Side) -> io::Result<()> {
        if self.is_at(side) {
            return Ok(());
        }
        if let Some(link) = link_below(&self.root, &self.file) {
            return Err(io::Error::other(format!("`{}` is a link; nothing is written through links", link.display())));
        }
        let place = FilePlace::below(&HeldFolder::open(&self.root)?, self.inside(), self.file.clone())?;
        match self.side(side) {
            Some(text) => Ok(write_at(storage, &place, text.as_bytes())?),
            None => place.remove(storage),
        }
    }
}

/// Fails if a file is not as a step found or left it.
fn stands(changes: &[FileChange], way: Way) -> Result<(), JournalError> {
    match changes.iter().find(|change| !change.is_at(way.start())) {
        Some(change) => Err(JournalError::ChangedElsewhere(change.name.clone())),
        None => Ok(()),
    }
}
