//! The commands of pages, and the channel on which they reach the game.

use std::sync::mpsc::Sender;

use principes_author::edit::EditError;
use principes_author::journal::JournalError;
use principes_author::trial::Found;
use serde::Deserialize;
use serde_json::Value as Json;
use tokio::sync::{oneshot, watch};

/// Why a request failed: an HTTP status and a message.
#[derive(Debug)]
pub struct RequestError(pub u16, pub String);

/// How a card face is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaceSize {
    /// With its text.
    #[default]
    Full,
    /// For a row of cards.
    Small,
}

/// A request for the table, with what the page already has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ViewRequest {
    /// The viewer, by the id of a faction; `None` for spectators.
    #[serde(default, rename = "seat")]
    pub viewer: Option<String>,
    /// The number of lines of the log that the page has.
    #[serde(default)]
    pub log: usize,
    /// The epoch of these lines.
    #[serde(default)]
    pub epoch: u64,
    /// Whether the page belongs to the host, who also sees errors in files. The server sets this from the key.
    #[serde(skip)]
    pub host: bool,
}

/// An answer of a seat.
#[derive(Debug, Deserialize)]
pub struct AnswerRequest {
    /// The seat, by the id of a faction.
    pub seat: String,
    /// The key of the option.
    pub key: String,
    /// Whether it is an aside.
    #[serde(default)]
    pub aside: bool,
    /// The space whose other units follow the unit that this answer sends.
    #[serde(default)]
    pub group: Option<String>,
}

/// A scenario to make.
#[derive(Debug, Deserialize)]
pub struct NewScenario {
    /// Of the scenario, and of its file.
    pub id: String,
    /// What it shows. Without it, a plain title is made.
    #[serde(default)]
    pub title: Option<String>,
    /// The number of answers at the end whose changes the scenario expects.
    pub last: usize,
    /// The number of answers in all.
    pub until: usize,
}

/// A command of a page. Seats are ids of factions.
#[derive(Debug)]
pub enum Command {
    /// The table as a viewer sees it.
    Look(ViewRequest),
    /// An earlier moment as a viewer saw it, by the number of answers.
    Moment(Option<String>, usize),
    /// The moments after a number of answers up to another number, for a viewer.
    Trail(Option<String>, usize, usize),
    /// The sentences of the page.
    Words,
    /// Answers a decision.
    Answer(AnswerRequest),
    /// Takes back the last answer of a seat.
    Undo(String),
    /// The consequences of an option of a seat, by its key.
    Outlook(String, String),
    /// The board after an option of a seat, by its key.
    Ghost(String, String),
    /// The chances of a seat in the battle that follows an option, by its key.
    Odds(String, String),
    /// Why a seat must decide.
    Why(String),
    /// Information about the game, for a viewer.
    Rules(Option<String>),
    /// How often the packs were loaded again.
    Loads,
    /// The numbers of the seats over the game, for a viewer.
    Curves(Option<String>),
    /// The titles of all cards.
    Titles,
    /// All card faces in a language; `None` is the language of the game.
    Cards(Option<String>),
    /// One card face, by the id of the card design.
    Face(String, FaceSize),
    /// The style sheet of the drawings.
    Style,
    /// Starts a new game with the same players and this seed.
    New(u64),
    /// The wishes that fix a finding: its index, and the number of the load that it is from.
    Fix(usize, u64),
    /// Turns the end of the game into a scenario of the pack.
    Scenario(NewScenario),
    /// Continues a found game in a separate file, and pauses the current game.
    Try(Box<Found>),
    /// Returns to the paused game.
    Back,
}

/// The channel for the response to a command.
pub type Reply = oneshot::Sender<Result<Json, RequestError>>;

/// The channel to the game.
#[derive(Clone)]
pub struct TableClient {
    /// Commands for the game.
    pub commands: Sender<(Command, Reply)>,
    /// Grows with every change.
    pub version: watch::Receiver<u64>,
}

impl TableClient {
    /// Sends a command and waits for the response.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn ask(&self, command: Command) -> Result<Json, RequestError> {
        let (reply, answer) = oneshot::channel();
        let gone = || RequestError(503, "the game has stopped; restart the studio".to_owned());
        self.commands.send((command, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// The error of an edit, for a page.
pub fn edit_error(error: EditError) -> RequestError {
    let status = match error {
        EditError::UnknownFile { .. } | EditError::NoPlace { .. } | EditError::UnknownEntity { .. } => 404,
        EditError::NoFolder(_) | EditError::Link(_) | EditError::NotEdited(_) => 403,
        EditError::Stale(_)
        | EditError::NotJson(_)
        | EditError::NoFix
        | EditError::Overridden { .. }
        | EditError::Series(_)
        | EditError::NoPatches(_)
        | EditError::NoId(_)
        | EditError::History(JournalError::ChangedElsewhere(_) | JournalError::Nothing) => 409,
        EditError::Write(_) | EditError::History(_) => 500,
    };
    RequestError(status, error.to_string())
}
