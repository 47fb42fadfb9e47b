//! Schemas at work: what jsonschema finds, in words that help.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Keyword, ValidationError, Validator};
use principes_schemas::Family;
use serde_json::Value;

use crate::diagnostic::did_you_mean;
use crate::document::{Part, escape};

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
        self.families.entry(family.to_owned()).or_default().insert(id.to_owned());
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
            "places" => text == "map" || self.has("spaces", text),
            "props" => match text.split_once(':') {
                Some((prefix, id)) => prop_family(prefix).is_some_and(|family| self.has(family, id)),
                None => true,
            },
            "scripts" => text.rsplit_once('.').is_none_or(|(module, _)| self.has("scripts", module)),
            _ => self.has(family, text),
        }
    }

    fn unresolved(&self, family: &str, text: &str) -> (&'static str, String, Option<String>) {
        match family {
            "scripts" => {
                let module = text.rsplit_once('.').map_or(text, |(module, _)| module);
                let help = did_you_mean(module, self.of("scripts"));
                let help = help.unwrap_or_else(|| format!("write the function into scripts/{module}.lua"));
                ("P0301", format!("there is no script module `{module}`"), Some(help))
            }
            "props" => {
                let (prefix, id) = text.split_once(':').unwrap_or(("", text));
                match prop_family(prefix) {
                    Some(family) => {
                        let help = did_you_mean(id, self.of(family)).or_else(|| self.listed(family));
                        ("P0202", format!("there is no {prefix} `{id}`"), help)
                    }
                    None => {
                        let help = did_you_mean(prefix, PROP_FAMILIES.iter().map(|(prefix, _)| *prefix));
                        let all = || {
                            "references are `space:`, `faction:`, `kind:`, `card:` or `counter:` and an id".to_owned()
                        };
                        ("P0202", format!("`{prefix}:` begins no reference"), Some(help.unwrap_or_else(all)))
                    }
                }
            }
            "owners" => {
                let all = ["factions", "spaces", "cards"].into_iter().flat_map(|family| self.of(family));
                ("P0202", format!("there is no faction, space or card `{text}`"), did_you_mean(text, all))
            }
            "places" => {
                let help = did_you_mean(text, self.of("spaces").chain(["map"]));
                ("P0202", format!("there is no space `{text}`"), help)
            }
            _ => {
                let help = did_you_mean(text, self.of(family)).or_else(|| self.listed(family));
                ("P0202", format!("there is no {} `{text}`", singular(family)), help)
            }
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
    schema: Value,
    validator: Option<Validator>,
}

/// The schema check of files, built once per process.
fn compiled(name: &str) -> Option<&'static Compiled> {
    static ALL: OnceLock<BTreeMap<&'static str, Compiled>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let build = |(name, schema): (&'static str, Value)| {
            let validator = jsonschema::options().build(&schema).ok();
            (name, Compiled { schema, validator })
        };
        principes_schemas::all().into_iter().map(build).collect()
    });
    all.get(name)
}

/// What the schema `name` (`pack` or a family key) finds in a value.
pub fn check(name: &str, value: &Value) -> Vec<Issue> {
    let Some(compiled) = compiled(name) else { return Vec::new() };
    let Some(validator) = &compiled.validator else { return Vec::new() };
    let mut issues = Vec::new();
    for error in validator.iter_errors(value) {
        translate(&error, &compiled.schema, None, &mut issues);
    }
    issues
}

/// Checks references of valid files.
pub struct References {
    ids: Arc<Ids>,
    validators: BTreeMap<&'static str, Validator>,
}

impl References {
    /// A check against these ids.
    pub fn new(ids: Arc<Ids>) -> Self {
        References { ids, validators: BTreeMap::new() }
    }

