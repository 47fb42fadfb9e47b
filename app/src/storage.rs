//! Writes files so that a crash, a full disk or a second process loses nothing.
//!
//! A file is written under a temporary name in the same folder, flushed to disk and renamed, and the folder is flushed
//! too. Tests make each of these steps fail. A lock file beside a save keeps a second program from writing to it; the
//! system releases the lock when the process ends. Nothing here writes through a link.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use principes_source::{EntryKind, HeldFolder, temporary_name};

/// The operations of a file system that saving needs. Tests make each of them fail.
pub trait Storage {
    /// Creates a new file in a folder.
    ///
    /// # Errors
    /// The error of the system; `AlreadyExists` if anything has the name, even a dangling link.
    fn create(&self, folder: &HeldFolder, name: &OsStr) -> io::Result<File> {
        folder.create_file(name)
    }
    /// Writes all bytes at the end of a file.
    ///
    /// # Errors
    /// The system's error. Some of the bytes may have been written.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
    /// Flushes a file to the disk.
    ///
    /// # Errors
    /// The system's error.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }
    /// Renames a file and replaces any file with the new name.
    ///
    /// # Errors
    /// The system's error. Both files are unchanged.
    fn rename(&self, folder: &HeldFolder, from: &OsStr, to: &OsStr) -> io::Result<()> {
        folder.rename(from, to)
    }
    /// Flushes the names in a folder to the disk.
    ///
    /// # Errors
    /// The system's error.
    fn sync_folder(&self, folder: &HeldFolder) -> io::Result<()> {
        folder.sync()
    }
    /// Removes a file.
    ///
    /// # Errors
    /// The system's error.
    fn remove(&self, folder: &HeldFolder, name: &OsStr) -> io::Result<()> {
        folder.remove(name)
    }
}

/// Why files were not written. They are unchanged, unless the error says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file is a link. The program does not write to its target.
    #[error("`{}` is a link; name the file itself", .0.display())]
    Link(PathBuf),
    /// It is a device, a pipe or a socket. The program replaces files, so it would be gone.
    #[error("`{}` is not a file but a device, a pipe or a socket; name a file", .0.display())]
    Special(PathBuf),
    /// The system reported an error.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The system reported an error, and another one when files that had already changed were to be restored.
    #[error("cannot write `{}`: {cause}; other files have changed: to restore them, {}", path.display(), steps(changed))]
    Unrestored {
        /// The file that could not be written.
        path: PathBuf,
        /// The changed files, each with the file beside it that has its old content, unless it is new.
        changed: Vec<(PathBuf, Option<PathBuf>)>,
        /// The system's error.
        cause: io::Error,
    },
}

fn steps(changed: &[(PathBuf, Option<PathBuf>)]) -> String {
    let step = |(path, old): &(PathBuf, Option<PathBuf>)| match old {
        Some(old) => format!("rename `{}` to `{}`", old.display(), path.display()),
        None => format!("remove `{}`", path.display()),
    };
    changed.iter().map(step).collect::<Vec<_>>().join(", ")
}

impl FileError {
    /// Converts a system error into an error that names the file.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> FileError + Copy + '_ {
        |cause| FileError::Unwritable { path: path.to_owned(), cause }
    }
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {}

/// A write that failed.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file is unchanged.
    #[error("{0}")]
    Kept(io::Error),
    /// The file has its new content, but a power failure may restore the old content.
    #[error("{0}")]
    Replaced(io::Error),
}

impl WriteError {
    /// The system's error.
    pub fn cause(&self) -> &io::Error {
        match self {
            WriteError::Kept(error) | WriteError::Replaced(error) => error,
        }
    }
}

impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> io::Error {
        match error {
            WriteError::Kept(error) | WriteError::Replaced(error) => error,
        }
    }
}

/// A path beside a file: the same name with an ending appended.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// The most numbers that are tried in the name of a file.
const MOST_NUMBERS: u32 = 1_000;

/// A path and, if its name is taken, others beside it with a number: `game.json`, `game-2.json` and so on. There are at
/// most 1,000.
pub fn numbered(path: &Path) -> impl Iterator<Item = PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    let others = (2..=MOST_NUMBERS).map(move |at| format!("{stem}-{at}{ending}"));
    std::iter::once(path.to_owned()).chain(others.map(|name| path.with_file_name(name)))
}

/// Where a file is, or will be: in a folder that is held open.
#[derive(Clone, Debug)]
pub struct FilePlace {
    folder: HeldFolder,
    name: OsString,
    /// The file as users name it.
    path: PathBuf,
}

