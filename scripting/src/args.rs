//! Arguments of API functions: their declared types, and the check that turns Lua values into them.

use mlua::{Function, LuaString, Table as LuaTable, Value as LuaValue};
use principes_core::battle::SideId;
use principes_core::ids::*;

use crate::context::{Context, say, whole};
use crate::fault::Fault;
use crate::names::hint;
pub use crate::types::{Param, Ty};

/// The most parameters a function has.
pub const MOST: usize = 7;

/// Whether a value is of a type; names and tables are looked at elsewhere.
fn fits(ty: Ty, value: Value, context: &Context) -> bool {
    match (ty, value) {
        (Ty::Int, Value::Int(_))
        | (Ty::Faction, Value::Faction(_))
        | (Ty::Space, Value::Space(_))
        | (Ty::Kind, Value::Kind(_))
        | (Ty::Piece, Value::Piece(_))
        | (Ty::PieceOrKind, Value::Piece(_) | Value::Kind(_))
        | (Ty::Card, Value::Card(_))
        | (Ty::CardOrDesign, Value::Card(_) | Value::Design(_))
        | (Ty::Zone, Value::Zone(_))
        | (Ty::Counter, Value::Counter(_))
        | (Ty::Owner, Value::Faction(_) | Value::Space(_) | Value::Card(_))
        | (Ty::Any, _) => true,
        (Ty::Seat | Ty::ZoneOwner, Value::Faction(seat)) => seat.index() < context.catalog.playable,
        (Ty::Entity, value) => !matches!(value, Value::Int(_) | Value::Symbol(_) | Value::Nil),
        _ => false,
    }
}

/// A checked argument.
#[derive(Clone, Debug, Default)]
pub enum Arg {
    #[default]
    Nil,
    Value(Value),
    Text(LuaString),
    Table(LuaTable),
    Function(Function),
    Lua(LuaValue),
}

/// The checked arguments of a call.
pub struct Args {
    /// The function that was called.
    pub function: &'static str,
    items: [Arg; MOST],
}

impl Args {
    /// Checks what a script passed against the parameters of a function.
    pub fn check<const N: usize>(
        context: &Context,
        function: &'static str,
        params: &[Param],
        raw: [LuaValue; N],
    ) -> mlua::Result<Args> {
        let mut args = Args { function, items: Default::default() };
        let rest = params.last().filter(|param| param.rest);
        for (at, value) in raw.into_iter().enumerate() {
            match params.get(at).or(rest) {
                Some(param) if at < MOST => args.items[at] = args.convert(context, at, param, value)?,
                _ if value.is_nil() => break,
                _ => return Err(too_many(function, params)),
            }
        }
        Ok(args)
    }

    fn convert(&self, context: &Context, at: usize, param: &Param, value: LuaValue) -> mlua::Result<Arg> {
        if param.ty == Ty::Lua {
            return Ok(Arg::Lua(value));
        }
        if value.is_nil() {
            return if param.optional { Ok(Arg::Nil) } else { Err(self.wrong(at, param, "nothing".to_owned())) };
        }
        match (param.ty, value) {
            (
                Ty::Prop
                | Ty::Stat
                | Ty::FaceValue
                | Ty::ParamName
                | Ty::Query
                | Ty::Effect
                | Ty::Point
                | Ty::Decision
                | Ty::OneOf(_),
                LuaValue::String(text),
            ) => Ok(Arg::Text(text)),
            (Ty::Fields(_) | Ty::List(_) | Ty::Options, LuaValue::Table(table)) => Ok(Arg::Table(table)),
            (Ty::Function | Ty::Options, LuaValue::Function(function)) => Ok(Arg::Function(function)),
            (Ty::Word | Ty::Message | Ty::Cause | Ty::Face | Ty::Side | Ty::Any, LuaValue::String(text)) => {
                let word = keyword(context, self.function, &text)?;
                let words = &context.catalog.words;
                if param.ty == Ty::Side && word != words.attacker && word != words.defender {
                    return Err(self.wrong(at, param, say(&LuaValue::String(text))));
                }
                Ok(Arg::Value(Value::Symbol(word)))
            }
            (ty, value) => match number(context, &value) {
                Some(found) if fits(ty, found, context) => Ok(Arg::Value(found)),
                Some(found) => Err(self.wrong(at, param, told(context, found))),
                None => Err(self.wrong(at, param, say(&value))),
            },
        }
    }

