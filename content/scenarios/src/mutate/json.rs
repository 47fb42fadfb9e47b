//! Places in content files where a small change would be a mistake that an author could make. The schema of the family
//! says what a text or number means.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use principes_json::{Document, MemberPart, escape, member_with_comma};
use principes_schemas::{Family, ReferenceKind};
use serde_json::{Map, Value};

use super::class::Class;
use super::site::{NamePool, Site, typo};

/// Fields that do not affect games.
const PROSE: [&str; 8] = ["$schema", "allow", "color", "doc", "id", "notes", "provenance", "title"];

/// Keywords by their place: family and path without positions.
pub(super) type KeywordsByPlace = BTreeMap<(Family, String), BTreeSet<String>>;

/// Objects whose keys the content chooses.
const NAMED: [&str; 5] = ["params", "props", "stats", "values", "words"];

/// Fields of a patch that hold fields of the changed entity.
const CHANGES: [&str; 4] = ["add", "replace", "set", "take"];

/// The schemas of all families, by their keys.
pub(super) type Families = BTreeMap<&'static str, Value>;

/// The schemas of all families.
pub(super) fn families() -> Families {
    Family::ALL.iter().map(|family| (family.key(), family.schema())).collect()
}

/// What the walk through a document finds.
enum Met<'a> {
    /// A value and, for a text, the family that it names and the words that it may be.
    Value { value: &'a Value, family: Option<&'a str>, words: Vec<&'a str> },
    /// A key that is a reference.
    Key { key: &'a str, family: &'a str },
    /// A key that the content chooses: the name of a prop, stat, param or keyword.
    Name(&'a str),
    /// A key that the schema knows.
    Field(&'a str),
    /// An item of a list of free texts.
    Prose(&'a Value),
    /// A member or element that could be left out.
    Member,
    /// A required member.
    Required,
    /// The id of an entity.
    Id(&'a str),
}

/// Whether the files of a family are mutated: those that affect games. Pins and scenarios watch over them.
pub(super) fn is_mutated(family: Family) -> bool {
    !matches!(family, Family::Bots | Family::Looks | Family::Messages | Family::Pins | Family::Scenarios)
}

/// Schemas with all that they refer to or consist of.
fn resolved<'a>(root: &'a Value, schemas: &[&'a Value]) -> Vec<&'a Value> {
    let mut plain: Vec<&'a Value> = Vec::new();
    let mut open: Vec<&'a Value> = schemas.to_vec();
    while let Some(schema) = open.pop() {
        if let Some(path) = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#')) {
            open.extend(root.pointer(path));
        }
        for several in ["anyOf", "oneOf", "allOf"] {
            open.extend(schema.get(several).and_then(Value::as_array).into_iter().flatten());
        }
        plain.push(schema);
    }
    plain
}

/// The schema of the entity that a patch changes, and that schema's root.
fn changed<'a>(families: &'a Families, pointer: &str, patch: &'a Map<String, Value>) -> Option<(&'a Value, &'a Value)> {
    let is_patch = pointer.starts_with("/patches/") && pointer.matches('/').count() == 2;
    let family = patch.get("of").filter(|_| is_patch)?.as_str()?;
    let root = families.get(family)?;
    Some((root, root.pointer(&format!("/properties/{family}/items"))?))
}

/// Walks a value with the schemas that it must fit. Their references are in `root`; `families` has the schemas of
/// entities that patches change.
fn walk<'a>(
    families: &'a Families,
    root: &'a Value,
    schemas: &[&'a Value],
    value: &'a Value,
    pointer: &str,
    met: &mut dyn FnMut(&str, Met<'a>),
) {
    let plain = resolved(root, schemas);
    let text = |key: &str| plain.iter().find_map(|schema| schema.get(key)).and_then(Value::as_str);
    let mut words: Vec<&'a str> = Vec::new();
    for schema in &plain {
        words.extend(schema.get("const").and_then(Value::as_str));
        words.extend(schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str));
    }
    met(pointer, Met::Value { value, family: text("x-ref"), words });
    match value {
        Value::Object(object) => walk_object(families, (root, &plain), object, pointer, met),
        Value::Array(list) => {
            let inner: Vec<&'a Value> = plain.iter().filter_map(|schema| schema.get("items")).collect();
            for (at, item) in list.iter().enumerate() {
                let pointer = format!("{pointer}/{at}");
                // Whole entities are not removed, because everything that names them would fail.
                if pointer.matches('/').count() > 2 {
                    met(&pointer, Met::Member);
                }
                walk(families, root, &inner, item, &pointer, met);
            }
        }
        _ => {}
    }
}

/// Walks the members of an object.
fn walk_object<'a>(
    families: &'a Families,
    (root, plain): (&'a Value, &[&'a Value]),
    object: &'a Map<String, Value>,
    pointer: &str,
    met: &mut dyn FnMut(&str, Met<'a>),
) {
    // A patch may leave out any field.
    let is_part = pointer.starts_with("/patches/") && pointer.matches('/').count() == 3;
    let required = |key: &str| {
        let lists = plain.iter().filter_map(|schema| schema.get("required")?.as_array());
        lists.flatten().any(|name| name.as_str() == Some(key)) && !is_part
    };
    let patched = changed(families, pointer, object);
    // The id of an entity.
    if pointer.matches('/').count() == 2
        && let Some(id) = object.get("id").and_then(Value::as_str)
    {
        met(&format!("{pointer}/id"), Met::Id(id));
    }
    let keys = plain.iter().find_map(|schema| schema.get("propertyNames")?.get("x-ref")).and_then(Value::as_str);
    let is_named = NAMED.iter().any(|name| pointer.ends_with(&format!("/{name}")));
    for (key, item) in object.iter().filter(|(key, _)| is_named || !PROSE.contains(&key.as_str())) {
        let inner: Vec<&'a Value> = plain
            .iter()
            .filter_map(|schema| {
                let named = schema.get("properties").and_then(|all| all.get(key));
                named.or_else(|| schema.get("additionalProperties").filter(|rest| rest.is_object()))
            })
            .collect();
        // The position of a drawing.
        let drawn = key == "at" && item.is_array();
        let pointer = format!("{pointer}/{}", escape(key));
        if is_named {
            met(&pointer, Met::Name(key));
        } else if plain.iter().any(|schema| schema.get("properties").is_some_and(|all| all.get(key).is_some())) {
            met(&pointer, Met::Field(key));
        }
        if drawn {
            continue;
        }
        if is_prose(&inner) {
            for (at, text) in item.as_array().into_iter().flatten().enumerate() {
                met(&format!("{pointer}/{at}"), Met::Prose(text));
            }
            continue;
        }
        if let Some(family) = keys {
            met(&pointer, Met::Key { key, family });
        }
        // Leaving out a default changes nothing.
        let usual = inner.iter().any(|schema| schema.get("default") == Some(item));
        let nothing = [Value::Bool(false), Value::Array(Vec::new()), Value::Object(Map::new())].contains(item);
        // Without `may`, nothing is watched; without one of its entries, a hook exceeds it.
        let watch = key == "may";
        let default = !is_part && is_default(&pointer, object, item);
        if pointer.matches('/').count() > 1 && !usual && !nothing && !watch && !default {
            met(&pointer, if required(key) { Met::Required } else { Met::Member });
        }
        match patched.filter(|_| CHANGES.contains(&key.as_str())) {
            Some((root, entity)) => walk(families, root, &[entity], item, &pointer, met),
            None => walk(families, root, &inner, item, &pointer, met),
        }
    }
}

/// Whether a member has its default value: a stat of 0, null, or the default bounds or start of a counter.
fn is_default(pointer: &str, object: &Map<String, Value>, item: &Value) -> bool {
    let number = |key: &str| object.get(key).and_then(Value::as_i64);
    let is_counter = pointer.starts_with("/counters/") && pointer.matches('/').count() == 3;
    let in_patch = pointer.starts_with("/patches/");
    match pointer.rsplit('/').next() {
        _ if item.is_null() => !in_patch,
        _ if pointer.contains("/stats/") => !in_patch && item == &Value::from(0),
        Some("min") if is_counter => item == &Value::from(0),
        Some("start") if is_counter => item.as_i64() == Some(number("min").unwrap_or(0).max(0)),
        // All factions and the bank together never hold more than there is.
        Some("max") if is_counter => number("supply").is_some_and(|supply| item.as_i64() >= Some(supply)),
        _ => false,
    }
}

/// Whether the schema allows any text.
fn is_prose(schemas: &[&Value]) -> bool {
    let free = |schema: &Value| {
        schema.get("type").is_some_and(|kind| kind == "string")
            && ["pattern", "x-ref", "enum", "const"].iter().all(|key| schema.get(*key).is_none())
    };
    let all_free = |schema: &&Value| free(schema) || schema.get("items").is_some_and(free);
    !schemas.is_empty() && schemas.iter().all(all_free)
}

/// The pointer of a value without positions in lists.
fn location(pointer: &str) -> String {
    let part =
        |part: &str| if part.bytes().all(|byte| byte.is_ascii_digit()) { "*".to_owned() } else { part.to_owned() };
    pointer.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Notes the keywords of a document.
pub(super) fn keywords(document: &Document, family: Family, families: &Families, found: &mut KeywordsByPlace) {
    let Some(schema) = families.get(family.key()) else { return };
    walk(families, schema, &[schema], &document.value, "", &mut |pointer, met| {
        if let Met::Value { value: Value::String(word), family: None | Some("values"), .. } = met
            && !word.contains(':')
        {
            found.entry((family, location(pointer))).or_default().insert(word.clone());
        }
    });
}

/// The one after `this`, or the first.
fn next<'a>(this: &str, all: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let after = all.clone().skip_while(|other| *other != this).nth(1);
    after.or_else(|| all.clone().next()).filter(|other| *other != this).map(str::to_owned)
}

/// What a reference consists of: the prefix before the id, the family, and the id.
fn reference<'a>(points_into: &'a str, word: &'a str, names: &NamePool) -> Option<(String, &'a str, &'a str)> {
    match ReferenceKind::of(points_into)? {
        ReferenceKind::Value => {
            let (prefix, id) = word.split_once(':')?;
            Some((format!("{prefix}:"), Family::of_value(prefix)?.key(), id))
        }
        other => {
            let has = |family: &&Family| other.families().len() == 1 || names.of(family.key()).any(|id| id == word);
            Some((String::new(), other.families().iter().find(has)?.key(), word))
        }
    }
}

/// A text with placeholders of a series, without its quotes.
fn template_at(written: &str) -> Option<&str> {
    written.strip_prefix('"')?.strip_suffix('"').filter(|text| text.contains('{'))
}

/// All places of a document that can be changed.
pub(super) fn sites(
    document: &Document,
    family: Family,
    families: &Families,
    names: &NamePool,
    keywords: &KeywordsByPlace,
) -> Vec<Site> {
    let Some(schema) = families.get(family.key()) else { return Vec::new() };
    let mut sites = Vec::new();
    let text = &document.text;
    let mut add = |class: Class, range: Option<Range<usize>>, with: String| {
        if let Some(range) = range.filter(|range| text[range.clone()] != with) {
            sites.push(Site { class, range, with });
        }
    };
    walk(families, schema, &[schema], &document.value, "", &mut |pointer, met| {
        let place = document.bytes(pointer, MemberPart::Value);
        match met {
            Met::Id(id) => add(Class::IdTypo, place, quoted(&typo(id))),
            Met::Member | Met::Required => {
                let class = if matches!(met, Met::Required) { Class::MissingKey } else { Class::DroppedEntry };
                let begin = document.bytes(pointer, MemberPart::Key).or(place.clone());
                let whole = begin.zip(place).map(|(begin, value)| begin.start..value.end);
                add(class, whole.map(|range| member_with_comma(text, range)), String::new());
            }
            Met::Key { key, family } => {
                let place = document.bytes(pointer, MemberPart::Key);
                add(Class::ReferenceTypo, place.clone(), quoted(&typo(key)));
                if let Some(other) = next(key, names.of(family)) {
                    add(Class::Reference, place, quoted(&other));
                }
            }
            Met::Field(key) => add(Class::KeyTypo, document.bytes(pointer, MemberPart::Key), quoted(&typo(key))),
            Met::Prose(Value::String(name)) if family == Family::Points && pointer.contains("/args/") => {
                add(Class::ValueTypo, place, quoted(&typo(name)));
            }
            Met::Prose(_) => {}
            Met::Name(key) => add(Class::PropTypo, document.bytes(pointer, MemberPart::Key), quoted(&typo(key))),
            Met::Value { value: Value::Bool(yes), .. } => add(Class::Boolean, place, (!yes).to_string()),
            Met::Value { value: Value::Number(number), .. } => {
                for other in other_numbers(number.as_i64()) {
                    add(Class::Number, place.clone(), other.to_string());
                }
            }
            Met::Value { value: Value::String(word), family: Some("scripts"), .. } => {
                add(Class::HookTypo, place.clone(), quoted(&typo_of_function(word)));
                if let Some(other) = next(word, names.functions_beside(word)) {
                    add(Class::Hook, place, quoted(&other));
                }
            }
            Met::Value { value: Value::String(word), family: Some(points_into), words } => {
                match reference(points_into, word, names) {
                    Some((prefix, family, id)) => {
                        add(Class::ReferenceTypo, place.clone(), quoted(&format!("{prefix}{}", typo(id))));
                        if let Some(other) = next(id, names.of(family)) {
                            add(Class::Reference, place, quoted(&format!("{prefix}{other}")));
                        }
                    }
                    None => keyword(word, &words, place, family, pointer, keywords, &mut add),
                }
            }
            // The meaning of a declared word is prose.
            Met::Value { .. } if family == Family::Props && pointer.contains("/words/") => {}
            Met::Value { value: Value::String(signs), .. } if pointer.ends_with("/tile/edges") => {
                for other in other_edges(signs, keywords.get(&(family, location(pointer)))) {
                    add(Class::Edge, place.clone(), quoted(&other));
                }
            }
            Met::Value { value: Value::String(word), words, .. } => {
                keyword(word, &words, place, family, pointer, keywords, &mut add);
            }
            Met::Value { .. } => {}
        }
    });
    // Declarations affect only the checks, except for their names and keywords.
    sites.retain(|site| {
        family != Family::Props || matches!(site.class, Class::PropTypo | Class::KeywordTypo | Class::KeyTypo)
    });
    if family == Family::Cards { once(sites, text) } else { sites }
}

/// The sites of cards, each once: the cards of a series are at the same place. A text with placeholders gets a typo, not
/// the text of one card.
fn once(sites: Vec<Site>, text: &str) -> Vec<Site> {
    let mut seen = BTreeSet::new();
    let changed = sites.into_iter().map(|site| match template_at(&text[site.range.clone()]) {
        Some(template) if !site.with.is_empty() => Site { with: quoted(&typo(template)), ..site },
        _ => site,
    });
    changed.filter(|site| seen.insert((site.class, site.range.start, site.range.end, site.with.clone()))).collect()
}

/// Places of a file of messages: their keys, and a word of each text.
pub(super) fn texts(document: &Document) -> Vec<Site> {
    let mut sites = Vec::new();
    let messages = document.value.get("messages").and_then(Value::as_object);
    for (key, message) in messages.into_iter().flatten() {
        let pointer = format!("/messages/{}", escape(key));
        if let Some(range) = document.bytes(&pointer, MemberPart::Key) {
            sites.push(Site { class: Class::MessageTypo, range, with: quoted(&typo(key)) });
        }
        let forms: Vec<String> = match message {
            Value::Object(forms) => {
                forms.keys().filter(|form| *form != "by").map(|form| format!("{pointer}/{}", escape(form))).collect()
            }
            _ => vec![pointer],
        };
        for range in forms.iter().filter_map(|pointer| document.bytes(pointer, MemberPart::Value)) {
            let inner = range.start + 1..range.end - 1;
            if let Some(word) = document.text.get(inner.clone()).and_then(longest_word) {
                let range = inner.start + word.start..inner.start + word.end;
                let with = typo(&document.text[range.clone()]);
                sites.push(Site { class: Class::Text, range, with });
            }
        }
    }
    sites
}

/// The longest word of a text outside of its placeholders.
fn longest_word(text: &str) -> Option<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let (mut start, mut depth, mut escaped) = (None, 0_usize, false);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_part = c.is_alphabetic() && depth == 0 && !escaped;
        match (is_part, start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                words.push(begin..at);
                start = None;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    words.into_iter().rev().max_by_key(|word| word.len())
}

/// Another word that the schema lists, or that the content has at similar places.
fn keyword(
    word: &str,
    words: &[&str],
    place: Option<Range<usize>>,
    family: Family,
    pointer: &str,
    keywords: &KeywordsByPlace,
    add: &mut impl FnMut(Class, Option<Range<usize>>, String),
) {
    let seen = keywords.get(&(family, location(pointer)));
    let other = match words.contains(&word) {
        true => next(word, words.iter().copied()),
        false => seen.and_then(|seen| next(word, seen.iter().map(String::as_str))),
    };
    add(Class::KeywordTypo, place.clone(), quoted(&typo(word)));
    if let Some(other) = other {
        add(Class::Keyword, place, quoted(&other));
    }
}

/// Numbers near a number, 0, and the number negated.
pub(super) fn other_numbers(number: Option<i64>) -> BTreeSet<i64> {
    let others = number.into_iter().flat_map(|number| [number + 1, number - 1, 0, -number]);
    others.filter(|other| Some(*other) != number).collect()
}

/// The edges of a tile with another sign at one side, of the signs in use.
fn other_edges(edges: &str, seen: Option<&BTreeSet<String>>) -> Vec<String> {
    let signs: BTreeSet<char> = seen.into_iter().flatten().flat_map(|edges| edges.chars()).collect();
    let changed = |(side, sign): (usize, char)| {
        let other = *signs.iter().skip_while(|other| **other != sign).nth(1).or_else(|| signs.first())?;
        Some(edges.chars().enumerate().map(|(at, sign)| if at == side { other } else { sign }).collect())
    };
    edges.chars().enumerate().filter_map(changed).collect()
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

fn typo_of_function(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((module, function)) => format!("{module}.{}", typo(function)),
        None => typo(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(family: Family, text: &str, class: Class) -> Vec<String> {
        let mut findings = Vec::new();
        let document = principes_json::parse(0, "a.json", "p/a.json", text.as_bytes(), &mut findings);
        let document = document.expect("valid JSON");
        let mut names = NamePool::default();
        names.ids.insert("zones".to_owned(), vec!["deck".to_owned(), "hand".to_owned()]);
        names.ids.insert("points".to_owned(), vec!["card.play".to_owned(), "turn".to_owned()]);
        names.functions = vec!["a.one".to_owned(), "a.two".to_owned(), "b.one".to_owned()];
        let mut words = KeywordsByPlace::new();
        let families = families();
        keywords(&document, family, &families, &mut words);
        let found = sites(&document, family, &families, &names, &words).into_iter().filter(|site| site.class == class);
        found.map(|site| format!("{}{}{}", &text[..site.range.start], site.with, &text[site.range.end..])).collect()
    }

    #[test]
    fn each_edge_of_a_tile_becomes_another() {
        let card = |edges: &str| format!(r#"{{"cards": [{{"id": "x", "tile": {{"edges": "{edges}"}}}}]}}"#);
        assert_eq!(changed(Family::Cards, &card("ab.a"), Class::Edge), ["bb.a", "a..a", "abaa", "ab.b"].map(card));
        assert!(changed(Family::Cards, &card("ab.a"), Class::KeywordTypo).is_empty());
    }

    #[test]
    fn each_class_makes_its_change() {
        let card = |fields: &str| format!(r#"{{"cards": [{{"id": "x", {fields}}}]}}"#);
        let base = r#""type": "t", "zone": "deck""#;
        let one = |fields: &str| card(&format!("{base}, {fields}"));
        for (class, from, to) in [
            (
                Class::Number,
                one(r#""copies": 2"#),
                vec![one(r#""copies": -2"#), one(r#""copies": 0"#), one(r#""copies": 1"#), one(r#""copies": 3"#)],
            ),
            (Class::Boolean, one(r#""props": {"a": true}"#), vec![one(r#""props": {"a": false}"#)]),
            (Class::Reference, card(base), vec![card(&base.replace("deck", "hand"))]),
            (Class::ReferenceTypo, card(base), vec![card(&base.replace("deck", "dcek"))]),
            (Class::Hook, one(r#""hooks": {"turn": "a.one"}"#), vec![one(r#""hooks": {"turn": "a.two"}"#)]),
            (Class::HookTypo, one(r#""hooks": {"turn": "a.one"}"#), vec![one(r#""hooks": {"turn": "a.oen"}"#)]),
            (
                Class::Keyword,
                one(r#""props": {"c": "red"}"#).replace("]}", r#", {"id": "y", "props": {"c": "blue"}}]}"#),
                vec![
                    one(r#""props": {"c": "blue"}"#).replace("]}", r#", {"id": "y", "props": {"c": "blue"}}]}"#),
                    one(r#""props": {"c": "red"}"#).replace("]}", r#", {"id": "y", "props": {"c": "red"}}]}"#),
                ],
            ),
            (Class::MissingKey, card(base), vec![card(r#""zone": "deck""#), card(r#""type": "t""#)]),
        ] {
            assert_eq!(changed(Family::Cards, &from, class), to, "{class:?}");
        }
    }

    #[test]
    fn fields_of_a_patch_are_those_of_what_it_changes() {
        let patch = r#"{"patches": [{"of": "cards", "id": "x", "set": {"zone": "deck", "copies": 2}}]}"#;
        assert_eq!(changed(Family::Patches, patch, Class::Reference), [patch.replace("deck", "hand")]);
        assert_eq!(changed(Family::Patches, patch, Class::ReferenceTypo), [patch.replace("deck", "dcek")]);
        let keys = changed(Family::Patches, patch, Class::KeyTypo);
        for (key, typo) in [("zone", "znoe"), ("copies", "cpoies"), ("of", "of"), ("set", "ste")] {
            let wrong = patch.replace(&format!("\"{key}\""), &format!("\"{typo}\""));
            assert!(key == "of" || keys.contains(&wrong), "{typo}: {keys:?}");
        }
        // No field of a card is required in a patch.
        let whole = |text: &String| !text.contains("set") || text.contains(r#"{"zone": "deck", "copies": 2}"#);
        assert!(changed(Family::Patches, patch, Class::MissingKey).iter().all(whole));
    }

    #[test]
    fn what_only_watches_or_says_the_usual_is_not_left_out() {
        let card = r#"{"cards": [{"id": "x", "type": "t", "zone": "deck", "may": ["own control", "table"]}]}"#;
        let dropped = changed(Family::Cards, card, Class::DroppedEntry);
        assert!(dropped.iter().all(|text| text.contains("may")), "{dropped:?}");
        assert_eq!(dropped.len(), 2, "two entries of `may`: {dropped:?}");
        assert_eq!(changed(Family::Cards, card, Class::MissingKey).len(), 2, "type and zone");
        let usual = r#"{"counters": [{"id": "x", "scope": "game", "min": 0, "visible": "everyone"}]}"#;
        assert!(changed(Family::Counters, usual, Class::DroppedEntry).is_empty());
        let other = r#"{"counters": [{"id": "x", "scope": "faction", "min": 1, "visible": "nobody"}]}"#;
        assert_eq!(changed(Family::Counters, other, Class::DroppedEntry).len(), 3);
    }

    #[test]
    fn what_decides_nothing_is_left_alone() {
        let text = r#"{"spaces": [{"id": "x", "kind": "land", "at": [1, 2], "notes": "n", "provenance": {"rulebook": "p. 1"}}]}"#;
        assert!(changed(Family::Spaces, text, Class::Number).is_empty());
        assert!(changed(Family::Spaces, text, Class::DroppedEntry).is_empty());
        assert_eq!(changed(Family::Spaces, text, Class::MissingKey).len(), 1, "only `kind`");
        let point =
            r#"{"points": [{"id": "x", "kind": "query", "args": ["seat", "space"], "value": "gold", "doc": "d"}]}"#;
        let typos = ["saet", "sapce"].map(|typo| point.replace(["seat", "space"][usize::from(typo == "sapce")], typo));
        assert_eq!(changed(Family::Points, point, Class::ValueTypo), typos);
        assert_eq!(changed(Family::Points, point, Class::Keyword), [point.replace("query", "effect")]);
    }
}
