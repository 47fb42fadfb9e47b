//! Declared props: whether entities fit the declarations in `props`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use principes_findings::budget::{self, MOST_FINDINGS};
use principes_findings::{Code, Finding, Suggestion, listing, suggestion};
use principes_json::{MemberPart, ValueFix, Violation, escape, fix};
use principes_model::{Merged, Sourced};
use principes_schemas::{Family, Prop, PropOwner, PropType, PropValue};
use serde_json::{Map, Value};

/// The declarations of all packs.
pub struct DeclaredProps<'m> {
    props: BTreeMap<PropOwner, BTreeMap<&'m str, Vec<&'m Prop>>>,
}

impl<'m> DeclaredProps<'m> {
    /// The declarations of some packs.
    pub fn new(entries: &'m [Sourced<Prop>]) -> Self {
        let mut props: BTreeMap<_, BTreeMap<&str, Vec<&Prop>>> = BTreeMap::new();
        for entry in entries {
            props.entry(entry.value.of).or_default().entry(entry.value.key()).or_default().push(&entry.value);
        }
        DeclaredProps { props }
    }

    /// The prop with a name that entities of a type, kind, class or group may have.
    pub fn find(&self, of: PropOwner, group: &str, key: &str) -> Option<&'m Prop> {
        self.named(of, key).iter().copied().find(|prop| prop.is_for(group))
    }

    /// The props with a name, for all types of entities.
    pub fn named(&self, of: PropOwner, key: &str) -> &[&'m Prop] {
        self.props.get(&of).and_then(|named| named.get(key)).map_or(&[], Vec::as_slice)
    }

    /// All props of an owner, except those that declare fields.
    pub fn of(&self, of: PropOwner) -> impl Iterator<Item = &'m Prop> {
        self.props.get(&of).into_iter().flat_map(BTreeMap::values).flatten().copied()
    }

    /// The prop that lists the words for an owner's types, kinds, classes or groups; `None` if no pack declares it.
    fn field(&self, of: PropOwner) -> Option<&'m Prop> {
        self.named(of, of.group()).first().copied()
    }
}

/// Checks all entities against the declarations, and continues with what was probably meant.
pub fn check(merged: &mut Merged, findings: &mut Vec<Finding>) {
    contradictions(merged, findings);
    let entries = std::mem::take(&mut merged.props);
    let declared = DeclaredProps::new(&entries);
    let mut undeclared = BTreeSet::new();
    if merged.broken.spares(&[Family::Props]) {
        for at in 0..merged.documents.0.len() {
            let document = &merged.documents.0[at];
            let Some(family) = document.valid().map(|document| document.family()) else { continue };
            let mut violations = Vec::new();
            if family == Family::Procedures {
                let entities = document.entities().iter().enumerate();
                violations.extend(entities.filter_map(|(at, entity)| wrong_cells(&declared, at, entity)));
            }
            for of in PropOwner::ALL.iter().copied().filter(|of| of.family() == family) {
                for (index, entity) in document.entities().iter().enumerate() {
                    if let Some(entity) = entity.as_object() {
                        Check { declared: &declared, of, entity, index }.run(&mut violations, &mut undeclared);
                    }
                }
            }
            for violation in violations.iter().take(MOST_FINDINGS) {
                findings.push(violation.clone().finding(&merged.documents, at));
            }
            if budget::is_full(findings) {
                break;
            }
            fix::props(&mut merged.documents.0[at], &violations);
        }
    }
    merged.props = entries;
    merged.broken.undeclared_props = undeclared;
}

/// The violation of an entity whose grid makes spaces of a kind that is not declared.
fn wrong_cells(declared: &DeclaredProps, at: usize, entity: &Value) -> Option<Violation> {
    let word = entity.get("grid")?.get("kind")?.as_str()?;
    let prop = declared.field(PropOwner::Spaces).filter(|prop| !prop.words.contains_key(word))?;
    let near = suggestion(word, prop.words.keys().map(String::as_str));
    let pointer = format!("/{}/{at}/grid/kind", Family::Procedures.key());
    let message = format!("`{word}` is not a declared `kind`");
    let violation = Violation::new(Code::WrongPropValue, pointer, MemberPart::Value, message);
    Some(violation.suggest(near, || Some(one_of(prop))))
}

