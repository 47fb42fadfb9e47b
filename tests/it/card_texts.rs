//! The doc comment above a hook of the base game is the title and English text of its card, with params as `{param}`.
//! It tells the reader of the script what the hook must do, and the two cannot diverge.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn base_game() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("content/principes")
}

/// The JSON files of a folder, however deep, by path.
fn documents(folder: &Path) -> Vec<(PathBuf, Value)> {
    let mut found = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(documents(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            found.push((path, value));
        }
    }
    found
}

/// The functions that the hooks of a card or rule name.
fn functions(entity: &Value) -> Vec<&str> {
    let hooks = entity["hooks"].as_object().into_iter().flatten();
    hooks.filter_map(|(_, hook)| hook.as_str().or(hook["run"].as_str())).collect()
}

/// The text of a message; of several plural forms, `other`.
fn text(messages: &BTreeMap<String, Value>, key: &str) -> Option<String> {
    let message = messages.get(key)?;
    message.as_str().or(message["other"].as_str()).map(str::to_owned)
}

/// Line of a function in a module, and the doc comment above it in one line.
fn documented(module: &str, function: &str) -> (usize, String) {
    let path = base_game().join(format!("{module}.lua"));
    let script = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = script.lines().collect();
    let opens = format!("function M.{function}(");
    let at = lines.iter().position(|line| line.starts_with(&opens)).unwrap_or_else(|| panic!("{module}.{function}"));
    let mut comment: Vec<&str> = lines[..at].iter().rev().map_while(|line| line.strip_prefix("--- ")).collect();
    comment.reverse();
    (at, comment.join(" "))
}

#[test]
fn doc_comments_of_hooks_are_what_the_cards_say() {
    let mut messages = BTreeMap::new();
    let documents = documents(&base_game());
    for (_, document) in documents.iter().filter(|(path, _)| path.to_string_lossy().ends_with(".en.json")) {
        messages.extend(document["messages"].as_object().unwrap().clone());
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for (family, prefix) in [("cards", "card"), ("rules", "rule")] {
        for (_, document) in &documents {
            for entity in document[family].as_array().into_iter().flatten() {
                let key = format!("{prefix}.{}", entity["id"].as_str().unwrap());
                let places = functions(entity).into_iter().map(|name| {
                    let (module, function) = name.rsplit_once('.').unwrap();
                    (module, documented(module, function))
                });
                // The text is above the first hook.
                let Some((module, (_, comment))) = places.min_by_key(|(_, (line, _))| *line) else { continue };
                let (title, says) = (text(&messages, &format!("{key}.title")), text(&messages, &format!("{key}.text")));
                let expected = format!("{}: {}", title.unwrap_or_default(), says.unwrap_or_default());
                compared += 1;
                if comment != expected {
                    wrong.push(format!("{module}, {key}\n  says    {comment}\n  must be {expected}"));
                }
            }
        }
    }
    assert!(compared > 80, "only {compared} hooks were compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
