//! The lobby: the games that can be chosen, what can be chosen in each, and the saved games.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use principes_app::games::{GameBrief, OfferedSetup, games, offer};
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::players::Strength;
use principes_app::save::Save;
use principes_app::session::{Session, WhenChanged};
use principes_app::setup::{Player, Seating, SetupRequest, fresh_seed, set_up};
use principes_app::storage::{is_taken, numbered};
use principes_app::words::own_words;
use principes_draw::look::faction_color;
use principes_draw::theme::Theme;
use principes_draw::{alone, board};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::RequestError;
use crate::request::Request;

/// The most saved games that are listed.
const MOST_SAVES: usize = 24;
/// A game with more decisions is not played to its end to measure it.
const LONGEST: usize = 4_000;
/// Measured games have this seed.
const MEASURED_SEED: u64 = 1;

/// Where games come from, and where they are kept.
#[derive(Clone, Debug)]
pub struct Lobby {
    /// The folders in which packs are looked for.
    pub search: Vec<PathBuf>,
    /// The folder of saved games.
    pub saves: PathBuf,
    /// The folder of the history of edits.
    pub journal: PathBuf,
    /// The language of a game unless another is chosen.
    pub language: String,
}

/// What was chosen in the lobby.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The id of the game.
    game: String,
    /// The ids of packs added to it.
    adds: Vec<String>,
    variant: Option<String>,
    options: BTreeMap<String, i32>,
    language: Option<String>,
    seed: Option<u64>,
    /// Who plays each seat, by the id of its faction.
    seats: Vec<(String, Player)>,
}

/// The games, the saved games, and the sentences of the page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Hall {
    /// The games that can be chosen.
    pub games: Vec<GameBrief>,
    /// The saved games, the newest first.
    pub saves: Vec<SavedBrief>,
    /// The code of the language of the lobby.
    pub language: String,
    /// The sentences, by their keys.
    pub words: BTreeMap<String, String>,
}

/// A saved game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SavedBrief {
    /// The name of its file.
    pub file: String,
    /// The same without its ending.
    pub name: String,
    /// The title of the game.
    pub title: String,
    /// When it was saved, in seconds since 1970.
    pub saved: u64,
    /// What is in it.
    #[serde(flatten)]
    pub state: SavedState,
}

/// What is in the file of a saved game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SavedState {
    /// A game that can be continued.
    Game {
        /// The number of answers.
        steps: usize,
        /// The number of seats.
        seats: usize,
    },
    /// Something else.
    Broken {
        /// Why it cannot be read.
        trouble: String,
    },
}

/// What can be chosen in a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GameOffer {
    /// What its packs offer. The colors of factions are those of drawings.
    #[serde(flatten)]
    pub setup: OfferedSetup,
    /// The strengths of bots, from the weakest.
    pub strengths: Vec<OfferedStrength>,
    /// A picture of the board at the beginning; null if the game cannot start.
    pub board: Option<String>,
}

/// A strength of a bot.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OfferedStrength {
    /// Its name; `page.who-NAME` is its words.
    pub name: String,
    /// The bot.
    pub player: Player,
}

fn failed(error: &dyn Display) -> RequestError {
    RequestError(409, error.to_string())
}

impl Lobby {
    /// The games, the saved games, and the sentences of the page.
    pub(crate) fn look(&self) -> Hall {
        let words = own_words(&self.language).iter().filter(|(key, _)| key.starts_with("page."));
        let games = games(&self.search);
        Hall {
            saves: self.saves(&games),
            games,
            language: self.language.clone(),
            words: words.map(|(key, text)| (key.clone(), text.clone())).collect(),
        }
    }

    /// The request of a studio without a game.
    pub(crate) fn idle(&self) -> Request {
        Request {
            packs: PackRequest { search: self.search.clone(), ..PackRequest::default() },
            setup: SetupRequest::all(Player::Human, MEASURED_SEED),
            language: self.language.clone(),
            save: self.saves.clone(),
            when_changed: WhenChanged::Stop,
            journal: self.journal.clone(),
        }
    }

