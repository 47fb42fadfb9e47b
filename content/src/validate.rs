//! Schemas at work: what jsonschema finds, in words that help.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Keyword, ValidationError, Validator};
use principes_schemas::Family;
use serde_json::Value;

use crate::diagnostic::{Diagnostic, Suggestion, suggestion};
use crate::document::{Document, Documents, Part, escape};

/// A finding that is not yet tied to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Diagnostic code.
    pub code: &'static str,
    /// Where in the value.
    pub pointer: String,
    /// At what of it.
    pub part: Part,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// What to write instead, where that can be guessed.
    pub mend: Option<Mend>,
}

/// What to write in the place of something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mend {
    /// A name, in quotes.
    Name(Suggestion),
    /// A value.
    Value(Value),
    /// Nothing: the member or item goes.
    Nothing,
}

impl Issue {
    pub(crate) fn new(code: &'static str, pointer: impl Into<String>, part: Part, message: String) -> Self {
        Issue { code, pointer: pointer.into(), part, message, help: None, mend: None }
    }

    pub(crate) fn maybe_help(self, help: Option<String>) -> Self {
        Issue { help, ..self }
    }

    /// The issue with the name that was probably meant; `help` stands in where there is none.
    pub(crate) fn suggest(mut self, near: Option<Suggestion>, help: impl FnOnce() -> Option<String>) -> Self {
        self.help = near.as_ref().map(Suggestion::help).or_else(help);
        self.mend = near.map(Mend::Name);
        self
    }

    /// The issue as a finding about a document's value, or about the patch that set it.
    pub fn finding(self, documents: &Documents, document: usize) -> Diagnostic {
        let (home, pointer) = documents.home(document, &self.pointer);
        self.finding_in(home, &pointer)
    }

    /// The issue as a finding about a value of one document.
    pub fn finding_in(self, document: &Document, pointer: &str) -> Diagnostic {
        let finding = document.finding(self.code, pointer, self.part, self.message).maybe_help(self.help);
        match self.mend {
            None => finding,
            Some(Mend::Name(near)) => finding.suggest(Some(near)),
            Some(Mend::Value(value)) => {
                let span = finding.span.clone();
                finding.fix(format!("write {value}"), span, value.to_string())
            }
            Some(Mend::Nothing) => match document.removal(pointer) {
                Some(span) => finding.fix("take it away", span, ""),
                None => finding,
            },
        }
    }
}

/// All ids that references may name.
#[derive(Debug, Default)]
pub struct Ids {
    families: BTreeMap<String, BTreeSet<String>>,
    /// Ids seen in files that could not be read: references to them are not reported.
    pub unsure: BTreeSet<String>,
}

impl Ids {
    /// Adds an id to a family.
    pub fn add(&mut self, family: &str, id: &str) {
        match self.families.get_mut(family) {
            Some(ids) => drop(ids.insert(id.to_owned())),
            None => drop(self.families.insert(family.to_owned(), BTreeSet::from([id.to_owned()]))),
        }
    }

    /// Whether a family has an id.
    pub fn has(&self, family: &str, id: &str) -> bool {
        self.families.get(family).is_some_and(|ids| ids.contains(id)) || self.unsure.contains(id)
    }

    /// The ids of a family.
    pub fn of(&self, family: &str) -> impl Iterator<Item = &str> {
        self.families.get(family).into_iter().flatten().map(String::as_str)
    }

    /// Whether the text of a reference leads somewhere.
    fn resolves(&self, family: &str, text: &str) -> bool {
        match family {
            "owners" => ["factions", "spaces", "cards"].iter().any(|family| self.has(family, text)),
            "performers" => ["cards", "rules"].iter().any(|family| self.has(family, text)),
            "places" => text == "map" || self.has("spaces", text),
            "values" => match text.split_once(':') {
                Some((prefix, id)) => prop_family(prefix).is_some_and(|family| self.has(family, id)),
                None => true,
            },
            "scripts" => text.rsplit_once('.').is_none_or(|(module, _)| self.has("scripts", module)),
            _ => self.has(family, text),
        }
    }