    /// What is wrong with the references of a file's value.
    pub fn check(&mut self, family: Family, value: &Value) -> Vec<Issue> {
        let name = family.key();
        let Some(compiled) = compiled(name) else { return Vec::new() };
        if !self.validators.contains_key(name) {
            let ids = Arc::clone(&self.ids);
            let options = jsonschema::options().with_keyword("x-ref", move |_, family, _| {
                let family = family.as_str().unwrap_or_default().to_owned();
                Ok(Box::new(RefKeyword { family, ids: Arc::clone(&ids) }))
            });
            let Ok(validator) = options.build(&compiled.schema) else {
                return Vec::new();
            };
            self.validators.insert(name, validator);
        }
        let Some(validator) = self.validators.get(name) else { return Vec::new() };
        let mut issues = Vec::new();
        for error in validator.iter_errors(value) {
            translate(&error, &compiled.schema, Some(&self.ids), &mut issues);
        }
        issues.retain(|issue| matches!(issue.code, "P0202" | "P0301"));
        issues
    }
}

struct RefKeyword {
    family: String,
    ids: Arc<Ids>,
}

impl<'i> Keyword<'i> for RefKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.family.clone())) }
    }
    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(|text| self.ids.resolves(&self.family, text))
    }
}

fn translate(error: &ValidationError<'_>, schema: &Value, ids: Option<&Ids>, issues: &mut Vec<Issue>) {
    let pointer = error.instance_path().as_str().to_owned();
    let instance = error.instance();
    let shown = show(instance);
    let mut push = |code, pointer: String, part, message: String, help: Option<String>| {
        issues.push(Issue { code, pointer, part, message, help });
    };
    let about = || described(error, schema);
    match error.kind() {
        Kind::Type { .. } => {
            let expected = keyword_value(error, schema).map(types).unwrap_or_else(|| "something else".to_owned());
            push("P0101", pointer, Part::Value, format!("expected {expected}, found {shown}"), about());
        }
        Kind::AdditionalProperties { unexpected } => {
            let known = known_fields(error, schema);
            for key in unexpected {
                let help = did_you_mean(key, known.iter().map(String::as_str));
                let help = help.unwrap_or_else(|| format!("the fields here are {}", listing(&known)));
                let at = format!("{pointer}/{}", escape(key));
                push("P0102", at, Part::Key, format!("unknown field `{key}`"), Some(help));
            }
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let message = format!("the field `{name}` is missing");
            push("P0103", pointer, Part::Value, message, field_doc(error, schema, name));
        }
        Kind::Enum { options } => {
            let names: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
            push_choice(&pointer, instance, &names, &mut push);
        }
        Kind::Constant { expected_value } => push_choice(&pointer, instance, &[plain(expected_value)], &mut push),
        Kind::Minimum { limit } | Kind::ExclusiveMinimum { limit } => {
            push("P0105", pointer, Part::Value, format!("{shown} is less than the least value, {limit}"), about());
        }
        Kind::Maximum { limit } | Kind::ExclusiveMaximum { limit } => {
            push("P0105", pointer, Part::Value, format!("{shown} is more than the greatest value, {limit}"), about());
        }
        Kind::Pattern { pattern } => {
            push(
                "P0106",
                pointer,
                Part::Value,
                format!("{shown} is not written as it must be"),
                Some(pattern_help(pattern)),
            );
        }
        Kind::MinLength { .. } => push("P0106", pointer, Part::Value, "the text is empty".to_owned(), about()),
        Kind::MinItems { limit } | Kind::MinProperties { limit } => {
            push("P0107", pointer, Part::Value, format!("at least {limit} needed here"), about());
        }
        Kind::MaxItems { limit } => {
            push("P0107", pointer, Part::Value, format!("at most {limit} allowed here"), about())
        }
        Kind::PropertyNames { error: inner } => {
            let key = inner.instance().as_str().unwrap_or_default().to_owned();
            let at = format!("{pointer}/{}", escape(&key));
            let mut inner_issues = Vec::new();
            translate(inner, schema, ids, &mut inner_issues);
            for issue in inner_issues {
                push(issue.code, at.clone(), Part::Key, issue.message, issue.help);
            }
        }
        Kind::Custom { message: family, .. } => {
            if let (Some(ids), Some(text)) = (ids, instance.as_str()) {
                let (code, message, help) = ids.unresolved(family, text);
                push(code, pointer, Part::Value, message, help);
            }
        }
        Kind::OneOfMultipleValid { .. } => {
            let names = alternatives(error, schema);
            push("P0108", pointer, Part::Value, format!("only one of {} may stand here", listing(&names)), about());
        }
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            translate_branches(error, context, schema, ids, issues);
        }
        other => push("P0109", pointer, Part::Value, format!("{shown} does not fit (`{}`)", other.keyword()), about()),
    }
}

