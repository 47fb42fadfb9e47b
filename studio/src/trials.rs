//! Searches for a game in which a card can be played, on a separate thread, with their progress for pages.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::setup::SetupRequest;
use principes_app::workers;
use principes_author::trial::{Found, Tried, search};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::RequestError;

/// The number of answers after which a search ends.
const MOST_ANSWERS: u64 = 3_000_000;
/// The time after which a search ends, if its answers are slow.
const LONGEST: Duration = Duration::from_secs(60);

/// The state of a search, for pages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchState {
    /// The id of the card.
    pub card: String,
    /// What was tried.
    pub tried: Tried,
    /// The time taken.
    pub seconds: u64,
    /// The time after which it ends.
    pub most_seconds: u64,
    /// Whether it still runs.
    pub running: bool,
    /// Whether a game was found.
    pub found: bool,
    /// Why none was found.
    pub trouble: Option<String>,
}

/// A search.
struct Known {
    card: String,
    /// Ends the search. Each search has its own.
    stop: Arc<AtomicBool>,
    tried: Tried,
    begin: Instant,
    took: Option<Duration>,
    found: Option<Box<Found>>,
    trouble: Option<String>,
}

/// The searches of a studio: one at a time.
pub struct Trials {
    packs: PackRequest,
    setup: SetupRequest,
    known: Arc<Mutex<Option<Known>>>,
    /// The seat that the host plays while a found game is open, by the id of its faction.
    seat: Mutex<Option<String>>,
}

impl Trials {
    /// No search yet.
    pub fn new(packs: PackRequest, setup: SetupRequest) -> Self {
        Trials { packs, setup, known: Arc::default(), seat: Mutex::default() }
    }

    /// The current search; null without one.
    pub fn look(&self) -> Option<SearchState> {
        self.known.lock().as_ref().map(|known| SearchState {
            card: known.card.clone(),
            tried: known.tried.clone(),
            seconds: known.took.unwrap_or_else(|| known.begin.elapsed()).as_secs(),
            most_seconds: LONGEST.as_secs(),
            running: known.took.is_none(),
            found: known.found.is_some(),
            trouble: known.trouble.clone(),
        })
    }

    /// Ends the current search.
    pub fn stop(&self) -> Option<SearchState> {
        if let Some(known) = &*self.known.lock() {
            known.stop.store(true, Ordering::Relaxed);
        }
        self.look()
    }

    /// The seat that the host plays while a found game is open, by the id of its faction.
    pub fn seat(&self) -> Option<String> {
        self.seat.lock().clone()
    }

    /// Notes the seat that the host plays in a found game; `None` when that game is left.
    pub fn set_seat(&self, seat: Option<String>) {
        *self.seat.lock() = seat;
    }

    /// The game that the search has found. It is given once.
    ///
    /// # Errors
    /// [`RequestError`]: there is none.
    pub fn take(&self) -> Result<Box<Found>, RequestError> {
        let mut known = self.known.lock();
        let none = || RequestError(409, "no search has a game to open; start one first".to_owned());
        known.as_mut().and_then(|known| known.found.take()).ok_or_else(none)
    }

    /// Starts the search for a card, and ends the current one.
    ///
    /// # Errors
    /// [`RequestError`]: a thread cannot start.
    pub fn begin(&self, card: String) -> Result<Option<SearchState>, RequestError> {
        let begin = Instant::now();
        let stop = Arc::new(AtomicBool::new(false));
        let new = Known {
            card: card.clone(),
            stop: stop.clone(),
            tried: Tried::default(),
            begin,
            took: None,
            found: None,
            trouble: None,
        };
        let old = self.known.lock().replace(new);
        if let Some(old) = old {
            old.stop.store(true, Ordering::Relaxed);
        }
        let (packs, setup, known) = (self.packs.clone(), self.setup.clone(), self.known.clone());
        let run = move || {
            let tell = |change: &mut dyn FnMut(&mut Known)| {
                // Another search may have begun.
                if let Some(known) = known.lock().as_mut().filter(|known| Arc::ptr_eq(&known.stop, &stop)) {
                    change(known);
                }
            };
            let mut is_over = |tried: &Tried| {
                tell(&mut |known| known.tried = tried.clone());
                stop.load(Ordering::Relaxed) || tried.answers >= MOST_ANSWERS || begin.elapsed() >= LONGEST
            };
            let result = find(&packs, &setup, &card, &mut is_over);
            let (mut found, trouble) = match result {
                Ok(found) => (Some(Box::new(found)), None),
                Err(error) => (None, Some(error)),
            };
            tell(&mut |known| {
                known.took = Some(begin.elapsed());
                known.found = found.take();
                known.trouble.clone_from(&trouble);
            });
        };
        if let Err(error) = workers::thread().spawn(run) {
            *self.known.lock() = None;
            return Err(RequestError(500, error.to_string()));
        }
        Ok(self.look())
    }
}

/// The search of a game that is gone interests nobody.
impl Drop for Trials {
    fn drop(&mut self) {
        // Nobody is left who could see a failure.
        self.stop();
    }
}

fn find(
    packs: &PackRequest,
    setup: &SetupRequest,
    card: &str,
    is_over: &mut dyn FnMut(&Tried) -> bool,
) -> Result<Found, String> {
    let packs = OpenPacks::open(packs).map_err(|error| error.to_string())?;
    let design = packs.catalog.design(card).ok_or_else(|| format!("unknown card `{card}`"))?;
    search(&packs, setup, design, is_over).map_err(|error| error.to_string())
}
