//! The reference under `docs/reference/` is generated from the code: content types from the schemas, hook points from
//! the kernel and the packs, findings from their explanations. `.ci/generate` rewrites it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::common;
use principes_app::players::Player;
use principes_content::{Stage, check};
use principes_core::catalog::{HookPointKind, KernelPoints};
use principes_findings::EXPLANATIONS;
use principes_schemas::{Family, LEAST_WHOLE};
use principes_source::folder;
use serde_json::Value;

const MADE: &str = "This page is generated from the code; `.ci/generate` rewrites it.";

fn is_current(name: &str, text: &str) {
    let path = common::root().join("docs/reference").join(name);
    if std::env::var_os("PRINCIPES_GENERATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "docs/reference/{name} is stale: .ci/generate");
}

/// Compares a table on a page with the rows that the program has. The table ends at the next empty line.
fn has_table(path: &str, head: &str, rows: &str) {
    let file = common::root().join(path);
    let page = std::fs::read_to_string(&file).unwrap();
    let (before, after) = page.split_once(head).unwrap();
    let rest = after.find("\n\n").map_or("", |at| &after[at + 1..]);
    let current = format!("{before}{head}{rows}{rest}");
    if std::env::var_os("PRINCIPES_GENERATE").is_some() {
        std::fs::write(&file, &current).unwrap();
    } else {
        assert!(page == current, "{path} is stale: .ci/generate");
    }
}

// Families -----------------------------------------------------------------------------------------------------------

#[test]
fn the_table_of_families_is_that_of_the_program() {
    let rows: String =
        Family::ALL.iter().map(|family| format!("| `{}` | {} |\n", family.key(), family.spec().about)).collect();
    has_table("docs/packs.md", "| key | holds |\n| --- | --- |\n", &rows);
}

// Bots ---------------------------------------------------------------------------------------------------------------

#[test]
fn the_table_of_bots_is_that_of_the_program() {
    let mut rows = String::new();
    for bot in Player::ALL.iter().filter(|player| player.is_bot()) {
        let kind = bot.kind();
        let only = if kind.is_trained { "; only in packs with a trained player" } else { "" };
        let _ = writeln!(rows, "| `{}` | {} | {}{only} |", bot.pattern(), kind.chooses, kind.use_for);
    }
    has_table("docs/bots.md", "| name | how it chooses | use it for |\n| --- | --- | --- |\n", &rows);
}

// Content types ------------------------------------------------------------------------------------------------------

fn text<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema[key].as_str().unwrap_or_default()
}

/// Text that may appear in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace("\n\n", "<br>").replace('\n', " ")
}

/// The anchor of a shape; those that several families share are at the end of the page.
fn anchor(name: &str) -> String {
    format!("[{name}](#{})", name.to_lowercase())
}

/// The type of a value, in a few words.
fn wanted(schema: &Value) -> String {
    if let Some(name) = text(schema, "$ref").strip_prefix("#/$defs/") {
        return anchor(name);
    }
    if let Some(constant) = schema.get("const") {
        return format!("`{constant}`");
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(branches) = schema[key].as_array() {
            return branches.iter().map(wanted).collect::<Vec<_>>().join(" or ");
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let one = |kind: &&str| match *kind {
        "integer" => match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
            (Some(least), Some(most)) if least > i64::from(LEAST_WHOLE) && most < i64::from(i32::MAX) => {
                format!("whole number, {least} to {most}")
            }
            (Some(least), _) if least > i64::from(LEAST_WHOLE) => format!("whole number from {least}"),
            _ => "whole number".to_owned(),
        },
        "number" => "number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "null" => "`null`".to_owned(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => format!("[{}]", items.iter().map(wanted).collect::<Vec<_>>().join(", ")),
            None => format!("list of {}", wanted(&schema["items"])),
        },
        "object" => match &schema["additionalProperties"] {
            Value::Object(_) => format!("object of {}", wanted(&schema["additionalProperties"])),
            _ => "object".to_owned(),
        },
        _ => match text(schema, "x-ref") {
            "" if text(schema, "pattern").starts_with("^[a-z0-9") => "keyword".to_owned(),
            "" => "text".to_owned(),
            family => format!("id of one of the `{family}`"),
        },
    };
    kinds.iter().map(one).collect::<Vec<_>>().join(" or ")
}

