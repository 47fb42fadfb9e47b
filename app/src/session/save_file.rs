//! The file that a session writes after every answer.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::save::Save;
use crate::storage::{FileError, FileLock, LockError, Storage, WriteError, is_link, is_taken, write_whole};

/// What to do with a file that already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it alone and fail.
    Keep,
    /// Write over it.
    Replace,
}

/// Why a game cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveFileFailure {
    /// The file already exists.
    #[error("`{}` already exists and is not overwritten", .0.display())]
    Exists(PathBuf),
    /// Somebody else writes the file.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// A file of which this session is the only writer.
pub struct SaveFile {
    path: PathBuf,
    storage: Rc<dyn Storage>,
    _lock: FileLock,
}

impl SaveFile {
    /// Takes a file over and writes a game to it.
    ///
    /// # Errors
    /// [`SaveFileFailure`]; the file is as it was.
    pub fn begin(
        path: &Path,
        existing: Existing,
        storage: Rc<dyn Storage>,
        save: &Save,
    ) -> Result<Self, SaveFileFailure> {
        if is_link(path) {
            return Err(FileError::Link(path.to_owned()).into());
        }
        let lock = FileLock::take(path)?;
        if existing == Existing::Keep && is_taken(path) {
            return Err(SaveFileFailure::Exists(path.to_owned()));
        }
        let file = SaveFile { path: path.to_owned(), storage, _lock: lock };
        file.put(save).map_err(|error| file.unwritable(error))?;
        Ok(file)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the current game; `before` is what the file contains.
    ///
    /// # Errors
    /// [`SaveFileFailure::Write`]; the file holds what it held before.
    pub fn write(&self, save: &Save, before: &Save) -> Result<(), SaveFileFailure> {
        self.put(save).map_err(|error| {
            if let WriteError::Replaced(_) = error {
                // The new content may not survive, so the old content is restored. If that fails as
                // well, the file holds a whole game that is one answer ahead, and the first error is the one to tell.
                let _ = self.put(before);
            }
            self.unwritable(error)
        })
    }

    fn put(&self, save: &Save) -> Result<(), WriteError> {
        let text = save.to_text().map_err(|error| WriteError::Kept(error.into()))?;
        write_whole(&*self.storage, &self.path, text.as_bytes())
    }

    fn unwritable(&self, error: WriteError) -> SaveFileFailure {
        FileError::at(&self.path)(error.into()).into()
    }
}
