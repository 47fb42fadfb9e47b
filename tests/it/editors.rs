//! What `principes new` and `principes schema --vscode PATH` set up for editors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::common::program::{Place, code, errors};
use serde_json::Value;

/// Runs the program, which must succeed, and returns its messages.
fn fine(place: &Place, args: &[&str]) -> String {
    let output = place.run(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", errors(&output));
    errors(&output)
}

fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else {
            found.insert(path.clone(), std::fs::read_to_string(&path).unwrap());
        }
    }
    found
}

/// Whether patterns apply to a file, as editors read them: the last match counts, and `!` excludes the file.
fn binds(patterns: &[String], name: &str) -> bool {
    let path = format!("/{name}");
    let last = patterns.iter().rfind(|pattern| fits(pattern.trim_start_matches("!**"), &path));
    last.is_some_and(|pattern| !pattern.starts_with('!'))
}

/// Whether a pattern with `*`, `**` and `[a-z]` matches the end of a path after a `/`.
fn fits(pattern: &str, path: &str) -> bool {
    fn here(pattern: &[u8], text: &[u8]) -> bool {
        match pattern {
            [] => text.is_empty(),
            [b'*', b'*', b'/', rest @ ..] => {
                here(rest, text) || (0..text.len()).any(|at| text[at] == b'/' && here(rest, &text[at + 1..]))
            }
            [b'*', b'*', rest @ ..] => (0..=text.len()).any(|at| here(rest, &text[at..])),
            [b'*', rest @ ..] => {
                let part = text.iter().position(|byte| *byte == b'/').unwrap_or(text.len());
                (0..=part).any(|at| here(rest, &text[at..]))
            }
            [b'[', b'a', b'-', b'z', b']', rest @ ..] => {
                text.first().is_some_and(u8::is_ascii_lowercase) && here(rest, &text[1..])
            }
            [byte, rest @ ..] => text.first() == Some(byte) && here(rest, &text[1..]),
        }
    }
    let pattern = pattern.trim_start_matches("**").as_bytes();
    (0..path.len()).any(|at| path.as_bytes()[at] == b'/' && here(pattern, &path.as_bytes()[at..]))
}

#[test]
fn a_new_pack_is_set_up_for_editors() {
    let place = Place::new();
    for kind in ["expansion", "cards", "map", "game"] {
        fine(&place, &["new", kind, "--kind", kind]);
        let settings: Value = serde_json::from_str(&place.read(&format!("{kind}/.vscode/settings.json"))).unwrap();
        let bindings = settings["json.schemas"].as_array().unwrap();
        let mut patterns = Vec::new();
        for binding in bindings {
            let url = binding["url"].as_str().unwrap();
            assert!(url.starts_with("./"), "{url}");
            let _: Value = serde_json::from_str(&place.read(&format!("{kind}/{url}"))).unwrap();
            let files = binding["fileMatch"].as_array().unwrap().iter();
            patterns.push(files.map(|one| one.as_str().unwrap().to_owned()).collect::<Vec<String>>());
        }
        let root = place.file(kind);
        for path in files(&root).into_keys().filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            let _: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            if !name.starts_with('.') {
                let binds = |files: &&Vec<String>| binds(files, &name);
                assert_eq!(patterns.iter().filter(binds).count(), 1, "{kind}/{name}");
            }
        }
        let luarc: Value = serde_json::from_str(&place.read(&format!("{kind}/.luarc.json"))).unwrap();
        let library = luarc["workspace"]["library"][0].as_str().unwrap();
        assert!(place.read(&format!("{kind}/{library}/principes.d.lua")).starts_with("---@meta"));
    }
}

#[test]
fn stubs_have_the_names_of_the_pack_and_follow_them() {
    let place = Place::new();
    fine(&place, &["new", "hills", "--kind", "game"]);
    let stub = || place.read("hills/.vscode/principes/principes.d.lua");
    assert!(stub().contains("---@field wool CounterOfNumber") && stub().contains("function add("), "{}", stub());
    fine(&place, &["new", "gifts", "--kind", "cards"]);
    let gifts = place.read("gifts/.vscode/principes/principes.d.lua");
    assert!(gifts.contains("---@class SelfOfCard_"), "its own cards");
    assert!(gifts.contains("---@field gold CounterOfNumber"), "what the base game has");

    let before = files(place.path());
    let output_text = fine(&place, &["schema", "--vscode", "hills"]);
    assert!(output_text.contains("already"), "{output_text}");
    assert_eq!(files(place.path()), before);

    let counters = place.read("hills/counters.json").replace("\"wool\"", "\"felt\"");
    std::fs::write(place.file("hills/counters.json"), counters).unwrap();
    assert!(fine(&place, &["schema", "--vscode", "hills"]).contains(" files for editors "));
    let schema = place.read("hills/.vscode/principes/schemas/content.schema.json");
    // A symbol of the program has the name of the old counter.
    assert!(schema.contains("\"felt\"") && schema.matches("\"wool\"").count() == 1, "ids are offered");
    assert!(stub().contains("---@field felt CounterOfNumber") && !stub().contains("---@field wool "), "{}", stub());

    // If the manifest cannot be read, the functions are still there.
    std::fs::write(place.file("hills/pack.json"), "{").unwrap();
    assert!(fine(&place, &["schema", "--vscode", "hills"]).contains("cannot be read"));
    assert!(stub().contains("function add("));
}

