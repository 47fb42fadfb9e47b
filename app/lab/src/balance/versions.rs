//! What to measure: packs that are played together, or two versions of one pack.

use std::path::Path;
use std::sync::Arc;

use principes_app::packs::{self, PackError};
use principes_app::revision::{RevisionError, pack_at};
use principes_source::PackSource;

/// What to measure.
pub enum Wanted {
    /// Packs that are played together.
    Together(Vec<Arc<dyn PackSource>>),
    /// The old and the new version of a pack.
    Versions(Arc<dyn PackSource>, Arc<dyn PackSource>),
}

/// Why the packs cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum WantedError {
    /// A path is not a pack.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A revision cannot be read.
    #[error(transparent)]
    Revision(#[from] RevisionError),
    /// A revision has no pack at the path.
    #[error("`{0}` is not a pack: the revision has no `pack.json` there")]
    NoPack(String),
}

/// Finds the packs that some texts name: folders, zip files, or `REVISION:PATH` of a git repository. Two sources of the
/// same pack are versions of it, because no game can contain both.
///
/// # Errors
/// [`WantedError`].
pub fn wanted(texts: &[String]) -> Result<Wanted, WantedError> {
    let mut sources = texts.iter().map(|text| source(text)).collect::<Result<Vec<_>, _>>()?;
    if let [old, new] = &sources[..]
        && id(&**old).is_some_and(|known| Some(known) == id(&**new))
    {
        let new = sources.remove(1);
        return Ok(Wanted::Versions(sources.remove(0), new));
    }
    Ok(Wanted::Together(sources))
}

fn source(text: &str) -> Result<Arc<dyn PackSource>, WantedError> {
    let path = Path::new(text);
    match pack_at(text).filter(|_| !path.exists()) {
        Some(pack) => {
            let pack = pack?;
            if pack.read("pack.json").is_err() {
                return Err(WantedError::NoPack(text.to_owned()));
            }
            Ok(Arc::new(pack))
        }
        None => Ok(packs::source(path)?),
    }
}

/// The id in a manifest.
fn id(source: &dyn PackSource) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_slice(&source.read("pack.json").ok()?).ok()?;
    manifest.get("id")?.as_str().map(str::to_owned)
}
