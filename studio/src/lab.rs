//! The lab: many games between bots on a separate thread, with intermediate results for charts. When files change, the
//! same games run again, and the previous results are kept for comparison.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::setup::{Player, Seating, SetupRequest, set_up};
use principes_app::watch::Watch;
use principes_app::workers;
use principes_author::workbench::{self, Options};
use principes_lab::simulation::course::{Course, Courses};
use principes_lab::simulation::{Format, Rows, Settings, Shard, Simulation, SimulationReport, Sum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::RequestError;

/// The most games of an experiment.
const MOST_GAMES: u64 = 100_000;
/// The number of games that are followed round by round.
const FOLLOWED: u64 = 60;
/// How often files are checked for changes after the last game.
const EVERY: Duration = Duration::from_millis(150);

/// The settings of an experiment.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Experiment {
    /// The number of games.
    pub games: u64,
    /// The bot that plays every seat.
    pub player: Player,
    /// The seed of all games.
    pub seed: u64,
}

/// The state of the lab, for pages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LabState {
    /// The bots that can play.
    pub players: Vec<Player>,
    /// Whether games are played now.
    pub running: bool,
    /// The number of games that were asked for.
    pub wanted: u64,
    /// The results so far.
    pub now: Option<LabPicture>,
    /// The results before the last edit.
    pub before: Option<LabPicture>,
    /// Why there are no results.
    pub trouble: Option<String>,
    /// Grows with every change.
    pub version: u64,
}

/// The results of an experiment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LabPicture {
    /// The seats.
    pub names: Vec<SeatInLab>,
    /// The titles of the cards of the report, by id.
    pub titles: BTreeMap<String, String>,
    /// The counters, round by round.
    pub courses: Vec<Course>,
    /// The number of games that were followed round by round.
    pub followed: u64,
    /// Over all games so far.
    pub report: SimulationReport,
}

/// A seat of an experiment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatInLab {
    /// The id of its faction.
    pub id: String,
    /// The name of its faction.
    pub name: String,
    /// Its color, such as `#c8352b`.
    pub color: Option<String>,
}

/// What is known of the current experiment.
#[derive(Default)]
struct Results {
    is_running: bool,
    wanted: u64,
    now: Option<LabPicture>,
    before: Option<LabPicture>,
    trouble: Option<String>,
    /// Grows with every change.
    version: u64,
}

/// The lab of a studio.
pub struct Lab {
    packs: PackRequest,
    setup: SetupRequest,
    language: String,
    known: Arc<Mutex<Results>>,
    /// A flag that ends the current experiment. Each experiment has its own.
    stop: Mutex<Arc<AtomicBool>>,
}

impl Lab {
    /// A lab without an experiment.
    pub fn new(packs: PackRequest, setup: SetupRequest, language: String) -> Self {
        Lab { packs, setup, language, known: Arc::default(), stop: Mutex::default() }
    }

    /// The current results.
    pub fn look(&self) -> LabState {
        let known = self.known.lock();
        // Those that every game has, with or without a trained player.
        let players = Player::ALL.iter().filter(|player| player.is_bot() && !player.kind().is_trained);
        LabState {
            players: players.copied().collect(),
            running: known.is_running,
            wanted: known.wanted,
            now: known.now.clone(),
            before: known.before.clone(),
            trouble: known.trouble.clone(),
            version: known.version,
        }
    }

    /// Ends the current experiment.
    pub fn stop(&self) -> LabState {
        self.stop.lock().store(true, Ordering::Relaxed);
        self.look()
    }

