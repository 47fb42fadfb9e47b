//! Hooks that change a value without a script.

use std::sync::Arc;

use principes_content::{LoadOptions, check};
use principes_source::MemoryPack;

/// The findings in a small game with one rule: code, and the suggestion or message.
fn findings(hooks: &str) -> Vec<(String, String)> {
    let rule =
        format!(r#"{{"rules": [{{"id": "mint", "faction": "red", "params": {{"gold": 2}}, "hooks": {hooks}}}]}}"#);
    let pack = MemoryPack::new("p")
        .with("pack.json", r#"{"format": 1, "id": "p", "version": "1.0.0", "api": 1, "title": "P", "kind": "game", "seats": {"min": 1, "max": 1}}"#)
        .with("factions.json", r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"}]}"#)
        .with("spaces.json", r#"{"spaces": [{"id": "hill", "kind": "land", "at": [0, 0]}]}"#)
        .with("points.json", r#"{"points": [{"id": "income", "kind": "query", "args": ["seat"], "doc": "Gold of a seat."},
            {"id": "tide", "kind": "query", "doc": "How high the water stands."},
            {"id": "paid", "kind": "effect", "args": ["seat"], "doc": "Taxes are paid."}]}"#)
        .with("rules.json", rule)
        .with("procedures.json", r#"{"procedures": [{"id": "control"}]}"#)
        .with("phases.json", r#"{"phases": [{"id": "setup", "run": "p.setup"}]}"#)
        .with(
            "scripts/p.lua",
            "local M = {}\nfunction M.setup()\nlog(\"told\", query(\"income\", 1, faction.red) + query(\"tide\", 0))\n\
             trigger(\"paid\", faction.red)\nend\nreturn M\n",
        );
    let checked = check(&[Arc::new(pack)], &LoadOptions { search: Vec::new(), ..LoadOptions::default() });
    let errors = checked.findings.iter().filter(|finding| finding.is_error());
    let at_hooks = errors.filter(|finding| finding.file.ends_with("rules.json"));
    at_hooks
        .map(|finding| (finding.code.to_string(), finding.help.clone().unwrap_or(finding.message.clone())))
        .collect()
}

#[test]
fn a_change_says_what_it_does_to_a_value_that_there_is() {
    assert_eq!(findings(r#"{"income": {"add": "gold", "for": "owner"}, "tide": {"times": 2, "least": 1}}"#), []);
    let one = |code: &str, says: &str| vec![(code.to_owned(), says.to_owned())];
    assert_eq!(findings(r#"{"income": {"add": "glod"}}"#), one("P0202", "did you mean `gold`?"));
    assert_eq!(findings(r#"{"paid": {"add": 1}}"#), one("P0109", "name a script function: `module.function`"));
    assert_eq!(findings(r#"{"tide": {"add": 1, "for": "owner"}}"#), one("P0109", "omit `for`"));
    let nothing = one("P0109", "use `set`, `add`, `subtract` or another change");
    assert_eq!(findings(r#"{"tide": {"priority": 1}}"#), nothing);
    assert!(!findings(r#"{"income": {"ad": 1}}"#).is_empty());
}
