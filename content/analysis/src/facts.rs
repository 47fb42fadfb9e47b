//! What scripts must fit in the content: ids, scopes, points, messages, and which functions are hooks of what.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use principes_core::catalog::HookPointKind;
use principes_json::WordSet;
use principes_schemas::{CounterScope, Holds, ZoneScope};

use crate::types::{self as t, TableShape, Type};
use crate::vocabulary::Vocabulary;

/// Tables of Lua's library and of the API.
pub const LIBRARIES: [&str; 4] = ["battle", "math", "string", "table"];

/// The arguments of a function that the content names, and what it must do.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// `(self, value, owner, …)`, returns a number and changes nothing.
    Query,
    /// `(self, owner, …)`.
    Effect,
    /// Called by the flow with a seat.
    Seat,
    /// Called by the flow with a seat and the space that it has chosen.
    SeatAndSpace,
    /// Called by the flow with a seat and the option that it has chosen.
    SeatAndOption,
    /// Called by the flow without arguments.
    Plain,
    /// Lists options for a seat and changes nothing.
    Options,
    /// Called with arguments that the content alone does not determine.
    Open,
}

/// A place of the content that names a script function.
pub struct Reference {
    /// As `import` names it, such as `court/cards`.
    pub module: String,
    /// The key in the table that the module returns.
    pub function: String,
    /// How it is called.
    pub role: Role,
    /// The hook point, for hooks.
    pub point: Option<String>,
    /// `self` of hooks.
    pub this: Option<Type>,
    /// The entity, in words.
    pub entity: String,
    /// The position of its document, for the caller.
    pub document: usize,
    /// The pointer inside of the document.
    pub pointer: String,
}

impl Hash for Reference {
    /// Leaves out the place, because findings in scripts do not depend on it. Findings at the place are not cached.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Reference { module, function, role, point, this, entity, document: _, pointer: _ } = self;
        (module, function, role, point, this, entity).hash(state);
    }
}

/// A hook point.
#[derive(Hash)]
pub struct PointFacts {
    /// Whether its hooks are queries, which change nothing.
    pub kind: HookPointKind,
    /// Names of the values that it passes.
    pub args: Vec<String>,
    /// Whether the kernel calls it.
    pub kernel: bool,
}

/// What scripts must fit in the content.
#[derive(Default, Hash)]
pub struct Facts {
    /// Ids of decisions.
    pub decisions: BTreeSet<String>,
    /// Ids in content that could not be read: code that names them may be correct.
    pub unsure: BTreeSet<String>,
    /// Script modules, those whose file cannot be parsed included.
    pub modules: BTreeSet<String>,
    /// Functions, as `module.function`, that are called from content that could not be read.
    pub called: BTreeSet<String>,
    /// Whether files are missing, so that nothing is reported as unused.
    pub partial: bool,
    /// Whether the packs have any phase; without one, no function can be reached.
    pub has_flow: bool,
    /// Counters by id: the scope, and what it holds instead of a number.
    pub counters: BTreeMap<String, (CounterScope, Option<Holds>)>,
    /// Zones by id.
    pub zones: BTreeMap<String, ZoneScope>,
    /// Factions that no player may lead.
    pub unled: BTreeSet<String>,
    /// Hook points by id.
    pub points: BTreeMap<String, PointFacts>,
    /// Places of the content that name a script function.
    pub references: Vec<Reference>,
    /// The declared properties and options.
    pub vocabulary: Vocabulary,
    /// Names of properties of all entities.
    pub props: BTreeSet<String>,
    /// Names of stats of all kinds.
    pub stats: BTreeSet<String>,
    /// Names of params of all cards.
    pub params: BTreeSet<String>,
    /// Names of the values on faces of the battle die.
    pub face_values: BTreeSet<String>,
    /// Faces of the battle die.
    pub faces: BTreeSet<String>,
    /// The number of values that a message shows, by key.
    pub holes: BTreeMap<String, usize>,
    /// Possible keywords that are not in the content.
    pub words: BTreeSet<String>,
    /// Possible keywords in the content.
    pub content: Vec<Arc<WordSet>>,
    /// By table, the names of constants with their ids.
    pub constants: BTreeMap<&'static str, BTreeMap<String, String>>,
}

impl Facts {
    /// Whether something could be a keyword.
    pub fn is_word(&self, word: &str) -> bool {
        self.words.contains(word) || self.content.iter().any(|words| words.contains(word))
    }

    /// Everything that could be a keyword.
    pub fn all_words(&self) -> BTreeSet<&str> {
        self.words.iter().map(String::as_str).chain(self.content.iter().flat_map(|words| words.iter())).collect()
    }

    /// Whether any possible keyword or message key satisfies a condition.
    pub fn some_word(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.words.iter().any(|word| is_it(word))
            || self.holes.keys().any(|key| is_it(key))
            || self.content.iter().any(|words| words.iter().any(&is_it))
    }

    /// The id behind a constant.
    pub fn constant(&self, table: &str, name: &str) -> Option<&str> {
        self.constants.get(table)?.get(name).map(String::as_str)
    }

    /// The names of a table of constants, as scripts write them.
    pub fn constants_of(&self, table: &str) -> impl Iterator<Item = &str> {
        let names = self.constants.get(table).into_iter().flat_map(BTreeMap::keys);
        names.filter(|name| !name.contains(['-', '.'])).map(String::as_str)
    }
}

/// `self` of the hooks of an entity with these params; only cards have a copy in play.
pub fn this<'p>(of: &str, params: impl Iterator<Item = &'p str>, has_card: bool) -> Type {
    let mut fields: BTreeMap<Rc<str>, Type> = params.map(|name| (Rc::from(name), Type::of(t::NUMBER))).collect();
    fields.insert("id".into(), Type::of(t::TEXT));
    fields.insert("owner".into(), Type::of(t::FACTION | t::NIL));
    fields.insert("card".into(), Type::of(if has_card { t::CARD } else { t::NIL }));
    Type::table(TableShape { fields, open: false, keys: Type::NEVER, items: Type::NEVER, of: Some(of.into()) })
}
