//! What is known about a value without running anything.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use principes_core::ids::HandleType;
use principes_scripting::api::{Entry, Field, LibraryFunction, Ret, Ty};

/// A set of basic types.
pub type Bits = u32;

pub const NIL: Bits = 1;
pub const FALSE: Bits = 1 << 1;
pub const TRUE: Bits = 1 << 2;
pub const BOOL: Bits = FALSE | TRUE;
pub const NUMBER: Bits = 1 << 3;
pub const TEXT: Bits = 1 << 4;
pub const TABLE: Bits = 1 << 5;
pub const FUNCTION: Bits = 1 << 6;
pub const FACTION: Bits = handle(HandleType::Faction);
pub const SPACE: Bits = handle(HandleType::Space);
pub const KIND: Bits = handle(HandleType::Kind);
pub const PIECE: Bits = handle(HandleType::Piece);
pub const CARD: Bits = handle(HandleType::Card);
pub const DESIGN: Bits = handle(HandleType::Design);
/// All handles that scripts may hold.
pub const HANDLES: Bits = handles();
pub const ALL: Bits = HANDLES | ((1 << 7) - 1);

/// The basic type of a type of handles.
pub const fn handle(of: HandleType) -> Bits {
    1 << (16 + of as u32)
}

/// Keywords are texts, and scripts never get a rule.
const fn is_held(of: HandleType) -> bool {
    !matches!(of, HandleType::Symbol | HandleType::Rule)
}

const fn handles() -> Bits {
    let (mut all, mut at) = (0, 0);
    while at < HandleType::ALL.len() {
        if is_held(HandleType::ALL[at]) {
            all |= handle(HandleType::ALL[at]);
        }
        at += 1;
    }
    all
}

/// The basic type of the handles that editors know by a class: `Zone`.
pub fn with_class(class: &str) -> Option<Bits> {
    HandleType::ALL.iter().find(|of| is_held(**of) && of.class() == class).map(|of| handle(*of))
}

/// The name of each basic type in messages, except handles.
const WORDS: [(Bits, &str); 7] = [
    (NUMBER, "a number"),
    (TEXT, "a text"),
    (TABLE, "a table"),
    (FUNCTION, "a function"),
    (TRUE, "true"),
    (FALSE, "false"),
    (NIL, "nil"),
];

/// The limit of literals that are distinguished.
const MOST_WORDS: usize = 64;
/// The depth up to which nested tables are distinguished.
const DEEPEST: usize = 4;

/// What a value may be. Without bits, nothing is known yet; with all bits, it may be anything.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Type {
    pub(crate) bits: Bits,
    pub(crate) detail: Detail,
}

/// More about the part of a type that is not nil, true or false.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Detail {
    None,
    /// The texts or ids of constants that it may be.
    Words(Rc<BTreeSet<Rc<str>>>),
    Table(Rc<TableShape>),
    Functions(Rc<Vec<Callee>>),
    Module(usize),
    /// Any text, because a function puts it together or takes it out of another.
    Made,
    /// Nothing can be known, because of an error that is reported elsewhere.
    Unknown,
}

/// A function that may be called.
#[derive(Clone, Copy)]
pub enum Callee {
    /// Of a script.
    Own(usize),
    Api(&'static Entry),
    Library(&'static LibraryFunction),
}

impl std::fmt::Debug for Callee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Callee::Own(id) => write!(f, "function {id}"),
            Callee::Api(entry) => f.write_str(entry.name),
            Callee::Library(function) => f.write_str(function.name),
        }
    }
}

impl PartialEq for Callee {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Callee::Own(a), Callee::Own(b)) => a == b,
            (Callee::Api(a), Callee::Api(b)) => std::ptr::eq(*a, *b),
            (Callee::Library(a), Callee::Library(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl Hash for Callee {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Callee::Own(id) => id.hash(state),
            Callee::Api(entry) => entry.name.hash(state),
            Callee::Library(function) => function.name.hash(state),
        }
    }
}

/// What is known about a table.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct TableShape {
    /// Fields by name.
    pub fields: BTreeMap<Rc<str>, Type>,
    /// Whether it may have other fields.
    pub open: bool,
    /// Keys other than the named ones.
    pub keys: Type,
    /// What is under them.
    pub items: Type,
    /// For `self`, the name of its entity in messages.
    pub of: Option<Rc<str>>,
}

impl Type {
    pub(crate) const NEVER: Type = Type { bits: 0, detail: Detail::None };
    pub(crate) const ANY: Type = Type { bits: ALL, detail: Detail::None };

    pub(crate) const UNKNOWN: Type = Type { bits: ALL, detail: Detail::Unknown };

