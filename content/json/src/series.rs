//! Series: entries with `each`, which stand for several cards that differ in a few values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_findings::budget::{MOST_TEXT, MOST_VALUES_IN_FILE};
use principes_findings::{Code, Finding, suggestion};
use principes_schemas::{Family, MOST_IN_SERIES};
use serde_json::{Map, Value};

use crate::broken::{Broken, Lost};
use crate::document::Document;
use crate::pointer::{MemberPart, escape};
use crate::template::{self, TemplatePart};

/// The text that the cards of all series of one file may have together, in bytes.
const MOST_COPIED_TEXT: usize = MOST_TEXT / 8;

/// Fields of an entry whose texts have no placeholders.
const PLAIN: [&str; 4] = ["allow", "each", "notes", "provenance"];

/// A card of a series.
#[derive(Debug)]
pub struct Member {
    /// Its values, by name.
    values: BTreeMap<String, String>,
    /// Values that are one placeholder: pointer inside of the card, and pointer inside of the entry.
    places: Vec<(String, String)>,
}

impl Member {
    /// A text with the placeholders of the series filled in; `None` if it has others.
    pub fn fill(&self, text: &str) -> Option<String> {
        let parts = template::parse(text).ok()?.into_iter().map(|part| match part {
            TemplatePart::Text(text) => Some(text),
            TemplatePart::Hole(name) => self.values.get(&name).cloned(),
        });
        parts.collect()
    }
}

/// Where the items of a list come from.
#[derive(Debug)]
pub(crate) struct SeriesOrigins {
    /// For each item, the position of its entry in the text and, if the entry stands for several, the member.
    items: Vec<(usize, Option<Arc<Member>>)>,
}

impl SeriesOrigins {
    /// The pointer of a value in the text, if it is in a series or after one.
    pub(crate) fn written(&self, pointer: &str, part: MemberPart) -> Option<String> {
        let (item, rest) = item(pointer)?;
        let (entry, member) = self.items.get(item)?;
        let places = member.iter().filter(|_| part == MemberPart::Value).flat_map(|member| &member.places);
        let rest = places.clone().find(|(inner, _)| inner == rest).map_or(rest, |(_, place)| place.as_str());
        Some(format!("/{}/{entry}{rest}", Family::Cards.key()))
    }

    /// The member of a series in which a value is.
    pub(crate) fn member(&self, pointer: &str) -> Option<&Arc<Member>> {
        self.items.get(item(pointer)?.0)?.1.as_ref()
    }
}

/// The position of the card in which a value is, and the pointer inside of the card.
fn item(pointer: &str) -> Option<(usize, &str)> {
    let rest = pointer.strip_prefix('/')?.strip_prefix(Family::Cards.key())?.strip_prefix('/')?;
    let (position, _) = rest.split_once('/').unwrap_or((rest, ""));
    Some((position.parse().ok()?, &rest[position.len()..]))
}

/// How much a file has grown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Growth {
    /// Values and keys.
    pub values: usize,
    /// Bytes of text.
    pub text: usize,
}