/// One entity and the props that it may have.
struct Check<'c, 'm> {
    declared: &'c DeclaredProps<'m>,
    of: PropOwner,
    entity: &'c Map<String, Value>,
    /// Its position in the list of its family.
    index: usize,
}

impl<'c> Check<'c, '_> {
    fn run(&self, violations: &mut Vec<Violation>, undeclared: &mut BTreeSet<(PropOwner, String)>) {
        let Some(group) = self.group(violations) else { return };
        let members = if self.of == PropOwner::Stats { "stats" } else { "props" };
        let none = Map::new();
        let given = self.entity.get(members).and_then(Value::as_object).unwrap_or(&none);
        let mut misspelled: Vec<String> = Vec::new();
        for (key, value) in given {
            let at = || self.pointer(&format!("{members}/{}", escape(key)));
            match self.declared.find(self.of, &group, key).filter(|prop| !prop.is_field()) {
                Some(prop) => violations.extend(wrong_value(prop, value, &at)),
                None => {
                    let violation = self.undeclared(&group, key, given, at());
                    if let Some(ValueFix::Name(near)) = &violation.fix {
                        misspelled.push(near.name.clone());
                    }
                    violations.push(violation);
                    undeclared.insert((self.of, key.clone()));
                }
            }
        }
        for prop in self.declared.of(self.of).filter(|prop| prop.required && prop.is_for(&group) && !prop.is_field()) {
            let key = prop.key();
            if !given.contains_key(key) && !misspelled.iter().any(|name| name == key) {
                let at = if self.entity.contains_key(members) { members } else { "id" };
                let part = if at == "id" { MemberPart::Value } else { MemberPart::Key };
                let message = format!("missing {} `{key}`", self.noun());
                let violation = Violation::new(Code::MissingProp, self.pointer(at), part, message);
                violations.push(violation.maybe_help(Some(format!("`{key}`: {}", prop.doc))));
            }
        }
    }

    /// The pointer to a part of the entity.
    fn pointer(&self, part: &str) -> String {
        format!("/{}/{}/{part}", self.of.family().key(), self.index)
    }

    fn noun(&self) -> &'static str {
        if self.of == PropOwner::Stats { "stat" } else { "prop" }
    }

    /// The word that decides which props the entity may have; `None` if it is unclear.
    fn group(&self, violations: &mut Vec<Violation>) -> Option<Cow<'c, str>> {
        let field = self.of.group();
        let word = self.entity.get(field)?.as_str()?;
        let known = self.declared.field(if self.of == PropOwner::Stats { PropOwner::Kinds } else { self.of });
        let Some(prop) = known.filter(|prop| !prop.words.contains_key(word)) else { return Some(Cow::Borrowed(word)) };
        let near = suggestion(word, prop.words.keys().map(String::as_str));
        let suggested = near.clone().filter(|near| near.only).map(|near| near.name);
        // The stats of a kind are checked separately; its class is reported only once.
        if self.of != PropOwner::Stats {
            let at = self.pointer(field);
            let message = format!("`{word}` is not a declared `{field}`");
            violations.push(
                Violation::new(Code::WrongPropValue, at, MemberPart::Value, message)
                    .suggest(near, || Some(one_of(prop))),
            );
        }
        suggested.map(Cow::Owned)
    }

    fn undeclared(&self, group: &str, key: &str, given: &Map<String, Value>, at: String) -> Violation {
        let here: Vec<&str> = self
            .declared
            .of(self.of)
            .filter(|prop| prop.is_for(group) && !prop.is_field() && !given.contains_key(prop.key()))
            .map(Prop::key)
            .collect();
        let noun = self.noun();
        let what = format!("{} with the {} `{group}`", self.of.family().key(), self.of.group());
        let message = format!("undeclared {noun} `{key}` for {what}");
        let elsewhere: Vec<&str> =
            self.declared.named(self.of, key).iter().flat_map(|prop| &prop.only).map(|word| word.as_str()).collect();
        let help = || {
            Some(match (elsewhere.as_slice(), here.as_slice()) {
                ([], []) => "declare it under `props`".to_owned(),
                ([], here) => format!("declare it under `props`, or use one of {}", listing(here)),
                (elsewhere, _) => {
                    format!(
                        "it is declared for {}; if it should apply here too, add `{group}` to its `in`",
                        listing(elsewhere)
                    )
                }
            })
        };
        let near = suggestion(key, here.iter().copied());
        Violation::new(Code::UndeclaredProp, at, MemberPart::Key, message).suggest(near, help)
    }
}