    fn wrong(&self, at: usize, param: &Param, got: String) -> mlua::Error {
        let ordinal = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th"].get(at).copied().unwrap_or("last");
        Fault::runtime(format!(
            "{}: {ordinal} argument ({}) must be {}, got {got}",
            self.function,
            param.name,
            param.ty.wanted()
        ))
    }

    fn bug(&self) -> mlua::Error {
        Fault::runtime(format!("{}: an argument is missing", self.function))
    }

    /// A fault of this call.
    pub fn fault(&self, message: impl std::fmt::Display) -> mlua::Error {
        Fault::runtime(format!("{}: {message}", self.function))
    }

    /// The value; nil where left out.
    pub fn value(&self, at: usize) -> Value {
        match &self.items[at] {
            Arg::Value(value) => *value,
            _ => Value::Nil,
        }
    }
    /// Whether it was given.
    pub fn given(&self, at: usize) -> bool {
        !matches!(self.items[at], Arg::Nil | Arg::Lua(LuaValue::Nil))
    }
    /// The values from a position on, without nils at the end.
    pub fn rest(&self, from: usize) -> Vec<Value> {
        let mut list: Vec<Value> = (from..MOST).map(|at| self.value(at)).collect();
        while list.last() == Some(&Value::Nil) {
            list.pop();
        }
        list
    }
    pub fn lua(&self, at: usize) -> LuaValue {
        match &self.items[at] {
            Arg::Lua(value) => value.clone(),
            _ => LuaValue::Nil,
        }
    }
    pub fn int(&self, at: usize) -> mlua::Result<i32> {
        match self.value(at) {
            Value::Int(n) => Ok(n),
            _ => Err(self.bug()),
        }
    }
    pub fn optional_faction(&self, at: usize) -> Option<FactionId> {
        match self.value(at) {
            Value::Faction(id) => Some(id),
            _ => None,
        }
    }
    pub fn faction(&self, at: usize) -> mlua::Result<FactionId> {
        self.optional_faction(at).ok_or_else(|| self.bug())
    }
    pub fn space(&self, at: usize) -> mlua::Result<SpaceId> {
        match self.value(at) {
            Value::Space(id) => Ok(id),
            _ => Err(self.bug()),
        }
    }
    pub fn kind(&self, at: usize) -> mlua::Result<KindId> {
        match self.value(at) {
            Value::Kind(id) => Ok(id),
            _ => Err(self.bug()),
        }
    }
    pub fn piece(&self, at: usize) -> mlua::Result<PieceId> {
        match self.value(at) {
            Value::Piece(id) => Ok(id),
            _ => Err(self.bug()),
        }
    }
    pub fn card(&self, at: usize) -> mlua::Result<CardId> {
        match self.value(at) {
            Value::Card(id) => Ok(id),
            _ => Err(self.bug()),
        }
    }
    pub fn counter(&self, at: usize) -> mlua::Result<CounterId> {
        match self.value(at) {
            Value::Counter(id) => Ok(id),
            _ => Err(self.bug()),
        }
    }
    pub fn symbol(&self, at: usize) -> mlua::Result<SymbolId> {
        match self.value(at) {
            Value::Symbol(id) => Ok(id),
            _ => Err(self.bug()),
        }
    }
    pub fn side(&self, context: &Context, at: usize) -> mlua::Result<SideId> {
        let word = self.symbol(at)?;
        Ok(if word == context.catalog.words.attacker { SideId::Attacker } else { SideId::Defender })
    }
    pub fn zone(&self, context: &Context, at: usize, owner: usize) -> mlua::Result<ZoneId> {
        let (Value::Zone(zone), owner) = (self.value(at), self.value(owner)) else { return Err(self.bug()) };
        let faction = match owner {
            Value::Faction(id) => Some(id),
            _ => None,
        };
        context.catalog.zone_of(zone, faction).ok_or_else(|| {
            let name = context.catalog.id_of(Value::Zone(zone));
            let wants = match context.catalog.zones[zone.index()].scope {
                principes_core::catalog::Scope::Game => "belongs to nobody: leave the owner out",
                _ => "belongs to a seat: give it as owner",
            };
            self.fault(format!("zone `{name}` {wants}, got {}", told(context, owner)))
        })
    }
    /// A text; empty where it is not UTF-8, which no name is.
    pub fn text(&self, at: usize) -> mlua::Result<String> {
        match &self.items[at] {
            Arg::Text(text) => Ok(text.to_string_lossy()),
            _ => Err(self.bug()),
        }
    }
    pub fn table(&self, at: usize) -> mlua::Result<&LuaTable> {
        match &self.items[at] {
            Arg::Table(table) => Ok(table),
            _ => Err(self.bug()),
        }
    }
    pub fn arg(&self, at: usize) -> &Arg {
        &self.items[at]
    }
}

