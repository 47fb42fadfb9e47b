//! The studio while it runs: what is open in it. That is a game with its services, or none yet, and another game can be
//! opened in its place.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::FromRef;
use parking_lot::{Mutex, RwLock};
use tokio::sync::oneshot;

use crate::command::RequestError;
use crate::keys::Keys;
use crate::lab::Lab;
use crate::lobby::Lobby;
use crate::request::{Links, Request, StudioError};
use crate::rules::Rules;
use crate::table::{self, TableClient};
use crate::trials::Trials;
use crate::workbench::Workbench;

/// The studio while it runs.
#[derive(Clone)]
pub struct House {
    open: Arc<RwLock<Arc<Services>>>,
    /// Held while another game is opened, or the open one is left.
    turning: Arc<Mutex<()>>,
    /// The games that can be chosen.
    pub lobby: Arc<Lobby>,
}

impl FromRef<House> for Arc<Services> {
    fn from_ref(house: &House) -> Self {
        house.services()
    }
}

/// The addresses of the pages.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// Where the server listens.
    pub bound: SocketAddr,
    /// For a browser on this machine.
    pub own: SocketAddr,
    /// For other machines.
    pub others: SocketAddr,
}

impl House {
    /// A studio in which these services are open.
    pub fn new(services: Services, lobby: Lobby) -> Self {
        House { open: Arc::new(RwLock::new(Arc::new(services))), turning: Arc::default(), lobby: Arc::new(lobby) }
    }

    /// The open services.
    pub fn services(&self) -> Arc<Services> {
        self.open.read().clone()
    }

    /// Opens another game. The keys of the host and the spectators stay, and so do those of seats that are played
    /// again. A game that cannot be opened changes nothing. The request is made when no other game is being opened.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn turn_to(
        &self,
        request: impl FnOnce(&Lobby) -> Result<Request, RequestError>,
    ) -> Result<Turned, RequestError> {
        let _turning = self.turning.lock();
        let old = self.services();
        let departs = |error: &StudioError| match error {
            StudioError::Session(error) => error.departs(),
            _ => None,
        };
        match Services::open(request(&self.lobby)?, old.addresses, &old.keys) {
            Ok(next) => {
                self.put(next);
                Ok(Turned::Opened)
            }
            Err(error) => match departs(&error) {
                Some((alike, of)) => Ok(Turned::Departs { alike, of }),
                None => Err(RequestError(409, error.to_string())),
            },
        }
    }

    /// Closes the game and returns to the lobby. The game stays in its file.
    ///
    /// # Errors
    /// [`StudioError`]: the system has no thread.
    pub fn leave(&self) -> Result<(), StudioError> {
        let _turning = self.turning.lock();
        let old = self.services();
        let next = Services::none(&self.lobby.idle(), old.addresses, old.keys.without_seats())?;
        self.put(next);
        Ok(())
    }

    fn put(&self, next: Services) {
        *self.open.write() = Arc::new(next);
    }
}

/// The result of the request to open a game.
pub enum Turned {
    /// It is open.
    Opened,
    /// It was saved, and goes on differently with the present packs. Nothing has changed.
    Departs {
        /// The number of answers after which every state is the saved one.
        alike: usize,
        /// The number of saved answers.
        of: usize,
    },
}

/// The services that handle requests.
pub struct Services {
    /// The game; none in the lobby.
    pub table: Option<TableClient>,
    /// The files behind it.
    pub workbench: Workbench,
    /// The experiments.
    pub lab: Lab,
    /// The searches for games with a card.
    pub trials: Trials,
    /// The rulebook.
    pub rules: Rules,
    /// The keys that grant access.
    pub keys: Keys,
    /// The links for inviting others.
    pub links: Links,
    /// The addresses of the studio.
    pub addresses: Addresses,
}

impl Services {
    /// Opens a game with all that belongs to it.
    ///
    /// # Errors
    /// [`StudioError`].
    pub fn open(request: Request, addresses: Addresses, keys: &Keys) -> Result<Self, StudioError> {
        let workbench = Workbench::start(request.packs.clone(), &request.journal)?;
        let trials = Trials::new(request.packs.clone(), request.setup.clone());
        let lab = Lab::new(request.packs.clone(), request.setup.clone(), request.language.clone());
        let rules = Rules::new(request.packs.clone(), request.language.clone());
        let (table, seats) = table::open(request)?;
        let keys = keys.with_seats(seats.iter().map(|seat| seat.id.clone()))?;
        let link = |address: SocketAddr, key: &str| format!("http://{address}/#{key}");
        let seat = |seat: &table::HumanSeat| Some((seat.name.clone(), link(addresses.others, keys.of_seat(&seat.id)?)));
        let links = Links {
            host: link(addresses.own, keys.host()),
            seats: seats.iter().filter_map(seat).collect(),
            spectators: link(addresses.others, keys.spectators()),
        };
        Ok(Services { table: Some(table), workbench, lab, trials, rules, keys, links, addresses })
    }

    /// No game yet. The workbench and the lab are those of the base game.
    ///
    /// # Errors
    /// [`StudioError`]: the system has no thread.
    pub fn none(request: &Request, addresses: Addresses, keys: Keys) -> Result<Self, StudioError> {
        let workbench = Workbench::start(request.packs.clone(), &request.journal)?;
        let trials = Trials::new(request.packs.clone(), request.setup.clone());
        let lab = Lab::new(request.packs.clone(), request.setup.clone(), request.language.clone());
        let rules = Rules::new(request.packs.clone(), request.language.clone());
        let link = |address: SocketAddr, key: &str| format!("http://{address}/#{key}");
        let (host, spectators) = (link(addresses.own, keys.host()), link(addresses.others, keys.spectators()));
        let links = Links { host, seats: Vec::new(), spectators };
        Ok(Services { table: None, workbench, lab, trials, rules, keys, links, addresses })
    }

    /// The game.
    ///
    /// # Errors
    /// [`RequestError`]: no game is open.
    pub fn game(&self) -> Result<&TableClient, RequestError> {
        self.table.as_ref().ok_or_else(|| RequestError(404, "no game is open; choose one in the lobby".to_owned()))
    }
}

/// Does slow work on a thread of its own, so that other pages do not wait for it.
///
/// # Errors
/// [`RequestError`]: the system has no thread, or the work fails.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    let (done, result) = oneshot::channel();
    let failed = |error: &dyn std::fmt::Display| RequestError(500, format!("the studio cannot do this: {error}"));
    // The page may be gone.
    let run = move || drop(done.send(work()));
    principes_app::workers::thread().spawn(run).map_err(|error| failed(&error))?;
    result.await.map_err(|_| failed(&"its thread has ended"))?
}