fn push_choice(
    pointer: &str,
    instance: &Value,
    names: &[String],
    push: &mut impl FnMut(&'static str, String, Part, String, Option<String>),
) {
    let wrong = plain(instance);
    let help = did_you_mean(&wrong, names.iter().map(String::as_str));
    let help = help.unwrap_or_else(|| format!("it must be {}", listing(names).replace("`, `", "` or `")));
    push("P0104", pointer.to_owned(), Part::Value, format!("{} is not a value for this", show(instance)), Some(help));
}

/// Of several shapes that do not fit, the errors of the one that was most likely meant.
fn translate_branches(
    error: &ValidationError<'_>,
    context: &[Vec<ValidationError<'static>>],
    schema: &Value,
    ids: Option<&Ids>,
    issues: &mut Vec<Issue>,
) {
    let here = error.instance_path().as_str();
    let at = |inner: &ValidationError<'_>| inner.instance_path().as_str().to_owned();
    // Branches that only differ in which field they need.
    if context.iter().flatten().all(|e| matches!(e.kind(), Kind::Required { .. }) && at(e) == here) {
        let names = alternatives(error, schema);
        issues.push(Issue {
            code: "P0108",
            pointer: here.to_owned(),
            part: Part::Value,
            message: format!("exactly one of {} is needed here", listing(&names)),
            help: described(error, schema),
        });
        return;
    }
    // Branches that only differ in a constant, here or in one tag field.
    let tags: Vec<(String, &Value, String)> = context
        .iter()
        .filter_map(|branch| {
            branch.iter().find_map(|e| match e.kind() {
                Kind::Constant { expected_value } => Some((at(e), e.instance().as_ref(), plain(expected_value))),
                _ => None,
            })
        })
        .collect();
    if let Some((pointer, instance, _)) = tags.first()
        && tags.len() == context.len()
        && tags.iter().all(|tag| tag.0 == *pointer)
    {
        let names: Vec<String> = tags.iter().map(|tag| tag.2.clone()).collect();
        push_choice(pointer, instance, &names, &mut |code, pointer, part, message, help| {
            issues.push(Issue { code, pointer, part, message, help });
        });
        return;
    }
    // All want another type.
    let type_of = |branch: &Vec<ValidationError<'static>>| {
        branch
            .iter()
            .find(|e| matches!(e.kind(), Kind::Type { .. }) && at(e) == here)
            .and_then(|e| keyword_value(e, schema).map(types))
    };
    let wanted: Vec<String> = context.iter().filter_map(type_of).collect();
    if wanted.len() == context.len() {
        issues.push(Issue {
            code: "P0101",
            pointer: here.to_owned(),
            part: Part::Value,
            message: format!("expected {}, found {}", wanted.join(" or "), show(error.instance())),
            help: described(error, schema),
        });
        return;
    }
    let cost = |branch: &Vec<ValidationError<'static>>| -> usize {
        let one = |e: &ValidationError<'static>| match e.kind() {
            Kind::Type { .. } if at(e) == here => 10_000,
            Kind::Constant { .. } | Kind::Enum { .. } => 1_000,
            Kind::Required { .. } if at(e) == here => 100,
            Kind::AdditionalProperties { unexpected } if at(e) == here => 60 * unexpected.len(),
            _ => 1,
        };
        branch.iter().map(one).sum()
    };
    if let Some(meant) = context.iter().min_by_key(|branch| cost(branch)) {
        for inner in meant {
            translate(inner, schema, ids, issues);
        }
    }
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
    fn the_meant_branch_is_reported() {
        assert_eq!(codes("phases", json!({"phases": [{"id": "a"}]})), vec![("P0108", "/phases/0".into())]);
        assert_eq!(
            codes("phases", json!({"phases": [{"id": "a", "run": "x.y", "each": "x.y"}]})),
            vec![("P0108", "/phases/0".into())]
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
            vec![("P0102", "/cards/0/hooks/card.play/rum".into()), ("P0103", "/cards/0/hooks/card.play".into())]
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
    }
}
