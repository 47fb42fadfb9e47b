//! Small integers that identify things: indices into the lists of a [`Catalog`](crate::catalog::Catalog). Also
//! [`Value`], with which options, hook arguments and events refer to things of any type.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($int:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub struct $name(pub $int);
        impl $name {
            /// The index in the catalog's list.
            #[inline]
            pub fn index(self) -> usize { usize::from(self.0) }
            /// The id of an index, which must fit the integer. The code that builds a catalog keeps its lists short
            /// enough.
            #[inline]
            pub fn at(index: usize) -> Self { Self(index as $int) }
        }
    )*};
}

ids! {
    /// A faction, which is also a seat if a player leads it.
    FactionId(u8);
    /// A space of the board: a land, an area beside the map, a hexagon, a square.
    SpaceId(u16);
    /// A kind of piece: a unit, a building, a token.
    KindId(u16);
    /// One piece of the box.
    PieceId(u16);
    /// One card of the box. Two copies of a design are two cards.
    CardId(u16);
    /// A card design: a card as printed.
    DesignId(u16);
    /// One zone of the table: a declared zone and, if every seat has one, its owner.
    ZoneId(u16);
    /// A declared zone, for all its owners.
    ZoneKindId(u16);
    /// A declared counter or track.
    CounterId(u16);
    /// A keyword: a verb of an option, a value of a property.
    SymbolId(u16);
    /// A declared decision kind.
    DecisionId(u16);
    /// A moment or number at which hooks run, of the kernel or of a pack.
    HookPointId(u16);
    /// One function of one script, bound to the entity it belongs to.
    HookId(u16);
    /// A rule: a bundle of hooks that are live without a card.
    RuleId(u16);
    /// A phase of the flow.
    PhaseId(u16);
}

/// A seat is identified by the faction that its player leads.
pub type SeatId = FactionId;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($id:ident) = $tag:literal, $word:literal, $one:literal $(, $named:literal)?;)*) => {
        /// Anything that options, hook arguments and events can refer to. Scripts hold it as a number (see
        /// [`Value::to_bits`]), and a keyword as a string.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        pub enum Value {
            /// Nothing or nobody.
            #[default]
            Nil,
            /// A number.
            Int(i32),
            $($(#[$doc])* $name($id),)*
            /// A card that a viewer may not know. Only views, and events as viewers see them, contain it.
            Unseen,
        }

        /// The types of values that have an id of their own. The number of a type is its tag in handles.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum HandleType {
            $($(#[$doc])* $name = $tag,)*
        }

        impl HandleType {
            /// All types, by their tags.
            pub const ALL: &[HandleType] = &[$(HandleType::$name),*];

            /// The type in one word: `zone`. Scripts find the entities with ids in a table of this name.
            pub const fn word(self) -> &'static str {
                match self { $(HandleType::$name => $word),* }
            }

            /// The type in the stubs of editors: `Zone`.
            pub const fn class(self) -> &'static str {
                match self { $(HandleType::$name => stringify!($name)),* }
            }

            /// A value of the type, in messages: `a zone`.
            pub const fn one(self) -> &'static str {
                match self { $(HandleType::$name => $one),* }
            }

            /// All that scripts find by id in the table for the type, in words: `zones`. `None` if there is no such
            /// table.
            pub const fn named(self) -> Option<&'static str> {
                match self { $(HandleType::$name => named!($($named)?)),* }
            }

            /// The value with an index in the catalog's list.
            pub fn value(self, index: usize) -> Value {
                match self { $(HandleType::$name => Value::$name($id::at(index))),* }
            }
        }

        impl Value {
            /// The type of a value that has an id of its own.
            #[inline]
            pub const fn handle_type(self) -> Option<HandleType> {
                match self {
                    $(Value::$name(_) => Some(HandleType::$name),)*
                    Value::Nil | Value::Int(_) | Value::Unseen => None,
                }
            }

            /// The number that scripts hold for this value. An integer is itself. A handle is below [`Value::LEAST`]
            /// and contains its type, so that a space in place of a seat is noticed. It has 32 bits, because tables of
            /// scripts are fastest with such numbers.
            #[inline]
            pub const fn to_bits(self) -> i32 {
                let (tag, index) = match self {
                    Value::Nil => (NIL, 0),
                    Value::Int(n) => return if n < Value::LEAST { Value::LEAST } else { n },
                    $(Value::$name(id) => ($tag, id.0 as i32),)*
                    Value::Unseen => (UNSEEN, 0),
                };
                i32::MIN + (tag << POSITION) + index
            }

            /// The handle with a type and an index, as returned by [`Value::handle_parts`]; `None` if the type does
            /// not exist.
            #[inline]
            pub fn from_handle_parts(tag: usize, index: u16) -> Option<Value> {
                Some(match tag as i32 {
                    $($tag => Value::$name($id(index.try_into().ok()?)),)*
                    NIL if index == 0 => Value::Nil,
                    _ => return None,
                })
            }
        }
    };
}

