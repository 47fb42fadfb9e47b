//! Small integer ids into the [`Catalog`](crate::catalog::Catalog), and [`Value`], the one currency in which options,
//! hook arguments and events name things.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($int:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $int);
        impl $name {
            /// The position in the catalog's list.
            #[inline]
            pub fn index(self) -> usize { usize::from(self.0) }
            /// The id at a position; positions beyond the integer's range are a compile-time limit of packs, checked on
            /// load.
            #[inline]
            pub fn at(index: usize) -> Self { Self(index as $int) }
        }
    )*};
}

ids! {
    /// A faction; where somebody leads it, also the seat of that player.
    FactionId(u8);
    /// A space of the board: a land, an off-map area, a hexagon, a square.
    SpaceId(u16);
    /// A kind of piece: a unit, a building, a token.
    KindId(u16);
    /// One piece of the box.
    PieceId(u16);
    /// One card of the box (two copies of a design are two cards).
    CardId(u16);
    /// What is printed on a card.
    DesignId(u16);
    /// One zone of the table: a declared zone and, where every seat has one, its owner.
    ZoneId(u16);
    /// A declared zone, all its owners together.
    ZoneKindId(u16);
    /// A declared counter or track.
    CounterId(u16);
    /// A keyword: a verb of an option, a value of a property.
    SymbolId(u16);
    /// A declared decision kind.
    DecisionId(u16);
    /// A hook point.
    PointId(u16);
    /// One function of one script, bound to the entity it belongs to.
    HookId(u16);
    /// A rule: a bundle of hooks that are live without a card.
    RuleId(u16);
    /// A phase of the flow.
    PhaseId(u16);
}

/// The seat of a player is the faction that the player leads.
pub type SeatId = FactionId;

/// Anything that options, hook arguments and events can name. Scripts see it as a number (see [`Value::to_bits`]), a
/// keyword as a string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Value {
    /// Nothing, nobody.
    #[default]
    Nil,
    /// A number.
    Int(i32),
    /// A faction or seat.
    Faction(FactionId),
    /// A space.
    Space(SpaceId),
    /// A kind of piece.
    Kind(KindId),
    /// A piece.
    Piece(PieceId),
    /// A card of the box.
    Card(CardId),
    /// A card design.
    Design(DesignId),
    /// A declared zone.
    Zone(ZoneKindId),
    /// A counter.
    Counter(CounterId),
    /// A keyword.
    Symbol(SymbolId),
    /// A rule.
    Rule(RuleId),
}

/// Bits for the position of a handle among those of its type.
const POSITION: u32 = 16;

/// Above the type of any handle, as [`Value::handle_parts`] gives it.
pub const HANDLE_TYPES: usize = 16;

impl Value {
    /// The least whole number that scripts see; lesser ones look like this to them.
    pub const LEAST: i32 = i32::MIN + ((HANDLE_TYPES as i32) << POSITION);

    /// The number under which scripts hold this value: an integer is itself. A handle lies below all of them and carries its
    /// type, so that a space given where a seat belongs is found out. Tables of scripts find numbers of 32 bits fastest.
    #[inline]
    pub const fn to_bits(self) -> i32 {
        let (tag, index) = match self {
            Value::Nil => (15, 0),
            Value::Int(n) => return if n < Value::LEAST { Value::LEAST } else { n },
            Value::Faction(id) => (1, id.0 as u16),
            Value::Space(id) => (2, id.0),
            Value::Kind(id) => (3, id.0),
            Value::Piece(id) => (4, id.0),
            Value::Card(id) => (5, id.0),
            Value::Design(id) => (6, id.0),
            Value::Zone(id) => (7, id.0),
            Value::Counter(id) => (8, id.0),
            Value::Symbol(id) => (9, id.0),
            Value::Rule(id) => (10, id.0),
        };
        i32::MIN + (tag << POSITION) + index as i32
    }

    /// The value behind a script's number; `None` where it is neither an integer nor a handle.
    #[inline]
    pub fn from_bits(bits: i32) -> Option<Value> {
        match Value::handle_parts(bits) {
            Some((tag, index)) => Value::from_handle_parts(tag, index),
            None => Some(Value::Int(bits)),
        }
    }

