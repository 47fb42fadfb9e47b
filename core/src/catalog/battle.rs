//! Settings of the battle procedure.

use super::pieces::{Kind, PieceBox};
use super::props::Props;
use crate::ids::*;

/// One face of the battle die.
#[derive(Clone, Debug)]
pub struct Face {
    /// The keyword that names it, in scripts and events.
    pub id: SymbolId,
    /// What it adds, by the names of the stats in [`BattleRule`], and whatever else scripts read there.
    pub values: Props,
    /// The face on the other side of the die: a position in [`BattleRule::faces`].
    pub opposite: u8,
}

/// A step of a battle.
#[derive(Clone, Copy, Debug)]
pub enum BattleStep {
    /// Both sides roll, the attacker first.
    Roll,
    /// Strength, shields and damage are computed from scratch.
    Count,
    /// The winner is found by the last count.
    Resolve,
    /// A script runs; it may ask, and change what the next count starts from.
    Run(HookId),
}

/// How battles are fought.
#[derive(Clone, Debug)]
pub struct BattleRule {
    /// Stat of kinds: the damage a piece deals. Dice and scripts add to it under the same name.
    pub strength: SymbolId,
    /// Stat of kinds and property of spaces: damage that the defender wards off. Dice and scripts add to it for either
    /// side under the same name.
    pub fortify: SymbolId,
    /// What each kind brings to a battle, one entry per kind.
    pub fighters: Vec<Fighter>,
    /// Faces of a die; empty if nobody rolls. At most 256.
    pub faces: Vec<Face>,
    /// Steps in order, each under the keyword that packs use to insert theirs.
    pub steps: Vec<(SymbolId, BattleStep)>,
    /// Whether the defender wins if both sides lose the same; otherwise the attacker.
    pub defender_wins_ties: bool,
}

impl BattleRule {
    /// What a piece of the box brings to a battle.
    pub fn fighter(&self, pieces: &PieceBox, piece: PieceId) -> Fighter {
        self.fighters[pieces[piece.index()].kind.index()]
    }
}

/// What a piece of one kind brings to a battle: its stats under the names that the procedure has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fighter {
    /// Whether it takes part; true of kinds that hold spaces.
    pub fights: bool,
    /// Damage it deals.
    pub strength: i32,
    /// Damage that topples it; less than 1 counts as 1.
    pub toughness: i32,
    /// Pieces of a lower rank take damage first.
    pub rank: i32,
    /// Damage it wards off for the defender.
    pub fortify: i32,
}

impl Fighter {
    /// The fighter of each kind, in the order of `kinds`. The stats are named in the order of the fields.
    pub fn all(kinds: &[Kind], [strength, toughness, rank, fortify]: [SymbolId; 4]) -> Vec<Fighter> {
        let of = |kind: &Kind| Fighter {
            fights: kind.occupies,
            strength: kind.stats.int(strength),
            toughness: kind.stats.int(toughness),
            rank: kind.stats.int(rank),
            fortify: kind.stats.int(fortify),
        };
        kinds.iter().map(of).collect()
    }
}
