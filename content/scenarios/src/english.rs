//! The sentences of a game, for transcripts.

use std::cell::RefCell;
use std::collections::BTreeSet;

use principes_core::Value;
use principes_core::catalog::Catalog;
use principes_model::{Arg, FALLBACK, Messages};

/// The sentences that a transcript quotes: prompts, script messages, endings. In English, so that snapshots do not
/// depend on who runs them.
pub(crate) struct EnglishMessages<'a> {
    /// For the names of things.
    pub catalog: &'a Catalog,
    pub messages: &'a Messages,
    /// Keys that were looked for.
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
            Value::Nil => return Arg::Text(id),
            Value::Faction(_) => [format!("faction.{id}"), String::new()],
            Value::Space(_) => [format!("space.{id}"), String::new()],
            Value::Kind(_) | Value::Piece(_) => [format!("kind.{id}"), String::new()],
            Value::Card(_) | Value::Design(_) => [format!("card.{id}.title"), String::new()],
            Value::Zone(_) => [format!("zone.{id}"), String::new()],
            Value::Counter(_) => [format!("counter.{id}"), String::new()],
            Value::Symbol(_) => [format!("word.{id}"), format!("option.{id}")],
            Value::Rule(_) => [format!("rule.{id}.title"), String::new()],
        };
        Arg::Text(keys.iter().find_map(|key| self.find(key, &|_| None)).unwrap_or(id))
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
