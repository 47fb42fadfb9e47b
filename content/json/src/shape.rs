//! The one canonical shape of a pack's JSON files.
//!
//! Fields are in the order in which their type declares them. A value is on one line if it fits; otherwise each
//! field and each item has its own line, and plain values fill lines. A list of several objects always has a line for
//! each. Texts and numbers keep their spelling, and members of a free map keep their order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use principes_findings::{Code, Finding};
use principes_schemas::{Family, field_order};
use serde_json::Value;

use crate::document::parse;
use crate::value_spans::ValueSpans;

/// The width of lines that can be broken, in characters.
pub const WIDTH: usize = 120;

/// A JSON file of a pack in its canonical shape. `path` is the path inside of the pack; users see the file as `file`.
///
/// # Errors
/// Syntax errors and duplicate keys, which make the file ambiguous. Such a file is not changed.
pub fn shape(path: &str, file: &str, bytes: &[u8]) -> Result<String, Vec<Finding>> {
    let mut findings = Vec::new();
    let document = parse(0, path, file, bytes, &mut findings);
    findings.retain(|finding| !matches!(finding.code, Code::ByteOrderMark | Code::HiddenCharacter));
    let Some(document) = document.ok().filter(|_| findings.is_empty()) else { return Err(findings) };
    let (spans, _) = ValueSpans::new(&document.text);
    let mut node = read(&document.text, &spans, spans.root());
    if let Some(schema) = schema_of(path, &node) {
        Orderer { root: schema }.order(&mut node, schema);
    }
    let mut writer = ShapeWriter::default();
    writer.file(&node, !families_of(&node).is_empty());
    Ok(writer.out)
}

/// A value as it is written in the source.
enum SourceNode<'t> {
    Plain(&'t str),
    List(Vec<SourceNode<'t>>),
    /// Keys with their quotes.
    Object(Vec<(&'t str, SourceNode<'t>)>),
}

impl SourceNode<'_> {
    fn is_object(&self) -> bool {
        matches!(self, SourceNode::Object(_))
    }

    fn is_empty(&self) -> bool {
        match self {
            SourceNode::Plain(_) => true,
            SourceNode::List(items) => items.is_empty(),
            SourceNode::Object(members) => members.is_empty(),
        }
    }

    /// The value on one line, if that is allowed and not longer than `room`.
    fn flat(&self, room: usize) -> Option<String> {
        let mut out = String::new();
        self.flatten(&mut out, room).then_some(out).filter(|out| out.chars().count() <= room)
    }

    fn flatten(&self, out: &mut String, room: usize) -> bool {
        // A character has at most four bytes.
        if out.len() > 4 * room {
            return false;
        }
        match self {
            SourceNode::Plain(text) => out.push_str(text),
            SourceNode::List(items) => {
                if items.iter().filter(|item| item.is_object()).count() > 1 {
                    return false;
                }
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    if !item.flatten(out, room) {
                        return false;
                    }
                }
                out.push(']');
            }
            SourceNode::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    out.push_str(key);
                    out.push_str(": ");
                    if !value.flatten(out, room) {
                        return false;
                    }
                }
                out.push('}');
            }
        }
        true
    }
}

/// The value of a node of a text, as it is written there.
fn read<'t>(text: &'t str, spans: &ValueSpans, node: usize) -> SourceNode<'t> {
    let written = |bytes: &Range<usize>| text.get(bytes.clone()).unwrap_or_default();
    let value = written(spans.node(node).value);
    let inner = || spans.inner(node).into_iter();
    match value.as_bytes().first() {
        Some(b'{') => SourceNode::Object(
            inner().map(|at| (spans.node(at).key.map_or("", written), read(text, spans, at))).collect(),
        ),
        Some(b'[') => SourceNode::List(inner().map(|at| read(text, spans, at)).collect()),
        _ => SourceNode::Plain(value),
    }
}

