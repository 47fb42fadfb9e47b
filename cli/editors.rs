//! Sets up editors for a pack: writes JSON Schemas, type stubs with the pack's names, and settings into its folder.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use principes_app::storage::{Disk, FileSet, link_below, refuse_special};
use principes_content::editor_schema::{declared, narrowed};
use principes_content::{Stage, script_names};
use principes_source::PackSource;
use serde_json::{Value, json};

use crate::packs;

/// File patterns and the schemas for them, in agreement with the roles that the program gives files. The last matching
/// pattern wins; `!` excludes files.
const NAMES: [(&str, &[&str]); 4] = [
    ("pack", &["**/pack.json"]),
    ("messages", &MESSAGES),
    ("scenarios", &SCENARIOS),
    (
        "content",
        &[
            "**/*.json",
            "!**/pack.json",
            "!**/package.json",
            "!**/package-lock.json",
            "!**/tsconfig.json",
            "!**/.*/**",
            "!**/.*",
            "!**/assets/**",
            "!**/locale/**",
            "!**/*.[a-z][a-z].json",
            "!**/*.[a-z][a-z][a-z].json",
            "!**/*.[a-z][a-z]-*.json",
            "!**/scenarios/**",
            "!**/*.scenarios.json",
        ],
    ),
];
const MESSAGES: [&str; 4] =
    ["**/locale/**/*.json", "**/*.[a-z][a-z].json", "**/*.[a-z][a-z][a-z].json", "**/*.[a-z][a-z]-*.json"];
const SCENARIOS: [&str; 2] = ["**/scenarios/**/*.json", "**/*.scenarios.json"];

/// The folder, inside the pack, for generated files. They are overwritten.
const GENERATED: &str = ".vscode/principes";

/// The recommended extension. It reads the stubs, as do others that support `.luarc.json`.
const LUA_EXTENSION: &str = "tangzhang.emmylua";

/// The value of `json.schemas` for schema files in a folder. The folder is relative to the workspace.
pub fn bindings(folder: &str) -> Value {
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let binding = |(name, files): &(&str, &[&str])| json!({ "fileMatch": files, "url": format!("./{folder}/{name}.schema.json") });
    NAMES.iter().map(binding).collect()
}

/// The result of [`write()`].
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The number of files that are new or changed.
    pub files: usize,
    /// Whether the stubs contain the names of the pack. False if the pack could not be read.
    pub has_names: bool,
}

/// Writes schemas, stubs and settings into the folder of a pack. Existing settings are kept. If they cannot be combined
/// with the new ones, nothing is written.
pub fn write(pack: &Path) -> Result<Written> {
    if !pack.join("pack.json").is_file() {
        bail!("`{}` has no pack.json", pack.display());
    }
    let (mut files, has_names) = generated(&packs::source(pack)?);
    for (file, wanted) in settings() {
        let text = settled(&pack.join(&file), &wanted)?;
        files.push((file, text));
    }
    for (file, _) in &files {
        refuse_links(pack, file)?;
    }
    let mut set = FileSet::begin(&Disk, pack)?;
    for (file, text) in &files {
        let path = pack.join(file);
        if std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            continue;
        }
        set.add(Path::new(file), text.as_bytes())?;
    }
    Ok(Written { files: set.finish()?, has_names })
}

/// The files for a pack that has none of them yet, by their paths in it.
pub fn first_files(pack: &Arc<dyn PackSource>) -> Vec<(String, String)> {
    let settings = settings().into_iter().map(|(file, wanted)| (file, principes_schemas::print(&wanted)));
    generated(pack).0.into_iter().chain(settings).collect()
}

/// Schemas and stubs with the names of a pack, and whether these could be read.
fn generated(pack: &Arc<dyn PackSource>) -> (Vec<(String, String)>, bool) {
    let (packs, options) = ([Arc::clone(pack)], packs::options(None, Stage::Links));
    let names = script_names(&packs, &options);
    let stub = match &names {
        Some(names) => principes_scripting::api::pack_stub(names),
        None => principes_scripting::api::lua_stub(),
    };
    let mut files = vec![(format!("{GENERATED}/principes.d.lua"), stub)];
    let declared = declared(&packs, &options);
    for (name, schema) in principes_schemas::all() {
        let schema = narrowed(name, schema, &declared);
        files.push((format!("{GENERATED}/schemas/{name}.schema.json"), principes_schemas::print(&schema)));
    }
    (files, names.is_some())
}

/// Files that the author may edit too, and the settings they must contain.
fn settings() -> [(String, Value); 3] {
    [
        (".vscode/settings.json".to_owned(), json!({ "json.schemas": bindings(&format!("{GENERATED}/schemas")) })),
        (".vscode/extensions.json".to_owned(), json!({ "recommendations": [LUA_EXTENSION] })),
        (
            ".luarc.json".to_owned(),
            json!({
                "runtime": { "version": "Lua 5.1" },
                "workspace": { "library": [GENERATED], "checkThirdParty": false },
            }),
        ),
    ]
}

