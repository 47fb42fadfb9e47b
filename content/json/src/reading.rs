//! Reading schemas at the place of an error, and values in words.

use jsonschema::ValidationError;
use serde_json::Value;

pub(crate) fn resolve<'s>(branch: &'s Value, schema: &'s Value) -> &'s Value {
    let target = branch.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    target.and_then(|path| schema.pointer(path)).unwrap_or(branch)
}

/// The value of the schema keyword that failed.
pub(crate) fn keyword_value<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Value> {
    schema.pointer(error.schema_path().as_str())
}

/// The schema object with the keyword that failed.
pub(crate) fn owner<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Value> {
    let path = error.schema_path().as_str();
    schema.pointer(&path[..path.rfind('/')?])
}

pub(crate) fn described(error: &ValidationError<'_>, schema: &Value) -> Option<String> {
    let text = owner(error, schema)?.get("description")?.as_str()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub(crate) fn field_doc(error: &ValidationError<'_>, schema: &Value, field: &str) -> Option<String> {
    let text = owner(error, schema)?.get("properties")?.get(field)?.get("description")?.as_str()?;
    Some(format!("`{field}`: {}", text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

pub(crate) fn known_fields(error: &ValidationError<'_>, schema: &Value) -> Vec<String> {
    let fields = owner(error, schema).and_then(|object| object.get("properties")).and_then(Value::as_object);
    fields.into_iter().flatten().map(|(name, _)| name.clone()).filter(|name| name != "$schema").collect()
}

/// The fields of which exactly one is required.
pub(crate) fn alternatives(error: &ValidationError<'_>, schema: &Value) -> Vec<String> {
    let branches = keyword_value(error, schema).and_then(Value::as_array);
    branches
        .into_iter()
        .flatten()
        .filter_map(|branch| branch.get("required")?.as_array()?.first()?.as_str().map(str::to_owned))
        .collect()
}

pub(crate) fn types(keyword: &Value) -> String {
    let word = |name: &Value| match name.as_str().unwrap_or_default() {
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "text",
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

pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 40 => format!("`{}…`", text.chars().take(40).collect::<String>()),
        Value::String(text) => format!("`{text}`"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null => "null".to_owned(),
        other => format!("`{other}`"),
    }
}
