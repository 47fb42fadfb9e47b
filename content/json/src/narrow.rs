//! The errors of values with long lists and objects with many members.
//!
//! A validator collects all errors before it returns the first, and some errors hold several copies of their values. For
//! a list of 100,000 wrong items or an object with as many wrong keys, this takes gigabytes. So such a value is halved
//! until little is left, and only the halves with errors are looked at.

use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::pointer::escape;

/// A list with more items is halved.
const MOST_ITEMS: usize = 1_000;
/// An object with more members is halved. An error may hold a copy of the object, so these are fewer.
const MOST_MEMBERS: usize = 200;

/// What was halved to make a part of a value.
#[derive(Default)]
pub(crate) struct Halved {
    /// Pointers of lists, with the place in the whole list at which that of the part begins.
    lists: Vec<(String, usize)>,
    /// Pointers of objects.
    objects: Vec<String>,
}

impl Halved {
    /// The pointer in the whole value, for a pointer in the part.
    pub fn whole(&self, pointer: &str) -> String {
        let (mut list, mut whole) = (String::new(), String::new());
        for token in pointer.split('/').skip(1) {
            let start: usize = self.lists.iter().filter(|(at, _)| *at == list).map(|(_, start)| start).sum();
            whole.push('/');
            match token.parse::<usize>() {
                Ok(at) if start > 0 => whole.push_str(&(at + start).to_string()),
                _ => whole.push_str(token),
            }
            list.push('/');
            list.push_str(token);
        }
        whole
    }

    /// Whether the part has only some members of the object at a pointer.
    pub fn lacks_members(&self, pointer: &str) -> bool {
        self.objects.iter().any(|object| object == pointer)
    }
}

/// Calls `look` with the parts of a value that have errors, in order, until it returns false. What is outside of long
/// lists and large objects is in every part. A value without any is one part, errors or not. Returns whether there is
/// more than one part.
pub(crate) fn parts(validator: &Validator, value: &Value, look: &mut impl FnMut(&Value, &Halved) -> bool) -> bool {
    if !has_large(value) {
        look(value, &Halved::default());
        return false;
    }
    let is_wrong = !validator.is_valid(value);
    if is_wrong {
        halve(validator, &mut value.clone(), &mut Halved::default(), look);
    }
    is_wrong
}

fn halve(
    validator: &Validator,
    part: &mut Value,
    halved: &mut Halved,
    look: &mut impl FnMut(&Value, &Halved) -> bool,
) -> bool {
    if validator.is_valid(part) {
        return true;
    }
    let Some(pointer) = large(part) else { return look(part, halved) };
    let take = |part: &mut Value| part.pointer_mut(&pointer).map(Value::take).unwrap_or_default();
    let put = |part: &mut Value, half: Value| {
        if let Some(place) = part.pointer_mut(&pointer) {
            *place = half;
        }
    };
    let (first, second, start) = in_halves(take(part));
    put(part, first);
    let depth = halved.objects.len();
    if start.is_none() {
        halved.objects.push(pointer.clone());
    }
    let mut goes_on = halve(validator, part, halved, look);
    let first = take(part);
    put(part, second);
    if goes_on {
        halved.lists.extend(start.map(|start| (pointer.clone(), start)));
        goes_on = halve(validator, part, halved, look);
        if start.is_some() {
            halved.lists.pop();
        }
    }
    halved.objects.truncate(depth);
    let second = take(part);
    put(part, joined(first, second));
    goes_on
}

/// The halves of a list or object, and for a list, the place at which the second begins.
fn in_halves(value: Value) -> (Value, Value, Option<usize>) {
    match value {
        Value::Array(mut items) => {
            let half = items.len() / 2;
            let second = items.split_off(half);
            (Value::Array(items), Value::Array(second), Some(half))
        }
        Value::Object(members) => {
            let half = members.len() / 2;
            let mut members = members.into_iter();
            let first: Map<String, Value> = members.by_ref().take(half).collect();
            (Value::Object(first), Value::Object(members.collect()), None)
        }
        other => (other, Value::Null, None),
    }
}

fn joined(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Array(mut first), Value::Array(second)) => {
            first.extend(second);
            Value::Array(first)
        }
        (Value::Object(mut first), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        (first, _) => first,
    }
}

fn is_large(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.len() > MOST_ITEMS,
        Value::Object(object) => object.len() > MOST_MEMBERS,
        _ => false,
    }
}

fn has_large(value: &Value) -> bool {
    is_large(value)
        || match value {
            Value::Array(list) => list.iter().any(has_large),
            Value::Object(object) => object.values().any(has_large),
            _ => false,
        }
}

/// The pointer of a long list or large object that is in no other one.
fn large(value: &Value) -> Option<String> {
    fn tokens(value: &Value) -> Option<Vec<String>> {
        let inner = |token: &dyn Fn() -> String, value| {
            tokens(value).map(|mut tokens| {
                tokens.push(token());
                tokens
            })
        };
        match value {
            value if is_large(value) => Some(Vec::new()),
            Value::Array(list) => list.iter().enumerate().find_map(|(at, item)| inner(&|| at.to_string(), item)),
            Value::Object(object) => object.iter().find_map(|(key, value)| inner(&|| escape(key).into(), value)),
            _ => None,
        }
    }
    let tokens = tokens(value)?;
    Some(tokens.iter().rev().flat_map(|token| ["/", token]).collect())
}