    /// The handle with a type and a position, as [`Value::handle_parts`] gives them.
    #[inline]
    pub fn from_handle_parts(tag: usize, index: u16) -> Option<Value> {
        Some(match tag {
            1 => Value::Faction(FactionId(u8::try_from(index).ok()?)),
            2 => Value::Space(SpaceId(index)),
            3 => Value::Kind(KindId(index)),
            4 => Value::Piece(PieceId(index)),
            5 => Value::Card(CardId(index)),
            6 => Value::Design(DesignId(index)),
            7 => Value::Zone(ZoneKindId(index)),
            8 => Value::Counter(CounterId(index)),
            9 => Value::Symbol(SymbolId(index)),
            10 => Value::Rule(RuleId(index)),
            15 if index == 0 => Value::Nil,
            _ => return None,
        })
    }

    /// The type of the handle behind a script's number, below [`HANDLE_TYPES`], and its position among those of its type.
    #[inline]
    pub fn handle_parts(bits: i32) -> Option<(usize, u16)> {
        let above = bits.wrapping_sub(i32::MIN) as u32;
        let tag = (above >> POSITION) as usize;
        (tag < HANDLE_TYPES).then_some((tag, above as u16))
    }

    /// What kind of thing this is, for messages.
    pub fn type_name(self) -> &'static str {
        match self {
            Value::Nil => "nothing",
            Value::Int(_) => "a number",
            Value::Faction(_) => "a faction",
            Value::Space(_) => "a space",
            Value::Kind(_) => "a kind of piece",
            Value::Piece(_) => "a piece",
            Value::Card(_) => "a card",
            Value::Design(_) => "a card design",
            Value::Zone(_) => "a zone",
            Value::Counter(_) => "a counter",
            Value::Symbol(_) => "a keyword",
            Value::Rule(_) => "a rule",
        }
    }
}

impl From<i32> for Value {
    fn from(n: i32) -> Self {
        Value::Int(n)
    }
}

/// Up to four values; hook arguments, event arguments and option payloads never need more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Args {
    len: u8,
    items: [Value; Args::MOST],
}

impl Args {
    /// As many as there can be.
    pub const MOST: usize = 4;
    /// No arguments.
    pub const NONE: Args = Args { len: 0, items: [Value::Nil; 4] };

    /// The first four of `values`.
    pub fn new(values: &[Value]) -> Self {
        let mut items = [Value::Nil; 4];
        let len = values.len().min(4);
        items[..len].copy_from_slice(&values[..len]);
        Args { len: len as u8, items }
    }

    /// One more value; `None` where there are four already.
    #[must_use]
    pub fn push(&mut self, value: Value) -> Option<()> {
        *self.items.get_mut(usize::from(self.len))? = value;
        self.len += 1;
        Some(())
    }

    /// The values.
    pub fn as_slice(&self) -> &[Value] {
        &self.items[..usize::from(self.len).min(4)]
    }
}

impl std::ops::Deref for Args {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        self.as_slice()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_the_way_through_a_script() {
        let all = [
            Value::Nil,
            Value::Int(Value::LEAST),
            Value::Int(-1),
            Value::Int(i32::MAX),
            Value::Faction(FactionId(12)),
            Value::Space(SpaceId(49)),
            Value::Kind(KindId(3)),
            Value::Piece(PieceId(160)),
            Value::Card(CardId(65535)),
            Value::Design(DesignId(0)),
            Value::Zone(ZoneKindId(1)),
            Value::Counter(CounterId(2)),
            Value::Symbol(SymbolId(7)),
            Value::Rule(RuleId(7)),
        ];
        for value in all {
            assert_eq!(Value::from_bits(value.to_bits()), Some(value));
        }
        assert_eq!(Value::from_bits(Value::Int(i32::MIN).to_bits()), Some(Value::Int(Value::LEAST)));
        assert_eq!(Value::from_bits(Value::LEAST - 1), None);
        assert_eq!(Value::from_bits(i32::MIN), None);
    }
}