/// The schema that a file follows, by its name or the family in it.
fn schema_of(path: &str, node: &SourceNode<'_>) -> Option<&'static Value> {
    static SCHEMAS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| principes_schemas::all().into_iter().collect());
    if path == "pack.json" {
        return SCHEMAS.get("pack");
    }
    match families_of(node).as_slice() {
        [] => None,
        [one] => SCHEMAS.get(one.key()),
        _ => SCHEMAS.get("content"),
    }
}

fn families_of(node: &SourceNode<'_>) -> Vec<Family> {
    let SourceNode::Object(members) = node else { return Vec::new() };
    members.iter().filter_map(|(key, _)| Family::with_key(&name(key))).collect()
}

/// The value of a text in quotes.
fn name(quoted: &str) -> String {
    serde_json::from_str(quoted).unwrap_or_default()
}

/// Puts fields into the order of their types.
struct Orderer<'s> {
    root: &'s Value,
}

impl<'s> Orderer<'s> {
    fn order(&self, node: &mut SourceNode<'_>, schema: &'s Value) {
        let Some((shape, schema)) = self.likely_shape(node, schema) else { return };
        match node {
            SourceNode::Plain(_) => {}
            SourceNode::List(items) => items.iter_mut().for_each(|item| self.order(item, &schema["items"])),
            SourceNode::Object(members) => {
                let tag = schema["properties"]["id"]["const"].as_str();
                let order = match tag {
                    Some(tag) => field_order(&format!("{shape}/{tag}")),
                    None => field_order(shape),
                };
                let rank = |key: &str| match (key, tag) {
                    ("$schema", _) | ("id", Some(_)) => 0,
                    _ => order
                        .and_then(|order| order.iter().position(|field| *field == key))
                        .map_or(usize::MAX, |at| at + 1),
                };
                // Unknown fields follow the others, in the order of the file.
                members.sort_by_cached_key(|(key, _)| rank(&name(key)));
                for (key, value) in members {
                    let field = &schema["properties"][name(key)];
                    self.order(value, if field.is_null() { &schema["additionalProperties"] } else { field });
                }
            }
        }
    }

    /// The shape that a value most likely has, and its name.
    fn likely_shape(&self, node: &SourceNode<'_>, schema: &'s Value) -> Option<(&'s str, &'s Value)> {
        let (name, schema) = self.resolved(schema)?;
        if schema.get("properties").is_some() {
            return Some((name, schema));
        }
        let branches = ["oneOf", "anyOf"].iter().find_map(|several| schema.get(several)?.as_array());
        let Some(branches) = branches else { return Some((name, schema)) };
        let branches = branches.iter().filter_map(|branch| self.resolved(branch));
        let fitting = branches.filter_map(|(own, branch)| Some((fit(node, branch)?, own, branch)));
        // If several fit equally well, the first one counts.
        let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, own, branch)| (if own.is_empty() { name } else { own }, branch))
    }

    fn resolved(&self, schema: &'s Value) -> Option<(&'s str, &'s Value)> {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let name = reference.strip_prefix("#/$defs/")?;
                Some((name, self.root["$defs"].get(name)?))
            }
            None if std::ptr::eq(schema, self.root) => Some((schema["title"].as_str().unwrap_or_default(), schema)),
            None => schema.is_object().then_some(("", schema)),
        }
    }
}

/// How well a value fits a shape; `None` if it has another type.
fn fit(node: &SourceNode<'_>, schema: &Value) -> Option<(bool, usize)> {
    match node {
        SourceNode::Plain(_) => None,
        SourceNode::List(_) => schema.get("items").map(|_| (true, 0)),
        SourceNode::Object(members) => {
            let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
                return schema.get("additionalProperties").filter(|more| more.is_object()).map(|_| (false, 0));
            };
            let has = |field: &str| members.iter().any(|(key, _)| name(key) == field);
            let tag = properties.get("id").and_then(|id| id["const"].as_str());
            let tagged = tag.is_none_or(|tag| {
                members
                    .iter()
                    .any(|(key, value)| name(key) == "id" && matches!(value, SourceNode::Plain(id) if name(id) == tag))
            });
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let complete = tagged && required.into_iter().all(has);
            Some((complete, properties.keys().filter(|field| has(field)).count()))
        }
    }
}

