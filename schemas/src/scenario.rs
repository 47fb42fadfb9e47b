//! Scenarios: given, when, then.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::basics::*;

entity! {
    /// One scenario: a table as it is given, what happens, and what must be true then.
    #[derive(PartialEq)]
    pub struct Scenario {
        /// Unique among the pack's scenarios; also the name of its snapshot.
        id: Id,
        /// What it shows, in a few words.
        title: String,
        /// Ids of the rules that it tests, e.g. `AB-CD-02`.
        #[serde(default)]
        #[schemars(inner(regex(pattern = r"^[A-Z][A-Z0-9]*(-[A-Za-z0-9]+)+$")))]
        rules: Vec<String>,
        /// Factions that are led; all playable ones unless said.
        #[serde(default)]
        seats: Option<Vec<FactionRef>>,
        /// Seed of all chance; 1 unless said.
        #[serde(default)]
        seed: Option<u64>,
        /// The variant that is played.
        #[serde(default)]
        variant: Option<Id>,
        /// Values of setup options.
        #[serde(default)]
        options: OptionValues,
        /// Changes to the table after setup, in order.
        #[serde(default)]
        given: Vec<Edit>,
        /// What is started; null or left out: nothing, the game goes on from where it stands.
        #[serde(default)]
        #[schemars(extend("x-null" = true))]
        run: Option<Run>,
        /// Results of the next dice: names of faces, or numbers from 1.
        #[serde(default)]
        dice: Vec<Die>,
        /// What the seats do, in order.
        #[serde(default)]
        when: Vec<Step>,
        /// What must be true at the end.
        #[serde(default)]
        then: Vec<Expect>,
    }
}

/// A change to the table.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Edit {
    /// Sets a counter.
    Counter(EditCounter),
    /// Places pieces from the pool.
    Place(EditPlace),
    /// Takes pieces off the board.
    Remove(EditRemove),
    /// Puts a card somewhere.
    Card(EditCard),
    /// Empties a zone.
    Clear(EditClear),
}

/// Sets a counter.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["counter", "set"]))]
pub struct EditCounter {
    /// The counter.
    pub counter: CounterRef,
    /// Whose value: a faction, space or card.
    #[serde(default)]
    pub of: Option<OwnerRef>,
    /// The new value: a number, or the id of what it holds; null for nothing.
    pub set: CounterValue,
}

/// A value of a counter: a number, an id, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-null" = true))]
pub enum CounterValue {
    /// A number.
    Int(i32),
    /// The id of a faction, space, card or design.
    Held(OwnerRef),
    /// Nothing.
    Nothing,
}

/// Places pieces from the pool.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditPlace {
    /// Kind of piece.
    pub place: KindRef,
    /// Whose; null or left out: nobody's.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// Where.
    pub at: SpaceRef,
    /// How many; 1 unless said.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1000))]
    pub count: u16,
}

/// Takes pieces off the board, into the pool.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditRemove {
    /// Kind of piece.
    pub remove: KindRef,
    /// Whose; null or left out: anybody's.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// A space, or `map` for all.
    pub from: PlaceRef,
    /// At most how many; all unless said.
    #[serde(default)]
    pub count: Option<u16>,
}

/// Puts one copy of a card somewhere.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditCard {
    /// The design.
    pub card: CardRef,
    /// The zone it goes to.
    pub to: ZoneRef,
    /// Whose zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// Top or bottom; top unless said.
    #[serde(default)]
    pub position: Position,
}

/// An end of a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// The first card.
    #[default]
    Top,
    /// The last card.
    Bottom,
}

/// Empties a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditClear {
    /// The zone to empty.
    pub clear: ZoneRef,
    /// Whose zone; null or left out: the game's, or everybody's.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// The zone of the game that the cards go to.
    pub to: ZoneRef,
}

/// What a scenario starts.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Run {
    /// A script function.
    Hook(RunHook),
    /// The hook of one card or rule, live or not.
    Perform(RunPerform),
    /// The flow from a phase on.
    Phase(RunPhase),
}

/// Calls a script function.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunHook {
    /// `module.function`.
    pub hook: Function,
    /// Its arguments.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub args: Vec<Argument>,
}

/// Performs one hook of a card or rule.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunPerform {
    /// The card or rule.
    pub perform: PerformerRef,
    /// The hook point.
    pub point: PointRef,
    /// The seat that performs it.
    #[serde(default)]
    pub seat: Option<FactionRef>,
    /// Further arguments.
    #[serde(default)]
    #[schemars(length(max = 3))]
    pub args: Vec<Argument>,
}

/// Starts the flow at a phase.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunPhase {
    /// The phase.
    pub phase: PhaseRef,
}

/// An argument of a script function: a whole number, a keyword, a reference such as `space:harbour`, or null.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-null" = true))]
pub enum Argument {
    /// A value.
    Value(PropValue),
    /// Nothing.
    Nothing,
}

/// The result of a die.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Die {
    /// A number from 1.
    Number(#[schemars(range(min = 1, max = 1000))] u32),
    /// A face of the battle die.
    Face(Keyword),
}

