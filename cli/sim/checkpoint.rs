//! A simulation that was stopped, in a file: what was asked for, how far it came, and what it has found so far.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use principes_content::source::read_file;
use principes_core::Catalog;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use sha2::digest::common::hazmat::SerializableState as _;

use super::tally::Tally;
use crate::out;

const FORMAT: &str = "principes-sim";
const VERSION: u32 = 1;
/// A checkpoint holds sums; no game comes near this many bytes.
const MOST: u64 = 64 << 20;

/// What a simulation was asked for; `--resume` needs none of it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Packs, as they were given.
    pub packs: Vec<PathBuf>,
    /// Which game.
    pub game: Option<String>,
    /// Variant.
    pub variant: Option<String>,
    /// Setup options.
    pub options: Vec<String>,
    /// How many seats.
    pub players: Option<usize>,
    /// Who plays them.
    pub seats: Vec<String>,
    /// How many games.
    pub games: u64,
    /// Seed of all of them.
    pub seed: u64,
    /// Which part of them.
    pub shard: Option<(u64, u64)>,
    /// How the result is written.
    pub format: super::Format,
    /// Where.
    pub out: Option<PathBuf>,
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
    /// Sums over the games that are done: the first of the list.
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
            hash: crate::packs::hex(&hash.serialize()),
            rows,
            seconds,
        }
    }

    /// Writes the file as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(self)?;
        out::write_whole(path, &text).with_context(|| format!("cannot write `{}`", path.display()))
    }

    /// Reads a file that [`Checkpoint::write`] has written.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let text = read_file(path, MOST).with_context(|| format!("cannot read the checkpoint `{name}`"))?;
        let value: serde_json::Value =
            serde_json::from_slice(&text).with_context(|| format!("`{name}` is no checkpoint"))?;
        if value["format"] != FORMAT {
            bail!("`{name}` is no checkpoint of a simulation");
        }
        if value["version"] != VERSION || value["program"] != env!("CARGO_PKG_VERSION") {
            bail!("`{name}` was written by another version of this program ({})", value["program"]);
        }
        let checkpoint: Checkpoint = serde_json::from_value(value).with_context(|| format!("`{name}` is damaged"))?;
        match checkpoint.settings.shard {
            Some((part, parts)) if !(1..=parts).contains(&part) => {
                bail!("`{name}` is damaged: there is no part {part} of {parts}")
            }
            _ => Ok(checkpoint),
        }
    }

    /// Refuses sums that no simulation of this game can have come to.
    pub fn check(&self, catalog: &Catalog) -> Result<()> {
        if !self.tally.fits(catalog) || self.tally.games > self.settings.games {
            bail!("the checkpoint is damaged: its sums do not belong to this game");
        }
        Ok(())
    }

    /// The state hash, to be gone on with.
    pub fn hash(&self) -> Result<Sha256> {
        let bytes: Option<Vec<u8>> =
            (0..self.hash.len()).step_by(2).map(|at| u8::from_str_radix(self.hash.get(at..at + 2)?, 16).ok()).collect();
        let state = bytes.and_then(|bytes| bytes.as_slice().try_into().ok());
        state.and_then(|state| Sha256::deserialize(&state).ok()).context("the checkpoint's state hash is damaged")
    }
}
