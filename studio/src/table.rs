//! The game behind the pages. One thread owns the session, carries out the commands of pages, lets bots play, and
//! notices changes of the packs' files.
//!
//! Answers are saved before any page sees them. To preview an option, the studio tries it in a copy of the game as its
//! seat may imagine it (`app/src/session/outlook.rs`).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use principes_app::packs::{OpenPacks, PackError, PackRequest};
use principes_app::save::{Save, keep_copy};
use principes_app::session::{Curve, Existing, Resumed, Session, SessionError, SinceSaved, Undo, WhenChanged, Why};
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_app::watch::Watch;
use principes_app::workers;
use principes_author::desk::{self, EditedPacks, Wish};
use principes_author::edit::EditError;
use principes_author::scenario_from_save::{ScenarioRequest, make};
use principes_author::trial::{Found, Way};
use principes_author::workbench::{self, Options};
use principes_core::{Decision, DecisionOption, SeatId, SpaceId, Value};
use principes_draw::theme;
use principes_findings::Finding;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::{oneshot, watch};

use crate::command::{AnswerRequest, NewScenario, Play, Reply, RequestError, ViewRequest, edit_error};
use crate::messages::{CardPicture, MomentPicture, TablePicture, TableVersion, Trouble};
use crate::odds::{Chances, Odds};
use crate::picture;
use crate::queue::Queue;
use crate::request::{Request, StudioError};

/// How often files are checked for changes while there are no commands.
const EVERY: Duration = Duration::from_millis(60);

/// How many games this program has opened.
static OPENED: AtomicU64 = AtomicU64::new(0);

/// A seat that a person plays.
#[derive(Clone, Debug)]
pub struct HumanSeat {
    /// The id of its faction.
    pub id: String,
    /// The name of its faction.
    pub name: String,
}

/// A command of a page. Seats are ids of factions.
pub enum Command {
    /// Anything that is done at once. It replies by itself.
    Act(Box<dyn FnOnce(&mut Table) + Send>),
    /// What a seat does once the bots have made their steps.
    Play(Play, Reply<TableVersion>),
    /// The chances of a seat in the battle that follows an option, by its key. They take many steps.
    Odds(String, String, Reply<Option<Chances>>),
}

/// A scenario that was made from a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MadeScenario {
    /// Where it was written.
    pub file: String,
    /// The folder of its pack.
    pub root: String,
}

/// A game that a trial has opened.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenedTrial {
    /// Whether the card acts without being chosen.
    pub by_itself: bool,
    /// The option after which it acts.
    pub after: Option<String>,
    /// Whether the game has the seats and options of the interrupted one.
    pub has_wanted_setup: bool,
}

/// The channel to the game.
#[derive(Clone)]
pub struct TableClient {
    /// Commands for the game.
    pub commands: Sender<Command>,
    /// Grows with every change.
    pub version: watch::Receiver<u64>,
}