    /// An issue with the text of a reference that leads nowhere.
    fn unresolved(&self, family: &str, text: &str, pointer: &str) -> Issue {
        let issue = |code, message| Issue::new(code, pointer, Part::Value, message);
        match family {
            "scripts" => {
                let (module, function) = text.rsplit_once('.').unwrap_or((text, ""));
                let near = suggestion(module, self.of("scripts"));
                let near = near.map(|near| near.clone().write(format!("{}.{function}", near.name)));
                issue("P0301", format!("there is no script module `{module}`"))
                    .suggest(near, || Some(format!("write the function into scripts/{module}.lua")))
            }
            "values" => {
                let (prefix, id) = text.split_once(':').unwrap_or(("", text));
                match prop_family(prefix) {
                    Some(family) => {
                        let near = suggestion(id, self.of(family));
                        let near = near.map(|near| near.clone().write(format!("{prefix}:{}", near.name)));
                        issue("P0202", format!("there is no {prefix} `{id}`")).suggest(near, || self.listed(family))
                    }
                    None => {
                        let near = suggestion(prefix, PROP_FAMILIES.iter().map(|(prefix, _)| *prefix));
                        let near = near.map(|near| near.clone().write(format!("{}:{id}", near.name)));
                        issue("P0202", format!("`{prefix}:` begins no reference")).suggest(near, || {
                            Some(
                                "references are `space:`, `faction:`, `kind:`, `card:` or `counter:` and an id"
                                    .to_owned(),
                            )
                        })
                    }
                }
            }
            "owners" => {
                let all = ["factions", "spaces", "cards"].into_iter().flat_map(|family| self.of(family));
                issue("P0202", format!("there is no faction, space or card `{text}`"))
                    .suggest(suggestion(text, all), || None)
            }
            "performers" => {
                let all = ["cards", "rules"].into_iter().flat_map(|family| self.of(family));
                issue("P0202", format!("there is no card or rule `{text}`")).suggest(suggestion(text, all), || None)
            }
            "places" => {
                let near = suggestion(text, self.of("spaces").chain(["map"]));
                issue("P0202", format!("there is no space `{text}`")).suggest(near, || None)
            }
            _ => issue("P0202", format!("there is no {} `{text}`", singular(family)))
                .suggest(suggestion(text, self.of(family)), || self.listed(family)),
        }
    }

    fn listed(&self, family: &str) -> Option<String> {
        let ids: Vec<&str> = self.of(family).collect();
        match ids.len() {
            0 => Some(format!("no pack declares any {family}")),
            1..=8 => Some(format!("there are {}", listing(&ids))),
            _ => None,
        }
    }
}

const PROP_FAMILIES: [(&str, &str); 6] = [
    ("space", "spaces"),
    ("faction", "factions"),
    ("kind", "kinds"),
    ("card", "cards"),
    ("counter", "counters"),
    ("zone", "zones"),
];

/// The family that a property's reference with this prefix points into.
pub fn prop_family(prefix: &str) -> Option<&'static str> {
    PROP_FAMILIES.iter().find(|(name, _)| *name == prefix).map(|(_, family)| *family)
}

/// What one entity of a family is called.
pub fn singular(family: &str) -> &str {
    match family {
        "points" => "hook point",
        "kinds" => "kind of piece",
        "decisions" => "decision",
        _ => family.strip_suffix('s').unwrap_or(family),
    }
}

/// Names in backquotes with commas between them.
pub fn listing<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    quoted.join(", ")
}

struct Compiled {
    schema: &'static Value,
    validator: Option<Validator>,
}

/// The check of files by a schema, built where it is first needed.
fn compiled(name: &str) -> Option<&'static Compiled> {
    static ALL: OnceLock<BTreeMap<&'static str, (Value, OnceLock<Compiled>)>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        principes_schemas::all().into_iter().map(|(name, schema)| (name, (schema, OnceLock::new()))).collect()
    });
    let (schema, compiled) = all.get(name)?;
    Some(compiled.get_or_init(|| {
        let options = jsonschema::options().with_keyword("x-ref", |_, family, _| {
            Ok(Box::new(RefKeyword { family: family.as_str().unwrap_or_default().into() }))
        });
        Compiled { schema, validator: options.build(schema).ok() }
    }))
}

/// What the schema `name` (`pack` or a family key) finds in a value.
pub fn check(name: &str, value: &Value) -> Vec<Issue> {
    let mut issues = issues(name, value, None);
    misnamed(name, value, &mut issues);
    issues
}

/// References that a schema looked at: texts by what they refer to.
#[derive(Clone, Debug, Default)]
pub struct Noted(BTreeMap<Arc<str>, BTreeSet<String>>);

