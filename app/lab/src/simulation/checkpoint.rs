//! A stopped simulation in a file: its settings, its progress, and its sums.
//!
//! The file names no other file; the caller decides what is read and written. Its sums must be possible. Only playing
//! the games again shows whether they are true (`Simulation::verify`).

use std::io;
use std::path::{Path, PathBuf};

use principes_app::digest::hex;
use principes_app::packs::OpenPacks;
use principes_app::setup::{Setup, SetupRequest};
use principes_app::storage::{Disk, FileError, Storage, refuse_special, sweep, write_whole};
use principes_source::read_file;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use sha2::digest::common::hazmat::SerializableState as _;

use super::tally::Tally;

const FORMAT: &str = "principes-sim";
const VERSION: u32 = 2;
/// A checkpoint holds only sums. No game needs this many bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Tables for people.
    Human,
    /// Everything, for programs.
    Json,
    /// One line for each game.
    Csv,
}

/// One part of the games: the `part`-th of `parts`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 1 to `parts`.
    pub part: u64,
    /// How many parts there are.
    pub parts: u64,
}

impl Shard {
    /// All games.
    pub const ALL: Shard = Shard { part: 1, parts: 1 };

    /// Whether the part exists.
    pub fn exists(self) -> bool {
        (1..=self.parts).contains(&self.part)
    }

    /// The number of games in this part.
    pub fn count(self, games: u64) -> u64 {
        games / self.parts + u64::from(self.part <= games % self.parts)
    }

    /// The number, among all games, of the game with index `at` in this part.
    pub fn number(self, at: u64) -> u64 {
        at * self.parts + self.part - 1
    }
}

/// The settings of a simulation. A resumed run takes them from the checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How games are set up. The seeds of the games are derived from its seed.
    pub setup: SetupRequest,
    /// The number of games in all parts.
    pub games: u64,
    /// The part to play.
    pub shard: Shard,
    /// The output format.
    pub format: Format,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be read.
    #[error("cannot read the checkpoint `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The file is not JSON.
    #[error("`{}` is not a checkpoint: {cause}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// The error.
        cause: serde_json::Error,
    },
    /// The file has another format.
    #[error("`{}` is not a checkpoint of a simulation", .0.display())]
    NotACheckpoint(PathBuf),
    /// Another version of the program wrote it.
    #[error("`{}` was written by version {program} of this program", path.display())]
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        program: String,
    },
    /// A value in the file is impossible.
    #[error("`{}` is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The impossible value.
        why: String,
    },
    /// The checkpoint was made with other packs.
    #[error("the packs are not those of the checkpoint, so the games would differ; load the packs it was made with")]
    OtherPacks,
    /// Its sums are not possible.
    #[error("the checkpoint is damaged: its totals do not fit this game")]
    Impossible,
    /// Its hash cannot be read.
    #[error("the checkpoint's state hash is damaged")]
    Hash,
    /// The games of the checkpoint have other results.
    #[error("the checkpoint does not match its games: {0}")]
    Untrue(&'static str),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// The progress of a simulation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    format: String,
    version: u32,
    program: String,
    /// The digest of the packs' files.
    pub fingerprint: String,
    /// What the packs mean (`Loaded::meaning`). Empty in older files.
    #[serde(default)]
    pub meaning: String,
    /// What is simulated; a resumed run takes them from here.
    pub settings: Settings,
    /// The sums over the finished games, which are the first ones of the part.
    pub tally: Tally,
    /// The intermediate state of the state hash, in hexadecimal digits.
    hash: String,
    /// The number of bytes of rows that are on the disk.
    pub rows: u64,
    /// The time taken so far.
    pub seconds: f64,
}

impl Checkpoint {
    /// The checkpoint of a run.
    pub fn new(settings: Settings, packs: &OpenPacks, tally: Tally, hash: &Sha256, rows: u64, seconds: f64) -> Self {
        Checkpoint {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            fingerprint: packs.catalog.fingerprint.clone(),
            meaning: packs.loaded.meaning().to_owned(),
            settings,
            tally,
            hash: hex(&hash.serialize()),
            rows,
            seconds,
        }
    }

    /// Writes the file completely or not at all.
    ///
    /// # Errors
    /// [`CheckpointError::Write`]; the file is unchanged.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        self.write_to(&Disk, path)
    }

    /// Does the same on any storage.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn write_to(&self, storage: &dyn Storage, path: &Path) -> Result<(), CheckpointError> {
        refuse_special(path)?;
        let cannot = FileError::at(path);
        let text = serde_json::to_vec_pretty(self).map_err(|error| cannot(error.into()))?;
        sweep(path);
        Ok(write_whole(storage, path, &text).map_err(|error| cannot(error.into()))?)
    }

    /// Reads a file from [`Checkpoint::write`], of at most 64 MiB.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let file = || path.to_owned();
        let text = read_file(path, MOST_BYTES).map_err(|cause| CheckpointError::Unreadable { path: file(), cause })?;
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|cause| CheckpointError::NotJson { path: file(), cause })?;
        if value["format"] != FORMAT {
            return Err(CheckpointError::NotACheckpoint(file()));
        }
        if value["version"] != VERSION || value["program"] != env!("CARGO_PKG_VERSION") {
            return Err(CheckpointError::OtherProgram { path: file(), program: value["program"].to_string() });
        }
        let damaged = |why: String| CheckpointError::Damaged { path: file(), why };
        let checkpoint: Checkpoint = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
        let Shard { part, parts } = checkpoint.settings.shard;
        if !checkpoint.settings.shard.exists() {
            return Err(damaged(format!("part {part} of {parts} does not exist")));
        }
        if !(0.0..=f64::MAX).contains(&checkpoint.seconds) {
            return Err(damaged("its time is not a valid number of seconds".to_owned()));
        }
        Ok(checkpoint)
    }

    /// Refuses packs that mean something else, and sums that are impossible in this game.
    ///
    /// # Errors
    /// [`CheckpointError::OtherPacks`] and [`CheckpointError::Impossible`].
    pub fn check(&self, packs: &OpenPacks, table: &Setup) -> Result<(), CheckpointError> {
        let catalog = &packs.catalog;
        let is_same = !self.meaning.is_empty() && self.meaning == packs.loaded.meaning();
        if self.fingerprint != catalog.fingerprint && !is_same {
            return Err(CheckpointError::OtherPacks);
        }
        let wanted = self.settings.shard.count(self.settings.games);
        if self.tally.games > wanted || !self.tally.is_possible(catalog, table, &self.settings) {
            return Err(CheckpointError::Impossible);
        }
        Ok(())
    }

    /// The intermediate state of the state hash.
    ///
    /// # Errors
    /// [`CheckpointError::Hash`].
    pub fn hash(&self) -> Result<Sha256, CheckpointError> {
        let bytes: Option<Vec<u8>> =
            (0..self.hash.len()).step_by(2).map(|at| u8::from_str_radix(self.hash.get(at..at + 2)?, 16).ok()).collect();
        let state = bytes.and_then(|bytes| bytes.as_slice().try_into().ok());
        state.and_then(|state| Sha256::deserialize(&state).ok()).ok_or(CheckpointError::Hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_contain_every_game_once() {
        for games in [0, 1, 7, 12] {
            let mut all: Vec<u64> = (1..=5)
                .map(|part| Shard { part, parts: 5 })
                .flat_map(|shard| (0..shard.count(games)).map(move |at| shard.number(at)))
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..games).collect::<Vec<_>>());
        }
    }
}