/// Replaces the series of a file by their cards. A series that is wrong is left out.
pub(crate) fn expand(document: &mut Document, broken: &mut Broken, findings: &mut Vec<Finding>) -> Growth {
    let mut growth = Growth::default();
    let is_series = |entry: &Value| entry.get("each").is_some();
    if document.family != Some(Family::Cards) || !document.entities().iter().any(is_series) {
        return growth;
    }
    let mut list: Vec<Value> = Vec::new();
    let mut items = Vec::new();
    for (at, entry) in document.entities().iter().enumerate() {
        // The schema says what is wrong with an entry that cannot be read.
        let Some(series) = Series::read(entry) else {
            list.push(entry.clone());
            items.push((at, None));
            continue;
        };
        let base = format!("/{}/{at}", Family::Cards.key());
        let length = document.value_bytes(&base).map_or(0, |bytes| bytes.len());
        let mut problems = series.problems(document, &base);
        if problems.is_empty() {
            growth.values = growth.values.saturating_add(series.count().saturating_mul(values(entry)));
            growth.text = growth.text.saturating_add(series.count().saturating_mul(length));
            let is_too_much = growth.values + document.values > MOST_VALUES_IN_FILE || growth.text > MOST_COPIED_TEXT;
            problems.extend(is_too_much.then(|| {
                let message = "with this entry, the file has too many cards";
                let finding = document.finding(Code::BudgetExceeded, &base, MemberPart::Value, message);
                finding.help("split the file, or generate less")
            }));
        }
        if problems.is_empty() {
            for (card, member) in series.cards() {
                list.push(card);
                items.push((at, Some(Arc::new(member))));
            }
            continue;
        }
        findings.extend(problems);
        broken.families.insert(Family::Cards);
        broken.lost.push(Lost { file: document.file.clone(), pointer: base, family: Some(Family::Cards), id: None });
        if series.count() <= MOST_IN_SERIES {
            let ids = series.cards().filter_map(|(card, _)| card["id"].as_str().map(str::to_owned));
            broken.unsure.extend(ids);
        }
        list.push(Value::Null);
        items.push((at, None));
    }
    if let Some(cards) = document.value_mut().get_mut(Family::Cards.key()) {
        *cards = Value::Array(list);
    }
    document.moved_by(SeriesOrigins { items });
    growth
}

/// Entries as they are written, with series replaced by their cards.
pub fn expanded(entries: &[Value]) -> Vec<Value> {
    let cards = |entry: &Value| match Series::read(entry).filter(|series| series.count() <= MOST_IN_SERIES) {
        Some(series) => series.cards().map(|(card, _)| card).collect(),
        None => vec![entry.clone()],
    };
    entries.iter().flat_map(cards).collect()
}

/// How many values and keys a value has.
fn values(value: &Value) -> usize {
    match value {
        Value::Object(object) => 1 + object.values().map(|inner| 1 + values(inner)).sum::<usize>(),
        Value::Array(list) => 1 + list.iter().map(values).sum::<usize>(),
        _ => 1,
    }
}

/// An entry with `each`.
struct Series<'e> {
    entry: &'e Map<String, Value>,
    id: &'e str,
    /// Names with their values.
    each: Vec<(&'e str, &'e [Value])>,
}

