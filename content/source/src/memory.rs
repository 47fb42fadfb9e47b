//! Packs in memory.

use std::collections::BTreeMap;
use std::io;

use crate::pack::PackSource;
use crate::path::{is_safe_path, refused};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_in_memory_has_no_way_out() {
        let pack = MemoryPack::new("m").with("a.json", "1");
        assert_eq!(pack.read("a.json").ok(), Some(b"1".to_vec()));
        assert!(pack.read("../a.json").is_err());
    }
}
