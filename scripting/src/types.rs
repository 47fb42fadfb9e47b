//! The types of the script API, for parameters and results. Argument checks, reference, editor stubs and the static
//! check of scripts use them.

use principes_core::ids::HandleType;

/// The type of a parameter, field or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A whole number.
    Int,
    /// Any number.
    Number,
    /// True or false.
    Bool,
    /// A string.
    Text,
    /// A handle of this type.
    Handle(HandleType),
    /// A faction that a player may lead.
    Seat,
    /// Either handle.
    PieceOrKind,
    /// A kind of piece, or a keyword: all kinds of that class.
    KindOrClass,
    /// Either handle.
    CardOrDesign,
    /// The owner of the zone parameter before it.
    ZoneOwner,
    /// The owner of the counter parameter before it.
    Owner,
    /// The content of the counter before it: a number, or the handle it holds, or nil.
    HeldValue,
    /// Any handle.
    Entity,
    /// Any handle, number or keyword.
    Any,
    /// A keyword.
    Word,
    /// The name of a prop.
    Prop,
    /// The name of a stat of pieces.
    Stat,
    /// The name of a value of the battle die.
    FaceValue,
    /// The keyword of a face of the battle die.
    Face,
    /// The name of a param of cards.
    ParamName,
    /// The name of a query point.
    Query,
    /// The name of an effect point.
    Effect,
    /// The name of a hook point.
    Point,
    /// The name of a decision.
    Decision,
    /// The key of a message under `log.`.
    Message,
    /// The key of a message under `outcome.`.
    Cause,
    /// `"attacker"` or `"defender"`.
    Side,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A table of named fields.
    Fields(&'static [Field]),
    /// Any table.
    Table,
    /// A list of such values.
    List(&'static Ty),
    /// A table from one type to another.
    Map(&'static Ty, &'static Ty),
    /// Of the script; the verb calls it.
    Function,
    /// A list of options, or a function that returns one.
    Options,
    /// Any Lua value, not checked.
    Lua,
    /// Result: the content of the counter argument, a number or a handle.
    Held,
    /// Result: a list of the type of the first argument.
    Like,
}

/// A field of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key in the table.
    pub name: &'static str,
    /// The type.
    pub ty: Ty,
    /// Whether it may be omitted.
    pub optional: bool,
    /// The description.
    pub doc: &'static str,
}

/// A parameter of an API function.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// As the reference shows it; scripts pass it by position.
    pub name: &'static str,
    /// The type.
    pub ty: Ty,
    /// Whether it may be omitted or nil.
    pub optional: bool,
    /// Whether it must be written even though it may be nil.
    pub written: bool,
    /// Whether up to four such values may follow.
    pub rest: bool,
}

/// A result of an API function.
#[derive(Clone, Copy, Debug)]
pub struct Ret {
    /// The type.
    pub ty: Ty,
    /// Whether it may be nil.
    pub optional: bool,
}

impl Ty {
    /// A handle from `faction.…`, or a seat.
    pub const FACTION: Ty = Ty::Handle(HandleType::Faction);
    /// A handle from `space.…`.
    pub const SPACE: Ty = Ty::Handle(HandleType::Space);
    /// A kind of piece.
    pub const KIND: Ty = Ty::Handle(HandleType::Kind);
    /// A handle for one item.
    pub const PIECE: Ty = Ty::Handle(HandleType::Piece);
    /// A handle for one copy of a design.
    pub const CARD: Ty = Ty::Handle(HandleType::Card);
    /// A card design.
    pub const DESIGN: Ty = Ty::Handle(HandleType::Design);
    /// A handle from `zone.…`.
    pub const ZONE: Ty = Ty::Handle(HandleType::Zone);
    /// A handle from `counter.…`.
    pub const COUNTER: Ty = Ty::Handle(HandleType::Counter);

