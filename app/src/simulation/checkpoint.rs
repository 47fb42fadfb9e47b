//! A simulation that was stopped, in a file: what was asked for, how far it came, and what it has found so far.
//!
//! The file names no other file: what is read and written is for the caller to say. Its sums must be possible; whether
//! they are true shows only by playing the games again (`Run::verify`).

use std::io;
use std::path::{Path, PathBuf};

use principes_core::Catalog;
use principes_source::read_file;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use sha2::digest::common::hazmat::SerializableState as _;

use super::tally::Tally;
use crate::packs::hex;
use crate::setup::{Setup, SetupRequest};
use crate::storage::{Disk, FileError, Storage, is_link, write_whole};

const FORMAT: &str = "principes-sim";
const VERSION: u32 = 2;
/// A checkpoint holds sums; no game comes near this many bytes.
const MOST_BYTES: u64 = 64 << 20;

/// How a result is written.
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

    /// How many of some games are in it.
    pub fn count(self, games: u64) -> u64 {
        games / self.parts + u64::from(self.part <= games % self.parts)
    }

    /// The number that its `at`-th game, from 0, has among all.
    pub fn number(self, at: u64) -> u64 {
        at * self.parts + self.part - 1
    }
}

/// What a simulation was asked for; a resumed run does not ask again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How games are set up. Its seed is the one from which the games' seeds are derived.
    pub setup: SetupRequest,
    /// How many games, all shards together.
    pub games: u64,
    /// Which part of them.
    pub shard: Shard,
    /// The output format.
    pub format: Format,
}

/// Why a checkpoint cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be read.
    #[error("cannot read the checkpoint `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not JSON.
    #[error("`{}` is not a checkpoint: {source}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The file says that it is something else.
    #[error("`{}` is not a checkpoint of a simulation", .0.display())]
    NotACheckpoint(PathBuf),
    /// Another version of the program wrote it.
    #[error("`{}` was written by version {program} of this program", path.display())]
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// What the file says.
        program: String,
    },
    /// Something in it cannot be.
    #[error("`{}` is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What cannot be.
        why: String,
    },
    /// It was made with other packs.
    #[error("the packs are not those of the checkpoint, so the games would differ; load the packs it was made with")]
    OtherPacks,
    /// Its sums are not possible.
    #[error("the checkpoint is damaged: its totals do not fit this game")]
    Impossible,
    /// Its hash cannot be read.
    #[error("the checkpoint's state hash is damaged")]
    Hash,
    /// Its games have other results.
    #[error("the checkpoint does not match its games: {0}")]
    Untrue(&'static str),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// How far a simulation came.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    format: String,
    version: u32,
    program: String,
    /// Digest of the packs' files.
    pub fingerprint: String,
    /// What was asked for.
    pub settings: Settings,
    /// Sums over the games that are done: the first of the shard.
    pub tally: Tally,
    /// Half-finished state hash, in hexadecimal digits.
    hash: String,
    /// Bytes of rows that are on the disk.
    pub rows: u64,
    /// Time taken so far.
    pub seconds: f64,
}

impl Checkpoint {
    /// The state of a run.
    pub fn new(settings: Settings, fingerprint: String, tally: Tally, hash: &Sha256, rows: u64, seconds: f64) -> Self {
        Checkpoint {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            fingerprint,
            settings,
            tally,
            hash: hex(&hash.serialize()),
            rows,
            seconds,
        }
    }

    /// Writes the file as a whole or not at all.
    ///
    /// # Errors
    /// [`CheckpointError::Write`]; the file is as it was.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        self.write_to(&Disk, path)
    }

    /// Does the same on any storage.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn write_to(&self, storage: &dyn Storage, path: &Path) -> Result<(), CheckpointError> {
        if is_link(path) {
            return Err(FileError::Link(path.to_owned()).into());
        }
        let cannot = FileError::at(path);
        let text = serde_json::to_vec_pretty(self).map_err(|error| cannot(error.into()))?;
        Ok(write_whole(storage, path, &text).map_err(|error| cannot(error.into()))?)
    }

    /// Reads a file that [`Checkpoint::write`] has written, of at most 64 MiB.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let file = || path.to_owned();
        let text =
            read_file(path, MOST_BYTES).map_err(|source| CheckpointError::Unreadable { path: file(), source })?;
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|source| CheckpointError::NotJson { path: file(), source })?;
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

    /// Refuses other packs, and sums that no simulation of this game can produce.
    ///
    /// # Errors
    /// [`CheckpointError::OtherPacks`] and [`CheckpointError::Impossible`].
    pub fn check(&self, catalog: &Catalog, table: &Setup) -> Result<(), CheckpointError> {
        if self.fingerprint != catalog.fingerprint {
            return Err(CheckpointError::OtherPacks);
        }
        let wanted = self.settings.shard.count(self.settings.games);
        if self.tally.games > wanted || !self.tally.is_possible(catalog, table) {
            return Err(CheckpointError::Impossible);
        }
        Ok(())
    }

    /// The state hash, half finished.
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
    fn shards_hold_every_game_once() {
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