    fn packs(&self, game: &str, adds: &[String]) -> PackRequest {
        PackRequest {
            game: Some(game.to_owned()),
            adds: adds.to_vec(),
            search: self.search.clone(),
            ..PackRequest::default()
        }
    }

    fn open(&self, game: &str, adds: &[String]) -> Result<(OpenPacks, String), RequestError> {
        let packs = OpenPacks::open(&self.packs(game, adds)).map_err(|error| failed(&error))?;
        let all = packs.loaded.packs.iter().flat_map(|pack| &pack.manifest.languages).cloned();
        let language = self.language_among(all.collect());
        Ok((packs, language))
    }

    /// What can be chosen in a game, with a picture of its board.
    ///
    /// # Errors
    /// [`RequestError`]: the packs have errors.
    pub(crate) fn game(&self, id: &str, adds: &[String]) -> Result<GameOffer, RequestError> {
        let (packs, language) = self.open(id, adds)?;
        let mut setup = offer(&packs, &packs.words(&language));
        for faction in &mut setup.factions {
            faction.color = faction_color(&packs.loaded.look, &faction.id, &faction.color);
        }
        let strength = |strength: &Strength| OfferedStrength {
            name: strength.name.to_owned(),
            player: strength.player(setup.trained),
        };
        let strengths = Strength::ALL.iter().map(strength).collect();
        Ok(GameOffer { setup, strengths, board: first_board(packs, &language) })
    }

    /// How many decisions each seat has in a game between bots that look one step ahead. Null if it is not known.
    ///
    /// # Errors
    /// [`RequestError`]: the packs have errors.
    pub(crate) fn length(&self, id: &str) -> Result<Option<usize>, RequestError> {
        let (packs, language) = self.open(id, &[])?;
        let setup = set_up(&packs.catalog, &SetupRequest::all(Player::Greedy, MEASURED_SEED));
        let setup = setup.map_err(|error| failed(&error))?;
        let mut session = Session::start(packs, setup, &language).map_err(|error| failed(&error))?;
        while session.steps() < LONGEST && session.bot_step().map_err(|error| failed(&error))? {}
        let seats = session.players().len().max(1);
        let is_over = session.game().outcome().is_some();
        Ok(is_over.then(|| session.steps().div_ceil(seats)))
    }

    /// The request that opens what was chosen, in a new file.
    ///
    /// # Errors
    /// [`RequestError`]: there is no such game, or no name is left for its file.
    pub(crate) fn chosen(&self, choice: NewGame) -> Result<Request, RequestError> {
        let NewGame { game, adds, variant, options, language, seed, seats } = choice;
        // Its id names a file, so it must be that of a game and not what somebody has sent.
        if !games(&self.search).iter().any(|known| known.pack.id == game) {
            return Err(RequestError(404, format!("unknown game `{game}`")));
        }
        let packs = self.packs(&game, &adds);
        let seed = seed.unwrap_or_else(fresh_seed);
        let players = Some(seats.len());
        let seating = Seating::Named(seats);
        let setup = SetupRequest { variant, options, players, seating, ..SetupRequest::all(Player::Greedy, seed) };
        let language = language.unwrap_or_else(|| self.language_of(&game, &adds));
        let save = fresh_file(&self.saves, &game, seed)?;
        let (when_changed, journal) = (WhenChanged::Stop, self.journal.clone());
        Ok(Request { packs, setup, language, save, when_changed, journal })
    }

