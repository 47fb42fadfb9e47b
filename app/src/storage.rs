//! Writing files so that a crash, a full disk or a second process loses nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The few things that saving asks of a file system. Tests let each of them fail in turn.
pub trait Storage {
    /// Creates a file that is not there yet.
    ///
    /// # Errors
    /// The error of the system; `AlreadyExists` if anything exists there, even a dangling link.
    fn create(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(path)
    }
    /// Writes all bytes at the end of a file.
    ///
    /// # Errors
    /// What the system says; some of the bytes may have been written.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
    /// Brings a file to the disk.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }
    /// Renames a file, and replaces any file of that name.
    ///
    /// # Errors
    /// What the system says; then both are as they were.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }
    /// Brings the names in a folder to the disk.
    ///
    /// # Errors
    /// What the system says.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        sync_names(folder)
    }
    /// Removes a file.
    ///
    /// # Errors
    /// What the system says.
    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }
}

/// Why a file was not written. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file is a link: what it leads to is not ours to write.
    #[error("`{}` is a link; name the file itself", .0.display())]
    Link(PathBuf),
    /// The system refused.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl FileError {
    /// Turns what the system says of a file into an error that names the file.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> FileError + Copy + '_ {
        |source| FileError::Unwritable { path: path.to_owned(), source }
    }
}

/// The file system of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {}

#[cfg(unix)]
fn sync_names(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match File::open(folder)?.sync_all() {
        // Some file systems have no such thing as bringing a folder to the disk.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// Elsewhere folders cannot be opened; renaming is all there is.
#[cfg(not(unix))]
fn sync_names(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// A write that failed.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file is as it was before.
    #[error("{0}")]
    Kept(io::Error),
    /// The file has its new content already, but after a power cut it may have the old one again.
    #[error("{0}")]
    Replaced(io::Error),
}

impl WriteError {
    /// The error of the system.
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

/// A name beside a file: its own with an ending behind it.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file as a whole or not at all: beside it, to the disk, then in its place. Links are replaced, never
/// followed. No temporary file is left, whatever fails.
///
/// # Errors
/// [`WriteError`], which says whether the file was replaced.
pub fn write_whole(storage: &dyn Storage, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let temporary = beside(path, ".tmp");
    // An existing file was left by an interrupted write, or is a link.
    match storage.remove(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(WriteError::Kept(error)),
        _ => {}
    }
    let mut file = storage.create(&temporary).map_err(WriteError::Kept)?;
    let written = storage
        .write(&mut file, bytes)
        .and_then(|()| storage.sync(&file))
        .and_then(|()| storage.rename(&temporary, path));
    if let Err(error) = written {
        // The first error is the one to tell.
        let _ = storage.remove(&temporary);
        return Err(WriteError::Kept(error));
    }
    storage.sync_folder(path.parent().unwrap_or(Path::new("."))).map_err(WriteError::Replaced)
}

/// Whether a path is a link, even a broken one.
pub fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
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
    /// The lock file could not be made.
    #[error("cannot lock `{}`: {source}", path.display())]
    System {
        /// The lock file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// A lock of the operating system on a file, held in a file `<name>.lock` beside it. It ends with the process, however
/// that ends; so a leftover lock file locks nobody out.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

impl FileLock {
    /// Locks a file that need not exist yet.
    ///
    /// # Errors
    /// [`LockError::Held`] where another process, or another session of this one, holds the lock.
    pub fn take(target: &Path) -> Result<Self, LockError> {
        let path = beside(target, ".lock");
        let system = |source| LockError::System { path: path.clone(), source };
        loop {
            let file = open_lock(&path).map_err(system)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => return Err(LockError::Held(path)),
                Err(std::fs::TryLockError::Error(source)) => return Err(system(source)),
            }
            // Its last holder may have removed it between our opening and our locking.
            if is_same_file(&file, &path) {
                return Ok(FileLock { path, file });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // While the lock is held, no other process treats the file as new.
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

/// Elsewhere a file that is open keeps its name.
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
        // The leftovers of a killed process lock nobody out.
        std::fs::write(beside(&file, ".lock"), "").unwrap();
        drop(FileLock::take(&file).unwrap());
    }
}
