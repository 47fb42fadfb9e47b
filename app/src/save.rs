//! Records of games in files: the packs, the setup, and every answer.
//!
//! A file from outside is not trusted. It is replayed answer by answer, and every state must have the digest in the
//! file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use principes_core::scripts::Scripts;
use principes_core::*;
use principes_source::read_file;
use serde::{Deserialize, Serialize};

use crate::failure::{answer_failure, script_failure};
use crate::packs::{OpenPacks, PackRef};
use crate::setup::{Player, Setup, SetupError, check_trained, playable};
use crate::state_digest::state_digest;
use crate::storage::numbered;

const FORMAT: &str = "principes-game";
/// Version 1 has other digests of states: those of `Game::digest`.
const VERSION: u32 = 2;
const OLDEST: u32 = 1;
/// The pointer to the digest of the first state.
const START: &str = "/start";
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
    /// What the packs mean (`Loaded::meaning`). Empty in older files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub meaning: String,
    /// The configuration at the start.
    pub config: SaveConfig,
    /// The digest of the first state with an open decision.
    pub start: String,
    /// The changes of packs in the middle of the game, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seams: Vec<Seam>,
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

/// A place in a record at which the packs changed. The states in the record are those of the present packs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seam {
    /// The number of answers that were given before.
    pub after: usize,
    /// The packs before, in load order.
    pub packs: Vec<PackRef>,
    /// The digest of their files.
    pub fingerprint: String,
}

