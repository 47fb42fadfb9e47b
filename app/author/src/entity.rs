//! Entities of packs as authors see them: hooks, values, everything that packs say about one.

mod whole;

use principes_app::packs::OpenPacks;
use principes_core::HookId;
use principes_core::catalog::Listener;
use principes_model::EntityInfo;
use serde_json::Value as Json;

pub use self::whole::{CardText, Excerpt, LabeledValue, ScenarioResult, WholeEntity};

/// The hooks of an entity: the hook point, and the function with its file.
pub fn hooks(packs: &OpenPacks, entity: &EntityInfo) -> Vec<(String, String)> {
    let catalog = &packs.catalog;
    let name = |hook: HookId| {
        let spec = &catalog.hooks[hook.index()];
        if let Some(change) = &spec.change {
            return change.to_string();
        }
        let script = packs.loaded.scripts.iter().find(|script| script.module == spec.module);
        let file = script.map_or_else(|| spec.module.clone(), |script| script.path.clone());
        let line = script
            .and_then(|script| line_of(&script.text, &spec.function))
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        format!("{file}{line}: {}", spec.function)
    };
    let own = listeners(packs, entity);
    own.iter().map(|listener| (catalog.points[listener.point.index()].id.clone(), name(listener.hook))).collect()
}

/// The listeners of an entity.
fn listeners<'p>(packs: &'p OpenPacks, entity: &EntityInfo) -> &'p [Listener] {
    let catalog = &packs.catalog;
    match entity.family.key() {
        "cards" => catalog.design(&entity.id).map_or(&[], |id| &catalog.designs[id.index()].listeners),
        "rules" => catalog.rule(&entity.id).map_or(&[], |id| &catalog.rules[id.index()].listeners),
        _ => &[],
    }
}

/// The line on which a module defines a function.
fn line_of(text: &str, function: &str) -> Option<usize> {
    let defines = |line: &str| {
        let Some(at) = line.find(function) else { return false };
        let (before, after) = (&line[..at], &line[at + function.len()..]);
        let own_word =
            !after.starts_with(|c: char| c.is_alphanumeric() || c == '_') && before.ends_with(['.', ' ', ':']);
        own_word && (before.contains("function") || after.trim_start().starts_with("= function"))
    };
    text.lines().position(defines).map(|at| at + 1)
}

/// JSON on one line, for people.
pub fn flat(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(list) if list.iter().any(Json::is_object) => list.iter().map(flat).collect::<Vec<_>>().join("; "),
        Json::Array(list) => list.iter().map(flat).collect::<Vec<_>>().join(", "),
        Json::Object(map) => {
            map.iter().map(|(key, value)| format!("{key} {}", flat(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// The most weights of a trained player that are shown.
const MOST_WEIGHTS: usize = 12;

/// What a trained player has learned, on one line: the number of weights, and the greatest ones.
pub fn weights(learned: &Json) -> String {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), learned)];
    while let Some((name, value)) = open.pop() {
        match value {
            Json::Object(map) => open.extend(map.iter().map(|(key, value)| {
                let name = if name.is_empty() { key.clone() } else { format!("{name} {key}") };
                (name, value)
            })),
            other => {
                let numbers = other.as_array().map_or(std::slice::from_ref(other), Vec::as_slice);
                let most = numbers.iter().filter_map(Json::as_i64).map(i64::abs).max().unwrap_or(0);
                all.push((most, format!("{name} {}", flat(other))));
            }
        }
    }
    all.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let first: Vec<&str> = all.iter().take(MOST_WEIGHTS).map(|(_, name)| name.as_str()).collect();
    let rest = if all.len() > first.len() { ", …" } else { "" };
    format!("{} weights, the greatest first: {}{rest}", all.len(), first.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_weights_come_first() {
        let learned = serde_json::json!({ "march": { "value to": { "space:hill 0": -900, "space:lake 0": 20 } }, "gold": [3, 40] });
        let shown = "3 weights, the greatest first: march value to space:hill 0 -900; gold 3, 40; march value to space:lake 0 20";
        assert_eq!(weights(&learned), shown);
    }

    #[test]
    fn the_line_of_a_function_is_found() {
        let text = "local M = {}\nfunction M.play(self)\nend\nM.other = function() end\nM.playful()\n";
        assert_eq!(line_of(text, "play"), Some(2));
        assert_eq!(line_of(text, "other"), Some(4));
        assert_eq!(line_of(text, "none"), None);
    }
}