    /// Starts an experiment and ends the current one.
    ///
    /// # Errors
    /// [`RequestError`]: the settings are out of range, or a thread cannot start.
    pub fn begin(&self, experiment: Experiment) -> Result<LabState, RequestError> {
        if experiment.player == Player::Human || !(1..=MOST_GAMES).contains(&experiment.games) {
            return Err(RequestError(422, format!("the lab plays 1 to {MOST_GAMES} games between bots")));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let old = std::mem::replace(&mut *self.stop.lock(), stop.clone());
        old.store(true, Ordering::Relaxed);
        {
            let mut known = self.known.lock();
            let version = known.version + 1;
            *known = Results { is_running: true, wanted: experiment.games, version, ..Results::default() };
        }
        let setup = SetupRequest {
            seating: Seating::Open,
            first: experiment.player,
            rest: experiment.player,
            seed: experiment.seed,
            lead: None,
            ..self.setup.clone()
        };
        let work = Work {
            packs: self.packs.clone(),
            setup,
            language: self.language.clone(),
            games: experiment.games,
            known: self.known.clone(),
            stop,
            options: Options { scenarios: false, ..Options::default() },
        };
        workers::thread().spawn(move || work.run()).map_err(|error| RequestError(500, error.to_string()))?;
        Ok(self.look())
    }
}

/// The games of a lab that is gone interest nobody.
impl Drop for Lab {
    fn drop(&mut self) {
        self.stop.lock().store(true, Ordering::Relaxed);
    }
}

/// An experiment, which runs again when files change.
struct Work {
    packs: PackRequest,
    setup: SetupRequest,
    language: String,
    games: u64,
    known: Arc<Mutex<Results>>,
    stop: Arc<AtomicBool>,
    options: Options,
}

impl Work {
    fn run(&self) {
        let mut watch: Option<Watch> = None;
        while !self.stop.load(Ordering::Relaxed) {
            let opened = workbench::open(&self.packs, &self.options);
            let result = opened.map_err(|error| error.to_string()).and_then(|packs| {
                watch.get_or_insert_with(|| Watch::begin(&packs.folders));
                self.play(&packs)
            });
            self.tell(|known| {
                known.is_running = false;
                known.trouble = result.err();
            });
            // Broken files also wait for the next change.
            while !self.stop.load(Ordering::Relaxed) && !watch.as_mut().is_some_and(Watch::changed) {
                std::thread::sleep(EVERY);
            }
            if !self.stop.load(Ordering::Relaxed) {
                self.tell(|known| {
                    if known.trouble.is_none() && known.now.is_some() {
                        known.before = known.now.take();
                    }
                    known.is_running = true;
                });
            }
        }
        self.tell(|known| known.is_running = false);
    }

    /// Updates the results, unless another experiment has started.
    fn tell(&self, change: impl FnOnce(&mut Results)) {
        let mut known = self.known.lock();
        if Arc::strong_count(&self.stop) > 1 {
            change(&mut known);
            known.version += 1;
        }
    }

    fn play(&self, packs: &OpenPacks) -> Result<(), String> {
        let table = set_up(&packs.catalog, &self.setup).map_err(|error| error.to_string())?;
        let words = packs.words(&self.language);
        let host = packs.host().map_err(|error| error.to_string())?;
        let mut sum = Sum::begin(Rows::None);
        let mut courses = Courses::default();
        let mut next = 4.min(self.games);
        loop {
            let settings = Settings { setup: self.setup.clone(), games: next, shard: Shard::ALL, format: Format::Json };
            let run = Simulation {
                packs,
                table: &table,
                settings: &settings,
                checkpoint: None,
                stop: &self.stop,
                progress: &|_| {},
            };
            sum = run.play(sum, workers::cores()).map_err(|error| error.to_string())?;
            while courses.games < FOLLOWED.min(next) && !self.stop.load(Ordering::Relaxed) {
                courses.play(&packs.catalog, &host, &table, self.setup.seed);
            }
            let report = SimulationReport::new(&packs.catalog, &table, &sum.tally, sum.state_hash(), sum.seconds());
            let seats = report.seats.iter().map(|seat| {
                let faction = packs.catalog.factions.iter().find(|faction| faction.id == seat.faction);
                let color = faction.map(|faction| principes_draw::theme::color(&faction.color));
                SeatInLab { id: seat.faction.clone(), name: words.named("faction", &seat.faction), color }
            });
            let cards = report.cards.keys().map(|id| (id.clone(), words.title("card", id)));
            let picture = LabPicture {
                names: seats.collect(),
                titles: cards.collect(),
                courses: courses.courses(&words),
                followed: courses.games,
                report,
            };
            self.tell(|known| known.now = Some(picture));
            if next >= self.games || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            // Results are published at growing intervals.
            next = (next + next / 2 + 1).min(self.games);
        }
    }
}