impl Noted {
    fn add(&mut self, family: &Arc<str>, text: &str) {
        let texts = self.0.entry(Arc::clone(family)).or_default();
        if !texts.contains(text) {
            texts.insert(text.to_owned());
        }
    }

    /// Whether all of them lead somewhere. Then the schema finds what it found when it took that for granted.
    pub fn resolve(&self, ids: &Ids) -> bool {
        self.0.iter().all(|(family, texts)| texts.iter().all(|text| ids.resolves(family, text)))
    }
}

/// What the schema `name` finds in a value, and the references that it looked at.
pub fn check_noting(name: &str, value: &Value) -> (Vec<Issue>, Noted) {
    KNOWN.set(Known::Noting(Noted::default()));
    let mut issues = issues(name, value, None);
    let noted = match KNOWN.replace(Known::Nothing) {
        Known::Noting(noted) => noted,
        Known::Nothing | Known::Ids(_) => Noted::default(),
    };
    misnamed(name, value, &mut issues);
    (issues, noted)
}

/// A field that is missing and one that nobody knows, in one object, are one misnamed field where its value would fit.
fn misnamed(schema: &str, value: &Value, issues: &mut Vec<Issue>) {
    let object = |issue: &Issue| match issue.code {
        "P0102" => issue.pointer.rsplit_once('/').map(|(object, _)| object.to_owned()),
        "P0103" => Some(issue.pointer.clone()),
        _ => None,
    };
    let mut fields: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, issue) in issues.iter().enumerate() {
        if let Some(object) = object(issue) {
            fields.entry(object).or_default().push(at);
        }
    }
    for (here, pair) in fields {
        let at = |code| pair.iter().copied().find(|at| issues[*at].code == code);
        let (Some(unknown), Some(missing), 2) = (at("P0102"), at("P0103"), pair.len()) else { continue };
        let (Some(old), Some(new)) = (quoted(&issues[unknown]), quoted(&issues[missing])) else { continue };
        let mut renamed = value.clone();
        let Some(object) = renamed.pointer_mut(&here).and_then(Value::as_object_mut) else { continue };
        let inner = object.remove(&old).unwrap_or_default();
        object.insert(new.clone(), inner);
        let inside = |issue: &Issue| {
            issue.pointer.strip_prefix(&here).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if self::issues(schema, &renamed, None).iter().any(inside) {
            continue;
        }
        issues[unknown].message = format!("unknown field `{old}`, and the field `{new}` is missing");
        let meant = Suggestion { name: new.clone(), text: new, only: false };
        issues[unknown].help = Some(meant.help());
        issues[unknown].mend = Some(Mend::Name(meant));
        issues[missing].code = "";
    }
    issues.retain(|issue| !issue.code.is_empty());
}

/// The name that an issue speaks of.
fn quoted(issue: &Issue) -> Option<String> {
    issue.message.split('`').nth(1).map(str::to_owned)
}

/// So many errors of one file are looked at.
const MOST_TOLD: usize = 300;

fn issues(name: &str, value: &Value, ids: Option<&Ids>) -> Vec<Issue> {
    let Some(compiled) = compiled(name) else { return Vec::new() };
    let Some(validator) = &compiled.validator else { return Vec::new() };
    let mut issues = Vec::new();
    // Nobody reads more, and a hostile file has millions.
    for error in validator.iter_errors(value).take(MOST_TOLD) {
        translate(&error, compiled.schema, ids, &mut issues);
    }
    issues
}

/// What references are compared with.
enum Known {
    /// They may be anything.
    Nothing,
    /// They may be anything, and which ones there are is noted.
    Noting(Noted),
    /// They may name these.
    Ids(Arc<Ids>),
}

thread_local! {
    /// What references are compared with while they are checked: a schema's keywords know nothing but the value.
    static KNOWN: RefCell<Known> = const { RefCell::new(Known::Nothing) };
}

/// Checks references of valid files, while it lives.
pub struct References<'i> {
    ids: &'i Arc<Ids>,
}

impl<'i> References<'i> {
    /// A check against these ids.
    pub fn to(ids: &'i Arc<Ids>) -> Self {
        KNOWN.set(Known::Ids(Arc::clone(ids)));
        References { ids }
    }

    /// What is wrong with the references of a file's value.
    pub fn check(&self, family: Family, value: &Value) -> Vec<Issue> {
        let mut issues = issues(family.key(), value, Some(self.ids));
        issues.retain(|issue| matches!(issue.code, "P0202" | "P0301"));
        issues
    }
}

