//! Tables of cards can be exported and imported: a table that was only opened and saved changes nothing, one changed
//! cell changes one value, and a table with mistakes changes nothing.

use std::process::Command;

use principes_app::packs::{OpenPacks, PackRequest};
use principes_author::spreadsheet::{export, import, outcome};
use serde_json::{Value, json};

use super::packs;
use super::rewritings::{COUNT, rewritten};
use crate::common::program::{Place, code, errors};

const PACK: &str = "my-cards";
const TABLE: &str = "my-cards.csv";

/// A pack with one card for the base game, in an unusual layout, and its table.
fn with_table() -> Place {
    let place = Place::new();
    let made = place.run(&["new", PACK, "--kind", "cards"]);
    assert_eq!(code(&made), 0, "{}", errors(&made));
    let cards = std::fs::read_to_string(place.file("my-cards/cards.json")).unwrap();
    std::fs::write(place.file("my-cards/cards.json"), cards.replace("\"params\": {", "\"params\":    {")).unwrap();
    export_to(&place, TABLE);
    place
}

fn export_to(place: &Place, table: &str) {
    let made = place.run(&["print", "my-cards-gift", "--format", "csv", "--pack", PACK, "--out", table, "--force"]);
    assert_eq!(code(&made), 0, "{}", errors(&made));
}

fn texts(place: &Place) -> Vec<String> {
    let read = |name: &str| std::fs::read_to_string(place.file(name)).unwrap();
    vec![read("my-cards/cards.json"), read("my-cards/cards.en.json")]
}

/// Changes the table and imports it.
fn import_with(place: &Place, from: &str, to: &str, more: &[&str]) -> std::process::Output {
    let table = std::fs::read_to_string(place.file(TABLE)).unwrap();
    assert!(table.contains(from), "{table}");
    std::fs::write(place.file(TABLE), table.replace(from, to)).unwrap();
    place.run(&[&["import", TABLE, "--pack", PACK], more].concat())
}

fn assert_unchanged(name: &str, packs: &OpenPacks, table: &[u8]) {
    let import = import(packs, table).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    let changes: Vec<_> = import.changes.iter().map(|it| (&it.card, &it.column, &it.before, &it.after)).collect();
    assert!(changes.is_empty(), "{name}: {changes:?}");
}

#[test]
fn tables_that_were_only_opened_come_back_without_a_change() {
    for pack in packs() {
        let name = pack.name.clone();
        let packs = OpenPacks::new(pack.loaded);
        let table = export(&packs, &|_| true);
        let cards = packs.catalog.designs.len();
        assert!(table.lines().count() > cards, "{name}");
        assert_unchanged(&name, &packs, table.as_bytes());
        for number in 0..COUNT {
            assert_unchanged(&format!("{name}, rewriting {number}"), &packs, &rewritten(&table, number));
        }
    }
}

/// Ids and titles that spreadsheets take for numbers, dates, flags or formulas.
const ODD: [(&str, &str); 15] = [
    ("may-5", "007"),
    ("mar-1", "1/2"),
    ("dec-12", "MAR1"),
    ("e5", "TRUE"),
    ("true", "=1+1"),
    ("wahr", "'5"),
    ("a-1", "+5"),
    ("b-1", "1e5"),
    ("c-1", "5.0"),
    ("d-1", "yes"),
    ("f-1", "1,5"),
    ("g-1", "5 zł"),
    ("h-1", "Prawda"),
    ("i-1", "12:30"),
    ("j-1", "\"a\"; b, c"),
];

