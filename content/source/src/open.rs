//! The pack at a path, in any of its forms.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::PackedPack;
use crate::disk::DiskPack;
use crate::pack::PackSource;

/// The pack at a path: a folder or a packed file.
pub fn open(path: &Path) -> io::Result<Arc<dyn PackSource>> {
    if path.is_dir() {
        return Ok(folder(path));
    }
    Ok(Arc::new(PackedPack::open(path)?))
}

/// Whether the name of a path is that of a packed pack.
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) && path.is_file()
}

/// The pack in a folder.
pub fn folder(root: impl Into<PathBuf>) -> Arc<dyn PackSource> {
    Arc::new(DiskPack::new(root))
}
