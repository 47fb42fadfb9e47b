//! Loading and merging packs that live in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_content::packs::folders_in;
use principes_content::{LoadOptions, check, load};
use principes_core::catalog::{PhaseBody, Times};
use principes_core::ids::Value;
use principes_model::{Arg, Loaded};
use principes_source::{MemoryPack, PackSource, base_game, built_in, folder};

const MANIFEST: &str = r#"{"format": 1, "id": "tiny", "version": "1.2.0", "api": 1, "title": "Tiny", "kind": "game",
    "seats": {"min": 1, "max": 2}}"#;

fn game() -> MemoryPack {
    MemoryPack::new("tiny")
        .with("pack.json", MANIFEST)
        .with(
            "board.json",
            r#"{"spaces": [
                {"id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"], "exits": ["isle"]},
                {"id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"], "props": {"might": 2, "owner": "faction:red"}},
                {"id": "isle", "kind": "sea", "at": [2, 0]}]}"#,
        )
        .with(
            "props.json",
            r#"{"props": [{"id": "land.might", "of": "spaces", "type": "number", "doc": "What it counts for."},
                {"id": "land.owner", "of": "spaces", "type": "faction", "doc": "Whose it was."}]}"#,
        )
        .with(
            "factions.json",
            r#"{"factions": [{"id": "storm", "group": "weather", "color": "gray"},
                {"id": "red", "playable": true, "group": "power", "color": "red"},
                {"id": "blue", "playable": true, "group": "power", "color": "blue"}]}"#,
        )
        .with(
            "counters.json",
            r#"{"counters": [{"id": "gold", "scope": "faction", "supply": 20, "start": 3}, {"id": "rounds", "start": 4, "option": true},
                {"id": "target", "holds": "space"}]}"#,
        )
        .with("zones.json", r#"{"zones": [{"id": "deck", "scope": "game"}, {"id": "hand", "scope": "faction", "visible": "owner"}]}"#)
        .with(
            "cards.json",
            r#"{"cards": [{"id": "luck", "type": "event", "copies": 3, "zone": "deck", "params": {"gold": 2},
                "hooks": {"bot.value": {"run": "cards/luck.worth", "priority": 5}}},
                {"id": "heirloom", "type": "event", "zone": "hand", "faction": "blue"}]}"#,
        )
        .with(
            "phases.json",
            r#"{"phases": [{"id": "round", "repeat": "rounds", "phases": [{"id": "turn", "each": "main.turn"}]}]}"#,
        )
        .with("scripts/main.lua", "local M = {}\nfunction M.turn(seat) draw(zone.deck, nil, zone.hand, seat) end\nreturn M\n")
        .with("scripts/cards/luck.lua", "local M = {}\nfunction M.worth(self, value) return value + self.gold end\nreturn M\n")
        .with(
            "locale/en.json",
            r#"{"messages": {"prop.land.might": "Might", "prop.land.owner": "Owner", "pack.title": "Tiny", "space.moor": "Moor", "space.ford": "Ford", "space.isle": "Isle",
                "faction.red": "Red", "faction.blue": "Blue", "faction.storm": "Storm", "counter.gold": "Gold",
                "counter.rounds": "Rounds", "counter.target": "Target", "zone.deck": "Deck", "zone.hand": "Hand", "phase.round": "Round",
                "phase.turn": "Turn", "type.event": "Event", "card.luck.title": "Luck", "card.heirloom.title": "Heirloom",
                "card.luck.text": {"by": "gold", "one": "Gain {gold} coin.", "other": "Gain {gold} coins."}}}"#,
        )
}

fn extension(id: &str, requires: &str) -> MemoryPack {
    let manifest = format!(
        r#"{{"format": 1, "id": "{id}", "version": "0.1.0", "api": 1, "title": "More", "kind": "extension", "requires": {requires}}}"#
    );
    MemoryPack::new(id).with("pack.json", manifest)
}

fn options() -> LoadOptions {
    LoadOptions { search: Vec::new(), ..LoadOptions::default() }
}

