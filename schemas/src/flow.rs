//! Families of the flow: phases, procedures, variants.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::basics::*;
use crate::tiles::{Edge, Grid};

entity! {
    /// A phase of the game. It has exactly one of `run`, `each`, `simultaneous` and `repeat`.
    #[schemars(extend("oneOf" = [
        {"required": ["run"]}, {"required": ["each"]}, {"required": ["simultaneous"]}, {"required": ["repeat", "phases"]}
    ]))]
    pub struct Phase {
        /// Unique among phases, including nested ones.
        id: Id,
        /// The script that runs once.
        #[serde(default)]
        run: Option<Function>,
        /// The script that runs for each playing seat in turn order.
        #[serde(default)]
        each: Option<Function>,
        /// The script that runs for all playing seats at once. Answers stay secret until everyone has answered.
        #[serde(default)]
        simultaneous: Option<Function>,
        /// The decision that each seat makes first. Its script receives the answer after the seat: a value or, for an
        /// option with a keyword, the keyword and its values. It receives nothing if there were no options. Only with
        /// `each` and `simultaneous`.
        #[serde(default)]
        choose: Option<PhaseDecision>,
        /// How often the `phases` inside are repeated: a number, or a counter of the game.
        #[serde(default)]
        repeat: Option<Times>,
        /// A counter of the game that counts the loops from 1. Only with `repeat`.
        #[serde(default)]
        counter: Option<CounterRef>,
        /// Phases inside a `repeat`, in order.
        #[serde(default)]
        phases: Vec<Phase>,
    }
}

/// The decision that a seat makes before its script runs.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["spaces"]}, {"required": ["options"]}]))]
pub struct PhaseDecision {
    /// The decision. In its prompt, `{1}` is the seat.
    pub decision: DecisionRef,
    /// The spaces to choose from.
    #[serde(default)]
    pub spaces: Option<SpaceFilter>,
    /// The script that lists the options of the seat, in the form that `choose` takes, with at most two values after a
    /// keyword.
    #[serde(default)]
    pub options: Option<Function>,
    /// Whether to ask even if there is only one option, instead of taking it.
    #[serde(default)]
    pub always: bool,
}

/// The spaces that fit every given field, as `spaces` finds them in scripts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceFilter {
    /// Spaces of this kind.
    #[serde(default)]
    pub kind: Option<Keyword>,
    /// Spaces inside the borders of this faction.
    #[serde(default)]
    pub home: Option<SpaceOwner>,
    /// Spaces that this faction controls.
    #[serde(default)]
    pub controller: Option<SpaceOwner>,
    /// Spaces whose prop of this name is not 0.
    #[serde(default)]
    pub prop: Option<Keyword>,
    /// Spaces that nobody controls.
    #[serde(default)]
    pub neutral: bool,
    /// Spaces without occupying pieces.
    #[serde(default)]
    pub empty: bool,
    /// Spaces without pieces of this kind.
    #[serde(default)]
    pub without: Option<KindRef>,
    /// Among spaces with the same value of this prop, only the first in id order.
    #[serde(default)]
    pub first_of: Option<Keyword>,
    /// Spaces next to the space that this counter of scope `faction` holds for the seat; none if it holds nothing.
    #[serde(default)]
    pub beside: Option<CounterRef>,
}

/// A faction, from the point of view of the seat that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SpaceOwner {
    /// The seat itself.
    Seat,
}

/// How often phases are repeated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Times {
    /// This many times.
    Fixed(#[schemars(range(min = 1, max = 10000))] i32),
    /// As many times as the counter says.
    Counter(CounterRef),
}

