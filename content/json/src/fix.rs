//! Continuing after an error as the author most likely meant it. Then one error does not hide others, and is not
//! reported again as a consequence.
//!
//! A value with a single suggestion is read as suggested. An entity that cannot be fixed is left out. Its id is then
//! uncertain, and checks that count its family are skipped.

use principes_findings::{Code, suggestion};
use principes_schemas::Family;
use serde_json::Value;

use crate::broken::{Broken, Lost, salvage_value};
use crate::document::{Document, Validity};
use crate::pointer::{MemberPart, escape, unescape};
use crate::schema;
use crate::violation::{ValueFix, Violation};

/// The family of a file whose family key is misspelled.
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

/// Applies the suggestion of a violation to a value, and returns whether that was possible.
fn fix(document: &mut Document, violation: &Violation) -> bool {
    let Some((parent, last)) = violation.pointer.rsplit_once('/') else { return false };
    match (&violation.fix, violation.part) {
        (Some(ValueFix::Name(near)), MemberPart::Key) if near.only => {
            let key = unescape(last);
            rename(document, parent, &key, &near.text);
            true
        }
        (Some(ValueFix::Name(near)), MemberPart::Value) if near.only => {
            put(document, &violation.pointer, Value::String(near.text.clone()))
        }
        (Some(ValueFix::Value(value)), MemberPart::Value) => put(document, &violation.pointer, value.clone()),
        // An unknown field does not affect the rest.
        _ if violation.code == Code::UnknownField => {
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

/// Fixes a document with these violations of its schema, or leaves out what cannot be fixed.
pub fn fit(document: &mut Document, violations: &[Violation], broken: &mut Broken) {
    let Some(family) = document.family else { return };
    for violation in violations {
        fix(document, violation);
    }
    // Leaving something out can cause another violation.
    for _ in 0..3 {
        let left = schema::check(family.key(), &document.value);
        if left.iter().all(|violation| is_left_out(document, &violation.pointer)) {
            document.validity = Validity::Valid;
            return;
        }
        for violation in left {
            if !leave_out(document, family, &violation.pointer, broken) {
                salvage_value(&document.value, broken);
                document.validity = Validity::Invalid;
                let file = document.file.clone();
                broken.lost.push(Lost { file, pointer: String::new(), family: Some(family), id: None });
                if family == Family::Patches {
                    broken.anything = true
                } else {
                    broken.families.insert(family);
                }
                return;
            }
        }
    }
    document.validity = Validity::Invalid;
    broken.families.insert(family);
}

/// Fixes a document with these violations of its references, or leaves out what cannot be fixed.
pub fn references(document: &mut Document, violations: &[Violation], broken: &mut Broken) {
    let Some(family) = document.family else { return };
    for violation in violations {
        if !fix(document, violation) {
            leave_out(document, family, &violation.pointer, broken);
        }
    }
}

/// Fixes the props of a document that have only one possible fix. The others stay as they are.
pub fn props(document: &mut Document, violations: &[Violation]) {
    for violation in violations {
        fix(document, violation);
    }
}

/// Whether a pointer is that of an entity that was replaced by null, because it could not be read or a patch removed
/// it. Phases are entities at every depth.
pub fn is_left_out(document: &Document, pointer: &str) -> bool {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    let entity = parts.len() == 2
        || document.family == Some(Family::Phases)
            && parts.len().is_multiple_of(2)
            && parts.iter().step_by(2).all(|key| *key == Family::Phases.key());
    entity && document.value.pointer(pointer).is_some_and(Value::is_null)
}

/// Leaves out the entity or message that contains a value. Returns whether there is one.
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
    let id = entity.get("id").and_then(Value::as_str).map(str::to_owned);
    salvage_value(entity, broken);
    *entity = Value::Null;
    let pointer = document.written(&format!("/{key}/{item}"), MemberPart::Key);
    broken.lost.push(Lost { file: document.file.clone(), pointer, family: Some(family), id });
    broken.families.insert(family);
    true
}
