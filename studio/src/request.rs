//! The request to open the studio, and the reasons why it can fail.

use std::net::SocketAddr;
use std::path::PathBuf;

use principes_app::packs::{PackError, PackRequest};
use principes_app::save::SaveFileError;
use principes_app::session::{SessionError, WhenChanged};
use principes_app::setup::{SetupError, SetupRequest};

/// What to serve, and on which address.
pub struct Request {
    /// The game to open.
    pub packs: PackRequest,
    /// The setup of a new game.
    pub setup: SetupRequest,
    /// The language of names and messages.
    pub language: String,
    /// The save file. If it exists, its game continues.
    pub save: PathBuf,
    /// What happens if the game in the file differs with the present packs.
    pub when_changed: WhenChanged,
    /// The folder of the history of edits. It must not be inside a pack.
    pub journal: PathBuf,
}

/// What a studio shows first.
pub enum First {
    /// A game: a new one, or the one in its file.
    Game(Box<Request>),
    /// The lobby, where a game is chosen.
    Lobby,
}

/// The links of the pages.
pub struct Links {
    /// For the host, with all seats that people play.
    pub host: String,
    /// For each seat that a person plays: its name and link.
    pub seats: Vec<(String, String)>,
    /// Opens a page that sees only what is public.
    pub spectators: String,
}

/// Why the studio cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// The packs cannot be opened.
    #[error(transparent)]
    Packs(Box<PackError>),
    /// The game cannot be set up.
    #[error(transparent)]
    Setup(Box<SetupError>),
    /// The game cannot be started, continued or saved.
    #[error(transparent)]
    Session(Box<SessionError>),
    /// The file with the game cannot be read.
    #[error("{0}; move the file away to begin a new game")]
    Save(Box<SaveFileError>),
    /// The file of a game that continues differently cannot be kept.
    #[error("cannot keep a copy of `{}`: {cause}", path.display())]
    NoCopy {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The address cannot be used.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// What `--listen` and `--port` say.
        address: SocketAddr,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The system cannot provide random numbers or a thread.
    #[error("the studio cannot run: {0}")]
    System(String),
}

macro_rules! from {
    ($($error:ty, $variant:ident;)*) => {$(
        impl From<$error> for StudioError {
            fn from(error: $error) -> Self {
                StudioError::$variant(Box::new(error))
            }
        }
    )*};
}
from! {
    PackError, Packs;
    SetupError, Setup;
    SessionError, Session;
    SaveFileError, Save;
}