#[test]
fn patches_offer_the_ids_of_the_family_that_they_change() {
    let place = Place::new();
    fine(&place, &["new", "gifts", "--kind", "cards"]);
    for name in ["patches", "content"] {
        let schema = place.read(&format!("gifts/.vscode/principes/schemas/{name}.schema.json"));
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let rules = schema["$defs"]["Patch"]["allOf"].as_array().unwrap();
        let offered = |family: &str| -> Vec<&str> {
            let rule = rules.iter().find(|rule| rule["if"]["properties"]["of"]["const"] == family);
            let ids = &rule.unwrap()["then"]["properties"]["id"]["anyOf"][0]["enum"];
            ids.as_array().unwrap().iter().filter_map(Value::as_str).collect()
        };
        assert!(offered("cards").contains(&"heir") && !offered("cards").contains(&"cracovia"), "{name}");
        assert!(offered("cards").contains(&"progress-masovia"), "the cards of a series are there: {name}");
        assert!(offered("spaces").contains(&"cracovia") && offered("phases").contains(&"setup"), "{name}");
        let fits = |patch: Value| jsonschema::is_valid(&schema, &serde_json::json!({ "patches": [patch] }));
        // The ids of packs that are not there yet are fine.
        assert!(fits(serde_json::json!({"of": "cards", "id": "heir", "set": {"copies": 2}})), "{name}");
        assert!(fits(serde_json::json!({"of": "cards", "id": "new", "remove": true})), "{name}");
        assert!(!fits(serde_json::json!({"of": "cards", "id": "heir"})), "{name}");
    }
}

#[test]
fn series_are_checked_in_editors() {
    let place = Place::new();
    fine(&place, &["new", "gifts", "--kind", "cards"]);
    let schema = place.read("gifts/.vscode/principes/schemas/cards.schema.json");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let fits = |each: &str, props: &str| {
        let text = format!(
            r#"{{"cards": [{{"id": "x-{{n}}", {each} "type": "court", "zone": "hand", "params": {{"gold": "{{n}}"}},
                "props": {props}}}]}}"#
        );
        jsonschema::is_valid(&schema, &serde_json::from_str(&text).unwrap())
    };
    let each = r#""each": [{"name": "n", "values": [1, 2]}],"#;
    assert!(fits(each, r#"{"timing": "{n}", "symbol": "people"}"#));
    assert!(!fits("", r#"{"timing": "{n}", "symbol": "people"}"#), "placeholders need `each`");
    assert!(!fits(each, r#"{"timing": "trun", "symbol": "people"}"#));
    assert!(!fits(r#""each": [{"name": "n"}],"#, r#"{"timing": "turn", "symbol": "people"}"#));
}

#[test]
fn settings_with_a_byte_order_mark_are_read() {
    let place = Place::new();
    fine(&place, &["new", "hills", "--kind", "game"]);
    for file in ["hills/.vscode/settings.json", "hills/.vscode/extensions.json", "hills/.luarc.json"] {
        place.write(file, &format!("\u{feff}{}", place.read(file)));
        let done = place.run(&["schema", "--vscode", "hills"]);
        assert_eq!(code(&done), 0, "{file}: {}", errors(&done));
        assert!(!place.read(file).starts_with('\u{feff}'), "{file}");
    }
}

#[test]
fn settings_of_the_author_are_kept_or_nothing_is_written() {
    let place = Place::new();
    fine(&place, &["new", "hills", "--kind", "game"]);
    let path = place.file("hills/.vscode/settings.json");
    std::fs::write(&path, "{\n  // mine\n  \"editor.tabSize\": 2,\n}\n").unwrap();
    fine(&place, &["schema", "--vscode", "hills"]);
    let settings = place.read("hills/.vscode/settings.json");
    assert!(settings.contains("// mine") && settings.contains("\"editor.tabSize\": 2"), "{settings}");
    assert!(settings.contains("./.vscode/principes/schemas/content.schema.json"), "{settings}");
    fine(&place, &["schema", "--vscode", "hills"]);
    assert_eq!(place.read("hills/.vscode/settings.json"), settings);

    std::fs::remove_file(place.file("hills/.luarc.json")).unwrap();
    let before = files(place.path());
    for bad in ["{ \"json.schemas\": 1 }", "{ \"a\": "] {
        std::fs::write(&path, bad).unwrap();
        let refused = place.run(&["schema", "--vscode", "hills"]);
        let output_text = errors(&refused);
        assert_eq!(code(&refused), 2, "{output_text}");
        assert!(output_text.contains("hills/.vscode/settings.json"), "{output_text}");
        assert_eq!(place.read("hills/.vscode/settings.json"), bad);
        assert_eq!(files(place.path()).len(), before.len());
    }
    for args in [&["schema", "--vscode", "nowhere"][..], &["schema", "--out", "schemas", "--vscode", "hills"]] {
        assert_eq!(code(&place.run(args)), 2, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    let place = Place::new();
    fine(&place, &["new", "hills", "--kind", "game"]);
    std::fs::remove_dir_all(place.file("hills/.vscode")).unwrap();
    std::fs::create_dir(place.file("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.file("elsewhere"), place.file("hills/.vscode")).unwrap();
    let refused = place.run(&["schema", "--vscode", "hills"]);
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("is a link"));
    assert!(files(&place.file("elsewhere")).is_empty());
}