#[test]
fn texts_that_look_like_numbers_come_back_as_texts() {
    let place = with_table();
    let mut cards: Value = serde_json::from_str(&place.read("my-cards/cards.json")).unwrap();
    let mut texts: Value = serde_json::from_str(&place.read("my-cards/cards.en.json")).unwrap();
    let card = cards["cards"][0].clone();
    for (id, title) in ODD {
        let mut odd = card.clone();
        odd["id"] = json!(id);
        cards["cards"].as_array_mut().unwrap().push(odd);
        texts["messages"][format!("card.{id}.title")] = json!(title);
    }
    place.write("my-cards/cards.json", &cards.to_string());
    place.write("my-cards/cards.en.json", &texts.to_string());
    principes_games::install();
    let request = PackRequest { paths: vec![place.file("my-cards")], ..PackRequest::default() };
    let packs = OpenPacks::open(&request).unwrap();
    let table = export(&packs, &|id| id == "my-cards-gift" || ODD.iter().any(|(odd, _)| *odd == id));
    for number in 0..COUNT {
        assert_unchanged(&format!("rewriting {number}"), &packs, &rewritten(&table, number));
    }
}

#[test]
fn flags_are_flags_in_every_language() {
    let pack = packs().into_iter().find(|pack| pack.name.ends_with("lanes")).unwrap();
    let packs = OpenPacks::new(pack.loaded);
    let table = export(&packs, &|id| id == "ford");
    assert!(table.contains("props.mill"), "{table}");
    for (cell, value) in [("TRUE", Some(true)), ("WAHR", Some(true)), (" prawda", Some(true)), ("no", None), ("", None)]
    {
        let import = import(&packs, format!("id,props.mill\nford,{cell}\n").as_bytes()).unwrap();
        let values: Vec<_> = import.edits().iter().filter_map(|edit| edit.value.clone()).collect();
        let wanted: Vec<Value> = value.iter().flat_map(|value| [json!({}), json!(value)]).collect();
        assert_eq!(values, wanted, "{cell}");
        assert_eq!(
            import.changes.iter().map(|it| it.after.as_str()).collect::<Vec<_>>(),
            vec!["yes"; wanted.len() / 2]
        );
    }
    for cell in ["ture", "2", "\"TRUE, or not\"", "TRUE FALSE"] {
        let refused = import(&packs, format!("id,props.mill\nford,{cell}\n").as_bytes()).unwrap_err();
        assert!(
            refused[0].to_string().starts_with("B2: `props.mill` of `ford`: expected `yes` or `no`"),
            "{refused:?}"
        );
    }
}

#[test]
fn one_cell_of_many_is_found_that_breaks_the_packs() {
    let pack = packs().into_iter().find(|pack| pack.name == "principes").unwrap();
    let packs = OpenPacks::new(pack.loaded);
    // The base game is in its folder here, and nothing is written.
    let changed = import(&packs, "id,copies,title.en\npilgrimage,7,Pilgrims\n".as_bytes()).unwrap();
    assert_eq!(changed.changes.len(), 2);
    let outcome = outcome(&packs, &changed).unwrap_or_else(|refused| panic!("{refused}"));
    assert!(!outcome.pins.is_empty(), "the base game pins the number of its cards");
}

#[test]
fn one_cell_changes_one_value() {
    let place = with_table();
    let before = texts(&place);
    let done = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!((code(&done), texts(&place)), (0, before.clone()), "{}", errors(&done));
    let done = import_with(&place, "Gain {gold} gold.", "\"Gain {gold} gold, \"\"zł\"\"; amen.\"", &["--dry-run"]);
    assert_eq!((code(&done), texts(&place)), (0, before.clone()), "{}", errors(&done));
    assert!(errors(&done).contains("my-cards-gift text.en: `Gain {gold} gold.` -> `Gain {gold} gold, \"zł\"; amen.`"));
    let done = import_with(&place, "court-deck,,1,", "court-deck,,2,", &[]);
    assert_eq!(code(&done), 0, "{}", errors(&done));
    assert!(errors(&done).contains("2 values in 2 files"), "{}", errors(&done));
    let wanted = [
        before[0].replace("\"copies\": 1", "\"copies\": 2"),
        before[1].replace("Gain {gold} gold.", "Gain {gold} gold, \\\"zł\\\"; amen."),
    ];
    assert_eq!(texts(&place), wanted);
    // The next export has the new values.
    let table = std::fs::read_to_string(place.file(TABLE)).unwrap();
    export_to(&place, TABLE);
    assert_eq!(std::fs::read_to_string(place.file(TABLE)).unwrap(), table);
}

