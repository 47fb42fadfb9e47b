//! One JSON file of a pack: its text, its value, and where in the text each value stands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use principes_schemas::Family;
use serde_json::Value;

use crate::diagnostic::{Diagnostic, Span};

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

/// Reads a JSON text. Findings say what keeps it from being a value; a duplicate key does not.
pub fn parse(
    pack: usize,
    path: &str,
    file: &str,
    bytes: Vec<u8>,
    findings: &mut Vec<Diagnostic>,
) -> Result<Document, Option<Arc<str>>> {
    let text = decode(file, bytes, findings).ok_or(None)?;
    let value: Value = match serde_json::from_str(&text) {
        Ok(value) => value,
        Err(error) => {
            findings.push(syntax_error(file, &text, &error));
            return Err(Some(text));
        }
    };
    let document = Document {
        pack,
        path: path.to_owned(),
        file: file.to_owned(),
        text,
        value,
        family: None,
        valid: false,
        patched: Vec::new(),
        spans: OnceLock::new(),
        line_ends: OnceLock::new(),
    };
    if let Some(tree) = tree(&document.text) {
        duplicate_keys(&document, &tree, findings);
    }
    Ok(document)
}

/// The text of a file: UTF-8, a byte order mark taken away.
pub fn decode(file: &str, bytes: Vec<u8>, findings: &mut Vec<Diagnostic>) -> Option<Arc<str>> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let readable: Arc<str> = String::from_utf8_lossy(error.as_bytes()).into();
            let span = Span::new(&readable, at..at + '\u{fffd}'.len_utf8());
            findings.push(
                Diagnostic::new("P0003", file, "this is not UTF-8")
                    .at(&readable, span)
                    .help("save the file as UTF-8 without a byte order mark"),
            );
            return None;
        }
    };
    match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            findings.push(
                Diagnostic::new("P0004", file, "the file begins with a byte order mark")
                    .help("save the file as UTF-8 without a byte order mark"),
            );
            Some(rest.into())
        }
        None => Some(text.into()),
    }
}

fn syntax_error(file: &str, text: &Arc<str>, error: &serde_json::Error) -> Diagnostic {
    let whole = error.to_string();
    let message = whole.split(" at line ").next().unwrap_or(&whole);
    let line_start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = (line_start + error.column().saturating_sub(1)).min(text.len());
    let width = text[crate::text_position::floor_char(text, at)..].chars().next().map_or(0, char::len_utf8);
    let help = match message {
        m if m.contains("trailing comma") => Some("take the last comma away"),
        m if m.contains("expected `,`") => Some("a comma is missing before this, or a quote after it"),
        m if m.contains("key must be a string") => {
            Some("keys stand in double quotes; comments are not allowed, use `notes`")
        }
        m if m.contains("control character") => Some("write a line break as \\n and a tab as \\t"),
        m if m.contains("recursion limit") => Some("nothing may lie more than 127 levels deep"),
        m if m.contains("EOF") => Some("a bracket or a quote is not closed"),
        _ => None,
    };
    Diagnostic::new("P0005", file, format!("not valid JSON: {message}"))
        .at(text, Span::new(text, at..at + width))
        .maybe_help(help.map(str::to_owned))
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
            let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
            for property in &object.properties {
                let range = property.name.range();
                if let Some(first) = seen.insert(property.name.as_str(), range.start) {
                    let line = Span::new(&document.text, first..first).line;
                    let message = format!("`{}` stands twice in this object", property.name.as_str());
                    findings.push(
                        Diagnostic::new("P0006", &document.file, message)
                            .at(&document.text, Span::new(&document.text, range.start..range.end))
                            .help(format!("the first one is in line {line}; only one can count")),
                    );
                }
                duplicate_keys(document, &property.value, findings);
            }
        }
        ast::Value::Array(array) => array.elements.iter().for_each(|item| duplicate_keys(document, item, findings)),
        _ => {}
    }
}

impl Document {
    fn spans(&self) -> &Spans {
        self.spans.get_or_init(|| {
            let mut spans = Spans::new();
            if let Some(tree) = tree(&self.text) {
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
                return Span::new(&self.text, if bracket { range.start..range.start + 1 } else { range });
            }
            match pointer.rfind('/') {
                Some(cut) => pointer = &pointer[..cut],
                None => return Span::new(&self.text, 0..0),
            }
        }
    }

    /// The line in which a value begins. Much faster than [`Document::span`] for many values.
    pub fn line(&self, pointer: &str) -> usize {
        let ends = self.line_ends.get_or_init(|| self.text.match_indices('\n').map(|(at, _)| at).collect());
        let start = self.spans().get(pointer).map_or(0, |(_, value)| value.start);
        ends.partition_point(|&end| end < start) + 1
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
        let home = &self.0[document];
        for (entity, place) in home.patched.iter().rev() {
            let Some(rest) = pointer.strip_prefix(entity.as_str()) else { continue };
            let patch = &self.0[place.document];
            let first = rest.split('/').nth(1).unwrap_or_default();
            let set = patch.value.pointer(&place.pointer).and_then(|fields| fields.get(first)).is_some();
            if rest.is_empty() || set {
                return patch.finding(code, &format!("{}{rest}", place.pointer), part, message);
            }
        }
        home.finding(code, pointer, part, message)
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
    fn syntax_errors_and_duplicates_are_found() {
        let (document, findings) = read("{\"a\": 1,}");
        assert!(document.is_none());
        assert_eq!(findings[0].code, "P0005");
        assert_eq!(findings[0].span.as_ref().map(|s| s.column), Some(9));
        let (document, findings) = read("{\"a\": 1, \"a\": 2}");
        assert!(document.is_some());
        assert_eq!(findings[0].code, "P0006");
        let (_, findings) = read("\u{feff}{}");
        assert_eq!(findings[0].code, "P0004");
        let deep = "[".repeat(5000);
        assert_eq!(read(&deep).1[0].code, "P0005");
    }
}
