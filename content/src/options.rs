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
    /// Folders in which to look for required packs, besides the folders of the given packs.
    pub search: Vec<PathBuf>,
    /// How far to go. Nothing is compiled before [`Stage::Links`].
    pub until: Stage,
    /// Whether to read files of scenarios. Playing does not need them.
    pub scenarios: bool,
    /// Whether to decode pictures, so that broken ones are found. Playing does not need it.
    pub pictures: bool,
    /// Known results for files. Clones share them.
    pub cache: Arc<Cache>,
    /// When to stop looking for more findings.
    pub deadline: Deadline,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            game: None,
            search: packs::search_path(None),
            until: Stage::Scripts,
            scenarios: true,
            pictures: true,
            cache: Arc::default(),
            deadline: Deadline::NONE,
        }
    }
}
