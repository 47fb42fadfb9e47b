//! What `principes new` and `principes schema --vscode PATH` set up for editors.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own, gone at the end.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_principes"));
        command.args(args).current_dir(self.0.path()).env_remove("PRINCIPES_PATH").output().unwrap()
    }

    fn fine(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
        told
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
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
        place.fine(&["new", kind, "--kind", kind]);
        let settings: Value = serde_json::from_str(&place.read(&format!("{kind}/.vscode/settings.json"))).unwrap();
        let bindings = settings["json.schemas"].as_array().unwrap();
        let mut patterns = Vec::new();
        for binding in bindings {
            let url = binding["url"].as_str().unwrap();
            assert!(url.starts_with("./"), "{url}");
            let _: Value = serde_json::from_str(&place.read(&format!("{kind}/{url}"))).unwrap();
            patterns.extend(binding["fileMatch"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()));
        }
        let root = place.0.path().join(kind);
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
        // Scripts of the pack are all there are: what editors read is none of them.
        place.fine(&["check", kind, "--deny", "warnings"]);
        place.fine(&["test", kind]);
    }
}

#[test]
fn stubs_have_the_names_of_the_pack_and_follow_them() {
    let place = Place::new();
    place.fine(&["new", "hills", "--kind", "game"]);
    let stub = || place.read("hills/.vscode/principes/principes.d.lua");
    assert!(stub().contains("---@field wool Counter") && stub().contains("function add("), "{}", stub());
    place.fine(&["new", "gifts", "--kind", "cards"]);
    let gifts = place.read("gifts/.vscode/principes/principes.d.lua");
    assert!(gifts.contains("---@class SelfOfCard_"), "its own cards");
    assert!(gifts.contains("---@field gold Counter"), "what the base game has");

    let before = files(place.0.path());
    let told = place.fine(&["schema", "--vscode", "hills"]);
    assert!(told.contains("already"), "{told}");
    assert_eq!(files(place.0.path()), before);

    let counters = place.read("hills/counters/counters.json").replace("\"wool\"", "\"felt\"");
    std::fs::write(place.0.path().join("hills/counters/counters.json"), counters).unwrap();
    assert!(place.fine(&["schema", "--vscode", "hills"]).starts_with("1 file "));
    assert!(stub().contains("---@field felt Counter") && !stub().contains("---@field wool "), "{}", stub());

    // A manifest that cannot be read leaves the functions.
    std::fs::write(place.0.path().join("hills/pack.json"), "{").unwrap();
    assert!(place.fine(&["schema", "--vscode", "hills"]).contains("cannot be read"));
    assert!(stub().contains("function add("));
}

#[test]
fn settings_of_the_author_are_kept_or_nothing_is_written() {
    let place = Place::new();
    place.fine(&["new", "hills", "--kind", "game"]);
    let path = place.0.path().join("hills/.vscode/settings.json");
    std::fs::write(&path, "{\n  // mine\n  \"editor.tabSize\": 2,\n}\n").unwrap();
    place.fine(&["schema", "--vscode", "hills"]);
    let settings = place.read("hills/.vscode/settings.json");
    assert!(settings.contains("// mine") && settings.contains("\"editor.tabSize\": 2"), "{settings}");
    assert!(settings.contains("./.vscode/principes/schemas/cards.schema.json"), "{settings}");
    place.fine(&["schema", "--vscode", "hills"]);
    assert_eq!(place.read("hills/.vscode/settings.json"), settings);

    std::fs::remove_file(place.0.path().join("hills/.luarc.json")).unwrap();
    let before = files(place.0.path());
    for bad in ["{ \"json.schemas\": 1 }", "{ \"a\": "] {
        std::fs::write(&path, bad).unwrap();
        let refused = place.run(&["schema", "--vscode", "hills"]);
        let told = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(told.contains("hills/.vscode/settings.json"), "{told}");
        assert_eq!(place.read("hills/.vscode/settings.json"), bad);
        assert_eq!(files(place.0.path()).len(), before.len());
    }
    for args in [&["schema", "--vscode", "nowhere"][..], &["schema", "--out", "schemas", "--vscode", "hills"]] {
        assert_eq!(place.run(args).status.code(), Some(2), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    let place = Place::new();
    place.fine(&["new", "hills", "--kind", "game"]);
    std::fs::remove_dir_all(place.0.path().join("hills/.vscode")).unwrap();
    std::fs::create_dir(place.0.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.0.path().join("elsewhere"), place.0.path().join("hills/.vscode")).unwrap();
    let refused = place.run(&["schema", "--vscode", "hills"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("is a link"));
    assert!(files(&place.0.path().join("elsewhere")).is_empty());
}
