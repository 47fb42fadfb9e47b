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

/// Cards whose hooks append a digit to a counter. The first one discards the others of its owner, and later eliminates
/// a seat. The third one stays.
fn discarding() -> MemoryPack {
    let script = "local M = {}
local function act(digit)
  set(counter.acted, 10 * get(counter.acted) + digit)
end
function M.first(self, owner)
  act(1)
  for _, card in ipairs(cards(zone.tableau, owner)) do
    if idof(card) ~= self.id then
      put(card, zone.discard)
    end
  end
  if get(counter.acted) > 1000 then
    eliminate(faction.blue)
  end
end
function M.second() act(2) end
function M.third() act(3) end
function M.fourth() act(4) end
local function back()
  for _, card in ipairs(cards(zone.discard)) do
    put(card, zone.tableau, faction.red, \"bottom\")
  end
end
function M.by_script()
  trigger(\"moment\")
  back()
end
function M.by_kernel()
  place(kind.man, faction.red, space.field)
end
function M.finish()
  win(faction.red, \"power\")
end
return M
";
    let card = |id: &str, owner: &str, hook: &str| {
        format!(
            r#"{{"id": "{id}", "type": "sign", "copies": 1, "zone": "tableau", "faction": "{owner}", "hooks": {{"moment": {hook}, "control.changed": {hook}}}, "provenance": {{"designed": "a test"}}}}"#
        )
    };
    let cards = [
        card("first", "red", r#""main.first""#),
        card("second", "red", r#""main.second""#),
        card("third", "red", r#"{"run": "main.third", "stays": true}"#),
        card("fourth", "blue", r#""main.fourth""#),
    ];
    pack()
        .with("points.json", r#"{"points": [{"id": "moment", "kind": "effect", "args": [], "doc": "A moment."}]}"#)
        .with("phases.json", r#"{"phases": [{"id": "one", "run": "main.by_script"}, {"id": "two", "run": "main.by_kernel"}, {"id": "three", "run": "main.finish"}]}"#)
        .with("counters.json", r#"{"counters": [{"id": "acted", "scope": "game", "min": 0, "max": 99999999, "start": 0}]}"#)
        .with("zones.json", r#"{"zones": [{"id": "tableau", "scope": "faction", "visible": "everyone", "active": true}, {"id": "discard", "scope": "game", "visible": "everyone"}]}"#)
        .with("board.json", r#"{"spaces": [{"id": "field", "kind": "land", "at": [0, 0]}], "kinds": [{"id": "man", "class": "unit", "occupies": true, "supply": [{"faction": "red", "count": 1}]}]}"#)
        .with("cards.json", format!(r#"{{"cards": [{}]}}"#, cards.join(", ")))
        .with("rules.json", r#"{"rules": []}"#)
        .with("main.lua", script)
}

#[test]
fn a_card_that_has_left_its_zone_no_longer_acts() {
    let packs: Vec<Arc<dyn PackSource>> = vec![Arc::new(discarding())];
    let loaded = load(&packs, &LoadOptions { search: Vec::new(), ..LoadOptions::default() }).expect("a sound pack");
    let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed: 1, options: Vec::new() };
    let game = Game::new(Arc::clone(&loaded.catalog), loaded.host().expect("sound scripts"), config).expect("a game");
    let acted = loaded.catalog.counter("acted").expect("declared");
    // A script triggers the first, third and fourth; the kernel the first and third, because blue has been eliminated.
    assert_eq!(game.table().get(acted, Value::Nil), Ok(13_413));
}