/// A shape: its description and fields.
fn shape(out: &mut String, schema: &Value) {
    let about = text(schema, "description");
    if !about.is_empty() {
        let _ = writeln!(out, "\n{about}");
    }
    let variants = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let names = |variant: &Value| {
        let names = variant["required"].as_array()?.iter().map(|name| Some(format!("`{}`", name.as_str()?)));
        Some(names.collect::<Option<Vec<_>>>()?.join(" with "))
    };
    if let Some(sets) = variants.and_then(|variants| variants.iter().map(names).collect::<Option<Vec<String>>>()) {
        // Fields of which some are required.
        let how_many = if schema["oneOf"].is_array() { "Exactly one" } else { "At least one" };
        let _ = writeln!(out, "\n{how_many} of these is required: {}.", sets.join("; "));
    } else if let Some(variants) = variants {
        out.push('\n');
        for variant in variants {
            let about = text(variant, "description").replace('\n', " ");
            let _ = writeln!(out, "- {}{}{about}", wanted(variant), if about.is_empty() { "" } else { ": " });
        }
    }
    let Some(fields) = schema["properties"].as_object() else {
        if variants.is_none() {
            let _ = writeln!(out, "\n{}.", wanted(schema));
        }
        return;
    };
    let must: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let _ = writeln!(out, "\n| field | is | |\n| --- | --- | --- |");
    for (name, field) in fields.iter().filter(|(name, _)| *name != "$schema") {
        let must = if must.contains(&name.as_str()) { " (required)" } else { "" };
        let _ = writeln!(out, "| `{name}`{must} | {} | {} |", cell(&wanted(field)), cell(text(field, "description")));
    }
}

#[test]
fn content_types() {
    let mut shared: BTreeMap<String, (Value, usize)> = BTreeMap::new();
    let mut all = principes_schemas::all();
    // It repeats the families that may share a file.
    all.retain(|(name, _)| *name != "content");
    for (_, schema) in &all {
        for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
            shared.entry(name.clone()).or_insert_with(|| (definition.clone(), 0)).1 += 1;
        }
    }
    let mut out = format!(
        "# Content types\n\n{MADE} The JSON Schemas in [`schemas/json`](../../schemas/json) are the same for programs.\n\n\
         The keys of a file are families: `{{\"cards\": [ … ]}}`. [How a pack is built](../packs.md) explains what each family is for.\n"
    );
    for (name, schema) in &all {
        let _ = write!(out, "\n## `{name}`\n");
        match Family::with_key(name) {
            Some(_) => {
                let about = text(schema, "description").replace("A file of", "").trim().to_owned();
                let _ = writeln!(out, "\n{about}\n\nValue: {}.", wanted(&schema["properties"][name]));
            }
            None => shape(&mut out, schema),
        }
        for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
            if shared[name].1 == 1 {
                let _ = write!(out, "\n### {name}\n");
                shape(&mut out, definition);
            }
        }
    }
    out.push_str("\n## Shared shapes\n");
    for (name, (definition, _)) in shared.iter().filter(|(_, (_, uses))| *uses > 1) {
        let _ = write!(out, "\n### {name}\n");
        shape(&mut out, definition);
    }
    is_current("content.md", &out);
}

// Hook points --------------------------------------------------------------------------------------------------------

