//! What packs mean for a game: everything in them that can change how it runs.

use principes_core::rng;
use principes_json::Digest;
use principes_schemas::Family;
use principes_scripting::script_meaning;
use serde_json::{Map, Value};

use crate::game::Loaded;

/// Changes whenever the same packs begin to mean something else.
const VERSION: &str = "principes meaning 1";

/// Whether a value is of the kind that a field has.
type IsIt = fn(&Value) -> bool;

/// Fields of entities that only people and `check` read. A number with such a name is a param.
const REMARKS: [(&str, IsIt); 3] =
    [("notes", Value::is_string), ("provenance", Value::is_object), ("allow", is_reasons)];

impl Loaded {
    /// A digest of what the packs mean, as 64 hexadecimal digits. Comments, remarks, texts, looks, scenarios, versions,
    /// the names of files, and the order of keys do not change it. Games of packs with the same meaning run alike.
    pub fn meaning(&self) -> &str {
        self.known_meaning.get_or_init(|| self.digest_meaning())
    }

    fn digest_meaning(&self) -> String {
        let documents = &self.origins.documents.0;
        let mut digest = Digest::default();
        digest.add(VERSION);
        digest.add(rng::VERSION);
        digest.add(self.manifest.id.as_str());
        digest.add(format!("{:?}", self.catalog.seats));
        // Patches have been applied.
        for family in Family::ALL.iter().filter(|family| family.spec().decides) {
            digest.add(family.key());
            for document in documents.iter().filter(|document| document.family == Some(*family)) {
                for item in document.items().iter().filter(|item| !item.is_null()) {
                    digest.add(told(item).to_string());
                }
            }
        }
        for script in &self.scripts {
            digest.add(&script.module);
            digest.add(script_meaning(&script.text));
        }
        digest.finish().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A value with sorted keys and without remarks. A number without a fraction is a whole one.
fn told(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let is_remark = |key: &str, value: &Value| REMARKS.iter().any(|(name, is_it)| *name == key && is_it(value));
            let mut kept: Vec<_> = fields.iter().filter(|(key, value)| !is_remark(key, value)).collect();
            kept.sort_unstable_by_key(|(key, _)| *key);
            Value::Object(kept.into_iter().map(|(key, value)| (key.clone(), told(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(told).collect(),
        // Numbers in packs are far below the limit of exact whole numbers.
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && number.as_i64().is_none() => Value::from(float as i64),
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Whether a value says why warnings are right as they are.
fn is_reasons(value: &Value) -> bool {
    value.as_object().is_some_and(|reasons| reasons.values().all(Value::is_string))
}
