//! Records of games in files: what was played on, how it was set up, and every answer.
//!
//! A file from outside is trusted in nothing: it is replayed answer by answer, and every state must have the digest
//! that the file names.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use principes_core::scripts::Scripts;
use principes_core::*;
use principes_source::read_file;
use serde::{Deserialize, Serialize};

use crate::failure::{answer_failure, script_failure};
use crate::packs::{OpenPacks, PackRef};
use crate::setup::{Player, Setup, SetupError, playable};

const FORMAT: &str = "principes-game";
const VERSION: u32 = 1;
/// Digits of a digest that are shown with each answer.
const SHORT: usize = 12;
/// No recorded game has more bytes.
const MOST_BYTES: u64 = 64 << 20;
/// Keys that an error names before it says `…`.
const KEYS_SHOWN: usize = 8;

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// What this file is.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// The game.
    pub game: String,
    /// The packs it was played with, in load order.
    pub packs: Vec<PackRef>,
    /// Digest of the packs' files.
    pub fingerprint: String,
    /// What the game was started with.
    pub config: SaveConfig,
    /// Digest of the first state with an open decision.
    pub start: String,
    /// Every answer.
    pub answers: Vec<SaveAnswer>,
    /// Digest of the last state.
    pub digest: String,
}

/// What a game was started with, by names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveConfig {
    /// Who plays which faction.
    pub seats: BTreeMap<String, Player>,
    /// Seed of all chance.
    pub seed: u64,
    /// Setup options that differ from their start values.
    pub options: BTreeMap<String, i32>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveAnswer {
    /// Who.
    pub seat: String,
    /// Key of the option.
    pub choose: String,
    /// Whether it was an aside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// First digits of the digest of the state after it.
    pub then: String,
}

/// Why a recorded game cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file could not be read.
    #[error("cannot read the file: {0}")]
    Unreadable(io::Error),
    /// The file is not text.
    #[error("not a recorded game: byte {0} is not UTF-8 text")]
    NotText(usize),
    /// The file ends too early.
    #[error("the recorded game ends here: the file is incomplete")]
    CutOff(LineColumn),
    /// The file holds something else.
    #[error("not a recorded game: {1}")]
    NotASave(LineColumn, serde_json::Error),
    /// The file says that it is something else.
    #[error("expected `{FORMAT}` in `format`, found `{0}`")]
    Format(String),
    /// The file has another version.
    #[error("this program reads version {VERSION} of recorded games, found {0}")]
    Version(u32),
    /// It is a game of another game.
    #[error("this is a game of `{saved}`, but the loaded game is `{loaded}`")]
    OtherGame {
        /// What the file says.
        saved: String,
        /// What is loaded.
        loaded: String,
    },
    /// It was played with other packs or other versions of them.
    #[error("this game was played with {}, but {} are loaded", list(saved), list(loaded))]
    OtherPacks {
        /// What the file says.
        saved: Vec<PackRef>,
        /// What is loaded.
        loaded: Vec<PackRef>,
    },
    /// The packs have the same versions, but other files.
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
    /// A name in the file means nothing in this game.
    #[error("{pointer}: {source}")]
    Unknown {
        /// Where in the file, as a JSON pointer.
        pointer: String,
        /// What is wrong.
        source: SetupError,
    },
    /// There is no such counter.
    #[error("/config/options: unknown counter `{0}`")]
    UnknownCounter(String),
    /// The game does not start with what the file says.
    #[error("/config: {0}")]
    Start(String),
    /// An answer cannot be given.
    #[error("/answers/{at}: {why}")]
    Answer {
        /// Its number, from 0.
        at: usize,
        /// What is wrong.
        why: String,
    },
    /// A state is not the recorded one.
    #[error("{pointer}: {what} has digest {}, but the file says {}", short(found), short(saved))]
    OtherState {
        /// Where in the file, as a JSON pointer.
        pointer: String,
        /// Which state, in words.
        what: &'static str,
        /// The digest of the state.
        found: String,
        /// The digest in the file.
        saved: String,
    },
}

