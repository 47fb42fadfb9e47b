//! How many of each thing a game may have. Everything that limits them, such as the checks of packs, uses this table.

/// The most factions. Sets of factions have a bit for each, and one for pieces that belong to nobody.
pub const MOST_FACTIONS: usize = FactionSet::BITS as usize - 1;
/// The most playable factions of a game with fog, whose counter has a bit for each of them and a sign.
pub const MOST_FOG_FACTIONS: usize = i32::BITS as usize - 1;
/// The most spaces, counters, cards, pieces, rules: the ids of each are numbers of 16 bits, and one of them means none.
pub const MOST_ENTITIES: usize = u16::MAX as usize;

/// A set of factions: one bit for each, from the lowest. With all bits set it means everyone, spectators included.
pub type FactionSet = u64;

/// The bit of pieces that belong to nobody.
pub(crate) const NOBODY: u8 = MOST_FACTIONS as u8;