impl Drop for References<'_> {
    fn drop(&mut self) {
        KNOWN.set(Known::Nothing);
    }
}

struct RefKeyword {
    family: Arc<str>,
}

impl<'i> Keyword<'i> for RefKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.family.to_string())) }
    }
    fn is_valid(&self, instance: &'i Value) -> bool {
        let resolves = |text| {
            KNOWN.with_borrow_mut(|known| match known {
                Known::Nothing => true,
                Known::Noting(noted) => {
                    noted.add(&self.family, text);
                    true
                }
                Known::Ids(ids) => ids.resolves(&self.family, text),
            })
        };
        instance.as_str().is_none_or(resolves)
    }
}

fn translate(error: &ValidationError<'_>, schema: &Value, ids: Option<&Ids>, issues: &mut Vec<Issue>) {
    let pointer = error.instance_path().as_str().to_owned();
    let instance = error.instance();
    let shown = show(instance);
    let about = || described(error, schema);
    let value = |code, message: String| Issue::new(code, pointer.as_str(), Part::Value, message);
    let issue = match error.kind() {
        Kind::Type { .. } => {
            let wanted = keyword_value(error, schema);
            let expected = wanted.map(types).unwrap_or_else(|| "something else".to_owned());
            let mend = wanted.and_then(|wanted| as_type(instance, wanted)).map(Mend::Value);
            // `"1"` and 1 would look alike.
            let found = if instance.is_string() { format!("the text {shown}") } else { shown };
            let issue = value("P0101", format!("expected {expected}, found {found}")).maybe_help(about());
            Issue { mend, ..issue }
        }
        Kind::AdditionalProperties { unexpected } => {
            let known = known_fields(error, schema);
            let there = |name: &str| instance.get(name).is_some();
            for key in unexpected {
                let at = format!("{pointer}/{}", escape(key));
                // A field that is there already was not meant.
                let near = suggestion(key, known.iter().map(String::as_str).filter(|name| !there(name)));
                let help = || Some(format!("the fields here are {}", listing(&known)));
                issues.push(Issue::new("P0102", at, Part::Key, format!("unknown field `{key}`")).suggest(near, help));
            }
            return;
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            // A misspelt field says it all.
            let known = known_fields(error, schema);
            let misspelt = |key: &String| suggestion(key, [name]).is_some() && !known.contains(key);
            if !known.is_empty() && instance.as_object().is_some_and(|object| object.keys().any(misspelt)) {
                return;
            }
            value("P0103", format!("the field `{name}` is missing")).maybe_help(field_doc(error, schema, name))
        }
        Kind::Enum { options } => {
            let names: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
            choice(&pointer, instance, &names)
        }
        Kind::Constant { expected_value } => choice(&pointer, instance, &[plain(expected_value)]),
        Kind::Minimum { limit } | Kind::ExclusiveMinimum { limit } => {
            value("P0105", format!("{shown} is less than the least value, {limit}")).maybe_help(about())
        }
        Kind::Maximum { limit } | Kind::ExclusiveMaximum { limit } => {
            value("P0105", format!("{shown} is more than the greatest value, {limit}")).maybe_help(about())
        }
        Kind::Pattern { pattern } => {
            value("P0106", format!("{shown} is not written as it must be")).maybe_help(Some(pattern_help(pattern)))
        }
        Kind::MaxLength { limit } => {
            value("P0106", format!("{shown} is longer than {limit} characters")).maybe_help(about())
        }
        Kind::MinLength { .. } => value("P0106", "the text is empty".to_owned()).maybe_help(about()),
        Kind::MinItems { limit } | Kind::MinProperties { limit } => {
            value("P0107", format!("at least {limit} needed here")).maybe_help(about())
        }
        Kind::MaxItems { limit } => value("P0107", format!("at most {limit} allowed here")).maybe_help(about()),
        Kind::PropertyNames { error: inner } => {
            let key = inner.instance().as_str().unwrap_or_default().to_owned();
            let at = format!("{pointer}/{}", escape(&key));
            let mut inner_issues = Vec::new();
            translate(inner, schema, ids, &mut inner_issues);
            issues.extend(inner_issues.into_iter().map(|issue| Issue {
                pointer: at.clone(),
                part: Part::Key,
                ..issue
            }));
            return;
        }
        Kind::Custom { message: family, .. } => {
            if let (Some(ids), Some(text)) = (ids, instance.as_str()) {
                issues.push(ids.unresolved(family, text, &pointer));
            }
            return;
        }
        Kind::OneOfMultipleValid { .. } => {
            let names = alternatives(error, schema);
            value("P0108", format!("only one of {} may stand here", listing(&names))).maybe_help(about())
        }
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            issues.extend(Branches { error, context, schema, ids }.issues());
            return;
        }
        other => value("P0109", format!("{shown} does not fit (`{}`)", other.keyword())).maybe_help(about()),
    };
    issues.push(issue);
}