impl SaveError {
    /// Whether the file is a record of this game that goes another way than the file says.
    pub fn is_divergence(&self) -> bool {
        matches!(self, SaveError::Unknown { .. } | SaveError::Answer { .. } | SaveError::OtherState { .. })
    }

    /// Where in the text of the file, if that is known.
    fn place(&self) -> Option<LineColumn> {
        match self {
            SaveError::CutOff(place) | SaveError::NotASave(place, _) => Some(*place),
            _ => None,
        }
    }
}

/// A place in a text: line and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// An error about a recorded game in a file.
#[derive(Debug)]
pub struct SaveFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
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
    /// The record of a game that has just been started.
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

    /// Notes the answers that the game has had since the last time. Called after every answer, so that each has its
    /// digest.
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

    /// The text of the file: one answer on a line, so that it is small and a diff shows what was played.
    ///
    /// # Errors
    /// None are known: every part of a save can be written as JSON.
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

    /// The setup that the file names, on these packs.
    ///
    /// # Errors
    /// [`SaveError`]: a faction or counter that this game does not have.
    pub fn setup(&self, catalog: &Catalog) -> Result<Setup, SaveError> {
        let mut players = Vec::new();
        for (id, player) in &self.config.seats {
            let unknown = |source| SaveError::Unknown { pointer: "/config/seats".to_owned(), source };
            players.push((playable(catalog, id).map_err(unknown)?, *player));
        }
        players.sort_unstable_by_key(|(seat, _)| *seat);
        let mut options = Vec::new();
        for (id, value) in &self.config.options {
            let counter = catalog.counter(id).ok_or_else(|| SaveError::UnknownCounter(id.clone()))?;
            options.push((counter, *value));
        }
        let config =
            GameConfig { seats: players.iter().map(|(seat, _)| *seat).collect(), seed: self.config.seed, options };
        Ok(Setup { config, players })
    }

    /// Whether the file was made with these packs.
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

    /// Replays the file on a game that has just been started. With `verify` every state must have the digest that
    /// is in the file.
    ///
    /// # Errors
    /// [`SaveError`]: the first answer that cannot be given, or the first state that is another.
    pub fn replay<S: Scripts>(&self, game: &mut Game<S>, verify: bool) -> Result<(), SaveError> {
        if verify {
            same_state("/start", "the first state", &game.digest(), &self.start)?;
        }
        for (at, answer) in self.answers.iter().enumerate() {
            give(game, at, answer)?;
            if verify {
                let pointer = format!("/answers/{at}/then");
                same_state(&pointer, "the state after this answer", &short(&game.digest()), &answer.then)?;
            }
        }
        if verify {
            same_state("/digest", "the last state", &game.digest(), &self.digest)?;
        }
        Ok(())
    }
}

/// Whether a state has the digest that a save names.
pub(crate) fn same_state(pointer: &str, what: &'static str, found: &str, saved: &str) -> Result<(), SaveError> {
    if found == saved {
        return Ok(());
    }
    let (pointer, found, saved) = (pointer.to_owned(), found.to_owned(), saved.to_owned());
    Err(SaveError::OtherState { pointer, what, found, saved })
}

/// Gives an answer of a save, the one with number `at`, to a game.
///
/// # Errors
/// [`SaveError`]: the answer is not on offer, or a script fails. The game is as it was.
pub fn give<S: Scripts>(game: &mut Game<S>, at: usize, answer: &SaveAnswer) -> Result<(), SaveError> {
    let fail = |why: String| SaveError::Answer { at, why };
    let catalog = game.catalog().clone();
    if game.outcome().is_some() {
        return Err(fail("the game is over before this answer".to_owned()));
    }
    let unknown = |source| SaveError::Unknown { pointer: format!("/answers/{at}"), source };
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
