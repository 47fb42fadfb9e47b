//! JSON Schemas for editors, narrowed to what packs declare: which properties an entity may have and what they take.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_json::Ids;
use principes_schemas::{Family, Prop, PropOwner, PropType};
use principes_source::PackSource;
use serde_json::{Map, Value, json};

use crate::merge;
use crate::options::{LoadOptions, Stage};
use crate::packs;

/// What some packs declare.
#[derive(Debug, Default)]
pub struct Declared {
    props: Vec<Arc<Prop>>,
    ids: Arc<Ids>,
}

/// What some packs declare, as far as they can be read.
pub fn declared(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Declared {
    let options = LoadOptions { until: Stage::Links, scenarios: false, ..options.clone() };
    let packs = packs::resolve(given, &options.search, options.game.as_deref(), &mut Vec::new());
    if packs.is_empty() {
        return Declared::default();
    }
    let merged = merge::merge(packs, &options, &mut Vec::new());
    Declared { props: merged.props.into_iter().map(|entry| entry.value).collect(), ids: merged.ids }
}

/// The schema with a name, narrowed to what some packs declare; none if there is no such schema.
pub fn for_editors(name: &str, declared: &Declared) -> Option<Value> {
    let (_, schema) = principes_schemas::all().into_iter().find(|(known, _)| *known == name)?;
    Some(narrowed(name, schema, declared))
}

/// The schema of a family's files, or the common one of several families, narrowed to declared props, and with the ids
/// that references may name. An id that is not among them is accepted: it may be new.
pub fn narrowed(name: &str, schema: Value, declared: &Declared) -> Value {
    let props = &declared.props;
    let mut schema = match name {
        "content" => Family::ALL.iter().fold(schema, |schema, family| narrowed_family(family.key(), schema, props)),
        family => narrowed_family(family, schema, props),
    };
    offer_ids(&mut schema, &declared.ids);
    schema
}

/// Lets editors offer ids where a schema asks for a reference.
fn offer_ids(schema: &mut Value, ids: &Ids) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(|value| offer_ids(value, ids));
            let Some(family) = object.get("x-ref").and_then(Value::as_str) else { return };
            let families: &[&str] = match family {
                "owners" => &["factions", "spaces", "cards"],
                "performers" => &["cards", "rules"],
                "places" => &["spaces"],
                other => &[other],
            };
            let names: BTreeSet<&str> = families.iter().flat_map(|family| ids.of(family)).collect();
            // Functions of scripts and values of props are more than ids.
            if !names.is_empty() && family != "scripts" && !object.contains_key("anyOf") {
                object.insert("anyOf".to_owned(), json!([{"enum": names}, {"type": "string"}]));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| offer_ids(value, ids)),
        _ => {}
    }
}

fn narrowed_family(family: &str, mut schema: Value, props: &[Arc<Prop>]) -> Value {
    let items = schema.pointer(&format!("/properties/{family}/items/$ref")).and_then(Value::as_str);
    let Some(definition) = items.and_then(|path| path.strip_prefix('#')).map(str::to_owned) else { return schema };
    let Some(entity) = schema.pointer_mut(&definition).and_then(Value::as_object_mut) else { return schema };
    for of in PropOwner::ALL.into_iter().filter(|of| of.family().key() == family) {
        narrow(entity, of, props);
    }
    schema
}

fn narrow(entity: &mut Map<String, Value>, of: PropOwner, props: &[Arc<Prop>]) {
    let field = if of == PropOwner::Stats { PropOwner::Kinds } else { of };
    let declared = props.iter().find(|prop| prop.of == field && prop.is_field());
    if let Some(words) = declared.filter(|prop| prop.of == of)
        && let Some(Value::Object(property)) =
            entity.get_mut("properties").and_then(|properties| properties.get_mut(of.group()))
    {
        property.extend(keyword(words));
    }
    let own: Vec<&Prop> = props.iter().map(|prop| &**prop).filter(|prop| prop.of == of && !prop.is_field()).collect();
    let named = own.iter().flat_map(|prop| &prop.only).map(|word| word.as_str());
    let groups: BTreeSet<&str> =
        declared.into_iter().flat_map(|prop| prop.words.keys().map(String::as_str)).chain(named).collect();
    let members = if of == PropOwner::Stats { "stats" } else { "props" };
    let rules = groups.into_iter().map(|group| {
        let here: Vec<&&Prop> = own.iter().filter(|prop| prop.is_for(group)).collect();
        let fields: Map<String, Value> = here.iter().map(|prop| (prop.key().to_owned(), value(prop))).collect();
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

/// What an editor offers and accepts as the value of a prop.
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
