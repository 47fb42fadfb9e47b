//! A game in progress, with its players, record, log and file. One session serves several viewers.

mod battle;
mod curves;
mod groups;
mod log;
mod outlook;
mod preview;
mod resume;
mod rules;
mod save_file;
mod scene;
mod story;
mod trail;
mod undo;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use principes_core::bots::Workers;
use principes_core::bots::{self, Players};
use principes_core::scripts::ScriptError;
use principes_core::*;
use principes_scripting::LuaHost;

pub use self::battle::{BattleInWords, BattleNumber, Strike};
pub use self::curves::Curve;
pub use self::groups::{Group, Marched, groups};
pub use self::log::{Die, EventLine};
use self::log::{EventLog, merged};
pub use self::outlook::{Fought, Outlook};
pub use self::resume::{Resumed, SinceSaved, WhenChanged};
pub use self::rules::{PhaseInWords, Round, RuleInWords, Rulebook, Why, rounds, rules};
use self::save_file::SaveFile;
pub use self::save_file::{Existing, SaveFileFailure};
pub use self::scene::{GameInWords, OpenDecision, OptionInWords, PlannedMove, Source, Spot};
pub use self::story::{CounterChange, told};
pub use self::trail::Step;
pub use self::undo::{Undo, Undoable};
use crate::board::SeenBoard;
use crate::failure::{answer_failure, script_failure, start_failure};
use crate::packs::{OpenPacks, PackError};
use crate::save::{Save, SaveError, give};
use crate::searchers::SearchThreads;
use crate::setup::{Player, Setup, derive_seed};
use crate::storage::{Disk, Storage};
use crate::words::Words;