/// A procedure of the kernel with the settings of the game. Use each `id` at most once.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "id", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Procedure {
    /// Who controls a space.
    Control {
        /// The kind of piece that blocks home control: a faction controls a home space without units there only while
        /// no such piece is on it.
        #[serde(default)]
        blocked_by: Option<KindRef>,
        /// Warnings to allow here: the code of each, with the reason.
        #[serde(default)]
        allow: Allow,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// How pieces move.
    Movement {
        /// The stat that gives the movement points of a piece.
        stat: Keyword,
        /// The decision whether to let pieces of another faction pass.
        consent: DecisionRef,
        /// The decision that picks a piece, undoes a move, or finishes.
        pick: DecisionRef,
        /// The decision that chooses the destination of the picked piece.
        to: DecisionRef,
        /// Warnings to allow here: the code of each, with the reason.
        #[serde(default)]
        allow: Allow,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// How battles are fought.
    Battle {
        /// The stat for the damage that a piece deals. Die faces and scripts add to the value of the same name.
        strength: Keyword,
        /// The stat for the damage that fells a piece.
        toughness: Keyword,
        /// The stat for the order of casualties: pieces with a lower rank take damage first.
        rank: Keyword,
        /// The name of the stat of pieces, the prop of spaces and the value of die faces that block damage to the
        /// defender.
        fortify: Keyword,
        /// Who wins if both sides or neither side survives.
        tie: Side,
        /// The faces of a die, all equally likely.
        #[schemars(length(min = 1, max = 100))]
        faces: Vec<Face>,
        /// The steps of a battle, in order.
        #[schemars(length(min = 1))]
        steps: Vec<BattleStep>,
        /// Warnings to allow here: the code of each, with the reason.
        #[serde(default)]
        allow: Allow,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// Fog over the board: who sees which space. It hides counters with visibility `fog` and kinds with `fogged`.
    Fog {
        /// A counter of scope `space` whose value has one bit for each playable faction that sees the space.
        counter: CounterRef,
        /// Warnings to allow here: the code of each, with the reason.
        #[serde(default)]
        allow: Allow,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// Tiles: cards with edges, which are laid on the cells of a grid.
    Tiles {
        /// The grid. Its cells are spaces.
        grid: Grid,
        /// The zones that hold laid tiles. Everyone must see them. `lay` uses the first one by default.
        #[schemars(length(min = 1))]
        zones: Vec<ZoneRef>,
        /// The kinds of edges.
        #[schemars(length(min = 1, max = 20))]
        edges: Vec<Edge>,
        /// A query point with the arguments `card`, `space` and `seat`. A tile may not be laid where the point returns
        /// a number other than 0.
        #[serde(default)]
        veto: Option<PointRef>,
        /// Warnings to allow here: the code of each, with the reason.
        #[serde(default)]
        allow: Allow,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// Asides: plays that are open to every seat whenever the game waits for a decision.
    Asides {
        /// The script that lists what a seat may do.
        options: Function,
        /// The script that carries out what a seat chose.
        play: Function,
        /// The decision under which asides are shown.
        decision: DecisionRef,
        /// Warnings to allow here: the code of each, with the reason.
        #[serde(default)]
        allow: Allow,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
}

impl Procedure {
    /// The id of the procedure in the file.
    pub fn id(&self) -> &'static str {
        match self {
            Procedure::Control { .. } => "control",
            Procedure::Movement { .. } => "movement",
            Procedure::Battle { .. } => "battle",
            Procedure::Fog { .. } => "fog",
            Procedure::Tiles { .. } => "tiles",
            Procedure::Asides { .. } => "asides",
        }
    }
}

/// A side of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The side that moved in.
    Attacker,
    /// The side that was already there.
    Defender,
}

/// A face of a battle die: an id, the face on the other side, and its values by name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Face {
    /// The keyword of the face.
    pub id: Keyword,
    /// The face on the other side of the die.
    pub opposite: Keyword,
    /// Values by name, e.g. `"swords": 1`.
    #[serde(flatten)]
    pub values: BTreeMap<String, i32>,
}

/// A step of a battle: something the kernel does, or a script function without arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["do"]}, {"required": ["run"]}]))]
pub struct BattleStep {
    /// The keyword of the step.
    pub id: Keyword,
    /// What the kernel does.
    #[serde(default)]
    pub r#do: Option<BattleAct>,
    /// The script that runs.
    #[serde(default)]
    pub run: Option<Function>,
}

/// What the kernel does in a step of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BattleAct {
    /// Each side rolls its die.
    Roll,
    /// Computes the damage from scratch.
    Count,
    /// Finds the winner.
    Resolve,
}

entity! {
    /// A named set of setup options.
    pub struct Variant {
        /// Unique among variants.
        id: Id,
        /// Values of setup options (counters with `option`).
        #[serde(default)]
        options: OptionValues,
        /// The numbers of seats it is meant for. Default: those of the pack.
        #[serde(default)]
        seats: Option<Seats>,
    }
}

/// The maximum number of seats in a game.
pub const MOST_SEATS: u8 = 63;

/// The smallest and largest number of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seats {
    /// The smallest number, at least 1.
    #[schemars(range(min = 1, max = MOST_SEATS))]
    pub min: u8,
    /// The largest number.
    #[schemars(range(min = 1, max = MOST_SEATS))]
    pub max: u8,
}