impl FilePlace {
    /// The place with a path that the user named. Links to its folder are followed.
    ///
    /// # Errors
    /// The system's error: the folder cannot be opened.
    pub fn at(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_owned();
        let folder = HeldFolder::open(path.parent().unwrap_or(Path::new("")))?;
        Ok(FilePlace { folder, name, path: path.to_owned() })
    }

    /// A place below a folder, such as a pack. `path` is how users name it.
    ///
    /// # Errors
    /// There is a link on the way, or the system's error.
    pub fn below(root: &HeldFolder, inside: &Path, path: PathBuf) -> io::Result<Self> {
        let (folder, name) = root.place_of(inside)?;
        Ok(FilePlace { folder, name, path })
    }

    /// Removes the file.
    ///
    /// # Errors
    /// The system's error.
    pub fn remove(&self, storage: &dyn Storage) -> io::Result<()> {
        storage.remove(&self.folder, &self.name)
    }
}

/// Writes a file completely or not at all: to a temporary file, flushed to the disk, then renamed. A link is replaced,
/// never followed. The temporary file is removed even on an error.
///
/// # Errors
/// [`WriteError`] tells whether the file was replaced.
pub fn write_whole(storage: &dyn Storage, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_at(storage, &FilePlace::at(path).map_err(WriteError::Kept)?, bytes)
}

/// [`write_whole`] for a file whose folder is held open.
///
/// # Errors
/// [`WriteError`] tells whether the file was replaced.
pub fn write_at(storage: &dyn Storage, place: &FilePlace, bytes: &[u8]) -> Result<(), WriteError> {
    let temporary = prepare(storage, place, bytes).map_err(WriteError::Kept)?;
    if let Err(error) = storage.rename(&place.folder, &temporary, &place.name) {
        // The first error matters more.
        let _ = storage.remove(&place.folder, &temporary);
        return Err(WriteError::Kept(error));
    }
    storage.sync_folder(&place.folder).map_err(WriteError::Replaced)
}

/// Removes the temporary files that killed writes of a file have left. Nobody else may be writing the file now.
pub fn sweep(path: &Path) {
    let Ok(FilePlace { folder, name, .. }) = FilePlace::at(path) else { return };
    let is_left = |other: &OsStr| {
        let middle = other.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let digits = middle.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".tmp"));
        digits.is_some_and(|digits| digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit))
    };
    for (other, _) in folder.entries().unwrap_or_default().iter().filter(|(other, _)| is_left(other)) {
        // It is only in the way.
        let _ = folder.remove(other);
    }
}

/// The content of a file, and what is to replace it.
pub struct Replacement {
    /// The file.
    pub place: FilePlace,
    /// Its content.
    pub old: Vec<u8>,
    /// Its new content.
    pub new: Vec<u8>,
}

/// A file whose new content is complete, under a temporary name.
struct Ready {
    place: FilePlace,
    new: OsString,
    /// The temporary name of its old content, if the file exists.
    old: Option<OsString>,
}

impl Ready {
    fn prepare(storage: &dyn Storage, place: FilePlace, old: Option<&[u8]>, new: &[u8]) -> Result<Self, FileError> {
        let failed = FileError::at(&place.path);
        let old = old.map(|bytes| prepare(storage, &place, bytes)).transpose().map_err(failed)?;
        let written = prepare(storage, &place, new);
        if let (Err(_), Some(old)) = (&written, &old) {
            // The first error matters more.
            let _ = storage.remove(&place.folder, old);
        }
        let new = written.map_err(failed)?;
        Ok(Ready { place, new, old })
    }

    fn take_name(&self, storage: &dyn Storage) -> io::Result<()> {
        storage.rename(&self.place.folder, &self.new, &self.place.name)
    }

    /// Undoes [`Self::take_name`].
    fn restore(&self, storage: &dyn Storage) -> io::Result<()> {
        match &self.old {
            Some(old) => storage.rename(&self.place.folder, old, &self.place.name),
            None => storage.remove(&self.place.folder, &self.place.name),
        }
    }

    /// Removes the temporary files. At worst, one is left.
    fn clean(&self, storage: &dyn Storage) {
        for temporary in [Some(&self.new), self.old.as_ref()].into_iter().flatten() {
            let _ = storage.remove(&self.place.folder, temporary);
        }
    }
}

