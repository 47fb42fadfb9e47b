//! Arguments of API functions: their declared types, and their conversion from Lua values.

use mlua::{LuaString, Table as LuaTable, Value as LuaValue};
use principes_core::SideId;
use principes_core::ids::*;

use crate::error::{ApiError, say};
use crate::host::context::Context;
use crate::host::values::{keyword, number, shown, value_of, whole_bits};
use crate::machine::raw::CallArgs;
use crate::machine::wire::{MOST_ARGS as MOST, MOST_FIELDS, Raw};
use crate::suggest::hint;
use crate::types::{Field, Param, Ty};

/// The most values of a call: parameters, or fields of a single table.
const MOST_VALUES: usize = MOST_FIELDS;
const _: () = assert!(MOST_VALUES >= MOST);

/// Whether a value has a type. Names and tables are checked elsewhere.
fn fits(ty: Ty, value: Value, context: &Context) -> bool {
    match (ty, value) {
        (Ty::Handle(of), value) => value.handle_type() == Some(of),
        (Ty::Int, Value::Int(_))
        | (Ty::KindOrClass, Value::Kind(_))
        | (Ty::PieceOrKind, Value::Piece(_) | Value::Kind(_))
        | (Ty::CardOrDesign, Value::Card(_) | Value::Design(_))
        | (Ty::Owner, Value::Faction(_) | Value::Space(_) | Value::Card(_))
        | (Ty::HeldValue | Ty::Any, _) => true,
        (Ty::Seat | Ty::ZoneOwner, Value::Faction(seat)) => seat.index() < context.catalog.playable,
        (Ty::Entity, value) => !matches!(value, Value::Int(_) | Value::Symbol(_) | Value::Nil),
        _ => false,
    }
}

/// An argument on the fast path that is not a number, if it has the type. The function itself reads names and tables.
fn named(context: &Context, ty: Ty, value: Raw, table: &[Raw]) -> Option<Value> {
    match (ty, value) {
        (Ty::Map(Ty::Prop, Ty::Any), Raw::Table) => take_card_props(context, table).map(|()| Value::Nil),
        (Ty::Query | Ty::Effect | Ty::Point, Raw::Text(name)) => {
            Some(place(context.spelling.get()?.point(name)?.index()))
        }
        (Ty::Decision, Raw::Text(name)) => Some(place(context.spelling.get()?.decision(name)?.index())),
        // Options that were already taken over, or that are taken over now.
        (Ty::Options, Raw::Light | Raw::Table) => Some(Value::Nil),
        (Ty::Fields(_), Raw::Table) => Some(Value::Nil),
        (ty, value) => converted(context, ty, value),
    }
}

/// The index of a name in its list, as a value.
fn place(index: usize) -> Value {
    Value::Int(index as i32)
}

/// An argument on the fast path, if a single value shows that it has the type.
fn converted(context: &Context, ty: Ty, value: Raw) -> Option<Value> {
    let found = value_of(context, value)?;
    match (ty, value, found) {
        (_, Raw::Nil, _) => None,
        (Ty::Word | Ty::KindOrClass | Ty::Message | Ty::Cause | Ty::Face | Ty::Any, Raw::Text(_), _) => Some(found),
        (Ty::Side, Raw::Text(_), Value::Symbol(word)) => {
            let words = &context.catalog.words;
            (word == words.attacker || word == words.defender).then_some(found)
        }
        (_, Raw::Text(_), _) => None,
        _ => fits(ty, found, context).then_some(found),
    }
}

/// Takes the properties that cards must have from a table.
fn take_card_props(context: &Context, table: &[Raw]) -> Option<()> {
    let known = context.spelling.get()?;
    let mut wanted = context.wanted.borrow_mut();
    wanted.clear();
    table.chunks(2).try_for_each(|entry| {
        let [Raw::Text(name), value] = entry else { return None };
        wanted.push((known.card_prop(*name)?, value_of(context, *value)?));
        Some(())
    })
}