/// The surroundings of a value.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    /// How many values are around it.
    depth: usize,
    /// Characters before it on its line.
    used: usize,
    /// Characters after it on its line: the comma.
    after: usize,
    /// Whether it takes several lines even if it fits on one.
    open: bool,
}

#[derive(Default)]
struct ShapeWriter {
    out: String,
}

impl ShapeWriter {
    /// Writes a whole file. The file and the list of its entities are always open.
    fn file(&mut self, node: &SourceNode<'_>, has_family: bool) {
        self.value(node, Surroundings { open: true, ..Surroundings::default() }, has_family);
        self.out.push('\n');
    }

    fn value(&mut self, node: &SourceNode<'_>, place: Surroundings, open_inner: bool) {
        let room = WIDTH.saturating_sub(place.used + place.after);
        if let Some(flat) = node.flat(room).filter(|_| !place.open || node.is_empty()) {
            self.out.push_str(&flat);
            return;
        }
        let inner = Surroundings { depth: place.depth + 1, used: 2 * (place.depth + 1), after: 1, open: open_inner };
        match node {
            SourceNode::Plain(text) => self.out.push_str(text),
            SourceNode::List(items) if items.iter().all(|item| matches!(item, SourceNode::Plain(_))) => {
                self.fill(items, inner)
            }
            SourceNode::List(items) => self.lines('[', items.iter().map(|item| (None, item)), ']', inner),
            SourceNode::Object(members) => {
                self.lines('{', members.iter().map(|(key, value)| (Some(*key), value)), '}', inner);
            }
        }
    }

    /// Writes each part on its own line.
    fn lines<'n, 't: 'n>(
        &mut self,
        begin: char,
        parts: impl ExactSizeIterator<Item = (Option<&'t str>, &'n SourceNode<'t>)>,
        end: char,
        place: Surroundings,
    ) {
        self.out.push(begin);
        let last = parts.len() - 1;
        for (at, (key, value)) in parts.enumerate() {
            self.line(place.depth);
            let mut place = Surroundings { after: usize::from(at < last), ..place };
            if let Some(key) = key {
                self.out.push_str(key);
                self.out.push_str(": ");
                place.used += key.chars().count() + 2;
            }
            self.value(value, place, false);
            if at < last {
                self.out.push(',');
            }
        }
        self.line(place.depth - 1);
        self.out.push(end);
    }

    /// Writes plain values, as many on a line as fit.
    fn fill(&mut self, items: &[SourceNode<'_>], place: Surroundings) {
        self.out.push('[');
        let mut used = WIDTH;
        for (at, item) in items.iter().enumerate() {
            let SourceNode::Plain(text) = item else { continue };
            let comma = usize::from(at + 1 < items.len());
            let length = text.chars().count() + comma;
            if used + 1 + length > WIDTH {
                self.line(place.depth);
                used = place.used + length;
            } else {
                self.out.push(' ');
                used += 1 + length;
            }
            self.out.push_str(text);
            self.out.push_str(if comma > 0 { "," } else { "" });
        }
        self.line(place.depth - 1);
        self.out.push(']');
    }

    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", depth));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(path: &str, text: &str) -> String {
        let once = shape(path, path, text.as_bytes()).expect("valid JSON");
        assert_eq!(shape(path, path, once.as_bytes()).as_deref(), Ok(once.as_str()), "it stays");
        let value = |text: &str| serde_json::from_str::<Value>(text).expect("valid JSON");
        assert_eq!(value(&once), value(text.trim_start_matches('\u{feff}')), "nothing is lost");
        once
    }