/// A text that only has quotes too many, as the type that is wanted.
fn as_type(instance: &Value, wanted: &Value) -> Option<Value> {
    let value: Value = serde_json::from_str(instance.as_str()?).ok()?;
    match wanted.as_str()? {
        "integer" if value.is_i64() || value.is_u64() => Some(value),
        "boolean" if value.is_boolean() => Some(value),
        _ => None,
    }
}

fn choice(pointer: &str, instance: &Value, names: &[String]) -> Issue {
    let near = suggestion(&plain(instance), names.iter().map(String::as_str)).filter(|_| instance.is_string());
    Issue::new("P0104", pointer, Part::Value, format!("{} is not a value for this", show(instance)))
        .suggest(near, || Some(format!("it must be {}", listing(names).replace("`, `", "` or `"))))
}

/// What is wrong with one of several shapes.
type Branch = Vec<ValidationError<'static>>;

/// Several shapes that do not fit. Only the errors of the one that was most likely meant are told.
struct Branches<'e, 'i> {
    error: &'e ValidationError<'i>,
    context: &'e [Branch],
    schema: &'e Value,
    ids: Option<&'e Ids>,
}

impl Branches<'_, '_> {
    fn issues(&self) -> Vec<Issue> {
        let found = self.by_mark().or_else(|| self.by_need()).or_else(|| self.by_constant()).or_else(|| self.by_type());
        found.unwrap_or_else(|| self.by_cost())
    }

    fn issue(&self, code: &'static str, message: String) -> Issue {
        let here = self.error.instance_path().as_str();
        Issue::new(code, here, Part::Value, message).maybe_help(described(self.error, self.schema))
    }

    fn of(&self, branch: &Branch) -> Vec<Issue> {
        let mut issues = Vec::new();
        branch.iter().for_each(|inner| translate(inner, self.schema, self.ids, &mut issues));
        issues
    }

    /// Whether an error is about the value itself, not about something inside it.
    fn is_here(&self, inner: &ValidationError<'_>) -> bool {
        inner.instance_path().as_str() == self.error.instance_path().as_str()
    }

