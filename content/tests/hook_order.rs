//! The order in which hooks run, and that the kernel and scripts agree on it (`docs/packs.md`, "Hooks").

use std::sync::Arc;

use principes_content::{LoadOptions, load};
use principes_core::ids::{FactionId, HookPointId, Value};
use principes_core::{Game, GameConfig};
use principes_source::{MemoryPack, PackSource};

/// Every hook appends a digit to the value, so that the result shows the order. Two are functions.
fn pack() -> MemoryPack {
    let script = "local M = {}
function M.ask()
  add(counter.asked, query(\"sum\", 0, faction.red))
  win(faction.red, \"power\")
end
function M.five(self, value)
  return 10 * value + 5
end
function M.six(self, value)
  return 10 * value + 6
end
return M
";
    let card = |id: &str, zone: &str, faction: &str, hook: &str| {
        format!(
            r#"{{"id": "{id}", "type": "sign", "copies": 1, "zone": "{zone}"{faction}, "hooks": {{"sum": {hook}}}, "provenance": {{"designed": "a test"}}}}"#
        )
    };
    let append = |digit: u32| format!(r#"{{"times": 10, "add": {digit}}}"#);
    let (red, blue) = (r#", "faction": "red""#, r#", "faction": "blue""#);
    let first = r#"{"times": 10, "add": 1, "priority": -1}"#;
    // The order of the files is not that of the hooks.
    let cards = [
        card("blue-late", "tableau", blue, &append(8)),
        card("red-tableau", "tableau", red, &append(7)),
        card("red-crown", "crown", red, r#""main.five""#),
        card("red-crown-below", "crown", red, r#""main.six""#),
        card("market", "market", "", &append(3)),
        card("blue-early", "tableau", blue, first),
    ];
    let rule = |id: &str, faction: &str, digit: u32| {
        format!(
            r#"{{"id": "{id}"{faction}, "hooks": {{"sum": {}}}, "provenance": {{"designed": "a test"}}}}"#,
            append(digit)
        )
    };
    let rules = [rule("of-red", red, 4), rule("of-all", "", 2)];
    let zone = |id: &str, scope: &str| {
        format!(r#"{{"id": "{id}", "scope": "{scope}", "visible": "everyone", "active": true}}"#)
    };
    let zones = [zone("market", "game"), zone("crown", "faction"), zone("tableau", "faction")];
    let list = |family: &str, items: &[String]| format!(r#"{{"{family}": [{}]}}"#, items.join(", "));
    MemoryPack::new("p")
        .with("pack.json", r#"{"format": 1, "id": "p", "version": "1.0.0", "api": 1, "title": "P", "kind": "game", "seats": {"min": 2, "max": 2}}"#)
        .with("factions.json", r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"}, {"id": "blue", "playable": true, "group": "power", "color": "blue"}]}"#)
        .with("points.json", r#"{"points": [{"id": "sum", "kind": "query", "args": ["seat"], "doc": "A number."}]}"#)
        .with("phases.json", r#"{"phases": [{"id": "quiet", "run": "main.ask"}]}"#)
        .with("counters.json", r#"{"counters": [{"id": "asked", "scope": "game", "min": 0, "max": 99999999, "start": 0}]}"#)
        .with("zones.json", list("zones", &zones).as_str())
        .with("cards.json", list("cards", &cards).as_str())
        .with("rules.json", list("rules", &rules).as_str())
        .with("main.lua", script)
}

#[test]
fn hooks_run_by_priority_owner_rules_zone_and_place() {
    let packs: Vec<Arc<dyn PackSource>> = vec![Arc::new(pack())];
    let loaded = load(&packs, &LoadOptions { search: Vec::new(), ..LoadOptions::default() }).expect("a sound pack");
    let catalog = Arc::clone(&loaded.catalog);
    let red = FactionId::at(catalog.factions.iter().position(|faction| faction.id == "red").expect("declared"));
    let point = HookPointId::at(catalog.points.iter().position(|point| point.id == "sum").expect("declared"));
    let seats = vec![red, FactionId::at(1 - red.index())];
    let config = GameConfig { seats, seed: 1, options: Vec::new() };
    let mut game = Game::new(Arc::clone(&catalog), loaded.host().expect("sound scripts"), config).expect("a game");
    assert_eq!(game.query(point, 0, &[Value::Faction(red)]), Ok(12_345_678), "asked by the kernel");
    let asked = catalog.counter("asked").expect("declared");
    assert_eq!(game.table().get(asked, Value::Nil), Ok(12_345_678), "asked by a script");
}
