//! Folders that are held open. What is opened in one lies in it, even if somebody exchanges folders for links in the
//! meantime. Only Unix has the calls for this; elsewhere, links are looked for before each step.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Component, Path};

#[cfg(unix)]
use self::by_handle::OpenFolder as SystemFolder;
#[cfg(not(unix))]
use self::by_path::NamedFolder as SystemFolder;
use crate::ordinary::{not_ordinary, read_ordinary};

/// What has a name in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder, not a link to one.
    Folder,
    /// A link, or anything else.
    Other,
}

/// A folder that is held open. Clones are the same folder.
#[derive(Clone, Debug)]
pub struct HeldFolder(SystemFolder);

impl HeldFolder {
    /// Opens a folder. Links on the way are followed, because the user named them.
    ///
    /// # Errors
    /// The system's error, for example that it is not a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        SystemFolder::open(path).map(HeldFolder)
    }

    /// The folder below this one in which the last part of a path lies, and that part. Links are refused.
    ///
    /// # Errors
    /// `InvalidInput` if the path does not lead down or passes a link; or the system's error.
    pub fn place_of(&self, path: &Path) -> io::Result<(HeldFolder, OsString)> {
        self.walk(path, SystemFolder::inside)
    }

    /// [`Self::place_of`], but makes the folders on the way. `made` gets the path of each new one.
    ///
    /// # Errors
    /// As [`Self::place_of`].
    pub fn make_place_of(
        &self,
        path: &Path,
        made: &mut Vec<(HeldFolder, OsString)>,
    ) -> io::Result<(HeldFolder, OsString)> {
        self.walk(path, |folder, name| {
            match folder.create_folder(name) {
                Ok(()) => made.push((HeldFolder(folder.clone()), name.to_owned())),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            folder.inside(name)
        })
    }

    fn walk(
        &self,
        path: &Path,
        mut enter: impl FnMut(&SystemFolder, &OsStr) -> io::Result<SystemFolder>,
    ) -> io::Result<(HeldFolder, OsString)> {
        let mut names = Vec::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::Normal(name) => names.push(name),
                _ => return Err(refused()),
            }
        }
        let last = names.pop().ok_or_else(refused)?;
        let mut folder = self.0.clone();
        for name in names {
            folder = enter(&folder, name)?;
        }
        Ok((HeldFolder(folder), last.to_owned()))
    }

    /// A folder in this one.
    ///
    /// # Errors
    /// `InvalidInput` for a link, or the system's error.
    pub fn inside(&self, name: &OsStr) -> io::Result<Self> {
        self.0.inside(one(name)?).map(HeldFolder)
    }

    /// Everything in the folder, in no order. Links are not followed.
    ///
    /// # Errors
    /// The system's error.
    pub fn entries(&self) -> io::Result<Vec<(OsString, EntryKind)>> {
        self.0.entries()
    }

    /// Opens a file to read it. A pipe does not block.
    ///
    /// # Errors
    /// `InvalidInput` for a link, or the system's error.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        self.0.open_file(one(name)?)
    }

    /// Makes a new file.
    ///
    /// # Errors
    /// `AlreadyExists` if anything has the name, even a link to nothing; or the system's error.
    pub fn create_file(&self, name: &OsStr) -> io::Result<File> {
        self.0.create_file(one(name)?)
    }

    /// Whether a name is that of a link.
    pub fn is_link(&self, name: &OsStr) -> bool {
        one(name).is_ok_and(|name| self.0.is_link(name))
    }

    /// What has a name. A link is not followed.
    ///
    /// # Errors
    /// `NotFound`, or the system's error.
    pub fn kind(&self, name: &OsStr) -> io::Result<EntryKind> {
        self.0.kind(one(name)?)
    }

    /// Renames a file in the folder. A file or link with the new name is replaced; a device, pipe or socket is not.
    ///
    /// # Errors
    /// `InvalidInput` for what is not replaced, or the system's error.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let to = one(to)?;
        if self.0.kind(to).is_ok_and(|kind| kind == EntryKind::Other) && !self.0.is_link(to) {
            return Err(not_ordinary());
        }
        self.0.rename(one(from)?, to)
    }

    /// Removes a file or link.
    ///
    /// # Errors
    /// The system's error.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove(one(name)?)
    }

    /// Removes an empty folder.
    ///
    /// # Errors
    /// The system's error.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove_folder(one(name)?)
    }

    /// Flushes the names in the folder to the disk.
    ///
    /// # Errors
    /// The system's error.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}

