//! Where packs come from: folders on disk, the base game inside the binary, maps in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use include_dir::{Dir, include_dir};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::archive::{PackedPack, Refusal};

/// The base game as it was when the program was built.
static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/principes");

/// No file of a pack may be longer.
pub const MAX_FILE_BYTES: u64 = 16 << 20;
/// No pack may have more files.
pub const MAX_FILES: usize = 20_000;
/// No folder of a pack may lie deeper.
const MAX_DEPTH: usize = 16;

/// A place that holds one pack. Paths are relative, with `/` between their parts.
pub trait PackSource: Send + Sync {
    /// All files, sorted. Names that begin with a dot are left out.
    fn list(&self) -> io::Result<Vec<String>>;
    /// The content of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// How a file lies there before it is read, where that tells whether it must be read again.
    fn stamp(&self, _path: &str) -> Option<Stamp> {
        None
    }
    /// How a file is named to users, relative to where they stand.
    fn label(&self, path: &str) -> String;
    /// The folder in which neighbours of this pack may lie.
    fn beside(&self) -> Option<PathBuf> {
        None
    }
    /// The pack's own folder, where it has one; snapshots are written there.
    fn folder(&self) -> Option<PathBuf> {
        None
    }
    /// Whether a listed file is a link, which is never followed.
    fn is_link(&self, _path: &str) -> bool {
        false
    }
    /// Why there is no pack in it, where it is a packed file that was refused.
    fn refusal(&self) -> Option<&Refusal> {
        None
    }
}

impl std::fmt::Debug for dyn PackSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label(""))
    }
}

/// How a file lies on disk. It lies there otherwise after every change: the system itself notes when, and nobody can set
/// that back as one can the time of the last writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    inode: (u64, u64),
    bytes: u64,
    written: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Seconds. Time is noted in steps, on some disks of as many; in the same step a file could change again unseen.
    const STEP: i64 = 2;

    /// Whether the last change is so long ago that every later one shows.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        i64::try_from(now).is_ok_and(|now| now.saturating_sub(self.changed.0) > Stamp::STEP)
    }
}

/// Whether a relative path is one that every system can store and that stays inside the pack.
pub fn is_safe_path(path: &str) -> bool {
    !path.is_empty() && path.len() <= 200 && path.split('/').all(is_safe_part)
}

fn is_safe_part(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '@');
    let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered =
        |name: &str| stem.len() == 4 && stem.starts_with(name) && stem.ends_with(|c: char| c.is_ascii_digit());
    let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt");
    !part.is_empty() && part.chars().all(plain) && !part.starts_with('.') && !part.ends_with('.') && !device
}

/// A name without characters that would command a terminal or begin a line.
pub fn visible(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.chars().fold(String::new(), |mut text, c| {
        match c.is_control() {
            true => text.extend(c.escape_debug()),
            false => text.push(c),
        }
        text
    }))
}

/// Reads a file of so many bytes at most, also through a link.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_ordinary(path, OFlags::empty(), most)
}

fn read_ordinary(path: &Path, more: OFlags, most: u64) -> io::Result<Vec<u8>> {
    let unfit = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
    let not_ordinary = || unfit("it is a link or no ordinary file".to_owned());
    // What is looked at is what has been opened. Nothing waits for somebody to write into a pipe.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | more;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        // What a link and a socket say.
        Err(Errno::LOOP | Errno::NXIO) => return Err(not_ordinary()),
        Err(error) => return Err(error.into()),
    };
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(not_ordinary());
    }
    if about.len() > most {
        return Err(unfit(format!("it is longer than {most} bytes")));
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.take(about.len()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn refused(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("`{path}` is not a path inside the pack"))
}

/// A pack in a folder.
#[derive(Clone, Debug)]
pub struct DiskPack {
    root: PathBuf,
    /// How the folder is named to users.
    name: String,
}

impl DiskPack {
    /// The pack in `root`. Nothing is read yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let name = root.to_string_lossy().replace('\\', "/");
        let name = name.trim_start_matches("./").trim_end_matches('/').to_owned();
        DiskPack { name: if name == "." { String::new() } else { name }, root }
    }

    fn walk(&self, folder: &Path, prefix: &str, depth: usize, found: &mut Vec<String>) -> io::Result<()> {
        if depth > MAX_DEPTH || found.len() > MAX_FILES {
            return Err(io::Error::other("the pack has too many files or too deep folders"));
        }
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            // Links are listed, not followed: they could lead out of the pack, and reading refuses them.
            if entry.file_type()?.is_dir() {
                self.walk(&entry.path(), &path, depth + 1, found)?;
            } else {
                found.push(path);
            }
        }
        Ok(())
    }
}

