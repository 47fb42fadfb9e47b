//! One row for each game, in order, as CSV.
//!
//! Rows go to a file beside the target, which takes its name when all are there; so a run that was stopped goes on
//! where it left off, and whoever reads the target never sees half of it.

use std::fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use principes_core::*;

use super::games::{Fault, Played};

const CSV_HEAD: &str = "game,seed,decisions,rounds,winner,cause,digest,fault\n";

/// Appends a game to lines that [`Rows::write`] takes.
pub fn line(catalog: &Catalog, game: &Played, lines: &mut Vec<u8>) -> Result<()> {
    let Played { game: at, seed, decisions, digest, .. } = game;
    let name = |seat: SeatId| catalog.id_of(Value::Faction(seat));
    let winner = game.outcome.and_then(|outcome| outcome.winner).map(name).unwrap_or_default();
    let cause = game.outcome.map(|outcome| catalog.symbols.name(outcome.cause.index())).unwrap_or_default();
    let rounds = game.rounds.map(|n| n.to_string()).unwrap_or_default();
    let quoted = |fault: &Fault| format!("\"{}\"", fault.message.replace('"', "\"\""));
    let fault = game.fault.as_ref().map(quoted).unwrap_or_default();
    writeln!(lines, "{at},{seed},{decisions},{rounds},{winner},{cause},{digest},{fault}")?;
    Ok(())
}

/// Where rows go.
pub enum Rows {
    /// Nowhere: the report says all.
    None,
    /// To standard output, as they come.
    Stdout(Box<dyn Write + Send>),
    /// Into a file.
    File(RowFile),
}

/// Rows on their way into a file.
pub struct RowFile {
    target: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    written: u64,
}

impl Rows {
    /// Rows to standard output.
    pub fn stdout() -> Result<Rows> {
        let mut out = std::io::stdout();
        out.write_all(CSV_HEAD.as_bytes())?;
        Ok(Rows::Stdout(Box::new(out)))
    }

    /// A file that takes rows from the beginning.
    pub fn begin(target: &Path) -> Result<Rows> {
        let part = part(target);
        let file = File::create(&part).with_context(|| format!("cannot write `{}`", part.display()))?;
        let mut rows = RowFile { target: target.to_owned(), part, out: BufWriter::new(file), written: 0 };
        rows.write(CSV_HEAD.as_bytes())?;
        Ok(Rows::File(rows))
    }

    /// A file that goes on after its first `written` bytes.
    pub fn resume(target: &Path, written: u64) -> Result<Rows> {
        let part = part(target);
        let cannot = || format!("cannot go on with `{}`", part.display());
        let mut file = File::options().write(true).open(&part).with_context(cannot)?;
        let found = file.metadata().with_context(cannot)?.len();
        if found < written {
            bail!("`{}` has {found} bytes; the checkpoint was made when it had {written}", part.display());
        }
        file.set_len(written).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        let (target, out) = (target.to_owned(), BufWriter::new(file));
        Ok(Rows::File(RowFile { target, part, out, written }))
    }

    /// Appends lines.
    pub fn write(&mut self, lines: &[u8]) -> Result<()> {
        match self {
            Rows::None => Ok(()),
            Rows::Stdout(out) => Ok(out.write_all(lines)?),
            Rows::File(file) => file.write(lines),
        }
    }

    /// Brings everything to the disk and says how much that is.
    pub fn sync(&mut self) -> Result<u64> {
        match self {
            Rows::File(file) => {
                let told = || format!("cannot write `{}`", file.part.display());
                file.out.flush().with_context(told)?;
                file.out.get_ref().sync_data().with_context(told)?;
                Ok(file.written)
            }
            _ => Ok(0),
        }
    }

    /// All rows are there: the target gets them.
    pub fn finish(mut self) -> Result<()> {
        self.sync()?;
        match self {
            Rows::None => Ok(()),
            Rows::Stdout(mut out) => Ok(out.flush()?),
            Rows::File(file) => file.finish(),
        }
    }
}

impl RowFile {
    fn write(&mut self, lines: &[u8]) -> Result<()> {
        self.out.write_all(lines).with_context(|| format!("cannot write `{}`", self.part.display()))?;
        self.written += lines.len() as u64;
        Ok(())
    }

    fn finish(self) -> Result<()> {
        std::fs::rename(&self.part, &self.target).with_context(|| format!("cannot write `{}`", self.target.display()))
    }
}

/// Where rows wait until all are there.
fn part(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    target.with_file_name(name)
}
