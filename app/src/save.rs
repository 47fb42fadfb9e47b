//! Records of games in files: the packs, the setup, and every answer.
//!
//! A file from outside is not trusted. It is replayed answer by answer, and every state must have the digest in the
//! file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use principes_core::scripts::Scripts;
use principes_core::*;
use principes_source::read_file;
use serde::{Deserialize, Serialize};

use crate::failure::{answer_failure, script_failure};
use crate::packs::{OpenPacks, PackRef};
use crate::setup::{Player, Setup, SetupError, check_trained, playable};

const FORMAT: &str = "principes-game";
const VERSION: u32 = 1;
/// The number of digits of a shortened digest.
const SHORT: usize = 12;
/// A longer file is not a recorded game.
const MOST_BYTES: u64 = 64 << 20;
/// The number of keys that an error lists before `…`.
const KEYS_SHOWN: usize = 8;

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The name of the file format.
    pub format: String,
    /// The version of the file format.
    pub version: u32,
    /// The id of the game.
    pub game: String,
    /// The packs of the game, in load order.
    pub packs: Vec<PackRef>,
    /// The digest of the packs' files.
    pub fingerprint: String,
    /// The configuration at the start.
    pub config: SaveConfig,
    /// The digest of the first state with an open decision.
    pub start: String,
    /// The answers in order.
    pub answers: Vec<SaveAnswer>,
    /// The digest of the last state.
    pub digest: String,
}

/// The configuration of a game, with names instead of indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveConfig {
    /// The players by faction.
    pub seats: BTreeMap<String, Player>,
    /// The seed for all random numbers.
    pub seed: u64,
    /// Setup options that differ from their defaults.
    pub options: BTreeMap<String, i32>,
}

/// An answer of the record: who chose, and what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveAnswer {
    /// The id of the faction that answered.
    pub seat: String,
    /// The key of the option.
    pub choose: String,
    /// Whether it was an aside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// The first digits of the digest of the state after the answer.
    pub then: String,
}

/// Why a recorded game cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file could not be read.
    #[error("cannot read the file: {0}")]
    Unreadable(io::Error),
    /// The file is not UTF-8.
    #[error("not a recorded game: byte {0} is not UTF-8 text")]
    NotText(usize),
    /// The file ends too early.
    #[error("the recorded game ends here: the file is incomplete")]
    CutOff(LineColumn),
    /// The file is not a recorded game.
    #[error("not a recorded game: {1}")]
    NotASave(LineColumn, serde_json::Error),
    /// The file has another format.
    #[error("expected `{FORMAT}` in `format`, found `{0}`")]
    Format(String),
    /// The file has another version.
    #[error("this program reads version {VERSION} of recorded games, found {0}")]
    Version(u32),
    /// The record belongs to another game.
    #[error("this is a game of `{saved}`, but the loaded game is `{loaded}`")]
    OtherGame {
        /// The game in the file.
        saved: String,
        /// The loaded game.
        loaded: String,
    },
    /// The record was made with other packs, or with other versions of them.
    #[error("this game was played with {}, but {} are loaded", list(saved), list(loaded))]
    OtherPacks {
        /// The packs in the file.
        saved: Vec<PackRef>,
        /// The loaded packs.
        loaded: Vec<PackRef>,
    },
    /// The packs have the same versions, but different files.
    #[error(
        "the packs have changed since the game was saved: the versions are the same, but the digest is {} instead of {}",
        short(loaded),
        short(saved)
    )]
    PacksChanged {
        /// The digest in the file.
        saved: String,
        /// The digest of the loaded packs.
        loaded: String,
    },
    /// A name in the file is unknown in this game.
    #[error("{pointer}: {cause}")]
    Unknown {
        /// A JSON pointer into the file.
        pointer: String,
        /// The error.
        cause: SetupError,
    },
    /// The counter does not exist.
    #[error("/config/options: unknown counter `{0}`")]
    UnknownCounter(String),
    /// The game cannot be started with the configuration in the file.
    #[error("/config: {0}")]
    Start(String),
    /// An answer is not possible.
    #[error("/answers/{at}: {why}")]
    Answer {
        /// The index of the answer.
        at: usize,
        /// The error.
        why: String,
    },
    /// A state differs from the recorded one.
    #[error("{pointer}: {what} has digest {}, but the file says {}", short(found), short(saved))]
    OtherState {
        /// A JSON pointer into the file.
        pointer: String,
        /// The state, in words.
        what: &'static str,
        /// The digest of the state.
        found: String,
        /// The digest in the file.
        saved: String,
    },
}

impl SaveError {
    /// Whether the file is a valid record, but its replay differs from it.
    pub fn is_divergence(&self) -> bool {
        matches!(self, SaveError::Unknown { .. } | SaveError::Answer { .. } | SaveError::OtherState { .. })
    }

