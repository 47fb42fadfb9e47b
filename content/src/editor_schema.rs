//! JSON Schemas for editors, narrowed to what packs declare: the props that an entity may have, and their values.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_json::Ids;
use principes_schemas::{Family, Prop, PropOwner, PropType, ReferenceKind};
use principes_source::PackSource;
use serde_json::{Map, Value, json};

use crate::merge;
use crate::options::{LoadOptions, Stage};
use crate::packs;
use crate::symbols;

/// Declared props and ids.
#[derive(Debug, Default)]
pub struct EditorNames {
    props: Vec<Arc<Prop>>,
    ids: Arc<Ids>,
    /// Symbols that looks declare.
    symbols: BTreeSet<String>,
}

/// The declared props and ids of some packs, as far as they can be read.
pub fn declared(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> EditorNames {
    let options = LoadOptions { until: Stage::Links, scenarios: false, ..options.clone() };
    let packs = packs::resolve(given, &options.search, options.game.as_deref(), &mut Vec::new());
    if packs.is_empty() {
        return EditorNames::default();
    }
    let merged = merge::merge(packs, &options, &mut Vec::new());
    let symbols = merged.looks.iter().flat_map(|look| look.value.symbols.0.keys().cloned()).collect();
    EditorNames { props: merged.props.into_iter().map(|entry| entry.value).collect(), ids: merged.ids, symbols }
}

/// The schema with a name, narrowed to what some packs declare; `None` if there is no such schema.
pub fn for_editors(name: &str, declared: &EditorNames) -> Option<Value> {
    let (_, schema) = principes_schemas::all().into_iter().find(|(known, _)| *known == name)?;
    Some(narrowed(name, schema, declared))
}

/// The schema of a family's files, or the common one of several families, narrowed to declared props, with the ids that
/// references may name. Other ids are accepted too, because they may be new.
pub fn narrowed(name: &str, schema: Value, declared: &EditorNames) -> Value {
    let props = &declared.props;
    let mut schema = match name {
        "content" => Family::ALL.iter().fold(schema, |schema, family| narrowed_family(family.key(), schema, props)),
        family => narrowed_family(family, schema, props),
    };
    offer_ids(&mut schema, &declared.ids);
    offer_patched(&mut schema, &declared.ids);
    offer_symbols(&mut schema, &declared.symbols);
    schema
}

/// Lets editors offer the names of symbols: those of the packs and those of the program.
fn offer_symbols(schema: &mut Value, own: &BTreeSet<String>) {
    if let Some(Value::Object(name)) = schema.pointer_mut("/$defs/SymbolName") {
        let names: BTreeSet<&str> = own.iter().map(String::as_str).chain(symbols::names()).collect();
        name.insert("anyOf".to_owned(), json!([{"enum": names}, {"type": "string"}]));
    }
}

/// Lets editors offer the ids of a family where a patch names an entity of it.
fn offer_patched(schema: &mut Value, ids: &Ids) {
    let patched = Family::ALL.iter().filter(|family| family.spec().is_patchable);
    let rules: Vec<Value> = patched
        .map(|family| (family.key(), ids.of(family.key()).collect::<Vec<_>>()))
        .filter(|(_, names)| !names.is_empty())
        .map(|(family, names)| {
            json!({
                "if": {"properties": {"of": {"const": family}}, "required": ["of"]},
                "then": {"properties": {"id": {"anyOf": [{"enum": names}, {"type": "string"}]}}},
            })
        })
        .collect();
    if let Some(Value::Object(patch)) = schema.pointer_mut("/$defs/Patch")
        && let Value::Array(all) = patch.entry("allOf").or_insert_with(|| json!([]))
    {
        all.extend(rules);
    }
}

/// Lets editors offer ids where a schema expects a reference.
fn offer_ids(schema: &mut Value, ids: &Ids) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(|value| offer_ids(value, ids));
            let Some(reference) = object.get("x-ref").and_then(Value::as_str).and_then(ReferenceKind::of) else {
                return;
            };
            let names: BTreeSet<&str> = reference.families().iter().flat_map(|family| ids.of(family.key())).collect();
            if !names.is_empty() && !object.contains_key("anyOf") {
                object.insert("anyOf".to_owned(), json!([{"enum": names}, {"type": "string"}]));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| offer_ids(value, ids)),
        _ => {}
    }
}

