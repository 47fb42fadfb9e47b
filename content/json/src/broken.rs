//! Unreadable parts of files, and what is still known about them.

use std::collections::BTreeSet;

use principes_schemas::{Family, PropOwner};
use serde_json::Value;

/// The location of something unreadable, which may contain what seems to be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The file as users name it.
    pub file: String,
    /// The part of it; empty for the whole file.
    pub pointer: String,
    /// Its family, if known.
    pub family: Option<Family>,
    /// The id that it seems to have, if it is a single entity.
    pub id: Option<String>,
}

/// What could not be read. Counts without it would be misleading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// Families of which an entity is missing.
    pub families: BTreeSet<Family>,
    /// Whether a file with unknown content is missing.
    pub anything: bool,
    /// Messages that exist but cannot be read.
    pub messages: BTreeSet<String>,
    /// Ids of what cannot be read: references to them may be correct.
    pub unsure: BTreeSet<String>,
    /// Functions that unreadable scenarios call, so that they are not reported as unused.
    pub called: BTreeSet<String>,
    /// Props that entities have although no prop of this name is declared for their type.
    pub undeclared_props: BTreeSet<(PropOwner, String)>,
    /// Where it was.
    pub lost: Vec<Lost>,
    /// The file at which reading stopped, because a budget was used up: anything may be missing.
    pub unread: Option<String>,
}

impl Broken {
    /// Whether these families are complete.
    pub fn spares(&self, families: &[Family]) -> bool {
        !self.anything && !families.iter().any(|family| self.families.contains(family))
    }

    /// Whether everything that affects a game is complete.
    pub fn spares_the_game(&self) -> bool {
        let words = [Family::Messages, Family::Pins, Family::Scenarios, Family::Variants];
        !self.anything && self.families.iter().all(|family| words.contains(family))
    }

    /// Notes what could not be read elsewhere.
    pub fn extend(&mut self, other: &Broken) {
        self.families.extend(&other.families);
        self.anything |= other.anything;
        self.messages.extend(other.messages.iter().cloned());
        self.unsure.extend(other.unsure.iter().cloned());
        self.called.extend(other.called.iter().cloned());
        self.undeclared_props.extend(other.undeclared_props.iter().cloned());
        self.lost.extend(other.lost.iter().cloned());
        self.unread = self.unread.take().or_else(|| other.unread.clone());
    }

    /// Notes a file that is not JSON.
    pub fn unreadable(&mut self, file: &str, text: &str) {
        salvage_text(text, "id", &mut self.unsure);
        CALLS.iter().for_each(|key| salvage_text(text, key, &mut self.called));
        let place = |family: &Family| text.find(&format!("\"{}\"", family.key()));
        let family = Family::ALL.iter().filter_map(|family| Some((place(family)?, *family))).min_by_key(|(at, _)| *at);
        let known = family.map(|(_, family)| family);
        self.lost.push(Lost { file: file.to_owned(), pointer: String::new(), family: known, id: None });
        match family {
            Some((_, family)) if family != Family::Patches => {
                self.families.insert(family);
            }
            _ => self.anything = true,
        }
    }
}

/// Fields of scenarios that name a function.
const CALLS: [&str; 2] = ["call", "hook"];

/// The values of a field in a text that is not valid JSON.
fn salvage_text(text: &str, field: &str, found: &mut BTreeSet<String>) {
    let key = format!("\"{field}\"");
    for (at, _) in text.match_indices(&key) {
        let rest = text[at + key.len()..].trim_start();
        let Some(rest) = rest.strip_prefix(':') else { continue };
        let Some(rest) = rest.trim_start().strip_prefix('"') else { continue };
        if let Some((word, _)) = rest.split_once('"') {
            found.insert(word.to_owned());
        }
    }
}

/// Ids in a value that is left out, and functions that it names.
pub fn salvage_value(value: &Value, broken: &mut Broken) {
    match value {
        Value::Object(object) => {
            let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
            broken.unsure.extend(text("id"));
            broken.called.extend(CALLS.iter().filter_map(|key| text(key)));
            object.values().for_each(|inner| salvage_value(inner, broken));
        }
        Value::Array(list) => list.iter().for_each(|inner| salvage_value(inner, broken)),
        _ => {}
    }
}