    /// The strings that it can be.
    pub fn texts(self) -> &'static [&'static str] {
        match self {
            Ty::OneOf(texts) => texts,
            _ => &[],
        }
    }

    /// Whether it may be a table.
    pub fn is_table(self) -> bool {
        matches!(self, Ty::Fields(_) | Ty::Table | Ty::List(_) | Ty::Map(..) | Ty::Options)
    }

    /// The expected value, for error messages.
    pub fn wanted(self) -> String {
        let words = match self {
            Ty::Int => "a whole number",
            Ty::Number => "a number",
            Ty::Bool => "true or false",
            Ty::Text => "a text",
            Ty::Handle(of) => of.one(),
            Ty::Seat | Ty::ZoneOwner => "a seat (a playable faction)",
            Ty::PieceOrKind => "a piece or a kind",
            Ty::KindOrClass => "a kind of piece or a class",
            Ty::CardOrDesign => "a card or a design",
            Ty::Owner => "the owner of the counter: a faction, a space or a card",
            Ty::HeldValue => "the value of the counter: a whole number, or the handle that it holds",
            Ty::Entity => "a handle",
            Ty::Any => "a handle, a number or a keyword",
            Ty::Word => "a keyword",
            Ty::Prop => "the name of a prop",
            Ty::Stat => "the name of a stat",
            Ty::FaceValue => "the name of a value of the die",
            Ty::Face => "a face of the die",
            Ty::ParamName => "the name of a param",
            Ty::Query => "a query point",
            Ty::Effect => "an effect point",
            Ty::Point => "a hook point",
            Ty::Decision => "a decision",
            Ty::Message => "a key of a message `log.<key>`",
            Ty::Cause => "a key of a message `outcome.<key>`",
            Ty::Side => "\"attacker\" or \"defender\"",
            Ty::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                return words.join(" or ");
            }
            Ty::Fields(_) => "a table of fields",
            Ty::List(_) | Ty::Like => "a list",
            Ty::Map(..) | Ty::Table => "a table",
            Ty::Function => "a function",
            Ty::Options => "a list of options or a function that returns one",
            Ty::Lua | Ty::Held => "a value",
        };
        words.to_owned()
    }

    /// The type in editor stubs.
    pub fn stub(self) -> String {
        let name = match self {
            Ty::Int | Ty::Held => "integer",
            Ty::Number => "number",
            Ty::Bool => "boolean",
            Ty::Text | Ty::Word | Ty::FaceValue | Ty::Face => "string",
            Ty::Handle(of) => of.class(),
            Ty::Seat | Ty::ZoneOwner => "Seat",
            Ty::KindOrClass => "Kind|string",
            Ty::PieceOrKind => "Piece|Kind",
            Ty::CardOrDesign => "Card|Design",
            Ty::Owner => "Faction|Space|Card",
            Ty::HeldValue => "integer|Handle",
            Ty::Entity => "Handle",
            Ty::Any | Ty::Lua => "any",
            Ty::Prop => "PropName",
            Ty::Stat => "StatName",
            Ty::ParamName => "ParamName",
            Ty::Query => "QueryPoint",
            Ty::Effect => "EffectPoint",
            Ty::Point => "QueryPoint|EffectPoint",
            Ty::Decision => "DecisionName",
            Ty::Message => "MessageKey",
            Ty::Cause => "OutcomeKey",
            Ty::Side => "Side",
            Ty::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                return words.join("|");
            }
            Ty::Fields(fields) => {
                let field = |field: &Field| {
                    format!("{}{}: {}", field.name, if field.optional { "?" } else { "" }, field.ty.stub())
                };
                return format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "));
            }
            Ty::List(item) => {
                let item = item.stub();
                return if item.contains('|') { format!("({item})[]") } else { format!("{item}[]") };
            }
            Ty::Map(key, value) => return format!("table<{}, {}>", key.stub(), value.stub()),
            Ty::Like => "any[]",
            Ty::Table => "table",
            Ty::Function => "function",
            Ty::Options => "any[]|fun():any[]",
        };
        name.to_owned()
    }
}

impl Ret {
    /// The type in editor stubs.
    pub fn stub(self) -> String {
        let name = self.ty.stub();
        match self.optional {
            true if name.contains('|') => format!("({name})?"),
            true => format!("{name}?"),
            false => name,
        }
    }
}

pub(crate) const fn p(name: &'static str, ty: Ty) -> Param {
    Param { name, ty, optional: false, written: true, rest: false }
}
/// A parameter that must be written but may be nil.
pub(crate) const fn nilable(name: &'static str, ty: Ty) -> Param {
    Param { name, ty, optional: true, written: true, rest: false }
}
pub(crate) const fn opt(name: &'static str, ty: Ty) -> Param {
    Param { name, ty, optional: true, written: false, rest: false }
}
pub(crate) const fn rest(name: &'static str, ty: Ty) -> Param {
    Param { name, ty, optional: true, written: false, rest: true }
}

pub(crate) const fn gives(ty: Ty) -> Ret {
    Ret { ty, optional: false }
}
pub(crate) const fn maybe(ty: Ty) -> Ret {
    Ret { ty, optional: true }
}
pub(crate) const fn needed(name: &'static str, ty: Ty, doc: &'static str) -> Field {
    Field { name, ty, optional: false, doc }
}
pub(crate) const fn field(name: &'static str, ty: Ty, doc: &'static str) -> Field {
    Field { name, ty, optional: true, doc }
}