fn narrowed_family(family: &str, mut schema: Value, props: &[Arc<Prop>]) -> Value {
    for (form, definition) in definitions(&schema, family).into_iter().enumerate() {
        let Some(entity) = schema.pointer_mut(&definition).and_then(Value::as_object_mut) else { continue };
        // The other form is that of a series.
        let placed = if form == 0 { Placeholders::Refused } else { Placeholders::Allowed };
        for of in PropOwner::ALL.iter().copied().filter(|of| of.family().key() == family) {
            narrow(entity, of, props, placed);
        }
    }
    schema
}

/// Whether a text with placeholders of a series may be in place of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placeholders {
    Refused,
    Allowed,
}

impl Placeholders {
    /// The schema of a value.
    fn or(self, value: Value) -> Value {
        match self {
            Placeholders::Refused => value,
            Placeholders::Allowed => json!({"anyOf": [value, {"type": "string", "pattern": "\\{"}]}),
        }
    }
}

/// The pointers to the definitions of a family's entities: one, or one for each form.
fn definitions(schema: &Value, family: &str) -> Vec<String> {
    let target = |of: &Value| of["$ref"].as_str()?.strip_prefix('#').map(str::to_owned);
    let Some(path) = schema.pointer(&format!("/properties/{family}/items")).and_then(target) else { return Vec::new() };
    let forms = schema.pointer(&path).and_then(|definition| definition["anyOf"].as_array());
    match forms {
        Some(forms) => forms.iter().filter_map(target).collect(),
        None => vec![path],
    }
}

fn narrow(entity: &mut Map<String, Value>, of: PropOwner, props: &[Arc<Prop>], placed: Placeholders) {
    let field = if of == PropOwner::Stats { PropOwner::Kinds } else { of };
    let declared = props.iter().find(|prop| prop.of == field && prop.is_field());
    if let Some(words) = declared.filter(|prop| prop.of == of)
        && let Some(Value::Object(property)) =
            entity.get_mut("properties").and_then(|properties| properties.get_mut(of.group()))
    {
        let offered = placed.or(Value::Object(keyword(words)));
        property.extend(offered.as_object().cloned().unwrap_or_default());
    }
    let own: Vec<&Prop> = props.iter().map(|prop| &**prop).filter(|prop| prop.of == of && !prop.is_field()).collect();
    let named = own.iter().flat_map(|prop| &prop.only).map(|word| word.as_str());
    let groups: BTreeSet<&str> =
        declared.into_iter().flat_map(|prop| prop.words.keys().map(String::as_str)).chain(named).collect();
    let members = if of == PropOwner::Stats { "stats" } else { "props" };
    let rules = groups.into_iter().map(|group| {
        let here: Vec<&&Prop> = own.iter().filter(|prop| prop.is_for(group)).collect();
        let fields: Map<String, Value> =
            here.iter().map(|prop| (prop.key().to_owned(), placed.or(value(prop)))).collect();
        let required: Vec<&str> = here.iter().filter(|prop| prop.required).map(|prop| prop.key()).collect();
        let needs: &[&str] = if required.is_empty() { &[] } else { &[members] };
        json!({
            "if": {"properties": {of.group(): {"const": group}}, "required": [of.group()]},
            "then": {
                "properties": {members: {
                    "type": "object", "properties": fields, "required": required, "additionalProperties": false,
                }},
                "required": needs,
            },
        })
    });
    let rules: Vec<Value> = rules.collect();
    if let Value::Array(all) = entity.entry("allOf").or_insert_with(|| json!([])) {
        all.extend(rules);
    }
}

fn keyword(prop: &Prop) -> Map<String, Value> {
    let (words, meanings): (Vec<&String>, Vec<&String>) = prop.words.iter().unzip();
    let mut map = Map::new();
    map.insert("enum".to_owned(), json!(words));
    map.insert("markdownEnumDescriptions".to_owned(), json!(meanings));
    map
}

/// The schema for the value of a prop.
fn value(prop: &Prop) -> Value {
    let mut map = match prop.value {
        PropType::Keyword => keyword(prop),
        PropType::Number => Map::from_iter([("type".to_owned(), json!("integer"))]),
        PropType::Flag => Map::from_iter([("type".to_owned(), json!("boolean"))]),
        PropType::Text => Map::from_iter([("type".to_owned(), json!("string"))]),
        other => {
            let pattern = format!("^{}:", other.prefix().unwrap_or_default());
            Map::from_iter([("type".to_owned(), json!("string")), ("pattern".to_owned(), json!(pattern))])
        }
    };
    for (key, bound) in [("minimum", prop.min), ("maximum", prop.max)] {
        map.extend(bound.map(|bound| (key.to_owned(), bound.into())));
    }
    map.insert("description".to_owned(), prop.doc.as_str().into());
    Value::Object(map)
}