fn one_of(prop: &Prop) -> String {
    let words: Vec<&String> = prop.words.keys().collect();
    match words.as_slice() {
        [] => "its declaration has no `words`".to_owned(),
        words => format!("it is one of {}", listing(words)),
    }
}

/// The violation of a prop's declaration by a value. `at` makes the pointer to the value.
fn wrong_value(prop: &Prop, value: &Value, at: &dyn Fn() -> String) -> Option<Violation> {
    let key = prop.key();
    let violation = |message: String| Violation::new(Code::WrongPropValue, at(), MemberPart::Value, message);
    let about = || Some(format!("`{key}`: {}", prop.doc));
    let expected = || {
        let found = value.as_str().map_or_else(|| value.to_string(), |text| format!("text `{text}`"));
        violation(format!("`{key}` takes {}, found {found}", prop.value.wanted())).maybe_help(about())
    };
    match (prop.value, value) {
        (PropType::Keyword, Value::String(word)) if prop.words.contains_key(word) => None,
        (PropType::Keyword, Value::String(word)) => {
            let near = suggestion(word, prop.words.keys().map(String::as_str));
            Some(violation(format!("`{word}` is not a value of `{key}`")).suggest(near, || Some(one_of(prop))))
        }
        (PropType::Keyword, _) => Some(expected().maybe_help(Some(one_of(prop)))),
        (PropType::Number, Value::Number(number)) => {
            let number = number.as_i64()?;
            let below = prop.min.filter(|least| number < i64::from(*least));
            let above = prop.max.filter(|most| number > i64::from(*most));
            let message = match (below, above) {
                (Some(least), _) => format!("{number} is below the minimum of `{key}`, {least}"),
                (_, Some(most)) => format!("{number} is above the maximum of `{key}`, {most}"),
                (None, None) => return None,
            };
            Some(violation(message).maybe_help(about()))
        }
        (PropType::Flag, Value::Bool(_)) => None,
        (PropType::Number | PropType::Flag, Value::String(text)) => {
            let unquoted = serde_json::from_str(text).ok().filter(|value| wrong_value(prop, value, at).is_none());
            Some(Violation { fix: unquoted.map(ValueFix::Value), ..expected() })
        }
        (PropType::Text, Value::String(text)) if !text.contains(':') => None,
        (kind, Value::String(text)) => {
            let prefix = kind.prefix()?;
            match text.split_once(':') {
                Some((given, _)) if given == prefix => None,
                Some(_) => Some(expected()),
                None => {
                    let whole = format!("{prefix}:{text}");
                    let near = Suggestion { name: whole.clone(), text: whole, only: true, of_program: true };
                    Some(expected().suggest(Some(near), || None))
                }
            }
        }
        _ => Some(expected()),
    }
}

/// Whether a declared value fits its own declaration.
fn default_fits(prop: &Prop, default: &PropValue) -> bool {
    let value = match default {
        PropValue::Bool(yes) => Value::from(*yes),
        PropValue::Int(number) => Value::from(*number),
        PropValue::Text(text) => Value::from(text.as_str()),
    };
    wrong_value(prop, &value, &String::new).is_none()
}

