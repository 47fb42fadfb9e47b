//! The file to which a session saves after every answer.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::save::Save;
use crate::storage::{
    FileError, FileLock, LockError, Storage, WriteError, is_taken, refuse_special, sweep, write_whole,
};

/// What happens to an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Keep it and fail.
    Keep,
    /// Overwrite it.
    Replace,
}

/// Why a game cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveFileFailure {
    /// The file already exists.
    #[error("`{}` already exists and is not overwritten", .0.display())]
    Exists(PathBuf),
    /// Another program is writing the file.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// A file that only this session writes.
pub struct SaveFile {
    path: PathBuf,
    storage: Rc<dyn Storage>,
    _lock: FileLock,
}

impl SaveFile {
    /// Locks a file and saves a game to it.
    ///
    /// # Errors
    /// [`SaveFileFailure`]; the file is unchanged.
    pub fn begin(
        path: &Path,
        existing: Existing,
        storage: Rc<dyn Storage>,
        save: &Save,
    ) -> Result<Self, SaveFileFailure> {
        refuse_special(path)?;
        let lock = FileLock::take(path)?;
        if existing == Existing::Keep && is_taken(path) {
            return Err(SaveFileFailure::Exists(path.to_owned()));
        }
        sweep(path);
        let file = SaveFile { path: path.to_owned(), storage, _lock: lock };
        file.put(save).map_err(|error| file.unwritable(error))?;
        Ok(file)
    }

    /// Where the game is saved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the current game. `before` is the content of the file.
    ///
    /// # Errors
    /// [`SaveFileFailure::Write`]; the file has its old content.
    pub fn write(&self, save: &Save, before: &Save) -> Result<(), SaveFileFailure> {
        self.put(save).map_err(|error| {
            if let WriteError::Replaced(_) = error {
                // The new content may not survive, so the old content is restored. If that fails too, the file holds a
                // complete game that is one answer ahead. The first error matters more.
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
