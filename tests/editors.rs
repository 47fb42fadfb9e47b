//! What `principes new` and `principes schema --vscode PATH` set up for editors.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use program::{Place, code, errors};
use serde_json::Value;

/// Runs the program, which is to succeed, and gives its messages.
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
            patterns.extend(binding["fileMatch"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()));
        }
        let root = place.file(kind);
        for path in files(&root).into_keys().filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            let _: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            // `**/folder/**/*.json`, `**/folder/name*.json`, `**/name.json`
            let binds = |pattern: &&&str| {
                let start = pattern.trim_start_matches("**/").split('*').next().unwrap();
                name.starts_with(start)
            };
            if !name.starts_with('.') {
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
    let told = fine(&place, &["schema", "--vscode", "hills"]);
    assert!(told.contains("already"), "{told}");
    assert_eq!(files(place.path()), before);

    let counters = place.read("hills/counters/counters.json").replace("\"wool\"", "\"felt\"");
    std::fs::write(place.file("hills/counters/counters.json"), counters).unwrap();
    assert!(fine(&place, &["schema", "--vscode", "hills"]).starts_with("1 file "));
    assert!(stub().contains("---@field felt CounterOfNumber") && !stub().contains("---@field wool "), "{}", stub());

    // A manifest that cannot be read leaves the functions.
    std::fs::write(place.file("hills/pack.json"), "{").unwrap();
    assert!(fine(&place, &["schema", "--vscode", "hills"]).contains("cannot be read"));
    assert!(stub().contains("function add("));
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
    assert!(settings.contains("./.vscode/principes/schemas/cards.schema.json"), "{settings}");
    fine(&place, &["schema", "--vscode", "hills"]);
    assert_eq!(place.read("hills/.vscode/settings.json"), settings);

    std::fs::remove_file(place.file("hills/.luarc.json")).unwrap();
    let before = files(place.path());
    for bad in ["{ \"json.schemas\": 1 }", "{ \"a\": "] {
        std::fs::write(&path, bad).unwrap();
        let refused = place.run(&["schema", "--vscode", "hills"]);
        let told = errors(&refused);
        assert_eq!(code(&refused), 2, "{told}");
        assert!(told.contains("hills/.vscode/settings.json"), "{told}");
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