impl HeldFolder {
    /// Writes a file below the folder completely or not at all: to a temporary file, flushed to the disk, then renamed.
    ///
    /// # Errors
    /// As [`Self::place_of`], or the system's error. The file is unchanged.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (folder, name) = self.place_of(path)?;
        let temporary = temporary_name(&name);
        let mut file = folder.create_file(&temporary)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        written.and_then(|()| folder.rename(&temporary, &name)).inspect_err(|_| {
            // The first error is reported; failing to remove the leftover is not worth another.
            let _ = folder.remove(&temporary);
        })
    }

    /// Reads a file below the folder, of at most `most` bytes.
    ///
    /// # Errors
    /// As [`Self::place_of`], or the system's error.
    pub fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let (folder, name) = self.place_of(path)?;
        read_ordinary(folder.open_file(&name)?, most)
    }
}

/// A name for a temporary file beside a file, which nobody else uses: `NAME.` with 16 random digits and `.tmp`.
pub fn temporary_name(name: &OsStr) -> OsString {
    let mut temporary = name.to_owned();
    // Each state has random keys, which a copy of the process has, too.
    let number = RandomState::new().hash_one((name, std::process::id()));
    temporary.push(format!(".{number:016x}.tmp"));
    temporary
}

/// A name is one part of a path.
fn one(name: &OsStr) -> io::Result<&OsStr> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(part)), None) if part == name => Ok(name),
        _ => Err(refused()),
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the path does not lead to a file in the folder")
}

fn link_above() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "a folder above it is a link")
}

#[cfg(unix)]
mod by_handle {
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;
    use std::sync::Arc;

    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
    use rustix::io::Errno;

    use super::{EntryKind, link_above};
    use crate::ordinary::not_ordinary;

    #[derive(Clone, Debug)]
    pub(super) struct OpenFolder(Arc<OwnedFd>);

    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    impl OpenFolder {
        pub(super) fn open(path: &Path) -> io::Result<Self> {
            Ok(OpenFolder(Arc::new(rustix::fs::open(path, FOLDER, Mode::empty())?)))
        }

        pub(super) fn inside(&self, name: &OsStr) -> io::Result<Self> {
            match rustix::fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(folder) => Ok(OpenFolder(Arc::new(folder))),
                // The errors for a link, depending on the system.
                Err(Errno::LOOP | Errno::NOTDIR | Errno::MLINK) if self.is_link(name) => Err(link_above()),
                Err(error) => Err(error.into()),
            }
        }

        pub(super) fn entries(&self) -> io::Result<Vec<(OsString, EntryKind)>> {
            let mut entries = Vec::new();
            for entry in Dir::read_from(&self.0)? {
                let entry = entry?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                let kind = match entry.file_type() {
                    FileType::Unknown => self.kind(name)?,
                    known => kind_of(known),
                };
                entries.push((name.to_owned(), kind));
            }
            Ok(entries)
        }

        pub(super) fn kind(&self, name: &OsStr) -> io::Result<EntryKind> {
            let about = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(kind_of(FileType::from_raw_mode(about.st_mode)))
        }

        pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            // Without `NONBLOCK`, opening a pipe would wait for a writer.
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            match rustix::fs::openat(&self.0, name, flags, Mode::empty()) {
                Ok(file) => Ok(File::from(file)),
                // The errors for a link and for a socket.
                Err(Errno::LOOP | Errno::MLINK | Errno::NXIO) => Err(not_ordinary()),
                Err(error) => Err(error.into()),
            }
        }

        pub(super) fn create_file(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            Ok(File::from(rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?))
        }

        pub(super) fn create_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
        }

        pub(super) fn is_link(&self, name: &OsStr) -> bool {
            rustix::fs::readlinkat(&self.0, name, Vec::new()).is_ok()
        }

        pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
        }

        pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
        }

        pub(super) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
        }

        pub(super) fn sync(&self) -> io::Result<()> {
            match rustix::fs::fsync(&self.0).map_err(io::Error::from) {
                // Some file systems cannot flush folders.
                Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
                    Ok(())
                }
                done => done,
            }
        }
    }

    fn kind_of(kind: FileType) -> EntryKind {
        match kind {
            FileType::RegularFile => EntryKind::File,
            FileType::Directory => EntryKind::Folder,
            _ => EntryKind::Other,
        }
    }
}