/// The value with only those items of lists that lead to `pointer`, without other large values; and the pointer there.
pub(crate) fn only(value: &Value, pointer: &str) -> (Value, String) {
    fn inner(value: &Value, tokens: &[&str], here: &mut String) -> Value {
        let Some((token, rest)) = tokens.split_first() else { return value.clone() };
        here.push('/');
        match value {
            Value::Array(list) => {
                here.push('0');
                let item = token.parse::<usize>().ok().and_then(|at| list.get(at));
                Value::Array(item.map(|item| inner(item, rest, here)).into_iter().collect())
            }
            Value::Object(object) => {
                here.push_str(token);
                let member = |(key, value): (&String, &Value)| {
                    let value = match value {
                        value if escape(key) == *token => inner(value, rest, here),
                        Value::Array(_) if is_large(value) => Value::Array(Vec::new()),
                        Value::Object(_) if is_large(value) => Value::Object(Map::new()),
                        other => other.clone(),
                    };
                    (key.clone(), value)
                };
                Value::Object(object.iter().map(member).collect())
            }
            other => other.clone(),
        }
    }
    let tokens: Vec<&str> = pointer.split('/').skip(1).collect();
    let mut here = String::new();
    let value = inner(value, &tokens, &mut here);
    (value, here)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The pointers of all errors, found in parts.
    fn found(schema: &Value, value: &Value, most: usize) -> (Vec<String>, usize) {
        let validator = jsonschema::validator_for(schema).unwrap();
        let (mut found, mut seen) = (Vec::new(), 0);
        parts(&validator, value, &mut |part, halved| {
            for error in validator.iter_errors(part) {
                seen += 1;
                let pointer = halved.whole(error.instance_path().as_str());
                if !found.contains(&pointer) {
                    found.push(pointer);
                }
            }
            found.len() < most
        });
        (found, seen)
    }

    #[test]
    fn errors_in_long_lists_have_the_pointers_of_the_whole_value() {
        let numbers = json!({"type": "array", "items": {"type": "integer"}});
        let entry = json!({"properties": {"a": numbers, "b": numbers, "c": {"type": "integer"}}});
        let schema = json!({"properties": {"list": {"items": entry}}});
        let mut list = vec![json!({"a": [1], "b": [2], "c": 3}); 2_500];
        list[1_234]["a"] = json!(vec![0; 3_000]);
        list[1_234]["b"] = json!(vec![0; 3_000]);
        list[1_234]["a"][2_999] = json!("x");
        list[1_234]["b"][1_500] = json!("x");
        list[7]["c"] = json!("x");
        list[2_499]["b"][0] = json!("x");
        let value = json!({"list": list});
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mut all: Vec<String> =
            validator.iter_errors(&value).map(|error| error.instance_path().as_str().to_owned()).collect();
        all.sort();
        let (mut parts, _) = found(&schema, &value, 300);
        parts.sort();
        assert_eq!(parts, all);
        assert_eq!(parts.len(), 4);
    }

    #[test]
    fn few_errors_are_collected_if_few_are_wanted() {
        let schema = json!({"items": {"type": "integer"}});
        let (found, seen) = found(&schema, &json!(vec!["x"; 100_000]), 300);
        assert_eq!(found[0], "/0");
        assert!(found.len() >= 300 && seen <= 2 * MOST_ITEMS, "{seen}");
    }

    #[test]
    fn members_of_large_objects_are_found() {
        let schema = json!({"additionalProperties": {"additionalProperties": {"type": "integer"}}});
        let mut value = json!({"list": {}, "other": {"a": "x"}});
        value["list"] = Value::Object((0..3_000).map(|at| (format!("k{at:04}"), json!(1))).collect());
        value["list"]["k0005"] = json!("x");
        value["list"]["k2999"] = json!("x");
        let (mut found, seen) = found(&schema, &value, 300);
        found.sort();
        assert_eq!(found, ["/list/k0005", "/list/k2999", "/other/a"]);
        assert!(seen <= 60, "{seen}");
    }

    #[test]
    fn halves_are_put_together_again() {
        let schema = json!({"additionalProperties": false});
        let whole = json!({"a": vec![1; 3_000], "b": {"c": (0..999).map(|at| (at.to_string(), at)).collect::<std::collections::BTreeMap<_, _>>()}});
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mut part = whole.clone();
        let goes_on = halve(&validator, &mut part, &mut Halved::default(), &mut |_, _| true);
        assert!(goes_on);
        assert_eq!(part, whole);
    }

    #[test]
    fn what_leads_to_a_value_is_kept() {
        let value = json!({"list": [1, {"a": [5, 6, {"b": 7}], "long": vec![0; 2_000], "c": 8}]});
        let (value, pointer) = only(&value, "/list/1/a/2");
        assert_eq!(value, json!({"list": [{"a": [{"b": 7}], "long": [], "c": 8}]}));
        assert_eq!(value.pointer(&pointer), Some(&json!({"b": 7})));
    }
}
