//! The messages of a game, for transcripts.

use std::cell::RefCell;
use std::collections::BTreeSet;

use principes_core::catalog::Catalog;
use principes_core::{DesignId, HandleType, Value};
use principes_model::{Arg, FALLBACK, Messages};

/// The messages that a transcript quotes: prompts, log messages, endings. They are in English, so that snapshots do not
/// depend on the user's language.
pub(crate) struct EnglishMessages<'a> {
    /// For the names of things.
    pub catalog: &'a Catalog,
    pub messages: &'a Messages,
    /// Keys that were looked up.
    pub sought: RefCell<BTreeSet<String>>,
}

impl EnglishMessages<'_> {
    fn find(&self, key: &str, args: &dyn Fn(&str) -> Option<Arg>) -> Option<String> {
        self.sought.borrow_mut().insert(key.to_owned());
        self.messages.find(FALLBACK, key, args)
    }

    fn name(&self, value: Value) -> Arg {
        let id = self.catalog.id_of(value);
        let keys = match value {
            Value::Int(n) => return Arg::Int(n),
            Value::Nil | Value::Unseen => return Arg::Text(id),
            Value::Piece(_) => [format!("kind.{id}"), String::new()],
            Value::Card(_) | Value::Design(_) => [format!("card.{id}.title"), String::new()],
            Value::Symbol(_) => [format!("word.{id}"), format!("option.{id}")],
            Value::Rule(_) => [format!("rule.{id}.title"), String::new()],
            other => [format!("{}.{id}", other.handle_type().map_or("", HandleType::word)), String::new()],
        };
        let design = matches!(value, Value::Card(_) | Value::Design(_)).then(|| self.catalog.design(&id)).flatten();
        let filled = |name: &str| self.filled(design?, name);
        Arg::Text(keys.iter().find_map(|key| self.find(key, &filled)).unwrap_or(id))
    }

    /// What the title of a card shows for a placeholder: a param or a prop.
    fn filled(&self, design: DesignId, name: &str) -> Option<Arg> {
        let spec = &self.catalog.designs[design.index()];
        let param = spec.params.get(name).copied().map(Value::Int);
        match param.or_else(|| spec.props.get(self.catalog.symbol(name)?))? {
            // Two titles could name each other.
            Value::Card(_) | Value::Design(_) => None,
            value => Some(self.name(value)),
        }
    }

    /// The message `key`, with its values filled in; `None` if the pack has no such message.
    pub fn sentence(&self, key: &str, about: &[Value]) -> Option<String> {
        let named = |hole: &str| {
            let at = hole.parse::<usize>().ok()?.checked_sub(1)?;
            about.get(at).map(|value| self.name(*value))
        };
        self.find(key, &named)
    }
}
