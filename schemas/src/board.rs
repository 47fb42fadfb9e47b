//! Families of the board: factions, spaces, kinds of pieces, counters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::basics::*;

entity! {
    /// A faction: a seat at the table if it is playable, otherwise a power that only rules and scripts move.
    pub struct Faction {
        /// Unique among factions.
        id: Id,
        /// Whether a player may lead it. Seats follow the order of the file.
        #[serde(default)]
        playable: bool,
        /// Keyword of its group, e.g. `realm` or `power`.
        group: Keyword,
        /// Color word for displays, e.g. `red`.
        color: String,
        /// The recommended opponent in a two-player game, and the default one.
        #[serde(default)]
        rival: Option<FactionRef>,
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
        /// Keyword of its kind, e.g. `land`.
        kind: Keyword,
        /// The faction whose borders enclose it. Omit it or write null if there is none.
        #[serde(default)]
        home: Option<FactionRef>,
        /// Where to draw it: [x to the east, y to the south], in any unit that the pack uses throughout.
        at: (i32, i32),
        /// The spaces next to it. Each of them must list this space too.
        #[serde(default)]
        adjacent: Vec<SpaceRef>,
        /// One-way exits: spaces that can be entered from here, but from which this space cannot be entered.
        #[serde(default)]
        exits: Vec<SpaceRef>,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
        /// Points that its controller has while it controls the space.
        #[serde(default)]
        on_control: Vec<ControlScore>,
        /// Pieces that are here when the game begins.
        #[serde(default)]
        pieces: Vec<StartPieces>,
    }
}

/// Points that a faction has while it controls a space.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlScore {
    /// A counter of scope `faction`.
    pub counter: CounterRef,
    /// How many points, -1000 to 1000.
    #[schemars(range(min = -1000, max = 1000))]
    pub amount: i32,
}

/// Pieces that are on a space when the game begins.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartPieces {
    /// The kind of piece.
    pub kind: KindRef,
    /// The faction that owns them. Omit it or write null if nobody does.
    #[serde(default)]
    pub faction: Option<FactionRef>,
    /// How many. Default: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1000))]
    pub count: u16,
    /// The games in which they are placed. Default: `always`.
    #[serde(default)]
    pub when: StartWhen,
}

/// The games in which starting pieces are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartWhen {
    /// In every game.
    #[default]
    Always,
    /// Only if a seat leads their faction.
    Led,
    /// Only if nobody leads their faction.
    Unled,
}

entity! {
    /// A kind of piece.
    pub struct Kind {
        /// Unique among kinds.
        id: Id,
        /// Keyword of its class, e.g. `cavalry` or `building`.
        class: Keyword,
        /// Whether its pieces occupy a space: they count for control, stop movement and fight. Default: false.
        #[serde(default)]
        occupies: bool,
        /// Whether only its owner and those who see its space can see it (procedure `fog`). Default: false.
        #[serde(default)]
        fogged: bool,
        /// Numbers that procedures and scripts read, 0 to 1000.
        #[serde(default)]
        stats: Stats,
        /// Points for the faction that controls the space it is on.
        #[serde(default)]
        on_control: Vec<ControlScore>,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
        /// The box: all pieces of this kind that exist.
        #[serde(default)]
        supply: Vec<Supply>,
    }
}

/// Pieces of one kind and owner in the box.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Supply {
    /// The faction that owns them. Omit it or write null if nobody does.
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
        /// How many values it has. Default: one for the game.
        #[serde(default)]
        scope: CounterScope,
        /// Whether displays and the log show it by name. Default: true, unless nobody sees it.
        #[serde(default = "yes")]
        shown: bool,
        /// The smallest value. Default: 0.
        #[serde(default)]
        #[schemars(extend("default" = 0))]
        min: Option<i32>,
        /// The largest value. Default: no bound.
        #[serde(default)]
        max: Option<i32>,
        /// The value when the game begins. Default: 0, or `min` if that is higher.
        #[serde(default)]
        start: Option<i32>,
        /// Who may see it. Default: everyone.
        #[serde(default)]
        visible: Visibility,
        /// The fixed total of what all factions and the bank hold.
        #[serde(default)]
        #[schemars(range(min = 0))]
        supply: Option<i32>,
        /// Whether displays show it as a track.
        #[serde(default)]
        track: bool,
        /// Whether it is a setup option, which variants and `--set` can change. Only for scope `game`.
        #[serde(default)]
        option: bool,
        /// How the counter is computed; a derived counter cannot be set. Only for scope `faction`.
        #[serde(default)]
        derived: Option<Derived>,
        /// What it holds instead of a number. It may also be empty.
        #[serde(default)]
        holds: Option<Holds>,
    }
}

/// How many values a counter has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CounterScope {
    /// A single one, which nobody owns.
    #[default]
    Game,
    /// One for each playable faction.
    Faction,
    /// Each space has one.
    Space,
    /// Each card has one.
    Card,
}

/// Who may see something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// All seats and spectators.
    #[default]
    Everyone,
    /// Only the faction it belongs to.
    Owner,
    /// Nobody; only scripts read it.
    Nobody,
    /// Everyone who sees the space (procedure `fog`). Only for counters of scope `space`.
    Fog,
}

impl Visibility {
    /// The word in content files.
    pub fn word(self) -> &'static str {
        match self {
            Visibility::Everyone => "everyone",
            Visibility::Owner => "owner",
            Visibility::Nobody => "nobody",
            Visibility::Fog => "fog",
        }
    }
}

/// A counter that is the sum over the spaces its faction controls.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub struct Derived {
    /// The prop of these spaces to add up.
    #[serde(default)]
    pub space: Option<Keyword>,
    /// The stat of the pieces on these spaces to add up.
    #[serde(default)]
    pub piece: Option<Keyword>,
}

/// What a counter holds instead of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// A space, or nothing.
    Space,
    /// A faction, or nothing.
    Faction,
    /// A card, or nothing.
    Card,
    /// A card design, or nothing.
    Design,
}
