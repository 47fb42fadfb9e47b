//! Scenarios: given, when, then.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::basics::*;

entity! {
    /// A scenario: the table at the start, what happens, and what must be true at the end.
    #[derive(PartialEq)]
    pub struct Scenario {
        /// Unique among the pack's scenarios; also the name of its section in the snapshot file.
        id: Id,
        /// What it shows, in a few words.
        title: String,
        /// The ids of the rules it tests, e.g. `AB-CD-02`.
        #[serde(default)]
        #[schemars(inner(regex(pattern = r"^[A-Z][A-Z0-9]*(-[A-Za-z0-9]+)+$")))]
        rules: Vec<String>,
        /// The factions that are led. Default: all playable ones.
        #[serde(default)]
        seats: Option<Vec<FactionRef>>,
        /// The seed of the random numbers. Default: 1.
        #[serde(default)]
        seed: Option<u64>,
        /// The variant to play.
        #[serde(default)]
        variant: Option<Id>,
        /// Values of setup options.
        #[serde(default)]
        options: OptionValues,
        /// Changes to the table after setup, in order.
        #[serde(default)]
        given: Vec<Edit>,
        /// What to start. If omitted or null, the game continues from the first decision.
        #[serde(default)]
        #[schemars(extend("x-null" = true))]
        run: Option<Run>,
        /// The results of the next dice: names of faces, or numbers from 1.
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
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
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

keyed!(Edit { "counter" => Counter, "place" => Place, "remove" => Remove, "card" => Card, "clear" => Clear });

/// Sets a counter.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["counter", "set"]))]
pub struct EditCounter {
    /// The counter. If it has an owner, name it in `of`.
    pub counter: CounterRef,
    /// The owner of the value: a faction, space or card.
    #[serde(default)]
    pub of: Option<OwnerRef>,
    /// The new value: a number, or the id of what it holds; null if it holds nothing.
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
    /// The counter holds no id.
    Nothing,
}

/// Places pieces from the pool.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditPlace {
    /// The kind of piece.
    pub place: KindRef,
    /// The faction that owns them. Omit it or write null if nobody does.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// The space to place them on.
    pub at: SpaceRef,
    /// How many. Default: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1000))]
    pub count: u16,
}

/// Takes pieces off the board, into the pool.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditRemove {
    /// The kind of piece.
    pub remove: KindRef,
    /// The faction that owns them. If omitted or null, any owner or none.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// A space, or `map` for all spaces.
    pub from: PlaceRef,
    /// The most to remove. Default: all.
    #[serde(default)]
    pub count: Option<u16>,
}

/// Puts one copy of a card somewhere, or lays a tile.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditCard {
    /// The design.
    pub card: CardRef,
    /// The zone it goes to.
    pub to: ZoneRef,
    /// The owner of the zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// The cell on which the tile is laid.
    #[serde(default)]
    pub at: Option<SpaceRef>,
    /// The rotation of the laid tile, in sides clockwise. Default: 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 5))]
    pub rotation: Option<u8>,
    /// The end of the zone to put it at. Default: top.
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
    /// The owner of the zone. If omitted or null, the zone of the game, or the zones of all seats.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// The zone of the game that receives the cards.
    pub to: ZoneRef,
}

/// What a scenario starts.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Run {
    /// A script function.
    Hook(RunHook),
    /// The hook of one card or rule, live or not.
    Perform(RunPerform),
    /// The flow, starting at a phase.
    Phase(RunPhase),
}

keyed!(Run { "hook" => Hook, "perform" => Perform, "phase" => Phase });

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
    /// A phase of the flow, at any depth.
    pub phase: PhaseRef,
}

/// An argument of a script function: a whole number, a keyword, a reference such as `space:harbor`, or null.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-null" = true))]
pub enum Argument {
    /// A number, a keyword, true or false.
    Value(PropValue),
    /// The function receives nil.
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
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Step {
    /// A seat answers a decision.
    Choose(StepChoose),
    /// A seat makes an aside: a play that is open beside every decision.
    Aside(StepAside),
    /// Something must be true now.
    Expect(StepExpect),
    /// The table is changed.
    Edit(StepEdit),
    /// A script function is called.
    Call(StepCall),
    /// The last answers are undone.
    Undo(StepUndo),
}

keyed!(Step { "choose" => Choose, "aside" => Aside, "expect" => Expect, "edit" => Edit, "call" => Call, "undo" => Undo });

/// A seat answers a decision.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepChoose {
    /// The faction that answers.
    pub seat: FactionRef,
    /// The key of the option, e.g. `move knight harbor`.
    pub choose: String,
    /// The decision that must be open.
    #[serde(default)]
    pub decision: Option<DecisionRef>,
}

/// A seat makes an aside: a play that is open beside every decision.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepAside {
    /// The faction that makes it.
    pub seat: FactionRef,
    /// The key of the option.
    pub aside: String,
}

/// Something must be true in the middle of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepExpect {
    /// What must be true.
    pub expect: Expect,
}

/// The table is changed in the middle of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepEdit {
    /// The change.
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

/// The last answers are undone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepUndo {
    /// How many answers to undo.
    #[schemars(range(min = 1, max = 1000))]
    pub undo: u32,
}

/// Something that must be true.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Expect {
    /// A counter has a value.
    Counter(ExpectCounter),
    /// Somebody or nobody controls a space.
    Control(ExpectControl),
    /// The number of pieces that match a filter.
    Pieces(ExpectPieces),
    /// The number of cards in a zone.
    Zone(ExpectZone),
    /// A card is in a zone.
    Card(ExpectCard),
    /// A decision is open, or none is.
    Pending(ExpectPending),
    /// An option is offered.
    Offered(ExpectOffered),
    /// An option is not offered.
    Refused(ExpectRefused),
    /// A seat sees something.
    Sees(ExpectSees),
    /// A seat does not see something.
    Hides(ExpectHides),
    /// A script message was logged.
    Logged(ExpectLogged),
    /// The game is over, or is not.
    Outcome(ExpectOutcome),
    /// A script failed.
    Error(ExpectError),
}

