//! How packs are loaded.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cache::Cache;
use crate::packs;

/// How far packs are checked. Each stage includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Files can be read and are JSON.
    Syntax,
    /// Files fit their schemas.
    Schema,
    /// References lead somewhere, numbers fit together, messages are there; the packs compile.
    Links,
    /// Scripts fit the API and the content, compile, and have every hook's function.
    #[default]
    Scripts,
}

/// How packs are loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Which game, where several are loaded.
    pub game: Option<String>,
    /// Folders in which required packs are looked for, beside the folders of the given packs.
    pub search: Vec<PathBuf>,
    /// How far to go. Nothing is compiled before [`Stage::Links`].
    pub until: Stage,
    /// Whether files under `scenarios/` are read; who only plays needs none.
    pub scenarios: bool,
    /// What is known of files already. Clones share it.
    pub cache: Arc<Cache>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            game: None,
            search: packs::search_path(None),
            until: Stage::Scripts,
            scenarios: true,
            cache: Arc::default(),
        }
    }
}
