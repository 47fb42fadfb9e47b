//! The types of requests and answers for the page's scripts, made from the types in Rust by way of JSON Schema.
//! `.ci/generate` writes them to `studio/types/messages.d.ts`, and `.ci/page` checks the scripts against them.

#[cfg(test)]
pub use tests::{Types, types_of};

/// The types of a request. Only a test needs them, so the program has none.
#[cfg(not(test))]
pub type Types = std::marker::PhantomData<()>;

/// The types of parameters and of an answer.
#[cfg(not(test))]
#[allow(clippy::extra_unused_type_parameters)]
pub fn types_of<T, A>() -> Types {
    std::marker::PhantomData
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde_json::{Map, Value};

    use crate::access::{HttpMethod, PageRequest, Who};
    use crate::requests::requests;

    /// What the generated file begins with.
    const HEAD: &str = "// What pages send to the studio and get from it. This file is generated from the types in Rust; `.ci/generate`\n\
                    // rewrites it.\n\ndeclare namespace Api {\n  /** The seat whose view is wanted, or that acts. */\n  \
                        interface OfSeat {\n    seat?: string | null;\n  }\n";

    type MakeSchema = fn(&mut SchemaGenerator) -> Schema;

    /// The types of a request.
    pub struct Types {
        given: MakeSchema,
        answer: MakeSchema,
    }

    /// The types of parameters and of an answer.
    pub fn types_of<T: JsonSchema, A: JsonSchema>() -> Types {
        Types { given: |of| of.subschema_for::<T>(), answer: |of| of.subschema_for::<A>() }
    }

    /// What `studio/types/messages.d.ts` holds.
    fn declarations() -> String {
        let mut given = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        let mut answers = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let all = requests();
        let row = |request: &PageRequest, given: &mut SchemaGenerator, answers: &mut SchemaGenerator| {
            let parameters = (request.types.given)(given).to_value();
            let answer = (request.types.answer)(answers).to_value();
            (request.path, request.who, request.method, parameters, answer)
        };
        let rows: Vec<_> = all.iter().map(|request| row(request, &mut given, &mut answers)).collect();
        let answers = Declared(answers.take_definitions(true));
        let given = Declared(given.take_definitions(true));
        let mut text = HEAD.to_owned();
        for (name, kind) in [("Gets", HttpMethod::Get), ("Posts", HttpMethod::Post)] {
            text += "\n  /** The paths of requests, each with its parameters and its answer. */\n";
            text += &format!("  interface {name} {{\n");
            for (path, who, method, parameters, answer) in &rows {
                if *method == kind {
                    let seat = if matches!(who, Who::Viewer | Who::Seat) { " & OfSeat" } else { "" };
                    let parameters = given.write(parameters, "Given.");
                    text += &format!(
                        "    \"{path}\": {{ given: {parameters}{seat}; answer: {} }};\n",
                        answers.write(answer, "")
                    );
                }
            }
            text += "  }\n";
        }
        text += &answers.write_all("  ");
        text += "\n  /** What pages send. */\n  namespace Given {";
        text += &given.write_all("    ");
        text + "  }\n}\n"
    }

    /// Schemas by the names of their types.
    struct Declared(Map<String, Value>);

    impl Declared {
        fn write_all(&self, margin: &str) -> String {
            let mut text = String::new();
            for (name, schema) in &self.0 {
                let written = match self.is_plain(schema) {
                    true => format!("interface {name} {}", self.members(schema, "", margin, &[])),
                    false => format!("type {name} = {};", self.write(schema, "")),
                };
                text += &format!("\n{}{margin}{written}\n", comment(schema, margin));
            }
            text
        }

        /// Whether a schema is only an object with known members.
        fn is_plain(&self, schema: &Value) -> bool {
            let more = ["oneOf", "anyOf", "patternProperties"];
            let is_open = schema.get("additionalProperties").is_some_and(|others| *others != Value::Bool(false));
            schema["type"] == "object" && !is_open && more.iter().all(|key| schema.get(*key).is_none())
        }

        /// A type. Named types are in a namespace.
        fn write(&self, schema: &Value, space: &str) -> String {
            if let Some(name) = schema["$ref"].as_str() {
                return format!("{space}{}", name.rsplit('/').next().unwrap_or(name));
            }
            if let Some(value) = schema.get("const") {
                return value.to_string();
            }
            if let Some(values) = schema["enum"].as_array() {
                return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
            }
            let choices = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
            let mut parts: Vec<String> = choices.map(|choices| self.union(choices, space)).into_iter().collect();
            match &schema["type"] {
                Value::String(kind) => parts.push(self.write_kind(kind, schema, space)),
                Value::Array(kinds) => {
                    let kinds = kinds.iter().filter_map(Value::as_str);
                    parts.push(kinds.map(|kind| self.write_kind(kind, schema, space)).collect::<Vec<_>>().join(" | "));
                }
                _ => {}
            }
            match &parts[..] {
                [] => "any".to_owned(),
                [one] => one.clone(),
                _ => parts.iter().map(|part| grouped(part)).collect::<Vec<_>>().join(" & "),
            }
        }

        fn write_kind(&self, kind: &str, schema: &Value, space: &str) -> String {
            match kind {
                "integer" | "number" => "number".to_owned(),
                "array" => self.list(schema, space),
                "object" if self.is_plain(schema) || schema.get("properties").is_some() => {
                    self.members(schema, space, "", &[]).replace("\n  ", " ").replace('\n', " ")
                }
                "object" => {
                    let pattern = schema["patternProperties"].as_object().and_then(|all| all.values().next());
                    let of = pattern.or(schema.get("additionalProperties")).unwrap_or(&Value::Null);
                    format!("Record<string, {}>", self.write(of, space))
                }
                other => other.to_owned(),
            }
        }

        fn list(&self, schema: &Value, space: &str) -> String {
            if let Some(items) = schema["prefixItems"].as_array() {
                let items: Vec<String> = items.iter().map(|item| self.write(item, space)).collect();
                return format!("[{}]", items.join(", "));
            }
            let item = self.write(&schema["items"], space);
            match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
                (Some(least), Some(most)) if least == most => format!("[{}]", vec![item; most as usize].join(", ")),
                _ => format!("{}[]", grouped(&item)),
            }
        }

        /// One of several types. A member that an object lacks and another has may be read: it is undefined.
        fn union(&self, choices: &[Value], space: &str) -> String {
            let names = |choice: &Value| -> BTreeSet<String> {
                let target = choice["$ref"].as_str().and_then(|name| self.0.get(name.rsplit('/').next()?));
                let members = target.unwrap_or(choice)["properties"].as_object();
                members.map(|members| members.keys().cloned().collect()).unwrap_or_default()
            };
            let all: BTreeSet<String> = choices.iter().flat_map(names).collect();
            let is_tagged = |choice: &Value| {
                choice["properties"].as_object().is_some_and(|all| all.values().any(|of| of.get("const").is_some()))
            };
            let write = |choice: &Value| match choice["properties"].is_object() && !is_tagged(choice) {
                true => {
                    let lacks: Vec<String> = all.difference(&names(choice)).cloned().collect();
                    self.members(choice, space, "", &lacks).replace("\n  ", " ").replace('\n', " ")
                }
                false => self.write(choice, space),
            };
            choices.iter().map(write).collect::<Vec<_>>().join(" | ")
        }

        /// The members of an object, each on its line.
        fn members(&self, schema: &Value, space: &str, margin: &str, lacks: &[String]) -> String {
            let is_required =
                |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
            let member = |(name, of): (&String, &Value)| {
                format!("{margin}  {name}{}: {};\n", if is_required(name) { "" } else { "?" }, self.write(of, space))
            };
            let members: String = schema["properties"].as_object().into_iter().flatten().map(member).collect();
            let lacking: String = lacks.iter().map(|name| format!("{margin}  {name}?: undefined;\n")).collect();
            match members.is_empty() && lacking.is_empty() {
                true => "{}".to_owned(),
                false => format!("{{\n{members}{lacking}{margin}}}"),
            }
        }
    }

    fn grouped(text: &str) -> String {
        if text.contains(" | ") || text.contains(" & ") { format!("({text})") } else { text.to_owned() }
    }

    /// What a type is, as a comment above it.
    fn comment(schema: &Value, margin: &str) -> String {
        let about = schema["description"].as_str().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        about.map_or_else(String::new, |about| format!("{margin}/** {} */\n", about.replace("*/", "* /")))
    }

    #[test]
    fn declarations_are_fresh() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("types/messages.d.ts");
        let text = declarations();
        if std::env::var_os("PRINCIPES_GENERATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(stored == text, "studio/types/messages.d.ts is stale; run .ci/generate");
    }
}
