//! Families of the board: factions, spaces, kinds of pieces, counters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::basics::*;

entity! {
    /// A faction: a seat at the table if it is playable, else a power that only rules and scripts move.
    pub struct Faction {
        /// Unique among factions.
        id: Id,
        /// Whether a player may lead it. Seat order is the order of the file.
        #[serde(default)]
        playable: bool,
        /// Group keyword, e.g. `realm` or `power`.
        group: Keyword,
        /// Colour word for displays, e.g. `red`.
        colour: String,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
    }
}

entity! {
    /// A space of the board.
    pub struct Space {
        /// Unique among spaces.
        id: Id,
        /// Kind keyword, e.g. `land`.
        kind: Keyword,
        /// The faction inside whose borders it lies; null or left out: none.
        #[serde(default)]
        home: Option<FactionRef>,
        /// Where to draw it: [x to the east, y to the south], in units of the pack's choice.
        at: (i32, i32),
        /// Spaces that border on it. Each of them must list this one too.
        #[serde(default)]
        adjacent: Vec<SpaceRef>,
        /// Spaces that can be entered from here, but not the other way.
        #[serde(default)]
        exits: Vec<SpaceRef>,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
        /// Points that its controller gains here and loses with it.
        #[serde(default)]
        on_control: Vec<ControlScore>,
        /// Pieces that stand here when the game begins.
        #[serde(default)]
        pieces: Vec<StartPieces>,
    }
}

/// Points that the controller of a space gains there and loses with it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlScore {
    /// A counter of scope `faction`.
    pub counter: CounterRef,
    /// How many points, -1000 to 1000.
    #[schemars(range(min = -1000, max = 1000))]
    pub amount: i32,
}

/// Pieces that stand on a space when the game begins.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartPieces {
    /// Kind of piece.
    pub kind: KindRef,
    /// Whose; null or left out: nobody's.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// How many; 1 unless said.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1000))]
    pub count: u16,
    /// In which games they are placed; `always` unless said.
    #[serde(default)]
    pub when: StartWhen,
}

/// In which games start pieces are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartWhen {
    /// In every game.
    #[default]
    Always,
    /// If a seat leads their faction.
    Led,
    /// If nobody leads their faction.
    Unled,
}

entity! {
    /// A kind of piece.
    pub struct Kind {
        /// Unique among kinds.
        id: Id,
        /// Class keyword, e.g. `cavalry` or `building`.
        class: Keyword,
        /// Whether its pieces hold a space: they count for control, stop movement and fight. No unless said.
        #[serde(default)]
        occupies: bool,
        /// Whether only its owner and those who see its space see it (procedure `fog`). No unless said.
        #[serde(default)]
        fogged: bool,
        /// Numbers that procedures and scripts read, 0 to 1000.
        #[serde(default)]
        stats: Stats,
        /// Points for who controls the space it stands on.
        #[serde(default)]
        on_control: Vec<ControlScore>,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
        /// The box: every piece of this kind that exists.
        #[serde(default)]
        supply: Vec<Supply>,
    }
}

/// Pieces of one kind and owner in the box.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Supply {
    /// Whose; null or left out: nobody's.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// How many.
    #[schemars(range(min = 1, max = 1000))]
    pub count: u16,
}

entity! {
    /// A counter or track.
    pub struct Counter {
        /// Unique among counters.
        id: Id,
        /// How many values it has; one for the game unless said.
        #[serde(default)]
        scope: CounterScope,
        /// Least value; 0 unless said.
        #[serde(default)]
        #[schemars(extend("default" = 0))]
        min: Option<i32>,
        /// Greatest value; no bound unless said.
        #[serde(default)]
        max: Option<i32>,
        /// Value when the game begins; 0, or the least value where that is higher, unless said.
        #[serde(default)]
        start: Option<i32>,
        /// Who may see it; everyone unless said.
        #[serde(default)]
        visible: Visibility,
        /// The amounts of all factions and the bank together are always this many.
        #[serde(default)]
        #[schemars(range(min = 0))]
        supply: Option<i32>,
        /// Whether displays show it as a track.
        #[serde(default)]
        track: bool,
        /// Whether it is a setup option, which variants and `--set` may change. Scope `game` only.
        #[serde(default)]
        option: bool,
        /// The counter is computed and cannot be set. Scope `faction` only.
        #[serde(default)]
        derived: Option<Derived>,
        /// It keeps a handle or nothing instead of a number.
        #[serde(default)]
        holds: Option<Holds>,
    }
}

/// How many values a counter has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CounterScope {
    /// One.
    #[default]
    Game,
    /// One for each playable faction.
    Faction,
    /// One for each space.
    Space,
    /// One for each card.
    Card,
}

/// Who may see something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Everyone.
    #[default]
    Everyone,
    /// Only the faction it belongs to.
    Owner,
    /// Nobody; only scripts read it.
    Nobody,
    /// Whoever sees the space (procedure `fog`); only for counters of spaces.
    Fog,
}

/// A counter that is the sum over the spaces its faction controls.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub struct Derived {
    /// Property of the spaces that is added up.
    #[serde(default)]
    pub space: Option<Keyword>,
    /// Stat of the pieces on them that is added up.
    #[serde(default)]
    pub piece: Option<Keyword>,
}

/// What a counter keeps instead of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// A space or nothing.
    Space,
    /// A faction or nothing.
    Faction,
    /// A card or nothing.
    Card,
    /// A card design or nothing.
    Design,
}
