//! Checks of the declared props and options in scripts: their names, and the values that are compared and requested.

use principes_findings::{Code, listing, suggestion};
use principes_lua::ByteSpan;
use principes_lua::tree::{Expr, ExprKind, Item};
use principes_schemas::PropOwner;

use crate::help::Help;
use crate::types::{self as t, Bits, Type};
use crate::vocabulary::owners;
use crate::walk::Walk;

/// What to call the things that may have a prop.
fn entities(entity: Bits) -> &'static str {
    match owners(entity).as_slice() {
        [PropOwner::Factions] => "no faction",
        [PropOwner::Spaces] => "no space",
        [PropOwner::Kinds] => "no piece",
        [PropOwner::Cards] => "no card",
        _ => "no entity",
    }
}

/// The kinds of entities whose prop an API function reads if its argument, or a field of its argument, names a prop.
pub fn read_of(function: &str, field: &str) -> Bits {
    match (function, field) {
        ("prop" | "has", _) => t::HANDLES,
        (_, "guards") => t::KIND,
        ("cards" | "size" | "groups", _) | (_, "avoid") => t::CARD,
        _ => t::SPACE,
    }
}

impl Walk<'_, '_> {
    /// Checks the name of a prop that is written out. Returns whether the prop exists.
    pub fn check_prop(&mut self, entity: Bits, key: &str, bytes: &ByteSpan) -> bool {
        let facts = self.program.facts;
        let vocabulary = &facts.vocabulary;
        let entity = if owners(entity).is_empty() { t::HANDLES } else { entity };
        if vocabulary.partial || vocabulary.value(entity, key).is_some() {
            return true;
        }
        let near = suggestion(key, vocabulary.keys(entity).map(String::as_str));
        let help = Help::or(near, "declare it under `props`");
        self.report(Code::UnknownWord, bytes, format!("{} has a prop `{key}`", entities(entity)), help);
        false
    }

    /// The type of what `prop` returns. `name` is the position of its second argument.
    pub fn prop_value(&mut self, entity: &Type, name: &Type, bytes: &ByteSpan) -> Type {
        if entity.bits == 0 || name.bits == 0 {
            return Type::NEVER;
        }
        let vocabulary = &self.program.facts.vocabulary;
        if vocabulary.partial || entity.is_unknown() {
            return Type::ANY;
        }
        let Some(keys) = name.words().filter(|_| name.bits & !t::NIL == t::TEXT).cloned() else { return Type::ANY };
        let here = if owners(entity.bits).is_empty() { t::HANDLES } else { entity.bits };
        let mut all = Type::NEVER;
        for key in &keys {
            match self.program.facts.vocabulary.value(here, key) {
                Some(ty) => all = all.join(&ty),
                None => {
                    // A literal has already been checked as a name, but not for its owner.
                    if self.program.facts.vocabulary.value(t::HANDLES, key).is_some() || keys.len() > 1 {
                        self.check_prop(here, key, bytes);
                    }
                    return Type::ANY;
                }
            }
        }
        all
    }

    /// Checks a filter for cards: the names of props, and the values that they can have.
    pub fn check_wanted(&mut self, items: &[Item], known: &Type) {
        for item in items {
            let (key, bytes, value) = match item {
                Item::Named(key, value) => (key.text.clone(), key.span.clone(), value),
                Item::Keyed(Expr { kind: ExprKind::Text(text), span: bytes, .. }, value) => {
                    (text.clone(), bytes.clone(), value)
                }
                Item::Plain(_) | Item::Keyed(..) => continue,
            };
            if self.check_prop(t::CARD, &key, &bytes)
                && let Some(ty) = known.shape().and_then(|shape| shape.fields.get(key.as_str())).cloned()
            {
                self.check_wanted_value(&key, &ty, &value.span);
            }
        }
    }

    /// The same for a table that is written elsewhere.
    pub fn check_wanted_shape(&mut self, known: &Type, bytes: &ByteSpan) {
        let Some(shape) = known.shape().cloned() else { return };
        for (key, ty) in &shape.fields {
            if self.check_prop(t::CARD, key, bytes) {
                self.check_wanted_value(key, ty, bytes);
            }
        }
    }

    fn check_wanted_value(&mut self, key: &str, ty: &Type, bytes: &ByteSpan) {
        let Some(can) = self.program.facts.vocabulary.value(t::CARD, key) else { return };
        if self.program.facts.vocabulary.partial || ty.bits == 0 || ty.is_any() {
            return;
        }
        let real = ty.bits & !t::NIL;
        if real & (can.bits | if can.bits & t::NUMBER != 0 { t::BOOL } else { 0 }) == 0 {
            if real != 0 {
                let message = format!("the `{key}` of a card is never {}", t::tell(real));
                self.report(Code::WrongArgumentType, bytes, message, Help::NONE);
            }
            return;
        }
        if let (Some(words), Some(known)) = (ty.words(), can.words())
            && real == t::TEXT
            && words.is_disjoint(known)
        {
            let known: Vec<&str> = known.iter().map(|word| &**word).collect();
            let read: Vec<&str> = words.iter().map(|word| &**word).collect();
            let near =
                read.first().filter(|_| read.len() == 1).and_then(|word| suggestion(word, known.iter().copied()));
            let help = Help::or(near, format!("it can be {}", listing(&known)));
            self.report(Code::UnknownWord, bytes, format!("the `{key}` of a card is never {}", listing(&read)), help);
        }
    }

    /// Checks that a decision declares the keyword of an option.
    pub fn check_option(&mut self, decision: &str, word: &str, bytes: &ByteSpan) {
        let facts = self.program.facts;
        let Some(words) = facts.vocabulary.options.get(decision).filter(|_| !facts.vocabulary.partial) else { return };
        if !words.contains(word) {
            let near = suggestion(word, words.iter().map(String::as_str));
            let help = Help::or(near, "add it to the `options` of the decision");
            self.report(
                Code::UndeclaredOption,
                bytes,
                format!("the decision `{decision}` has no option `{word}`"),
                help,
            );
        }
    }

    /// Checks that the value that is searched for in a list can be each of the words that are written out in it.
    pub fn check_contained(&mut self, items: &[Item], value: &Type) {
        let Some(words) = value.words().filter(|_| value.bits & !t::NIL == t::TEXT).cloned() else { return };
        for item in items {
            let Item::Plain(Expr { kind: ExprKind::Text(text), span: bytes, .. }) = item else { continue };
            if !words.contains(text.as_str()) {
                let known: Vec<&str> = words.iter().map(|word| &**word).collect();
                let near = suggestion(text, known.iter().copied());
                let help = Help::or(near, format!("it can be {}", listing(&known)));
                self.report(Code::UnknownWord, bytes, format!("this value is never \"{text}\""), help);
            }
        }
    }
}
