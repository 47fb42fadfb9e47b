//! Records of games in files: what was played on, how it was set up, and every answer.
//!
//! A file from outside is trusted in nothing: it is replayed answer by answer, and every state must have the digest
//! that the file names.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use principes_content::source::read_file;
use principes_core::scripts::Scripts;
use principes_core::*;
use serde::{Deserialize, Serialize};

use crate::setup::{Player, Setup};

const FORMAT: &str = "principes-game";
const VERSION: u32 = 1;
/// Digits of a digest that stand beside each answer.
const SHORT: usize = 12;

/// A recorded game.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// Digest of the first state in which somebody must choose.
    pub start: String,
    /// Every answer.
    pub answers: Vec<SaveAnswer>,
    /// Digest of the last state.
    pub digest: String,
}

/// A pack by id and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackRef {
    /// Id.
    pub id: String,
    /// Version.
    pub version: String,
}

/// What a game was started with, by names.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// Whether it was a play beside the decisions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// First digits of the digest of the state after it.
    pub then: String,
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
        Save {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: catalog.game.clone(),
            packs,
            fingerprint: catalog.fingerprint.clone(),
            config: SaveConfig {
                seats: players.iter().map(|(seat, player)| (catalog.id_of(Value::Faction(*seat)), *player)).collect(),
                seed: config.seed,
                options: config
                    .options
                    .iter()
                    .map(|(counter, n)| (catalog.id_of(Value::Counter(*counter)), *n))
                    .collect(),
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
                choose: answer.choice.key(catalog),
                aside: answer.aside,
                then: short(&digest),
            });
        }
        self.digest = digest;
    }

    /// Writes the file as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = Vec::new();
        // One answer on a line: small, and a diff shows what was played.
        let head = serde_json::to_value(self)?;
        text.extend_from_slice(b"{\n");
        for key in ["format", "version", "game", "packs", "fingerprint", "config", "start"] {
            text.extend_from_slice(format!("  {}: {},\n", serde_json::to_string(key)?, head[key]).as_bytes());
        }
        text.extend_from_slice(b"  \"answers\": [\n");
        for (at, answer) in self.answers.iter().enumerate() {
            let comma = if at + 1 < self.answers.len() { "," } else { "" };
            text.extend_from_slice(format!("    {}{comma}\n", serde_json::to_string(answer)?).as_bytes());
        }
        text.extend_from_slice(format!("  ],\n  \"digest\": {}\n}}\n", head["digest"]).as_bytes());
        crate::out::write_whole(path, &text).with_context(|| format!("cannot write `{}`", path.display()))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Save> {
        const MOST: u64 = 64 << 20;
        let shown = path.display();
        let bytes = read_file(path, MOST).with_context(|| format!("cannot read `{shown}`"))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            anyhow!("{shown}: not a recorded game: byte {} is no UTF-8 text", error.utf8_error().valid_up_to())
        })?;
        let save: Save = serde_json::from_str(&text).map_err(|error| {
            let place = format!("{shown}:{}:{}", error.line(), error.column());
            match error.classify() {
                serde_json::error::Category::Eof => {
                    anyhow!("{place}: the recorded game is cut off here: the file is incomplete")
                }
                _ => anyhow!("{place}: not a recorded game: {error}"),
            }
        })?;
        if save.format != FORMAT {
            bail!("{shown}: `format` is `{}`; a recorded game has `{FORMAT}`", save.format);
        }
        if save.version != VERSION {
            bail!("{shown}: `version` is {}; this program reads {VERSION}", save.version);
        }
        Ok(save)
    }

    /// The setup that the file names, on these packs.
    pub fn setup(&self, catalog: &Catalog) -> Result<Setup> {
        let mut players = Vec::new();
        for (id, player) in &self.config.seats {
            players.push((crate::setup::playable(catalog, id).context("/config/seats")?, *player));
        }
        players.sort_unstable_by_key(|(seat, _)| *seat);
        let mut options = Vec::new();
        for (id, value) in &self.config.options {
            let counter =
                catalog.counter(id).with_context(|| format!("/config/options: there is no counter `{id}`"))?;
            options.push((counter, *value));
        }
        let config =
            GameConfig { seats: players.iter().map(|(seat, _)| *seat).collect(), seed: self.config.seed, options };
        Ok(Setup { config, players })
    }

    /// Whether the file was made with these packs; an error says which differ.
    pub fn check_packs(&self, catalog: &Catalog, packs: &[PackRef]) -> Result<()> {
        if self.game != catalog.game {
            bail!("it is a game of `{}`, the loaded game is `{}`; name its packs with --pack", self.game, catalog.game);
        }
        if self.packs != packs {
            let list = |packs: &[PackRef]| {
                packs.iter().map(|pack| format!("{} {}", pack.id, pack.version)).collect::<Vec<_>>().join(", ")
            };
            bail!("it was played with {}; loaded are {}", list(&self.packs), list(packs));
        }
        if self.fingerprint != catalog.fingerprint {
            bail!(
                "the packs have changed since: they have the versions of the file, but their digest is {}, the file says {}",
                short(&catalog.fingerprint),
                short(&self.fingerprint)
            );
        }
        Ok(())
    }

    /// Plays an answer of the file on a game.
    pub fn play<S: Scripts>(game: &mut Game<S>, at: usize, answer: &SaveAnswer) -> Result<()> {
        let place = format!("/answers/{at}");
        let catalog = game.catalog().clone();
        if game.outcome().is_some() {
            bail!("{place}: the game is over before this answer");
        }
        let seat = crate::setup::playable(&catalog, &answer.seat).with_context(|| place.clone())?;
        let options: Vec<Choice> = if answer.aside {
            game.asides(seat).map_err(|error| anyhow!("{place}: {}", script_words(&error)))?
        } else {
            game.pending().iter().filter(|ask| ask.seat == seat).flat_map(|ask| ask.options.iter().copied()).collect()
        };
        let Some(choice) = options.iter().find(|choice| choice.key(&catalog) == answer.choose) else {
            let mut keys: Vec<String> =
                options.iter().take(8).map(|choice| format!("`{}`", choice.key(&catalog))).collect();
            if options.len() > 8 {
                keys.push("…".to_owned());
            }
            let offer = if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") };
            bail!("{place}: `{}` is not on offer for {}; on offer: {offer}", answer.choose, answer.seat);
        };
        let done = if answer.aside { game.play_aside(seat, *choice) } else { game.answer(seat, *choice) };
        done.map_err(|error| anyhow!("{place}: {}", answer_words(&error)))
    }

    /// Replays the file. With `verify` every state must have the digest that stands in the file.
    pub fn replay<S: Scripts>(&self, game: &mut Game<S>, verify: bool) -> Result<()> {
        if verify && game.digest() != self.start {
            bail!(
                "/start: the first state has the digest {}, the file says {}",
                short(&game.digest()),
                short(&self.start)
            );
        }
        for (at, answer) in self.answers.iter().enumerate() {
            Save::play(game, at, answer)?;
            if verify && short(&game.digest()) != answer.then {
                bail!(
                    "/answers/{at}/then: the state after this answer has the digest {}, the file says {}",
                    short(&game.digest()),
                    answer.then
                );
            }
        }
        if verify && game.digest() != self.digest {
            bail!(
                "/digest: the last state has the digest {}, the file says {}",
                short(&game.digest()),
                short(&self.digest)
            );
        }
        Ok(())
    }
}

/// A script failure with its place.
pub fn script_words(error: &principes_core::scripts::ScriptError) -> String {
    match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", error.message),
        (Some(file), None) => format!("{file}: {}", error.message),
        _ => error.message.clone(),
    }
}

/// A refused answer, a script failure with its place.
pub fn answer_words(error: &AnswerError) -> String {
    match error {
        AnswerError::Script(error) => script_words(error),
        other => other.to_string(),
    }
}

/// Why a game could not be started, a script failure with its place.
pub fn start_words(error: &StartError) -> String {
    match error {
        StartError::Script(error) => script_words(error),
        other => other.to_string(),
    }
}