/// The position of an argument, for error messages.
#[derive(Clone, Copy)]
enum Slot {
    Param(usize, &'static str),
    Field(&'static str),
}

/// The numbers of a type.
struct Numbers {
    whole: bool,
    /// The number of valid handles of each type.
    handles: [u32; HANDLE_TYPES],
}

impl Numbers {
    fn of(ty: Ty, context: &Context) -> Self {
        let mut handles = context.extents;
        for (family, extent) in handles.iter_mut().enumerate() {
            let of_type = |index: &u32| {
                let value = Value::from_handle_parts(family, *index as u16);
                value.is_some_and(|value| fits(ty, value, context))
            };
            // Usually all of them are, or none.
            if extent.checked_sub(1).is_some_and(|last| !of_type(&last)) {
                *extent = (0..*extent).take_while(of_type).count() as u32;
            }
        }
        Numbers { whole: fits(ty, Value::Int(0), context), handles }
    }

    /// The handle or whole number of a Lua number, as in [`Value::to_bits`].
    #[inline]
    fn read(&self, number: f64) -> Option<i32> {
        let bits = whole_bits(number)?;
        let fits = match Value::handle_parts(bits) {
            None => self.whole,
            Some((family, index)) => u32::from(index) < self.handles[family],
        };
        if fits { Some(bits) } else { None }
    }
}

/// The parameters of a function, prepared for the fast path.
pub struct ParamShapes {
    params: Vec<(&'static Param, Numbers)>,
    /// The number of required parameters.
    needed: usize,
}

impl ParamShapes {
    pub fn new(context: &Context, params: &'static [Param]) -> Self {
        let needed = params.iter().rposition(|param| param.written).map_or(0, |last| last + 1);
        // The type of additional values.
        let rest = params.last().filter(|param| param.rest);
        let more = rest.into_iter().flat_map(|rest| std::iter::repeat_n(rest, MOST - params.len()));
        let params = params.iter().chain(more).map(|param| (param, Numbers::of(param.ty, context)));
        ParamShapes { params: params.collect(), needed }
    }
}

/// The fields of a function's only table, prepared for the fast path.
pub struct WantedFields {
    /// For each field, the address of its name in Luau, its type, and the numbers of that type.
    fields: Vec<(usize, Ty, Numbers)>,
}

impl WantedFields {
    pub fn new(context: &Context, function: &'static str, fields: &[Field]) -> mlua::Result<Self> {
        let address = |name: &str| context.spelling.get().and_then(|known| known.address(name));
        let wanted = |field: &Field| Some((address(field.name)?, field.ty, Numbers::of(field.ty, context)));
        let fields = fields.iter().map(wanted).collect::<Option<_>>();
        let fields = fields.ok_or_else(|| ApiError::raise(format!("{function}: a field has no name")))?;
        Ok(WantedFields { fields })
    }
}

/// The checked arguments of a call. Values are converted while they are checked. What only Lua can hold stays in the
/// call.
pub struct Args<'a> {
    /// The called function.
    pub function: &'static str,
    /// The values, as the numbers that scripts hold ([`Value::to_bits`]).
    values: [i32; MOST_VALUES],
    raw: &'a [LuaValue],
    /// The arguments on the fast path.
    given: Option<&'a CallArgs<'a>>,
}

/// Nil, as scripts hold it.
const NIL: i32 = Value::Nil.to_bits();

impl<'a> Args<'a> {
    /// Checks the arguments of a script against the parameters of a function.
    #[inline]
    pub fn check(
        context: &Context,
        function: &'static str,
        params: &[Param],
        raw: &'a [LuaValue],
    ) -> mlua::Result<Args<'a>> {
        let mut args = Args { function, values: [NIL; MOST_VALUES], raw, given: None };
        let rest = params.last().filter(|param| param.rest);
        for (at, value) in raw.iter().enumerate() {
            match params.get(at).or(rest) {
                Some(param) if at < MOST => {
                    let slot = Slot::Param(at, param.name);
                    args.values[at] = args.convert(context, slot, param.ty, param.optional, value)?.to_bits();
                }
                _ if value.is_nil() => break,
                _ => return Err(too_many(function, params)),
            }
        }
        Ok(args)
    }

    /// The arguments of a call, not yet read.
    #[inline]
    pub fn of(function: &'static str, given: &'a CallArgs<'a>) -> Args<'a> {
        Args { function, values: [NIL; MOST_VALUES], raw: &[], given: Some(given) }
    }

    /// Reads the arguments. `None` if the fast path cannot read one of them, or if one is wrong.
    #[inline]
    pub fn read(&mut self, context: &Context, given: &CallArgs, wanted: &ParamShapes) -> Option<()> {
        let params = wanted.params.get(..given.len())?;
        if params.len() < wanted.needed {
            return None;
        }
        for (at, ((param, numbers), to)) in params.iter().zip(&mut self.values).enumerate() {
            *to = match given.arg(at) {
                Raw::Number(number) => numbers.read(number)?,
                Raw::Nil if param.optional || param.rest => NIL,
                value => named(context, param.ty, value, given.table)?.to_bits(),
            };
        }
        Some(())
    }

    /// Reads the fields of the table that is the only argument, like [`Args::read`].
    #[inline]
    pub fn read_fields(&mut self, context: &Context, given: &CallArgs, wanted: &WantedFields) -> Option<()> {
        // Nil after the table is the same as no argument.
        if !matches!(given.arg(0), Raw::Nil | Raw::Table) {
            return None;
        }
        if given.len() > 1 && (1..given.len()).any(|at| given.arg(at) != Raw::Nil) {
            return None;
        }
        for entry in given.table.chunks(2) {
            // A list in the table makes pairs that do not match.
            let [Raw::Text(name), value] = entry else { return None };
            let (at, (_, ty, numbers)) = wanted.fields.iter().enumerate().find(|(_, (known, ..))| known == name)?;
            self.values[at] = match (*ty, *value) {
                (Ty::Bool, Raw::Truth(truth)) => i32::from(truth),
                (Ty::OneOf(texts), Raw::Text(text)) => {
                    let text = context.spelling.get()?.text(text)?;
                    texts.iter().position(|known| *known == text)? as i32
                }
                (Ty::Prop, Raw::Text(text)) => Value::Symbol(context.spelling.get()?.symbol(text)?).to_bits(),
                (Ty::Bool | Ty::OneOf(_) | Ty::Prop, _) => return None,
                (_, Raw::Number(number)) => numbers.read(number)?,
                (ty, value) => converted(context, ty, value)?.to_bits(),
            };
        }
        Some(())
    }

    /// Raises the error of a wrong field.
    pub fn refuse_field(&self, context: &Context, field: &Field, value: &LuaValue) -> mlua::Result<()> {
        self.convert(context, Slot::Field(field.name), field.ty, field.optional, value)?;
        match (field.ty, value) {
            (Ty::Prop, LuaValue::String(name)) => self.property(context, name).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// The keyword of a prop's name.
    pub fn property(&self, context: &Context, name: &LuaString) -> mlua::Result<SymbolId> {
        context.symbol(name).ok_or_else(|| {
            let name = name.to_string_lossy();
            let hint = hint(&name, context.catalog.symbols.iter());
            let message = format!("{}: unknown prop `{name}`", self.function);
            ApiError::raise_with(message, hint)
        })
    }

    fn convert(&self, context: &Context, slot: Slot, ty: Ty, optional: bool, value: &LuaValue) -> mlua::Result<Value> {
        match (ty, value) {
            (Ty::Lua, _) => Ok(Value::Nil),
            (_, LuaValue::Nil) if optional => Ok(Value::Nil),
            (_, LuaValue::Nil) => Err(self.wrong(slot, ty, "nothing".to_owned())),
            (Ty::Query | Ty::Effect | Ty::Point, LuaValue::String(name)) => {
                Ok(place(context.point(self.function, name)?.index()))
            }
            (Ty::Decision, LuaValue::String(name)) => Ok(place(context.decision(self.function, name)?.index())),
            (Ty::Bool, LuaValue::Boolean(_))
            | (Ty::Stat | Ty::FaceValue | Ty::ParamName, LuaValue::String(_))
            | (Ty::Fields(_) | Ty::Map(..) | Ty::List(_) | Ty::Options, LuaValue::Table(_))
            | (Ty::Function | Ty::Options, LuaValue::Function(_))
            // Options that were already taken over. Scripts cannot make such a value.
            | (Ty::Options, LuaValue::LightUserData(_)) => Ok(Value::Nil),
            (Ty::OneOf(words), LuaValue::String(text)) if words.iter().any(|word| *text == *word) => Ok(Value::Nil),
            (Ty::Prop, LuaValue::String(text)) => Ok(context.symbol(text).map_or(Value::Nil, Value::Symbol)),
            (
                Ty::Word | Ty::KindOrClass | Ty::Message | Ty::Cause | Ty::Face | Ty::Side | Ty::Any,
                LuaValue::String(text),
            ) => {
                let word = keyword(context, self.function, text)?;
                let words = &context.catalog.words;
                if ty == Ty::Side && word != words.attacker && word != words.defender {
                    return Err(self.wrong(slot, ty, say(value)));
                }
                Ok(Value::Symbol(word))
            }
            (ty, value) => match number(context, value) {
                Some(found) if fits(ty, found, context) => Ok(found),
                Some(found) => Err(self.wrong(slot, ty, shown(context, found))),
                None => Err(self.wrong(slot, ty, say(value))),
            },
        }
    }

    fn wrong(&self, slot: Slot, ty: Ty, got: String) -> mlua::Error {
        let what = match slot {
            Slot::Param(at, name) => {
                let ordinal = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th"].get(at).copied().unwrap_or("last");
                format!("{ordinal} argument ({name})")
            }
            Slot::Field(name) => format!("field `{name}`"),
        };
        self.refuse(format!("{what} must be {}, found {got}", ty.wanted()))
    }

    fn bug(&self) -> mlua::Error {
        ApiError::raise(format!("{}: an argument is missing", self.function))
    }

    /// An error of this call.
    pub fn refuse(&self, message: impl std::fmt::Display) -> mlua::Error {
        ApiError::raise(format!("{}: {message}", self.function))
    }

    /// The value; nil if it was omitted.
    #[inline]
    pub fn value(&self, at: usize) -> Value {
        // Only existing values have been read.
        Value::from_bits(self.values[at]).unwrap_or_default()
    }
    /// The argument, as a Lua value.
    pub fn lua(&self, at: usize) -> &LuaValue {
        self.raw.get(at).unwrap_or(&LuaValue::Nil)
    }
    /// The argument, on the fast path.
    pub fn fast(&self) -> Option<&'a CallArgs<'a>> {
        self.given
    }
    /// Whether it was given.
    pub fn given(&self, at: usize) -> bool {
        !self.lua(at).is_nil()
    }
    /// The values from an index on, without nils at the end.
    pub fn rest(&self, from: usize) -> impl ExactSizeIterator<Item = Value> + use<'_> {
        let end = self.values.iter().rposition(|bits| *bits != NIL).map_or(0, |last| last + 1);
        (from..end.max(from)).map(|at| self.value(at))
    }
    /// Whether the argument is this string.
    pub fn is(&self, at: usize, text: &str) -> bool {
        matches!(self.lua(at), LuaValue::String(given) if *given == *text)
    }
    /// Which of a field's possible values was given: 1 for true, 0 for false, otherwise the index of the string.
    pub fn which(&self, at: usize) -> Option<i32> {
        match self.value(at) {
            Value::Int(n) => Some(n),
            _ => None,
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
    pub fn optional_space(&self, at: usize) -> Option<SpaceId> {
        match self.value(at) {
            Value::Space(id) => Some(id),
            _ => None,
        }
    }
    pub fn optional_int(&self, at: usize) -> Option<i32> {
        match self.value(at) {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }
    pub fn optional_kind(&self, at: usize) -> Option<KindId> {
        match self.value(at) {
            Value::Kind(id) => Some(id),
            _ => None,
        }
    }
    pub fn optional_counter(&self, at: usize) -> Option<CounterId> {
        match self.value(at) {
            Value::Counter(id) => Some(id),
            _ => None,
        }
    }
    pub fn optional_symbol(&self, at: usize) -> Option<SymbolId> {
        match self.value(at) {
            Value::Symbol(id) => Some(id),
            _ => None,
        }
    }
    pub fn faction(&self, at: usize) -> mlua::Result<FactionId> {
        self.optional_faction(at).ok_or_else(|| self.bug())
    }
    pub fn space(&self, at: usize) -> mlua::Result<SpaceId> {
        self.optional_space(at).ok_or_else(|| self.bug())
    }
    pub fn kind(&self, at: usize) -> mlua::Result<KindId> {
        self.optional_kind(at).ok_or_else(|| self.bug())
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
        self.optional_counter(at).ok_or_else(|| self.bug())
    }
    pub fn symbol(&self, at: usize) -> mlua::Result<SymbolId> {
        self.optional_symbol(at).ok_or_else(|| self.bug())
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
                principes_core::catalog::Scope::Game => "belongs to the game: omit the owner",
                _ => "belongs to a seat: pass that seat as the owner",
            };
            self.refuse(format!("zone `{name}` {wants}, found {}", shown(context, owner)))
        })
    }
    pub fn name(&self, at: usize) -> mlua::Result<&LuaString> {
        match self.lua(at) {
            LuaValue::String(text) => Ok(text),
            _ => Err(self.bug()),
        }
    }
    /// The hook point with the name in an argument.
    pub fn point(&self, at: usize) -> mlua::Result<HookPointId> {
        Ok(HookPointId::at(self.int(at)? as usize))
    }
    /// The decision with the name in an argument.
    pub fn decision(&self, at: usize) -> mlua::Result<DecisionId> {
        Ok(DecisionId::at(self.int(at)? as usize))
    }
    /// A name as a string.
    pub fn text(&self, at: usize) -> mlua::Result<String> {
        self.name(at).map(LuaString::to_string_lossy)
    }
    pub fn table(&self, at: usize) -> mlua::Result<&LuaTable> {
        match self.lua(at) {
            LuaValue::Table(table) => Ok(table),
            _ => Err(self.bug()),
        }
    }
}

fn too_many(function: &str, params: &[Param]) -> mlua::Error {
    let names: Vec<&str> = params.iter().map(|param| param.name).collect();
    ApiError::raise(format!("{function}({}): too many arguments", names.join(", ")))
}