fn load_all(packs: Vec<MemoryPack>) -> Result<Loaded, Vec<principes_findings::Finding>> {
    let packs: Vec<Arc<dyn PackSource>> = packs.into_iter().map(|pack| Arc::new(pack) as _).collect();
    load(&packs, &options())
}

fn codes(packs: Vec<MemoryPack>) -> Vec<&'static str> {
    let packs: Vec<Arc<dyn PackSource>> = packs.into_iter().map(|pack| Arc::new(pack) as _).collect();
    check(&packs, &options()).findings.iter().map(|finding| finding.code.as_str()).collect()
}

#[test]
fn a_number_is_a_text_and_no_place_for_a_value() {
    let log = r#"{"messages": {"log.year": "1202", "log.years": "From {1} to {2}"}}"#;
    let script = |call: &str| {
        format!("local M = {{}}\nfunction M.turn(seat) draw(zone.deck, nil, zone.hand, seat) {call} end\nreturn M\n")
    };
    let codes_of =
        |call: &str| codes(vec![game().with("locale/en/log.json", log).with("scripts/main.lua", script(call))]);
    assert_eq!(codes_of("log(\"year\") log(\"years\", 1, 2)"), Vec::<&str>::new());
    assert_eq!(codes_of("log(\"year\") log(\"years\", 1)"), ["P0311"]);
}

#[test]
fn a_small_game_becomes_a_catalog() {
    let loaded = load_all(vec![game()]).expect("a sound pack");
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let catalog = &loaded.catalog;
    let ids: Vec<&str> = catalog.factions.iter().map(|faction| faction.id.as_str()).collect();
    assert_eq!((ids, catalog.playable), (vec!["red", "blue", "storm"], 2), "playable factions come first");
    let moor = catalog.space("moor").expect("moor");
    let exits: Vec<&str> =
        catalog.spaces[moor.index()].exits.iter().map(|exit| catalog.spaces[exit.index()].id.as_str()).collect();
    assert_eq!(exits, ["ford", "isle"]);
    assert!(catalog.spaces[2].exits.is_empty(), "an exit is one-way");
    let ford = &catalog.spaces[catalog.space("ford").expect("ford").index()];
    assert_eq!(ford.props.get(catalog.symbol("owner").expect("a keyword")), catalog.faction("red").map(Value::Faction));
    assert_eq!(catalog.cards.len(), 4);
    let hand = catalog.zone("hand").expect("hand");
    assert_eq!(Some(catalog.designs[1].start), catalog.zone_of(hand, catalog.faction("blue")));
    assert_eq!(catalog.designs[0].listeners[0].priority, 5);
    assert_eq!((catalog.counters[0].max, catalog.counters[1].offset, catalog.counter_values), (20, 2, 4));
    assert_eq!(catalog.flow.len(), 1);
    let rounds = catalog.counter("rounds").expect("rounds");
    let PhaseBody::Repeat { times: Times::Counter(counter), phases, .. } = &catalog.phases[0].body else {
        panic!("a loop")
    };
    assert_eq!((*counter, phases.len()), (rounds, 1));
    assert!(loaded.host().is_ok());
    assert_eq!(loaded.messages.text("en", "card.luck.text", &[("gold", Arg::Int(1))]), "Gain 1 coin.");
}

