//! The game behind the pages: one thread owns the session and does what they ask for, lets bots play, and checks whether
//! files of the packs have changed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use principes_app::edit;
use principes_app::packs::{OpenPacks, PackError, PackRequest};
use principes_app::save::Save;
use principes_app::scenario_from_save::{ScenarioRequest, make};
use principes_app::session::{Existing, Session, SessionError, Undo};
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_app::watch::Watch;
use principes_app::workbench::{self, Options};
use principes_app::workers;
use principes_core::{Decision, DecisionOption, SeatId, SpaceId, Value};
use principes_draw::theme;
use principes_findings::Finding;
use serde_json::{Value as Json, json};
use tokio::sync::watch;

use crate::odds::Odds;
use crate::picture;
use crate::request::{Request, StudioError};
use crate::wish::{Asked, Door, Given, NewScenario, Refusal, Reply, Wish};
use crate::workbench::edit_refused;

/// How often files are looked at while nobody asks for anything.
const EVERY: Duration = Duration::from_millis(60);

/// A seat that a person plays.
#[derive(Clone, Debug)]
pub struct HumanSeat {
    /// Id of its faction.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// Opens the packs and the game, in a thread of their own.
///
/// # Errors
/// [`StudioError`].
pub fn open(request: Request) -> Result<(Door, Vec<HumanSeat>), StudioError> {
    let (wishes, incoming) = mpsc::channel();
    let (changed, version) = watch::channel(1);
    let (told, opened) = mpsc::channel();
    let run = move || match Table::open(request, changed) {
        Ok(mut table) => {
            let seats = table.human_seats();
            if told.send(Ok(seats)).is_ok() {
                table.run(&incoming);
            }
        }
        // Nobody waits for the news if the program has ended.
        Err(error) => drop(told.send(Err(error))),
    };
    workers::thread().spawn(run).map_err(|error| StudioError::System(error.to_string()))?;
    let seats = opened.recv().map_err(|_| StudioError::System("the game stopped while it was opened".to_owned()))??;
    Ok((Door { wishes, version }, seats))
}

/// A game with what pages need to know beside it.
pub struct Table {
    /// The game.
    pub session: Session,
    /// What is wrong with changed files, until they are fixed.
    pub trouble: Vec<Json>,
    /// The same as findings, where it is one.
    findings: Vec<Finding>,
    /// Where the game is that a trial has interrupted.
    pub interrupted: Option<PathBuf>,
    /// Grows when the log no longer continues what pages know of it.
    pub epoch: u64,
    /// How many answers pages may know of: while several seats choose in secret, how many have chosen is not told.
    pub told_steps: usize,
    /// Grows with every change.
    pub version: u64,
    packs: PackRequest,
    /// What is known of files, so that an edit is read quickly.
    known: Options,
    setup: SetupRequest,
    language: String,
    save: PathBuf,
    watch: Watch,
    changed: watch::Sender<u64>,
    /// Whether bots may have something to do.
    bots: bool,
    /// Battles that are to be imagined.
    odds: Vec<Odds>,
    /// What pages were shown since the last change.
    shown: Vec<(Asked, Json)>,
}

impl Table {
    fn open(request: Request, changed: watch::Sender<u64>) -> Result<Self, StudioError> {
        let Request { packs, setup, language, save, .. } = request;
        let session = session(&packs, &setup, &language, &save)?;
        let watch = Watch::begin(session.folders());
        let mut table = Table {
            session,
            trouble: Vec::new(),
            findings: Vec::new(),
            interrupted: None,
            epoch: 1,
            told_steps: 0,
            version: 1,
            packs,
            known: Options { scenarios: false, ..Options::default() },
            setup,
            language,
            save,
            watch,
            changed,
            bots: true,
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

    fn run(&mut self, incoming: &Receiver<(Wish, Reply)>) {
        loop {
            // Bots play between wishes, so that a page waits for one step of a bot at most.
            let wait = if self.bots || !self.odds.is_empty() { Duration::ZERO } else { EVERY };
            match incoming.recv_timeout(wait) {
                Ok((Wish::Odds(seat, key), reply)) => self.count_odds(&seat, key, reply),
                // It does not matter if the page is gone.
                Ok((wish, reply)) => drop(reply.send(self.fulfil(wish))),
                Err(RecvTimeoutError::Timeout) if self.bots => self.let_bots_play(),
                Err(RecvTimeoutError::Timeout) if !self.odds.is_empty() => self.imagine_battle(),
                Err(RecvTimeoutError::Timeout) => self.look_at_files(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// A seat waits for one battle at a time: who points at another option no longer waits for the last one.
    fn count_odds(&mut self, seat: &str, key: String, reply: Reply) {
        match self.human(seat) {
            Ok(seat) => {
                let (old, others) = std::mem::take(&mut self.odds).into_iter().partition(|odds| odds.seat == seat);
                self.odds = others;
                Vec::into_iter(old).for_each(Odds::drop_it);
                self.odds.push(Odds::new(seat, key, self.version, reply));
            }
            Err(refusal) => drop(reply.send(Err(refusal))),
        }
    }

    fn imagine_battle(&mut self) {
        let odds = self.odds.remove(0);
        if odds.version != self.version {
            odds.drop_it();
        } else if let Some(odds) = odds.go_on(&self.session) {
            self.odds.push(odds);
        }
    }

    fn let_bots_play(&mut self) {
        match self.session.bot_step() {
            Ok(true) => self.note_change(),
            Ok(false) => self.bots = false,
            Err(error) => {
                self.bots = false;
                self.trouble = vec![json!({ "message": error.to_string() })];
                self.note_change();
            }
        }
    }

    fn look_at_files(&mut self) {
        if !self.watch.changed() {
            return;
        }
        let error = match workbench::open(&self.packs, &self.known) {
            Ok(packs) => self.session.reload(packs).err(),
            Err(error) => Some(error.into()),
        };
        self.findings.clear();
        self.trouble = match error {
            None => Vec::new(),
            Some(SessionError::Packs(PackError::Broken(findings))) => {
                self.findings = findings;
                self.findings.iter().map(picture::finding).collect()
            }
            Some(error) => vec![json!({ "message": error.to_string() })],
        };
        self.watch.turn_to(self.session.folders().to_vec());
        self.epoch += 1;
        self.bots = true;
        self.note_change();
    }

    fn note_change(&mut self) {
        if self.session.game().pending().len() <= 1 {
            self.told_steps = self.session.steps();
        }
        self.told_steps = self.told_steps.min(self.session.steps());
        self.version += 1;
        self.shown.clear();
        // It does not matter if no page waits.
        let _ = self.changed.send(self.version);
    }

    /// The seat with the id of a faction.
    pub fn seat(&self, id: &str) -> Result<SeatId, Refusal> {
        let seats = self.session.players().iter().map(|(seat, _)| *seat);
        let found = seats.into_iter().find(|seat| self.session.game().catalog().factions[seat.index()].id == id);
        found.ok_or_else(|| Refusal(404, format!("`{id}` has no seat in this game")))
    }

    fn viewer(&self, id: Option<&str>) -> Result<Option<SeatId>, Refusal> {
        id.map(|id| self.seat(id)).transpose()
    }

    fn fulfil(&mut self, wish: Wish) -> Result<Json, Refusal> {
        match wish {
            Wish::Look(asked) => self.look(asked),
            Wish::Moment(viewer, step) => {
                let viewer = self.viewer(viewer.as_deref())?;
                if step > self.told_steps {
                    return Err(Refusal(404, format!("there is no answer {step} to look at")));
                }
                let moment = self.session.at(step).map_err(refused)?;
                Ok(picture::moment(&self.session, moment.scene(), viewer))
            }
            Wish::Answer(given) => self.answer(&given),
            Wish::Undo(seat) => self.undo(&seat),
            // An option that is gone shows nothing: the page will hear of the change.
            Wish::Outlook(seat, key) => Ok(json!(self.session.outlook(self.human(&seat)?, &key).ok())),
            Wish::Odds(..) => Ok(Json::Null),
            Wish::Why(seat) => {
                let seat = self.human(&seat)?;
                let asked = self.session.game().pending().into_iter().filter(|ask| ask.seat == seat);
                Ok(json!(asked.map(|ask| self.session.why(ask)).collect::<Vec<_>>()))
            }
            Wish::Rules(viewer) => Ok(json!(self.session.rulebook(self.viewer(viewer.as_deref())?))),
            Wish::Curves(viewer) => {
                let viewer = self.viewer(viewer.as_deref())?;
                Ok(json!(self.session.curves(viewer, self.told_steps).map_err(refused)?))
            }
            Wish::Titles => Ok(picture::titles(&self.session)),
            Wish::Cards(language) => picture::cards(&self.session, language.as_deref().unwrap_or(&self.language)),
            Wish::Face(id) => picture::face(&self.session, &id),
            Wish::Style => Ok(theme::style(&self.session.packs().loaded.look, theme::Theme::Auto).into()),
            Wish::New(seed) => self.begin(seed),
            Wish::Fix(at, message) => {
                let gone = || Refusal(409, "this finding is no longer there".to_owned());
                let finding = self.findings.get(at).filter(|finding| finding.message == message).ok_or_else(gone)?;
                let written = edit::fix(&self.session.packs().loaded.packs, finding);
                written.map(|files| json!(files)).map_err(edit_refused)
            }
            Wish::Scenario(scenario) => self.make_scenario(&scenario),
            Wish::Try(save) => self.try_out(&save),
            Wish::Back => self.back(),
        }
    }

    /// Many pages may look at the same: it is drawn once.
    fn look(&mut self, asked: Asked) -> Result<Json, Refusal> {
        if let Some((_, known)) = self.shown.iter().find(|(known, _)| *known == asked) {
            return Ok(known.clone());
        }
        let viewer = self.viewer(asked.viewer.as_deref())?;
        let picture = picture::table(self, viewer, &asked)?;
        self.shown.push((asked, picture.clone()));
        Ok(picture)
    }

    fn answer(&mut self, given: &Given) -> Result<Json, Refusal> {
        let seat = self.human(&given.seat)?;
        let march = given.group.as_deref().and_then(|from| self.march(seat, from, &given.key));
        let key = &given.key;
        let done = if given.aside { self.session.play_aside(seat, key) } else { self.session.answer(seat, key) };
        done.map_err(refused)?;
        // The first unit is on its way whatever happens to the others.
        let marched = march.map_or(Ok(()), |(from, to)| match self.session.follow(seat, from, to) {
            Ok(_) => Ok(()),
            Err(error) => Err(refused(error)),
        });
        let version = self.went_on()?;
        marched.map(|()| version)
    }

    /// From where to where a group marches by an answer.
    fn march(&self, seat: SeatId, from: &str, key: &str) -> Option<(SpaceId, SpaceId)> {
        let catalog = self.session.game().catalog();
        let is_to = |option: &&DecisionOption| option.verb == Some(catalog.words.to) && option.key(catalog) == key;
        let asked = |ask: &&Decision| ask.seat == seat;
        let option =
            self.session.game().pending().into_iter().filter(asked).flat_map(|ask| &ask.options).find(is_to)?;
        match option.args[..] {
            [Value::Space(to)] => Some((catalog.space(from)?, to)),
            _ => None,
        }
    }

    fn undo(&mut self, seat: &str) -> Result<Json, Refusal> {
        let seat = self.human(seat)?;
        match self.session.undo(&[seat]).map_err(refused)? {
            Undo::Done => {
                self.epoch += 1;
                self.went_on()
            }
            Undo::Nothing => Err(Refusal(409, "there is nothing to undo".to_owned())),
            Undo::TooLate => {
                let why = "this cannot be undone: something has been revealed, or somebody else has answered";
                Err(Refusal(409, why.to_owned()))
            }
        }
    }

    /// A seat that a person plays.
    fn human(&self, id: &str) -> Result<SeatId, Refusal> {
        let seat = self.seat(id)?;
        let is_human = self.session.players().iter().any(|(of, player)| *of == seat && *player == Player::Human);
        if is_human { Ok(seat) } else { Err(Refusal(403, format!("a bot plays `{id}`"))) }
    }

    fn went_on(&mut self) -> Result<Json, Refusal> {
        self.bots = true;
        self.note_change();
        Ok(json!({ "version": self.version }))
    }

    fn make_scenario(&self, scenario: &NewScenario) -> Result<Json, Refusal> {
        let until = scenario.until.min(self.session.steps());
        let from = until.saturating_sub(scenario.last);
        let request = ScenarioRequest { id: &scenario.id, title: scenario.title.as_deref(), from, until };
        let options = Options { search: self.packs.search.clone(), ..Options::default() };
        let file = make(self.session.packs(), self.session.record(), &request, &options);
        let file = file.map_err(|error| Refusal(409, error.to_string()))?;
        Ok(json!({ "file": file.display().to_string() }))
    }

    fn try_out(&mut self, save: &Save) -> Result<Json, Refusal> {
        let failed = |error: StudioError| Refusal(409, error.to_string());
        let before = self.session.file().map(Path::to_path_buf);
        let packs = OpenPacks::open(&self.packs).map_err(|error| failed(error.into()))?;
        let mut session = Session::resume(packs, save, &self.language).map_err(refused)?;
        session.save_to(&beside(&self.save, save.config.seed), Existing::Replace).map_err(refused)?;
        self.interrupted = self.interrupted.take().or(before);
        self.turn_to(session)
    }

    fn back(&mut self) -> Result<Json, Refusal> {
        let file = self.interrupted.clone().ok_or_else(|| Refusal(409, "no game was interrupted".to_owned()))?;
        let old = session(&self.packs, &self.setup, &self.language, &file);
        let old = old.map_err(|error| Refusal(409, error.to_string()))?;
        self.interrupted = None;
        self.turn_to(old)
    }

    fn turn_to(&mut self, session: Session) -> Result<Json, Refusal> {
        self.session = session;
        self.epoch += 1;
        self.told_steps = 0;
        self.went_on()
    }

    fn begin(&mut self, seed: u64) -> Result<Json, Refusal> {
        let failed = |error: StudioError| Refusal(409, error.to_string());
        self.setup.seed = seed;
        let save = beside(&self.save, seed);
        let session = start(&self.packs, &self.setup, &self.language, &save).map_err(failed)?;
        self.interrupted = None;
        self.turn_to(session)
    }
}

fn refused(error: SessionError) -> Refusal {
    Refusal(409, error.to_string())
}

/// A file for another game beside a file.
fn beside(save: &Path, seed: u64) -> PathBuf {
    let stem = save.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned());
    save.with_file_name(format!("{stem}-{seed}.json"))
}

/// The game in the file, or a new one if there is no such file.
fn session(packs: &PackRequest, setup: &SetupRequest, language: &str, save: &Path) -> Result<Session, StudioError> {
    if !save.exists() {
        return start(packs, setup, language, save);
    }
    let record = Save::read(save)?;
    let ready = OpenPacks::open(packs)?;
    ready.require_language(language)?;
    let mut session = Session::resume(ready, &record, language)?;
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
