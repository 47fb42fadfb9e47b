//! The lobby: the games that can be chosen, what can be chosen in each, and the saved games.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use principes_app::games::{GameBrief, games, offer};
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
use serde::Deserialize;
use serde_json::{Value as Json, json};

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
#[derive(Debug, Deserialize)]
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

fn failed(error: &dyn Display) -> RequestError {
    RequestError(409, error.to_string())
}

impl Lobby {
    /// The games, the saved games, and the sentences of the page.
    pub(crate) fn look(&self) -> Json {
        let words: BTreeMap<_, _> =
            own_words(&self.language).iter().filter(|(key, _)| key.starts_with("page.")).collect();
        let known = games(&self.search);
        json!({ "games": known, "saves": self.saves(&known), "language": self.language, "words": words })
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
    pub(crate) fn game(&self, id: &str, adds: &[String]) -> Result<Json, RequestError> {
        let (packs, language) = self.open(id, adds)?;
        let chosen = offer(&packs, &packs.words(&language));
        let mut about = json!(chosen);
        let strength =
            |strength: &Strength| json!({ "name": strength.name, "player": strength.player(chosen.trained) });
        about["strengths"] = Strength::ALL.iter().map(strength).collect();
        let factions = about["factions"].as_array_mut().into_iter().flatten();
        for (faction, shown) in chosen.factions.iter().zip(factions) {
            shown["color"] = faction_color(&packs.loaded.look, &faction.id, &faction.color).into();
        }
        // A board before the first decision. A game that cannot start has no picture, and says why when it is started.
        let setup = set_up(&packs.catalog, &SetupRequest::all(Player::Human, MEASURED_SEED));
        if let Ok(setup) = setup
            && let Ok(session) = Session::start(packs, setup, &language)
        {
            let look = &session.packs().loaded.look;
            let drawn = board::draw(session.game().catalog(), look, &session.board(None), &session.title());
            let credits = session.words().credits(look);
            about["board"] = alone(&drawn, look, Theme::Auto, credits.as_deref()).into();
        }
        Ok(about)
    }

    /// How many decisions each seat has in a game between bots that look one step ahead. Null if it is not known.
    ///
    /// # Errors
    /// [`RequestError`]: the packs have errors.
    pub(crate) fn length(&self, id: &str) -> Result<Json, RequestError> {
        let (packs, language) = self.open(id, &[])?;
        let setup = set_up(&packs.catalog, &SetupRequest::all(Player::Greedy, MEASURED_SEED));
        let setup = setup.map_err(|error| failed(&error))?;
        let mut session = Session::start(packs, setup, &language).map_err(|error| failed(&error))?;
        while session.steps() < LONGEST && session.bot_step().map_err(|error| failed(&error))? {}
        let seats = session.players().len().max(1);
        let is_over = session.game().outcome().is_some();
        Ok(json!(is_over.then(|| session.steps().div_ceil(seats))))
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
    fn saves(&self, known: &[GameBrief]) -> Vec<Json> {
        let title = |id: &str| known.iter().find(|game| game.pack.id == id).map(|game| game.pack.title.clone());
        let describe = |saved: &SystemTime, path: &Path| {
            let saved = saved.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let name = file.trim_end_matches(".json").to_owned();
            match Save::read(path) {
                Ok(save) => json!({
                    "file": file, "name": name, "title": title(&save.game).unwrap_or_else(|| save.game.clone()),
                    "steps": save.answers.len(), "seats": save.config.seats.len(), "saved": saved,
                }),
                Err(error) => {
                    json!({ "file": file, "name": name, "title": name, "saved": saved, "trouble": error.to_string() })
                }
            }
        };
        self.files().iter().map(|(saved, path)| describe(saved, path)).collect()
    }
}

/// A file that does not exist, named after a game and its seed.
fn fresh_file(folder: &Path, game: &str, seed: u64) -> Result<PathBuf, RequestError> {
    let full = || format!("all names for a new game in `{}` are taken; move some saved games away", folder.display());
    numbered(&folder.join(format!("{game}-{seed}.json")))
        .find(|path| !is_taken(path))
        .ok_or_else(|| RequestError(409, full()))
}
