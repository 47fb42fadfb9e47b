//! Packs on packs: load order, versions, patches, and packs that contradict each other.

use std::sync::Arc;

use principes_content::{LoadOptions, check};
use principes_findings::Finding;
use principes_findings::print_human;
use principes_model::Checked;
use principes_schemas::SymbolName;
use principes_source::{MemoryPack, PackSource};

const GAME: &str = r#"{"format": 1, "id": "tiny", "version": "1.2.0", "api": 1, "title": "Tiny", "kind": "game",
    "seats": {"min": 1, "max": 2}}"#;

fn game() -> MemoryPack {
    MemoryPack::new("tiny")
        .with("pack.json", GAME)
        .with("factions.json", r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"},
            {"id": "blue", "playable": true, "group": "power", "color": "blue"}]}"#)
        .with("zones.json", r#"{"zones": [{"id": "deck", "scope": "game"}]}"#)
        .with("cards.json", "{\"cards\": [\n{\"id\": \"luck\", \"type\": \"event\",\n\"copies\": 2,\n\"zone\": \"deck\",\n\"params\": {\"gold\": 2}},\n{\"id\": \"toil\", \"type\": \"event\", \"zone\": \"deck\"}]}")
        .with("props.json", r#"{"props": [{"id": "event.hard", "of": "cards", "type": "flag", "doc": "Whether it is hard."}]}"#)
        .with("pins.json", r#"{"pins": [{"id": "deck", "of": "cards", "count": 3}]}"#)
        .with("phases.json", r#"{"phases": [{"id": "round", "repeat": 2, "phases": [{"id": "turn", "each": "main.turn"},
            {"id": "rest", "run": "main.rest"}]}]}"#)
        .with("scripts/main.lua", "local M = {}\nfunction M.turn(seat) draw(zone.deck, nil, zone.deck, nil) end\nfunction M.rest() end\nreturn M\n")
        .with("locale/en.json", r#"{"messages": {"pack.title": "Tiny", "faction.red": "Red", "faction.blue": "Blue",
            "zone.deck": "Deck", "phase.round": "Round", "phase.turn": "Turn", "phase.rest": "Rest", "type.event": "Event",
            "word.power": "Power", "prop.event.hard": "Hard", "card.luck.title": "Luck", "card.luck.text": "Gain {gold}.", "card.toil.title": "Toil"}}"#)
}

/// An extension of the game; `fields` are further fields of its manifest.
fn extension(id: &str, fields: &str) -> MemoryPack {
    let manifest = format!(
        "{{\"format\": 1, \"id\": \"{id}\", \"version\": \"0.1.0\", \"api\": 1, \"title\": \"More\", \"kind\": \"extension\",\n\"requires\": {{\"tiny\": \"^1.0\"}}{fields}}}"
    );
    MemoryPack::new(id).with("pack.json", manifest)
}

fn patches(id: &str, fields: &str, patches: &str) -> MemoryPack {
    extension(id, fields).with("patches.json", format!("{{\"patches\": [\n{patches}\n]}}"))
}

