//! Families of the flow: phases, procedures, variants.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::basics::*;

entity! {
    /// A phase of the game. It has exactly one of `run`, `each`, `simultaneous` and `repeat`.
    #[schemars(extend("oneOf" = [
        {"required": ["run"]}, {"required": ["each"]}, {"required": ["simultaneous"]}, {"required": ["repeat", "phases"]}
    ]))]
    pub struct Phase {
        /// Unique among phases, nested ones too.
        id: Id,
        /// Script that runs once.
        #[serde(default)]
        run: Option<Function>,
        /// Script that runs for every playing seat in turn order.
        #[serde(default)]
        each: Option<Function>,
        /// Script that runs for every playing seat at once; choices stay secret until all have made them.
        #[serde(default)]
        simultaneous: Option<Function>,
        /// What each seat is asked first. Its script gets the choice after the seat: a value or, of an option with a keyword,
        /// that and its values; nothing where there is nothing to choose. Only with `each` and `simultaneous`.
        #[serde(default)]
        choose: Option<Question>,
        /// How often the `phases` inside are gone through: a number, or a counter of the game.
        #[serde(default)]
        repeat: Option<Times>,
        /// Counter of the game that shows the number of the loop, from 1. Only with `repeat`.
        #[serde(default)]
        counter: Option<CounterRef>,
        /// Phases inside a `repeat`, in order.
        #[serde(default)]
        phases: Vec<Phase>,
    }
}

/// What a seat is asked before its script.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["spaces"]}, {"required": ["options"]}]))]
pub struct Question {
    /// What kind of decision. In its prompt `{1}` is the seat.
    pub decision: DecisionRef,
    /// Spaces to choose from.
    #[serde(default)]
    pub spaces: Option<SpaceFilter>,
    /// Script that lists options for the seat: what `choose` takes, but at most two values beside a keyword.
    #[serde(default)]
    pub options: Option<Function>,
    /// Whether a single option is asked for too, instead of being taken.
    #[serde(default)]
    pub always: bool,
}

/// Spaces that fit every given field, as `spaces` of scripts finds them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceFilter {
    /// Of this kind.
    #[serde(default)]
    pub kind: Option<Keyword>,
    /// Inside whose borders.
    #[serde(default)]
    pub home: Option<Whose>,
    /// Who controls them.
    #[serde(default)]
    pub controller: Option<Whose>,
    /// Whose property is not 0.
    #[serde(default)]
    pub prop: Option<Keyword>,
    /// Controlled by nobody.
    #[serde(default)]
    pub neutral: bool,
    /// Without occupying pieces.
    #[serde(default)]
    pub empty: bool,
    /// Without pieces of this kind.
    #[serde(default)]
    pub without: Option<KindRef>,
    /// Of the spaces where this property has the same value, only the first in id order.
    #[serde(default)]
    pub first_of: Option<Keyword>,
    /// Beside the space that this counter of factions holds for the seat; none where it holds nothing.
    #[serde(default)]
    pub beside: Option<CounterRef>,
}

/// A faction, seen from whoever is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
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

/// A procedure of the kernel with the game's settings. Each `id` at most once.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "id", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Procedure {
    /// Who controls a space.
    Control {
        /// A piece of this kind on a space ends the control that its home faction has there without units.
        #[serde(default)]
        blocked_by: Option<KindRef>,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// How pieces move.
    Movement {
        /// Stat that gives a piece's movement points.
        stat: Keyword,
        /// Decision: let pieces of another faction pass.
        consent: DecisionRef,
        /// Decision: pick a piece, take a move back, or finish.
        pick: DecisionRef,
        /// Decision: where the picked piece goes.
        to: DecisionRef,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// How battles are fought.
    Battle {
        /// Stat: damage a piece deals. Also the face value and the name under which scripts add to it.
        strength: Keyword,
        /// Stat: damage that topples a piece.
        toughness: Keyword,
        /// Stat: pieces with a lower rank take damage first.
        rank: Keyword,
        /// Stat of pieces and property of spaces: damage that the defender's place wards off. Also the face value.
        fortify: Keyword,
        /// Who wins when both or neither side stands.
        tie: Side,
        /// Faces of a die, all equally likely.
        #[schemars(length(min = 1, max = 100))]
        faces: Vec<Face>,
        /// Steps of a battle in order.
        #[schemars(length(min = 1))]
        steps: Vec<BattleStep>,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// A fog over the board: who sees which space. Counters with visibility `fog` and kinds with `fogged` lie under it.
    Fog {
        /// Counter of spaces whose value has one bit for each playable faction that sees the space.
        counter: CounterRef,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
    /// Plays that are open to every seat whenever the game waits for somebody.
    Asides {
        /// Script that lists what a seat may do.
        options: Function,
        /// Script that does it.
        play: Function,
        /// Decision under which the plays are shown.
        decision: DecisionRef,
        /// A remark for other designers; the game ignores it.
        #[serde(default)]
        notes: Option<String>,
        /// Where it comes from.
        #[serde(default)]
        provenance: Option<Provenance>,
    },
}

impl Procedure {
    /// The id under which the procedure stands in the file.
    pub fn id(&self) -> &'static str {
        match self {
            Procedure::Control { .. } => "control",
            Procedure::Movement { .. } => "movement",
            Procedure::Battle { .. } => "battle",
            Procedure::Fog { .. } => "fog",
            Procedure::Asides { .. } => "asides",
        }
    }
}

/// A side of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Who came.
    Attacker,
    /// Who was there.
    Defender,
}

/// A face of a battle die: an id, the face on the other side, and its values by name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Face {
    /// Keyword of the face.
    pub id: Keyword,
    /// The face on the other side of the die.
    pub opposite: Keyword,
    /// Values by name, e.g. `"swords": 1`.
    #[serde(flatten)]
    pub values: BTreeMap<String, i32>,
}

/// A step of a battle: what the kernel does, or a script function without arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["do"]}, {"required": ["run"]}]))]
pub struct BattleStep {
    /// Keyword of the step.
    pub id: Keyword,
    /// What the kernel does.
    #[serde(default)]
    pub r#do: Option<BattleAct>,
    /// Script that runs.
    #[serde(default)]
    pub run: Option<Function>,
}

/// What the kernel does in a step of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BattleAct {
    /// Each side rolls its die.
    Roll,
    /// Damage is computed from scratch.
    Count,
    /// The winner is found.
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
        /// Numbers of seats that it is for; the pack's unless said.
        #[serde(default)]
        seats: Option<Seats>,
    }
}

/// Least and greatest number of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seats {
    /// Least number, from 1.
    #[schemars(range(min = 1, max = 100))]
    pub min: u8,
    /// Greatest number.
    #[schemars(range(min = 1, max = 100))]
    pub max: u8,
}
