//! Numbers that the prelude hands over through a buffer: fields of a filter, options of a question. To look into a table from
//! outside costs several times as much.

use mlua::{Buffer, Lua, Table as LuaTable, Value as LuaValue};
use principes_core::ids::*;

use crate::args::{handle, told};
use crate::context::{Context, say};
use crate::types::{Field, Ty};

/// Bytes of a number.
const NUMBER: usize = 8;
/// Numbers that are read at once.
const BLOCK: usize = 16;
/// Numbers that the buffer holds.
const NUMBERS: usize = 32 * BLOCK;

/// Where it stands what a question is about: up to seven numbers. Before that stands how far the options go.
pub const FIRST_ABOUT: usize = 1;
/// Where options begin.
pub const FIRST_OPTION: usize = 8;
/// Where an option may still begin: it has up to six numbers.
pub const LAST_OPTION: usize = NUMBERS - 6;

// Codes of what is neither a number nor a handle; see [`Value::to_bits`].
const FALSE: i64 = 13 << 32;
const TRUE: i64 = FALSE + 1;
const TEXTS: i64 = 14 << 32;

/// What a number of the buffer stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coded {
    /// A number, a handle or a keyword.
    Value(Value),
    /// True or false.
    Truth(bool),
    /// One of the texts that the API itself knows, where it is no keyword: see [`texts`].
    Text(&'static str),
    /// No whole number and no handle.
    Other(f64),
}

impl Coded {
    /// What the prelude wrote.
    #[inline]
    pub fn read(context: &Context, number: f64) -> Coded {
        let bits = number as i64;
        if bits as f64 != number {
            return Coded::Other(number);
        }
        match bits {
            FALSE | TRUE => Coded::Truth(bits == TRUE),
            TEXTS..0xf_0000_0000 => texts().nth((bits - TEXTS) as usize).map_or(Coded::Other(number), Coded::Text),
            bits => handle(context, bits).map_or(Coded::Other(number), Coded::Value),
        }
    }

    /// As a value of an option, of an argument or of a message; truth counts as 1 and 0.
    pub fn value(self) -> Option<Value> {
        match self {
            Coded::Value(value) => Some(value),
            Coded::Truth(truth) => Some(Value::Int(i32::from(truth))),
            Coded::Text(_) | Coded::Other(_) => None,
        }
    }

    /// In an error message.
    pub fn told(self, context: &Context) -> String {
        match self {
            Coded::Truth(truth) => truth.to_string(),
            Coded::Other(number) => say(&LuaValue::Number(number)),
            Coded::Value(Value::Symbol(_)) | Coded::Text(_) => {
                format!("\"{}\"", self.text(context).unwrap_or_default())
            }
            Coded::Value(value) => told(context, value),
        }
    }

    /// The text that it is.
    pub fn text(self, context: &Context) -> Option<&str> {
        match self {
            Coded::Value(Value::Symbol(word)) => Some(context.catalog.symbols.name(word.index())),
            Coded::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The texts that fields of the API may be, whatever keywords the packs have.
fn texts() -> impl Iterator<Item = &'static str> {
    let fields = crate::api::entries().filter_map(|entry| entry.fields()).flatten();
    fields.flat_map(|Field { ty, .. }| match ty {
        Ty::OneOf(texts) => texts.iter().copied(),
        _ => [].iter().copied(),
    })
}

/// The numbers of keywords, texts and truth values, for the prelude.
pub fn words(context: &Context, lua: &Lua) -> mlua::Result<LuaTable> {
    let words = lua.create_table()?;
    for (at, text) in texts().enumerate() {
        words.raw_set(text, (TEXTS + at as i64) as f64)?;
    }
    for (at, word) in context.catalog.symbols.iter().enumerate() {
        words.raw_set(word, Value::Symbol(SymbolId::at(at)).to_bits() as f64)?;
    }
    words.raw_set(false, FALSE as f64)?;
    words.raw_set(true, TRUE as f64)?;
    Ok(words)
}

/// The buffer.
pub struct Flat(Buffer);

impl Flat {
    pub fn new(lua: &Lua) -> mlua::Result<Self> {
        lua.create_buffer_with_capacity(NUMBERS * NUMBER).map(Flat)
    }

    /// What the prelude writes into.
    pub fn buffer(&self) -> &Buffer {
        &self.0
    }

    /// What a question is about.
    pub fn about(&self) -> impl Iterator<Item = f64> + '_ {
        self.between(FIRST_ABOUT, FIRST_OPTION)
    }

    /// The options of a question.
    pub fn options(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        let end = f64::from_le_bytes(self.0.read_bytes(0)) as usize;
        self.between(FIRST_OPTION, end / NUMBER)
    }

    /// The fields of a filter, which end with a byte.
    pub fn fields(&self, end: usize) -> impl Iterator<Item = f64> + '_ {
        self.between(0, end / NUMBER)
    }

    fn between(&self, from: usize, to: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        let to = to.min(NUMBERS);
        let mut block = [0; BLOCK * NUMBER];
        let mut loaded = usize::MAX;
        (from..to).map(move |at| {
            if at / BLOCK != loaded {
                loaded = at / BLOCK;
                block = self.0.read_bytes(loaded * BLOCK * NUMBER);
            }
            let (_, rest) = block.split_at(at % BLOCK * NUMBER);
            rest.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes))
        })
    }
}