#[test]
fn hook_points() {
    if std::env::var_os("PRINCIPES_ONLY").is_some() {
        return;
    }
    let mut out = format!(
        "# Hook points\n\n{MADE}\n\nA *query* hook is `function(self, value, owner, …)` and returns the new value; an *effect* hook is \
         `function(self, owner, …)`. The table lists the arguments that replace the `…`. See [Hooks](../packs.md#hooks).\n"
    );
    let table = |out: &mut String, rows: Vec<(String, &str, String, String)>| {
        out.push_str("\n| point | kind | arguments | |\n| --- | --- | --- | --- |\n");
        for (id, kind, args, doc) in rows {
            let args = if args.is_empty() { String::new() } else { format!("`{args}`") };
            let _ = writeln!(out, "| `{id}` | {kind} | {args} | {} |", cell(&doc));
        }
    };
    out.push_str("\n## The kernel\n\nEvery game has these.\n");
    let kernel = KernelPoints::declare().1.into_iter().map(|point| {
        let kind = if point.kind == HookPointKind::Query { "query" } else { "effect" };
        (point.id, kind, point.args.join(", "), point.doc)
    });
    table(&mut out, kernel.collect());
    for path in common::pack_folders() {
        let options = principes_content::LoadOptions { until: Stage::Links, ..common::options() };
        let checked = check(&[folder(&path)], &options);
        let loaded = checked.loaded.unwrap();
        let pack = loaded.packs.last().unwrap();
        let id = pack.manifest.id.to_string();
        let own = loaded
            .entities
            .iter()
            .filter(|entity| entity.family == Family::Points && entity.packs.first() == Some(&id));
        let rows: Vec<_> = own
            .map(|entity| {
                let args: Vec<&str> =
                    entity.json["args"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let kind = if entity.json["kind"] == "query" { "query" } else { "effect" };
                (entity.id.clone(), kind, args.join(", "), text(&entity.json, "doc").to_owned())
            })
            .collect();
        if !rows.is_empty() {
            let _ = write!(out, "\n## {} (`{id}`)\n", pack.manifest.title);
            table(&mut out, rows);
        }
    }
    is_current("hooks.md", &out);
}

// The vocabulary of the base game -------------------------------------------------------------------------------------

/// The values of a prop, in a few words.
fn taken(prop: &principes_schemas::Prop) -> String {
    use principes_schemas::PropType;
    match prop.value {
        PropType::Keyword => prop.words.keys().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        PropType::Number => match (prop.min, prop.max) {
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("a whole number from {least}"),
            (None, Some(most)) => format!("a whole number up to {most}"),
            (None, None) => "a whole number".to_owned(),
        },
        other => other.wanted(),
    }
}

/// All entities of a family, with their ids and one field.
fn listed(out: &mut String, loaded: &principes_model::Loaded, family: Family, about: &[(&str, &str)]) {
    let heads: Vec<&str> = about.iter().map(|(_, head)| *head).collect();
    let _ = writeln!(out, "\n| id | {} |\n| --- |{}", heads.join(" | "), " --- |".repeat(heads.len()));
    for entity in loaded.entities.iter().filter(|entity| entity.family == family) {
        let value_of = |field: &str| match &entity.json[field] {
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`"));
                words.collect::<Vec<_>>().join(", ")
            }
            Value::String(word) if field != "doc" => format!("`{word}`"),
            Value::String(text) => cell(text),
            Value::Null => String::new(),
            other => format!("`{other}`"),
        };
        let cells: Vec<String> = about.iter().map(|(field, _)| value_of(field)).collect();
        let _ = writeln!(out, "| `{}` | {} |", entity.id, cells.join(" | "));
    }
}

#[test]
fn the_vocabulary_of_the_base_game() {
    use principes_schemas::PropOwner;
    let options = principes_content::LoadOptions { until: Stage::Links, ..common::options() };
    let loaded = check(&[folder(common::root().join("content/principes"))], &options).loaded.unwrap();
    let mut out = format!(
        "# The vocabulary of {}\n\n{MADE}\n\nWhat cards and scripts for the base game may say: card types and their \
         properties, zones, counters, decisions and hook points. [Props](../packs.md#props) says how a pack adds to it.\n",
        loaded.manifest.title
    );
    for of in PropOwner::ALL.iter().copied() {
        let mut name = of.name().to_owned();
        name[..1].make_ascii_uppercase();
        let _ = write!(out, "\n## {name}\n");
        let field = loaded.props.iter().find(|prop| prop.of == of && prop.is_field());
        if let Some(field) = field {
            let _ = writeln!(out, "\n| `{}` | |\n| --- | --- |", of.group());
            for (word, meaning) in field.words.iter() {
                let _ = writeln!(out, "| `{word}` | {} |", cell(meaning));
            }
        }
        let props: Vec<_> = loaded.props.iter().filter(|prop| prop.of == of && !prop.is_field()).collect();
        out.push_str("\n| of | key | takes | |\n| --- | --- | --- | --- |\n");
        for prop in &props {
            let whose: Vec<String> = prop.only.iter().map(|word| format!("`{word}`")).collect();
            let whose = if whose.is_empty() { "all".to_owned() } else { whose.join(", ") };
            let must = if prop.required { " (required)" } else { "" };
            let _ = writeln!(out, "| {whose} | `{}`{must} | {} | {} |", prop.key(), taken(prop), cell(&prop.doc));
        }
        for prop in props.iter().filter(|prop| !prop.words.is_empty()) {
            let _ = writeln!(out, "\n### `{}`\n", prop.id);
            for (word, meaning) in prop.words.iter() {
                let _ = writeln!(out, "- `{word}`: {meaning}");
            }
        }
    }
    out.push_str("\n## Zones\n");
    listed(&mut out, &loaded, Family::Zones, &[("scope", "scope"), ("visible", "visible to"), ("active", "active")]);
    out.push_str("\n## Counters\n");
    listed(
        &mut out,
        &loaded,
        Family::Counters,
        &[("scope", "scope"), ("min", "min"), ("max", "max"), ("holds", "holds")],
    );
    out.push_str("\n## Decisions\n");
    listed(&mut out, &loaded, Family::Decisions, &[("options", "options"), ("doc", "what is decided")]);
    out.push_str("\n## Hook points\n");
    listed(&mut out, &loaded, Family::Points, &[("kind", "kind"), ("args", "arguments"), ("doc", "when")]);
    is_current("vocabulary.md", &out);
}

// Findings --------------------------------------------------------------------------------------------------------
// Findings -----------------------------------------------------------------------------------------------------------

#[test]
fn findings() {
    let mut out = format!(
        "# Findings\n\n{MADE} `principes explain CODE` prints one of them.\n\nA code keeps its meaning forever. The first digits say what a \
         code is about: P00 files, P01 schemas, P02 ids and packs, P03 scripts, P04 the game, P05 pins, P06 texts, P07 scenarios, P08 \
         play.\n\n| code | | |\n| --- | --- | --- |\n"
    );
    for entry in EXPLANATIONS.iter() {
        let _ = writeln!(
            out,
            "| [{}](#{}) | {} | {} |",
            entry.code,
            entry.code.to_lowercase(),
            entry.severity.name(),
            cell(entry.title)
        );
    }
    for entry in EXPLANATIONS.iter() {
        let _ = write!(
            out,
            "\n## {}\n\n{} ({}).\n\n{}\n",
            entry.code,
            sentence(entry.title),
            entry.severity.name(),
            entry.text
        );
        if !entry.broken.is_empty() {
            let example = |text: &str| text.trim_end().to_owned();
            let _ = write!(
                out,
                "\nWrong:\n\n```text\n{}\n```\n\nRight:\n\n```text\n{}\n```\n",
                example(&entry.broken),
                example(&entry.fixed)
            );
        }
    }
    is_current("findings.md", &out);
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
