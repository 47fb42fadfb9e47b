//! Packs in folders.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use principes_findings::escape;

use crate::budget::{MAX_FILE_BYTES, PackBudget};
use crate::held::{EntryKind, HeldFolder};
use crate::ordinary::read_ordinary;
use crate::pack::{PackSource, Stamp};
use crate::path::{is_litter, is_safe_path, refused};

/// A pack in a folder.
#[derive(Clone, Debug)]
pub struct DiskPack {
    root: PathBuf,
    /// The folder as users name it.
    name: String,
    /// The folder once it is open. All files are read through it.
    held: Arc<OnceLock<HeldFolder>>,
}

impl DiskPack {
    /// The pack in `root`. Nothing is read yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let name = root.to_string_lossy().replace('\\', "/");
        let name = name.trim_start_matches("./").trim_end_matches('/').to_owned();
        DiskPack { name: if name == "." { String::new() } else { name }, root, held: Arc::default() }
    }

    /// The folder, held open since the first call.
    ///
    /// # Errors
    /// The system's error: it cannot be opened.
    pub fn open(&self) -> io::Result<&HeldFolder> {
        if let Some(held) = self.held.get() {
            return Ok(held);
        }
        let opened = HeldFolder::open(&self.root)?;
        Ok(self.held.get_or_init(|| opened))
    }

    /// Opens a file of the pack.
    fn open_file(&self, path: &str) -> io::Result<File> {
        let (folder, name) = self.open()?.place_of(Path::new(path))?;
        folder.open_file(&name)
    }
}

/// Lists the files of a folder. `prefix` is its path in the pack, with a `/` at the end.
fn walk(folder: &HeldFolder, prefix: &str, budget: &mut PackBudget, found: &mut Vec<String>) -> io::Result<()> {
    for (name, kind) in folder.entries()? {
        let path = format!("{prefix}{}", name.to_string_lossy());
        budget.name(&path)?;
        if is_litter(&path[prefix.len()..]) {
            continue;
        }
        // Links are listed but not followed, because they could lead out of the pack. Reading refuses them.
        if kind == EntryKind::Folder {
            match folder.inside(&name) {
                Ok(inside) => walk(&inside, &format!("{path}/"), budget, found)?,
                // It has just become a link.
                Err(_) if folder.is_link(&name) => found.push(path),
                Err(error) => return Err(error),
            }
        } else {
            // Its bytes are counted when it is read: not every file is.
            budget.file(&path, 0)?;
            found.push(path);
        }
    }
    Ok(())
}

impl PackSource for DiskPack {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        walk(self.open()?, "", &mut PackBudget::default(), &mut found)?;
        found.sort();
        Ok(found)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if !is_safe_path(path) {
            return Err(refused(path));
        }
        read_ordinary(self.open_file(path)?, MAX_FILE_BYTES)
    }

    #[cfg(unix)]
    fn stamp(&self, path: &str) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt as _;

        let about = self.open_file(path).ok()?.metadata().ok().filter(std::fs::Metadata::is_file)?;
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
        let place = self.open().and_then(|held| held.place_of(Path::new(path)));
        place.is_ok_and(|(folder, name)| folder.is_link(&name))
    }

    fn held(&self) -> Option<io::Result<HeldFolder>> {
        Some(self.open().cloned())
    }
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
