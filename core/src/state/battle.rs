//! A battle in progress.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// The order of a script to start a battle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FightOrder {
    /// The space, on which both factions have pieces that fight.
    pub space: SpaceId,
    /// The faction that moved in.
    pub attacker: FactionId,
    /// The faction that was there before.
    pub defender: FactionId,
    /// The seat that moved the attacker's pieces, if another seat did.
    pub mover: Option<SeatId>,
}

/// A side of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SideId {
    /// The faction that moved in.
    Attacker,
    /// The faction that was there before.
    Defender,
}

impl SideId {
    /// The other side.
    pub fn other(self) -> SideId {
        match self {
            SideId::Attacker => SideId::Defender,
            SideId::Defender => SideId::Attacker,
        }
    }
}

/// The data of one side of a battle.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Side {
    /// The faction whose pieces fight.
    pub faction: FactionId,
    /// The pieces that entered the battle, in the order in which they take damage.
    pub entered: Vec<PieceId>,
    /// Strength that scripts have added or, if negative, removed.
    pub added_strength: i32,
    /// Shields that scripts have added or, if negative, removed.
    pub added_shields: i32,
    /// The face of its die, as an index into the rule's faces; `None` before the first roll.
    pub face: Option<u8>,
    /// Strength at the last count, at least 0.
    pub strength: i32,
    /// Shields at the last count, at least 0.
    pub shields: i32,
    /// Damage suffered at the last count, at least 0.
    pub damage: i32,
}

/// A battle in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Where it is fought.
    pub space: SpaceId,
    /// The side that moved in.
    pub attacker: Side,
    /// The side that was there before.
    pub defender: Side,
    /// The seat that moved the attacker's pieces, if another seat did.
    pub mover: Option<SeatId>,
    /// The next step, as an index into the rule's list.
    pub step: usize,
    /// The winner, once it is decided.
    pub winner: Option<SideId>,
}

impl Battle {
    /// The attacker or the defender.
    pub fn side(&self, side: SideId) -> &Side {
        match side {
            SideId::Attacker => &self.attacker,
            SideId::Defender => &self.defender,
        }
    }
    pub(crate) fn side_mut(&mut self, side: SideId) -> &mut Side {
        match side {
            SideId::Attacker => &mut self.attacker,
            SideId::Defender => &mut self.defender,
        }
    }
}
