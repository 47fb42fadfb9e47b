//! What cards declare with `may`.

use std::sync::Arc;

use principes_content::{LoadOptions, check};
use principes_findings::Finding;
use principes_findings::print_human;
use principes_scenarios::findings::of_result;
use principes_scenarios::run_all;
use principes_source::MemoryPack;

/// A small game with one card, which has a declaration and a script, and a rule that reacts to it.
fn findings(may: &str, script: &str) -> Vec<Finding> {
    let pack = MemoryPack::new("p")
        .with("pack.json", r#"{"format": 1, "id": "p", "version": "1.0.0", "api": 1, "title": "P", "kind": "game", "seats": {"min": 2, "max": 2}}"#)
        .with("factions.json", r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"},
            {"id": "blue", "playable": true, "group": "power", "color": "blue"}]}"#)
        .with("spaces.json", r#"{"spaces": [{"id": "hill", "kind": "land", "at": [0, 0], "on_control": [{"counter": "fame", "amount": 1}]}]}"#)
        .with("kinds.json", r#"{"kinds": [{"id": "guard", "class": "unit", "occupies": true, "supply": [{"faction": "red", "count": 2}]}]}"#)
        .with("counters.json", r#"{"counters": [{"id": "gold", "scope": "faction", "start": 3}, {"id": "fame", "scope": "faction"}, {"id": "tolls"}]}"#)
        .with("zones.json", r#"{"zones": [{"id": "deck", "scope": "game"}, {"id": "hand", "scope": "faction"}]}"#)
        .with("points.json", r#"{"points": [{"id": "card.play", "kind": "effect", "args": ["seat"], "doc": "A card is played."},
            {"id": "toll.paid", "kind": "effect", "doc": "A toll is paid."}]}"#)
        .with("cards.json", format!("{{\"cards\": [{{\"id\": \"toll\", \"type\": \"court\", \"zone\": \"deck\", \"hooks\": {{\"card.play\": \"p.toll\"}},\n\"may\": {may}}}]}}"))
        .with("rules.json", r#"{"rules": [{"id": "clerk", "hooks": {"toll.paid": "p.count"}}]}"#)
        .with("procedures.json", r#"{"procedures": [{"id": "control"}]}"#)
        .with("phases.json", r#"{"phases": [{"id": "setup", "run": "p.setup"}]}"#)
        .with("scripts/p.lua", format!("local M = {{}}\nfunction M.setup() end\nfunction M.count() add(counter.tolls, 1) end\nfunction M.toll(self, seat)\n{script}\nend\nreturn M\n"))
        .with("scenarios/p.json", r#"{"scenarios": [{"id": "toll", "title": "A toll", "run": {"perform": "toll", "point": "card.play", "seat": "red"}}]}"#);
    let checked = check(&[Arc::new(pack)], &LoadOptions { search: Vec::new(), ..LoadOptions::default() });
    let errors = || checked.findings.iter().filter(|finding| finding.is_error()).cloned().collect();
    let Some(loaded) = &checked.loaded else { return errors() };
    let report = run_all(loaded, None, false).unwrap_or_else(|findings| panic!("{}", print_human(&findings, false)));
    let found = report.results.iter().flat_map(|result| of_result(loaded, result));
    found.filter(|finding| finding.code != "P0703").collect()
}

/// The entry that a declaration lacks.
fn missing(may: &str, script: &str) -> Vec<String> {
    let found = findings(may, script);
    assert!(found.iter().all(|finding| finding.code == "P0705"), "{}", print_human(&found, false));
    found.iter().filter_map(|finding| finding.help.as_ref()?.split('"').nth(1).map(str::to_owned)).collect()
}

const TAKE: &str = "transfer(counter.gold, 1, faction.blue, seat)";

#[test]
fn hooks_that_keep_to_their_word_pass() {
    for may in [r#"["counter:gold"]"#, r#"["own counter:gold", "other counter:gold"]"#] {
        assert!(findings(may, TAKE).is_empty(), "{may}");
    }
    assert!(findings("[]", "log(\"toll\") choose(seat, \"x\", {})").iter().all(|finding| finding.code != "P0705"));
}

#[test]
fn what_is_not_declared_is_told_at_the_declaration() {
    let found = findings(r#"["own counter:gold"]"#, TAKE);
    assert_eq!(found.len(), 1);
    let finding = &found[0];
    assert_eq!((finding.code.as_str(), finding.file.as_str(), finding.span.line), ("P0705", "p/cards.json", 2));
    assert!(finding.message.contains("`counter:gold` of blue, which `toll` does not declare"), "{}", finding.message);
    assert!(finding.message.contains("p.toll"), "the hook has a name: {}", finding.message);
    assert_eq!(finding.labels[0].file, "p/scenarios/p.json");
    assert_eq!(missing("[]", TAKE), ["other counter:gold", "own counter:gold"]);
    assert_eq!(missing("[]", "roll(6)"), ["dice"]);
    assert_eq!(missing("[]", "put(self.card, zone.hand, seat)"), ["zone:deck", "own zone:hand"]);
}

#[test]
fn points_follow_control_where_control_is_declared() {
    let settle = "place(kind.guard, seat, space.hill)";
    assert_eq!(missing(r#"["own kind:guard"]"#, settle), ["own counter:fame", "control"]);
    assert!(missing(r#"["own kind:guard", "control"]"#, settle).is_empty());
}

#[test]
fn other_hooks_answer_for_themselves() {
    let script = "trigger(\"toll.paid\") add(counter.gold, 1, seat)";
    assert_eq!(missing("[]", script), ["own counter:gold"], "the clerk counts the tolls, not the card");
    assert!(missing(r#"["own counter:gold"]"#, script).is_empty());
    // Changes that a hook made before a caught error still count.
    assert_eq!(missing("[]", "pcall(function() add(counter.tolls, 1) error(\"no\") end)"), ["counter:tolls"]);
}

#[test]
fn entries_name_what_is_there() {
    let found = findings(r#"["own counter:glod"]"#, TAKE);
    assert_eq!((found[0].code.as_str(), found[0].help.as_deref()), ("P0202", Some("did you mean `gold`?")));
    assert_eq!(found[0].fix.as_ref().map(|fix| fix.edits[0].text.as_str()), Some("\"own counter:gold\""));
    assert!(!findings(r#"["gold"]"#, TAKE).is_empty(), "the schema knows the form");
}
