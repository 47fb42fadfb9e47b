//! Counters: the numbers (and handles) of a game.

use super::visibility::Visible;
use crate::ids::SymbolId;

/// How many values a counter has, or how many zones a declared zone stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A single one.
    Game,
    /// One for each playable faction.
    Faction,
    /// One for each space. Not for zones.
    Space,
    /// One for each card of the box. Not for zones.
    Card,
}

/// How a counter is computed from the spaces that its owner controls. Both sums are added.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// The property of the controlled spaces to add up.
    pub space: Option<SymbolId>,
    /// The stat of the pieces on them to add up, regardless of their owners.
    pub piece: Option<SymbolId>,
}

/// What a counter holds. Handles are stored as their index plus 1; 0 is nothing.
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
    /// The number of values.
    pub scope: Scope,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// The initial value, before options.
    pub start: i32,
    /// Who may see its values.
    pub visible: Visible,
    /// The total of all its values and the bank, if the supply is limited.
    pub supply: Option<i32>,
    /// Whether displays show it as a track. Bots judge positions by tracks.
    pub track: bool,
    /// Whether it is a setup option, which [`GameConfig`](super::GameConfig) may set. Its scope is then the game.
    pub option: bool,
    /// How it is computed; `None` if it is stored.
    pub derived: Option<Derived>,
    /// What it holds.
    pub holds: Holds,
    /// The index of its first value in the world's flat list. The others follow in id order.
    pub offset: usize,
}