macro_rules! named {
    () => {
        None
    };
    ($named:literal) => {
        Some($named)
    };
}

// Each type with its tag, its word, what messages call one, and what its table of constants holds.
handles! {
    /// A faction or seat.
    Faction(FactionId) = 1, "faction", "a faction", "factions";
    /// A place on the board, or a cell of the grid.
    Space(SpaceId) = 2, "space", "a space", "spaces";
    /// A kind of piece.
    Kind(KindId) = 3, "kind", "a kind of piece", "kinds of pieces";
    /// One item on the board or in the box.
    Piece(PieceId) = 4, "piece", "a piece";
    /// A card of the box.
    Card(CardId) = 5, "card", "a card";
    /// A card design.
    Design(DesignId) = 6, "design", "a card design", "card designs";
    /// A declared zone.
    Zone(ZoneKindId) = 7, "zone", "a zone", "zones";
    /// Which counter, not its value.
    Counter(CounterId) = 8, "counter", "a counter", "counters";
    /// A keyword.
    Symbol(SymbolId) = 9, "word", "a keyword";
    /// Hooks that are live without a card.
    Rule(RuleId) = 10, "rule", "a rule";
}

/// The tags of values without an id.
const UNSEEN: i32 = 14;
const NIL: i32 = 15;

/// The number of bits in a handle that hold the index.
const POSITION: u32 = 16;

/// The tags of [`Value::handle_parts`] are below this number.
pub const HANDLE_TYPES: usize = 16;

impl Value {
    /// The least number that scripts see. Lower numbers appear to them as this one.
    pub const LEAST: i32 = i32::MIN + ((HANDLE_TYPES as i32) << POSITION);

    /// The value of a script's number; `None` if it is neither an integer nor a handle.
    #[inline]
    pub fn from_bits(bits: i32) -> Option<Value> {
        match Value::handle_parts(bits) {
            Some((tag, index)) => Value::from_handle_parts(tag, index),
            None => Some(Value::Int(bits)),
        }
    }

    /// The type of a script's handle, below [`HANDLE_TYPES`], and its index; `None` for an integer.
    #[inline]
    pub fn handle_parts(bits: i32) -> Option<(usize, u16)> {
        let above = bits.wrapping_sub(i32::MIN) as u32;
        let tag = (above >> POSITION) as usize;
        if tag < HANDLE_TYPES { Some((tag, above as u16)) } else { None }
    }

    /// The type of the value, for messages: `a space`, `nothing`, …
    pub fn type_name(self) -> &'static str {
        match (self, self.handle_type()) {
            (_, Some(of)) => of.one(),
            (Value::Int(_), None) => "a number",
            (Value::Unseen, None) => "a hidden card",
            (_, None) => "nothing",
        }
    }
}

impl From<i32> for Value {
    fn from(n: i32) -> Self {
        Value::Int(n)
    }
}

/// Up to [`Args::MOST`] values: arguments of hooks and events, and values of options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Args {
    len: u8,
    items: [Value; Args::MOST],
}

impl Args {
    /// The most values.
    pub const MOST: usize = 4;
    /// No arguments.
    pub const NONE: Args = Args { len: 0, items: [Value::Nil; 4] };

    /// The first [`Args::MOST`] of `values`.
    pub fn new(values: &[Value]) -> Self {
        let mut items = [Value::Nil; 4];
        let len = values.len().min(4);
        items[..len].copy_from_slice(&values[..len]);
        Args { len: len as u8, items }
    }

    /// Appends a value; `None` if it is full.
    #[must_use]
    pub fn push(&mut self, value: Value) -> Option<()> {
        *self.items.get_mut(usize::from(self.len))? = value;
        self.len += 1;
        Some(())
    }

    /// The values in order.
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
    fn values_survive_a_round_trip_through_a_script() {
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