impl PackSource for DiskPack {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        self.walk(&self.root, "", 0, &mut found)?;
        found.sort();
        Ok(found)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if !is_safe_path(path) {
            return Err(refused(path));
        }
        read_ordinary(&self.root.join(path), OFlags::NOFOLLOW, MAX_FILE_BYTES)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let about = std::fs::symlink_metadata(self.root.join(path)).ok().filter(std::fs::Metadata::is_file)?;
        Some(Stamp {
            inode: (about.dev(), about.ino()),
            bytes: about.len(),
            written: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        })
    }

    fn label(&self, path: &str) -> String {
        let path = visible(path);
        match (self.name.as_str(), &*path) {
            ("", path) => path.to_owned(),
            (name, "") => name.to_owned(),
            (name, path) => format!("{name}/{path}"),
        }
    }

    fn beside(&self) -> Option<PathBuf> {
        let root = if self.root.as_os_str().is_empty() { Path::new(".") } else { self.root.as_path() };
        match root.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => Some(parent.to_owned()),
            _ => root.canonicalize().ok()?.parent().map(Path::to_owned),
        }
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.root.clone())
    }

    fn is_link(&self, path: &str) -> bool {
        std::fs::symlink_metadata(self.root.join(path)).is_ok_and(|about| about.is_symlink())
    }
}

/// The base game that is compiled into the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedPack;

impl EmbeddedPack {
    fn collect(dir: &Dir<'_>, found: &mut Vec<String>) {
        for file in dir.files() {
            let path = file.path().to_string_lossy().replace('\\', "/");
            if !path.split('/').any(|part| part.starts_with('.')) {
                found.push(path);
            }
        }
        for inner in dir.dirs() {
            Self::collect(inner, found);
        }
    }
}

impl PackSource for EmbeddedPack {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        Self::collect(&EMBEDDED, &mut found);
        found.sort();
        Ok(found)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let file = EMBEDDED.get_file(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(file.contents().to_vec())
    }

    fn label(&self, path: &str) -> String {
        format!("built-in/{path}")
    }
}

/// A pack in memory, for tests and editors.
#[derive(Clone, Debug, Default)]
pub struct MemoryPack {
    name: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryPack {
    /// An empty pack whose files are shown to users under `name`.
    pub fn new(name: impl Into<String>) -> Self {
        MemoryPack { name: name.into(), files: BTreeMap::new() }
    }

    /// The pack with one more file.
    #[must_use]
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }
}

impl PackSource for MemoryPack {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.files.keys().cloned().collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if !is_safe_path(path) {
            return Err(refused(path));
        }
        self.files.get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn label(&self, path: &str) -> String {
        format!("{}/{path}", self.name)
    }
}

/// The base game inside the program.
pub fn base_game() -> Arc<dyn PackSource> {
    Arc::new(EmbeddedPack)
}

/// The pack at a path: a folder or a packed file.
pub fn open(path: &Path) -> io::Result<Arc<dyn PackSource>> {
    if path.is_dir() {
        return Ok(folder(path));
    }
    Ok(Arc::new(PackedPack::open(path)?))
}

