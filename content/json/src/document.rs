//! One JSON file of a pack: its text, its value, and the position of each value in the text.

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use principes_findings::budget::{self, MOST_VALUES_IN_FILE};
use principes_findings::{Code, Finding, Label, LineIndex, Span};
use principes_schemas::Family;
use serde_json::Value;

use crate::ids::{Ids, SeenReferences};
use crate::message::Message;
use crate::pointer::MemberPart;
use crate::series::{Member, SeriesOrigins};
use crate::syntax;
use crate::value_spans::{MemberSpans, Oddity, ValueSpans};
use crate::words::WordSet;

/// A JSON file. Copies share large parts until the value changes.
#[derive(Clone, Debug)]
pub struct Document {
    /// Position of its pack in load order.
    pub pack: usize,
    /// Path inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// What the file holds, byte for byte.
    pub text: Arc<str>,
    /// The text that was read: of the same length, with unambiguous syntax mistakes fixed.
    read: Arc<str>,
    /// Its value, with later packs' patches applied.
    pub value: Arc<Value>,
    /// Its family, if it has exactly one.
    pub family: Option<Family>,
    /// The result of schema validation.
    pub(crate) validity: Validity,
    /// How many values and keys the whole file has.
    pub values: usize,
    /// Entities that patches changed: pointer of the entity, then document and pointer of the patch's fields.
    pub patched: Vec<(String, PatchPlace)>,
    /// Pointers to lists with items that patches added or removed.
    pub moved: BTreeSet<String>,
    spans: Arc<ValueSpans>,
    lines: Arc<OnceLock<LineIndex>>,
    pub(crate) memo: Arc<Memo>,
    /// Pointers that a fix has changed: in the fixed value, and in the text.
    renamed: Vec<(String, String)>,
    /// Where the entities come from if the file has series, and the number of fixes made before.
    series: Option<(usize, Arc<SeriesOrigins>)>,
}

/// The result of validating a document by its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validity {
    /// Nothing yet.
    Unchecked,
    /// Nothing is wrong, or what was wrong is fixed or left out.
    Valid,
    /// It has errors, and the document cannot be read as its type.
    Invalid,
}

/// Results computed from a value. Copies of a document share them.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The entities as their type, by position; `None` for those that cannot be read.
    pub(crate) typed: OnceLock<Box<dyn Any + Send + Sync>>,
    items: OnceLock<Vec<Arc<Value>>>,
    seen: OnceLock<[u8; 32]>,
    named: OnceLock<Vec<(String, String)>>,
    words: OnceLock<Arc<WordSet>>,
    functions: OnceLock<Vec<(String, String)>>,
    pub(crate) messages: OnceLock<Vec<Arc<Message>>>,
    /// The references in it, if the schema finds nothing else wrong.
    noted: OnceLock<SeenReferences>,
}

/// The location of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchPlace {
    /// Position of the document in the list of documents.
    pub document: usize,
    /// Pointer to the object whose fields were put into the entity.
    pub pointer: String,
}

/// How many oddities of one file are reported.
const MOST_ODDITIES: usize = 300;

