//! The errors of values with long lists.
//!
//! A validator collects all errors before it returns the first, and some errors hold several copies of their values. For
//! a list of 100,000 wrong items, this takes gigabytes. So a long list is halved until few items are left, and only the
//! halves with errors are looked at.

use jsonschema::Validator;
use serde_json::Value;

use crate::pointer::escape;

/// A list with more items is long.
const LONG: usize = 1_000;

/// The places in the whole value at which the lists of a part begin.
#[derive(Default)]
pub(crate) struct Starts(Vec<(String, usize)>);

impl Starts {
    /// The pointer in the whole value, for a pointer in the part.
    pub fn whole(&self, pointer: &str) -> String {
        let (mut list, mut whole) = (String::new(), String::new());
        for token in pointer.split('/').skip(1) {
            let start: usize = self.0.iter().filter(|(at, _)| *at == list).map(|(_, start)| start).sum();
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
}

/// Calls `look` with the parts of a value that have errors, in order, until it returns false. Each part has short lists
/// only. What is outside of long lists is in every part.
pub(crate) fn parts(validator: &Validator, value: &Value, look: &mut impl FnMut(&Value, &Starts) -> bool) {
    if !has_long_list(value) {
        look(value, &Starts::default());
    } else if validator.is_valid(value) {
        // The keywords that collect references must see all of them.
        look(value, &Starts::default());
    } else {
        halve(validator, &mut value.clone(), &mut Starts::default(), look);
    }
}

fn halve(
    validator: &Validator,
    part: &mut Value,
    starts: &mut Starts,
    look: &mut impl FnMut(&Value, &Starts) -> bool,
) -> bool {
    if validator.is_valid(part) {
        return true;
    }
    let Some(pointer) = long_list(part) else { return look(part, starts) };
    let list = |part: &mut Value| part.pointer_mut(&pointer).and_then(Value::as_array_mut).map(std::mem::take);
    let put = |part: &mut Value, items: Vec<Value>| {
        if let Some(list) = part.pointer_mut(&pointer) {
            *list = Value::Array(items);
        }
    };
    let Some(mut first) = list(part) else { return look(part, starts) };
    let half = first.len() / 2;
    let second = first.split_off(half);
    put(part, first);
    let mut goes_on = halve(validator, part, starts, look);
    let mut first = list(part).unwrap_or_default();
    put(part, second);
    if goes_on {
        starts.0.push((pointer.clone(), half));
        goes_on = halve(validator, part, starts, look);
        starts.0.pop();
    }
    first.extend(list(part).unwrap_or_default());
    put(part, first);
    goes_on
}

fn has_long_list(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.len() > LONG || list.iter().any(has_long_list),
        Value::Object(object) => object.values().any(has_long_list),
        _ => false,
    }
}

/// A long list that is in no other long list.
fn long_list(value: &Value) -> Option<String> {
    fn tokens(value: &Value) -> Option<Vec<String>> {
        let inner = |token: &dyn Fn() -> String, value| {
            tokens(value).map(|mut tokens| {
                tokens.push(token());
                tokens
            })
        };
        match value {
            Value::Array(list) if list.len() > LONG => Some(Vec::new()),
            Value::Array(list) => list.iter().enumerate().find_map(|(at, item)| inner(&|| at.to_string(), item)),
            Value::Object(object) => object.iter().find_map(|(key, value)| inner(&|| escape(key).into(), value)),
            _ => None,
        }
    }
    let tokens = tokens(value)?;
    Some(tokens.iter().rev().flat_map(|token| ["/", token]).collect())
}

/// The value with only those items of lists that lead to `pointer`, without the other long lists; and the pointer there.
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
                        Value::Array(list) if list.len() > LONG => Value::Array(Vec::new()),
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
        parts(&validator, value, &mut |part, starts| {
            for error in validator.iter_errors(part) {
                seen += 1;
                let pointer = starts.whole(error.instance_path().as_str());
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
        assert!(found.len() >= 300 && seen <= 2 * LONG, "{seen}");
    }

    #[test]
    fn what_leads_to_a_value_is_kept() {
        let value = json!({"list": [1, {"a": [5, 6, {"b": 7}], "long": vec![0; 2_000], "c": 8}]});
        let (value, pointer) = only(&value, "/list/1/a/2");
        assert_eq!(value, json!({"list": [{"a": [{"b": 7}], "long": [], "c": 8}]}));
        assert_eq!(value.pointer(&pointer), Some(&json!({"b": 7})));
    }
}
