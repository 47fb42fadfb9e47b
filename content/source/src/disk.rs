//! Packs in folders.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use principes_findings::escape;

use crate::budget::{MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES};
use crate::pack::{PackSource, Stamp};
use crate::path::{is_litter, is_safe_path, refused};

/// A pack in a folder.
#[derive(Clone, Debug)]
pub struct DiskPack {
    root: PathBuf,
    /// The folder as users name it.
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
            if is_litter(&name) {
                continue;
            }
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            // Links are listed but not followed, because they could lead out of the pack. Reading refuses them.
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
        read_ordinary(&self.root.join(path), Links::Refuse, MAX_FILE_BYTES)
    }

    #[cfg(unix)]
    fn stamp(&self, path: &str) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt as _;

        let about = std::fs::symlink_metadata(self.root.join(path)).ok().filter(std::fs::Metadata::is_file)?;
        Some(Stamp {
            inode: (about.dev(), about.ino()),
            bytes: about.len(),
            written: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        })
    }

    /// Only Unix has a time of change that cannot be set back. On other systems, every file is read again.
    #[cfg(not(unix))]
    fn stamp(&self, _path: &str) -> Option<Stamp> {
        None
    }

    fn label(&self, path: &str) -> String {
        let path = escape::line(path);
        match (self.name.as_str(), &*path) {
            ("", path) => path.to_owned(),
            (name, "") => name.to_owned(),
            (name, path) => format!("{name}/{path}"),
        }
    }

    fn beside(&self) -> Option<PathBuf> {
        // Relative if the path of the pack is relative, because users see these paths too.
        match self.root.components().next_back() {
            None | Some(Component::CurDir) => Some(PathBuf::from("..")),
            Some(Component::ParentDir) => Some(self.root.join("..")),
            Some(Component::Normal(_)) => {
                let parent = self.root.parent()?;
                Some(if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() })
            }
            Some(Component::RootDir | Component::Prefix(_)) => None,
        }
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.root.clone())
    }

    fn is_link(&self, path: &str) -> bool {
        std::fs::symlink_metadata(self.root.join(path)).is_ok_and(|about| about.is_symlink())
    }
}

/// Reads a file of at most `most` bytes. Follows links.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_ordinary(path, Links::Follow, most)
}

/// What to do if the last part of a path is a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

fn unfit(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

fn not_ordinary() -> io::Error {
    unfit("it is a link or not a regular file".to_owned())
}

fn read_ordinary(path: &Path, links: Links, most: u64) -> io::Result<Vec<u8>> {
    // The opened file is examined, so that nobody can replace it in between.
    let file = open(path, links)?;
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

#[cfg(unix)]
fn open(path: &Path, links: Links) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;

    let more = if links == Links::Refuse { OFlags::NOFOLLOW } else { OFlags::empty() };
    // Without `NONBLOCK`, opening a pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | more;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => Ok(File::from(file)),
        // The errors for a link and for a socket.
        Err(Errno::LOOP | Errno::NXIO) => Err(not_ordinary()),
        Err(error) => Err(error.into()),
    }
}

/// If a link replaces the file between the two calls, it is followed. Only Unix can refuse links while opening.
#[cfg(not(unix))]
fn open(path: &Path, links: Links) -> io::Result<File> {
    if links == Links::Refuse && std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(not_ordinary());
    }
    File::open(path)
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_folder_is_listed_in_order_and_refuses_ways_out() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let pack = DiskPack::new(&root);
        let files = pack.list().expect("the folder is there");
        let mut sorted = files.clone();
        sorted.sort();
        assert_eq!(files, sorted);
        assert!(files.contains(&"disk.rs".to_owned()));
        assert!(pack.read("../Cargo.toml").is_err());
    }

    #[test]
    fn labels_have_slashes_on_every_system() {
        for root in [r"mods\amber", r".\mods\amber\", "./mods/amber/"] {
            assert_eq!(DiskPack::new(root).label("court/cards.json"), "mods/amber/court/cards.json", "{root}");
        }
        assert_eq!(DiskPack::new(r"C:\packs\amber").label("pack.json"), "C:/packs/amber/pack.json");
        assert_eq!(DiskPack::new(".").label("pack.json"), "pack.json");
    }

    #[test]
    fn what_is_beside_a_pack_is_named_as_the_pack_is() {
        for (root, beside) in [
            ("amber", Some(".")),
            ("mods/amber/", Some("mods")),
            (".", Some("..")),
            ("", Some("..")),
            ("..", Some("../..")),
            ("/packs/amber", Some("/packs")),
            ("/", None),
        ] {
            assert_eq!(DiskPack::new(root).beside(), beside.map(PathBuf::from), "{root}");
        }
    }

    #[cfg(unix)]
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