fn set(id: &str, fields: &str) -> String {
    format!(r#"{{"of": "cards", "id": "{id}", "set": {fields}}}"#)
}

fn run(packs: Vec<MemoryPack>) -> Checked {
    let given: Vec<Arc<dyn PackSource>> = packs.into_iter().map(|pack| Arc::new(pack) as Arc<dyn PackSource>).collect();
    check(&given, &LoadOptions { search: Vec::new(), ..LoadOptions::default() })
}

fn only(checked: &Checked, code: &str) -> Finding {
    match checked.findings.as_slice() {
        [finding] if finding.code == code => finding.clone(),
        other => panic!("not one {code}:\n{}", print_human(other, false)),
    }
}

fn order(checked: &Checked) -> Vec<String> {
    checked.packs.iter().map(|pack| pack.manifest.id.to_string()).collect()
}

fn line(finding: &Finding) -> usize {
    finding.span.line
}

/// Gold of the card `luck` in the end.
fn gold(checked: &Checked) -> i64 {
    let loaded = checked.loaded.as_ref().unwrap_or_else(|| panic!("{}", print_human(&checked.findings, false)));
    let card = loaded.entities.iter().find(|entity| entity.id == "luck").expect("the card is there");
    card.json.pointer("/params/gold").and_then(serde_json::Value::as_i64).expect("it has gold")
}

#[test]
fn packs_stand_after_what_they_name_and_else_by_id() {
    let packs = || {
        vec![
            extension("zoo", ""),
            extension("alps", r#", "optional": {"zoo": "^0.1", "not-there": "*"}"#),
            extension("moor", ""),
            game(),
        ]
    };
    let checked = run(packs());
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
    assert_eq!(order(&checked), ["tiny", "moor", "zoo", "alps"]);
    let mut turned = packs();
    turned.reverse();
    assert_eq!(order(&run(turned)), order(&checked), "the order in which they are given decides nothing");
    let reasons = &checked.packs;
    assert_eq!(reasons[1].reason.before, ["zoo"]);
    let after: Vec<(&str, bool, usize)> =
        reasons[3].reason.after.iter().map(|after| (after.id.as_str(), after.optional, after.line)).collect();
    assert_eq!(after, [("tiny", false, 2), ("zoo", true, 2)]);
}

#[test]
fn versions_that_do_not_fit_are_told_with_what_would() {
    let checked = run(vec![game(), extension("a", r#", "optional": {"b": ">=2"}"#), extension("b", "")]);
    let finding = only(&checked, "P0205");
    assert_eq!((finding.file.as_str(), line(&finding)), ("a/pack.json", 2));
    assert!(finding.message.contains("works only with `b` >=2, but 0.1.0 is loaded"), "{}", finding.message);
    assert_eq!(finding.labels[0].file, "b/pack.json");
    assert!(finding.help.is_some_and(|help| help.contains(">=0.1.0")));
}

#[test]
fn two_packs_that_exclude_each_other_are_told_once() {
    let checked = run(vec![
        game(),
        extension("a", r#", "conflicts": {"b": "*"}"#),
        extension("b", r#", "conflicts": {"a": "^0.1"}"#),
    ]);
    assert_eq!(only(&checked, "P0206").file, "a/pack.json");
}

#[test]
fn circles_are_shown_link_by_link() {
    let checked = run(vec![
        game(),
        extension("a", r#", "optional": {"b": "*"}"#),
        extension("b", r#", "optional": {"c": "*"}"#),
        extension("c", r#", "optional": {"a": "*"}"#),
        extension("outside", r#", "optional": {"c": "*"}"#),
    ]);
    let finding = only(&checked, "P0207");
    assert!(finding.message.ends_with("`a`, `b`, `c`"), "{}", finding.message);
    let links: Vec<&str> = finding.labels.iter().map(|label| label.message.as_str()).collect();
    assert_eq!(links, ["`b` comes after `c`", "`c` comes after `a`"]);
}

#[test]
fn every_writer_of_a_field_is_shown() {
    let checked = run(vec![
        game(),
        patches("a", "", &set("luck", r#"{"params": {"gold": 5}}"#)),
        patches("b", "", &set("luck", r#"{"params": {"gold": 3}}"#)),
        patches(
            "c",
            "",
            &format!("{},\n{}", set("toil", r#"{"copies": 1}"#), set("luck", r#"{"params": {"gold": 5}}"#)),
        ),
    ]);
    // `toil` already has one copy by default, so nothing else is wrong.
    let finding = only(&checked, "P0210");
    assert_eq!((finding.file.as_str(), line(&finding)), ("c/patches.json", 3));
    assert!(
        finding.message.contains("`c` sets `params.gold` of the card `luck` to 5; `b` disagrees"),
        "{}",
        finding.message
    );
    let labels: Vec<(String, usize)> =
        finding.labels.iter().map(|label| (format!("{}: {}", label.file, label.message), label.span.line)).collect();
    assert_eq!(
        labels,
        [
            ("tiny/cards.json: `tiny` says 2".to_owned(), 5),
            ("a/patches.json: `a` sets it to 5".to_owned(), 2),
            ("b/patches.json: `b` sets it to 3".to_owned(), 2),
        ]
    );
}

#[test]
fn equal_values_other_fields_and_decided_ones_are_no_conflict() {
    let five = || set("luck", r#"{"params": {"gold": 5}}"#);
    assert_eq!(gold(&run(vec![game(), patches("a", "", &five()), patches("b", "", &five())])), 5);
    let copies = set("toil", r#"{"zone": "deck", "props": {"hard": true}}"#);
    let checked = run(vec![game(), patches("a", "", &five()), patches("b", "", &copies)]);
    assert_eq!(only(&checked, "P0212").pointer, "/patches/0/set/zone");
    // The pack that names the other one wins, whatever their ids.
    let three = set("luck", r#"{"params": {"gold": 3}}"#);
    let knows = patches("a", r#", "optional": {"b": "*"}"#, &three);
    assert_eq!(gold(&run(vec![game(), knows, patches("b", "", &five())])), 3);
    // A third pack decides.
    let four = set("luck", r#"{"params": {"gold": 4}}"#);
    let judge = patches("judge", r#", "optional": {"a": "*", "b": "*"}"#, &four);
    assert_eq!(gold(&run(vec![game(), patches("a", "", &three), patches("b", "", &five()), judge])), 4);
}

#[test]
fn whole_entities_and_messages_conflict_too() {
    let remove = r#"{"of": "cards", "id": "luck", "remove": true}, {"of": "pins", "id": "deck", "set": {"count": 1}}"#;
    let five = set("luck", r#"{"params": {"gold": 5}}"#);
    for (a, b) in [(remove, five.as_str()), (five.as_str(), remove)] {
        let checked = run(vec![game(), patches("a", "", a), patches("b", "", b)]);
        let finding = checked.findings.iter().find(|finding| finding.code == "P0210").expect("a conflict");
        assert_eq!(finding.file, "b/patches.json");
        assert!(finding.labels.iter().any(|label| label.file == "a/patches.json"));
    }
    let says = |id: &str, text: &str| {
        extension(id, "").with("locale/en/a.json", format!(r#"{{"messages": {{"card.toil.title": "{text}"}}}}"#))
    };
    let finding = only(&run(vec![game(), says("a", "Sweat"), says("b", "Labor")]), "P0210");
    assert_eq!(finding.labels.len(), 2, "the game's own text and that of the other pack");
    assert!(run(vec![game(), says("a", "Sweat"), says("b", "Sweat")]).findings.is_empty());
}

#[test]
fn patches_that_hit_nothing_say_what_they_could_mean() {
    let help = |patch: &str| {
        let finding = only(&run(vec![game(), patches("a", "", patch)]), "P0209");
        assert_eq!(line(&finding), 2);
        finding.help.unwrap_or_default()
    };
    assert_eq!(help(&set("lukc", r#"{"params": {"gold": 5}}"#)), "did you mean `luck`?");
    assert!(help(&set("turn", r#"{"copies": 5}"#)).contains("a phase has this id"));
    assert_eq!(help(&set("luck", r#"{"params": {"glod": null}}"#)), "did you mean `gold`?");
}

#[test]
fn removed_entities_are_gone_for_those_who_know_it() {
    let remove = r#"{"of": "cards", "id": "luck", "remove": true}, {"of": "pins", "id": "deck", "set": {"count": 1}}"#;
    let late = patches("b", r#", "optional": {"a": "*"}"#, &set("luck", r#"{"copies": 4}"#));
    let gone = || patches("a", "", remove);
    let checked = run(vec![game(), gone(), late]);
    let finding = checked.findings.iter().find(|finding| finding.code == "P0209").expect("nothing to patch");
    assert!(finding.message.contains("`a` removed it"), "{}", finding.message);
    assert_eq!(finding.labels[0].file, "a/patches.json");
    let checked = run(vec![game(), gone()]);
    assert!(checked.findings.is_empty(), "messages for a removed card are correct: {:?}", checked.findings);
    let loaded = checked.loaded.expect("no finding");
    assert!(!loaded.entities.iter().any(|entity| entity.id == "luck"));
    assert_eq!(loaded.removed[0].id, "luck");
}

#[test]
fn a_phase_inside_a_loop_can_be_removed() {
    let checked = run(vec![game(), patches("a", "", r#"{"of": "phases", "id": "turn", "remove": true}"#)]);
    let loaded = checked.loaded.unwrap_or_else(|| panic!("{}", print_human(&checked.findings, false)));
    let phases: Vec<&str> = loaded.catalog.phases.iter().map(|phase| phase.id.as_str()).collect();
    assert_eq!(phases, ["round", "rest"]);
}

#[test]
fn a_pack_does_not_change_a_field_twice() {
    let twice = format!("{},\n{}", set("luck", r#"{"copies": 3}"#), set("luck", r#"{"copies": 4}"#));
    let checked = run(vec![game(), patches("a", "", &twice)]);
    let finding = checked.findings.iter().find(|finding| finding.code == "P0213").expect("twice");
    assert_eq!((line(finding), finding.labels[0].span.line), (3, 2));
}

#[test]
fn a_patch_for_an_optional_pack_waits_for_it() {
    let extra = || {
        extension("extra", "")
            .with("cards.json", r#"{"cards": [{"id": "boon", "type": "event", "zone": "deck"}]}"#)
            .with("locale/en/a.json", r#"{"messages": {"card.boon.title": "Boon"}}"#)
    };
    let patch = r#"{"of": "cards", "id": "boon", "with": "extra", "set": {"copies": 2}}"#;
    let knows = || patches("a", r#", "optional": {"extra": "^0.1"}"#, patch);
    assert!(run(vec![game(), knows()]).findings.is_empty());
    let checked = run(vec![game(), knows(), extra()]);
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
    let boon = checked.loaded.expect("fine").entities.into_iter().find(|entity| entity.id == "boon").expect("there");
    assert_eq!((boon.json["copies"].as_i64(), boon.packs), (Some(2), vec!["extra".to_owned(), "a".to_owned()]));
    let stray = run(vec![game(), patches("a", "", patch)]);
    assert!(only(&stray, "P0202").help.is_some_and(|help| help.contains("`optional`")));
    // Without naming the pack, its entities are out of reach.
    let unknown = patches("z", "", &set("boon", r#"{"copies": 2}"#));
    assert!(only(&run(vec![game(), unknown, extra()]), "P0209").help.is_some_and(|help| help.contains("`extra`")));
}

#[test]
fn pins_do_not_count_what_strangers_add() {
    let more = |id: &str| {
        extension(id, "")
            .with("cards.json", format!(r#"{{"cards": [{{"id": "{id}-card", "type": "event", "zone": "deck"}}]}}"#))
            .with("locale/en/a.json", format!(r#"{{"messages": {{"card.{id}-card.title": "Card"}}}}"#))
    };
    assert!(run(vec![game(), more("a"), more("b")]).findings.is_empty());
    let checked = run(vec![game(), patches("a", "", &set("toil", r#"{"copies": 2}"#))]);
    assert!(only(&checked, "P0501").message.contains("expected 3 cards, found 4"));
}

#[test]
fn a_pin_notices_what_any_pack_removes() {
    // A card, the second copy of one, and a supply with its kind; the pack that removes them builds on the game or not.
    let wrong = |patch: &str| {
        let finding = only(&run(vec![game(), patches("a", "", patch)]), "P0501");
        (finding.message, finding.help.expect("the patch of the pin"))
    };
    let (message, help) = wrong(r#"{"of": "cards", "id": "luck", "remove": true}"#);
    assert_eq!(message, "pin `deck`: expected 3 cards, found 1");
    assert!(help.ends_with(r#"{ "of": "pins", "id": "deck", "set": { "count": 1 } }"#), "{help}");
    assert_eq!(wrong(&set("luck", r#"{"copies": 1}"#)).0, "pin `deck`: expected 3 cards, found 2");
    let removal = r#"{"of": "spaces", "id": "middle", "remove": true}"#;
    let map = only(&run(vec![map(), patches("a", "", removal)]), "P0501");
    assert_eq!(map.message, "pin `lands`: expected 3 spaces, found 2");
}

/// A map of three spaces in a row, and a pin of them.
fn map() -> MemoryPack {
    game()
        .with(
            "spaces.json",
            r#"{"spaces": [{"id": "west", "kind": "land", "at": [0, 0], "adjacent": ["middle", "east"]},
            {"id": "middle", "kind": "land", "at": [1, 0], "adjacent": ["west", "east"]},
            {"id": "east", "kind": "land", "at": [2, 0], "adjacent": ["middle", "west"]}]}"#,
        )
        .with("locale/en/map.json", r#"{"messages": {"space.west": "West", "space.middle": "Middle", "space.east": "East", "word.land": "Land"}}"#)
        .with("map-pins.json", r#"{"pins": [{"id": "lands", "of": "spaces", "count": 3}]}"#)
}

#[test]
fn a_space_is_removed_by_one_patch() {
    let removal =
        r#"{"of": "spaces", "id": "middle", "remove": true}, {"of": "pins", "id": "lands", "set": {"count": 2}}"#;
    let checked = run(vec![map(), patches("a", "", removal)]);
    assert!(checked.findings.is_empty(), "{}", print_human(&checked.findings, false));
    let loaded = checked.loaded.expect("no finding");
    let west = loaded.entities.iter().find(|entity| entity.id == "west").expect("it stays");
    assert_eq!(west.json["adjacent"], serde_json::json!(["east"]));
    // The pack that removes it must not name it.
    let names = patches("a", "", removal).with(
        "spaces.json",
        r#"{"spaces": [{"id": "isle", "kind": "land", "at": [3, 0], "adjacent": [], "exits": ["middle"]}]}"#,
    );
    let checked = run(vec![map(), names]);
    assert!(checked.findings.iter().any(|finding| finding.code == "P0218"), "{:?}", checked.findings);
}

#[test]
fn lists_grow_and_shrink_by_patches() {
    let change = |way: &str, id: &str, items: &str| {
        format!(r#"{{"of": "spaces", "id": "{id}", "{way}": {{"adjacent": {items}}}}}"#)
    };
    let cut = format!("{},\n{}", change("take", "west", r#"["east"]"#), change("take", "east", r#"["west"]"#));
    let checked = run(vec![map(), patches("a", "", &cut)]);
    assert!(checked.findings.is_empty(), "{}", print_human(&checked.findings, false));
    // Patches of different items do not contradict each other, and neither do equal patches.
    let both = || format!("{},\n{}", change("take", "west", r#"["middle"]"#), change("take", "middle", r#"["west"]"#));
    let checked = run(vec![map(), patches("a", "", &cut), patches("b", "", &both()), patches("c", "", &cut)]);
    let codes: Vec<&str> = checked.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["P0403"], "{}", print_human(&checked.findings, false));
    let missing = run(vec![map(), patches("a", "", &change("take", "west", r#"["esat"]"#))]);
    assert_eq!(only(&missing, "P0209").help.as_deref(), Some("did you mean `east`?"));
    let there = run(vec![map(), patches("a", "", &change("add", "west", r#"["east"]"#))]);
    assert_eq!(line(&only(&there, "P0212")), 2);
    let no_list = r#"{"of": "spaces", "id": "west", "add": {"kind": ["land"]}}"#;
    let no_list = run(vec![map(), patches("a", "", no_list)]);
    assert!(only(&no_list, "P0209").message.contains("`kind` is not a list"));
    let twice = format!("{},\n{}", change("take", "west", r#"["east"]"#), change("add", "west", r#"["east"]"#));
    let twice = run(vec![map(), patches("a", "", &twice)]);
    assert!(twice.findings.iter().any(|finding| finding.code == "P0213"));
}

#[test]
fn a_wrong_item_that_a_patch_adds_is_reported_at_the_item() {
    let patch = r#"{"of": "spaces", "id": "middle", "add": {"adjacent": ["north"]}},
{"of": "spaces", "id": "west", "add": {"adjacent": ["nowhere", "middle"]}}"#;
    let findings = run(vec![map(), patches("a", "", patch)]).findings;
    let places: Vec<(String, usize, usize)> = findings
        .iter()
        .filter(|finding| finding.code == "P0202")
        .map(|finding| (finding.file.clone(), finding.span.line, finding.span.column))
        .collect();
    assert_eq!(places, [("a/patches.json".to_owned(), 2, 55), ("a/patches.json".to_owned(), 3, 53)]);
}

#[test]
fn a_wrong_pin_of_an_earlier_pack_comes_with_its_patch() {
    let checked = run(vec![game(), patches("a", "", &set("toil", r#"{"copies": 2}"#))]);
    let help = only(&checked, "P0501").help.expect("help");
    let patch = help.split_once(": ").map(|(_, patch)| patch).expect("a patch");
    let both = format!("{},\n{patch}", set("toil", r#"{"copies": 2}"#));
    assert!(run(vec![game(), patches("a", "", &both)]).findings.is_empty(), "{patch}");
}

#[test]
fn a_pin_counts_the_edges_of_tiles_and_adds_up_supplies() {
    let tiles = |edges: &str, supply: u32| {
        let procedure = r#"{"procedures": [{"id": "tiles", "grid": {"shape": "squares", "kind": "cell", "columns": 2, "rows": 2},
            "zones": ["land"], "edges": [{"id": "road", "sign": "+", "meets": ["road"]}, {"id": "grass", "sign": ".",
            "meets": ["grass"]}]}]}"#;
        let cards = format!(
            r#"{{"cards": [{{"id": "bend", "type": "event", "copies": 3, "zone": "deck", "tile": {{"edges": "{edges}"}}}}]}}"#
        );
        let counters = format!(r#"{{"counters": [{{"id": "gold", "scope": "faction", "supply": {supply}}}]}}"#);
        let pins = r#"{"pins": [{"id": "roads", "of": "edges", "where": {"edge": "road", "type": "event"}, "count": 6},
            {"id": "edges", "of": "edges", "count": 12},
            {"id": "coins", "of": "counters", "where": {"id": "gold"}, "sum": "supply", "is": 20}]}"#;
        let land = r#"{"zones": [{"id": "land", "scope": "game"}]}"#;
        let texts = r#"{"messages": {"card.bend.title": "Bend", "zone.land": "Land", "counter.gold": "Gold", "word.cell": "Cell",
            "word.road": "Road", "word.grass": "Grass"}}"#;
        let pack = game().with("tiles.json", procedure).with("bend.json", cards).with("land.json", land);
        let pack = pack.with("gold.json", counters).with("numbers.json", pins).with("locale/en/tiles.json", texts);
        run(vec![pack.with("pins.json", r#"{"pins": [{"id": "deck", "of": "cards", "count": 6}]}"#)])
    };
    let wrong = |checked: Checked| -> Vec<String> {
        let pins = checked.findings.into_iter().filter(|finding| finding.code == "P0501");
        pins.map(|finding| finding.message).collect()
    };
    assert!(wrong(tiles("++..", 20)).is_empty());
    assert_eq!(wrong(tiles("+...", 20)), ["pin `roads`: expected 6 edges, found 3"]);
    assert_eq!(wrong(tiles("++.+", 20)), ["pin `roads`: expected 6 edges, found 9"]);
    assert_eq!(wrong(tiles("++..", 19)), ["pin `coins`: the sum of `supply` over these counters is 19, not 20"]);
}

#[test]
fn writers_are_listed_in_order() {
    let checked = run(vec![
        game(),
        patches("a", "", &set("luck", r#"{"params": {"gold": 5}}"#)),
        patches("b", r#", "optional": {"a": "*"}"#, &set("luck", r#"{"params": {"gold": 3}}"#)),
    ]);
    let loaded = checked.loaded.unwrap_or_else(|| panic!("{}", print_human(&checked.findings, false)));
    let luck = loaded.entities.iter().find(|entity| entity.id == "luck").expect("there");
    let writers: Vec<String> = loaded
        .writers(luck, "/params/gold")
        .into_iter()
        .map(|w| format!("{} {}:{} {:?}", w.pack, w.file, w.line, w.value.and_then(|value| value.as_i64())))
        .collect();
    assert_eq!(writers, ["tiny tiny/cards.json:5 Some(2)", "a a/patches.json:2 Some(5)", "b b/patches.json:2 Some(3)"]);
    assert_eq!(loaded.writers(luck, "/copies").len(), 1);
    assert!(loaded.writers(luck, "/nothing").is_empty());
}

const HELMET: &str = r##"{"looks": [{"id": "tiny", "symbols": {"helmet": "M4 20V10h16v10z"},
    "factions": {"red": {"color": "#aa1122", "symbol": "helmet"}}}]}"##;

#[test]
fn a_look_changes_no_game() {
    let plain = run(vec![game()]).loaded.unwrap();
    let dressed = run(vec![game().with("look.json", HELMET)]).loaded.unwrap();
    assert_eq!(plain.fingerprint, dressed.fingerprint);
    let helmet = SymbolName("helmet".to_owned());
    assert_eq!(dressed.look.symbol(Some(&helmet)), Some("M4,20 L4,10 L20,10 L20,20 Z"));
}

#[test]
fn an_extension_adds_to_a_look_and_patches_it() {
    let patch = r##"{"patches": [{"of": "looks", "id": "tiny", "set": {"factions": {"red": {"color": "#bb2233"}}}}],
        "looks": [{"id": "more", "factions": {"blue": {"symbol": "helmet"}}}]}"##;
    let packs = vec![game().with("look.json", HELMET), extension("more", "").with("more.look.json", patch)];
    let checked = run(packs);
    assert!(!checked.findings.iter().any(Finding::is_error), "{}", print_human(&checked.findings, false));
    let look = checked.loaded.unwrap().look;
    let helmet = SymbolName("helmet".to_owned());
    assert_eq!(look.factions["red"].color.as_ref().unwrap().as_str(), "#bb2233");
    assert_eq!(look.factions["red"].symbol.as_ref(), Some(&helmet));
    assert_eq!(look.factions["blue"].symbol.as_ref(), Some(&helmet));
}

#[test]
fn looks_are_in_files_whose_names_say_so() {
    only(&run(vec![game().with("looks.json", HELMET)]), "P0012");
    let rule = r#"{"patches": [{"of": "cards", "id": "luck", "set": {"params": {"gold": 3}}}]}"#;
    only(&run(vec![game().with("look.json", HELMET), extension("more", "").with("look.json", rule)]), "P0012");
    let missing = HELMET.replace("\"red\"", "\"rde\"");
    only(&run(vec![game().with("look.json", missing)]), "P0202");
}