#[test]
fn an_extension_adds_and_changes() {
    let more = extension("more", r#"{"tiny": "^1.0"}"#)
        .with(
            "patches.json",
            r#"{"patches": [{"of": "cards", "id": "luck", "set": {"copies": 5, "params": {"gold": 9}}},
                {"of": "cards", "id": "heirloom", "remove": true}, {"of": "phases", "id": "turn", "replace": {"run": "main.turn"}}]}"#,
        )
        .with("cards.json", r#"{"cards": [{"id": "doom", "type": "event", "zone": "deck"}]}"#)
        .with("locale/en.json", r#"{"messages": {"card.doom.title": "Doom", "space.ford": "Old Ford"}}"#);
    // They are given in the wrong order, but the required pack comes first.
    let loaded = load_all(vec![more, game()]).expect("sound packs");
    let catalog = &loaded.catalog;
    let designs: Vec<(&str, u16)> = catalog.designs.iter().map(|design| (design.id.as_str(), design.copies)).collect();
    assert_eq!(designs, [("luck", 5), ("doom", 1)]);
    assert_eq!(catalog.designs[0].params.get("gold"), Some(&9));
    assert!(matches!(catalog.phases[1].body, PhaseBody::Run(_)));
    assert_eq!(loaded.messages.text("en", "space.ford", &[]), "Old Ford");
    let luck = loaded.entities.iter().find(|entity| entity.id == "luck").expect("luck");
    assert_eq!(luck.packs, ["tiny", "more"]);
    assert_eq!(loaded.manifest.id.as_str(), "tiny");
    assert_ne!(loaded.fingerprint, load_all(vec![game()]).expect("sound").fingerprint);
}

#[test]
fn a_patch_that_breaks_something_is_blamed_itself() {
    let more = extension("more", r#"{"tiny": "*"}"#)
        .with("patches.json", r#"{"patches": [{"of": "cards", "id": "luck", "set": {"zone": "dekc", "copies": 0}}]}"#);
    let findings = load_all(vec![game(), more]).expect_err("two errors");
    let places: Vec<(&str, &str, &str)> = findings
        .iter()
        .filter(|f| f.is_error())
        .map(|f| (f.code.as_str(), f.file.as_str(), f.pointer.as_str()))
        .collect();
    assert_eq!(
        places,
        [("P0105", "more/patches.json", "/patches/0/set/copies")],
        "references are looked at once the shape is right"
    );
    let more = extension("more", r#"{"tiny": "*"}"#)
        .with("patches.json", r#"{"patches": [{"of": "cards", "id": "luck", "set": {"zone": "dekc"}}]}"#);
    let findings = load_all(vec![game(), more]).expect_err("one error");
    let finding = findings.iter().find(|f| f.is_error()).expect("an error");
    assert_eq!((finding.code.as_str(), finding.pointer.as_str()), ("P0202", "/patches/0/set/zone"));
}

#[test]
fn one_broken_file_hides_nothing_and_invents_nothing() {
    let broken = game()
        .with("zones.json", r#"{"zones": [{"id": "deck", "scope": "game"}, {"id": "hand", "scope": "faction"},]}"#)
        .with("more.json", r#"{"cards": [{"id": "doom", "type": "event", "zone": "dekc"}]}"#)
        .with("locale/en/more.json", r#"{"messages": {"card.doom.title": "Doom"}}"#)
        .with("even-more.json", r#"{"kinds": [{"id": "knight"}]}"#);
    // The zones cannot be read, but their ids are known; the two other errors are reported.
    assert_eq!(codes(vec![broken]), ["P0005", "P0103", "P0202"]);
}

#[test]
fn the_game_is_chosen_among_several() {
    let other = || {
        let manifest = MANIFEST.replace("\"tiny\"", "\"other\"");
        MemoryPack::new("other")
            .with("pack.json", manifest)
            .with("locale/en.json", r#"{"messages": {"pack.title": "Other"}}"#)
    };
    assert_eq!(codes(vec![game(), other()]), ["P0208"]);
    let packs: Vec<Arc<dyn PackSource>> = vec![Arc::new(game()), Arc::new(other())];
    let chosen = LoadOptions { game: Some("tiny".into()), ..options() };
    assert_eq!(load(&packs, &chosen).expect("a sound game").catalog.game, "tiny");
    let wrong = LoadOptions { game: Some("tinyy".into()), ..options() };
    let findings = load(&packs, &wrong).expect_err("no such game");
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `tiny`?"));
}

#[test]
fn hostile_packs_do_no_harm() {
    let deep = format!("{{\"zones\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(codes(vec![game().with("deep.json", deep)]).contains(&"P0005"));
    assert!(codes(vec![game().with("../out.json", "{}")]).contains(&"P0002"));
    assert!(
        codes(vec![game().with("numbers.json", r#"{"counters": [{"id": "big", "max": 99999999999999999999}]}"#)])
            .contains(&"P0105")
    );
    assert!(codes(vec![game().with("scripts/bytes.lua", vec![27u8, 76, 117, 97, 255])]).contains(&"P0003"));
    assert_eq!(codes(vec![MemoryPack::new("empty")]), ["P0010"]);
    assert_eq!(codes(vec![MemoryPack::new("list").with("pack.json", "[]")]), ["P0101"]);
    assert_eq!(codes(Vec::new()), Vec::<&str>::new());
}

/// Saves and findings are the same whether a pack is read from its folder or from the program.
#[test]
fn the_packs_inside_the_program_are_those_on_disk() {
    principes_games::install();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mods = root.join("../mods");
    let on_disk: Vec<PathBuf> = folders_in(root).into_iter().chain(folders_in(&mods)).collect();
    assert!(base_game().is_some_and(|base| base.label("x") == "built-in/principes/x"), "the base game is the first");
    assert!(built_in().len() > 10);
    for pack in built_in() {
        let folder_on_disk = on_disk.iter().find(|path| path.ends_with(pack.folder())).expect("its folder");
        let options = LoadOptions { search: vec![root.to_owned(), mods.clone()], scenarios: false, ..options() };
        let load = |source| load(&[source], &options).unwrap_or_else(|found| panic!("{found:?}"));
        let (inside, outside) = (load(Arc::new(pack.clone())), load(folder(folder_on_disk)));
        assert_eq!(inside.fingerprint, outside.fingerprint, "{}", pack.folder());
        assert!(inside.host().is_ok(), "{}", pack.folder());
    }
}

/// A function that only a broken scenario calls is not reported as unused until the file of scenarios is right.
#[test]
fn a_broken_scenario_still_calls_its_functions() {
    let script = "local M = {}\nfunction M.turn(seat) end\nfunction M.gift() end\nfunction M.idle() end\nreturn M\n";
    let sound = r#"{"scenarios": [{"id": "a", "title": "A", "run": {"hook": "main.gift"}}]}"#;
    let unused = |scenario: &str| -> Vec<String> {
        let pack = game().with("scripts/main.lua", script).with("scenarios/a.json", scenario);
        let packs: Vec<Arc<dyn PackSource>> = vec![Arc::new(pack)];
        let found = check(&packs, &options()).findings.into_iter().filter(|finding| finding.code == "P0315");
        found.map(|finding| finding.message).collect()
    };
    let idle = ["the function `idle` is never used"];
    assert_eq!(unused(sound), idle);
    assert!(unused(&sound.replace("\"id\"", "id")).is_empty(), "no JSON");
    assert!(unused(&sound.replace("title", "heading")).is_empty(), "a field that is missing");
    let both = ["the function `gift` is never used", "the function `idle` is never used"];
    assert_eq!(unused(r#"{"scenarios": []}"#), both);
}

#[test]
fn a_promised_language_with_an_empty_file_is_told_where_to_write() {
    let manifest = MANIFEST.replace("\"kind\"", "\"languages\": [\"en\", \"pl\"], \"kind\"");
    let help = |file: Option<&str>| {
        let pack = game().with("pack.json", manifest.as_str());
        let pack = file.iter().fold(pack, |pack, file| pack.with(file, r#"{"messages": {}}"#));
        let packs: Vec<Arc<dyn PackSource>> = vec![Arc::new(pack)];
        let found = check(&packs, &options()).findings;
        let finding = found.into_iter().find(|finding| finding.code == "P0608").expect("an empty promise");
        finding.help.expect("advice")
    };
    assert_eq!(help(None), "add files such as `cards.pl.json`, or remove the language");
    assert_eq!(help(Some("locale/pl/all.json")), "write messages to locale/pl/all.json, or remove the language");
    assert_eq!(help(Some("locale/pl.json")), "write messages to locale/pl.json, or remove the language");
}