    /// Each shape of an object needs a field that no other has.
    fn by_mark(&self) -> Option<Vec<Issue>> {
        let object = self.error.instance().as_object()?;
        let kinds = kinds(self.error, self.schema)?;
        let meant = |kind: &Shape| object.contains_key(&kind.mark);
        let fitting = |kind: &Shape| object.keys().filter(|key| kind.fields.contains(*key)).count();
        let best = kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| meant(kind))
            .max_by_key(|(at, kind)| (fitting(kind), std::cmp::Reverse(*at)));
        if let Some(branch) = best.and_then(|(at, _)| self.context.get(at)) {
            return Some(self.of(branch));
        }
        let known: BTreeSet<&str> = kinds.iter().flat_map(|kind| kind.fields.iter().map(String::as_str)).collect();
        let marks: Vec<&str> = kinds.iter().map(|kind| kind.mark.as_str()).collect();
        let misspelt = object
            .keys()
            .filter(|key| !known.contains(key.as_str()))
            .find_map(|key| Some((key, suggestion(key, marks.iter().copied())?)));
        let Some((key, near)) = misspelt else {
            return Some(vec![self.issue("P0108", format!("exactly one of {} is needed here", listing(&marks)))]);
        };
        let at = format!("{}/{}", self.error.instance_path().as_str(), escape(key));
        let mut issue = Issue::new("P0102", at, Part::Key, format!("unknown field `{key}`"));
        issue.help = Some(format!("{} one of {} says what kind it is", near.help(), listing(&marks)));
        issue.mend = Some(Mend::Name(near));
        Some(vec![issue])
    }

    /// They only differ in which field they need.
    fn by_need(&self) -> Option<Vec<Issue>> {
        let needs = |inner: &ValidationError<'_>| matches!(inner.kind(), Kind::Required { .. }) && self.is_here(inner);
        if !self.context.iter().flatten().all(needs) {
            return None;
        }
        let names = alternatives(self.error, self.schema);
        let instance = self.error.instance();
        // One of them is there, but not all that goes with it.
        let begun = self.context.iter().zip(&names).find(|(_, name)| instance.get(name.as_str()).is_some());
        if let Some((branch, _)) = begun {
            return Some(self.of(branch));
        }
        // A misspelt field says it all.
        let misspelt =
            |key: &String| !names.contains(key) && suggestion(key, names.iter().map(String::as_str)).is_some();
        let known = known_fields(self.error, self.schema);
        let unknown = |key: &&String| !known.contains(*key);
        if instance.as_object().is_some_and(|object| object.keys().filter(unknown).any(misspelt)) {
            return Some(Vec::new());
        }
        Some(vec![self.issue("P0108", format!("exactly one of {} is needed here", listing(&names)))])
    }

    /// They only differ in a constant, here or in one tag field.
    fn by_constant(&self) -> Option<Vec<Issue>> {
        let tag = |branch: &'_ Branch| {
            branch.iter().find_map(|inner| match inner.kind() {
                Kind::Constant { expected_value } => {
                    let at = inner.instance_path().as_str().to_owned();
                    Some((at, inner.instance().as_ref().clone(), plain(expected_value)))
                }
                _ => None,
            })
        };
        let tags: Vec<(String, Value, String)> = self.context.iter().map(tag).collect::<Option<_>>()?;
        let (pointer, instance, _) = tags.first().filter(|first| tags.iter().all(|tag| tag.0 == first.0))?;
        let names: Vec<String> = tags.iter().map(|tag| tag.2.clone()).collect();
        Some(vec![choice(pointer, instance, &names)])
    }

    /// All want another type.
    fn by_type(&self) -> Option<Vec<Issue>> {
        let type_of = |branch: &Branch| {
            let wrong = |inner: &&ValidationError<'_>| matches!(inner.kind(), Kind::Type { .. }) && self.is_here(inner);
            branch.iter().find(wrong).and_then(|inner| keyword_value(inner, self.schema).map(types))
        };
        let wanted: Vec<String> = self.context.iter().map(type_of).collect::<Option<_>>()?;
        let message = format!("expected {}, found {}", wanted.join(" or "), show(self.error.instance()));
        Some(vec![self.issue("P0101", message)])
    }

    /// What is least wrong was meant.
    fn by_cost(&self) -> Vec<Issue> {
        let one = |inner: &ValidationError<'_>| match inner.kind() {
            Kind::Type { .. } if self.is_here(inner) => 10_000,
            Kind::Constant { .. } | Kind::Enum { .. } => 1_000,
            Kind::Required { .. } if self.is_here(inner) => 100,
            Kind::AdditionalProperties { unexpected } if self.is_here(inner) => 60 * unexpected.len(),
            _ => 1,
        };
        let cost = |branch: &&Branch| -> usize { branch.iter().map(one).sum() };
        self.context.iter().min_by_key(cost).map(|meant| self.of(meant)).unwrap_or_default()
    }
}

/// One of several shapes of an object: the field that only it has, and all its fields.
struct Shape {
    mark: String,
    fields: Vec<String>,
}

