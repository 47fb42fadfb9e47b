//! What crosses the border between Lua and Rust on the short way: arguments in place, and answers.

use principes_core::ids::{HookId, SymbolId, Value};

/// The most arguments that a function of the API takes.
pub const MOST_ARGS: usize = 7;
/// The most fields that are read from a table.
pub const MOST_FIELDS: usize = 14;

/// An argument in place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Raw {
    Nil,
    Truth(bool),
    Number(f64),
    /// A string, by the address at which Luau keeps the one copy of it.
    Text(usize),
    /// A table; `CallArgs::table` reads what is in it.
    Table,
    /// A list in a table; this many elements follow, and the contents of lists among them.
    List(usize),
    /// What only the host can make.
    Light,
    /// Anything else.
    Other,
}

/// A value that a function of the API gives back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Answer {
    Nil,
    Truth(bool),
    Number(f64),
    Word(SymbolId),
}

/// How a table among the arguments is read.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// Not at all.
    Closed,
    /// A few keys, each followed by its value.
    Fields,
    /// Up to a number of elements, which may be lists with lists in them.
    List(usize),
    /// The same; a second table is read as fields.
    ListAndFields(usize),
}

/// The result of a call.
pub enum Outcome {
    /// It is done, and its results are given.
    Done,
    /// A list, made of [`spare_list`](crate::machine::raw::spare_list).
    List(Vec<f64>),
    /// The arguments are not for here: nothing has happened yet, and the long way does it all.
    LongWay,
    /// The function failed; the error is noted, and the long way raises it.
    Failed,
}

/// The hook that runs next.
#[derive(Clone, Copy, Debug)]
pub struct NextHook {
    pub hook: HookId,
    /// The number of its `self`.
    pub this: u32,
    /// Its owner, a faction or nil.
    pub owner: Value,
}

impl NextHook {
    /// What the host's Lua code receives: the position of the hook among the functions, the number of its `self`, its
    /// owner.
    pub fn answers(self) -> [Answer; 3] {
        [Answer::Number(f64::from(self.hook.0) + 1.0), Answer::Number(self.this.into()), self.owner.into()]
    }
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        match value {
            Value::Nil => Answer::Nil,
            Value::Int(n) => Answer::Number(f64::from(n)),
            Value::Symbol(word) => Answer::Word(word),
            handle => Answer::Number(handle.to_bits().into()),
        }
    }
}
