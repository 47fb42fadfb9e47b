//! Phases with a decision before their scripts, from the file to the script that receives the answer.

use std::sync::Arc;

use principes_content::{LoadOptions, load};
use principes_core::catalog::GameConfig;
use principes_core::ids::{FactionId, Value};
use principes_core::{Game, SeatId};
use principes_model::Loaded;
use principes_scripting::LuaHost;
use principes_source::{MemoryPack, PackSource};

const RED: SeatId = FactionId(0);
const BLUE: SeatId = FactionId(1);

const MANIFEST: &str = r#"{"format": 1, "id": "tiny", "version": "1.0.0", "api": 1, "title": "Tiny", "kind": "game",
    "seats": {"min": 2, "max": 2}}"#;

/// Red has a wood (with a blue knight) and a hill, blue has a town, and the moor and the ford have no owner. A phase is
/// played, then the game ends. From the hill, every space can be reached; only the ford and the moor have a way back.
fn tiny(phase: &str, script: &str) -> Loaded {
    let phases = format!(r#"{{"phases": [{phase}, {{"id": "end", "run": "main.finish"}}]}}"#);
    let script = format!("local M = {{}}\n{script}\nfunction M.finish() draw_game(\"over\") end\nreturn M\n");
    let pack = MemoryPack::new("tiny")
        .with("pack.json", MANIFEST)
        .with(
            "board.json",
            r#"{"spaces": [
                {"id": "ford", "kind": "water", "at": [0, 0], "props": {"row": 1}, "exits": ["hill"]},
                {"id": "hill", "kind": "land", "at": [1, 0], "home": "red", "props": {"row": 1, "high": true},
                    "exits": ["ford", "moor", "town", "wood"]},
                {"id": "moor", "kind": "land", "at": [2, 0], "props": {"row": 2}, "exits": ["hill"]},
                {"id": "town", "kind": "land", "at": [3, 0], "home": "blue", "pieces": [{"kind": "house", "faction": "blue"}]},
                {"id": "wood", "kind": "land", "at": [4, 0], "home": "red", "props": {"row": 2},
                    "pieces": [{"kind": "knight", "faction": "blue"}]}]}"#,
        )
        .with(
            "props.json",
            r#"{"props": [{"id": "space.row", "of": "spaces", "type": "number", "doc": "The row."},
                {"id": "space.high", "of": "spaces", "type": "flag", "doc": "Whether it lies high."}]}"#,
        )
        .with(
            "factions.json",
            r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"},
                {"id": "blue", "playable": true, "group": "power", "color": "blue"}]}"#,
        )
        .with(
            "kinds.json",
            r#"{"kinds": [{"id": "knight", "class": "unit", "occupies": true, "supply": [{"faction": "blue", "count": 1}]},
                {"id": "house", "class": "building", "supply": [{"faction": "blue", "count": 1}]}]}"#,
        )
        .with("counters.json", r#"{"counters": [{"id": "gold", "scope": "faction", "start": 2, "visible": "owner"},
            {"id": "stand", "scope": "faction", "holds": "space"}]}"#)
        .with("decisions.json", r#"{"decisions": [{"id": "pick"}]}"#)
        .with("phases.json", phases)
        .with("scripts/main.lua", script.as_str())
        .with(
            "locale/en.json",
            r#"{"messages": {"prop.space.row": "Row", "prop.space.high": "High", "pack.title": "Tiny", "space.ford": "Ford", "space.hill": "Hill", "space.moor": "Moor",
                "space.town": "Town", "space.wood": "Wood", "faction.red": "Red", "faction.blue": "Blue",
                "kind.knight": "Knight", "kind.house": "House", "counter.gold": "Gold", "counter.stand": "Stand",
                "decision.pick": "{1}, pick",
                "phase.turn": "Turn", "phase.end": "End", "outcome.over": "Over"}}"#,
        );
    let words = r#"{"messages": {"option.bid": "Bid", "option.pass": "Pass"}}"#;
    let pack = if script.contains("\"bid\"") { pack.with("locale/en/words.json", words) } else { pack };
    let packs: [Arc<dyn PackSource>; 1] = [Arc::new(pack)];
    let loaded = load(&packs, &LoadOptions { search: Vec::new(), ..LoadOptions::default() }).expect("a sound pack");
    assert!(loaded.warnings.is_empty(), "{:#?}", loaded.warnings);
    loaded
}

fn game(loaded: &Loaded) -> Game<LuaHost> {
    let config = GameConfig { seats: vec![RED, BLUE], seed: 1, options: Vec::new() };
    Game::new(loaded.catalog.clone(), loaded.host().expect("sound scripts"), config).expect("a game")
}

/// The keys of a seat's options.
fn offered(game: &Game<LuaHost>, seat: SeatId) -> Vec<String> {
    let decisions = game.pending().into_iter().filter(|decision| decision.seat == seat);
    decisions.flat_map(|decision| decision.options.iter().map(|option| option.key(game.catalog()))).collect()
}

fn answer(game: &mut Game<LuaHost>, seat: SeatId, key: &str) {
    let decision = game.pending().into_iter().find(|decision| decision.seat == seat).expect("a decision");
    let option =
        decision.options.iter().find(|option| option.key(game.catalog()) == key).copied().expect("the option exists");
    game.answer(seat, option).expect("an answer that counts");
}