    pub(crate) fn of(bits: Bits) -> Type {
        Type { bits, detail: Detail::None }
    }
    pub(crate) fn word(bits: Bits, word: &str) -> Type {
        Type { bits, detail: Detail::Words(Rc::new(BTreeSet::from([Rc::from(word)]))) }
    }
    pub(crate) fn list(items: Type) -> Type {
        Type::table(TableShape { fields: BTreeMap::new(), open: false, keys: Type::of(NUMBER), items, of: None })
    }
    pub(crate) fn table(shape: TableShape) -> Type {
        Type { bits: TABLE, detail: Detail::Table(Rc::new(shape)) }
    }
    pub(crate) fn function(callee: Callee) -> Type {
        Type { bits: FUNCTION, detail: Detail::Functions(Rc::new(vec![callee])) }
    }

    pub(crate) fn is_any(&self) -> bool {
        self.bits == ALL
    }
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.detail, Detail::Unknown)
    }
    /// The same, or `nil`.
    pub fn or_nil(mut self) -> Type {
        self.bits |= NIL;
        self
    }
    /// Without nil and false.
    pub(crate) fn truthy(&self) -> Type {
        self.only(ALL & !(NIL | FALSE))
    }
    pub(crate) fn falsy(&self) -> Type {
        self.only(NIL | FALSE)
    }
    pub(crate) fn only(&self, bits: Bits) -> Type {
        let bits = self.bits & bits;
        let detail = if bits & !(NIL | BOOL) == 0 { Detail::None } else { self.detail.clone() };
        Type { bits, detail }
    }
    /// The literals it must be one of, if they are known.
    /// The same where each text may be any text.
    pub(crate) fn made(&self) -> Type {
        match self.shape() {
            Some(shape) => Type::list(shape.items.made()),
            None if self.bits & TEXT != 0 && !self.is_any() => Type { bits: self.bits, detail: Detail::Made },
            None => self.clone(),
        }
    }
    pub(crate) fn words(&self) -> Option<&BTreeSet<Rc<str>>> {
        match &self.detail {
            Detail::Words(words) => Some(words),
            _ => None,
        }
    }
    pub(crate) fn shape(&self) -> Option<&Rc<TableShape>> {
        match &self.detail {
            Detail::Table(shape) => Some(shape),
            _ => None,
        }
    }

    /// A value of either type.
    pub(crate) fn join(&self, other: &Type) -> Type {
        self.join_to(other, DEEPEST)
    }
    fn join_to(&self, other: &Type, depth: usize) -> Type {
        if self == other || other.bits == 0 {
            return self.clone();
        }
        if self.bits == 0 {
            return other.clone();
        }
        let bits = self.bits | other.bits;
        if self.is_unknown() || other.is_unknown() {
            return Type::UNKNOWN;
        }
        let plain = |ty: &Type| ty.bits & !(NIL | BOOL) == 0;
        let detail = match (&self.detail, &other.detail) {
            _ if bits == ALL => Detail::None,
            (detail, _) if plain(other) => detail.clone(),
            (_, detail) if plain(self) => detail.clone(),
            (a, b) if a == b => a.clone(),
            (Detail::Words(a), Detail::Words(b)) if (self.bits ^ other.bits) & !(NIL | BOOL) == 0 => {
                let both: BTreeSet<Rc<str>> = a.union(b).cloned().collect();
                if both.len() <= MOST_WORDS { Detail::Words(Rc::new(both)) } else { Detail::None }
            }
            (Detail::Made, Detail::None | Detail::Words(_)) | (Detail::None | Detail::Words(_), Detail::Made) => {
                Detail::Made
            }
            (Detail::Table(a), Detail::Table(b)) if depth > 0 => Detail::Table(Rc::new(a.join(b, depth - 1))),
            (Detail::Functions(a), Detail::Functions(b)) => {
                let mut both = a.to_vec();
                both.extend(b.iter().filter(|callee| !a.contains(callee)));
                Detail::Functions(Rc::new(both))
            }
            _ => Detail::None,
        };
        Type { bits, detail }
    }

    /// In words: `a space or nil`.
    pub(crate) fn tell(&self) -> String {
        tell(self.bits)
    }

    /// In words, leaving out nil unless there is nothing else.
    pub(crate) fn got(&self) -> String {
        match self.bits & !NIL {
            0 => "nil".to_owned(),
            real => tell(real),
        }
    }

    /// The type that an API call returns; `Held` and `Like` depend on the call.
    pub(crate) fn of_result(result: &Ret) -> Type {
        let ty = Type::of_ty(result.ty);
        if result.optional { ty.or_nil() } else { ty }
    }

    pub(crate) fn of_ty(ty: Ty) -> Type {
        match ty {
            Ty::Int | Ty::Number => Type::of(NUMBER),
            Ty::Bool => Type::of(BOOL),
            // A number is accepted as a text, but no function returns a number as a text.
            Ty::Text => Type::of(TEXT),
            Ty::Side => Type::word(TEXT, "attacker").join(&Type::word(TEXT, "defender")),
            Ty::OneOf(words) => words.iter().fold(Type::NEVER, |ty, word| ty.join(&Type::word(TEXT, word))),
            Ty::List(item) => Type::list(Type::of_ty(*item)),
            Ty::Map(key, item) => Type::table(TableShape {
                fields: BTreeMap::new(),
                open: false,
                keys: Type::of_ty(*key),
                items: Type::of_ty(*item),
                of: None,
            }),
            Ty::Fields(fields) => {
                let field = |field: &Field| (Rc::from(field.name), Type::of_ty(field.ty));
                Type::table(TableShape {
                    fields: fields.iter().map(field).collect(),
                    open: false,
                    keys: Type::NEVER,
                    items: Type::NEVER,
                    of: None,
                })
            }
            Ty::Lua | Ty::Any | Ty::Held | Ty::Like => Type::ANY,
            other => Type::of(accepts(other)),
        }
    }
}

