//! Results for single files, kept until the files change: for packs that one command checks one after the other, and
//! for the next check of packs that are being written.
//!
//! A result belongs to the whole content of a file, so nothing has to watch for changes. If the stamp of a file on disk
//! is unchanged, the file is not read again.
//!
//! For each file the cache keeps its value with spans, the result of schema validation, its references, entities and
//! messages, and, for a script, its tree, its words and its compiled form. Packs that are checked in parallel share it,
//! and so do the rounds of `check --watch`. A file on disk is read again only if its metadata has changed, or if the
//! last change is too recent for the resolution of file times. Findings about all scripts together are cached by a hash
//! of the scripts and of the content they use; whether a script host can be created is cached by a hash of what scripts
//! see while they load. The key of these hashes is random, so no pack can aim at one. Everything else that depends on
//! other files is computed again each time, and so is everything about a file that a patch has changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;
use principes_analysis::{self as analysis, Script};
use principes_findings::{Code, Finding};
use principes_json::JsonFile;
use principes_source::{PackSource, Stamp};

/// How many contents of one file are kept: the current one, and those that tools try out.
const MOST_CONTENTS: usize = 4;

/// How many results for whole sets of scripts are kept.
const MOST_TOGETHER: usize = 64;

/// What is known about files.
#[derive(Default)]
pub struct Cache {
    contents: Mutex<HashMap<String, FileContent>>,
    files: Mutex<HashMap<String, Vec<Arc<JsonFile>>>>,
    scripts: Mutex<HashMap<String, Vec<Arc<Script>>>>,
    /// Findings about all scripts of some packs, by the hash of everything that they depend on.
    together: Mutex<BTreeMap<u64, analysis::CheckedScripts>>,
    /// Hashes of the input of script hosts that were made without errors.
    hosts: Mutex<BTreeSet<u64>>,
    /// Hashes of pictures that can be decoded.
    pictures: Mutex<BTreeSet<u64>>,
    /// Chosen at random for each process, so that no pack can aim at the hash of another.
    hashes: RandomState,
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cache")
    }
}

impl Cache {
    /// The content of a file of a pack. Users see it as `file`.
    pub(crate) fn read(&self, source: &dyn PackSource, path: &str, file: &str) -> io::Result<Arc<[u8]>> {
        let known = || self.contents.lock();
        let stamp = source.stamp(path);
        if let Some(stamp) = stamp
            && let Some(content) = known().get(file).filter(|content| content.stamp == stamp)
        {
            return Ok(Arc::clone(&content.bytes));
        }
        let bytes: Arc<[u8]> = source.read(path)?.into();
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(SystemTime::now())) {
            known().insert(file.to_owned(), FileContent { stamp, bytes: Arc::clone(&bytes) });
        }
        Ok(bytes)
    }

    /// What is known about a JSON file of a pack. Users see it as `file`.
    pub(crate) fn json(&self, path: &str, file: &str, bytes: &Arc<[u8]>) -> Arc<JsonFile> {
        recall(&self.files, file, |known| known.is(path, bytes), || JsonFile::read(path, file, bytes))
    }

    /// What is known about a script.
    pub(crate) fn script(&self, file: &str, text: &Arc<str>) -> Arc<Script> {
        recall(&self.scripts, file, |known| known.text == *text, || Script::new(Arc::clone(text)))
    }

    /// The findings about all scripts of some packs. `input` is everything that they depend on.
    pub(crate) fn scripts_together(
        &self,
        input: &impl Hash,
        find: impl FnOnce() -> analysis::CheckedScripts,
    ) -> analysis::CheckedScripts {
        let hash = self.hashes.hash_one(input);
        let known = || self.together.lock();
        if let Some(found) = known().get(&hash) {
            return found.clone();
        }
        let found = find();
        // The places of findings in the content may soon change, so they are not kept.
        let is_whole = found.findings.iter().all(|finding| finding.code != Code::BudgetExceeded);
        if found.missing.is_empty() && is_whole {
            let mut known = known();
            if known.len() >= MOST_TOGETHER {
                known.clear();
            }
            known.insert(hash, found.clone());
        }
        found
    }

    /// Whether a picture can be decoded; an error says why not.
    pub(crate) fn decoded(&self, bytes: &[u8], decode: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let hash = self.hashes.hash_one(bytes);
        let known = || self.pictures.lock();
        if known().contains(&hash) {
            return Ok(());
        }
        decode()?;
        known().insert(hash);
        Ok(())
    }

    /// The findings about scripts that cannot be loaded. `input` is everything that they depend on; if it is known,
    /// there are none.
    pub(crate) fn failures_of_scripts(&self, input: &impl Hash, find: impl FnOnce() -> Vec<Finding>) -> Vec<Finding> {
        let hash = self.hashes.hash_one(input);
        let known = || self.hosts.lock();
        if known().contains(&hash) {
            return Vec::new();
        }
        let failures = find();
        if failures.is_empty() {
            let mut known = known();
            if known.len() >= MOST_TOGETHER {
                known.clear();
            }
            known.insert(hash);
        }
        failures
    }
}

/// A result for a file: the known one, or one that is made now. The contents that were requested last are kept.
fn recall<T>(
    all: &Mutex<HashMap<String, Vec<Arc<T>>>>,
    file: &str,
    is_it: impl Fn(&T) -> bool,
    make: impl FnOnce() -> T,
) -> Arc<T> {
    let known = || all.lock();
    if let Some(list) = known().get_mut(file)
        && let Some(at) = list.iter().position(|known| is_it(known))
    {
        list[..=at].rotate_right(1);
        return Arc::clone(&list[0]);
    }
    let made = Arc::new(make());
    let mut known = known();
    let list = known.entry(file.to_owned()).or_default();
    list.insert(0, Arc::clone(&made));
    list.truncate(MOST_CONTENTS);
    made
}

/// What a file held when it was read.
struct FileContent {
    /// The stamp of the file before it was read.
    stamp: Stamp,
    bytes: Arc<[u8]>,
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

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
}