impl<'e> Series<'e> {
    /// The series of an entry; `None` if it has none, or if it does not have the right form.
    fn read(entry: &'e Value) -> Option<Self> {
        let entry = entry.as_object()?;
        let part = |part: &'e Value| {
            let values = part.get("values")?.as_array()?;
            let is_plain = |value: &Value| value.is_string() || value.is_i64();
            let is_right = !values.is_empty() && values.iter().all(is_plain) && part.as_object()?.len() == 2;
            is_right.then_some((part.get("name")?.as_str()?, values.as_slice()))
        };
        let each = entry.get("each")?.as_array()?.iter().map(part).collect::<Option<Vec<_>>>()?;
        let id = entry.get("id")?.as_str()?;
        (!each.is_empty()).then_some(Series { entry, id, each })
    }

    /// The number of its cards.
    fn count(&self) -> usize {
        self.each.iter().fold(1, |count, (_, values)| count.saturating_mul(values.len()))
    }

    /// What is wrong with it.
    fn problems(&self, document: &Document, base: &str) -> Vec<Finding> {
        let finding = |pointer: &str, message: String| {
            document.finding(Code::UnsuitableSeries, &format!("{base}{pointer}"), MemberPart::Value, message)
        };
        let mut found = Vec::new();
        let in_id = template::holes(self.id);
        let is_misspelled = in_id.iter().any(|hole| !self.each.iter().any(|(name, _)| name == hole));
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for (at, (name, values)) in self.each.iter().enumerate() {
            if !names.insert(name) {
                let twice = finding(&format!("/each/{at}/name"), format!("`each` has `{name}` twice"));
                found.push(twice.help("give it another name, or remove it"));
            } else if !in_id.iter().any(|hole| hole == name) && !is_misspelled {
                let message = format!("the id does not have `{{{name}}}`, so several cards would have the same id");
                found.push(finding("/id", message).help(format!("write `{{{name}}}` in the id")));
            }
            let mut seen = BTreeSet::new();
            for (nth, value) in values.iter().enumerate().filter(|(_, value)| !seen.insert(plain(value))) {
                let twice = finding(&format!("/each/{at}/values/{nth}"), format!("{value} is listed twice"));
                found.push(twice.help("remove one of them"));
            }
        }
        if self.count() > MOST_IN_SERIES {
            let message = format!("the entry stands for {} cards; at most {MOST_IN_SERIES} are allowed", self.count());
            found.push(finding("/each", message).help("write several entries"));
        }
        let mut texts = Vec::new();
        for (key, value) in self.entry.iter().filter(|(key, _)| !PLAIN.contains(&key.as_str())) {
            collect(value, format!("/{}", escape(key)), &mut texts);
        }
        for (pointer, text) in texts {
            let parts = match template::parse(text) {
                Ok(parts) => parts,
                Err(message) => {
                    found.push(finding(&pointer, message).help("placeholders look like `{rank}`"));
                    continue;
                }
            };
            for part in parts {
                let TemplatePart::Hole(name) = part else { continue };
                if !names.contains(name.as_str()) {
                    let known: Vec<String> = names.iter().map(|name| format!("`{{{name}}}`")).collect();
                    let unknown = finding(&pointer, format!("`{{{name}}}` has no value: `each` does not list it"));
                    let unknown = unknown.help(format!("the placeholders of this entry are {}", known.join(", ")));
                    let near = suggestion(&name, names.iter().copied());
                    found.push(template::at_placeholder(unknown, &name).suggest(near));
                }
            }
        }
        found
    }

    /// Its cards: the first name changes most slowly.
    fn cards(&self) -> impl Iterator<Item = (Value, Member)> + '_ {
        (0..self.count()).map(|mut number| {
            let mut chosen: BTreeMap<&str, (usize, usize, &Value)> = BTreeMap::new();
            for (at, (name, values)) in self.each.iter().enumerate().rev() {
                let nth = number % values.len();
                number /= values.len();
                chosen.insert(name, (at, nth, &values[nth]));
            }
            let values = chosen.iter().map(|(name, (_, _, value))| ((*name).to_owned(), plain(value))).collect();
            let mut member = Member { values, places: Vec::new() };
            let mut card = Map::new();
            for (key, value) in self.entry.iter().filter(|(key, _)| *key != "each") {
                let value = match PLAIN.contains(&key.as_str()) {
                    true => value.clone(),
                    false => filled(value, format!("/{}", escape(key)), &chosen, &mut member),
                };
                card.insert(key.clone(), value);
            }
            (Value::Object(card), member)
        })
    }
}

/// A value of `each` as it is in an id.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The texts in a value that may have placeholders, with their pointers.
fn collect<'v>(value: &'v Value, pointer: String, texts: &mut Vec<(String, &'v str)>) {
    match value {
        Value::String(text) if text.contains(['{', '}']) => texts.push((pointer, text)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, inner)| collect(inner, format!("{pointer}/{at}"), texts));
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, inner)| collect(inner, format!("{pointer}/{}", escape(key)), texts));
        }
        _ => {}
    }
}

