//! What pages send to the game, and the errors of requests.

use principes_author::edit::EditError;
use principes_author::journal::JournalError;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::oneshot;

/// Why a request failed: an HTTP status and a message.
#[derive(Debug)]
pub struct RequestError(pub u16, pub String);

/// How a card face is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaceSize {
    /// With its text.
    #[default]
    Full,
    /// For a row of cards.
    Small,
}

/// A request for the table, with what the page already has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ViewRequest {
    /// The viewer, by the id of a faction; `None` for spectators. The server sets this from the key.
    #[serde(skip)]
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
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AnswerRequest {
    /// The seat, by the id of a faction. The server sets this from the key.
    #[serde(skip)]
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
#[derive(Debug, Deserialize, JsonSchema)]
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

/// What a seat does once the bots have made their steps. Seats are ids of factions.
#[derive(Debug)]
pub enum Play {
    /// Answers a decision.
    Answer(AnswerRequest),
    /// Takes back the last answer of a seat.
    Undo(String),
}

/// The channel for the response to a command.
pub type Reply<T> = oneshot::Sender<Result<T, RequestError>>;

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
