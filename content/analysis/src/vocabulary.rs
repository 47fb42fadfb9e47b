//! The declared props and options: their names, and the values that scripts read.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use principes_schemas::{PropOwner, PropType};

use crate::constants::Constants;
use crate::types::{self as t, Bits, Detail, Type};

/// The props that each kind of entity may have, with the types of their values as scripts read them.
#[derive(Default, Hash)]
pub struct Vocabulary {
    props: BTreeMap<PropOwner, BTreeMap<String, Type>>,
    /// The keywords that each decision declares.
    pub options: BTreeMap<String, BTreeSet<String>>,
    /// Whether some of them could not be read, so that unknown names are not reported.
    pub partial: bool,
}

impl Vocabulary {
    /// Adds a type that a prop can have. With `is_sure`, every entity that may have the prop has it.
    pub fn add(&mut self, of: PropOwner, key: &str, ty: &Type, is_sure: bool) {
        let ty = if is_sure { ty.clone() } else { ty.clone().or_nil() };
        let known = self.props.entry(of).or_default().entry(key.to_owned()).or_insert(Type::NEVER);
        // If all entities of one type have it, scripts need no test for nil.
        let both = if known.bits == 0 { ty.bits } else { known.bits & ty.bits };
        let joined = known.join(&ty);
        *known = if both & t::NIL == 0 { joined.only(!t::NIL) } else { joined };
    }

    /// Notes that nothing is known about the values of a prop, because entities have it without a declaration.
    pub fn loosen(&mut self, of: PropOwner, key: &str) {
        if let Some(known) = self.props.get_mut(&of).and_then(|props| props.get_mut(key)) {
            *known = Type::UNKNOWN;
        }
    }

    /// The kernel's own field of an owner's entities, which has one of these words, or any word if the words are not
    /// known.
    pub fn add_field<'w>(&mut self, of: PropOwner, words: Option<impl Iterator<Item = &'w str>>) {
        let ty = words.map_or_else(|| Type::of(t::TEXT), worded);
        self.add(of, of.group(), &ty, true);
    }

    /// The kernel's other fields.
    pub fn add_kernel(&mut self) {
        self.add(PropOwner::Spaces, "home", &Type::of(t::FACTION), false);
        self.add(PropOwner::Cards, "faction", &Type::of(t::FACTION), false);
        self.add(PropOwner::Kinds, "faction", &Type::of(t::FACTION), false);
        self.add(PropOwner::Kinds, "kind", &Type::of(t::KIND), true);
    }

    /// The names of all stats.
    pub fn stats(&self) -> impl Iterator<Item = &String> {
        self.props.get(&PropOwner::Stats).into_iter().flat_map(BTreeMap::keys)
    }

    /// The names of all props but stats.
    pub fn keys(&self, entity: Bits) -> impl Iterator<Item = &String> {
        let owners = owners(entity);
        let named = self.props.iter().filter(move |(of, _)| owners.contains(of));
        named.flat_map(|(_, props)| props.keys())
    }

    /// The names of all props.
    pub fn all_keys(&self) -> impl Iterator<Item = &String> {
        self.keys(t::HANDLES)
    }

    /// The type of a prop of an entity with these basic types; `None` if none of them may have it.
    pub fn value(&self, entity: Bits, key: &str) -> Option<Type> {
        let found = owners(entity).into_iter().filter_map(|of| self.props.get(&of)?.get(key));
        found.cloned().reduce(|a, b| a.join(&b))
    }
}

/// The owners of props among some basic types.
pub fn owners(entity: Bits) -> Vec<PropOwner> {
    let all = [
        (t::FACTION, PropOwner::Factions),
        (t::SPACE, PropOwner::Spaces),
        (t::KIND | t::PIECE, PropOwner::Kinds),
        (t::CARD | t::DESIGN, PropOwner::Cards),
    ];
    all.into_iter().filter(|(bits, _)| entity & bits != 0).map(|(_, of)| of).collect()
}

/// The type of a text that is one of these words.
pub fn worded<'w>(words: impl Iterator<Item = &'w str>) -> Type {
    Type { bits: t::TEXT, detail: Detail::Words(Rc::new(words.map(Rc::from).collect())) }
}

/// The type that scripts read for a prop; `words` are those of a keyword.
pub fn value_of<'w>(value: PropType, words: impl Iterator<Item = &'w str>) -> Type {
    match value {
        PropType::Keyword => worded(words),
        PropType::Number | PropType::Flag => Type::of(t::NUMBER),
        PropType::Text => Type::of(t::TEXT),
        PropType::Entity(family) => Type::of(Constants::of_family(family).map_or(t::ALL, Constants::bits)),
    }
}
