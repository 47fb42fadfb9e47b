//! `principes studio`: tables and cards in the browser, served by this program on this machine.
//!
//! | module | what it does |
//! | --- | --- |
//! | `table` | the game, in a thread of its own: answers, bots, saves, changed files |
//! | `picture` | what a page gets to know, for one viewer |
//! | `keys` | who a key lets in |
//! | `web` | addresses, and who may ask for what |
//! | `assets` | the page itself |
//!
//! A page proves by a key who it is. The key stands behind the `#` of its link, which browsers do not send; scripts of the
//! page send it with each request. Requests that name another host or come from another origin are refused, so that
//! neither another page nor a name that points here can use the key or read an answer. A seat's key gets the view of that
//! seat and nothing else.

mod assets;
mod keys;
mod picture;
mod table;
mod web;

use std::net::SocketAddr;
use std::path::PathBuf;

use principes_app::packs::{PackError, PackRequest};
use principes_app::session::SessionError;
use principes_app::setup::{SetupError, SetupRequest};

/// What to serve, and where.
pub struct Request {
    /// The packs.
    pub packs: PackRequest,
    /// The table of a new game.
    pub setup: SetupRequest,
    /// The language of names and messages.
    pub language: String,
    /// The file that is written after every answer; a game in it goes on.
    pub save: PathBuf,
    /// Where to listen; port 0 takes any free one.
    pub address: SocketAddr,
}

/// Where the pages are.
pub struct Links {
    /// For who runs the studio: all seats that people play.
    pub host: String,
    /// For each seat that a person plays: its name and link.
    pub seats: Vec<(String, String)>,
    /// For those who only watch.
    pub spectators: String,
}

/// Why the studio cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// The packs cannot be opened.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// The game cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game cannot be started, continued or saved.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The file with the game cannot be read.
    #[error("{0}; move the file away to begin a new game")]
    Save(#[from] principes_app::save::SaveFileError),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Which address.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// The system gives no random numbers for keys, or no thread.
    #[error("the studio cannot run: {0}")]
    System(String),
}

/// Opens the studio, tells its links, and serves it until the program is stopped.
///
/// # Errors
/// [`StudioError`]; nothing is served then.
pub fn serve(request: Request, announce: impl FnOnce(&Links)) -> Result<(), StudioError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| StudioError::System(error.to_string()))?;
    let address = request.address;
    let (table, seats) = table::open(request)?;
    let keys = keys::Keys::new(seats.iter().map(|seat| seat.id.clone()))?;
    runtime.block_on(async {
        let failed = |source| StudioError::Listen { address, source };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let link = |key: &str| format!("http://{bound}/#{key}");
        announce(&Links {
            host: link(keys.host()),
            seats: seats.iter().filter_map(|seat| Some((seat.name.clone(), link(keys.of_seat(&seat.id)?)))).collect(),
            spectators: link(keys.spectators()),
        });
        axum::serve(listener, web::router(table, keys, bound.port())).await.map_err(failed)
    })
}
