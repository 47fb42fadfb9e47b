//! One CSV row for each game, in order.
//!
//! Rows go to a temporary file beside the target, which is renamed when all rows are there. A stopped run can continue
//! where it left off, and the target is never incomplete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use principes_app::storage::{FileError, beside, refuse_special};
use principes_core::*;

use super::game::{Fault, Played};

const CSV_HEAD: &str = "game,seed,decisions,rounds,winner,cause,digest,fault\n";

/// Why rows cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Standard output or another stream failed.
    #[error("cannot write the rows")]
    Stream(#[from] io::Error),
    /// The file has fewer rows than the checkpoint says.
    #[error("`{}` has {found} bytes, but had {wanted} at the checkpoint", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The length in the checkpoint.
        wanted: u64,
    },
}

/// Appends the row of a game to lines for [`Rows::write`].
pub fn line(catalog: &Catalog, game: &Played, lines: &mut Vec<u8>) {
    let Played { game: at, seed, decisions, digest, .. } = game;
    let name = |seat: SeatId| catalog.id_of(Value::Faction(seat));
    let winner = game.outcome.and_then(|outcome| outcome.winner).map(name).unwrap_or_default();
    let cause = game.outcome.map(|outcome| catalog.symbols.name(outcome.cause.index())).unwrap_or_default();
    let rounds = game.rounds.map(|n| n.to_string()).unwrap_or_default();
    let quoted = |fault: &Fault| format!("\"{}\"", fault.message.replace('"', "\"\""));
    let fault = game.fault.as_ref().map(quoted).unwrap_or_default();
    lines.extend_from_slice(format!("{at},{seed},{decisions},{rounds},{winner},{cause},{digest},{fault}\n").as_bytes());
}

/// The destination of rows.
pub enum Rows {
    /// There are no rows, only a report.
    None,
    /// Standard output, or anything else that cannot be continued after a stop.
    Stream(Box<dyn Write + Send>),
    /// A file that a resumed run continues at the right row.
    File(RowFile),
}

/// A file that is being written.
pub struct RowFile {
    target: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    written: u64,
    /// Whether `part` stays if the rows do not become complete, because a checkpoint continues it.
    stays: bool,
}

impl Drop for RowFile {
    fn drop(&mut self) {
        if !self.stays {
            // At worst, a half-written file is left.
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

impl Rows {
    /// Rows to a stream, such as standard output.
    ///
    /// # Errors
    /// [`RowsError::Stream`].
    pub fn stream(mut stream: Box<dyn Write + Send>) -> Result<Rows, RowsError> {
        stream.write_all(CSV_HEAD.as_bytes())?;
        Ok(Rows::Stream(stream))
    }

    /// Starts a new file. Rows go to `<name>.part` until all are there; an existing file of that name is replaced. If
    /// the rows do not become complete, that file stays for a checkpoint, or is removed if there is none.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn begin(target: &Path, has_checkpoint: bool) -> Result<Rows, RowsError> {
        let part = part(target)?;
        let cannot = FileError::at(&part);
        match std::fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(error).into()),
            _ => {}
        }
        let file = OpenOptions::new().write(true).create_new(true).open(&part).map_err(cannot)?;
        let mut rows =
            RowFile { target: target.to_owned(), part, out: BufWriter::new(file), written: 0, stays: has_checkpoint };
        rows.write(CSV_HEAD.as_bytes())?;
        Ok(Rows::File(rows))
    }

    /// Continues a file after its first `written` bytes.
    ///
    /// # Errors
    /// [`RowsError`]; the file is unchanged.
    pub fn resume(target: &Path, written: u64) -> Result<Rows, RowsError> {
        let part = part(target)?;
        refuse_special(&part)?;
        let cannot = FileError::at(&part);
        let mut file = File::options().write(true).open(&part).map_err(cannot)?;
        let found = file.metadata().map_err(cannot)?.len();
        if found < written {
            return Err(RowsError::Missing { path: part, found, wanted: written });
        }
        file.set_len(written).map_err(cannot)?;
        file.seek(SeekFrom::End(0)).map_err(cannot)?;
        let (target, out) = (target.to_owned(), BufWriter::new(file));
        Ok(Rows::File(RowFile { target, part, out, written, stays: true }))
    }

    /// Appends lines.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn write(&mut self, lines: &[u8]) -> Result<(), RowsError> {
        match self {
            Rows::None => Ok(()),
            Rows::Stream(out) => Ok(out.write_all(lines)?),
            Rows::File(file) => file.write(lines),
        }
    }

    /// Flushes everything to the disk and returns the number of bytes.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn sync(&mut self) -> Result<u64, RowsError> {
        match self {
            Rows::File(file) => {
                let done = file.out.flush().and_then(|()| file.out.get_ref().sync_data());
                done.map_err(FileError::at(&file.part))?;
                Ok(file.written)
            }
            _ => Ok(0),
        }
    }

    /// Renames the file to its target, when all rows are there.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn finish(mut self) -> Result<(), RowsError> {
        self.sync()?;
        match self {
            Rows::None => Ok(()),
            Rows::Stream(mut out) => Ok(out.flush()?),
            Rows::File(mut file) => {
                std::fs::rename(&file.part, &file.target).map_err(FileError::at(&file.target))?;
                file.stays = true;
                Ok(())
            }
        }
    }
}

impl RowFile {
    fn write(&mut self, lines: &[u8]) -> Result<(), RowsError> {
        let done = self.out.write_all(lines);
        done.map_err(FileError::at(&self.part))?;
        self.written += lines.len() as u64;
        Ok(())
    }
}

/// The temporary path of the rows. A target that is a link is refused.
fn part(target: &Path) -> Result<PathBuf, RowsError> {
    refuse_special(target)?;
    Ok(beside(target, ".part"))
}
