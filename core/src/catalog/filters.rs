//! Filters for spaces and pieces. Every field that is set must match; the default matches everything.

use crate::ids::*;

/// A kind of piece, or all kinds of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindOrClass {
    /// This kind.
    Kind(KindId),
    /// Every kind of this class.
    Class(SymbolId),
}

/// Which pieces match a filter.
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
    /// True: only pieces that occupy a space ([`Kind::occupies`](super::Kind::occupies)); false: only others.
    pub occupying: Option<bool>,
    /// True: only pieces on a space; false: only pieces in the pool.
    pub on_map: Option<bool>,
}

/// Which spaces match a filter.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SpaceFilter {
    /// Of this kind ([`Space::kind`](super::Space::kind)).
    pub kind: Option<SymbolId>,
    /// Inside the borders of this faction.
    pub home: Option<FactionId>,
    /// Controlled by this seat.
    pub controller: Option<SeatId>,
    /// Controlled by another seat or by nobody.
    pub uncontrolled_by: Option<SeatId>,
    /// Controlled by nobody.
    pub neutral: bool,
    /// With this property, if its value is not 0.
    pub prop: Option<SymbolId>,
    /// Without occupying pieces.
    pub empty: bool,
    /// Without pieces of this kind or class.
    pub without: Option<KindOrClass>,
    /// With fewer pieces of this kind or class than the value of the space's property with this name.
    pub fewer: Option<(KindOrClass, SymbolId)>,
    /// Among spaces with the same value of this property, only the first match in id order.
    pub first_of: Option<SymbolId>,
    /// With a value of this counter of spaces that is not 0.
    pub marked: Option<CounterId>,
    /// With 0 in this counter of spaces.
    pub unmarked: Option<CounterId>,
    /// A neighbor of this space ([`Board::neighbors`](super::Board::neighbors)).
    pub beside: Option<SpaceId>,
}

impl SpaceFilter {
    /// Whether it has one of the fields that few filters have: marks, the number of pieces, another seat's control.
    pub(crate) fn asks_rest(&self) -> bool {
        let SpaceFilter { marked, unmarked, without, uncontrolled_by, fewer, .. } = self;
        marked.is_some() || unmarked.is_some() || without.is_some() || uncontrolled_by.is_some() || fewer.is_some()
    }
}
