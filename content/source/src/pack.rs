//! The interface of all places that hold a pack.

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::held::HeldFolder;

/// A place that holds one pack. Paths are relative, with `/` between their parts.
pub trait PackSource: Send + Sync {
    /// All files, sorted. Names that start with a dot are left out.
    fn list(&self) -> io::Result<Vec<String>>;
    /// The content of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// The state of a file on disk, if it shows whether the file must be read again.
    fn stamp(&self, _path: &str) -> Option<Stamp> {
        None
    }
    /// The name of a file for users, relative to their current folder.
    fn label(&self, path: &str) -> String;
    /// The folder in which other packs may be found beside this one.
    fn beside(&self) -> Option<PathBuf> {
        None
    }
    /// The pack's own folder, if it has one; snapshots are written there.
    fn folder(&self) -> Option<PathBuf> {
        None
    }
    /// The same folder, held open. Files are written through it, because anything could take its name meanwhile.
    fn held(&self) -> Option<io::Result<HeldFolder>> {
        self.folder().map(|folder| HeldFolder::open(&folder))
    }
    /// Whether a listed file is a link, which is never followed.
    fn is_link(&self, _path: &str) -> bool {
        false
    }
    /// Why a packed file was refused, if it was.
    fn refusal(&self) -> Option<&Refusal> {
        None
    }
}

impl std::fmt::Debug for dyn PackSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label(""))
    }
}

/// The state of a file on disk. It differs after every change: the system itself notes the time, which cannot be set
/// back like the time of the last write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// Device and number of the file.
    pub inode: (u64, u64),
    /// Its length.
    pub bytes: u64,
    /// When it was last written: seconds and nanoseconds of the Unix epoch.
    pub written: (i64, i64),
    /// When anything about it last changed, in the same units.
    pub changed: (i64, i64),
}

impl Stamp {
    /// Seconds. Disks store times in steps of up to this many, and within a step a file could change again unnoticed.
    const STEP: i64 = 2;

    /// Whether the last change is old enough that any later one is noticed.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        i64::try_from(now).is_ok_and(|now| now.saturating_sub(self.changed.0) > Stamp::STEP)
    }
}

/// Why a packed file is not a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The entry of the archive; empty for the archive itself.
    pub entry: String,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

impl Refusal {
    pub(crate) fn new(entry: impl Into<String>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal { entry: entry.into(), message: message.into(), help: help.into() }
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        let Refusal { entry, message, help } = refusal;
        let at = if entry.is_empty() { String::new() } else { format!("`{entry}`: ") };
        io::Error::other(format!("{at}{message}; {help}"))
    }
}

/// The text of a file. Bytes that are not UTF-8 become placeholder characters.
pub fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
