//! One JSON file of a pack: its text, its value, and where in the text each value stands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use principes_schemas::Family;
use serde_json::Value;

use crate::diagnostic::{Diagnostic, Label, Span};
use crate::syntax;

/// What of a JSON member a finding points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its value; of an object or array only the opening bracket.
    Value,
    /// Its key.
    Key,
}

/// Bytes of a member's key, where it has one, and of its value, by JSON pointer.
type Spans = BTreeMap<String, (Option<Range<usize>>, Range<usize>)>;

/// A JSON file.
#[derive(Debug)]
pub struct Document {
    /// Position of its pack in load order.
    pub pack: usize,
    /// Path inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// The text that was read: of the same length, with slips in the syntax mended that can be mended without doubt.
    read: Arc<str>,
    /// Its value, with later packs' patches applied.
    pub value: Value,
    /// Its family, where it has exactly one.
    pub family: Option<Family>,
    /// Whether its schema found nothing wrong.
    pub valid: bool,
    /// Entities that patches changed: pointer of the entity, then document and pointer of the patch's fields.
    pub patched: Vec<(String, PatchPlace)>,
    spans: OnceLock<Spans>,
    line_ends: OnceLock<Vec<usize>>,
}

/// Where a patch stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchPlace {
    /// Position of the document in the list of documents.
    pub document: usize,
    /// Pointer to the object whose fields were put into the entity.
    pub pointer: String,
}

/// Reads a JSON text. Findings say what keeps it from being a value; what can be mended without doubt, or a duplicate key,
/// does not.
pub fn parse(
    pack: usize,
    path: &str,
    file: &str,
    bytes: Vec<u8>,
    findings: &mut Vec<Diagnostic>,
) -> Result<Document, Arc<str>> {
    let text = decode(file, bytes, findings);
    let (value, read) = match serde_json::from_str::<Value>(&text) {
        Ok(value) => (value, Arc::clone(&text)),
        Err(error) => match syntax::mend(file, &text, &error) {
            Ok((value, mended, slips)) => {
                findings.extend(slips);
                (value, mended.into())
            }
            Err(finding) => {
                findings.push(*finding);
                return Err(text);
            }
        },
    };
    let document = Document {
        pack,
        path: path.to_owned(),
        file: file.to_owned(),
        text,
        read,
        value,
        family: None,
        valid: false,
        patched: Vec::new(),
        spans: OnceLock::new(),
        line_ends: OnceLock::new(),
    };
    if let Some(tree) = tree(&document.read) {
        duplicate_keys(&document, &tree, findings);
        hidden_characters(&document, &tree, findings);
    }
    Ok(document)
}

/// The text of a file: UTF-8, a byte order mark taken away. What is no UTF-8 is read on with signs for what is unreadable.
pub fn decode(file: &str, bytes: Vec<u8>, findings: &mut Vec<Diagnostic>) -> Arc<str> {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let at = error.utf8_error().valid_up_to();
        let readable = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let source: Arc<str> = readable.as_str().into();
        let span = Span::new(&source, at..at + '\u{fffd}'.len_utf8());
        findings.push(
            Diagnostic::new("P0003", file, "this is not UTF-8")
                .at(&source, span)
                .help("save the file as UTF-8 without a byte order mark"),
        );
        readable
    });
    match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            findings.push(
                Diagnostic::new("P0004", file, "the file begins with a byte order mark")
                    .help("save the file as UTF-8 without a byte order mark")
                    .fix("take the byte order mark away", Span::default(), ""),
            );
            rest.into()
        }
        None => text.into(),
    }
}

fn tree(text: &str) -> Option<ast::Value<'_>> {
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    parse_to_ast(text, &CollectOptions::default(), &strict).ok()?.value
}

