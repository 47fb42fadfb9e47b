//! What pages wish, and the door through which wishes reach the game.

use std::sync::mpsc::Sender;

use principes_app::save::Save;
use serde::Deserialize;
use serde_json::Value as Json;
use tokio::sync::{oneshot, watch};

/// Why a wish was not fulfilled: a status of HTTP, and a sentence.
#[derive(Debug)]
pub struct Refusal(pub u16, pub String);

/// What a page knows already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Asked {
    /// Who looks: the id of a faction; none for spectators.
    #[serde(default, rename = "seat")]
    pub viewer: Option<String>,
    /// How many lines of the log it has.
    #[serde(default)]
    pub log: usize,
    /// The epoch of these lines.
    #[serde(default)]
    pub epoch: u64,
    /// Whether it belongs to the host, who sees what is wrong with files. Nobody else can claim that.
    #[serde(skip)]
    pub host: bool,
}

/// An answer of a seat.
#[derive(Debug, Deserialize)]
pub struct Given {
    /// Whose: the id of a faction.
    pub seat: String,
    /// The key of the option.
    pub key: String,
    /// Whether it is a play beside the decisions.
    #[serde(default)]
    pub aside: bool,
    /// The space whose units march together with the one that is sent by this answer.
    #[serde(default)]
    pub group: Option<String>,
}

/// A scenario to be made.
#[derive(Debug, Deserialize)]
pub struct NewScenario {
    /// Its id.
    pub id: String,
    /// What it shows.
    #[serde(default)]
    pub title: Option<String>,
    /// How many of the last answers it is about; those before only lead there.
    pub last: usize,
    /// After how many answers it ends.
    pub until: usize,
}

/// What a page wishes. Seats are ids of factions.
#[derive(Debug)]
pub enum Wish {
    /// The table as a viewer sees it.
    Look(Asked),
    /// An earlier moment as a viewer saw it, after how many answers.
    Moment(Option<String>, usize),
    /// Answers a decision.
    Answer(Given),
    /// Takes the last answer of a seat back.
    Undo(String),
    /// What an option of a seat leads to, by its key.
    Outlook(String, String),
    /// The chances of a seat in the battle that an option leads to, by its key.
    Odds(String, String),
    /// Why a seat is asked.
    Why(String),
    /// What there is to know about the game, for a viewer.
    Rules(Option<String>),
    /// The numbers of the seats through the game, for a viewer.
    Curves(Option<String>),
    /// The titles of all cards.
    Titles,
    /// All faces of cards in a language; none is that of the game.
    Cards(Option<String>),
    /// One face, by the id of the card design.
    Face(String),
    /// The style sheet of the drawings.
    Style,
    /// A new game with the same players, by its seed.
    New(u64),
    /// Makes the fix of a finding: its place in the list, and its message, so that it is surely the same.
    Fix(usize, String),
    /// Makes the end of the game a scenario of the pack.
    Scenario(NewScenario),
    /// Continues a recorded game in a file of its own; the game so far stays where it is.
    Try(Box<Save>),
    /// Goes back from there.
    Back,
}

/// Where the result of a wish goes.
pub type Reply = oneshot::Sender<Result<Json, Refusal>>;

/// Where pages send their wishes.
#[derive(Clone)]
pub struct Door {
    /// To the game.
    pub wishes: Sender<(Wish, Reply)>,
    /// Grows with every change.
    pub version: watch::Receiver<u64>,
}

impl Door {
    /// What came of a wish.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn ask(&self, wish: Wish) -> Result<Json, Refusal> {
        let (reply, answer) = oneshot::channel();
        let gone = || Refusal(503, "the game has stopped; start the studio again".to_owned());
        self.wishes.send((wish, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}