/// Reads a JSON text. Findings report syntax errors. A duplicate key, or a mistake with only one possible fix, does not
/// prevent reading.
pub fn parse(
    pack: usize,
    path: &str,
    file: &str,
    bytes: &[u8],
    findings: &mut Vec<Finding>,
) -> Result<Document, Arc<str>> {
    let text = decode(file, bytes, findings);
    // This is counted before any value is created, because each takes hundreds of bytes.
    let at_most = 1 + text.bytes().filter(|byte| may_precede_value(*byte)).count();
    let values = if at_most <= MOST_VALUES_IN_FILE { at_most } else { count_values(&text) };
    if values > MOST_VALUES_IN_FILE {
        let message = format!("the file has {values} values; at most {MOST_VALUES_IN_FILE} are allowed in one file");
        findings.push(budget::exceeded(file, message, "split the file, or generate less"));
        return Err(text);
    }
    let (mut value, read) = match serde_json::from_str::<Value>(&text) {
        Ok(value) => (value, Arc::clone(&text)),
        Err(error) => match syntax::fix(file, &text, &error) {
            Ok((value, fixed, mistakes)) => {
                findings.extend(mistakes);
                (value, fixed.into())
            }
            Err(finding) => {
                findings.push(*finding);
                return Err(text);
            }
        },
    };
    without_fractions(&mut value);
    let (spans, oddities) = ValueSpans::new(&read);
    let values = spans.count();
    let document = Document {
        pack,
        path: path.to_owned(),
        file: file.to_owned(),
        text,
        read,
        value: Arc::new(value),
        family: None,
        values,
        validity: Validity::Unchecked,
        patched: Vec::new(),
        moved: BTreeSet::new(),
        spans: Arc::new(spans),
        lines: Arc::default(),
        memo: Arc::default(),
        renamed: Vec::new(),
        series: None,
    };
    findings.extend(oddities.iter().take(MOST_ODDITIES).map(|oddity| document.oddity(oddity)));
    Ok(document)
}

/// Writes whole numbers such as `5.0` and `5e0` as `5`: JSON and its schemas do not tell them apart.
fn without_fractions(value: &mut Value) {
    /// Every whole number up to this one has a form of its own.
    const MOST: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= MOST);
            if let Some(whole) = whole {
                // The bound makes the conversion exact.
                *value = Value::from(whole as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(without_fractions),
        Value::Object(object) => object.values_mut().for_each(without_fractions),
        _ => {}
    }
}

/// Whether a value or key may follow a byte.
fn may_precede_value(byte: u8) -> bool {
    matches!(byte, b',' | b':' | b'[' | b'{')
}

/// About how many values and keys a JSON text has. Counts brackets, commas and colons.
fn count_values(text: &str) -> usize {
    let (mut count, mut quoted, mut escaped) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            byte if !quoted && may_precede_value(byte) => count += 1,
            _ => {}
        }
    }
    count
}

/// The text of a file: UTF-8, a byte order mark removed. Bytes that are not UTF-8 are replaced by placeholder
/// characters.
pub fn decode(file: &str, bytes: &[u8], findings: &mut Vec<Finding>) -> Arc<str> {
    let read = std::str::from_utf8(bytes);
    let text = read.map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    if let Err(error) = read {
        let at = error.valid_up_to();
        let source: Arc<str> = text.as_ref().into();
        let span = Span::new(&source, at..at + '\u{fffd}'.len_utf8());
        findings.push(
            Finding::new(Code::NotUtf8, file, "the file is not UTF-8")
                .at(&source, span)
                .help("save the file as UTF-8 without a byte order mark"),
        );
    }
    match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            findings.push(
                Finding::new(Code::ByteOrderMark, file, "the file starts with a byte order mark")
                    .help("save the file as UTF-8 without a byte order mark")
                    .fix("remove the byte order mark", Span::default(), ""),
            );
            rest.into()
        }
        None => text.as_ref().into(),
    }
}