#[test]
fn semicolons_and_missing_columns_are_fine() {
    let place = with_table();
    let before = texts(&place);
    std::fs::write(place.file(TABLE), "id;title.en;params.gold;params.new\r\nmy-cards-gift;Gift;4;7\r\n").unwrap();
    let done = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!(code(&done), 0, "{}", errors(&done));
    assert_eq!(texts(&place)[1], before[1].replace("Gift of a Merchant", "Gift"));
    let cards = texts(&place)[0].clone();
    assert!(cards.contains("\"gold\": 4") && cards.contains("\"new\": 7"), "{cards}");
}

#[test]
fn mistakes_have_places_and_change_nothing() {
    let place = with_table();
    let before = texts(&place);
    for (table, words) in [
        ("", "my-cards.csv:A1: the table is empty"),
        ("title.en\nx\n", "my-cards.csv:A1: the table has no column `id`"),
        ("id,titel.en\n", "my-cards.csv:B1: unknown column `titel.en`; did you mean `title.en`?"),
        ("id,id\n", "my-cards.csv:B1: duplicate column `id`"),
        (
            "id,copies\nmy-cards-gitf,1\n",
            "my-cards.csv:A2: unknown card `my-cards-gitf`; did you mean `my-cards-gift`?",
        ),
        (
            "id,copies\nmy-cards-gift,many\n",
            "my-cards.csv:B2: `copies` of `my-cards-gift`: expected a whole number, found `many`",
        ),
        ("id,copies\nmy-cards-gift,0\n", "my-cards.csv:B2: `copies` of `my-cards-gift`: `0` is below the minimum, 1"),
        (
            "id,copies\nmy-cards-gift,1001\n",
            "my-cards.csv:B2: `copies` of `my-cards-gift`: `1001` is above the maximum, 1000",
        ),
        ("id,params.gold\n\nmy-cards-gift,9999999999\n", "my-cards.csv:B3: `params.gold` of"),
        ("id,copies\nmy-cards-gift,1,more\n", "my-cards.csv:C2: `more` is in a column without a name"),
        ("id,copies\n,1\n", "my-cards.csv:A2: this row has no id"),
        ("id,copies\nmy-cards-gift,5.000\n", "my-cards.csv:B2: `copies` of `my-cards-gift`: `5.000` can mean"),
        ("id,some.thing\n", "my-cards.csv:B1: unknown column `some.thing`; name your own columns without a dot"),
        ("id,copies\nmy-cards-gift,2\nmy-cards-gift,3\n", "my-cards.csv:A3: `my-cards-gift` already has a row, row 2"),
        ("id,zone\nmy-cards-gift,court-dek\n", "unknown zone `court-dek`; did you mean `court-deck`?"),
        ("id,pack\nmy-cards-gift,other\n", "a table cannot move cards to other packs"),
        (
            "id,title.en\nmy-cards-gift,#NAME?\n",
            "`title.en` of `my-cards-gift`: `#NAME?` is an error of the spreadsheet",
        ),
        ("id,text.en\nmy-cards-gift,#BEZUG!\n", "my-cards.csv:B2: `text.en` of `my-cards-gift`: `#BEZUG!` is an error"),
        ("id,title.en\nmy-cards-gift,#####\n", "`#####` is an error of the spreadsheet"),
        ("id,params.gold\nmy-cards-gift,Err:508\n", "`Err:508` is an error of the spreadsheet"),
        ("id,title.pl\nmy-cards-gift,Dar\n", "no file has texts of this card in `pl`"),
        ("id,text.en\nmy-cards-gift,\"Gain\n", "my-cards.csv:B2: the quotes of this cell are not closed"),
        // The base game is part of the program.
        ("id,copies\npilgrimage,7\n", "is not in a folder"),
    ] {
        std::fs::write(place.file(TABLE), table).unwrap();
        let refused = place.run(&["import", TABLE, "--pack", PACK]);
        assert_eq!(code(&refused), 2, "{table:?}: {}", errors(&refused));
        assert!(errors(&refused).contains(words), "{table:?}: {}", errors(&refused));
        assert_eq!(texts(&place), before);
    }
}

