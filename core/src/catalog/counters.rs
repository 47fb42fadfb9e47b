//! Counters: the numbers (and handles) of a game.

use super::visibility::Visible;
use crate::ids::SymbolId;

/// How many values a counter has, or how many zones a declared zone represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One for the game.
    Game,
    /// One for each playable faction.
    Faction,
    /// One for each space; not for zones.
    Space,
    /// One for each card of the box; not for zones.
    Card,
}

/// How a counter is computed from the spaces that its owner controls: both sums are added.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// Property of the controlled spaces to sum up.
    pub space: Option<SymbolId>,
    /// Stat of the pieces on them to sum up, no matter who owns the pieces.
    pub piece: Option<SymbolId>,
}

/// What a counter keeps. Handles are stored as their position plus 1; 0 is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A number within the counter's bounds.
    Number,
    /// A space, or nothing.
    Space,
    /// A faction, or nothing.
    Faction,
    /// A card, or nothing.
    Card,
    /// A card design, or nothing.
    Design,
}

/// A declared counter or track.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The id that the pack gives it.
    pub id: String,
    /// How many values it has.
    pub scope: Scope,
    /// Least value, included.
    pub min: i32,
    /// Greatest value, included.
    pub max: i32,
    /// Every value when the game begins, before options.
    pub start: i32,
    /// Who may see its values.
    pub visible: Visible,
    /// The sum of all its values and of the bank, if the supply is limited.
    pub supply: Option<i32>,
    /// Whether displays draw it as a track; bots judge by tracks.
    pub track: bool,
    /// Whether it is a setup option, which [`GameConfig`](super::GameConfig) may set; its scope is then the game.
    pub option: bool,
    /// How it is computed; `None` if it is stored.
    pub derived: Option<Derived>,
    /// What it keeps.
    pub holds: Holds,
    /// The position of its first value in the world's flat list; the others follow in id order.
    pub offset: usize,
}
