//! Notices when files of packs change.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::out;

/// How often files are looked at, where that is quick.
const EVERY: Duration = Duration::from_millis(50);
/// Of the time, this part is spent on looking.
const SHARE: u32 = 40;
/// Folders in folders are looked into up to here.
const DEEPEST: usize = 16;

/// Files by path, with their length and when they were written. Paths compare part by part, which takes ten times as long as
/// comparing their bytes.
type Files = BTreeMap<OsString, (u64, Option<SystemTime>)>;

/// Files and folders as they were.
pub struct Watch {
    places: Vec<PathBuf>,
    files: Files,
    /// How long the last look took.
    took: Duration,
}

impl Watch {
    /// Remembers how the files are now.
    pub fn begin(places: &[PathBuf]) -> Self {
        let mut watch = Watch { places: places.to_vec(), files: Files::new(), took: Duration::ZERO };
        watch.changes();
        watch
    }

    /// Looks at other places from now on. Nothing that has happened in places of before is missed.
    pub fn turn_to(&mut self, places: Vec<PathBuf>) {
        if self.places != places {
            let seen = look(&places);
            let lies_in =
                |path: &OsString, places: &[PathBuf]| places.iter().any(|place| Path::new(path).starts_with(place));
            self.files.retain(|path, _| lies_in(path, &places));
            self.files.extend(seen.into_iter().filter(|(path, _)| !lies_in(path, &self.places)));
            self.places = places;
        }
    }

    /// The files that have changed, come or gone since this was asked last.
    pub fn changes(&mut self) -> BTreeSet<PathBuf> {
        let begin = Instant::now();
        let now = look(&self.places);
        let changed = now.iter().filter(|(path, about)| self.files.get(*path) != Some(about)).map(|(path, _)| path);
        let gone = self.files.keys().filter(|path| !now.contains_key(*path));
        let changes = changed.chain(gone).map(PathBuf::from).collect();
        self.files = now;
        self.took = begin.elapsed();
        changes
    }

    /// Whether anything has changed since this was asked last.
    pub fn changed(&mut self) -> bool {
        !self.changes().is_empty()
    }

    /// Waits until something has changed; gives the files. Nothing where `stop` is raised first.
    pub fn wait(&mut self, stop: &AtomicBool) -> Option<BTreeSet<PathBuf>> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(EVERY.max(self.took * SHARE));
            let changes = self.changes();
            if !changes.is_empty() {
                return Some(changes);
            }
        }
        // What stands there now is the terminal's `^C`.
        out::end_line();
        None
    }
}

fn look(places: &[PathBuf]) -> Files {
    let mut files = Files::new();
    for place in places {
        if let Ok(about) = std::fs::symlink_metadata(place) {
            note(place.clone(), &about, 0, &mut files);
        }
    }
    files
}

/// Notes a file, or what lies in a folder. What begins with a dot belongs to no pack.
fn note(path: PathBuf, about: &Metadata, depth: usize, files: &mut Files) {
    if !about.is_dir() {
        files.insert(path.into_os_string(), (about.len(), about.modified().ok()));
    } else if depth < DEEPEST {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            // Links are not followed.
            if !is_hidden && let Ok(about) = entry.metadata() {
                note(path, &about, depth + 1, files);
            }
        }
    }
}
