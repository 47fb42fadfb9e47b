//! Notices when files of packs change.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// Files of some folders as they were.
pub struct Watch {
    folders: Vec<PathBuf>,
    stamp: u64,
}

impl Watch {
    /// Remembers how the files are now.
    pub fn begin(folders: &[PathBuf]) -> Self {
        let folders = folders.to_vec();
        let stamp = stamp(&folders);
        Watch { folders, stamp }
    }

    /// Whether anything has changed since this was asked last.
    pub fn changed(&mut self) -> bool {
        let now = stamp(&self.folders);
        std::mem::replace(&mut self.stamp, now) != now
    }
}

/// A digest of names, lengths and times.
fn stamp(folders: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for folder in folders {
        walk(folder, 0, &mut hasher);
    }
    hasher.finish()
}

fn walk(folder: &Path, depth: usize, hasher: &mut DefaultHasher) {
    const DEEPEST: usize = 16;
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let Ok(about) = std::fs::symlink_metadata(&path) else { continue };
        if about.is_dir() {
            if depth < DEEPEST {
                walk(&path, depth + 1, hasher);
            }
            continue;
        }
        path.hash(hasher);
        about.len().hash(hasher);
        about.modified().ok().hash(hasher);
    }
}