    /// The position in the file, if known.
    fn place(&self) -> Option<LineColumn> {
        match self {
            SaveError::CutOff(place) | SaveError::NotASave(place, _) => Some(*place),
            _ => None,
        }
    }
}

/// A position in a text: line and column, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
}

/// An error in a file with a recorded game.
#[derive(Debug)]
pub struct SaveFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with the record.
    pub error: SaveError,
}

impl std::fmt::Display for SaveFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(LineColumn { line, column }) = self.error.place() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.error)
    }
}

impl std::error::Error for SaveFileError {}

fn list(packs: &[PackRef]) -> String {
    packs.iter().map(|pack| format!("{} {}", pack.id, pack.version)).collect::<Vec<_>>().join(", ")
}

/// The first digits of a digest.
pub fn short(digest: &str) -> String {
    digest.chars().take(SHORT).collect()
}

impl Save {
    /// The record of a game that has just started.
    pub fn begin<S: Scripts>(game: &Game<S>, packs: Vec<PackRef>, players: &[(SeatId, Player)]) -> Save {
        let catalog = game.catalog();
        let config = game.config();
        let options = config.options.iter();
        Save {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: catalog.game.clone(),
            packs,
            fingerprint: catalog.fingerprint.clone(),
            config: SaveConfig {
                seats: players.iter().map(|(seat, player)| (catalog.id_of(Value::Faction(*seat)), *player)).collect(),
                seed: config.seed,
                options: options.map(|(counter, n)| (catalog.id_of(Value::Counter(*counter)), *n)).collect(),
            },
            start: game.digest(),
            answers: Vec::new(),
            digest: game.digest(),
        }
    }

    /// Adds the answers since the last call. Call it after every answer, so that each answer gets its digest.
    pub fn follow<S: Scripts>(&mut self, game: &Game<S>) {
        let catalog = game.catalog();
        let digest = game.digest();
        self.answers.truncate(game.record().len());
        for answer in &game.record()[self.answers.len()..] {
            self.answers.push(SaveAnswer {
                seat: catalog.id_of(Value::Faction(answer.seat)),
                choose: answer.option.key(catalog),
                aside: answer.aside,
                then: short(&digest),
            });
        }
        self.digest = digest;
    }

