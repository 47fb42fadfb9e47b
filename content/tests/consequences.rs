//! A mistake is reported once, at its cause, and a mistake beside it is not hidden.

mod common;

use std::sync::Arc;

use common::{base, file};
use principes_content::{LoadOptions, Stage, check};
use principes_findings::{Finding, print_human};
use principes_source::{MemoryPack, PackSource};

/// What a check finds in the game with other files; an empty one is left out.
fn found(changed: &[(&'static str, String)]) -> Vec<Finding> {
    let mut files = base();
    files.extend(changed.iter().cloned());
    files.retain(|_, text| !text.is_empty());
    let pack = files.into_iter().fold(MemoryPack::new("toy"), |pack, (path, text)| pack.with(path, text));
    let options = LoadOptions { search: Vec::new(), until: Stage::Scripts, ..LoadOptions::default() };
    check(&[Arc::new(pack) as Arc<dyn PackSource>], &options).findings
}

#[track_caller]
fn assert_codes(title: &str, changed: &[(&'static str, String)], codes: &[&str]) -> Vec<Finding> {
    let found = found(changed);
    let have: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(have, codes, "{title}:\n{}", print_human(&found, false));
    found
}

fn spaces(ford: &str, moor: &str) -> (&'static str, String) {
    let of = |id: &str, x: u8, other: &str, props: &str| {
        format!(r#"{{"id": "{id}", "kind": "land", "at": [{x}, 0], "adjacent": ["{other}"], "props": {{{props}}}}}"#)
    };
    ("spaces.json", format!(r#"{{"spaces": [{}, {}]}}"#, of("ford", 0, "moor", ford), of("moor", 1, "ford", moor)))
}

fn might(ford: i32, moor: i32) -> (&'static str, String) {
    spaces(&format!(r#""might": {ford}"#), &format!(r#""might": {moor}"#))
}

fn pins(list: &str) -> (&'static str, String) {
    ("pins.json", format!(r#"{{"pins": [{list}]}}"#))
}

const ALL: &str = r#"{"id": "all", "of": "spaces", "sum": "might", "is": 3}"#;
const FORD: &str = r#"{"id": "ford", "of": "spaces", "where": {"id": "ford"}, "sum": "might", "is": 2}"#;
const MOOR: &str = r#"{"id": "moor", "of": "spaces", "where": {"id": "moor"}, "sum": "might", "is": 1}"#;

#[test]
fn a_changed_number_is_reported_at_its_narrowest_pin() {
    let three = format!("{ALL}, {FORD}, {MOOR}");
    assert_codes("all are right", &[might(2, 1), pins(&three)], &[]);
    let one = assert_codes("one space", &[might(3, 1), pins(&three)], &["P0501"]);
    assert!(one[0].message.contains("`ford`"), "{}", one[0].message);
    assert_eq!(one[0].labels[0].message, "pin `all` is wrong because of this");
    let both =
        assert_codes("both spaces, so that the sum is wrong by two", &[might(3, 2), pins(&three)], &["P0501"; 2]);
    assert!(both.iter().all(|finding| !finding.message.contains("`all`")));
    let supply = pins(
        r#"{"id": "pieces", "of": "pieces", "count": 1}, {"id": "red", "of": "pieces", "where": {"faction": "red"}, "count": 1},
        {"id": "knights", "of": "pieces", "where": {"kind": "knight", "faction": "red"}, "count": 1}"#,
    );
    assert_codes("three pins that count the same", &[supply], &["P0501"]);
}

#[test]
fn pins_that_are_wrong_for_other_reasons_are_reported() {
    let three = format!("{ALL}, {FORD}, {MOOR}");
    assert_codes("the sum is right again", &[might(3, 0), pins(&three)], &["P0501"; 2]);
    let all = ALL.replace('3', "5");
    assert_codes("the sum was wrong before", &[might(3, 1), pins(&format!("{all}, {FORD}"))], &["P0501"; 2]);
    assert_codes("one pin more", &[might(4, 2), pins(&format!("{ALL}, {FORD}"))], &["P0501"; 2]);
    let nothing = r#"{"id": "blue", "of": "pieces", "where": {"faction": "blue"}, "count": 1},
        {"id": "foot", "of": "pieces", "where": {"class": "infantry"}, "count": 1}"#;
    assert_codes("pins that count nothing have nothing in common", &[pins(nothing)], &["P0501"; 2]);
}

fn cards(zone: &str) -> (&'static str, String) {
    ("cards.json", file("cards.json").replace(r#""deck""#, &format!("{zone:?}")))
}

#[test]
fn a_pin_rests_on_what_it_counts() {
    let zone = |count: i32| {
        pins(&format!(r#"{{"id": "deck", "of": "cards", "where": {{"zone": "deck"}}, "count": {count}}}"#))
    };
    assert_codes("the field of a filter", &[cards("void"), zone(1)], &["P0202"]);
    assert_codes("a number that is none", &[spaces(r#""might": "two""#, r#""might": 1"#), pins(ALL)], &["P0215"]);
    let bounds = file("counters.json").replace(r#""max""#, r#""min": 70, "max""#).replace(r#", "start": 2"#, "");
    let least = pins(r#"{"id": "least", "of": "counters", "sum": "min", "is": 0}"#);
    let bounds = ("counters.json", bounds);
    assert_codes("a bound", &[bounds.clone(), least], &["P0407"]);
    let with =
        |count: i32| pins(&format!(r#"{{"id": "low", "of": "counters", "where": {{"min": 7}}, "count": {count}}}"#));
    assert_codes("one is missing, and one has a wrong field", &[bounds.clone(), with(1)], &["P0407"]);
    assert_codes("two are missing, and one has a wrong field", &[bounds, with(2)], &["P0407", "P0501"]);
    let ford = spaces(r#""might": 4, "harvest": "rya""#, r#""might": 1"#);
    assert_codes("an error in a field that it does not read", &[ford, pins(ALL)], &["P0215", "P0501"]);
}

fn main_with(body: &str) -> (&'static str, String) {
    ("scripts/main.lua", file("scripts/main.lua").replace("\nend\n", &format!("\n{body}\nend\n")))
}

fn luck(before: &str, body: &str) -> (&'static str, String) {
    let script = file("scripts/cards.lua").replace("  add(counter.gold, self.gold, seat)", body);
    ("scripts/cards.lua", script.replace("local M = {}\n", &format!("local M = {{}}\n{before}\n")))
}

#[test]
fn a_misspelled_prop_says_nothing_about_the_values_in_scripts() {
    let sea = r#"{"id": "sea.harvset", "of": "spaces", "in": ["sea"], "type": "keyword", "words": {"kelp": "Kelp.", "fish": "Fish."},
        "doc": "What is fished there."}"#;
    let props = file("props.json").trim_end().trim_end_matches("]\n}").to_owned() + ", " + sea + "]}";
    let names = r#"{"messages": {"prop.sea.harvset": "Harvest", "prop.sea.harvset.kelp": "kelp", "prop.sea.harvset.fish": "fish"}}"#;
    let moor = file("spaces.json")
        .replace(r#""id": "moor", "kind": "land""#, r#""id": "moor", "kind": "sea", "props": {"harvest": "kelp"}"#);
    let ford =
        moor.replace(r#""id": "ford", "kind": "land""#, r#""id": "ford", "kind": "sea", "props": {"harvest": "fish"}"#);
    for (title, body) in [
        ("compared", r#"if prop(space.moor, "harvest") == "kelp" then draw_game("peace") end"#),
        ("compared the other way", r#"if "fish" == prop(space.moor, "harvest") then draw_game("peace") end"#),
        ("in a list", r#"if contains({"kelp"}, prop(space.moor, "harvest")) then draw_game("peace") end"#),
    ] {
        let files = [
            ("props.json", props.clone()),
            ("locale/en/sea.json", names.to_owned()),
            ("spaces.json", ford.clone()),
            main_with(body),
        ];
        assert_codes(title, &files, &["P0214"]);
    }
    let wrong = main_with(r#"if prop(space.moor, "harvest") == "kelp" then draw_game("peace") end"#);
    assert_codes("a word that no prop has", &[wrong], &["P0318"]);
}

#[test]
fn arguments_in_the_wrong_order_are_one_mistake() {
    for (title, before, body, codes) in [
        ("two", "", "add(self.gold, counter.gold, seat)", &["P0312"][..]),
        ("the first and the last", "", "add(seat, self.gold, counter.gold)", &["P0312"]),
        ("three", "", "add(seat, counter.gold, self.gold)", &["P0312"]),
        (
            "of a function of the pack",
            "local function give(amount, who) add(counter.gold, amount, who) end",
            "give(seat, self.gold)",
            &["P0312"],
        ),
        ("values that fit in no order", "", "add(seat, zone.deck, seat)", &["P0312", "P0312"]),
        (
            "two calls",
            "",
            "add(self.gold, counter.gold, seat)\n  add(seat, self.gold, counter.gold)",
            &["P0312", "P0312"],
        ),
    ] {
        let found = assert_codes(title, &[luck(before, body)], codes);
        let is_order = found[0].message.contains("in the wrong order");
        assert_eq!(is_order, title != "values that fit in no order", "{title}: {}", found[0].message);
    }
}

/// The game in two languages, with these texts of a card.
fn translated(english: &str, polish: &str) -> Vec<(&'static str, String)> {
    let with = |text: &str| file("locale/en/base.json").replace("Gain {gold} gold.", text);
    vec![
        ("pack.json", file("pack.json").replace(r#"["en"]"#, r#"["en", "pl"]"#)),
        ("locale/en/base.json", with(english)),
        ("locale/pl/base.json", with(polish)),
        ("locale/pl/props.json", file("locale/en/props.json")),
    ]
}

#[test]
fn placeholders_are_compared_where_they_are_right() {
    for (english, polish, codes) in [
        ("Gain {gold} gold.", "Weź {gold} sztuk złota.", &[][..]),
        ("Gain {glod} gold.", "Weź {gold} sztuk złota.", &["P0603"]),
        ("Gain {gold} gold.", "Weź {glod} sztuk złota.", &["P0603"]),
        ("Gain {gold gold.", "Weź {gold} sztuk złota.", &["P0606"]),
        ("Gain {gold} gold.", "Weź gold} sztuk złota.", &["P0606"]),
        ("Gain 2 gold.", "Weź {gold} sztuk złota.", &["P0610"]),
        ("Gain {gold} gold.", "Weź 2 sztuki złota.", &["P0610"]),
        ("Gain {gold} gold.", "Weź złoto.", &["P0607"]),
        ("Gain gold.", "Weź {gold} sztuk złota.", &["P0607"]),
        ("Gain {gold} gold, or 2.", "Weź złoto.", &["P0607"]),
        ("Gain {gold} gold.", "Weź 3 sztuki złota.", &["P0607"]),
    ] {
        assert_codes(&format!("{english} {polish}"), &translated(english, polish), codes);
    }
    let mut apart = translated("Gain {gold} gold.", "Weź złoto.");
    apart[2].1 = apart[2].1.replace("\"Luck\"", "\"{gold\"");
    assert_codes("mistakes in two messages", &apart, &["P0606", "P0607"]);
}

#[test]
fn messages_of_a_misspelled_word_are_missing_because_of_it() {
    let word = |from: &str, to: &str| ("props.json", file("props.json").replace(from, to));
    let grows = |ford: &str, moor: &str| spaces(&format!(r#""harvest": "{ford}""#), &format!(r#""harvest": "{moor}""#));
    let at_props = |found: &[Finding]| assert_eq!(found[0].file, "toy/props.json");
    at_props(&assert_codes("a word", &[word(r#""flax":"#, r#""falx":"#), grows("flax", "flax")], &["P0215"]));
    at_props(&assert_codes("the other", &[word(r#""rye":"#, r#""rey":"#), grows("rye", "rye")], &["P0215"]));
    let new = word(r#""flax":"#, r#""hops": "Hops.", "falx":"#);
    assert_codes("a word without a message", &[new, grows("flax", "flax")], &["P0215", "P0601"]);
}

#[test]
fn what_is_in_a_file_with_a_bad_name_is_not_missing() {
    for (from, to) in [
        ("cards.json", "my cards.json"),
        ("zones.json", "con.json"),
        ("spaces.json", "sp\u{e4}ces.json"),
        ("scripts/tax.lua", "scripts/tax .lua"),
        ("locale/en/base.json", "locale/en/base copy of mine.json"),
    ] {
        assert_codes(to, &[(from, String::new()), (to, file(from))], &["P0002"]);
    }
    let twin = [("Cards.json", file("counters.json")), ("counters.json", String::new())];
    assert_codes("one of two names that differ in case", &twin, &["P0002"]);
    let typo = ("cards.json", file("cards.json").replace("\"deck\"", "\"dekc\""));
    assert_codes("a typo beside it", &[typo, ("a b.json", "{}".to_owned())], &["P0002", "P0202"]);
}