#[test]
fn what_check_would_refuse_is_not_written() {
    let place = with_table();
    let before = texts(&place);
    for (table, words) in [
        // The text is in another file than the param.
        ("id,copies,params.gold\nmy-cards-gift,2,\n", "my-cards.csv:C2: `params.gold` of `my-cards-gift`: P0603"),
        (
            "id,title.en,text.en\nmy-cards-gift,Gift,Gain {golf} gold.\n",
            "my-cards.csv:C2: `text.en` of `my-cards-gift`: P0603",
        ),
        ("id,text.en\nmy-cards-gift,Gain {gold gold.\n", "my-cards.csv:B2: `text.en` of `my-cards-gift`: P0606"),
        ("id,props.timing\nmy-cards-gift,trun\n", "my-cards.csv:B2: `props.timing` of `my-cards-gift`: P02"),
        ("id,zone\nmy-cards-gift,\n", "my-cards.csv:B2: `zone` of `my-cards-gift`: "),
    ] {
        place.write(TABLE, table);
        for more in [&["--dry-run"][..], &[]] {
            let refused = place.run(&[&["import", TABLE, "--pack", PACK], more].concat());
            assert_eq!((code(&refused), texts(&place)), (2, before.clone()), "{table:?}: {}", errors(&refused));
            assert!(errors(&refused).contains(words), "{table:?}: {}", errors(&refused));
        }
    }
}

#[test]
fn columns_of_ones_own_are_left_out_with_a_word() {
    let place = with_table();
    let before = texts(&place);
    let done = import_with(&place, "params.gold", "my thoughts", &[]);
    assert_eq!((code(&done), texts(&place)), (0, before), "{}", errors(&done));
    assert!(errors(&done).contains("unknown column `my thoughts`"), "{}", errors(&done));
}

#[test]
fn only_ordinary_files_of_bearable_size_are_read() {
    let place = with_table();
    assert!(Command::new("mkfifo").arg(place.file("pipe.csv")).status().unwrap().success());
    std::fs::File::create(place.file("huge.csv")).unwrap().set_len(1 << 40).unwrap();
    for file in ["/dev/zero", "pipe.csv", "huge.csv", "my-cards", "none.csv"] {
        let refused = place.run(&["import", file, "--pack", PACK]);
        assert_eq!(code(&refused), 2, "{file}: {}", errors(&refused));
        assert!(errors(&refused).contains(&format!("cannot read `{file}`")), "{}", errors(&refused));
    }
}

#[test]
fn values_that_patches_set_are_changed_there() {
    let place = with_table();
    let patch = r#"{ "patches": [{ "of": "cards", "id": "pilgrimage", "set": { "params": { "people": 2 } } }] }"#;
    std::fs::write(place.file("my-cards/patches.json"), patch).unwrap();
    std::fs::write(place.file(TABLE), "id,params.people\npilgrimage,3\n").unwrap();
    let refused = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("a patch sets it; change it in my-cards/patches.json:1"), "{}", errors(&refused));
}

#[cfg(unix)]
#[test]
fn an_import_that_cannot_write_one_file_changes_none() {
    let place = with_table();
    let cards = place.read("my-cards/cards.json");
    std::fs::write(place.file("my-cards/cards.json"), format!("{cards}{}", " ".repeat(1 << 18))).unwrap();
    let before = texts(&place);
    std::fs::write(place.file(TABLE), "id,title.en,copies\nmy-cards-gift,Gift,2\n").unwrap();
    let refused = place.run_on_full_disk(64, &["import", TABLE, "--pack", PACK]);
    assert_eq!((code(&refused), texts(&place) == before), (2, true), "{}", errors(&refused));
    assert!(errors(&refused).contains("cards.json"), "{}", errors(&refused));
    assert_eq!(place.leftovers("my-cards"), [""; 0], "nothing else is left");
    let done = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!(code(&done), 0, "{}", errors(&done));
    assert!(texts(&place).iter().zip(&before).all(|(now, before)| now != before));
}
