//! What was worked out of single files, for the next time that they say the same: for the packs of a command that are
//! checked one after the other, and for the next check of packs that are being written.
//!
//! What is kept is compared by the whole content of a file, so that nothing has to be told of changes. A file that lies on
//! disk as it did is not read again to see that.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use principes_scripting::Compiled;

use crate::diagnostic::Diagnostic;
use crate::document::{self, Document};
use crate::lua::{self, Parsed, Spoken};
use crate::merge;
use crate::recover::{self, Broken};
use crate::source::{PackSource, Stamp};

/// Contents of one file that are remembered: as it is, and as others try out how it could be.
const MOST_CONTENTS: usize = 4;

/// Programs of all packs' scripts that are remembered, and script hosts that could be made of them.
const MOST_TOGETHER: usize = 64;

/// What is known of files.
#[derive(Default)]
pub struct Cache {
    contents: Mutex<BTreeMap<String, Content>>,
    files: Mutex<BTreeMap<String, Vec<Arc<JsonFile>>>>,
    scripts: Mutex<BTreeMap<String, Vec<Arc<Script>>>>,
    /// What was found in the scripts of packs together, by digest of all that it hangs on.
    together: Mutex<BTreeMap<[u8; 32], Vec<Diagnostic>>>,
    /// Digests of what script hosts were made of without a fault.
    hosts: Mutex<BTreeSet<[u8; 32]>>,
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cache")
    }
}

impl Cache {
    /// The content of a file of a pack, named `file` to users.
    pub(crate) fn read(&self, source: &dyn PackSource, path: &str, file: &str) -> io::Result<Arc<[u8]>> {
        let known = || self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = source.stamp(path);
        if let Some(stamp) = stamp
            && let Some(content) = known().get(file).filter(|content| content.stamp == stamp)
        {
            return Ok(Arc::clone(&content.bytes));
        }
        let bytes: Arc<[u8]> = source.read(path)?.into();
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(SystemTime::now())) {
            known().insert(file.to_owned(), Content { stamp, bytes: Arc::clone(&bytes) });
        }
        Ok(bytes)
    }

    /// What is known of a JSON file of a pack, named `file` to users.
    pub(crate) fn json(&self, path: &str, file: &str, bytes: &Arc<[u8]>) -> Arc<JsonFile> {
        let is_it = |known: &JsonFile| known.bytes == *bytes && known.path == path;
        recall(&self.files, file, is_it, || JsonFile {
            path: path.to_owned(),
            first: Stand::read(path, file, bytes),
            fitted: OnceLock::new(),
            bytes: Arc::clone(bytes),
        })
    }

    /// What is known of a script.
    pub(crate) fn script(&self, file: &str, text: &Arc<str>) -> Arc<Script> {
        recall(
            &self.scripts,
            file,
            |known| known.text == *text,
            || Script {
                text: Arc::clone(text),
                parsed: OnceLock::new(),
                spoken: OnceLock::new(),
                compiled: Compiled::default(),
            },
        )
    }

    /// What is found in the scripts of packs together.
    pub(crate) fn scripts_together(&self, digest: [u8; 32], find: impl FnOnce() -> Vec<Diagnostic>) -> Vec<Diagnostic> {
        let known = || self.together.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&digest) {
            return found.clone();
        }
        let found = find();
        // What is found in the content may soon be at another place of it.
        let is_script = |file: &String| file.ends_with(".lua");
        let in_scripts = |f: &Diagnostic| is_script(&f.file) && f.labels.iter().all(|label| is_script(&label.file));
        if found.iter().all(in_scripts) {
            let mut known = known();
            if known.len() >= MOST_TOGETHER {
                known.clear();
            }
            known.insert(digest, found.clone());
        }
        found
    }

    /// What keeps scripts from being loaded, where it is not known by the digest of all that it hangs on that nothing
    /// does.
    pub(crate) fn faults_of_scripts(
        &self,
        digest: [u8; 32],
        find: impl FnOnce() -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let known = || self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(&digest) {
            return Vec::new();
        }
        let faults = find();
        if faults.is_empty() {
            let mut known = known();
            if known.len() >= MOST_TOGETHER {
                known.clear();
            }
            known.insert(digest);
        }
        faults
    }
}

/// Something about a file: what is known, or what is made now. The last contents that were asked for are kept.
fn recall<T>(
    all: &Mutex<BTreeMap<String, Vec<Arc<T>>>>,
    file: &str,
    is_it: impl Fn(&T) -> bool,
    make: impl FnOnce() -> T,
) -> Arc<T> {
    // Whoever holds this lock only moves pointers.
    let known = || all.lock().unwrap_or_else(PoisonError::into_inner);
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

/// What is in a file.
struct Content {
    /// How it lay there before it was read.
    stamp: Stamp,
    bytes: Arc<[u8]>,
}

/// A script and what it says.
pub(crate) struct Script {
    text: Arc<str>,
    parsed: OnceLock<Parsed>,
    spoken: OnceLock<Arc<Spoken>>,
    pub compiled: Compiled,
}

impl Script {
    /// What it says. Needs a stack as deep as scripts may be nested.
    pub fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| lua::parse(&self.text))
    }

    /// What it speaks of.
    pub fn spoken(&self) -> &Arc<Spoken> {
        self.spoken.get_or_init(|| Arc::new(lua::spoken(&self.text)))
    }
}

/// A JSON file and what is known of it alone.
pub(crate) struct JsonFile {
    path: String,
    pub bytes: Arc<[u8]>,
    /// What it says.
    pub first: Stand,
    fitted: OnceLock<Stand>,
}

impl JsonFile {
    /// What it says after its schema has been looked at.
    pub fn fitted(&self) -> &Stand {
        self.fitted.get_or_init(|| self.first.fit())
    }
}

/// What a file says at some stage, and what was found in it up to there.
#[derive(Clone)]
pub(crate) struct Stand {
    /// Nothing where it is no JSON.
    pub document: Option<Document>,
    pub findings: Vec<Diagnostic>,
    pub broken: Broken,
}

impl Stand {
    fn read(path: &str, file: &str, bytes: &[u8]) -> Stand {
        let (mut findings, mut broken) = (Vec::new(), Broken::default());
        let document = match document::parse(0, path, file, bytes, &mut findings) {
            Ok(mut document) => {
                document.family = merge::family(&document, &mut findings).or_else(|| recover::family(&mut document));
                if document.family.is_none() {
                    broken.anything = true;
                    recover::salvage_value(&document.value, &mut broken);
                }
                Some(document)
            }
            Err(text) => {
                broken.unreadable(&text);
                None
            }
        };
        Stand { document, findings, broken }
    }

    fn fit(&self) -> Stand {
        let (mut document, mut findings, mut broken) = (self.document.clone(), Vec::new(), Broken::default());
        if let Some(document) = &mut document {
            merge::check_schema(document, &mut broken, &mut findings);
        }
        Stand { document, findings, broken }
    }
}