    /// The request that continues a saved game, by the name of its file. `when_changed` says what happens if the game
    /// differs with the present packs.
    ///
    /// # Errors
    /// [`RequestError`]: there is no such game, or it cannot be read.
    pub(crate) fn resumed(&self, name: &str, when_changed: WhenChanged) -> Result<Request, RequestError> {
        // Only a name inside the folder, whether or not it is among those listed.
        let path = self.saves.join(name);
        let is_inside = Path::new(name).file_name().is_some_and(|file| file == name) && name.ends_with(".json");
        if !is_inside || !path.is_file() {
            return Err(RequestError(404, format!("there is no saved game `{name}`")));
        }
        let save = Save::read(&path).map_err(|error| failed(&error))?;
        let adds: Vec<String> = save.packs.iter().map(|pack| pack.id.clone()).filter(|id| *id != save.game).collect();
        let setup = SetupRequest {
            seating: Seating::Named(save.config.seats.into_iter().collect()),
            options: save.config.options,
            ..SetupRequest::all(Player::Greedy, save.config.seed)
        };
        let language = self.language_of(&save.game, &adds);
        let packs = self.packs(&save.game, &adds);
        Ok(Request { packs, setup, language, save: path, when_changed, journal: self.journal.clone() })
    }

    /// The language of the lobby, or else the first one of a game and what is added to it.
    fn language_of(&self, game: &str, adds: &[String]) -> String {
        let known = games(&self.search).into_iter().find(|known| known.pack.id == game);
        let languages = known.into_iter().flat_map(|known| {
            let added = known.adds.into_iter().filter(|pack| adds.contains(&pack.id));
            known.pack.languages.into_iter().chain(added.flat_map(|pack| pack.languages))
        });
        self.language_among(languages.collect())
    }

    /// The language of the lobby, or else the first of these.
    fn language_among(&self, languages: Vec<String>) -> String {
        let own = languages.iter().find(|code| **code == self.language).or(languages.first());
        own.unwrap_or(&self.language).clone()
    }

    /// The files of saved games, the newest first.
    fn files(&self) -> Vec<(SystemTime, PathBuf)> {
        let entries = std::fs::read_dir(&self.saves).into_iter().flatten().flatten();
        let file = |path: PathBuf| Some((path.metadata().ok()?.modified().ok()?, path));
        let is_save = |path: &PathBuf| path.extension().is_some_and(|end| end == "json") && path.is_file();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(is_save).filter_map(file).collect();
        files.sort_by(|one, other| other.cmp(one));
        files.truncate(MOST_SAVES);
        files
    }

    /// The saved games, each with what is wrong with it. A game of other packs blocks nothing.
    fn saves(&self, known: &[GameBrief]) -> Vec<SavedBrief> {
        let title = |id: &str| known.iter().find(|game| game.pack.id == id).map(|game| game.pack.title.clone());
        let describe = |saved: &SystemTime, path: &Path| {
            let saved = saved.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let name = file.trim_end_matches(".json").to_owned();
            let (title, state) = match Save::read(path) {
                Ok(save) => (
                    title(&save.game).unwrap_or_else(|| save.game.clone()),
                    SavedState::Game { steps: save.answers.len(), seats: save.config.seats.len() },
                ),
                Err(error) => (name.clone(), SavedState::Broken { trouble: error.to_string() }),
            };
            SavedBrief { file, name, title, saved, state }
        };
        self.files().iter().map(|(saved, path)| describe(saved, path)).collect()
    }
}

/// A board before the first decision. A game that cannot start has no picture, and says why when it is started.
fn first_board(packs: OpenPacks, language: &str) -> Option<String> {
    let setup = set_up(&packs.catalog, &SetupRequest::all(Player::Human, MEASURED_SEED)).ok()?;
    let session = Session::start(packs, setup, language).ok()?;
    let look = &session.packs().loaded.look;
    let drawn = board::draw(session.game().catalog(), look, &session.board(None), &session.title());
    let credits = session.words().credits(look);
    Some(alone(&drawn, look, Theme::Auto, credits.as_deref()))
}

/// A file that does not exist, named after a game and its seed.
fn fresh_file(folder: &Path, game: &str, seed: u64) -> Result<PathBuf, RequestError> {
    let full = || format!("all names for a new game in `{}` are taken; move some saved games away", folder.display());
    numbered(&folder.join(format!("{game}-{seed}.json")))
        .find(|path| !is_taken(path))
        .ok_or_else(|| RequestError(409, full()))
}