    #[test]
    fn fields_stand_in_the_order_of_their_type() {
        let text = "\u{feff}{\"cards\":[{\"strange\":1e2,\"params\":{\"z\":1.50,\"a\":2},\"type\":\"x\",\"id\":\"\\u0061\"}],\r\n\"$schema\":\"s\"}";
        let lines = [
            "{",
            "  \"$schema\": \"s\",",
            "  \"cards\": [",
            "    {\"id\": \"\\u0061\", \"type\": \"x\", \"params\": {\"z\": 1.50, \"a\": 2}, \"strange\": 1e2}",
            "  ]",
            "}\n",
        ];
        assert_eq!(shaped("cards.json", text), lines.join("\n"));
        let text = "{\"rules\": [{\"hooks\": {}, \"id\": \"a\"}], \"cards\": [{\"type\": \"x\", \"id\": \"b\"}]}";
        let several = shaped("game.json", text);
        assert!(several.contains("{\"id\": \"a\", \"hooks\": {}}"), "{several}");
        assert!(several.contains("{\"id\": \"b\", \"type\": \"x\"}"), "{several}");
        let text =
            "{\"procedures\": [{\"tie\": \"attacker\", \"rank\": \"r\", \"toughness\": \"t\", \"id\": \"battle\"}]}";
        let entity = "    {\"id\": \"battle\", \"toughness\": \"t\", \"rank\": \"r\", \"tie\": \"attacker\"}\n";
        assert!(shaped("flow.json", text).contains(entity));
        let text = "{\"scenarios\": [{\"then\": [{\"is\": 1, \"of\": \"a\", \"counter\": \"b\"}], \"id\": \"c\"}]}";
        let entity = "    {\"id\": \"c\", \"then\": [{\"counter\": \"b\", \"of\": \"a\", \"is\": 1}]}\n";
        assert!(shaped("a.json", text).contains(entity));
    }

    #[test]
    fn what_does_not_fit_is_broken() {
        let words = vec!["\"abcdefgh\""; 20].join(",");
        let text =
            format!("{{\"rules\": [{{\"id\": \"a\", \"may\": [{words}], \"notes\": \"n\"}}, {{\"id\": \"b\"}}]}}");
        let shape = shaped("rules.json", &text);
        assert!(shape.lines().all(|line| line.chars().count() <= WIDTH), "{shape}");
        assert!(shape.contains("    {\n      \"id\": \"a\",\n      \"may\": [\n        \"abcdefgh\", "), "{shape}");
        assert!(shape.contains("\n      ],\n      \"notes\": \"n\"\n    },\n    {\"id\": \"b\"}\n"), "{shape}");
        let long = format!("{{\"pins\": [\"{}\"]}}", "ż".repeat(200));
        assert_eq!(shaped("pins.json", &long).lines().count(), 5);
        assert_eq!(shaped("any.json", "{\"a\":[{\"b\":1},{}]}"), "{\n  \"a\": [\n    {\"b\": 1},\n    {}\n  ]\n}\n");
        for (text, shape) in [("[ ]", "[]\n"), (" 1.0 ", "1.0\n"), ("{\"cards\":[]}", "{\n  \"cards\": []\n}\n")] {
            assert_eq!(shaped("x.json", text), shape);
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_place() {
        let refused = |text: &[u8]| {
            let findings = shape("a.json", "p/a.json", text).expect_err("it is broken");
            (findings[0].code.as_str(), findings[0].span.line)
        };
        assert_eq!(refused(b"{\n\"a\": 1,}"), ("P0005", 2));
        assert_eq!(refused(b"{\n\"a\": 1, \"a\": 1}"), ("P0006", 2));
        assert_eq!(refused(b"{\"a\": \"\xff\"}").0, "P0003");
        assert_eq!(refused("[".repeat(500).as_bytes()).0, "P0005");
    }
}
