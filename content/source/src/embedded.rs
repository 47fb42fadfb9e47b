//! The base game inside the program.

use std::io;
use std::sync::Arc;

use include_dir::{Dir, include_dir};

use crate::pack::PackSource;

/// The base game as it was when the program was built.
static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../principes");

/// The base game that is compiled into the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedPack;

impl EmbeddedPack {
    fn collect(dir: &Dir<'_>, found: &mut Vec<String>) {
        for file in dir.files() {
            let path = file.path().to_string_lossy().replace('\\', "/");
            if !path.split('/').any(|part| part.starts_with('.')) {
                found.push(path);
            }
        }
        for inner in dir.dirs() {
            Self::collect(inner, found);
        }
    }
}

impl PackSource for EmbeddedPack {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        Self::collect(&EMBEDDED, &mut found);
        found.sort();
        Ok(found)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let file = EMBEDDED.get_file(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(file.contents().to_vec())
    }

    fn label(&self, path: &str) -> String {
        format!("built-in/{path}")
    }
}

/// The base game inside the program.
pub fn base_game() -> Arc<dyn PackSource> {
    Arc::new(EmbeddedPack)
}