    /// The text of the file, with one answer on each line, so that a diff shows the answers.
    ///
    /// # Errors
    /// None are known: every part of a save can be serialized.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let head = serde_json::to_value(self)?;
        let mut text = "{\n".to_owned();
        for key in ["format", "version", "game", "packs", "fingerprint", "config", "start"] {
            text += &format!("  \"{key}\": {},\n", head[key]);
        }
        text += "  \"answers\": [\n";
        for (at, answer) in self.answers.iter().enumerate() {
            let comma = if at + 1 < self.answers.len() { "," } else { "" };
            text += &format!("    {}{comma}\n", serde_json::to_string(answer)?);
        }
        text += &format!("  ],\n  \"digest\": {}\n}}\n", head["digest"]);
        Ok(text)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`SaveError`]: the bytes are not a recorded game of this version.
    pub fn parse(bytes: &[u8]) -> Result<Save, SaveError> {
        let text = std::str::from_utf8(bytes).map_err(|error| SaveError::NotText(error.valid_up_to()))?;
        let save: Save = serde_json::from_str(text).map_err(|error| {
            let place = LineColumn { line: error.line(), column: error.column() };
            match error.classify() {
                serde_json::error::Category::Eof => SaveError::CutOff(place),
                _ => SaveError::NotASave(place, error),
            }
        })?;
        if save.format != FORMAT {
            return Err(SaveError::Format(save.format));
        }
        if save.version != VERSION {
            return Err(SaveError::Version(save.version));
        }
        Ok(save)
    }

    /// Reads a file of at most 64 MiB.
    ///
    /// # Errors
    /// [`SaveFileError`], with the path and, if known, line and column.
    pub fn read(path: &Path) -> Result<Save, SaveFileError> {
        let bytes = read_file(path, MOST_BYTES).map_err(SaveError::Unreadable);
        bytes.and_then(|bytes| Save::parse(&bytes)).map_err(|error| SaveFileError { path: path.to_owned(), error })
    }

    /// The setup in the file, for these packs.
    ///
    /// # Errors
    /// [`SaveError`]: this game does not have the faction or counter.
    pub fn setup(&self, catalog: &Catalog) -> Result<Setup, SaveError> {
        let mut players = Vec::new();
        let unknown = |cause| SaveError::Unknown { pointer: "/config/seats".to_owned(), cause };
        for (id, player) in &self.config.seats {
            players.push((playable(catalog, id).map_err(unknown)?, *player));
        }
        players.sort_unstable_by_key(|(seat, _)| *seat);
        check_trained(catalog, &players).map_err(unknown)?;
        let mut options = Vec::new();
        for (id, value) in &self.config.options {
            let counter = catalog.counter(id).ok_or_else(|| SaveError::UnknownCounter(id.clone()))?;
            options.push((counter, *value));
        }
        let config =
            GameConfig { seats: players.iter().map(|(seat, _)| *seat).collect(), seed: self.config.seed, options };
        Ok(Setup { config, players })
    }

    /// Checks that the file was made with these packs.
    ///
    /// # Errors
    /// [`SaveError`], which describes the difference.
    pub fn check_packs(&self, packs: &OpenPacks) -> Result<(), SaveError> {
        let catalog = &packs.catalog;
        if self.game != catalog.game {
            return Err(SaveError::OtherGame { saved: self.game.clone(), loaded: catalog.game.clone() });
        }
        if self.packs != packs.packs {
            return Err(SaveError::OtherPacks { saved: self.packs.clone(), loaded: packs.packs.clone() });
        }
        if self.fingerprint != catalog.fingerprint {
            let (saved, loaded) = (self.fingerprint.clone(), catalog.fingerprint.clone());
            return Err(SaveError::PacksChanged { saved, loaded });
        }
        Ok(())
    }

    /// Replays the file on a game that has just started. With `verify`, every state must have the digest in the file.
    ///
    /// # Errors
    /// [`SaveError`]: the first answer that is not possible, or the first state that differs.
    pub fn replay<S: Scripts>(&self, game: &mut Game<S>, verify: bool) -> Result<(), SaveError> {
        if verify {
            self.check_start(game)?;
        }
        for (at, answer) in self.answers.iter().enumerate() {
            give(game, at, answer)?;
            if verify {
                self.check_answer(at, game)?;
            }
        }
        if verify { self.check_end(game) } else { Ok(()) }
    }

    /// Compares the first state of a game with the record.
    ///
    /// # Errors
    /// [`SaveError::OtherState`].
    pub fn check_start<S: Scripts>(&self, game: &Game<S>) -> Result<(), SaveError> {
        same_state("/start", "the first state", &game.digest(), &self.start)
    }

    /// Compares the state of a game after answer number `at` with the record.
    ///
    /// # Errors
    /// [`SaveError::OtherState`].
    pub fn check_answer<S: Scripts>(&self, at: usize, game: &Game<S>) -> Result<(), SaveError> {
        let saved = self.answers.get(at).map_or("", |answer| &answer.then);
        same_state(&format!("/answers/{at}/then"), "the state after this answer", &short(&game.digest()), saved)
    }

    /// Compares the last state of a game with the record.
    ///
    /// # Errors
    /// [`SaveError::OtherState`].
    pub fn check_end<S: Scripts>(&self, game: &Game<S>) -> Result<(), SaveError> {
        same_state("/digest", "the last state", &game.digest(), &self.digest)
    }
}

/// Fails if a state does not have the digest in a save.
pub(crate) fn same_state(pointer: &str, what: &'static str, found: &str, saved: &str) -> Result<(), SaveError> {
    if found == saved {
        return Ok(());
    }
    let (pointer, found, saved) = (pointer.to_owned(), found.to_owned(), saved.to_owned());
    Err(SaveError::OtherState { pointer, what, found, saved })
}

/// Gives answer number `at` of a save to a game.
///
/// # Errors
/// [`SaveError`]: the answer is not an option, or a script fails. The game is unchanged.
pub fn give<S: Scripts>(game: &mut Game<S>, at: usize, answer: &SaveAnswer) -> Result<(), SaveError> {
    let fail = |why: String| SaveError::Answer { at, why };
    let catalog = game.catalog().clone();
    if game.outcome().is_some() {
        return Err(fail("the game is over before this answer".to_owned()));
    }
    let unknown = |cause| SaveError::Unknown { pointer: format!("/answers/{at}"), cause };
    let seat = playable(&catalog, &answer.seat).map_err(unknown)?;
    let options: Vec<DecisionOption> = if answer.aside {
        game.asides(seat).map_err(|error| fail(script_failure(&error)))?
    } else {
        game.pending()
            .iter()
            .filter(|decision| decision.seat == seat)
            .flat_map(|decision| decision.options.iter().copied())
            .collect()
    };
    let Some(option) = options.iter().find(|option| option.key(&catalog) == answer.choose) else {
        let mut keys: Vec<String> =
            options.iter().take(KEYS_SHOWN).map(|option| format!("`{}`", option.key(&catalog))).collect();
        if options.len() > KEYS_SHOWN {
            keys.push("…".to_owned());
        }
        let offer = if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") };
        return Err(fail(format!("`{}` is not an option of {}; the options are: {offer}", answer.choose, answer.seat)));
    };
    let done = if answer.aside { game.play_aside(seat, *option) } else { game.answer(seat, *option) };
    done.map_err(|error| fail(answer_failure(&error)))
}
