//! Settings of the battle procedure.

use super::pieces::{Kind, PieceBox};
use super::props::Props;
use crate::ids::*;

/// One face of the battle die.
#[derive(Clone, Debug)]
pub struct Face {
    /// The keyword of the face, in scripts and events.
    pub id: SymbolId,
    /// Its values, by the names of the stats in [`BattleRule`], and any other values for scripts.
    pub values: Props,
    /// The face on the other side of the die, as an index into [`BattleRule::faces`].
    pub opposite: u8,
}

/// What happens next in a battle, as the content declares it.
#[derive(Clone, Copy, Debug)]
pub enum BattleStep {
    /// Both sides roll, the attacker first.
    Roll,
    /// Strength, shields and damage are computed from scratch.
    Count,
    /// The last count decides the winner.
    Resolve,
    /// A script runs. It may ask for decisions and change the base of the next count.
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
    /// The contribution of each kind to a battle, one entry per kind.
    pub fighters: Vec<Fighter>,
    /// The faces of a die; empty if there are no dice. At most 256.
    pub faces: Vec<Face>,
    /// The steps in order, each with the keyword that packs use to insert their own.
    pub steps: Vec<(SymbolId, BattleStep)>,
    /// Whether the defender wins if both sides lose the same; otherwise the attacker does.
    pub defender_wins_ties: bool,
}

impl BattleRule {
    /// The contribution of a piece to a battle.
    pub fn fighter(&self, pieces: &PieceBox, piece: PieceId) -> Fighter {
        self.fighters[pieces[piece.index()].kind.index()]
    }
}

/// The contribution of a piece of one kind to a battle: its stats, by the names of the procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fighter {
    /// Whether it fights. True for kinds that occupy spaces.
    pub fights: bool,
    /// The damage that it deals.
    pub strength: i32,
    /// The damage that fells it; less than 1 counts as 1.
    pub toughness: i32,
    /// Pieces of a lower rank take damage first.
    pub rank: i32,
    /// The damage that it wards off for the defender.
    pub fortify: i32,
}

impl Fighter {
    /// The fighter of each kind, in the order of `kinds`. The stats are in the order of the fields.
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