/// Whether a path is that of a packed pack, by its name.
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) && path.is_file()
}

/// The pack in a folder.
pub fn folder(root: impl Into<PathBuf>) -> Arc<dyn PackSource> {
    Arc::new(DiskPack::new(root))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::cache::Cache;

    #[test]
    fn paths_stay_inside_the_pack() {
        for good in ["pack.json", "locale/en/a.json", "scripts/cards/court.lua", "scenarios/snapshots/x@y.snap"] {
            assert!(is_safe_path(good), "{good}");
        }
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a//b",
            "a\\b",
            "C:/x",
            "con",
            "a/NUL.json",
            "com1.json",
            ".git/x",
            "a.",
            "ż.json",
        ] {
            assert!(!is_safe_path(bad), "{bad}");
        }
    }

    #[test]
    fn a_folder_is_listed_in_order_and_refuses_ways_out() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let pack = DiskPack::new(&root);
        let files = pack.list().expect("the folder is there");
        let mut sorted = files.clone();
        sorted.sort();
        assert_eq!(files, sorted);
        assert!(files.contains(&"source.rs".to_owned()));
        assert!(pack.read("../Cargo.toml").is_err());
        assert!(MemoryPack::new("m").with("a.json", "1").read("../a.json").is_err());
    }

    /// One file, and how often it was read.
    struct Lying {
        stamp: Option<Stamp>,
        reads: AtomicUsize,
    }

    impl PackSource for Lying {
        fn list(&self) -> io::Result<Vec<String>> {
            Ok(vec!["a.json".to_owned()])
        }
        fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
            Ok(self.reads.fetch_add(1, Ordering::Relaxed).to_string().into())
        }
        fn stamp(&self, _path: &str) -> Option<Stamp> {
            self.stamp
        }
        fn label(&self, path: &str) -> String {
            path.to_owned()
        }
    }

    #[test]
    fn a_file_is_read_again_unless_it_lies_as_it_did_for_some_time() {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
        let stamp =
            |inode, changed| Some(Stamp { inode: (1, inode), bytes: 1, written: (0, 0), changed: (changed, 0) });
        let mut pack = Lying { stamp: None, reads: AtomicUsize::new(0) };
        let cache = Cache::default();
        let cases = [
            (None, [0, 1]),
            (stamp(1, 100), [2, 2]),
            (stamp(2, 100), [3, 3]),
            (stamp(2, 101), [4, 4]),
            (stamp(2, now), [5, 6]),
            (stamp(2, now + 100), [7, 8]),
            (stamp(2, i64::MAX), [9, 10]),
            (stamp(2, 101), [4, 4]),
        ];
        for (stamp, reads) in cases {
            pack.stamp = stamp;
            for read in reads {
                let bytes = cache.read(&pack, "a.json", "a.json").unwrap();
                assert_eq!(std::str::from_utf8(&bytes), Ok(read.to_string().as_str()), "{stamp:?}");
            }
        }
    }

    #[test]
    fn a_file_lies_otherwise_after_a_change_that_hides_itself() {
        let folder = std::env::temp_dir().join(format!("principes-stamp-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, pack) = (folder.join("a.json"), DiskPack::new(&folder));
        std::fs::write(&path, "1").unwrap();
        let first = pack.stamp("a.json").unwrap();
        assert_eq!(pack.stamp("a.json"), Some(first));
        assert!(!first.is_settled(SystemTime::now()), "it was written just now");
        assert!(first.is_settled(SystemTime::now() + Duration::from_secs(3)));
        let written = path.metadata().unwrap().modified().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&path, "2").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
        let second = pack.stamp("a.json").unwrap();
        assert_eq!((second.bytes, second.written), (first.bytes, first.written));
        assert_ne!(second, first);
        std::os::unix::fs::symlink(&path, folder.join("b.json")).unwrap();
        assert_eq!([pack.stamp("b.json"), pack.stamp("c.json")], [None, None]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