/// Between a look and the step after it, a link may appear. Only handles could rule that out.
#[cfg(not(unix))]
mod by_path {
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};

    use super::{EntryKind, link_above};
    use crate::ordinary::not_ordinary;

    #[derive(Clone, Debug)]
    pub(super) struct NamedFolder(PathBuf);

    impl NamedFolder {
        pub(super) fn open(path: &Path) -> io::Result<Self> {
            match path.metadata()?.is_dir() {
                true => Ok(NamedFolder(path.to_owned())),
                false => Err(io::ErrorKind::NotADirectory.into()),
            }
        }

        pub(super) fn inside(&self, name: &OsStr) -> io::Result<Self> {
            if self.is_link(name) {
                return Err(link_above());
            }
            NamedFolder::open(&self.0.join(name))
        }

        pub(super) fn entries(&self) -> io::Result<Vec<(OsString, EntryKind)>> {
            let entry = |entry: io::Result<std::fs::DirEntry>| {
                let entry = entry?;
                Ok((entry.file_name(), kind_of(entry.file_type()?)))
            };
            std::fs::read_dir(&self.0)?.map(entry).collect()
        }

        pub(super) fn kind(&self, name: &OsStr) -> io::Result<EntryKind> {
            Ok(kind_of(std::fs::symlink_metadata(self.0.join(name))?.file_type()))
        }

        pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            if self.is_link(name) {
                return Err(not_ordinary());
            }
            File::open(self.0.join(name))
        }

        pub(super) fn create_file(&self, name: &OsStr) -> io::Result<File> {
            OpenOptions::new().write(true).create_new(true).open(self.0.join(name))
        }

        pub(super) fn create_folder(&self, name: &OsStr) -> io::Result<()> {
            std::fs::create_dir(self.0.join(name))
        }

        pub(super) fn is_link(&self, name: &OsStr) -> bool {
            std::fs::symlink_metadata(self.0.join(name)).is_ok_and(|about| about.is_symlink())
        }

        pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            std::fs::rename(self.0.join(from), self.0.join(to))
        }

        pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
            std::fs::remove_file(self.0.join(name))
        }

        pub(super) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            std::fs::remove_dir(self.0.join(name))
        }

        /// Other systems cannot open folders; renaming must suffice.
        pub(super) fn sync(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn kind_of(kind: std::fs::FileType) -> EntryKind {
        match (kind.is_file(), kind.is_dir()) {
            (true, _) => EntryKind::File,
            (_, true) => EntryKind::Folder,
            _ => EntryKind::Other,
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    /// A folder `in` beside a file `secret`, which is removed at the end.
    struct Made(PathBuf);

    impl Made {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("principes-held-{name}-{}", std::process::id()));
            std::fs::create_dir_all(folder.join("in/deep")).unwrap();
            std::fs::write(folder.join("secret"), "secret").unwrap();
            Made(folder)
        }
    }

    impl Drop for Made {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn no_path_leads_out() {
        let made = Made::new("paths");
        symlink("..", made.0.join("in/up")).unwrap();
        symlink("../secret", made.0.join("in/link")).unwrap();
        let held = HeldFolder::open(&made.0.join("in")).unwrap();
        for path in ["../secret", "/etc/passwd", "deep/../../secret", "up/secret", "up/in/link", "", "."] {
            assert!(held.place_of(Path::new(path)).is_err(), "{path}");
        }
        assert!(held.open_file(OsStr::new("link")).is_err() && held.is_link(OsStr::new("link")));
        for name in ["../secret", "deep/a", ".", "..", "", "/"] {
            assert!(held.open_file(OsStr::new(name)).is_err(), "{name}");
            assert!(held.create_file(OsStr::new(name)).is_err(), "{name}");
        }
        assert!(held.create_file(OsStr::new("link")).is_err(), "cannot write through a link");
        let mut all = held.entries().unwrap();
        all.sort();
        let names: Vec<_> = all.iter().map(|(name, kind)| (name.to_str().unwrap(), *kind)).collect();
        assert_eq!(names, [("deep", EntryKind::Folder), ("link", EntryKind::Other), ("up", EntryKind::Other)]);
    }

    #[test]
    fn a_held_folder_stays_the_same_when_a_link_takes_its_name() {
        let made = Made::new("moved");
        let outside = made.0.join("outside");
        std::fs::create_dir(&outside).unwrap();
        let held = HeldFolder::open(&made.0.join("in")).unwrap();
        let (deep, name) = held.place_of(Path::new("deep/a.json")).unwrap();
        std::fs::rename(made.0.join("in/deep"), made.0.join("in/old")).unwrap();
        symlink(&outside, made.0.join("in/deep")).unwrap();
        drop(deep.create_file(&name).unwrap());
        assert!(made.0.join("in/old/a.json").exists() && !outside.join("a.json").exists());
        assert!(held.place_of(Path::new("deep/a.json")).is_err());
    }
}