/// One step of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Step {
    /// A seat answers a decision.
    Choose(StepChoose),
    /// A seat makes a play at any time.
    Aside(StepAside),
    /// Something must be true now.
    Expect(StepExpect),
    /// The table is changed.
    Edit(StepEdit),
    /// A script function is called.
    Call(StepCall),
    /// The last answers are taken back.
    Undo(StepUndo),
}

/// A seat answers a decision.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepChoose {
    /// Who.
    pub seat: FactionRef,
    /// Key of the option, e.g. `move knight harbour`.
    pub choose: String,
    /// The decision that must be open.
    #[serde(default)]
    pub decision: Option<DecisionRef>,
}

/// A seat makes a play at any time.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepAside {
    /// Who.
    pub seat: FactionRef,
    /// Key of the option.
    pub aside: String,
}

/// Something must be true in the middle of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepExpect {
    /// What.
    pub expect: Expect,
}

/// The table is changed in the middle of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepEdit {
    /// How.
    pub edit: Edit,
}

/// A script function is called in the middle of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepCall {
    /// `module.function`.
    pub call: Function,
    /// Its arguments.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub args: Vec<Argument>,
}

/// Answers are taken back.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepUndo {
    /// How many answers.
    #[schemars(range(min = 1, max = 1000))]
    pub undo: u32,
}

/// Something that must be true.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Expect {
    /// A counter has a value.
    Counter(ExpectCounter),
    /// Somebody or nobody controls a space.
    Control(ExpectControl),
    /// So many pieces.
    Pieces(ExpectPieces),
    /// So many cards in a zone.
    Zone(ExpectZone),
    /// A card is in a zone.
    Card(ExpectCard),
    /// A decision is open, or none.
    Pending(ExpectPending),
    /// An option is offered.
    Offered(ExpectOffered),
    /// An option is not offered.
    Refused(ExpectRefused),
    /// A script message was logged.
    Logged(ExpectLogged),
    /// The game is over, or not.
    Outcome(ExpectOutcome),
    /// A script failed.
    Error(ExpectError),
}

/// A counter has a value.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["counter", "is"]))]
pub struct ExpectCounter {
    /// The counter.
    pub counter: CounterRef,
    /// Whose value: a faction, space or card.
    #[serde(default)]
    pub of: Option<OwnerRef>,
    /// The value: a number, or the id of what it holds; null for nothing.
    pub is: CounterValue,
}

/// Somebody or nobody controls a space.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["control", "is"]))]
pub struct ExpectControl {
    /// The space.
    pub control: SpaceRef,
    /// Its controller; null for nobody.
    pub is: Option<FactionRef>,
}

/// So many pieces.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectPieces {
    /// Which ones.
    pub pieces: PieceFilter,
    /// How many.
    #[schemars(range(min = 0))]
    pub is: i32,
}

/// Which pieces are counted.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceFilter {
    /// On this space.
    #[serde(default)]
    pub at: Option<SpaceRef>,
    /// Of this faction; null or left out: anybody's.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// Of this kind.
    #[serde(default)]
    pub kind: Option<KindRef>,
    /// On the map or in the pool; anywhere unless said.
    #[serde(default)]
    pub on: Option<PieceArea>,
}

/// Where pieces can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PieceArea {
    /// On a space.
    Map,
    /// In the box or the owner's pool.
    Pool,
}

/// So many cards in a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectZone {
    /// The zone.
    pub zone: ZoneRef,
    /// Whose zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// How many cards.
    #[schemars(range(min = 0))]
    pub is: i32,
}

/// A copy of a card is in a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectCard {
    /// The design.
    pub card: CardRef,
    /// The zone.
    pub r#in: ZoneRef,
    /// Whose zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// At which end; anywhere unless said.
    #[serde(default)]
    pub position: Option<Position>,
}

/// A decision is open, or none.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["pending"]))]
pub struct ExpectPending {
    /// Who must choose; null: nobody.
    #[schemars(extend("x-null" = true))]
    pub pending: Option<PendingFilter>,
}

/// Which decision is open.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingFilter {
    /// Who must choose.
    pub seat: FactionRef,
    /// The kind of decision; any unless said.
    #[serde(default)]
    pub decision: Option<DecisionRef>,
}

/// An option is offered.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectOffered {
    /// Key of the option.
    pub offered: String,
    /// To whom; to anybody unless said.
    #[serde(default)]
    pub seat: Option<FactionRef>,
}

/// An option is not offered.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectRefused {
    /// Key of the option.
    pub refused: String,
    /// To whom; to anybody unless said.
    #[serde(default)]
    pub seat: Option<FactionRef>,
}

/// A script message was logged.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectLogged {
    /// Key of the message without `log.`.
    pub logged: String,
}

/// The game is over, or not.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["outcome"]))]
pub struct ExpectOutcome {
    /// Why the game ended; null: it has not.
    #[schemars(extend("x-null" = true))]
    pub outcome: Option<Keyword>,
    /// Who won; null or left out: not looked at.
    #[serde(default)]
    pub winner: Option<FactionRef>,
}

/// A script failed.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectError {
    /// Part of the error's text.
    pub error: String,
}
