//! Reading on after a fault, as its author most likely meant it, so that one fault does not hide the others and is not
//! told again as a consequence.
//!
//! What has a single suggestion is taken as suggested. An entity that cannot be mended is left out: its id is then
//! unsure, and what would count its family is not checked.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_schemas::{self as schemas, Family};
use serde_json::Value;

use crate::diagnostic::{Diagnostic, suggestion};
use crate::document::{Document, Part, escape, unescape};
use crate::merge::Merged;
use crate::validate::{self, Issue, Mend};

/// Whether an error leaves no doubt how the game was meant, or does not change what happens in it: the rest can be
/// tried out, as far as nothing faulty is needed.
pub fn is_mended(finding: &Diagnostic) -> bool {
    match finding.code {
        // Borders are meant both ways, neighbours once; of two patches the later one counts.
        "P0206" | "P0213" | "P0401" | "P0402" | "P0414" => true,
        "P0209" | "P0214" | "P0215" => finding.fix.is_some(),
        code => code <= "P0202" || code >= "P0501" || ("P0301".."P0401").contains(&code),
    }
}

/// Lets borders that have only one side have both.
pub fn borders(merged: &mut Merged) {
    let pairs: Vec<(String, schemas::SpaceRef)> = merged
        .spaces
        .iter()
        .flat_map(|space| {
            let id = space.value.id.to_string();
            space.value.adjacent.iter().map(move |other| (id.clone(), other.clone()))
        })
        .collect();
    for (id, other) in pairs {
        let Some(there) = merged.spaces.iter_mut().find(|space| space.value.id.as_str() == other.as_str()) else {
            continue;
        };
        if !there.value.adjacent.iter().any(|back| back.as_str() == id) && other.as_str() != id {
            Arc::make_mut(&mut there.value).adjacent.push(schemas::SpaceRef(id));
        }
    }
}

/// What could not be read, so that counts of it would mislead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// Families of which an entity is missing.
    pub families: BTreeSet<Family>,
    /// Whether a file is missing of which nobody knows what it holds.
    pub anything: bool,
    /// Messages that are there but cannot be read.
    pub messages: BTreeSet<String>,
    /// Ids of what cannot be read: references to them may be right.
    pub unsure: BTreeSet<String>,
    /// Functions that scenarios call which cannot be read: something may lead to them.
    pub called: BTreeSet<String>,
}

impl Broken {
    /// Whether everything of these families is there.
    pub fn spares(&self, families: &[Family]) -> bool {
        !self.anything && !families.iter().any(|family| self.families.contains(family))
    }