/// Reports declarations that contradict themselves or each other.
fn contradictions(merged: &Merged, findings: &mut Vec<Finding>) {
    let declared = DeclaredProps::new(&merged.props);
    let mut earlier = Earlier::default();
    for entry in &merged.props {
        let prop = &*entry.value;
        let mut wrong = |field: &str, message: String, help: &str| {
            findings.push(merged.finding_at_key(&entry.place, field, Code::ContradictoryProp, message).help(help));
        };
        let is_keyword = prop.value == PropType::Keyword;
        if is_keyword && prop.words.is_empty() {
            wrong("/type", "a keyword needs `words`".to_owned(), "list its `words`");
        }
        if !is_keyword && !prop.words.is_empty() {
            wrong("/words", "only a keyword has `words`".to_owned(), "write \"type\": \"keyword\", or remove them");
        }
        for (field, bound) in [("/min", prop.min), ("/max", prop.max)] {
            if bound.is_some() && prop.value != PropType::Number {
                wrong(field, "only a number has bounds".to_owned(), "write \"type\": \"number\", or remove it");
            }
        }
        if let (Some(least), Some(most)) = (prop.min, prop.max)
            && least > most
        {
            wrong("/max", format!("the maximum {most} is below the minimum, {least}"), "change one of them");
        }
        if prop.of == PropOwner::Stats && prop.value != PropType::Number {
            wrong("/type", "a stat must be a number".to_owned(), "write \"type\": \"number\"");
        }
        if prop.of == PropOwner::Stats && prop.default.is_some() {
            wrong("/default", "a stat cannot have a default: a missing stat is 0".to_owned(), "remove the default");
        }
        if prop.is_field() && (!is_keyword || !prop.only.is_empty() || prop.default.is_some()) {
            let message = format!("`{}` is a field of all {}", prop.key(), prop.of.name());
            wrong("", message, "declare it as a keyword without `in` and `default`");
        }
        if let Some(default) = &prop.default {
            if prop.required {
                wrong("/default", "a required prop cannot have a default".to_owned(), "remove one of the two");
            } else if !default_fits(prop, default) {
                let help = format!("the prop takes {}", prop.value.wanted());
                wrong("/default", "the default is not a value of the prop".to_owned(), &help);
            }
        }
        groups(merged, &declared, entry, findings);
        twins(merged, entry, &mut earlier, findings);
    }
}

/// Reports types, kinds, classes and groups that a declaration names but that do not exist.
fn groups(merged: &Merged, declared: &DeclaredProps<'_>, entry: &Sourced<Prop>, findings: &mut Vec<Finding>) {
    let prop = &*entry.value;
    let owner = if prop.of == PropOwner::Stats { PropOwner::Kinds } else { prop.of };
    let Some(field) = declared.field(owner) else { return };
    for (at, word) in prop.only.iter().enumerate().filter(|(_, word)| !field.words.contains_key(word.as_str())) {
        let message = format!("`{word}` is not a declared `{}` of {}", owner.group(), owner.name());
        let near = suggestion(word.as_str(), field.words.keys().map(String::as_str));
        let finding = merged.finding(&entry.place, &format!("/in/{at}"), Code::ContradictoryProp, message);
        findings.push(finding.help(one_of(field)).suggest(near));
    }
}

/// The first declarations of a prop so far: by the word that they are for, and for all words.
#[derive(Default)]
struct Earlier<'m> {
    by_word: BTreeMap<(PropOwner, &'m str, &'m str), usize>,
    of_all: BTreeMap<(PropOwner, &'m str), usize>,
    any: BTreeMap<(PropOwner, &'m str), usize>,
    count: usize,
}

impl<'m> Earlier<'m> {
    /// The position of an earlier declaration for the same entities. If there is none, this one is noted.
    fn add(&mut self, prop: &'m Prop) -> Option<usize> {
        let key = (prop.of, prop.key());
        let words = prop.only.iter().map(|word| (prop.of, prop.key(), word.as_str()));
        let first = match prop.only.is_empty() {
            true => self.any.get(&key).copied(),
            false => words.clone().filter_map(|key| self.by_word.get(&key)).chain(self.of_all.get(&key)).min().copied(),
        };
        let at = self.count;
        self.count += 1;
        self.any.entry(key).or_insert(at);
        if prop.only.is_empty() {
            self.of_all.entry(key).or_insert(at);
        }
        for key in words {
            self.by_word.entry(key).or_insert(at);
        }
        first
    }
}

/// The finding about two declarations for the same entities.
fn twins<'m>(merged: &'m Merged, entry: &'m Sourced<Prop>, earlier: &mut Earlier<'m>, findings: &mut Vec<Finding>) {
    let prop = &*entry.value;
    if let Some(twin) = earlier.add(prop).map(|at| &merged.props[at]) {
        let message = format!("`{}` of these {} is declared twice", prop.key(), prop.of.name());
        findings.push(
            merged
                .finding(&entry.place, "/id", Code::ContradictoryProp, message)
                .help("remove one of them, or give them different `in`; to add words to an earlier prop, patch it")
                .label(merged.label(&twin.place, "/id", "the first is here")),
        );
    }
}