keyed!(Expect { "counter" => Counter, "control" => Control, "pieces" => Pieces, "zone" => Zone, "card" => Card, "pending" => Pending, "offered" => Offered, "refused" => Refused, "sees" => Sees, "hides" => Hides, "logged" => Logged, "outcome" => Outcome, "error" => Error });

/// A counter has a value.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["counter", "is"]))]
pub struct ExpectCounter {
    /// The counter. If it has an owner, name it in `of`.
    pub counter: CounterRef,
    /// The owner of the value: a faction, space or card.
    #[serde(default)]
    pub of: Option<OwnerRef>,
    /// The value: a number, or the id of what it holds; null if it holds nothing.
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

/// The number of pieces that match a filter.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectPieces {
    /// Which pieces to count.
    pub pieces: PieceFilter,
    /// How many pieces must match.
    #[schemars(range(min = 0))]
    pub is: i32,
}

/// Which pieces are counted.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceFilter {
    /// Pieces on this space.
    #[serde(default)]
    pub at: Option<SpaceRef>,
    /// Pieces of this faction. If omitted or null, any owner or none.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// Pieces of this kind.
    #[serde(default)]
    pub kind: Option<KindRef>,
    /// On the map or in the pool. Default: both.
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

/// The number of cards in a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectZone {
    /// The zone. If it has an owner, name it in `of`.
    pub zone: ZoneRef,
    /// The owner of the zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// How many cards it must hold.
    #[schemars(range(min = 0))]
    pub is: i32,
}

/// A copy of a card is in a zone, or a tile lies on a cell.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectCard {
    /// The design.
    pub card: CardRef,
    /// The zone.
    pub r#in: ZoneRef,
    /// The owner of the zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
    /// The cell on which the tile lies. Default: not checked.
    #[serde(default)]
    pub at: Option<SpaceRef>,
    /// Its rotation. Default: not checked.
    #[serde(default)]
    #[schemars(range(min = 0, max = 5))]
    pub rotation: Option<u8>,
    /// The end of the zone at which it must be. Default: anywhere.
    #[serde(default)]
    pub position: Option<Position>,
}

/// A decision is open, or none is.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["pending"]))]
pub struct ExpectPending {
    /// The seat that must choose, and what; null means that no decision is open.
    #[schemars(extend("x-null" = true))]
    pub pending: Option<PendingFilter>,
}

/// Which decision is open.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingFilter {
    /// The seat that must choose.
    pub seat: FactionRef,
    /// The decision. Default: any.
    #[serde(default)]
    pub decision: Option<DecisionRef>,
}

/// An option is offered.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectOffered {
    /// The key of the option.
    pub offered: String,
    /// The seat that must have it. Default: any seat.
    #[serde(default)]
    pub seat: Option<FactionRef>,
}

/// An option is not offered.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectRefused {
    /// The key of the option.
    pub refused: String,
    /// The seat that must not have it. Default: no seat may have it.
    #[serde(default)]
    pub seat: Option<FactionRef>,
}

/// A seat sees something in its view of the game.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectSees {
    /// What it sees.
    pub sees: Sight,
    /// The seat. Default: a spectator.
    #[serde(default)]
    pub seat: Option<FactionRef>,
}

/// A seat does not see something in its view of the game.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectHides {
    /// What is hidden from it.
    pub hides: Sight,
    /// The seat. Default: a spectator.
    #[serde(default)]
    pub seat: Option<FactionRef>,
}

/// Something that a seat may see.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Sight {
    /// The value of a counter.
    Counter(SightOfCounter),
    /// A copy of a card in a zone.
    Card(SightOfCard),
    /// The faces of all cards in a zone.
    Zone(SightOfZone),
    /// All pieces on a space.
    Space(SightOfSpace),
}

keyed!(Sight { "counter" => Counter, "card" => Card, "zone" => Zone, "space" => Space });

/// The value of a counter.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightOfCounter {
    /// The counter. If it has an owner, name it in `of`.
    pub counter: CounterRef,
    /// The owner of the value: a faction, space or card.
    #[serde(default)]
    pub of: Option<OwnerRef>,
}

/// A copy of a card in a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightOfCard {
    /// The design.
    pub card: CardRef,
    /// The zone that holds it.
    pub r#in: ZoneRef,
    /// The owner of the zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
}

/// The faces of all cards in a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightOfZone {
    /// The zone. If it has an owner, name it in `of`.
    pub zone: ZoneRef,
    /// The owner of the zone.
    #[serde(default)]
    pub of: Option<FactionRef>,
}

/// All pieces on a space.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightOfSpace {
    /// Where the pieces are.
    pub space: SpaceRef,
}

/// A script message was logged.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectLogged {
    /// The key of the message, without `log.`.
    pub logged: String,
}

/// The game is over, or is not.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["outcome"]))]
pub struct ExpectOutcome {
    /// Why the game ended; null means it has not.
    #[schemars(extend("x-null" = true))]
    pub outcome: Option<Keyword>,
    /// The seat that won. If omitted or null, the winner is not checked.
    #[serde(default)]
    pub winner: Option<FactionRef>,
}

/// A script failed.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectError {
    /// Part of the error message.
    pub error: String,
}
