//! What pages get of a game, as types. `studio/types/messages.d.ts` is made from them, so that the page's scripts are
//! checked against them.

use std::collections::BTreeMap;

use principes_app::board::{CounterOnBoard, HandZone, Marks, Name, ZoneOnBoard};
use principes_app::session::{CounterChange, OpenDecision, OptionInWords, PlannedMove, Round, Strike};
use schemars::JsonSchema;
use serde::Serialize;

/// A request was carried out, and there is nothing to say about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Done {}

/// The version of the table, which grows with every change.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct TableVersion {
    /// From 1.
    pub version: u64,
}

/// A moment of the game as a viewer sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MomentPicture {
    /// The title of the game.
    pub title: String,
    /// The viewer, by the id of a faction; null for spectators.
    pub seat: Option<String>,
    /// The drawing of the board.
    pub board: String,
    /// The drawing of the tracks, if there are some.
    pub tracks: Option<String>,
    /// What there is besides the board.
    pub table: TableParts,
    /// The rounds of the game, the outermost first.
    pub rounds: Vec<Round>,
    /// The drawings of cards that lie face down: by the id of a deck, or by the id of a seat and that of its zone.
    pub heaps: BTreeMap<String, String>,
    /// What the viewer must decide.
    pub decisions: Vec<OpenDecision>,
    /// Moves that the viewer has planned.
    pub planned: Vec<PlannedMove>,
    /// The battle that is fought.
    pub battle: Option<BattlePicture>,
    /// The end of the game, once it is over.
    pub over: Option<Ending>,
}

/// What there is on a table besides its board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TableParts {
    /// The current phase.
    pub phase: Option<Name>,
    /// What the marks of spaces mean.
    pub marks: Marks,
    /// Every faction that has ever had a seat.
    pub seats: Vec<SeatPicture>,
    /// Counters of the game.
    pub counters: Vec<CounterOnBoard>,
    /// Open zones of the game.
    pub zones: Vec<ZoneOnBoard>,
    /// Hidden zones of the game.
    pub decks: Vec<ZoneOnBoard>,
    /// The cards that only the viewer sees; null for spectators.
    pub hand: Option<Vec<HandZone>>,
}

/// A seat that has ever been in the game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatPicture {
    /// Who sits there.
    pub faction: Name,
    /// The index of its faction.
    pub index: usize,
    /// Whether it still plays.
    pub playing: bool,
    /// Whether it is the seat's turn.
    pub active: bool,
    /// Who plays it, in words; null if nobody does.
    pub player: Option<String>,
    /// The number of spaces that it controls.
    pub spaces: usize,
    /// Its counters, tracks first.
    pub counters: Vec<CounterOnBoard>,
    /// Its zones that hold cards.
    pub zones: Vec<ZoneOnBoard>,
    /// Its color, such as `#c8352b`.
    pub color: String,
}

/// A battle that is fought now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BattlePicture {
    /// Who fights where.
    pub title: String,
    /// What the attacker does to the defender, and the other way round.
    pub strikes: [Strike; 2],
    /// The color of each side.
    pub colors: [Option<String>; 2],
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ending {
    /// Who won.
    pub end: String,
    /// Why.
    pub cause: Option<String>,
    /// The index of the winner's faction; null if nobody won.
    pub winner: Option<usize>,
}

/// The table as a viewer sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TablePicture {
    /// The current moment.
    #[serde(flatten)]
    pub moment: MomentPicture,
    /// Whether the page belongs to the host.
    pub host: bool,
    /// Pieces that can march together.
    pub groups: Vec<GroupInWords>,
    /// Grows with every change.
    pub version: u64,
    /// Grows when the log no longer continues the lines that the page has.
    pub epoch: u64,
    /// The seats that people play.
    pub humans: Vec<HumanAtTable>,
    /// What the viewer can do besides the decisions.
    pub asides: Vec<OptionInWords>,
    /// The number of answers that the page may know.
    pub steps: usize,
    /// The lines of the log that the page does not have.
    pub log: LogLines,
    /// Whether the viewer can take back the last answer; null if the viewer does not play.
    pub undo: Option<UndoState>,
    /// Whether a trial has interrupted another game.
    pub trial: bool,
    /// The errors in changed files. Only the host gets them.
    pub trouble: Vec<Trouble>,
    /// The languages of the packs.
    pub languages: Vec<String>,
}

/// A seat that a person plays.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HumanAtTable {
    /// The id of its faction.
    pub id: String,
    /// The name of its faction.
    pub name: String,
    /// Whether it must decide now. Only the host learns that.
    pub asked: bool,
}

/// Pieces that can march together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupInWords {
    /// The id of their space.
    pub from: String,
    /// The key of the option that moves the first of them.
    pub key: Option<String>,
    /// Their place and their names.
    pub text: String,
}

/// What a page does not have of the log yet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LogLines {
    /// The number of the first one.
    pub from: usize,
    /// In the order of their numbers.
    pub lines: Vec<LogLine>,
    /// The numbers of lines that report a die, each with the index of its drawing.
    pub rolled: Vec<(usize, usize)>,
    /// The drawings of these dice.
    pub dice: Vec<String>,
}

/// An event, or changes that belong together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LogLine {
    /// The sentence, with all details in parentheses.
    pub text: String,
    /// The sentence for displays that show the owner and the changes beside it.
    pub say: String,
    /// The id of the faction whose piece or counter it is about, if the sentence does not say so.
    pub owner: Option<String>,
    /// The changes of counters that belong to it.
    pub changes: Vec<CounterChange>,
    /// Whether a phase or a round begins with it.
    pub head: bool,
    /// The number of answers before it.
    pub step: usize,
    /// The id of the faction that gave the last of these answers.
    pub by: Option<String>,
}

/// Whether a seat can take back its last answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UndoState {
    /// Whether it can.
    pub can: bool,
    /// Why it cannot.
    pub why: Option<String>,
}

/// What is wrong with changed files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Trouble {
    /// A place in a file.
    Finding(FindingPicture),
    /// Anything else.
    Message {
        /// What is wrong.
        message: String,
    },
}

/// Something wrong at a place of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingPicture {
    /// Such as `P0104`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// The file as users name it.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// What would be right.
    pub help: Option<String>,
    /// The line in three parts: before, at and after the place.
    pub source: Option<[String; 3]>,
    /// What the fix does, if there is one.
    pub fix: Option<String>,
    /// How often the packs had been loaded, so that a page cannot mean a finding that is gone.
    pub load: u64,
}

/// A moment in which the board has changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Frame {
    /// The number of answers before it.
    pub step: usize,
    /// The id of the faction that gave the last answer.
    pub seat: String,
    /// The drawing of the board.
    pub board: String,
}

/// The board after an option.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ghost {
    /// The drawing of the board.
    pub board: String,
    /// The ids of the spaces that change.
    pub spaces: Vec<String>,
}

/// A card of the gallery.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CardPicture {
    /// The id of the design.
    pub id: String,
    /// In the chosen language.
    pub title: String,
    /// The name of its card type.
    #[serde(rename = "type")]
    pub card_type: String,
    /// The text, with numbers filled in.
    pub text: String,
    /// The props, in words.
    pub facts: Vec<String>,
    /// The drawing.
    pub svg: String,
}

/// A card face.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FacePicture {
    /// The id of the design.
    pub id: String,
    /// In the language of the game.
    pub title: String,
    /// The drawing.
    pub svg: String,
}
