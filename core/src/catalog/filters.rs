//! Which spaces and which pieces a rule is about. Every field that is set must fit; the default fits everything.

use crate::ids::*;

/// A kind of piece, or all kinds of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindOrClass {
    /// This kind.
    Kind(KindId),
    /// Every kind of this class.
    Class(SymbolId),
}

/// Which pieces a filter picks.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceFilter {
    /// On this space.
    pub at: Option<SpaceId>,
    /// Owned by this faction.
    pub owner: Option<FactionId>,
    /// Of this kind.
    pub kind: Option<KindId>,
    /// Of a kind of this class.
    pub class: Option<SymbolId>,
    /// True: only pieces that hold a space ([`Kind::occupies`](super::Kind::occupies)); false: only others.
    pub occupying: Option<bool>,
    /// True: only pieces on some space; false: only those in the pool.
    pub on_map: Option<bool>,
}

/// Which spaces a filter picks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SpaceFilter {
    /// Of this kind ([`Space::kind`](super::Space::kind)).
    pub kind: Option<SymbolId>,
    /// Inside the borders of this faction.
    pub home: Option<FactionId>,
    /// Controlled by this seat.
    pub controller: Option<SeatId>,
    /// Controlled by somebody else or by nobody.
    pub uncontrolled_by: Option<SeatId>,
    /// Controlled by nobody.
    pub neutral: bool,
    /// With this property, and not 0 there.
    pub prop: Option<SymbolId>,
    /// Without pieces that hold a space.
    pub empty: bool,
    /// Without pieces of this kind or class.
    pub without: Option<KindOrClass>,
    /// With fewer pieces of this kind or class than the space's property of this name says.
    pub fewer: Option<(KindOrClass, SymbolId)>,
    /// Of the spaces with the same value of this property, only the first that fits, in id order.
    pub first_of: Option<SymbolId>,
    /// With a value of this counter of spaces that is not 0.
    pub marked: Option<CounterId>,
    /// With 0 in this counter of spaces.
    pub unmarked: Option<CounterId>,
    /// A neighbor of this space ([`Board::neighbors`](super::Board::neighbors)).
    pub beside: Option<SpaceId>,
}
