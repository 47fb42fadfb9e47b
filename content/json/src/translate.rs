//! The errors of jsonschema, in helpful words.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use principes_findings::{Code, Suggestion, listing, suggestion};
use principes_schemas::ReferenceKind;
use serde_json::Value;

use crate::branches::Branches;
use crate::form;
use crate::ids::Ids;
use crate::pointer::{MemberPart, escape};
use crate::reading::*;
use crate::unresolved::unresolved;
use crate::violation::{ValueFix, Violation};

/// Adds the violations that an error of the validator stands for. `schema` is the schema of the whole value. With
/// `ids`, references are checked too.
pub(crate) fn translate(
    error: &ValidationError<'_>,
    schema: &Value,
    ids: Option<&Ids>,
    violations: &mut Vec<Violation>,
) {
    let pointer = error.instance_path().as_str().to_owned();
    let instance = error.instance();
    let shown = show(instance);
    let about = || described(error, schema);
    let value = |code, message: String| Violation::new(code, pointer.as_str(), MemberPart::Value, message);
    let violation = match error.kind() {
        Kind::Type { .. } => {
            let (message, fix) = wrong_type(instance, keyword_value(error, schema));
            Violation { fix, ..value(Code::WrongType, message).maybe_help(about()) }
        }
        Kind::AdditionalProperties { unexpected } => {
            violations.extend(unknown_fields(error, schema, unexpected));
            return;
        }
        Kind::Required { property } => {
            violations.extend(missing_field(error, schema, property.as_str().unwrap_or_default()));
            return;
        }
        Kind::Enum { options } => {
            let names: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
            not_listed(&pointer, instance, &names)
        }
        Kind::Constant { expected_value } => not_listed(&pointer, instance, &[plain(expected_value)]),
        Kind::Minimum { limit } | Kind::ExclusiveMinimum { limit } => {
            value(Code::OutOfBounds, format!("{shown} is below the minimum, {limit}")).maybe_help(about())
        }
        Kind::Maximum { limit } | Kind::ExclusiveMaximum { limit } => {
            value(Code::OutOfBounds, format!("{shown} is above the maximum, {limit}")).maybe_help(about())
        }
        Kind::Pattern { pattern } => bad_form(&pointer, instance, pattern),
        Kind::MaxLength { limit } => {
            value(Code::BadForm, format!("{shown} is longer than {limit} characters")).maybe_help(about())
        }
        Kind::MinLength { .. } => value(Code::BadForm, "the text is empty".to_owned()).maybe_help(about()),
        Kind::MinItems { limit } | Kind::MinProperties { limit } => {
            value(Code::WrongLength, format!("at least {limit} required here")).maybe_help(about())
        }
        Kind::MaxItems { limit } => {
            value(Code::WrongLength, format!("at most {limit} allowed here")).maybe_help(about())
        }
        Kind::PropertyNames { error: inner } => {
            let key = inner.instance().as_str().unwrap_or_default().to_owned();
            let at = format!("{pointer}/{}", escape(&key));
            let mut inside = Vec::new();
            translate(inner, schema, ids, &mut inside);
            violations.extend(inside.into_iter().map(|violation| Violation {
                pointer: at.clone(),
                part: MemberPart::Key,
                ..violation
            }));
            return;
        }
        Kind::Custom { message: reference, .. } => {
            if let (Some(ids), Some(text), Some(reference)) = (ids, instance.as_str(), ReferenceKind::of(reference)) {
                violations.push(unresolved(ids, reference, text, &pointer));
            }
            return;
        }
        Kind::OneOfMultipleValid { .. } => {
            let names = alternatives(error, schema);
            value(Code::NotExactlyOne, format!("only one of {} is allowed here", listing(&names))).maybe_help(about())
        }
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            violations.extend(Branches { error, context, schema, ids }.violations());
            return;
        }
        other => value(Code::UnfitValue, format!("{shown} does not fit (`{}`)", other.keyword())).maybe_help(about()),
    };
    violations.push(violation);
}

/// The message about a value of the wrong type, and the value of the right type that the author meant, if that is
/// clear.
fn wrong_type(instance: &Value, wanted: Option<&Value>) -> (String, Option<ValueFix>) {
    let expected = wanted.map(types).unwrap_or_else(|| "something else".to_owned());
    // "whole" matters only if the author wrote a fraction.
    let expected = if instance.is_number() { expected } else { expected.replace("a whole number", "a number") };
    let shown = show(instance);
    // Without the word "text", `"1"` and 1 would look alike.
    let found = if instance.is_string() { format!("text {shown}") } else { shown };
    let fix = wanted.and_then(|wanted| as_type(instance, wanted)).map(ValueFix::Value);
    (format!("expected {expected}, found {found}"), fix)
}

fn bad_form(pointer: &str, instance: &Value, pattern: &str) -> Violation {
    let (help, fix) = form::advice(pattern, instance.as_str().unwrap_or_default());
    let message = format!("{} does not have the required form", show(instance));
    let violation = Violation::new(Code::BadForm, pointer, MemberPart::Value, message).maybe_help(Some(help));
    Violation { fix: fix.map(|text| ValueFix::Value(Value::String(text))), ..violation }
}

fn unknown_fields(error: &ValidationError<'_>, schema: &Value, unexpected: &[String]) -> Vec<Violation> {
    let (known, instance) = (known_fields(error, schema), error.instance());
    let there = |name: &str| instance.get(name).is_some();
    let unknown = |key: &String| {
        let at = format!("{}/{}", error.instance_path().as_str(), escape(key));
        // A field that is already there cannot be the one that was meant.
        let near = suggestion(key, known.iter().map(String::as_str).filter(|name| !there(name)));
        let help = || Some(format!("the fields here are {}", listing(&known)));
        let violation = Violation::new(Code::UnknownField, at, MemberPart::Key, format!("unknown field `{key}`"));
        violation.about(key).suggest(near.map(Suggestion::of_program), help)
    };
    unexpected.iter().map(unknown).collect()
}

fn missing_field(error: &ValidationError<'_>, schema: &Value, name: &str) -> Option<Violation> {
    // A misspelled field explains everything.
    let known = known_fields(error, schema);
    let misspelled = |key: &String| suggestion(key, [name]).is_some() && !known.contains(key);
    if !known.is_empty() && error.instance().as_object().is_some_and(|object| object.keys().any(misspelled)) {
        return None;
    }
    let at = error.instance_path().as_str();
    let violation = Violation::new(Code::MissingField, at, MemberPart::Value, format!("missing field `{name}`"));
    Some(violation.about(name).maybe_help(field_doc(error, schema, name)))
}

/// A text that would have the wanted type without its quotes, as a value of that type.
fn as_type(instance: &Value, wanted: &Value) -> Option<Value> {
    let value: Value = serde_json::from_str(instance.as_str()?).ok()?;
    match wanted.as_str()? {
        "integer" if value.is_i64() || value.is_u64() => Some(value),
        "boolean" if value.is_boolean() => Some(value),
        _ => None,
    }
}

pub(crate) fn not_listed(pointer: &str, instance: &Value, names: &[String]) -> Violation {
    let near = suggestion(&plain(instance), names.iter().map(String::as_str)).filter(|_| instance.is_string());
    Violation::new(Code::WrongChoice, pointer, MemberPart::Value, format!("{} is not allowed here", show(instance)))
        .suggest(near.map(Suggestion::of_program), || Some(format!("use {}", listing(names).replace("`, `", "` or `"))))
}