impl TableShape {
    fn join(&self, other: &TableShape, depth: usize) -> TableShape {
        let mut fields = BTreeMap::new();
        for (mine, theirs) in [(self, other), (other, self)] {
            for (name, ty) in &mine.fields {
                let joined = match theirs.fields.get(name) {
                    Some(other) => ty.join_to(other, depth),
                    None if theirs.open => Type::ANY,
                    None => ty.clone().or_nil(),
                };
                fields.entry(name.clone()).or_insert(joined);
            }
        }
        TableShape {
            fields,
            open: self.open || other.open,
            keys: self.keys.join_to(&other.keys, depth),
            items: self.items.join_to(&other.items, depth),
            of: if self.of == other.of { self.of.clone() } else { None },
        }
    }

    /// Adds a value that may be in a field.
    pub(crate) fn add(&mut self, field: &Rc<str>, ty: &Type) {
        let joined = self.fields.get(field).map_or_else(|| ty.clone(), |old| old.join(ty));
        self.fields.insert(Rc::clone(field), joined);
    }

    /// All values that may be in it.
    pub(crate) fn values(&self) -> Type {
        let named = self.fields.values().fold(self.items.clone(), |all, ty| all.join(ty));
        if self.open { Type::ANY } else { named }
    }
}

/// The basic types in words.
pub fn tell(bits: Bits) -> String {
    // In a list, `true` and `false` need not both be named.
    let others = if bits & BOOL == BOOL { bits & !BOOL } else { bits };
    if others == 0 {
        return "true or false".to_owned();
    }
    let handles = HandleType::ALL.iter().filter(|of| is_held(**of)).map(|of| (handle(*of), of.one()));
    let words = handles.chain(WORDS).filter(|(bit, _)| others & bit != 0).map(|(_, word)| word);
    let words: Vec<&str> = words.collect();
    words.join(" or ")
}

/// The basic types that a parameter takes, except nil.
pub fn accepts(ty: Ty) -> Bits {
    match ty {
        // Truth counts as 1 and 0.
        Ty::Int | Ty::HeldValue => NUMBER | BOOL,
        Ty::Number => NUMBER,
        Ty::Bool => BOOL,
        Ty::Handle(of) => handle(of),
        Ty::Seat | Ty::ZoneOwner => FACTION,
        Ty::KindOrClass => KIND | TEXT,
        Ty::PieceOrKind => PIECE | KIND,
        Ty::CardOrDesign => CARD | DESIGN,
        Ty::Owner => FACTION | SPACE | CARD,
        Ty::Entity => HANDLES,
        Ty::Any => HANDLES | NUMBER | TEXT | BOOL,
        Ty::Text => TEXT | NUMBER,
        Ty::Word
        | Ty::Prop
        | Ty::Stat
        | Ty::FaceValue
        | Ty::Face
        | Ty::ParamName
        | Ty::Query
        | Ty::Effect
        | Ty::Point
        | Ty::Decision
        | Ty::Message
        | Ty::Cause
        | Ty::Side
        | Ty::OneOf(_) => TEXT,
        Ty::Fields(_) | Ty::List(_) | Ty::Map(..) | Ty::Table => TABLE,
        Ty::Function => FUNCTION,
        Ty::Options => TABLE | FUNCTION,
        Ty::Lua | Ty::Held | Ty::Like => ALL,
    }
}
