//! Where names stand in the files of all packs, as they are written.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use principes_analysis::{constant_name, each_mention};
use principes_findings::{Finding, Span};
use principes_json::{Document, MemberPart, escape};
use principes_model::Merged;
use principes_schemas::Family;
use serde_json::Value;

/// A name as scripts write it, in lower case.
pub fn spelt(name: &str) -> String {
    constant_name(&name.to_lowercase())
}

/// What the text of a place belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A document, by its position among all.
    Document(usize),
    /// The key of a message in a document: each language declares it.
    MessageKey(usize),
    /// A script, by its position among all.
    Script(usize),
}

/// One place where a name stands.
#[derive(Clone)]
pub struct Occurrence {
    /// Where it is.
    pub origin: Origin,
    /// The bytes of the name alone.
    pub bytes: Range<usize>,
    /// Whether the script declares it for itself alone.
    pub is_own: bool,
}

/// All places of some names, by the name as scripts write it. Scenarios and the texts of messages do not count, except
/// for placeholders: they follow what the rest declares.
pub struct Occurrences<'m> {
    merged: &'m Merged,
    of: HashMap<String, Vec<Occurrence>>,
}

impl<'m> Occurrences<'m> {
    /// The places of these names.
    pub fn new(merged: &'m Merged, names: &HashSet<String>) -> Self {
        let mut all = Occurrences { merged, of: HashMap::new() };
        // Families that share a file share its text.
        let files: BTreeMap<&str, usize> = (merged.documents.0.iter().enumerate())
            .filter(|(_, document)| document.family != Some(Family::Scenarios))
            .map(|(at, document)| (document.file.as_str(), at))
            .collect();
        for at in files.into_values() {
            let document = &merged.documents.0[at];
            for string in strings(&document.text) {
                match document.family {
                    Some(Family::Messages) => all.note_message(names, at, &document.text, string),
                    _ => all.note_string(names, Origin::Document(at), &document.text, string),
                }
            }
        }
        for (at, script) in merged.scripts.iter().enumerate() {
            for mention in each_mention(&script.text) {
                let before = all.of.get(&spelt(&mention.text)).map_or(0, Vec::len);
                all.note_string(names, Origin::Script(at), &script.text, mention.bytes);
                if let Some(new) = all.of.get_mut(&spelt(&mention.text)).filter(|new| new.len() > before) {
                    new[before].is_own = mention.is_own;
                }
            }
        }
        all
    }

    fn note(&mut self, names: &HashSet<String>, origin: Origin, text: &str, bytes: Range<usize>) {
        let name = spelt(&text[bytes.clone()]);
        if names.contains(&name) {
            self.of.entry(name).or_default().push(Occurrence { origin, bytes, is_own: false });
        }
    }

    /// Notes a string and the parts of it that may be a name: after a colon, around the last dot, in braces.
    fn note_string(&mut self, names: &HashSet<String>, origin: Origin, text: &str, bytes: Range<usize>) {
        let whole = &text[bytes.clone()];
        self.note(names, origin, text, bytes.clone());
        if let Some(at) = whole.rfind(':') {
            self.note(names, origin, text, bytes.start + at + 1..bytes.end);
        }
        if let Some(at) = whole.rfind('.').filter(|_| !whole.contains(' ')) {
            self.note(names, origin, text, bytes.start..bytes.start + at);
            self.note(names, origin, text, bytes.start + at + 1..bytes.end);
        }
        self.note_holes(names, origin, text, bytes);
    }

    fn note_holes(&mut self, names: &HashSet<String>, origin: Origin, text: &str, bytes: Range<usize>) {
        let whole = &text[bytes.clone()];
        for (at, _) in whole.match_indices('{') {
            if let Some(length) = whole[at + 1..].find('}') {
                let start = bytes.start + at + 1;
                self.note(names, origin, text, start..start + length);
            }
        }
    }

    /// Notes a key that scripts name, or the placeholders of a text.
    fn note_message(&mut self, names: &HashSet<String>, at: usize, text: &str, bytes: Range<usize>) {
        let is_key = text[bytes.end..].get(1..).is_some_and(|rest| rest.trim_start().starts_with(':'));
        if !is_key {
            return self.note_holes(names, Origin::Document(at), text, bytes);
        }
        let key = &text[bytes.clone()];
        if let Some((prefix @ ("log" | "outcome"), _)) = key.split_once('.') {
            self.note(names, Origin::MessageKey(at), text, bytes.start + prefix.len() + 1..bytes.end);
        }
    }

