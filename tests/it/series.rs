//! Series: entries that stand for several cards, as authors meet them: shown, patched, exported, and mutated.

use std::collections::BTreeSet;

use crate::common::program::{Place, code, errors, json, text};

/// An extension of the base game with a series of four cards.
fn with_series() -> Place {
    let place = Place::new();
    assert_eq!(code(&place.run(&["new", "gifts", "--kind", "cards"])), 0);
    place.write(
        "gifts/suits.json",
        r#"{
  "cards": [
    {
      "id": "{suit}-{gold}",
      "each": [{ "name": "suit", "values": ["cups", "coins"] }, { "name": "gold", "values": [1, 2] }],
      "type": "court",
      "zone": "court-deck",
      "props": { "timing": "turn", "symbol": "people" },
      "params": { "gold": "{gold}" },
      "hooks": { "card.play": "gifts.gift_play" },
      "provenance": { "designed": "a test" }
    }
  ]
}
"#,
    );
    place.write(
        "gifts/suits.en.json",
        r#"{
  "messages": {
    "card.{suit}-{gold}.title": "Card of {gold}",
    "card.{suit}-{gold}.text": "Gain {gold} gold.",
    "card.cups-{gold}.title": "Cup of {gold}",
    "card.cups-2.title": "The Great Cup"
  }
}
"#,
    );
    place
}

#[test]
fn each_card_of_a_series_is_a_card_of_its_own() {
    let place = with_series();
    let check = || json(&place.run(&["check", "gifts", "--format", "json"]))["findings"].clone();
    let unreached = check();
    assert_eq!(unreached.as_array().unwrap().len(), 1, "the hook of the series once: {unreached:#}");
    assert_eq!(unreached[0]["code"], "P0704");
    // One card of the series is enough.
    place.write(
        "gifts/suits.scenarios.json",
        r#"{"scenarios": [{"id": "coins-pay", "title": "Coins pay", "given": [{"counter": "gold", "of": "masovia", "set": 1}],
            "run": {"perform": "coins-2", "point": "card.play", "seat": "masovia"},
            "then": [{"counter": "gold", "of": "masovia", "is": 3}]}]}"#,
    );
    assert_eq!(code(&place.run(&["test", "gifts", "--accept"])), 0);
    assert_eq!(check(), serde_json::json!([]));
    let list = text(&place.run(&["show", "--list", "cards", "--pack", "gifts"]));
    let titles = |id: &str| list.lines().find_map(|line| line.strip_prefix(id)).unwrap_or_default().trim().to_owned();
    let found = ["cups-1", "cups-2", "coins-1", "coins-2"].map(titles);
    assert_eq!(found, ["Cup of 1", "The Great Cup", "Card of 1", "Card of 2"]);
    let order: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    let at = |id: &str| order.iter().position(|other| *other == id).unwrap();
    assert!(at("cups-1") < at("cups-2") && at("cups-2") < at("coins-1"), "{list}");
    let shown = text(&place.run(&["show", "coins-2", "--pack", "gifts"]));
    assert!(shown.contains("Gain 2 gold.") && shown.contains("suits.json:3"), "{shown}");
}

#[test]
fn other_packs_patch_one_card_of_a_series() {
    let place = with_series();
    place.write(
        "more/pack.json",
        r#"{"format": 1, "id": "more", "version": "0.1.0", "api": 1, "title": "More", "authors": [], "license": "MIT",
            "kind": "extension", "requires": {"gifts": "^0.1.0"}, "languages": ["en"]}"#,
    );
    place.write(
        "more/patches.json",
        r#"{"patches": [{"of": "cards", "id": "coins-1", "set": {"copies": 3}},
            {"of": "cards", "id": "coins-2", "set": {"zone": "court-dekc"}}]}"#,
    );
    let report = json(&place.run(&["check", "more", "--format", "json"]));
    let findings = report["findings"].as_array().unwrap();
    let places: Vec<_> = findings.iter().map(|it| (it["code"].as_str().unwrap(), it["line"].as_u64())).collect();
    assert_eq!(places, [("P0202", Some(2))], "{findings:#?}");
    assert!(findings[0]["file"].as_str().unwrap().ends_with("patches.json"), "at the patch, not at the series");
    place.write("more/patches.json", r#"{"patches": [{"of": "cards", "id": "coins-1", "set": {"copies": 3}}]}"#);
    let packs = ["--pack", "gifts", "--pack", "more"];
    let copies = |id: &str| text(&place.run(&[&["show", id][..], &packs].concat()));
    assert!(copies("coins-1").contains("copies      3"), "{}", copies("coins-1"));
    assert!(!copies("coins-2").contains("copies      3"));
    let why = text(&place.run(&[&["show", "coins-1", "--why", "copies"][..], &packs].concat()));
    assert!(why.contains("more") && why.contains("patches.json"), "{why}");
}

#[test]
fn tables_show_the_cards_of_a_series_and_do_not_change_them() {
    let place = with_series();
    assert_eq!(code(&place.run(&["print", "court", "--pack", "gifts", "--format", "csv", "--out", "t.csv"])), 0);
    let table = place.read("t.csv");
    assert!(table.contains("gifts,coins-2,court,court-deck") && table.contains("The Great Cup"), "{table}");
    let import = |table: &str| {
        place.write("u.csv", table);
        place.run(&["import", "u.csv", "--pack", "gifts", "--dry-run"])
    };
    assert_eq!(code(&import(&table)), 0, "nothing has changed");
    let before = place.read("gifts/suits.json");
    for (old, new, says) in [
        ("coins-2,court,court-deck,,1", "coins-2,court,court-deck,,2", "it is one card of a series"),
        ("Card of {gold}", "Coin", "the text is that of a series"),
    ] {
        let changed = table.replacen(old, new, 1);
        assert_ne!(changed, table, "{old}");
        let output = import(&changed);
        assert!(code(&output) != 0 && errors(&output).contains(says), "{}", errors(&output));
    }
    assert_eq!(place.read("gifts/suits.json"), before);
}

#[test]
fn mistakes_in_a_series_are_made_once_and_found() {
    let place = with_series();
    assert_eq!(code(&place.run(&["test", "gifts", "--accept", "--texts"])), 0);
    let classes = "id-typo,keyword-typo,prop-typo,reference-typo,message-typo,number";
    let filter = ["mutate", "gifts", "--filter", "suits", "--classes", classes, "--format", "json"];
    let report = json(&place.run(&filter));
    let mutants = report["mutants"].as_array().unwrap();
    let kind = |mutant: &serde_json::Value| {
        ["class", "line", "column", "becomes"].map(|field| mutant[field].to_string()).join(" ")
    };
    let kinds: BTreeSet<String> = mutants.iter().map(kind).collect();
    assert_eq!(kinds.len(), mutants.len(), "each mistake once: {kinds:?}");
    assert_eq!(report["classes"]["id-typo"]["made"], 1);
    let unnoticed: Vec<_> = mutants.iter().filter(|mutant| mutant["result"] == "survived").collect();
    assert!(mutants.len() > 10 && unnoticed.is_empty(), "{unnoticed:#?}");
}
