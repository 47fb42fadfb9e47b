//! The lab: many games between bots, in a thread of their own, with what is known so far for pages to draw. When files
//! change, the same games are played again, and what was known before stays beside it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::setup::{Player, Seating, SetupRequest, set_up};
use principes_app::simulation::course::Courses;
use principes_app::simulation::{Format, Report, Rows, Run, Settings, Shard, Sum};
use principes_app::watch::Watch;
use principes_app::workbench::{self, Options};
use principes_app::workers;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::wish::Refusal;

/// So many games at most.
const MOST_GAMES: u64 = 100_000;
/// So many games are followed round by round.
const FOLLOWED: u64 = 60;
/// How often files are looked at after the last game.
const EVERY: Duration = Duration::from_millis(150);

/// What is to be played.
#[derive(Clone, Debug, Deserialize)]
pub struct Experiment {
    /// How many games.
    pub games: u64,
    /// Who plays every seat.
    pub player: Player,
    /// The seed of all games.
    pub seed: u64,
}

/// What pages get to know.
#[derive(Default)]
struct Known {
    is_running: bool,
    wanted: u64,
    now: Json,
    before: Json,
    trouble: Option<String>,
    /// Grows with every change.
    version: u64,
}

/// The lab of a studio.
pub struct Lab {
    packs: PackRequest,
    setup: SetupRequest,
    language: String,
    known: Arc<Mutex<Known>>,
    /// Raised to end what is under way; each experiment has its own.
    stop: Mutex<Arc<AtomicBool>>,
}

impl Lab {
    /// A lab where nothing is played yet.
    pub fn new(packs: PackRequest, setup: SetupRequest, language: String) -> Self {
        Lab { packs, setup, language, known: Arc::default(), stop: Mutex::default() }
    }

    /// What is known so far.
    ///
    /// # Errors
    /// [`Refusal`]: a thread has failed.
    pub fn look(&self) -> Result<Json, Refusal> {
        let known = self.known.lock().map_err(|_| failed())?;
        Ok(json!({
            "running": known.is_running, "wanted": known.wanted, "now": known.now, "before": known.before,
            "trouble": known.trouble, "version": known.version,
        }))
    }

    /// Ends what is under way.
    ///
    /// # Errors
    /// [`Refusal`]: a thread has failed.
    pub fn stop(&self) -> Result<Json, Refusal> {
        self.stop.lock().map_err(|_| failed())?.store(true, Ordering::Relaxed);
        self.look()
    }

    /// Begins an experiment; an earlier one ends.
    ///
    /// # Errors
    /// [`Refusal`]: it asks for too much, or there are no more threads.
    pub fn begin(&self, experiment: Experiment) -> Result<Json, Refusal> {
        if experiment.player == Player::Human || !(1..=MOST_GAMES).contains(&experiment.games) {
            return Err(Refusal(422, format!("the lab plays 1 to {MOST_GAMES} games between bots")));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let old = std::mem::replace(&mut *self.stop.lock().map_err(|_| failed())?, stop.clone());
        old.store(true, Ordering::Relaxed);
        {
            let mut known = self.known.lock().map_err(|_| failed())?;
            let version = known.version + 1;
            *known = Known { is_running: true, wanted: experiment.games, version, ..Known::default() };
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
        workers::thread().spawn(move || work.run()).map_err(|error| Refusal(500, error.to_string()))?;
        self.look()
    }
}

fn failed() -> Refusal {
    Refusal(500, "a thread of the lab has failed; start the studio again".to_owned())
}

/// One experiment, repeated when files change.
struct Work {
    packs: PackRequest,
    setup: SetupRequest,
    language: String,
    games: u64,
    known: Arc<Mutex<Known>>,
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
            // Broken files are waited for, too.
            while !self.stop.load(Ordering::Relaxed) && !watch.as_mut().is_some_and(Watch::changed) {
                std::thread::sleep(EVERY);
            }
            if !self.stop.load(Ordering::Relaxed) {
                self.tell(|known| {
                    if known.trouble.is_none() && !known.now.is_null() {
                        known.before = known.now.take();
                    }
                    known.is_running = true;
                });
            }
        }
        self.tell(|known| known.is_running = false);
    }

    /// Changes what pages get to know, unless another experiment has begun.
    fn tell(&self, change: impl FnOnce(&mut Known)) {
        if let Ok(mut known) = self.known.lock()
            && Arc::strong_count(&self.stop) > 1
        {
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
            let run = Run {
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
            let report = Report::new(&packs.catalog, &table, &sum.tally, sum.state_hash(), sum.seconds());
            let seats = report.seats.iter().map(|seat| {
                let faction = packs.catalog.factions.iter().find(|faction| faction.id == seat.faction);
                let color = faction.map(|faction| principes_draw::theme::color(&faction.color));
                json!({ "id": seat.faction, "name": words.named("faction", &seat.faction), "color": color })
            });
            let cards = report.cards.keys().map(|id| (id.clone(), json!(words.title("card", id))));
            let picture = json!({
                "names": seats.collect::<Vec<_>>(), "titles": cards.collect::<serde_json::Map<_, _>>(),
                "courses": courses.courses(&words), "followed": courses.games, "report": report,
            });
            self.tell(|known| known.now = picture);
            if next >= self.games || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            // What is known is drawn after ever more games.
            next = (next + next / 2 + 1).min(self.games);
        }
    }
}