/// The shapes of an object, where every one of them needs a field that no other has.
fn kinds(error: &ValidationError<'_>, schema: &Value) -> Option<Vec<Shape>> {
    let branches: Vec<&Value> =
        keyword_value(error, schema)?.as_array()?.iter().map(|branch| resolve(branch, schema)).collect();
    let required = |branch: &Value| -> Vec<String> {
        branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let shapes = branches.iter().enumerate().map(|(at, branch)| {
        let fields: Vec<String> = branch["properties"].as_object()?.keys().cloned().collect();
        let elsewhere = |field: &String| {
            branches.iter().enumerate().any(|(other, branch)| other != at && branch["properties"].get(field).is_some())
        };
        let mark = required(branch).into_iter().find(|field| !elsewhere(field))?;
        Some(Shape { mark, fields })
    });
    shapes.collect()
}

fn resolve<'s>(branch: &'s Value, schema: &'s Value) -> &'s Value {
    let target = branch.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    target.and_then(|path| schema.pointer(path)).unwrap_or(branch)
}

/// The value of the keyword that failed.
fn keyword_value<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Value> {
    schema.pointer(error.schema_path().as_str())
}

/// The schema object that has the keyword that failed.
fn owner<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Value> {
    let path = error.schema_path().as_str();
    schema.pointer(&path[..path.rfind('/')?])
}

fn described(error: &ValidationError<'_>, schema: &Value) -> Option<String> {
    let text = owner(error, schema)?.get("description")?.as_str()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn field_doc(error: &ValidationError<'_>, schema: &Value, field: &str) -> Option<String> {
    let text = owner(error, schema)?.get("properties")?.get(field)?.get("description")?.as_str()?;
    Some(format!("`{field}`: {}", text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

fn known_fields(error: &ValidationError<'_>, schema: &Value) -> Vec<String> {
    let fields = owner(error, schema).and_then(|object| object.get("properties")).and_then(Value::as_object);
    fields.into_iter().flatten().map(|(name, _)| name.clone()).filter(|name| name != "$schema").collect()
}

/// The fields of which exactly one is needed.
fn alternatives(error: &ValidationError<'_>, schema: &Value) -> Vec<String> {
    let branches = keyword_value(error, schema).and_then(Value::as_array);
    branches
        .into_iter()
        .flatten()
        .filter_map(|branch| branch.get("required")?.as_array()?.first()?.as_str().map(str::to_owned))
        .collect()
}

fn types(keyword: &Value) -> String {
    let word = |name: &Value| match name.as_str().unwrap_or_default() {
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        "null" => "null",
        _ => "something else",
    };
    match keyword {
        Value::Array(list) => list.iter().map(word).collect::<Vec<_>>().join(" or "),
        one => word(one).to_owned(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn show(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 40 => format!("`{}…`", text.chars().take(40).collect::<String>()),
        Value::String(text) => format!("`{text}`"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null => "null".to_owned(),
        other => format!("`{other}`"),
    }
}

fn pattern_help(pattern: &str) -> String {
    use principes_schemas::{FUNCTION_PATTERN, ID_PATTERN, NAME_PATTERN};
    match pattern {
        ID_PATTERN => "ids are lower-case letters, digits and `-`, with `.` between parts: `far-isles`".to_owned(),
        NAME_PATTERN => "names are lower-case letters, digits, `-` and `_`, and begin with a letter".to_owned(),
        FUNCTION_PATTERN => "write `module.function`; the module is a file under scripts/ without `.lua`".to_owned(),
        _ => format!("it must match {pattern}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn codes(name: &str, value: Value) -> Vec<(&'static str, String)> {
        check(name, &value).into_iter().map(|issue| (issue.code, issue.pointer)).collect()
    }

    #[test]
    fn every_schema_compiles() {
        for (name, _) in principes_schemas::all() {
            assert!(compiled(name).is_some_and(|c| c.validator.is_some()), "{name}");
        }
    }

    #[test]
    fn schema_and_types_accept_the_same() {
        let phase = json!({"phases": [{"id": "a", "repeat": "round", "phases": [{"id": "b", "each": "x/y.z"}]}]});
        assert_eq!(codes("phases", phase.clone()), vec![]);
        assert!(serde_json::from_value::<principes_schemas::PhasesFile>(phase).is_ok());
        let battle = json!({"procedures": [{"id": "battle", "strength": "s", "toughness": "t", "rank": "r", "fortify": "f",
            "tie": "defender", "faces": [{"id": "a", "opposite": "a", "swords": 1}], "steps": [{"id": "x", "do": "roll"}]}]});
        assert_eq!(codes("procedures", battle.clone()), vec![]);
        assert!(serde_json::from_value::<principes_schemas::ProceduresFile>(battle).is_ok());
        let scenario = json!({"scenarios": [{"id": "a", "title": "t", "rules": ["PR-CRT-02"],
            "given": [{"counter": "gold", "of": "masovia", "set": 3}, {"counter": "princeps", "set": null},
                {"place": "knight", "at": "plocium"}, {"clear": "hand", "to": "box"}, {"card": "heir", "to": "hand", "of": "masovia"},
                {"remove": "knight", "from": "map"}],
            "run": null, "dice": ["sword", 3], "when": [{"seat": "masovia", "choose": "done"}, {"undo": 2},
                {"expect": {"pending": null}}, {"call": "a.b", "args": [null, 1, "space:x"]}],
            "then": [{"control": "plocium", "is": null}, {"outcome": null}, {"counter": "gold", "is": 1},
                {"pieces": {"kind": "knight"}, "is": 2}, {"error": "x"}, {"logged": "a.b"}, {"refused": "done"}]}]});
        assert_eq!(codes("scenarios", scenario.clone()), vec![]);
        assert!(serde_json::from_value::<principes_schemas::ScenariosFile>(scenario).is_ok());
    }

    #[test]
    fn a_misnamed_field_is_one_issue() {
        let given =
            |edit: Value| check("scenarios", &json!({"scenarios": [{"id": "a", "title": "t", "given": [edit]}]}));
        let found = given(json!({"place": "knight", "from": "plocium"}));
        let said: Vec<_> = found.iter().map(|it| (it.code, it.pointer.as_str(), it.message.as_str())).collect();
        let message = "unknown field `from`, and the field `at` is missing";
        assert_eq!(said, [("P0102", "/scenarios/0/given/0/from", message)]);
        assert_eq!(found[0].help.as_deref(), Some("did you mean `at`?"));
        let codes = |edit: Value| given(edit).iter().map(|it| it.code).collect::<BTreeSet<_>>();
        // What stands there is no space, or there are two candidates.
        assert_eq!(codes(json!({"place": "knight", "from": 3})), ["P0102", "P0103"].into());
        assert_eq!(codes(json!({"place": "knight", "from": "plocium", "x": "y"})), ["P0102", "P0103"].into());
    }

    #[test]
    fn names_have_a_length() {
        let counter = |length: usize| codes("counters", json!({"counters": [{"id": "x".repeat(length), "max": 1}]}));
        assert_eq!(counter(principes_schemas::NAME_LENGTH), []);
        assert_eq!(counter(principes_schemas::NAME_LENGTH + 1), [("P0106", "/counters/0/id".into())]);
    }

    #[test]
    fn the_meant_branch_is_reported() {
        assert_eq!(codes("phases", json!({"phases": [{"id": "a"}]})), vec![("P0108", "/phases/0".into())]);
        assert_eq!(
            codes("phases", json!({"phases": [{"id": "a", "run": "x.y", "each": "x.y"}]})),
            vec![("P0108", "/phases/0".into())]
        );
        assert_eq!(
            codes("pins", json!({"pins": [{"id": "a", "of": "cards", "sum": "x"}]})),
            vec![("P0103", "/pins/0".into())]
        );
        assert_eq!(
            codes("procedures", json!({"procedures": [{"id": "batle"}]})),
            vec![("P0104", "/procedures/0/id".into())]
        );
        assert_eq!(
            codes("procedures", json!({"procedures": [{"id": "movement", "stat": "move", "pick": "a", "to": "b"}]})),
            vec![("P0103", "/procedures/0".into())]
        );
        assert_eq!(
            codes("zones", json!({"zones": [{"id": "a", "scope": "gane"}]})),
            vec![("P0104", "/zones/0/scope".into())]
        );
        assert_eq!(
            codes(
                "cards",
                json!({"cards": [{"id": "a", "type": "t", "zone": "z", "hooks": {"card.play": {"rum": "a.b"}}}]})
            ),
            vec![("P0102", "/cards/0/hooks/card.play/rum".into())]
        );
        assert_eq!(
            codes("cards", json!({"cards": [{"id": "a", "type": "t", "zone": "z", "props": {"x": 1.5, "y": []}}]})),
            vec![("P0101", "/cards/0/props/x".into()), ("P0101", "/cards/0/props/y".into())]
        );
        assert_eq!(
            codes(
                "scenarios",
                json!({"scenarios": [{"id": "a", "title": "t", "given": [{"place": "knight", "at": 3}]}]})
            ),
            vec![("P0101", "/scenarios/0/given/0/at".into())]
        );
        let then =
            |expect: Value| codes("scenarios", json!({"scenarios": [{"id": "a", "title": "t", "then": [expect]}]}));
        assert_eq!(then(json!({"pendin": null})), vec![("P0102", "/scenarios/0/then/0/pendin".into())]);
        assert_eq!(then(json!({"is": 3})), vec![("P0108", "/scenarios/0/then/0".into())]);
        assert_eq!(then(json!({"counter": "a", "of": "b"})), vec![("P0103", "/scenarios/0/then/0".into())]);
        assert_eq!(then(json!({"card": "a", "im": "b"})), vec![("P0102", "/scenarios/0/then/0/im".into())]);
    }
}