/// How the packs of a record differ from those that are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacksNow {
    /// They have the same files.
    Same,
    /// Their files differ, but they mean the same.
    SameMeaning,
    /// They may play differently.
    Changed,
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
    #[error("this program reads versions {OLDEST} to {VERSION} of recorded games, found {0}")]
    Version(u32),
    /// The record belongs to another game.
    #[error("this is a game of `{saved}`, but the loaded game is `{loaded}`")]
    OtherGame {
        /// The game in the file.
        saved: String,
        /// The loaded game.
        loaded: String,
    },
    /// The packs have changed, and the game cannot be started with them.
    #[error("the packs have changed since the game was saved{packs}, and it cannot start with them: {why}")]
    NoStart {
        /// The other packs in words, or nothing.
        packs: String,
        /// The error with these packs.
        why: Box<SaveError>,
    },
    /// The packs have changed, and the game goes on differently.
    #[error("the packs have changed since the game was saved{packs}, and {}", departs(*alike, *of, why))]
    Departs {
        /// The other packs in words, or nothing.
        packs: String,
        /// The number of answers after which every state is the recorded one.
        alike: usize,
        /// The number of answers in the record.
        of: usize,
        /// The first difference.
        why: Box<SaveError>,
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

/// Where and how a replay differs, in words.
fn departs(alike: usize, of: usize, why: &SaveError) -> String {
    let from = match alike {
        0 => "only its start plays the same".to_owned(),
        _ => format!("it plays the same up to answer {alike} of {of}"),
    };
    match why {
        SaveError::OtherState { pointer, .. } if pointer == START => "it starts differently".to_owned(),
        SaveError::OtherState { .. } => format!("{from}; the state after the next answer differs"),
        SaveError::Answer { why, .. } => format!("{from}; then {why}"),
        other => format!("{from}; then {other}"),
    }
}

/// Keeps a copy of a recorded game beside it, under a name that is free: `evening.before.json`.
///
/// # Errors
/// [`io::Error`]: the file cannot be read, or no copy can be written.
pub fn keep_copy(path: &Path) -> io::Result<PathBuf> {
    let bytes = read_file(path, MOST_BYTES)?;
    for copy in numbered(&path.with_extension("before.json")) {
        match File::create_new(&copy) {
            Ok(mut file) => {
                let written = file.write_all(&bytes).and_then(|()| file.sync_all());
                if let Err(error) = written {
                    // Half a copy is none.
                    let _ = std::fs::remove_file(&copy);
                    return Err(error);
                }
                return Ok(copy);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("all names for the copy are taken; move some copies away"))
}

/// The first digits of a digest.
pub fn short(digest: &str) -> String {
    digest.chars().take(SHORT).collect()
}

impl Save {
    /// The record of a game that has just started.
    pub fn begin<S: Scripts>(game: &Game<S>, packs: &OpenPacks, players: &[(SeatId, Player)]) -> Save {
        let catalog = game.catalog();
        let config = game.config();
        let options = config.options.iter();
        Save {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: catalog.game.clone(),
            packs: packs.packs.clone(),
            fingerprint: catalog.fingerprint.clone(),
            meaning: packs.loaded.meaning().to_owned(),
            config: SaveConfig {
                seats: players.iter().map(|(seat, player)| (catalog.id_of(Value::Faction(*seat)), *player)).collect(),
                seed: config.seed,
                options: options.map(|(counter, n)| (catalog.id_of(Value::Counter(*counter)), *n)).collect(),
            },
            start: state_digest(game.catalog(), &game.table().world),
            seams: Vec::new(),
            answers: Vec::new(),
            digest: state_digest(game.catalog(), &game.table().world),
        }
    }

    /// Adds the answers since the last call. Call it after every answer, so that each answer gets its digest.
    pub fn follow<S: Scripts>(&mut self, game: &Game<S>) {
        let catalog = game.catalog();
        let digest = self.state_of(game);
        self.shorten(game.record().len());
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

    /// Removes the answers after the first `answers`. The digest of the last state remains.
    pub fn shorten(&mut self, answers: usize) {
        self.answers.truncate(answers);
        self.seams.retain(|seam| seam.after <= answers);
    }

    /// The text of the file, with one answer on each line, so that a diff shows the answers.
    ///
    /// # Errors
    /// None are known: every part of a save can be serialized.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let head = serde_json::to_value(self)?;
        let mut text = "{\n".to_owned();
        for key in ["format", "version", "game", "packs", "fingerprint", "meaning", "config", "start", "seams"] {
            if let Some(value) = head.get(key) {
                text += &format!("  \"{key}\": {value},\n");
            }
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
        if !(OLDEST..=VERSION).contains(&save.version) {
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

    /// Compares the packs of the record with those that are loaded.
    ///
    /// # Errors
    /// [`SaveError::OtherGame`].
    pub fn packs_now(&self, packs: &OpenPacks) -> Result<PacksNow, SaveError> {
        let catalog = &packs.catalog;
        if self.game != catalog.game {
            return Err(SaveError::OtherGame { saved: self.game.clone(), loaded: catalog.game.clone() });
        }
        if self.fingerprint == catalog.fingerprint && self.packs == packs.packs {
            return Ok(PacksNow::Same);
        }
        let is_same = !self.meaning.is_empty() && self.meaning == packs.loaded.meaning();
        Ok(if is_same { PacksNow::SameMeaning } else { PacksNow::Changed })
    }

    /// The error of a replay with these packs that differs from the record after `alike` answers. If the packs have not
    /// changed, it is the difference itself.
    ///
    /// # Errors
    /// [`SaveError::OtherGame`].
    pub fn departure(&self, packs: &OpenPacks, alike: usize, why: SaveError) -> Result<SaveError, SaveError> {
        let others = self.other_packs(packs);
        Ok(match self.packs_now(packs)? {
            PacksNow::Same => why,
            _ => SaveError::Departs { packs: others, alike, of: self.answers.len(), why: Box::new(why) },
        })
    }

    /// The packs of the record and those that are loaded, in words; nothing if ids and versions are the same.
    pub(crate) fn other_packs(&self, packs: &OpenPacks) -> String {
        match self.packs == packs.packs {
            true => String::new(),
            false => format!(" ({} instead of {})", list(&packs.packs), list(&self.packs)),
        }
    }

    /// Replays the file on a game of these packs that has just started. Every state must have the digest in the file.
    ///
    /// # Errors
    /// [`SaveError`]: the first answer that is not possible, or the first state that differs.
    pub fn verify<S: Scripts>(&self, packs: &OpenPacks, game: &mut Game<S>) -> Result<(), SaveError> {
        let mut alike = 0;
        let mut all = || {
            self.check_start(game)?;
            for (at, answer) in self.answers.iter().enumerate() {
                give(game, at, answer)?;
                self.check_answer(at, game)?;
                alike = at + 1;
            }
            self.check_end(game)
        };
        all().map_err(|why| self.departure(packs, alike, why).unwrap_or_else(|other| other))
    }

    /// The digest of the state of a game, as records of this version have it.
    pub fn state_of<S: Scripts>(&self, game: &Game<S>) -> String {
        if self.version == 1 { game.digest() } else { state_digest(game.catalog(), &game.table().world) }
    }

    /// Compares the first state of a game with the record.
    ///
    /// # Errors
    /// [`SaveError::OtherState`].
    pub fn check_start<S: Scripts>(&self, game: &Game<S>) -> Result<(), SaveError> {
        same_state(START, "the first state", &self.state_of(game), &self.start)
    }

    /// Compares the state of a game after answer number `at` with the record.
    ///
    /// # Errors
    /// [`SaveError::OtherState`].
    pub fn check_answer<S: Scripts>(&self, at: usize, game: &Game<S>) -> Result<(), SaveError> {
        let saved = self.answers.get(at).map_or("", |answer| &answer.then);
        same_state(&format!("/answers/{at}/then"), "the state after this answer", &short(&self.state_of(game)), saved)
    }

    /// Compares the last state of a game with the record.
    ///
    /// # Errors
    /// [`SaveError::OtherState`].
    pub fn check_end<S: Scripts>(&self, game: &Game<S>) -> Result<(), SaveError> {
        same_state("/digest", "the last state", &self.state_of(game), &self.digest)
    }
}

/// Fails if a state does not have the digest in a save.
fn same_state(pointer: &str, what: &'static str, found: &str, saved: &str) -> Result<(), SaveError> {
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
