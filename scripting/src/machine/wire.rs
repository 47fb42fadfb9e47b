//! The data that fast paths exchange with Lua: arguments in place, and results.

use principes_core::ids::{FactionId, HookId, SymbolId, Value};

/// The most arguments of an API function.
pub const MOST_ARGS: usize = 7;
/// The most fields that are read from a table.
pub const MOST_FIELDS: usize = 14;

/// An argument in place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Raw {
    Nil,
    Truth(bool),
    Number(f64),
    /// A string, by its address: Luau keeps only one copy of each string.
    Text(usize),
    /// A table. Its content is in `CallArgs::table`.
    Table,
    /// A list in a table. This many elements follow, including those of lists in it.
    List(usize),
    /// A value that only the host can make.
    Light,
    /// Anything else.
    Other,
}

/// A result of an API function.
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
    /// Up to a number of elements, which may be nested lists.
    List(usize),
    /// The same, with a second table that is read as fields.
    ListAndFields(usize),
}

/// The result of a call.
pub enum CallOutcome {
    /// It has finished, and its results are on the stack.
    Done,
    /// A list, made with [`spare_list`](crate::machine::raw::spare_list).
    List(Vec<f64>),
    /// A table, as its keys and values in turn; likewise.
    Pairs(Vec<f64>),
    /// The fast path does not apply. Nothing has happened yet; the slow path does everything.
    SlowPath,
    /// The function failed. The error is recorded, and is raised on the slow path.
    Failed,
}

/// The hook that runs next.
#[derive(Clone, Copy, Debug)]
pub struct NextHook {
    pub hook: HookId,
    /// The number of its `self`.
    pub this: u32,
    pub owner: Option<FactionId>,
}

impl NextHook {
    /// The values for the host's Lua code: the index of the hook among the functions, the number of its `self`, its
    /// owner.
    pub fn answers(self) -> [Answer; 3] {
        let owner = self.owner.map_or(Value::Nil, Value::Faction);
        [Answer::Number(f64::from(self.hook.0) + 1.0), Answer::Number(self.this.into()), owner.into()]
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