fn gold(game: &Game<LuaHost>, seat: SeatId) -> i32 {
    let counter = game.catalog().counter("gold").expect("gold");
    game.table().get(counter, Value::Faction(seat)).expect("a number")
}

#[test]
fn each_field_of_the_filter_narrows_what_a_seat_may_choose() {
    let cases = [
        ("{}", "ford hill moor town wood"),
        (r#"{"kind": "water"}"#, "ford"),
        (r#"{"home": "seat"}"#, "hill wood"),
        (r#"{"controller": "seat"}"#, "hill"),
        (r#"{"prop": "high"}"#, "hill"),
        (r#"{"neutral": true}"#, "ford moor"),
        (r#"{"empty": true}"#, "ford hill moor town"),
        (r#"{"without": "house"}"#, "ford hill moor wood"),
        (r#"{"first_of": "row"}"#, "ford moor"),
        (r#"{"kind": "land", "empty": true, "first_of": "row"}"#, "hill moor"),
    ];
    for (filter, spaces) in cases {
        let phase = format!(
            r#"{{"id": "turn", "each": "main.turn", "choose": {{"decision": "pick", "spaces": {filter}, "always": true}}}}"#
        );
        let loaded = tiny(&phase, "function M.turn(seat, land) place(kind.house, seat, land) end");
        assert_eq!(offered(&game(&loaded), RED).join(" "), spaces, "{filter}");
    }
}

#[test]
fn seats_go_on_from_where_they_stand() {
    let cases = [
        ("hill", r#"{"beside": "stand"}"#, "ford moor"),
        ("hill", r#"{"beside": "stand", "kind": "land"}"#, "moor"),
        ("hill", r#"{"beside": "stand", "home": "seat"}"#, ""),
        ("ford", r#"{"beside": "stand", "first_of": "row"}"#, "hill"),
        ("town", r#"{"beside": "stand"}"#, ""),
    ];
    for (stand, filter, spaces) in cases {
        let phase = format!(
            r#"{{"id": "turn", "each": "main.turn", "choose": {{"decision": "pick", "spaces": {filter}, "always": true}}}}"#
        );
        // Red has no pieces, so it has no decision.
        let script = format!("function M.turn(seat, land) set(counter.stand, space.{stand}, faction.blue) end");
        let game = game(&tiny(&phase, &script));
        assert_eq!((offered(&game, RED), offered(&game, BLUE).join(" ")), (Vec::new(), spaces.to_owned()), "{filter}");
    }
}

#[test]
fn scripts_are_told_the_choice_after_the_seat() {
    let phase = r#"{"id": "turn", "each": "main.turn", "choose": {"decision": "pick", "spaces": {"empty": true}}}"#;
    let loaded = tiny(phase, "function M.turn(seat, land) set(counter.gold, land == space.moor and 7 or 9, seat) end");
    let mut game = game(&loaded);
    assert_eq!(*game.pending()[0].about, [Value::Faction(RED)], "what the prompt can show");
    answer(&mut game, RED, "moor");
    assert_eq!((gold(&game, RED), offered(&game, RED)), (7, Vec::new()));
    answer(&mut game, BLUE, "hill");
    assert_eq!(gold(&game, BLUE), 9);
    assert!(game.outcome().is_some());
}

#[test]
fn secret_bids_are_listed_by_a_script() {
    let phase = r#"{"id": "turn", "simultaneous": "main.bid", "choose": {"decision": "pick", "options": "main.bids"}}"#;
    let script = r#"
        function M.bids(seat)
          local all = { "pass" }
          for gold = 1, get(counter.gold, seat) do
            table.insert(all, { "bid", gold, seat })
          end
          return all
        end
        function M.bid(seat, word, amount, whose)
          if word == "bid" and whose == seat then
            add(counter.gold, -amount, seat)
          end
        end"#;
    let mut game = game(&tiny(phase, script));
    assert_eq!(offered(&game, BLUE), ["pass", "bid 1 blue", "bid 2 blue"]);
    answer(&mut game, BLUE, "bid 2 blue");
    // Blue's bid is revealed once red has also chosen.
    assert_eq!(
        (gold(&game, BLUE), offered(&game, RED)),
        (2, vec!["pass".into(), "bid 1 red".into(), "bid 2 red".into()])
    );
    let mut copy = game.clone();
    for game in [&mut game, &mut copy] {
        answer(game, RED, "pass");
        assert_eq!((gold(game, BLUE), gold(game, RED), game.outcome().is_some()), (0, 2, true));
    }
    assert_eq!(game.digest(), copy.digest());
}

#[test]
fn options_with_too_many_values_are_told_with_their_function() {
    let phase = r#"{"id": "turn", "each": "main.turn", "choose": {"decision": "pick", "options": "main.list"}}"#;
    let script = r#"
        function M.list(seat) return { { "bid", 1, 2, 3 }, "pass" } end
        function M.turn(seat, word) if word == "bid" then set_active(seat) end end"#;
    let loaded = tiny(phase, script);
    let config = GameConfig { seats: vec![RED, BLUE], seed: 1, options: Vec::new() };
    let error = Game::new(loaded.catalog.clone(), loaded.host().expect("sound scripts"), config).map(|_| ());
    let error = error.expect_err("four values are too many").to_string();
    assert!(error.contains("the option `bid 1 2 3` has too many values"), "{error}");
}