/// Replaces all files or none. Old and new contents are complete on the disk before the first file is renamed, so that
/// renaming is all that can still fail; then the files that were renamed get their old content back. Links are
/// replaced, never followed. If the program is killed between two renames, the old contents stay beside the files.
///
/// # Errors
/// [`FileError`]. All files are unchanged, except after [`FileError::Unrestored`].
pub fn replace_all(storage: &dyn Storage, files: &[Replacement]) -> Result<(), FileError> {
    let mut ready = Vec::new();
    for file in files {
        match Ready::prepare(storage, file.place.clone(), Some(&file.old), &file.new) {
            Ok(file) => ready.push(file),
            Err(error) => {
                ready.iter().for_each(|file| file.clean(storage));
                return Err(error);
            }
        }
    }
    take_names(storage, &ready)
}

/// Gives all files their names, or none. Nothing is left of the temporary files, except after
/// [`FileError::Unrestored`].
fn take_names(storage: &dyn Storage, ready: &[Ready]) -> Result<(), FileError> {
    let mut renamed = 0;
    let done = rename_all(storage, ready, &mut renamed);
    let mut lost = Vec::new();
    for (at, file) in ready.iter().enumerate() {
        if done.is_err() && at < renamed && file.restore(storage).is_err() {
            let path = &file.place.path;
            lost.push((path.clone(), file.old.as_ref().map(|old| path.with_file_name(old))));
        } else {
            file.clean(storage);
        }
    }
    match done {
        Err(FileError::Unwritable { path, cause }) if !lost.is_empty() => {
            Err(FileError::Unrestored { path, changed: lost, cause })
        }
        done => done,
    }
}

fn rename_all(storage: &dyn Storage, ready: &[Ready], renamed: &mut usize) -> Result<(), FileError> {
    for file in ready {
        file.take_name(storage).map_err(FileError::at(&file.place.path))?;
        *renamed += 1;
    }
    for file in ready {
        storage.sync_folder(&file.place.folder).map_err(FileError::at(&file.place.path))?;
    }
    Ok(())
}

/// Writes a temporary file beside a file, and flushes it to the disk. Returns its name. Nothing is left after an error.
fn prepare(storage: &dyn Storage, place: &FilePlace, bytes: &[u8]) -> io::Result<OsString> {
    let temporary = temporary_name(&place.name);
    let mut file = storage.create(&place.folder, &temporary)?;
    let written = storage.write(&mut file, bytes).and_then(|()| storage.sync(&file));
    written.map(|()| temporary.clone()).inspect_err(|_| {
        // The first error matters more.
        let _ = storage.remove(&place.folder, &temporary);
    })
}

/// Files that belong together. None has its name before all are complete, and unless all of them get theirs, everything
/// is as it was: new files and folders are gone, and other files have their old content.
pub struct FileSet<'s> {
    storage: &'s dyn Storage,
    root: HeldFolder,
    path: PathBuf,
    /// The folders that were made for them.
    made: Vec<(HeldFolder, OsString)>,
    ready: Vec<Ready>,
}

impl<'s> FileSet<'s> {
    /// Begins with a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// [`FileError`]: the folder cannot be made or opened.
    pub fn begin(storage: &'s dyn Storage, path: &Path) -> Result<Self, FileError> {
        let there = path.ancestors().find(|above| above.is_dir()).unwrap_or(Path::new(""));
        let root = HeldFolder::open(there).map_err(FileError::at(path))?;
        let mut set = FileSet { storage, root, path: path.to_owned(), made: Vec::new(), ready: Vec::new() };
        // The last part stands for a file.
        let rest = path.strip_prefix(there).unwrap_or(path).join("file");
        (set.root, _) = set.root.make_place_of(&rest, &mut set.made).map_err(FileError::at(path))?;
        Ok(set)
    }

    /// Begins with a folder that does not exist, and makes it.
    ///
    /// # Errors
    /// [`FileError`]: something has its name, or it cannot be made.
    pub fn in_new_folder(storage: &'s dyn Storage, path: &Path) -> Result<Self, FileError> {
        let set = FileSet::begin(storage, path)?;
        match set.made.last().is_some_and(|(_, name)| path.file_name() == Some(name)) {
            true => Ok(set),
            false => Err(FileError::at(path)(io::ErrorKind::AlreadyExists.into())),
        }
    }

    /// Writes a file under a temporary name. Its path is relative to the folder.
    ///
    /// # Errors
    /// [`FileError`]: there is a link or a folder, or the file cannot be written.
    pub fn add(&mut self, inside: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.path.join(inside);
        let failed = FileError::at(&path);
        let (folder, name) = self.root.make_place_of(inside, &mut self.made).map_err(failed)?;
        let old = match folder.kind(&name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Ok(EntryKind::Folder) => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(EntryKind::Other) if folder.is_link(&name) => return Err(FileError::Link(path)),
            Ok(EntryKind::Other) => return Err(FileError::Special(path)),
            _ => Some(folder.read(Path::new(&name), u64::MAX).map_err(failed)?),
        };
        let place = FilePlace { folder, name, path: path.clone() };
        self.ready.push(Ready::prepare(self.storage, place, old.as_deref(), bytes)?);
        Ok(())
    }