    /// The places of a name.
    pub fn of(&self, name: &str) -> &[Occurrence] {
        self.of.get(name).map_or(&[], Vec::as_slice)
    }

    /// The place that declares a name, if nothing else in the packs has it, or every place if all are keys of messages.
    pub fn only(&self, name: &str) -> Option<&[Occurrence]> {
        let all = self.of(name);
        let is_key = |place: &Occurrence| matches!(place.origin, Origin::MessageKey(_));
        (all.len() == 1 || (!all.is_empty() && all.iter().all(is_key))).then_some(all)
    }

    /// The place at which a script declares a name for itself alone, if it has the name nowhere else.
    pub fn only_in(&self, script: usize, name: &str) -> Option<&[Occurrence]> {
        let all = self.of(name);
        let here = |place: &Occurrence| place.origin == Origin::Script(script);
        let first = all.iter().position(here)?;
        let is_only = all[first].is_own && all.iter().filter(|place| here(place)).count() == 1;
        is_only.then(|| &all[first..=first])
    }

    /// A finding without a code of its own, at a place.
    pub fn finding(&self, place: &Occurrence, finding: impl FnOnce(&str) -> Finding) -> Finding {
        let (document, key) = match place.origin {
            Origin::Script(at) => {
                let script = &self.merged.scripts[at];
                return finding(&script.file).at(&script.text, Span::new(&script.text, place.bytes.clone()));
            }
            Origin::Document(at) => (&self.merged.documents.0[at], false),
            Origin::MessageKey(at) => (&self.merged.documents.0[at], true),
        };
        let found = finding(&document.file);
        // The quotes belong to a string that is the name and nothing else.
        let text = &document.text;
        let quoted = place.bytes.start.saturating_sub(1)..place.bytes.end + 1;
        let is_whole = text.get(quoted.clone()).is_some_and(|all| all.starts_with('"') && all.ends_with('"'));
        let bytes = match text[..place.bytes.start].rfind('"') {
            Some(start) if key => start..place.bytes.end + 1,
            _ if is_whole => quoted,
            _ => place.bytes.clone(),
        };
        let mut found = found.at(text, Span::new(text, bytes));
        let same = |other: &&Document| other.file == document.file;
        let pointers = self.merged.documents.0.iter().filter(same);
        found.pointer = pointers.filter_map(|part| pointer(part, place.bytes.start)).next().unwrap_or_default();
        found
    }
}

/// The bytes of all strings of a JSON text, without their quotes.
fn strings(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = text[at..].find('"').map(|next| at + next + 1) {
        let mut end = start;
        while bytes.get(end).is_some_and(|byte| *byte != b'"') {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() {
            break;
        }
        found.push(start..end);
        at = end + 1;
    }
    found
}

/// The pointer of the string or key in which a byte is, as the file has it.
fn pointer(document: &Document, byte: usize) -> Option<String> {
    let mut open: Vec<(String, &Value)> = vec![(String::new(), &document.value)];
    let holds = |pointer: &str, part| document.bytes(pointer, part).is_some_and(|bytes| bytes.contains(&byte));
    while let Some((pointer, value)) = open.pop() {
        let inner: Vec<(String, &Value)> = match value {
            Value::Array(list) => list.iter().enumerate().map(|(at, item)| (format!("{pointer}/{at}"), item)).collect(),
            Value::Object(object) => {
                object.iter().map(|(key, item)| (format!("{pointer}/{}", escape(key)), item)).collect()
            }
            _ => return Some(document.written(&pointer, MemberPart::Value)),
        };
        for (pointer, item) in inner {
            if holds(&pointer, MemberPart::Key) {
                return Some(document.written(&pointer, MemberPart::Key));
            }
            if holds(&pointer, MemberPart::Value) {
                open.push((pointer, item));
            }
        }
    }
    None
}

/// The text of a file that has an occurrence.
pub fn text_of(merged: &Merged, origin: Origin) -> &Arc<str> {
    match origin {
        Origin::Document(at) | Origin::MessageKey(at) => &merged.documents.0[at].text,
        Origin::Script(at) => &merged.scripts[at].text,
    }
}
