//! The JSON Schemas of content files, generated from their types.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::basics::LEAST_WHOLE;
use crate::family::Family;
use crate::pack::Pack;

/// Every schema with its name: `pack`, `content` for files of several families, then one for each family. The file is `<name>.schema.json`.
pub fn all() -> Vec<(&'static str, Value)> {
    let families = Family::ALL.iter().map(|family| (family.key(), family.schema()));
    [("pack", pack_schema()), ("content", content_schema())].into_iter().chain(families).collect()
}

/// The schema of a file that may hold several families: all except messages and scenarios, which have separate files.
pub fn content_schema() -> Value {
    let mut all = Map::new();
    let shared = || Family::ALL.iter().filter(|family| family.shares_files());
    for family in shared() {
        let Value::Object(schema) = family.schema() else { continue };
        for (part, value) in schema {
            match (all.get_mut(&part), value) {
                (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
                (_, value) => drop(all.insert(part, value)),
            }
        }
    }
    all.remove("required");
    all.insert("$id".to_owned(), "content.schema.json".into());
    all.insert("title".to_owned(), "ContentFile".into());
    let description = "Entities of one family or several.";
    all.insert("description".to_owned(), description.into());
    all.insert("markdownDescription".to_owned(), description.into());
    // A file with only `$schema` is not a content file.
    all.insert("anyOf".to_owned(), shared().map(|family| json!({ "required": [family.key()] })).collect());
    sorted(Value::Object(all))
}

/// The schema of `pack.json`.
pub fn pack_schema() -> Value {
    schema_of::<Pack>("pack")
}

/// A schema as text, as it is written to a file.
pub fn print(schema: &Value) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}

pub(crate) fn schema_of<T: JsonSchema>(name: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(tidy));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), format!("{name}.schema.json").into());
    sorted(schema.to_value())
}

/// Adapts generated schemas to readers and editors: bounds instead of integer formats, no null where a field can
/// simply be omitted, descriptions that editors render.
fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::String(format)) = object.get("format").cloned()
        && let Some((min, max)) = integer_bounds(&format)
    {
        object.remove("format");
        object.entry("minimum").or_insert_with(|| min.into());
        object.entry("maximum").or_insert_with(|| max.into());
    }
    let may_be_nobody = object.get("x-ref").is_some_and(|family| family != "scripts");
    if object.remove("x-null").is_none() && !may_be_nobody {
        drop_null(object);
    }
    // A default of null only repeats that the field may be omitted.
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(text) = object.get("description").cloned() {
        object.insert("markdownDescription".to_owned(), text);
    }
}

fn integer_bounds(format: &str) -> Option<(i64, i64)> {
    Some(match format {
        "uint8" => (0, i64::from(u8::MAX)),
        "uint16" => (0, i64::from(u16::MAX)),
        "uint32" => (0, i64::from(u32::MAX)),
        // Seeds must be exact as a double, because scripts and spreadsheets read them.
        "uint64" => (0, 1 << 53),
        "int16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int32" => (i64::from(LEAST_WHOLE), i64::from(i32::MAX)),
        _ => return None,
    })
}

fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    let is_null = |branch: &Value| branch.get("type").is_some_and(|name| name == "null");
    if let Some(Value::Array(branches)) = object.get_mut("anyOf")
        && branches.iter().any(is_null)
    {
        branches.retain(|branch| !is_null(branch));
        if branches.len() == 1
            && let Some(Value::Object(only)) = branches.pop()
        {
            object.remove("anyOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
}

/// Sorts keys at every level, even if another crate enables `preserve_order` of serde_json.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        other => other,
    }
}