/// A value with its placeholders filled in. A text that is one placeholder becomes the value itself.
fn filled(
    value: &Value,
    pointer: String,
    chosen: &BTreeMap<&str, (usize, usize, &Value)>,
    member: &mut Member,
) -> Value {
    match value {
        Value::String(text) if text.contains(['{', '}']) => {
            let whole = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
            if let Some((at, nth, value)) = whole.and_then(|name| chosen.get(name)) {
                member.places.push((pointer, format!("/each/{at}/values/{nth}")));
                return (*value).clone();
            }
            Value::String(member.fill(text).unwrap_or_else(|| text.clone()))
        }
        Value::Array(list) => {
            let inner = |(at, inner)| filled(inner, format!("{pointer}/{at}"), chosen, member);
            Value::Array(list.iter().enumerate().map(inner).collect())
        }
        Value::Object(object) => {
            let mut full = Map::new();
            for (key, inner) in object {
                full.insert(key.clone(), filled(inner, format!("{pointer}/{}", escape(key)), chosen, member));
            }
            Value::Object(full)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    const TEXT: &str = r#"{"cards": [{"id": "a"}, {"id": "{suit}-{rank}", "notes": "{x}", "copies": "{rank}",
        "each": [{"name": "suit", "values": ["cups", "coins"]}, {"name": "rank", "values": [1, 20]}]}, {"id": "b"}]}"#;

    fn read() -> Document {
        let mut document = parse(0, "a.json", "p/a.json", TEXT.as_bytes(), &mut Vec::new()).expect("valid JSON");
        document.family = Some(Family::Cards);
        let (mut broken, mut findings) = (Broken::default(), Vec::new());
        expand(&mut document, &mut broken, &mut findings);
        assert_eq!((findings.len(), broken), (0, Broken::default()));
        document
    }

    #[test]
    fn the_first_value_changes_most_slowly() {
        let document = read();
        let ids: Vec<&str> = document.named().iter().map(|(_, id)| id.as_str()).collect();
        assert_eq!(ids, ["a", "cups-1", "cups-20", "coins-1", "coins-20", "b"]);
        assert_eq!(document.entities()[2], serde_json::json!({"id": "cups-20", "notes": "{x}", "copies": 20}));
        let written: Value = serde_json::from_str(TEXT).expect("valid JSON");
        assert_eq!(expanded(written["cards"].as_array().expect("a list")), document.entities());
    }

    #[test]
    fn values_are_found_where_they_are_written() {
        let document = read();
        let text = |pointer: &str| document.value_bytes(pointer).map(|bytes| &TEXT[bytes]);
        assert_eq!(text("/cards/2/copies"), Some("20"));
        assert_eq!(text("/cards/4/id"), Some("\"{suit}-{rank}\""));
        assert_eq!(text("/cards/5/id"), Some("\"b\""));
        assert_eq!(document.written("/cards/5/id", MemberPart::Value), "/cards/2/id");
        let key = document.bytes("/cards/2/copies", MemberPart::Key).map(|bytes| &TEXT[bytes]);
        assert_eq!(key, Some("\"copies\""));
    }

    #[test]
    fn a_file_cannot_grow_without_end() {
        let list = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
        let each = ["a", "b", "c"].map(|name| format!("{{\"name\": \"{name}\", \"values\": {list}}}")).join(", ");
        let entry = |nth: usize, notes: &str| {
            format!("{{\"id\": \"x{nth}-{{a}}-{{b}}-{{c}}\", \"notes\": \"{notes}\", \"each\": [{each}]}}")
        };
        let cards = |entries: usize, notes: &str| {
            let list: Vec<String> = (0..entries).map(|nth| entry(nth, notes)).collect();
            let text = format!("{{\"cards\": [{}]}}", list.join(", "));
            let mut document = parse(0, "a.json", "p/a.json", text.as_bytes(), &mut Vec::new()).expect("valid JSON");
            document.family = Some(Family::Cards);
            let mut findings = Vec::new();
            let growth = expand(&mut document, &mut Broken::default(), &mut findings);
            let codes: BTreeSet<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
            assert!(document.entities().len() <= MOST_VALUES_IN_FILE && growth.text > 0);
            (codes, document.entities().iter().filter(|entry| !entry.is_null()).count())
        };
        assert_eq!(cards(1, ""), (BTreeSet::new(), 1000));
        let (codes, count) = cards(40, "");
        assert!(codes == ["P0015"].into() && count < 10_000, "{count} cards");
        let (codes, count) = cards(3, &"long ".repeat(1000));
        assert!(codes == ["P0015"].into() && count == 0, "{count} cards");
    }

    #[test]
    fn messages_are_filled_for_one_card() {
        let document = read();
        let member = document.member("/cards/3").expect("a card of the series");
        assert_eq!(member.fill("card.{suit}-{rank}.title").as_deref(), Some("card.coins-1.title"));
        assert_eq!(member.fill("card.{suit}-{x}.title"), None);
        assert!(document.member("/cards/0").is_none() && document.member("/cards/5").is_none());
    }
}