fn too_many(function: &str, params: &[Param]) -> mlua::Error {
    let names: Vec<&str> = params.iter().map(|param| param.name).collect();
    Fault::runtime(format!("{function}({}) got too many arguments", names.join(", ")))
}

/// The keyword that a Lua string is.
pub fn keyword(context: &Context, function: &str, text: &LuaString) -> mlua::Result<SymbolId> {
    let symbols = &context.catalog.symbols;
    if let Ok(name) = text.to_str()
        && let Some(at) = symbols.find(&name)
    {
        return Ok(SymbolId::at(at));
    }
    let name = text.to_string_lossy();
    let hint = hint(&name, symbols.iter());
    Err(Fault::runtime(format!("{function}: the packs know no keyword \"{name}\"{hint}")))
}

/// The handle or whole number behind a Lua number or truth value; `None` for handles that do not exist.
pub fn number(context: &Context, value: &LuaValue) -> Option<Value> {
    let LuaValue::Integer(bits) = value else { return whole(value).map(Value::Int) };
    let found = Value::from_bits(*bits)?;
    let catalog = &context.catalog;
    let exists = match found {
        Value::Nil | Value::Int(_) => true,
        Value::Faction(id) => id.index() < catalog.factions.len(),
        Value::Space(id) => id.index() < catalog.spaces.len(),
        Value::Kind(id) => id.index() < catalog.kinds.len(),
        Value::Piece(id) => id.index() < catalog.pieces.len(),
        Value::Card(id) => id.index() < catalog.cards.len(),
        Value::Design(id) => id.index() < catalog.designs.len(),
        Value::Zone(id) => id.index() < catalog.zones.len(),
        Value::Counter(id) => id.index() < catalog.counters.len(),
        Value::Symbol(id) => id.index() < catalog.symbols.len(),
        Value::Rule(id) => id.index() < catalog.rules.len(),
    };
    exists.then_some(found)
}

/// Any value that options, arguments and messages may carry.
pub fn any(context: &Context, function: &str, what: &str, value: &LuaValue) -> mlua::Result<Value> {
    match value {
        LuaValue::Nil => Ok(Value::Nil),
        LuaValue::String(text) => keyword(context, function, text).map(Value::Symbol),
        other => number(context, other).ok_or_else(|| {
            Fault::runtime(format!(
                "{function}: {what} must be a handle, a whole number or a keyword, got {}",
                say(other)
            ))
        }),
    }
}

/// A value in an error message: ``the space `hill` ``.
pub fn told(context: &Context, value: Value) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::Int(n) => format!("the number {n}"),
        other => {
            let kind = other.type_name();
            let kind = kind.strip_prefix("a ").or_else(|| kind.strip_prefix("an ")).unwrap_or(kind);
            format!("the {kind} `{}`", context.catalog.id_of(other))
        }
    }
}