/// The bytes of a member or item with its comma, so that the text stays valid without them.
pub fn member_with_comma(text: &str, member: Range<usize>) -> Range<usize> {
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

/// Undoes fixes that have renamed a part of a pointer.
fn undo(renamed: &[(String, String)], pointer: &mut String) {
    for (new, old) in renamed.iter().rev() {
        if let Some(rest) = pointer.strip_prefix(new.as_str()).filter(|r| r.is_empty() || r.starts_with('/')) {
            *pointer = format!("{old}{rest}");
        }
    }
}

impl Document {
    /// Marks a file that cannot be read as its type after all.
    pub fn reject(&mut self) {
        self.validity = Validity::Invalid;
    }

    fn oddity(&self, oddity: &Oddity) -> Finding {
        match oddity {
            Oddity::Hidden(bytes, hidden) => {
                let message = format!("this text has the hidden character U+{:04X}", u32::from(*hidden));
                Finding::new(Code::HiddenCharacter, &self.file, message)
                    .at(&self.text, self.place(bytes.clone()))
                    .help("remove it; write a line break as `\\n`")
            }
            Oddity::Twice(first, again) => {
                let (first, again) = (self.spans.node(*first), self.spans.node(*again));
                // Only members have keys, so the key exists.
                let (first_key, key) = (first.key.cloned().unwrap_or_default(), again.key.cloned().unwrap_or_default());
                let name: String = serde_json::from_str(&self.read[key.clone()]).unwrap_or_default();
                let finding =
                    Finding::new(Code::DuplicateKey, &self.file, format!("duplicate key `{name}` in this object"))
                        .at(&self.text, self.place(key.clone()))
                        .label(Label {
                            file: self.file.clone(),
                            span: self.place(first_key),
                            message: "first used here".to_owned(),
                            source: Arc::clone(&self.text),
                        })
                        .help("remove one of them");
                if self.text.get(first.value.clone()) != self.text.get(again.value.clone()) {
                    return finding;
                }
                let whole = member_with_comma(&self.read, key.start..again.value.end);
                finding.fix("remove the second one", self.place(whole), "")
            }
        }
    }

    fn place(&self, bytes: Range<usize>) -> Span {
        Span::among(&self.text, self.lines(), bytes)
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The spans of a value, or of the closest enclosing one, and whether it is the value itself.
    fn find(&self, pointer: &str, part: MemberPart) -> (MemberSpans<'_>, bool) {
        if self.renamed.is_empty() && self.series.is_none() {
            return self.spans.find(&self.read, pointer);
        }
        let mut pointer = pointer.to_owned();
        let before = self.series.as_ref().map_or(0, |(before, _)| *before);
        undo(&self.renamed[before..], &mut pointer);
        pointer = self.written(&pointer, part);
        undo(&self.renamed[..before], &mut pointer);
        self.spans.find(&self.read, &pointer)
    }

    fn exact(&self, pointer: &str, part: MemberPart) -> Option<MemberSpans<'_>> {
        let (place, exact) = self.find(pointer, part);
        exact.then_some(place)
    }

    /// The pointer of a value as the file has it: all cards of a series are in one entry.
    pub fn written(&self, pointer: &str, part: MemberPart) -> String {
        let written = self.series.as_ref().and_then(|(_, origins)| origins.written(pointer, part));
        written.unwrap_or_else(|| pointer.to_owned())
    }

    /// The member of a series in which a value is.
    pub fn member(&self, pointer: &str) -> Option<&Arc<Member>> {
        self.series.as_ref().and_then(|(_, origins)| origins.member(pointer))
    }

    /// Notes where the entities come from.
    pub(crate) fn moved_by(&mut self, origins: SeriesOrigins) {
        self.series = Some((self.renamed.len(), Arc::new(origins)));
    }

    /// Whether a place in the file stands for several cards.
    fn is_shared(&self, pointer: &str) -> bool {
        let of_series = self.family == Some(Family::Messages) && pointer.contains('{');
        of_series || self.member(pointer).is_some()
    }

    /// The same file, as one of another pack.
    pub fn of_pack(&self, pack: usize) -> Self {
        Document { pack, ..self.clone() }
    }

    /// The part of the file that belongs to one family. With `rest`, it includes the fields that belong to no family.
    pub(crate) fn part(&self, family: Family, rest: bool) -> Self {
        let is_part = |key: &str| Family::with_key(key).map_or(rest, |of| of == family);
        let members = self.value.as_object().into_iter().flatten().filter(|(key, _)| is_part(key));
        let value = members.map(|(key, value)| (key.clone(), value.clone())).collect();
        Document { value: Arc::new(value), family: Some(family), memo: Arc::default(), ..self.clone() }
    }

    /// The file as one document for each of its families.
    pub fn parts(&self) -> Vec<Self> {
        let keys = self.value.as_object().into_iter().flat_map(|object| object.keys());
        let families: Vec<Family> = keys.filter_map(|key| Family::with_key(key)).collect();
        families.iter().enumerate().map(|(at, family)| self.part(*family, at == 0)).collect()
    }

    /// The value, for changing it.
    pub fn value_mut(&mut self) -> &mut Value {
        self.memo = Arc::default();
        Arc::make_mut(&mut self.value)
    }

    /// The entities of the file as they are written.
    pub fn entities(&self) -> &[Value] {
        let list = self.family.and_then(|family| self.value.get(family.key())?.as_array());
        list.map_or(&[], Vec::as_slice)
    }

    /// The entities of the file as separate values.
    pub fn items(&self) -> &[Arc<Value>] {
        self.memo.items.get_or_init(|| self.entities().iter().cloned().map(Arc::new).collect())
    }

    /// The entities that have an id: pointer and id. Phases are entities at every depth.
    pub fn named(&self) -> &[(String, String)] {
        self.memo.named.get_or_init(|| {
            let Some(family) = self.family.filter(|family| !matches!(family, Family::Messages | Family::Patches))
            else {
                return Vec::new();
            };
            let mut named = Vec::new();
            let place = |at: String| move |(nth, item)| (format!("{at}/{nth}"), item);
            let mut open: Vec<(String, &Value)> =
                self.entities().iter().enumerate().map(place(format!("/{}", family.key()))).rev().collect();
            while let Some((pointer, item)) = open.pop() {
                if let (Family::Phases, Some(inner)) = (family, item.get("phases").and_then(Value::as_array)) {
                    open.extend(inner.iter().enumerate().map(place(format!("{pointer}/phases"))).rev());
                }
                if let Some(id) = item.get("id").and_then(Value::as_str) {
                    named.push((pointer, id.to_owned()));
                }
            }
            named
        })
    }

    /// All texts of the value and all names of its members.
    pub fn words(&self) -> Arc<WordSet> {
        Arc::clone(self.memo.words.get_or_init(|| Arc::new(WordSet::of(&self.value))))
    }

    /// The script functions that the value names, as pointer and function. `find` finds them the first time.
    pub fn functions(&self, find: impl FnOnce() -> Vec<(String, String)>) -> &[(String, String)] {
        self.memo.functions.get_or_init(find)
    }

    /// The digest of the value. `find` computes it the first time.
    pub fn seen(&self, digest: impl FnOnce() -> [u8; 32]) -> [u8; 32] {
        *self.memo.seen.get_or_init(digest)
    }

    /// Notes the references in the value, in which its schema finds nothing else wrong.
    pub fn note(&self, noted: SeenReferences) {
        let _ = self.memo.noted.set(noted);
    }

    /// Whether all noted references name one of these ids. Without notes, they must be checked.
    pub fn is_known_to_refer_to(&self, ids: &Ids) -> bool {
        self.memo.noted.get().is_some_and(|noted| noted.resolve(ids))
    }

    /// The span of a member or item with its comma, for removing it.
    pub fn removal(&self, pointer: &str) -> Option<Span> {
        let place = self.exact(pointer, MemberPart::Key)?;
        let start = place.key.map_or(place.value.start, |key| key.start);
        Some(self.place(member_with_comma(&self.read, start..place.value.end)))
    }

    /// Lets the pointer `new`, which a fix has introduced, have the span of `old`.
    pub fn alias(&mut self, old: &str, new: &str) {
        self.renamed.push((new.to_owned(), old.to_owned()));
    }

    /// The span of a value, or of the nearest value around it.
    pub fn span(&self, pointer: &str, part: MemberPart) -> Span {
        let (place, _) = self.find(pointer, part);
        let range = match (part, place.key) {
            (MemberPart::Key, Some(key)) => key.clone(),
            _ => place.value.clone(),
        };
        let bracket = matches!(self.text.as_bytes().get(range.start), Some(b'{' | b'['));
        self.place(if bracket { range.start..range.start + 1 } else { range })
    }

    /// The bytes of a value, or of its key; `None` if it does not exist.
    pub fn bytes(&self, pointer: &str, part: MemberPart) -> Option<Range<usize>> {
        let place = self.exact(pointer, part)?;
        match part {
            MemberPart::Key => place.key.cloned(),
            MemberPart::Value => Some(place.value.clone()),
        }
    }

    /// The bytes of a value; `None` if there is no such value.
    pub fn value_bytes(&self, pointer: &str) -> Option<Range<usize>> {
        self.bytes(pointer, MemberPart::Value)
    }

    /// The line in which a value begins. Much faster than [`Document::span`] for many values.
    pub fn line(&self, pointer: &str) -> usize {
        let start = self.exact(pointer, MemberPart::Key).map_or(0, |place| place.value.start);
        self.lines().line(start)
    }

    /// A label at a value of this document.
    pub fn label(&self, pointer: &str, part: MemberPart, message: impl Into<String>) -> Label {
        Label {
            message: message.into(),
            file: self.file.clone(),
            span: self.span(pointer, part),
            source: Arc::clone(&self.text),
        }
    }

    /// A finding about a value of this document.
    pub fn finding(&self, code: Code, pointer: &str, part: MemberPart, message: impl Into<String>) -> Finding {
        let mut finding = Finding::new(code, &self.file, message).at(&self.text, self.span(pointer, part));
        finding.pointer = self.written(pointer, part);
        finding.is_shared = self.is_shared(pointer);
        finding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Document>, Vec<Finding>) {
        let mut findings = Vec::new();
        let document = parse(0, "a.json", "p/a.json", text.as_bytes(), &mut findings).ok();
        (document, findings)
    }

    #[test]
    fn values_and_keys_have_spans() {
        let (document, findings) = read("{\n  \"Żubr\": [1, {\"b\": true}]\n}");
        let document = document.expect("valid JSON");
        assert!(findings.is_empty());
        let span = document.span("/Żubr/1/b", MemberPart::Value);
        assert_eq!((span.line, span.column, span.end_column), (2, 21, 25));
        let key = document.span("/Żubr/1/b", MemberPart::Key);
        assert_eq!((key.line, key.column, key.end_column), (2, 16, 19));
        assert_eq!((document.line("/Żubr/1/b"), document.line("")), (2, 1));
        assert_eq!(document.span("/Żubr/7/x", MemberPart::Value).column, 11, "the nearest thing around it");
    }

    #[test]
    fn duplicates_and_marks_are_found() {
        let (document, findings) = read("{\"a\": 1, \"a\": 2}");
        assert!(document.is_some());
        assert_eq!((findings[0].code.as_str(), findings[0].fix.is_none()), ("P0006", true));
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
    fn mistakes_in_the_syntax_do_not_hide_the_rest() {
        let (document, findings) = read("{\"a\": [1, 2,],\n  // why\n \"b\": 3\n \"c\": 4,}");
        let document = document.expect("it can be fixed");
        assert_eq!(*document.value, serde_json::json!({"a": [1, 2], "b": 3, "c": 4}));
        let places: Vec<_> =
            findings.iter().map(|f| (f.code.as_str(), f.span.line, f.span.column, f.fix.is_some())).collect();
        assert_eq!(
            places,
            [("P0005", 1, 12, true), ("P0005", 2, 3, false), ("P0005", 3, 8, true), ("P0005", 4, 8, true)]
        );
        assert_eq!(document.span("/c", MemberPart::Value).line, 4);
        assert!(read("{\"a: 1, \"b\": 2}").0.is_none());
    }
}