fn duplicate_keys(document: &Document, value: &ast::Value<'_>, findings: &mut Vec<Diagnostic>) {
    match value {
        ast::Value::Object(object) => {
            let mut seen: BTreeMap<&str, &ast::ObjectProp<'_>> = BTreeMap::new();
            for property in &object.properties {
                let name = property.name.as_str();
                if let Some(first) = seen.get(name) {
                    let words = |value: &ast::Value<'_>| document.text.get(value.range().start..value.range().end);
                    let mut finding =
                        Diagnostic::new("P0006", &document.file, format!("`{name}` stands twice in this object"))
                            .at(&document.text, document.range(property.name.range()))
                            .label(Label {
                                file: document.file.clone(),
                                span: document.range(first.name.range()),
                                message: "here for the first time".to_owned(),
                                source: Arc::clone(&document.text),
                            })
                            .help("only one can count: take the other away");
                    if words(&first.value) == words(&property.value) {
                        let whole = member_with_comma(&document.read, property.start()..property.end());
                        finding = finding.fix("take the second away", Span::new(&document.text, whole), "");
                    }
                    findings.push(finding);
                } else {
                    seen.insert(name, property);
                }
                duplicate_keys(document, &property.value, findings);
            }
        }
        ast::Value::Array(array) => array.elements.iter().for_each(|item| duplicate_keys(document, item, findings)),
        _ => {}
    }
}