    /// Gives all files their names; returns their number.
    ///
    /// # Errors
    /// [`FileError`]. Everything is as it was, except after [`FileError::Unrestored`].
    pub fn finish(mut self) -> Result<usize, FileError> {
        let ready = std::mem::take(&mut self.ready);
        take_names(self.storage, &ready)?;
        self.made.clear();
        Ok(ready.len())
    }
}

impl Drop for FileSet<'_> {
    fn drop(&mut self) {
        self.ready.iter().for_each(|file| file.clean(self.storage));
        // Nothing can be done about errors here. A folder that somebody else has used stays.
        for (folder, name) in self.made.iter().rev() {
            let _ = folder.remove_folder(name);
        }
    }
}

/// Whether a path is a link, even a broken one.
pub fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
}

/// The first link on the way from a file up to a folder, without that folder.
pub fn link_below<'p>(folder: &Path, file: &'p Path) -> Option<&'p Path> {
    file.ancestors().take_while(|above| *above != folder).find(|above| is_link(above))
}

/// Refuses what cannot be replaced: a link, because one in the pack of a stranger could point anywhere, and devices,
/// pipes and sockets. A folder is no worse than its error later.
///
/// # Errors
/// [`FileError::Link`], or [`FileError::Special`].
pub fn refuse_special(path: &Path) -> Result<(), FileError> {
    match std::fs::symlink_metadata(path) {
        Ok(about) if about.is_symlink() => Err(FileError::Link(path.to_owned())),
        Ok(about) if !about.is_file() && !about.is_dir() => Err(FileError::Special(path.to_owned())),
        _ => Ok(()),
    }
}

/// Whether anything has this name, even a broken link.
pub fn is_taken(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// Why a file could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds the lock.
    #[error("another program is writing this game (its lock is `{}`); close it, or save to another file", .0.display())]
    Held(PathBuf),
    /// The lock file could not be created.
    #[error("cannot lock `{}`: {cause}", path.display())]
    System {
        /// The lock file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
}

/// A system lock on a file `<name>.lock` beside the file. The system releases it when the process ends in any way, so a
/// leftover lock file blocks nobody.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

impl FileLock {
    /// Locks a file, which need not exist.
    ///
    /// # Errors
    /// [`LockError::Held`] if another process, or another session of this process, holds the lock.
    pub fn take(target: &Path) -> Result<Self, LockError> {
        let path = beside(target, ".lock");
        let system = |cause| LockError::System { path: path.clone(), cause };
        loop {
            let file = open_lock(&path).map_err(system)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => return Err(LockError::Held(path)),
                Err(std::fs::TryLockError::Error(source)) => return Err(system(source)),
            }
            // The previous holder may have removed the file between opening and locking.
            if is_same_file(&file, &path) {
                return Ok(FileLock { path, file });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Remove the file while the lock is held, so that no other process locks a removed file.
        if is_same_file(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn open_lock(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    // Links are not followed.
    let flags = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    OpenOptions::new().write(true).create(true).truncate(false).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path)
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |about: std::fs::Metadata| (about.dev(), about.ino());
    match (file.metadata(), std::fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => id(open) == id(named),
        _ => false,
    }
}

/// On other systems, the name of an open file cannot change.
#[cfg(not(unix))]
fn is_same_file(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, file) = (folder.path().join("victim"), folder.path().join("a.json"));
        std::fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, &file).unwrap();
        write_whole(&Disk, &file, b"new").unwrap();
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(!is_link(&file));
        std::os::unix::fs::symlink(&victim, folder.path().join("a.json.lock")).unwrap();
        assert!(matches!(FileLock::take(&file), Err(LockError::System { .. })));
    }

    #[test]
    fn a_lock_is_held_once_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        let first = FileLock::take(&file).unwrap();
        assert!(matches!(FileLock::take(&file), Err(LockError::Held(_))));
        drop(first);
        assert!(!is_taken(&beside(&file, ".lock")));
        drop(FileLock::take(&file).unwrap());
        // A lock file left by a killed process blocks nobody.
        std::fs::write(beside(&file, ".lock"), "").unwrap();
        drop(FileLock::take(&file).unwrap());
    }
}