    /// Whether everything is there that decides what happens in a game.
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
    }

    /// Notes a file that is no JSON.
    pub fn unreadable(&mut self, text: &str) {
        salvage_text(text, "id", &mut self.unsure);
        CALLS.iter().for_each(|key| salvage_text(text, key, &mut self.called));
        let place = |family: &Family| text.find(&format!("\"{}\"", family.key()));
        let family = Family::ALL.iter().filter_map(|family| Some((place(family)?, *family))).min_by_key(|(at, _)| *at);
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

/// What a field says wherever it stands in a text that is not valid JSON.
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

/// Ids in a value that is left out, and functions that it calls.
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

/// The family of a file whose key is misspelt.
pub fn family(document: &mut Document) -> Option<Family> {
    let object = document.value.as_object()?;
    let wrong = object.keys().find(|key| *key != "$schema")?.clone();
    let near = suggestion(&wrong, Family::ALL.iter().map(|family| family.key())).filter(|near| near.only)?;
    rename(document, "", &wrong, &near.name);
    Family::with_key(&near.name)
}

fn rename(document: &mut Document, parent: &str, old: &str, new: &str) {
    let Some(object) = document.value_mut().pointer_mut(parent).and_then(Value::as_object_mut) else { return };
    if let Some(value) = object.remove(old) {
        object.insert(new.to_owned(), value);
        document.alias(&format!("{parent}/{}", escape(old)), &format!("{parent}/{}", escape(new)));
    }
}

/// Puts into a value what an issue suggests. Whether that was possible.
fn mend(document: &mut Document, issue: &Issue) -> bool {
    let Some((parent, last)) = issue.pointer.rsplit_once('/') else { return false };
    match (&issue.mend, issue.part) {
        (Some(Mend::Name(near)), Part::Key) if near.only => {
            let key = unescape(last);
            rename(document, parent, &key, &near.text);
            true
        }
        (Some(Mend::Name(near)), Part::Value) if near.only => {
            put(document, &issue.pointer, Value::String(near.text.clone()))
        }
        (Some(Mend::Value(value)), Part::Value) => put(document, &issue.pointer, value.clone()),
        // What nobody reads does not change what the rest says.
        _ if issue.code == "P0102" => {
            let key = unescape(last);
            let object = document.value_mut().pointer_mut(parent).and_then(Value::as_object_mut);
            object.is_some_and(|object| object.remove(&*key).is_some())
        }
        _ => false,
    }
}

fn put(document: &mut Document, pointer: &str, value: Value) -> bool {
    document.value_mut().pointer_mut(pointer).map(|old| *old = value).is_some()
}

/// Mends a document with these issues of its schema, or leaves out what cannot be mended.
pub fn schema(document: &mut Document, issues: &[Issue], broken: &mut Broken) {
    let Some(family) = document.family else { return };
    for issue in issues {
        mend(document, issue);
    }
    // Leaving one thing out can uncover another.
    for _ in 0..3 {
        let left = validate::check(family.key(), &document.value);
        if left.iter().all(|issue| is_left_out(document, &issue.pointer)) {
            document.valid = true;
            return;
        }
        for issue in left {
            if !leave_out(document, family, &issue.pointer, broken) {
                salvage_value(&document.value, broken);
                document.valid = false;
                if family == Family::Patches {
                    broken.anything = true
                } else {
                    broken.families.insert(family);
                }
                return;
            }
        }
    }
    document.valid = false;
    broken.families.insert(family);
}

/// Mends a document with these issues of its references, or leaves out what cannot be mended.
pub fn references(document: &mut Document, issues: &[Issue], broken: &mut Broken) {
    let Some(family) = document.family else { return };
    for issue in issues {
        if !mend(document, issue) {
            leave_out(document, family, &issue.pointer, broken);
        }
    }
}

/// Mends a document where it is beyond doubt what its properties were meant to say. The rest of them stays as it is.
pub fn props(document: &mut Document, issues: &[Issue]) {
    for issue in issues {
        mend(document, issue);
    }
}

/// Whether a pointer leads to the null that an entity left behind: one that could not be read, or that a patch removed.
/// Phases are entities at every depth.
pub fn is_left_out(document: &Document, pointer: &str) -> bool {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    let entity = parts.len() == 2
        || document.family == Some(Family::Phases)
            && parts.len().is_multiple_of(2)
            && parts.iter().step_by(2).all(|key| *key == Family::Phases.key());
    entity && document.value.pointer(pointer).is_some_and(Value::is_null)
}

/// Leaves out the entity or message in which a value lies. Whether there is one.
fn leave_out(document: &mut Document, family: Family, pointer: &str, broken: &mut Broken) -> bool {
    let mut parts = pointer.splitn(4, '/').skip(1);
    let (Some(key), Some(item)) = (parts.next(), parts.next()) else { return false };
    if key != family.key() || family == Family::Patches {
        return false;
    }
    if family == Family::Messages {
        let item = unescape(item);
        let object = document.value_mut().get_mut(key).and_then(Value::as_object_mut);
        broken.messages.insert(item.clone().into_owned());
        return object.is_some_and(|object| object.remove(&*item).is_some());
    }
    let Some(entity) = document.value_mut().pointer_mut(&format!("/{key}/{item}")) else { return false };
    salvage_value(entity, broken);
    *entity = Value::Null;
    broken.families.insert(family);
    true
}
