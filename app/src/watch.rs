//! Notices when files of packs change.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// How often files are checked, if that is quick.
const EVERY: Duration = Duration::from_millis(50);
/// One part in this many of the time is spent on checking.
const SHARE: u32 = 40;
/// The greatest depth of folders that is checked.
const DEEPEST: usize = 16;

/// Files in the order in which they were found, with length and modification time. They are `OsString`s because
/// comparing `Path`s part by part takes ten times as long.
type Files = Vec<(OsString, About)>;
type About = (u64, Option<SystemTime>);

/// The known state of files and folders.
pub struct Watch {
    places: Vec<PathBuf>,
    files: Files,
    /// How long the last check took.
    took: Duration,
}

impl Watch {
    /// Remembers the current state of the files.
    pub fn begin(places: &[PathBuf]) -> Self {
        let mut watch = Watch { places: places.to_vec(), files: Files::new(), took: Duration::ZERO };
        watch.changes();
        watch
    }

    /// Watches other paths from now on. Changes in paths that were watched before are not missed.
    pub fn turn_to(&mut self, places: Vec<PathBuf>) {
        if self.places != places {
            let seen = look(&places);
            let lies_in =
                |path: &OsString, places: &[PathBuf]| places.iter().any(|place| Path::new(path).starts_with(place));
            self.files.retain(|(path, _)| lies_in(path, &places));
            self.files.extend(seen.into_iter().filter(|(path, _)| !lies_in(path, &self.places)));
            self.places = places;
        }
    }

    /// The files that were changed, added or removed since the last call.
    pub fn changes(&mut self) -> BTreeSet<PathBuf> {
        let begin = Instant::now();
        let now = look(&self.places);
        let changes = changed(&self.files, &now);
        self.files = now;
        self.took = begin.elapsed();
        changes
    }

    /// Whether anything has changed since the last call.
    pub fn changed(&mut self) -> bool {
        !self.changes().is_empty()
    }

    /// Waits until something has changed and returns the files. `None` if `stop` is set first.
    pub fn wait(&mut self, stop: &AtomicBool) -> Option<BTreeSet<PathBuf>> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(EVERY.max(self.took * SHARE));
            let changes = self.changes();
            if !changes.is_empty() {
                return Some(changes);
            }
        }
        None
    }
}

/// The files that differ between the two.
fn changed(before: &Files, now: &Files) -> BTreeSet<PathBuf> {
    let pairs = || before.iter().zip(now);
    // Usually no file was added or removed, so both lists have the same order.
    if before.len() == now.len() && pairs().all(|((before, _), (now, _))| before == now) {
        return pairs().filter(|(before, now)| before != now).map(|(_, (path, _))| PathBuf::from(path)).collect();
    }
    let differ = |files: &Files, others: &Files| -> Vec<PathBuf> {
        let others: BTreeMap<_, _> = others.iter().map(|(path, about)| (path, about)).collect();
        let other = files.iter().filter(|(path, about)| others.get(path) != Some(&about));
        other.map(|(path, _)| PathBuf::from(path)).collect()
    };
    differ(now, before).into_iter().chain(differ(before, now)).collect()
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

/// Adds a file, or the content of a folder. Names that start with a dot do not belong to a pack.
fn note(path: PathBuf, about: &Metadata, depth: usize, files: &mut Files) {
    if !about.is_dir() {
        files.push((path.into_os_string(), (about.len(), about.modified().ok())));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, u64)]) -> Files {
        list.iter().map(|(path, length)| (OsString::from(path), (*length, None))).collect()
    }

    #[test]
    fn what_is_not_the_same_in_both_has_changed() {
        let before = files(&[("a", 1), ("b", 1), ("c", 1)]);
        let cases = [
            (files(&[("a", 1), ("b", 1), ("c", 1)]), ""),
            (files(&[("a", 1), ("b", 2), ("c", 1)]), "b"),
            (files(&[("c", 1), ("a", 1), ("b", 1)]), ""),
            (files(&[("c", 1), ("a", 2), ("b", 1)]), "a"),
            (files(&[("a", 1), ("b", 1)]), "c"),
            (files(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]), "d"),
            (files(&[("a", 1), ("d", 1), ("c", 2)]), "b c d"),
            (files(&[]), "a b c"),
        ];
        for (now, changes) in cases {
            let found = changed(&before, &now);
            let found: Vec<&str> = found.iter().filter_map(|path| path.to_str()).collect();
            assert_eq!(found.join(" "), changes, "{now:?}");
        }
    }
}
