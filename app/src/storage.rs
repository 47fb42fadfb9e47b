//! Writes files so that a crash, a full disk or a second process loses nothing.
//!
//! A file is written under a temporary name in the same folder, flushed to disk and renamed, and the folder is flushed
//! too. Tests make each of these steps fail. A lock file beside a save keeps a second program from writing to it; the
//! system releases the lock when the process ends. Nothing here writes through a link.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The operations of a file system that saving needs. Tests make each of them fail.
pub trait Storage {
    /// Creates a new file.
    ///
    /// # Errors
    /// The error of the system; `AlreadyExists` if anything exists there, even a dangling link.
    fn create(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(path)
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
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }
    /// Flushes the names in a folder to the disk.
    ///
    /// # Errors
    /// The system's error.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        sync_names(folder)
    }
    /// Removes a file.
    ///
    /// # Errors
    /// The system's error.
    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }
}

/// Why files were not written. They are unchanged, unless the error says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file is a link. The program does not write to its target.
    #[error("`{}` is a link; name the file itself", .0.display())]
    Link(PathBuf),
    /// The system reported an error.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The system reported an error, and another one when files that had already changed were to be restored.
    #[error("cannot write `{}`: {cause}; other files have changed: to restore them, rename {}", path.display(), renames(changed))]
    Unrestored {
        /// The file that could not be written.
        path: PathBuf,
        /// The changed files. The old content of each is beside it.
        changed: Vec<PathBuf>,
        /// The system's error.
        cause: io::Error,
    },
}

fn renames(changed: &[PathBuf]) -> String {
    let rename = |path: &PathBuf| format!("`{}` to `{}`", old_file(path).display(), path.display());
    changed.iter().map(rename).collect::<Vec<_>>().join(", ")
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

#[cfg(unix)]
fn sync_names(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match File::open(folder)?.sync_all() {
        // Some file systems cannot flush folders.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// Other systems cannot open folders; renaming must suffice.
#[cfg(not(unix))]
fn sync_names(_folder: &Path) -> io::Result<()> {
    Ok(())
}

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

/// Where the old content of a file is while files are replaced.
pub fn old_file(path: &Path) -> PathBuf {
    beside(path, ".old.tmp")
}

/// Writes a file completely or not at all: to a temporary file, flushed to the disk, then renamed. A link is replaced,
/// never followed. The temporary file is removed even on an error.
///
/// # Errors
/// [`WriteError`] tells whether the file was replaced.
pub fn write_whole(storage: &dyn Storage, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let temporary = beside(path, ".tmp");
    let written = prepare(storage, &temporary, bytes).and_then(|()| storage.rename(&temporary, path));
    if let Err(error) = written {
        // The first error matters more.
        let _ = storage.remove(&temporary);
        return Err(WriteError::Kept(error));
    }
    storage.sync_folder(folder_of(path)).map_err(WriteError::Replaced)
}

/// The content of a file, and what is to replace it.
pub struct Replacement {
    /// The file.
    pub path: PathBuf,
    /// Its content.
    pub old: Vec<u8>,
    /// Its new content.
    pub new: Vec<u8>,
}

impl Replacement {
    fn new_file(&self) -> PathBuf {
        beside(&self.path, ".tmp")
    }

    fn old_file(&self) -> PathBuf {
        old_file(&self.path)
    }
}

/// Replaces all files or none. Old and new contents are complete on the disk before the first file is renamed, so that
/// renaming is all that can still fail; then the files that were renamed get their old content back. Links are
/// replaced, never followed. If the program is killed between two renames, the old contents stay beside the files.
///
/// # Errors
/// [`FileError`]. All files are unchanged, except after [`FileError::Unrestored`].
pub fn replace_all(storage: &dyn Storage, files: &[Replacement]) -> Result<(), FileError> {
    let mut renamed = 0;
    let done = prepare_all(storage, files).and_then(|()| rename_all(storage, files, &mut renamed));
    let is_lost = |file: &&Replacement| storage.rename(&file.old_file(), &file.path).is_err();
    let lost: Vec<&Replacement> = match &done {
        Ok(()) => Vec::new(),
        Err(_) => files[..renamed].iter().filter(is_lost).collect(),
    };
    for file in files {
        // At worst, a temporary file is left.
        let _ = storage.remove(&file.new_file());
        if !lost.iter().any(|other| other.path == file.path) {
            let _ = storage.remove(&file.old_file());
        }
    }
    match done {
        Err(FileError::Unwritable { path, cause }) if !lost.is_empty() => {
            let changed = lost.into_iter().map(|file| file.path.clone()).collect();
            Err(FileError::Unrestored { path, changed, cause })
        }
        done => done,
    }
}

fn prepare_all(storage: &dyn Storage, files: &[Replacement]) -> Result<(), FileError> {
    for file in files {
        let failed = FileError::at(&file.path);
        prepare(storage, &file.old_file(), &file.old).map_err(failed)?;
        prepare(storage, &file.new_file(), &file.new).map_err(failed)?;
    }
    Ok(())
}

fn rename_all(storage: &dyn Storage, files: &[Replacement], renamed: &mut usize) -> Result<(), FileError> {
    for file in files {
        storage.rename(&file.new_file(), &file.path).map_err(FileError::at(&file.path))?;
        *renamed += 1;
    }
    for file in files {
        storage.sync_folder(folder_of(&file.path)).map_err(FileError::at(&file.path))?;
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Writes a temporary file, and flushes it to the disk.
fn prepare(storage: &dyn Storage, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    // A leftover of an interrupted write, or a link.
    match storage.remove(temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = storage.create(temporary)?;
    storage.write(&mut file, bytes)?;
    storage.sync(&file)
}

/// Whether a path is a link, even a broken one.
pub fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
}

/// The first link on the way from a file up to a folder, without that folder.
pub fn link_below<'p>(folder: &Path, file: &'p Path) -> Option<&'p Path> {
    file.ancestors().take_while(|above| *above != folder).find(|above| is_link(above))
}

/// Refuses a link: one in the pack of a stranger could point anywhere.
///
/// # Errors
/// [`FileError::Link`].
pub fn refuse_link(path: &Path) -> Result<(), FileError> {
    if is_link(path) { Err(FileError::Link(path.to_owned())) } else { Ok(()) }
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
        for link in ["a.json", "a.json.tmp"] {
            std::os::unix::fs::symlink(&victim, folder.path().join(link)).unwrap();
        }
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
