//! What the studio is asked for, and why it cannot be opened.

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
