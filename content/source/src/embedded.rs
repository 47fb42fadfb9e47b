//! Packs inside the program.

use std::io;
use std::sync::{Arc, OnceLock};

use crate::pack::PackSource;

/// The packs inside this program, the base game first.
static BUILT_IN: OnceLock<Vec<BuiltInPack>> = OnceLock::new();

/// A pack that is compiled into the program.
#[derive(Clone, Debug)]
pub struct BuiltInPack {
    folder: &'static str,
    /// Its paths, with `/` between their parts, and what they hold.
    files: Arc<[(String, &'static [u8])]>,
}

impl BuiltInPack {
    /// A pack of these files, whose paths are relative to its folder.
    pub fn new(folder: &'static str, files: impl IntoIterator<Item = (&'static str, &'static [u8])>) -> Self {
        let mut files: Vec<_> = files.into_iter().map(|(path, bytes)| (path.replace('\\', "/"), bytes)).collect();
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        BuiltInPack { folder, files: files.into() }
    }

    /// The name of the folder that it was made from.
    pub fn folder(&self) -> &'static str {
        self.folder
    }
}

impl PackSource for BuiltInPack {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.files.iter().map(|(path, _)| path.clone()).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.files.binary_search_by(|(known, _)| known.as_str().cmp(path));
        let at = found.map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(self.files[at].1.to_vec())
    }

    fn label(&self, path: &str) -> String {
        format!("built-in/{}/{path}", self.folder)
    }
}

/// Says which packs are inside this program, the base game first. Later calls change nothing.
pub fn install_packs(packs: Vec<BuiltInPack>) {
    // Who calls again has the same packs, because they are compiled into the program.
    let _ = BUILT_IN.set(packs);
}

/// The packs inside this program, the base game first. A program that installed none has none.
pub fn built_in() -> &'static [BuiltInPack] {
    BUILT_IN.get().map_or(&[], Vec::as_slice)
}

/// The base game inside this program, if it has one.
pub fn base_game() -> Option<Arc<dyn PackSource>> {
    built_in().first().map(|pack| Arc::new(pack.clone()) as Arc<dyn PackSource>)
}