/// Texts with characters that command a terminal or turn the direction of reading.
fn hidden_characters(document: &Document, value: &ast::Value<'_>, findings: &mut Vec<Diagnostic>) {
    let hidden =
        |c: &char| (c.is_control() && *c != '\n') || matches!(*c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let look = |text: &str, range: jsonc_parser::common::Range| {
        let found = text.chars().find(hidden)?;
        let message = format!("this text has the hidden character U+{:04X}", u32::from(found));
        let finding = Diagnostic::new("P0007", &document.file, message);
        Some(finding.at(&document.text, document.range(range)).help("take it out; a line break is `\\n`"))
    };
    match value {
        ast::Value::StringLit(text) => findings.extend(look(&text.value, text.range())),
        ast::Value::Object(object) => {
            for property in &object.properties {
                findings.extend(look(property.name.as_str(), property.name.range()));
                hidden_characters(document, &property.value, findings);
            }
        }
        ast::Value::Array(array) => array.elements.iter().for_each(|item| hidden_characters(document, item, findings)),
        _ => {}
    }
}

/// The bytes of a member or item with the comma that goes with it, so that a valid text stays valid without them.
pub(crate) fn member_with_comma(text: &str, member: Range<usize>) -> Range<usize> {
    let blank = |b: &u8| b.is_ascii_whitespace();
    let bytes = text.as_bytes();
    let after = member.end + bytes[member.end..].iter().take_while(|b| blank(b)).count();
    if bytes.get(after) == Some(&b',') {
        let next = after + 1 + bytes[after + 1..].iter().take_while(|b| blank(b)).count();
        return member.start..next;
    }
    let before = member.start - bytes[..member.start].iter().rev().take_while(|b| blank(b)).count();
    match before.checked_sub(1).map(|at| bytes[at]) {
        Some(b',') => before - 1..member.end,
        _ => member,
    }
}

impl Document {
    fn range(&self, range: jsonc_parser::common::Range) -> Span {
        self.place(range.start..range.end)
    }

    fn place(&self, bytes: Range<usize>) -> Span {
        Span::among(&self.text, self.line_ends(), bytes)
    }

    fn line_ends(&self) -> &[usize] {
        self.line_ends.get_or_init(|| self.text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The place of a member or item with its comma, for taking it away.
    pub fn removal(&self, pointer: &str) -> Option<Span> {
        let (key, value) = self.spans().get(pointer)?;
        let start = key.as_ref().map_or(value.start, |key| key.start);
        Some(Span::new(&self.text, member_with_comma(&self.read, start..value.end)))
    }

    /// Lets places of `new`, which is how a mended value calls something, be those of `old`.
    pub fn alias(&mut self, old: &str, new: &str) {
        self.spans();
        let Some(spans) = self.spans.get_mut() else { return };
        let moved: Vec<_> = spans
            .iter()
            .filter_map(|(pointer, place)| {
                let rest = pointer.strip_prefix(old)?;
                (rest.is_empty() || rest.starts_with('/')).then(|| (format!("{new}{rest}"), place.clone()))
            })
            .collect();
        spans.extend(moved);
    }

    fn spans(&self) -> &Spans {
        self.spans.get_or_init(|| {
            let mut spans = Spans::new();
            if let Some(tree) = tree(&self.read) {
                collect_spans(&tree, String::new(), None, &mut spans);
            }
            spans
        })
    }

    /// The place of a value, or of the nearest value around it.
    pub fn span(&self, pointer: &str, part: Part) -> Span {
        let spans = self.spans();
        let mut pointer = pointer;
        loop {
            if let Some((key, value)) = spans.get(pointer) {
                let range = match (part, key) {
                    (Part::Key, Some(key)) => key.clone(),
                    _ => value.clone(),
                };
                let bracket = matches!(self.text.as_bytes().get(range.start), Some(b'{' | b'['));
                return self.place(if bracket { range.start..range.start + 1 } else { range });
            }
            match pointer.rfind('/') {
                Some(cut) => pointer = &pointer[..cut],
                None => return Span::new(&self.text, 0..0),
            }
        }
    }

    /// The bytes of a value, or of its key; `None` where there is none.
    pub fn bytes(&self, pointer: &str, part: Part) -> Option<Range<usize>> {
        let (key, value) = self.spans().get(pointer)?;
        match part {
            Part::Key => key.clone(),
            Part::Value => Some(value.clone()),
        }
    }

    /// The line in which a value begins. Much faster than [`Document::span`] for many values.
    pub fn line(&self, pointer: &str) -> usize {
        let start = self.spans().get(pointer).map_or(0, |(_, value)| value.start);
        self.line_ends().partition_point(|&end| end < start) + 1
    }

    /// A further place of a finding: a value of this document.
    pub fn label(&self, pointer: &str, part: Part, message: impl Into<String>) -> Label {
        Label {
            message: message.into(),
            file: self.file.clone(),
            span: self.span(pointer, part),
            source: Arc::clone(&self.text),
        }
    }

    /// A finding about a value of this document.
    pub fn finding(&self, code: &'static str, pointer: &str, part: Part, message: impl Into<String>) -> Diagnostic {
        let mut finding = Diagnostic::new(code, &self.file, message).at(&self.text, self.span(pointer, part));
        finding.pointer = pointer.to_owned();
        finding
    }
}

fn collect_spans(value: &ast::Value<'_>, pointer: String, key: Option<Range<usize>>, spans: &mut Spans) {
    match value {
        ast::Value::Object(object) => {
            for property in &object.properties {
                let inner = format!("{pointer}/{}", escape(property.name.as_str()));
                let name = property.name.range();
                collect_spans(&property.value, inner, Some(name.start..name.end), spans);
            }
        }
        ast::Value::Array(array) => {
            for (at, item) in array.elements.iter().enumerate() {
                collect_spans(item, format!("{pointer}/{at}"), None, spans);
            }
        }
        _ => {}
    }
    let range = value.range();
    spans.insert(pointer, (key, range.start..range.end));
}

/// A key as it stands in a JSON pointer.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// All documents of all packs, in load order.
#[derive(Debug, Default)]
pub struct Documents(pub Vec<Document>);

impl Documents {
    /// A finding about a value, which points into the patch that set it where there is one.
    pub fn finding(
        &self,
        document: usize,
        pointer: &str,
        part: Part,
        code: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let (document, pointer) = self.home(document, pointer);
        document.finding(code, &pointer, part, message)
    }

    /// A label at a value, or at the patch that set it.
    pub fn label(&self, document: usize, pointer: &str, part: Part, message: impl Into<String>) -> Label {
        let (document, pointer) = self.home(document, pointer);
        document.label(&pointer, part, message)
    }

    /// The document and pointer of a value: those of the patch that set it where there is one.
    pub fn home(&self, document: usize, pointer: &str) -> (&Document, String) {
        let home = &self.0[document];
        for (entity, place) in home.patched.iter().rev() {
            let Some(rest) = pointer.strip_prefix(entity.as_str()) else { continue };
            let patch = &self.0[place.document];
            let first = rest.split('/').nth(1).unwrap_or_default();
            let set = patch.value.pointer(&place.pointer).and_then(|fields| fields.get(first)).is_some();
            if rest.is_empty() || set {
                return (patch, format!("{}{rest}", place.pointer));
            }
        }
        (home, pointer.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Document>, Vec<Diagnostic>) {
        let mut findings = Vec::new();
        let document = parse(0, "a.json", "p/a.json", text.as_bytes().to_vec(), &mut findings).ok();
        (document, findings)
    }

    #[test]
    fn values_and_keys_have_places() {
        let (document, findings) = read("{\n  \"Żubr\": [1, {\"b\": true}]\n}");
        let document = document.expect("valid JSON");
        assert!(findings.is_empty());
        let span = document.span("/Żubr/1/b", Part::Value);
        assert_eq!((span.line, span.column, span.end_column), (2, 21, 25));
        let key = document.span("/Żubr/1/b", Part::Key);
        assert_eq!((key.line, key.column, key.end_column), (2, 16, 19));
        assert_eq!((document.line("/Żubr/1/b"), document.line("")), (2, 1));
        assert_eq!(document.span("/Żubr/7/x", Part::Value).column, 11, "the nearest thing around it");
    }

    #[test]
    fn duplicates_and_marks_are_found() {
        let (document, findings) = read("{\"a\": 1, \"a\": 2}");
        assert!(document.is_some());
        assert_eq!((findings[0].code, findings[0].fix.is_none()), ("P0006", true));
        let (_, findings) = read("{\"a\": 1,\n \"a\": 1, \"b\": 2}");
        let fix = findings[0].fix.as_ref().expect("both say the same");
        assert_eq!(fix.edits[0].span.bytes, 10..18);
        let (_, findings) = read("\u{feff}{}");
        assert_eq!(findings[0].code, "P0004");
        let deep = "[".repeat(5000);
        assert_eq!(read(&deep).1[0].code, "P0005");
    }

    #[test]
    fn members_go_with_their_commas() {
        let (document, _) = read("{\"a\": [1, 2],\n \"b\": 3}");
        let document = document.expect("valid JSON");
        let without = |pointer: &str| {
            let span = document.removal(pointer).expect("it is there");
            format!("{}{}", &document.text[..span.bytes.start], &document.text[span.bytes.end..])
        };
        assert_eq!(without("/a"), "{\"b\": 3}");
        assert_eq!(without("/b"), "{\"a\": [1, 2]}");
        assert_eq!(without("/a/0"), "{\"a\": [2],\n \"b\": 3}");
        assert_eq!(without("/a/1"), "{\"a\": [1],\n \"b\": 3}");
    }

    #[test]
    fn slips_in_the_syntax_do_not_hide_the_rest() {
        let (document, findings) = read("{\"a\": [1, 2,],\n  // why\n \"b\": 3\n \"c\": 4,}");
        let document = document.expect("it can be mended");
        assert_eq!(document.value, serde_json::json!({"a": [1, 2], "b": 3, "c": 4}));
        let places: Vec<_> = findings.iter().map(|f| (f.code, f.span.line, f.span.column, f.fix.is_some())).collect();
        assert_eq!(
            places,
            [("P0005", 1, 12, true), ("P0005", 2, 3, false), ("P0005", 3, 8, true), ("P0005", 4, 8, true)]
        );
        assert_eq!(document.span("/c", Part::Value).line, 4);
        assert!(read("{\"a: 1, \"b\": 2}").0.is_none());
    }
}