impl TableClient {
    /// Does something with the game at once.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn act<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Table) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        // The page may be gone.
        self.ask(|reply| Command::Act(Box::new(move |table| drop(reply.send(act(table)))))).await
    }

    /// Sends a command and waits for the response.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, RequestError> {
        let (reply, answer) = oneshot::channel();
        let gone = || RequestError(503, "the game has stopped; restart the studio".to_owned());
        self.commands.send(command(reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Opens the packs and the game on a separate thread.
///
/// # Errors
/// [`StudioError`].
pub fn open(request: Request) -> Result<(TableClient, Vec<HumanSeat>), StudioError> {
    let (commands, incoming) = mpsc::channel();
    let (changed, version) = watch::channel(1);
    let (ready, opened) = mpsc::channel();
    let run = move || match Table::open(request, changed) {
        Ok(mut table) => {
            let seats = table.human_seats();
            if ready.send(Ok(seats)).is_ok() {
                table.run(&incoming);
            }
        }
        // If the program has ended, nobody receives the error.
        Err(error) => drop(ready.send(Err(error))),
    };
    workers::thread().spawn(run).map_err(|error| StudioError::System(error.to_string()))?;
    let seats =
        opened.recv().map_err(|_| StudioError::System("the game stopped while it was being opened".to_owned()))??;
    Ok((TableClient { commands, version }, seats))
}

/// A game and the additional data for pages.
pub struct Table {
    /// The game.
    pub session: Session,
    /// The errors in changed files, until they are fixed.
    pub trouble: Vec<Trouble>,
    /// The same errors as findings, as far as they are findings.
    findings: Vec<Finding>,
    /// How often files were loaded again, so that a page cannot mean a finding that is gone.
    loads: u64,
    /// The file of the game that a trial has interrupted.
    pub interrupted: Option<PathBuf>,
    /// Grows when the log no longer continues the lines that pages have.
    pub epoch: u64,
    /// The number of answers that pages may know. While several seats choose in secret, it does not grow.
    pub visible_steps: usize,
    /// Grows with every change.
    pub version: u64,
    packs: PackRequest,
    /// A cache of the packs' files, which makes reloading fast.
    known: Options,
    setup: SetupRequest,
    language: String,
    save: PathBuf,
    watch: Watch,
    changed: watch::Sender<u64>,
    /// Whether bots may have something to do.
    bots: bool,
    /// What people want to do once the bots have made their steps.
    queue: Queue,
    /// Battles that remain to be imagined.
    odds: Vec<Odds>,
    /// Responses since the last change.
    shown: Vec<(ViewRequest, TablePicture)>,
}

impl Table {
    fn open(request: Request, changed: watch::Sender<u64>) -> Result<Self, StudioError> {
        let Request { packs, setup, language, save, when_changed, .. } = request;
        let session = session(&packs, &setup, &language, &save, when_changed)?;
        let watch = Watch::begin(session.folders());
        let mut table = Table {
            session,
            trouble: Vec::new(),
            findings: Vec::new(),
            loads: 0,
            interrupted: None,
            // A page that has seen another game must not take its lines for those of this one.
            epoch: 1 + (OPENED.fetch_add(1, Ordering::Relaxed) << 32),
            visible_steps: 0,
            version: 1,
            packs,
            known: Options { scenarios: false, ..Options::default() },
            setup,
            language,
            save,
            watch,
            changed,
            bots: true,
            queue: Queue::default(),
            odds: Vec::new(),
            shown: Vec::new(),
        };
        table.note_change();
        Ok(table)
    }

    fn human_seats(&self) -> Vec<HumanSeat> {
        let catalog = self.session.game().catalog();
        let seat = |seat: SeatId| {
            let id = catalog.factions[seat.index()].id.clone();
            HumanSeat { name: self.session.words().named("faction", &id), id }
        };
        self.session.humans().into_iter().map(seat).collect()
    }

    fn run(&mut self, incoming: &Receiver<Command>) {
        loop {
            // Bots play between commands, so that a page that only looks waits for at most one step of a bot.
            let is_busy = self.bots || !self.queue.is_empty() || !self.odds.is_empty();
            match incoming.recv_timeout(if is_busy { Duration::ZERO } else { EVERY }) {
                Ok(command) => self.receive(command),
                Err(RecvTimeoutError::Timeout) => self.work(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Carries out a command. What changes the game waits for the bots.
    fn receive(&mut self, command: Command) {
        let waits = self.bots || !self.queue.is_empty();
        match command {
            Command::Act(act) => act(self),
            Command::Odds(seat, key, reply) => self.count_odds(&seat, key, reply),
            Command::Play(Play::Answer(given), reply) if waits => match self.human(&given.seat) {
                Ok(seat) => self.queue.answer(&self.session, seat, given, reply),
                Err(error) => drop(reply.send(Err(error))),
            },
            Command::Play(Play::Undo(id), reply) if waits => match self.human(&id) {
                Ok(seat) => self.queue.undo(seat, id, reply),
                Err(error) => drop(reply.send(Err(error))),
            },
            // The page may be gone.
            Command::Play(play, reply) => drop(reply.send(self.play(&play))),
        }
    }

    /// Does the first thing that there is to do between commands.
    fn work(&mut self) {
        if self.bots {
            self.let_bots_play();
        } else if let Some((play, reply)) = self.queue.next(&self.session) {
            drop(reply.send(self.play(&play)));
        } else if !self.odds.is_empty() {
            self.imagine_battle();
        } else {
            self.check_files();
        }
    }

    /// A seat waits for one battle at a time. Pointing at another option cancels the previous request.
    fn count_odds(&mut self, seat: &str, key: String, reply: Reply<Option<Chances>>) {
        match self.human(seat) {
            Ok(seat) => {
                let (old, others) = std::mem::take(&mut self.odds).into_iter().partition(|odds| odds.seat == seat);
                self.odds = others;
                Vec::into_iter(old).for_each(Odds::cancel);
                self.odds.push(Odds::new(seat, key, self.version, reply));
            }
            Err(error) => drop(reply.send(Err(error))),
        }
    }

    fn imagine_battle(&mut self) {
        let odds = self.odds.remove(0);
        if odds.version != self.version {
            odds.cancel();
        } else if let Some(odds) = odds.imagine_next(&self.session) {
            self.odds.push(odds);
        }
    }

    fn let_bots_play(&mut self) {
        match self.session.bot_step() {
            Ok(true) => self.note_change(),
            Ok(false) => self.bots = false,
            Err(error) => {
                self.bots = false;
                self.trouble = vec![Trouble::Message { message: error.to_string() }];
                self.note_change();
            }
        }
    }

    fn check_files(&mut self) {
        if !self.watch.changed() {
            return;
        }
        let error = match workbench::open(&self.packs, &self.known) {
            Ok(packs) => self.session.reload(packs).err(),
            Err(error) => Some(error.into()),
        };
        self.findings.clear();
        self.loads += 1;
        self.trouble = match error {
            None => Vec::new(),
            Some(SessionError::Packs(PackError::Broken(findings))) => {
                self.findings = findings;
                let trouble = |finding| Trouble::Finding(picture::finding(finding, self.loads));
                self.findings.iter().map(trouble).collect()
            }
            Some(error) => vec![Trouble::Message { message: error.to_string() }],
        };
        self.watch.turn_to(self.session.folders().to_vec());
        self.epoch += 1;
        self.bots = true;
        self.note_change();
    }

    fn note_change(&mut self) {
        if self.session.game().pending().len() <= 1 {
            self.visible_steps = self.session.steps();
        }
        self.visible_steps = self.visible_steps.min(self.session.steps());
        self.version += 1;
        self.shown.clear();
        // There may be no page that waits.
        let _ = self.changed.send(self.version);
    }

    /// The seat with the id of a faction.
    pub fn seat(&self, id: &str) -> Result<SeatId, RequestError> {
        let seats = self.session.players().iter().map(|(seat, _)| *seat);
        let found = seats.into_iter().find(|seat| self.session.game().catalog().factions[seat.index()].id == id);
        found.ok_or_else(|| RequestError(404, format!("`{id}` has no seat in this game")))
    }

    fn play(&mut self, play: &Play) -> Result<TableVersion, RequestError> {
        match play {
            Play::Answer(given) => self.answer(given),
            Play::Undo(seat) => self.undo(seat),
        }
    }

    /// An earlier moment as a viewer saw it, by the number of answers.
    pub fn moment(&self, viewer: Option<SeatId>, step: usize) -> Result<MomentPicture, RequestError> {
        if step > self.visible_steps {
            return Err(RequestError(404, format!("there is no answer {step}")));
        }
        let moment = self.session.at(step).map_err(session_error)?;
        Ok(picture::moment(&self.session, moment.scene(), viewer))
    }

    /// The numbers of the seats over the game, for a viewer.
    pub fn curves(&self, viewer: Option<SeatId>) -> Result<Vec<Curve>, RequestError> {
        self.session.curves(viewer, self.visible_steps).map_err(session_error)
    }

    /// Why a seat must decide.
    pub fn why(&self, seat: SeatId) -> Vec<Why> {
        let asked = self.session.game().pending().into_iter().filter(|decision| decision.seat == seat);
        asked.map(|decision| self.session.why(decision)).collect()
    }

    /// How often the packs were loaded again.
    pub fn loads(&self) -> u64 {
        self.loads
    }

    /// All card faces in a language; `None` is the language of the game.
    pub fn cards(&self, language: Option<String>) -> Result<Vec<CardPicture>, RequestError> {
        picture::cards(&self.session, language.as_deref().unwrap_or(&self.language))
    }

    /// The style sheet of the drawings.
    pub fn style(&self) -> String {
        theme::style(&self.session.packs().loaded.look, theme::Theme::Auto)
    }

    /// The wishes that fix a finding: its index, and the number of the load that it is from.
    pub fn fix(&self, at: usize, load: u64) -> Result<Vec<Wish>, RequestError> {
        let gone = || RequestError(409, "this finding no longer exists".to_owned());
        let finding = self.findings.get(at).filter(|_| load == self.loads).ok_or_else(gone)?;
        desk::wishes_of(finding).map_err(edit_error)
    }

    /// The table as a viewer sees it.
    ///
    /// Many pages may request the same view, so it is cached.
    pub fn look(&mut self, asked: ViewRequest) -> Result<TablePicture, RequestError> {
        if let Some((_, known)) = self.shown.iter().find(|(known, _)| *known == asked) {
            return Ok(known.clone());
        }
        let viewer = asked.viewer.as_deref().map(|id| self.seat(id)).transpose()?;
        let picture = picture::table(self, viewer, &asked)?;
        self.shown.push((asked, picture.clone()));
        Ok(picture)
    }

    fn answer(&mut self, given: &AnswerRequest) -> Result<TableVersion, RequestError> {
        let seat = self.human(&given.seat)?;
        let march = given.group.as_deref().and_then(|from| self.march(seat, from, &given.key));
        let key = &given.key;
        let done = if given.aside { self.session.play_aside(seat, key) } else { self.session.answer(seat, key) };
        done.map_err(session_error)?;
        // The first unit has moved, whatever happens to the others.
        let marched = march.map_or(Ok(()), |(from, to)| match self.session.follow(seat, from, to) {
            Ok(_) => Ok(()),
            Err(error) => Err(session_error(error)),
        });
        let version = self.confirm_change()?;
        marched.map(|()| version)
    }

    /// The start and the destination of a group that marches with an answer.
    fn march(&self, seat: SeatId, from: &str, key: &str) -> Option<(SpaceId, SpaceId)> {
        let catalog = self.session.game().catalog();
        let is_to = |option: &&DecisionOption| option.verb == Some(catalog.words.to) && option.key(catalog) == key;
        let asked = |decision: &&Decision| decision.seat == seat;
        let option = self
            .session
            .game()
            .pending()
            .into_iter()
            .filter(asked)
            .flat_map(|decision| &decision.options)
            .find(is_to)?;
        match option.args[..] {
            [Value::Space(to)] => Some((catalog.space(from)?, to)),
            _ => None,
        }
    }

    fn undo(&mut self, seat: &str) -> Result<TableVersion, RequestError> {
        let seat = self.human(seat)?;
        match self.session.undo(&[seat]).map_err(session_error)? {
            Undo::Done => {
                self.epoch += 1;
                self.confirm_change()
            }
            Undo::Nothing => Err(RequestError(409, "there is nothing to undo".to_owned())),
            Undo::TooLate => {
                let why = "you cannot undo this: something has been revealed, or another person has answered";
                Err(RequestError(409, why.to_owned()))
            }
        }
    }

    /// A seat that a person plays.
    pub fn human(&self, id: &str) -> Result<SeatId, RequestError> {
        let seat = self.seat(id)?;
        let is_human = self.session.players().iter().any(|(of, player)| *of == seat && *player == Player::Human);
        if is_human { Ok(seat) } else { Err(RequestError(403, format!("a bot plays `{id}`"))) }
    }

    fn confirm_change(&mut self) -> Result<TableVersion, RequestError> {
        self.bots = true;
        self.note_change();
        Ok(TableVersion { version: self.version })
    }

    /// Turns the end of the game into a scenario of the pack.
    pub fn make_scenario(&self, scenario: &NewScenario) -> Result<MadeScenario, RequestError> {
        let until = scenario.until.min(self.session.steps());
        let from = until.saturating_sub(scenario.last);
        let request = ScenarioRequest { id: &scenario.id, title: scenario.title.as_deref(), from, until };
        let options = Options { search: self.packs.search.clone(), ..Options::default() };
        let packs = &self.session.packs().loaded.packs;
        let last = packs.last().filter(|pack| !EditedPacks::of(&self.packs, packs).has(pack.manifest.id.as_str()));
        if let Some(pack) = last {
            return Err(edit_error(EditError::NotEdited(pack.manifest.id.to_string())));
        }
        let root = packs.last().and_then(|pack| pack.folder.clone()).unwrap_or_default();
        let file = make(self.session.packs(), self.session.record(), &request, &options);
        let file = file.map_err(|error| RequestError(409, error.to_string()))?;
        Ok(MadeScenario { file: file.display().to_string(), root: root.display().to_string() })
    }

    /// Continues a found game without a file, and pauses the current game.
    pub fn try_out(&mut self, found: &Found) -> Result<OpenedTrial, RequestError> {
        let failed = |error: StudioError| RequestError(409, error.to_string());
        let before = self.session.file().map(Path::to_path_buf);
        let packs = OpenPacks::open(&self.packs).map_err(|error| failed(error.into()))?;
        // A trial has no file, so that it leaves none behind and is not listed among saved games.
        let session = Session::resume(packs, &found.save, &self.language).map_err(session_error)?;
        let decisions = session.humans().into_iter().flat_map(|seat| session.decisions(seat));
        let mut options = decisions.flat_map(|decision| decision.options);
        let (by_itself, after) = match &found.way {
            Way::Played => (false, None),
            Way::ByItself(None) => (true, None),
            Way::ByItself(Some(key)) => (true, options.find(|option| option.key == *key).map(|option| option.text)),
        };
        let opened = OpenedTrial { by_itself, after, has_wanted_setup: found.has_wanted_setup };
        self.interrupted = self.interrupted.take().or(before);
        self.turn_to(session).map(|_| opened)
    }

    /// Returns to the paused game.
    pub fn back(&mut self) -> Result<TableVersion, RequestError> {
        let file = self.interrupted.clone().ok_or_else(|| RequestError(409, "no game was interrupted".to_owned()))?;
        let old = session(&self.packs, &self.setup, &self.language, &file, WhenChanged::Stop);
        let old = old.map_err(|error| RequestError(409, error.to_string()))?;
        self.interrupted = None;
        self.turn_to(old)
    }

    fn turn_to(&mut self, session: Session) -> Result<TableVersion, RequestError> {
        self.queue.clear();
        self.session = session;
        self.epoch += 1;
        self.visible_steps = 0;
        self.confirm_change()
    }

    /// Starts a new game with the same players and this seed.
    pub fn begin(&mut self, seed: u64) -> Result<TableVersion, RequestError> {
        let failed = |error: StudioError| RequestError(409, error.to_string());
        self.setup.seed = seed;
        let save = beside(&self.save, seed);
        let session = start(&self.packs, &self.setup, &self.language, &save).map_err(failed)?;
        self.interrupted = None;
        self.turn_to(session)
    }
}

fn session_error(error: SessionError) -> RequestError {
    RequestError(409, error.to_string())
}

/// The path of another game, beside the given file.
fn beside(save: &Path, seed: u64) -> PathBuf {
    let stem = save.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned());
    save.with_file_name(format!("{stem}-{seed}.json"))
}

/// The game in the file, or a new game if the file does not exist. If the game cannot continue as it was saved, a copy of
/// its file is kept.
fn session(
    packs: &PackRequest,
    setup: &SetupRequest,
    language: &str,
    save: &Path,
    when_changed: WhenChanged,
) -> Result<Session, StudioError> {
    if !save.exists() {
        return start(packs, setup, language, save);
    }
    let record = Save::read(save)?;
    let ready = OpenPacks::open(packs)?;
    ready.require_language(language)?;
    let Resumed { mut session, since } = Session::resume_or(ready, &record, language, when_changed)?;
    if matches!(since, SinceSaved::Game { .. }) {
        keep_copy(save).map_err(|cause| StudioError::NoCopy { path: save.to_owned(), cause })?;
    }
    session.save_to(save, Existing::Replace)?;
    Ok(session)
}

fn start(packs: &PackRequest, setup: &SetupRequest, language: &str, save: &Path) -> Result<Session, StudioError> {
    let ready = OpenPacks::open(packs)?;
    ready.require_language(language)?;
    let table = set_up(&ready.catalog, setup)?;
    let mut session = Session::start(ready, table, language)?;
    session.save_to(save, Existing::Keep)?;
    Ok(session)
}

#[cfg(test)]
mod tests {

    use principes_app::setup::Seating;
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    /// The number of answers that a person gives.
    const ANSWERS: usize = 60;

    /// A person and three bots at the base game.
    struct Played {
        table: Table,
        /// How often the person answered before a bot that chose at the same time.
        overtaken: usize,
    }

    impl Played {
        fn begin(save: PathBuf) -> Self {
            let bots = [Player::Human, Player::Random, Player::Random, Player::Greedy];
            let request = Request {
                when_changed: WhenChanged::Stop,
                packs: PackRequest::default(),
                setup: SetupRequest { seating: Seating::List(bots.to_vec()), ..SetupRequest::all(Player::Human, 3) },
                language: "en".to_owned(),
                journal: save.with_extension("edits"),
                save,
            };
            principes_games::install();
            Played { table: Table::open(request, watch::channel(1).0).unwrap(), overtaken: 0 }
        }

        /// The first open decision of the person: its seat, and the key of one of its options.
        fn asked(&self, number: usize) -> Option<(String, String)> {
            let catalog = self.table.session.game().catalog();
            let decision = self.table.session.next_decision()?;
            let option = decision.options[number % decision.options.len()];
            Some((catalog.factions[decision.seat.index()].id.clone(), option.key(catalog)))
        }

        /// Answers after the table has worked for some steps; false if the game is over.
        fn answer(&mut self, number: usize, delay: usize) -> bool {
            while self.asked(number).is_none() {
                if self.table.session.game().outcome().is_some() {
                    return false;
                }
                self.table.work();
            }
            (0..delay).for_each(|_| self.table.work());
            let (seat, key) = self.asked(number).unwrap();
            self.overtaken += usize::from(self.table.session.game().pending().len() > 1);
            let answer = AnswerRequest { seat, key, aside: false, group: None };
            let (reply, mut response) = oneshot::channel();
            self.table.receive(Command::Play(Play::Answer(answer), reply));
            loop {
                match response.try_recv() {
                    Ok(done) => return done.map(|_| true).unwrap(),
                    Err(TryRecvError::Empty) => self.table.work(),
                    Err(TryRecvError::Closed) => panic!("no response"),
                }
            }
        }
    }

    #[test]
    fn a_slow_person_plays_the_same_game_as_a_fast_one() {
        let folder = tempfile::tempdir().unwrap();
        let delays: [fn(usize) -> usize; 4] = [|_| 0, |_| 9, |number| number % 3, |number| number * 7 % 5];
        let games = delays.iter().enumerate().map(|(at, delay)| {
            let mut played = Played::begin(folder.path().join(format!("{at}.json")));
            let answers = (0..ANSWERS).take_while(|number| played.answer(*number, delay(*number))).count();
            assert!(answers > ANSWERS / 2, "{answers}");
            while played.table.bots {
                played.table.work();
            }
            (played.overtaken, played.table.session.record().clone())
        });
        let games: Vec<_> = games.collect();
        assert!(games[0].0 > 0, "nobody had to wait for a bot");
        for (delay, (_, record)) in games.iter().enumerate() {
            assert_eq!(record.answers, games[0].1.answers, "delay {delay}");
        }
    }

    #[test]
    fn what_waits_for_bots_hits_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut played = Played::begin(folder.path().join("game.json"));
        while played.table.session.game().pending().len() < 2 || played.asked(0).is_none() {
            if !played.table.bots {
                assert!(played.answer(0, 0));
            }
            played.table.work();
        }
        let (seat, key) = played.asked(0).unwrap();
        let mut send = |key: &str| {
            let answer = AnswerRequest { seat: seat.clone(), key: key.to_owned(), aside: false, group: None };
            let (reply, response) = oneshot::channel();
            played.table.receive(Command::Play(Play::Answer(answer), reply));
            response
        };
        // An answer to nothing, an answer, and the same answer again.
        let mut responses = [send("no such key"), send(&key), send(&key)];
        let refused =
            |response: &mut oneshot::Receiver<_>| matches!(response.try_recv(), Ok(Err(RequestError(409, _))));
        assert!(refused(&mut responses[0]) && refused(&mut responses[2]));
        played.table.begin(4).unwrap();
        assert!(refused(&mut responses[1]), "the answer was meant for the old game");
    }
}