/// Refuses links above a file, and the file if it is one.
fn refuse_links(pack: &Path, file: &str) -> Result<()> {
    let path = pack.join(file);
    Ok(link_below(pack, &path).map_or(Ok(()), refuse_special)?)
}

/// The text of a settings file with the wanted settings added. Comments, order and existing values stay.
fn settled(path: &Path, wanted: &Value) -> Result<String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) if !text.trim().is_empty() => text,
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
        _ => return Ok(principes_schemas::print(wanted)),
    };
    // Some editors write a byte order mark, which no parser of JSON must accept.
    let merged = merged(text.strip_prefix('\u{feff}').unwrap_or(&text), wanted);
    merged.with_context(|| format!("cannot add to `{}`; fix or move it, then try again", path.display()))
}

fn merged(text: &str, wanted: &Value) -> Result<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default())?;
    let Some(object) = root.object_value() else { bail!("expected an object") };
    merge_object(&object, wanted)?;
    Ok(root.to_string())
}

fn merge_object(object: &CstObject, wanted: &Value) -> Result<()> {
    for (key, value) in wanted.as_object().into_iter().flatten() {
        // VS Code reads `"a": { "b": … }` and `"a.b": …` as the same setting.
        let mut rest = value.clone();
        if let Some(inner) = rest.as_object_mut() {
            for (sub, value) in value.as_object().into_iter().flatten() {
                if let Some(there) = object.get(&format!("{key}.{sub}")).and_then(|there| there.value()) {
                    merge_value(&there, value).with_context(|| format!("`{key}.{sub}`"))?;
                    inner.remove(sub);
                }
            }
            if inner.is_empty() {
                continue;
            }
        }
        match object.get(key).and_then(|there| there.value()) {
            Some(there) => merge_value(&there, &rest).with_context(|| format!("`{key}`"))?,
            None => drop(object.append(key, input(&rest))),
        }
    }
    Ok(())
}

fn merge_value(there: &CstNode, wanted: &Value) -> Result<()> {
    match wanted {
        Value::Object(_) => merge_object(&there.as_object().context("expected an object")?, wanted),
        Value::Array(list) => merge_array(&there.as_array().context("expected a list")?, list),
        // The author's value wins.
        _ => Ok(()),
    }
}

fn merge_array(array: &CstArray, wanted: &[Value]) -> Result<()> {
    for value in wanted {
        // A schema binding is identified by its URL.
        let same = |there: &CstNode| match (value.as_str(), there.as_object(), value.get("url")) {
            (Some(word), ..) => is_word(there, word),
            (_, Some(there), Some(url)) => {
                let bound = there.get("url").and_then(|bound| bound.value());
                bound.is_some_and(|bound| url.as_str().is_some_and(|url| is_word(&bound, url)))
            }
            _ => false,
        };
        match array.elements().iter().find(|there| same(there)) {
            Some(there) => merge_value(there, value)?,
            None => drop(array.append(input(value))),
        }
    }
    Ok(())
}

fn is_word(node: &CstNode, word: &str) -> bool {
    node.as_string_lit().and_then(|text| text.decoded_value().ok()).is_some_and(|text| text == word)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_schema_exists() {
        let all = principes_schemas::all();
        for (name, _) in NAMES {
            assert!(all.iter().any(|(schema, _)| *schema == name), "{name}");
        }
    }

    #[test]
    fn files_with_a_separate_schema_are_excluded_from_the_common_one() {
        let taken = |pattern: &str| NAMES[3].1.contains(&format!("!{pattern}").replace("/**/*.json", "/**").as_str());
        for pattern in NAMES[..3].iter().flat_map(|(_, files)| files.iter()) {
            assert!(taken(pattern), "{pattern}");
        }
    }

    #[test]
    fn new_settings_are_added_and_old_ones_kept() {
        let wanted = json!({ "a": { "b": ["x"], "c": false }, "l": [{ "fileMatch": ["1"], "url": "u" }] });
        let old = "{\n  // mine\n  \"a.b\": [\"y\"],\n  \"l\": [{ \"url\": \"u\", \"fileMatch\": [\"0\"] }],\n  \"z\": 1,\n}\n";
        let new = merged(old, &wanted).expect("the settings can be merged");
        assert!(new.contains("// mine") && new.contains("\"z\": 1"), "{new}");
        assert!(new.contains("\"a.b\": [\"y\", \"x\"]") && new.contains("\"c\": false"), "{new}");
        assert!(new.contains("\"fileMatch\": [\"0\", \"1\"]"), "{new}");
        assert_eq!(merged(&new, &wanted).expect("the settings can be merged again"), new);
        let chosen = merged("{\"a\": {\"c\": true, \"b\": []}}", &wanted).expect("the settings can be merged");
        assert!(chosen.contains("\"c\": true"), "{chosen}");
        for bad in ["[]", "{", "{\"a\": 1}", "{\"l\": {}}"] {
            assert!(merged(bad, &wanted).is_err(), "{bad}");
        }
    }
}