/// Why a session failed. Its state is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The packs cannot be played.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// The game cannot be started.
    #[error("{}", start_failure(.0))]
    Start(StartError),
    /// The record does not fit the packs.
    #[error(transparent)]
    Record(#[from] SaveError),
    /// The seat has no such option.
    #[error("`{0}` is not an option now")]
    NotOffered(String),
    /// The answer was rejected.
    #[error("{}", answer_failure(.0))]
    Refused(AnswerError),
    /// A script that lists asides failed.
    #[error("{}", script_failure(.0))]
    Script(ScriptError),
    /// The answer could not be saved, so it was not taken.
    #[error("the answer was not accepted because it could not be saved: {0}")]
    NotSaved(SaveFileFailure),
    /// The game cannot be saved to a file.
    #[error(transparent)]
    SaveFile(#[from] SaveFileFailure),
    /// The game has fewer answers.
    #[error("there is no answer {step}; the game has {answers} answers")]
    NoSuchStep {
        /// The requested number of answers.
        step: usize,
        /// The number of answers.
        answers: usize,
    },
}

impl SessionError {
    /// If a recorded game goes on differently with the present packs, so that [`WhenChanged`] can help: the number of
    /// answers after which every state is the recorded one, and the number of all.
    pub fn departs(&self) -> Option<(usize, usize)> {
        match self {
            SessionError::Record(SaveError::Departs { alike, of, .. }) => Some((*alike, *of)),
            _ => None,
        }
    }
}

impl From<StartError> for SessionError {
    fn from(error: StartError) -> Self {
        SessionError::Start(error)
    }
}

impl From<AnswerError> for SessionError {
    fn from(error: AnswerError) -> Self {
        SessionError::Refused(error)
    }
}

impl From<ScriptError> for SessionError {
    fn from(error: ScriptError) -> Self {
        SessionError::Script(error)
    }
}

/// A game with its players, record, log and file.
pub struct Session {
    packs: OpenPacks,
    setup: Setup,
    host: LuaHost,
    game: Game<LuaHost>,
    bots: Players<LuaHost>,
    /// The threads that search for the bots.
    searchers: Option<Rc<dyn Workers>>,
    record: Save,
    file: Option<SaveFile>,
    storage: Rc<dyn Storage>,
    language: String,
    words: Words,
    log: EventLog,
    /// The number of events that each viewer has seen.
    read: BTreeMap<Option<SeatId>, usize>,
    /// The number of events before a game was resumed, which are not news.
    old: usize,
}

impl Session {
    /// Starts a game and runs it to its first decision.
    ///
    /// # Errors
    /// [`SessionError`]: the setup does not fit the packs, or a script fails.
    pub fn start(packs: OpenPacks, setup: Setup, language: &str) -> Result<Self, SessionError> {
        let host = packs.host()?;
        let mut game = packs.start(&host, setup.config.clone())?;
        let record = Save::begin(&game, &packs, &setup.players);
        let searching = setup.players.iter().any(|(_, player)| player.kind().searches);
        let searchers = if searching { SearchThreads::start(&packs.loaded) } else { None };
        let bots = make_bots(&packs.catalog, &setup, searchers.as_ref());
        let words = packs.words(language);
        let mut log = EventLog::default();
        note_events(&mut log, &mut game);
        Ok(Session {
            packs,
            setup,
            host,
            game,
            bots,
            searchers,
            record,
            file: None,
            storage: Rc::new(Disk),
            language: language.to_owned(),
            words,
            log,
            read: BTreeMap::new(),
            old: 0,
        })
    }

    /// Saves with another storage; tests use it to make operations fail.
    pub fn with_storage(mut self, storage: Rc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    // What viewers see -------------------------------------------------------------------------------------------------

    /// The current moment of the game.
    pub fn now(&self) -> GameInWords<'_> {
        GameInWords { game: &self.game, words: &self.words }
    }
    /// The table as a seat sees it; with `None`, as a spectator sees it.
    pub fn view_for(&self, viewer: Option<SeatId>) -> View {
        self.now().view_for(viewer)
    }
    /// The open decisions of a seat, in words. No other seat may see them.
    pub fn decisions(&self, seat: SeatId) -> Vec<OpenDecision> {
        self.now().decisions(seat)
    }
    /// A decision in words, for its seat.
    pub fn open_decision(&self, decision: &Decision) -> OpenDecision {
        self.now().decision(decision, &self.view_for(Some(decision.seat)))
    }
    /// The board as a viewer sees it.
    pub fn board(&self, viewer: Option<SeatId>) -> SeenBoard {
        self.now().board(viewer)
    }
    /// The events from number `from` on, counted among those that the viewer can read.
    pub fn events_since(&self, from: usize, viewer: Option<SeatId>) -> Vec<EventLine> {
        let mut lines = self.log.lines(&self.words, 0, &self.view_for(viewer));
        lines.drain(..from.min(lines.len()));
        lines
    }
    /// The game. Do not show it to viewers: it contains every secret.
    pub fn game(&self) -> &Game<LuaHost> {
        &self.game
    }
    /// The packs of the game.
    pub fn packs(&self) -> &OpenPacks {
        &self.packs
    }
    /// The record so far.
    pub fn record(&self) -> &Save {
        &self.record
    }
    /// The number of answers so far.
    pub fn steps(&self) -> usize {
        self.game.record().len()
    }
    /// The names and sentences.
    pub fn words(&self) -> &Words {
        &self.words
    }
    /// The title of the packs.
    pub fn title(&self) -> String {
        self.words.message("pack.title", &[], None).unwrap_or_else(|| self.game.catalog().game.clone())
    }
    /// The players, in seat order.
    pub fn players(&self) -> &[(SeatId, Player)] {
        &self.setup.players
    }
    /// The seats that people play.
    pub fn humans(&self) -> Vec<SeatId> {
        self.setup.players.iter().filter(|(_, player)| *player == Player::Human).map(|(seat, _)| *seat).collect()
    }
    /// The file to which every answer is saved.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_ref().map(SaveFile::path)
    }
    /// The folders from which the game was loaded.
    pub fn folders(&self) -> &[PathBuf] {
        &self.packs.folders
    }
    /// The first open decision that a person must make.
    pub fn next_decision(&self) -> Option<Decision> {
        let humans = self.humans();
        self.game.pending().into_iter().find(|decision| humans.contains(&decision.seat)).cloned()
    }
    /// The number of turns of a seat plus the number of loops of the whole game that have begun. Displays draw the
    /// board again when it grows.
    pub fn turns_of(&self, seat: SeatId) -> usize {
        self.log.turns_of(self.game.catalog(), seat)
    }

    /// The log lines since the viewer's last call, as that viewer may read them. Lines of a resumed game are left out.
    pub fn news(&mut self, viewer: Option<SeatId>) -> Vec<String> {
        let read = self.read.insert(viewer, self.log.len()).unwrap_or(0);
        merged(self.log.lines(&self.words, read.max(self.old), &self.view_for(viewer)))
    }

    /// The whole log, as a viewer may read it.
    pub fn log(&self, viewer: Option<SeatId>) -> Vec<String> {
        merged(self.events_since(0, viewer))
    }

    /// The game as it was after a number of answers.
    ///
    /// # Errors
    /// [`SessionError::NoSuchStep`], or an error of the replay.
    pub fn at(&self, step: usize) -> Result<Moment, SessionError> {
        if step > self.steps() {
            return Err(SessionError::NoSuchStep { step, answers: self.steps() });
        }
        Ok(Moment { game: self.replayed(step)?, words: self.words.clone() })
    }

    // What people do ---------------------------------------------------------------------------------------------------

    /// Saves the game to a file, now and after every answer from now on. Locks the file against other processes.
    ///
    /// # Errors
    /// [`SessionError::SaveFile`]; the file is unchanged, and the session keeps its previous file.
    pub fn save_to(&mut self, path: &Path, existing: Existing) -> Result<(), SessionError> {
        match &self.file {
            // The session already holds the lock.
            Some(file) if file.path() == path => file.write(&self.record, &self.record)?,
            _ => self.file = Some(SaveFile::begin(path, existing, self.storage.clone(), &self.record)?),
        }
        Ok(())
    }

    /// Answers a decision of a seat by the key of an option. The answer is saved before it counts.
    ///
    /// # Errors
    /// [`SessionError`]; the answer is neither saved nor given.
    pub fn answer(&mut self, seat: SeatId, key: &str) -> Result<(), SessionError> {
        let catalog = self.game.catalog();
        let options = self
            .game
            .pending()
            .into_iter()
            .filter(|decision| decision.seat == seat)
            .flat_map(|decision| &decision.options);
        let wanted = options.copied().find(|option| option.key(catalog) == key);
        let option = wanted.ok_or_else(|| SessionError::NotOffered(key.to_owned()))?;
        self.take(|game, _| game.answer(seat, option).map(|()| true)).map(|_| ())
    }

    /// The asides that a seat may play.
    ///
    /// # Errors
    /// [`SessionError::Script`].
    pub fn asides(&mut self, seat: SeatId) -> Result<Vec<OptionInWords>, SessionError> {
        let options = self.game.asides(seat)?;
        Ok(self.now().options(&options, &self.view_for(Some(seat))))
    }

    /// Plays an aside by the key of its option. The aside is saved before it counts.
    ///
    /// # Errors
    /// [`SessionError`]; the aside is neither saved nor played.
    pub fn play_aside(&mut self, seat: SeatId, key: &str) -> Result<(), SessionError> {
        let options = self.game.asides(seat)?;
        let wanted = options.into_iter().find(|option| option.key(self.game.catalog()) == key);
        let option = wanted.ok_or_else(|| SessionError::NotOffered(key.to_owned()))?;
        self.take(|game, _| game.play_aside(seat, option).map(|()| true)).map(|_| ())
    }

    /// Lets bots play until a person must decide or the game is over.
    ///
    /// # Errors
    /// [`SessionError`]; earlier steps of the bots stay.
    pub fn run_bots(&mut self) -> Result<(), SessionError> {
        while self.bot_step()? {}
        Ok(())
    }

    /// Lets the bots make one step. Returns false if they have nothing to do. The step depends on the record alone: not
    /// on when or how often bots were asked before, nor on whether the game was resumed or answers were taken back.
    ///
    /// # Errors
    /// [`SessionError`]; the step is neither saved nor made.
    pub fn bot_step(&mut self) -> Result<bool, SessionError> {
        let seed = derive_seed(self.setup.config.seed, self.record.answers.len() as u64);
        self.bots.iter_mut().for_each(|(seat, bot)| bot.reseed(derive_seed(seed, 1 + u64::from(seat.0))));
        // When a person must decide, bots do not play asides first.
        self.take(bots::step)
    }

    /// Replays the game on other packs, and returns the number of answers.
    ///
    /// # Errors
    /// [`SessionError`]: the game does not fit the other packs.
    pub fn reload(&mut self, packs: OpenPacks) -> Result<usize, SessionError> {
        let setup = self.record.setup(&packs.catalog)?;
        let host = packs.host()?;
        let mut game = packs.start(&host, setup.config.clone())?;
        let mut record = Save::begin(&game, &packs, &setup.players);
        record.seams = self.record.seams.clone();
        let mut log = EventLog::default();
        note_events(&mut log, &mut game);
        for (at, answer) in self.record.answers.iter().enumerate() {
            give(&mut game, at, answer)?;
            record.follow(&game);
            note_events(&mut log, &mut game);
        }
        self.write(&record)?;
        self.words = packs.words(&self.language);
        self.bots = make_bots(&packs.catalog, &setup, self.searchers.as_ref());
        self.packs = packs;
        self.setup = setup;
        self.host = host;
        self.game = game;
        self.record = record;
        self.read.clear();
        self.old = log.len();
        self.log = log;
        Ok(self.record.answers.len())
    }

    // How it is done ---------------------------------------------------------------------------------------------------

    /// Continues the game by one answer and saves it. If either fails, both are as before.
    fn take(
        &mut self,
        step: impl FnOnce(&mut Game<LuaHost>, &mut Players<LuaHost>) -> Result<bool, AnswerError>,
    ) -> Result<bool, SessionError> {
        let before = self.file.is_some().then(|| self.game.clone());
        if !step(&mut self.game, &mut self.bots)? {
            return Ok(false);
        }
        let answers = self.record.answers.len();
        let digest = self.record.digest.clone();
        self.record.follow(&self.game);
        if let (Some(file), Some(before)) = (&self.file, before) {
            let mut old = self.record.clone();
            old.shorten(answers);
            old.digest = digest;
            if let Err(error) = file.write(&self.record, &old) {
                self.game = before;
                self.record = old;
                return Err(SessionError::NotSaved(error));
            }
        }
        self.note_events();
        Ok(true)
    }

    fn note_answers(&mut self) {
        self.record.follow(&self.game);
        self.note_events();
    }

    fn note_events(&mut self) {
        note_events(&mut self.log, &mut self.game);
    }

    /// Writes a record to the file, if there is one.
    fn write(&self, save: &Save) -> Result<(), SessionError> {
        match &self.file {
            Some(file) => Ok(file.write(save, &self.record)?),
            None => Ok(()),
        }
    }

    /// The game after some of its answers.
    fn replayed(&self, step: usize) -> Result<Game<LuaHost>, SessionError> {
        let mut game = self.packs.start(&self.host, self.setup.config.clone())?;
        game.record_events(false);
        for (at, answer) in self.record.answers[..step].iter().enumerate() {
            give(&mut game, at, answer)?;
        }
        game.clear_events();
        game.record_events(true);
        Ok(game)
    }
}

/// Adds the events since the last answer to a log.
fn note_events(log: &mut EventLog, game: &mut Game<LuaHost>) {
    let step = game.record().len();
    log.add(step, game.take_events());
    if game.table().world.flow().iter().any(|frame| matches!(frame, Frame::Simultaneous(_))) {
        log.note_secret(step);
    }
}

/// An earlier moment of a game. Viewing it changes nothing.
pub struct Moment {
    game: Game<LuaHost>,
    words: Words,
}

impl Moment {
    /// The moment, for viewers.
    pub fn scene(&self) -> GameInWords<'_> {
        GameInWords { game: &self.game, words: &self.words }
    }
}

/// The bots, which get a seed before each step.
fn make_bots(catalog: &Catalog, setup: &Setup, searchers: Option<&Rc<dyn Workers>>) -> Players<LuaHost> {
    let bot = |(seat, player): &(SeatId, Player)| Some((*seat, player.bot(catalog, 0, searchers)?));
    setup.players.iter().filter_map(bot).collect()
}
