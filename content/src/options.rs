//! How packs are loaded.

use std::path::PathBuf;
use std::sync::Arc;

pub use principes_findings::Stage;
use principes_findings::budget::Deadline;

use crate::cache::Cache;
use crate::packs;

/// How packs are loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Which game, if several are loaded.
    pub game: Option<String>,
    /// Folders in which required packs are looked for, beside the folders of the given packs.
    pub search: Vec<PathBuf>,
    /// How far to go. Nothing is compiled before [`Stage::Links`].
    pub until: Stage,
    /// Whether files of scenarios are read; who only plays needs none.
    pub scenarios: bool,
    /// What is already known about files. Clones share it.
    pub cache: Arc<Cache>,
    /// When to stop looking for more.
    pub deadline: Deadline,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            game: None,
            search: packs::search_path(None),
            until: Stage::Scripts,
            scenarios: true,
            cache: Arc::default(),
            deadline: Deadline::NONE,
        }
    }
}
