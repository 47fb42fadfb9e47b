//! Packs with files that are not written yet.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::held::HeldFolder;
use crate::pack::{PackSource, Refusal, Stamp};

/// A pack as it would be with other content in some of its files, and with new files.
#[derive(Clone, Debug)]
pub struct OverlayPack {
    inner: Arc<dyn PackSource>,
    changed: BTreeMap<String, Vec<u8>>,
}

impl OverlayPack {
    /// A pack with other content in the files at the given paths.
    pub fn new(inner: Arc<dyn PackSource>, changed: BTreeMap<String, Vec<u8>>) -> Self {
        OverlayPack { inner, changed }
    }
}

impl PackSource for OverlayPack {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut all = self.inner.list()?;
        all.extend(self.changed.keys().cloned());
        all.sort();
        all.dedup();
        Ok(all)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.changed.get(path).map_or_else(|| self.inner.read(path), |bytes| Ok(bytes.clone()))
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        if self.changed.contains_key(path) { None } else { self.inner.stamp(path) }
    }

    fn label(&self, path: &str) -> String {
        self.inner.label(path)
    }

    fn beside(&self) -> Option<PathBuf> {
        self.inner.beside()
    }

    fn folder(&self) -> Option<PathBuf> {
        self.inner.folder()
    }

    fn held(&self) -> Option<io::Result<HeldFolder>> {
        self.inner.held()
    }

    fn is_link(&self, path: &str) -> bool {
        self.inner.is_link(path)
    }

    fn refusal(&self) -> Option<&Refusal> {
        self.inner.refusal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryPack;

    #[test]
    fn only_changed_files_differ() {
        let pack = Arc::new(MemoryPack::new("m").with("a.json", "1").with("b.json", "2"));
        let changed = OverlayPack::new(pack, BTreeMap::from([("a.json".to_owned(), b"3".to_vec())]));
        assert_eq!(changed.read("a.json").ok(), Some(b"3".to_vec()));
        assert_eq!(changed.read("b.json").ok(), Some(b"2".to_vec()));
        assert_eq!(changed.label("a.json"), "m/a.json");
    }
}
