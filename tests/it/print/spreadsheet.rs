//! Tables of cards can be exported and imported: an unchanged table changes nothing, one changed cell changes one
//! value, and a table with mistakes changes nothing.

use principes_app::packs::OpenPacks;
use principes_app::spreadsheet::{export, import};

use super::packs;
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

#[test]
fn tables_of_all_packs_come_back_without_a_change() {
    for pack in packs() {
        let name = pack.name.clone();
        let packs = OpenPacks::new(pack.loaded);
        let table = export(&packs, &|_| true);
        let cards = packs.catalog.designs.len();
        assert!(table.lines().count() > cards, "{name}");
        let import = import(&packs, &table).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        assert!(import.changes.is_empty() && import.edits.is_empty(), "{name}: {:?}", import.changes);
    }
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
        ("", "my-cards.csv:1:1: the table is empty"),
        ("title.en\nx\n", "my-cards.csv:1:1: the table has no column `id`"),
        ("id,titel.en\n", "my-cards.csv:1:4: unknown column `titel.en`; did you mean `title.en`?"),
        ("id,id\n", "my-cards.csv:1:4: duplicate column `id`"),
        (
            "id,copies\nmy-cards-gitf,1\n",
            "my-cards.csv:2:1: unknown card `my-cards-gitf`; did you mean `my-cards-gift`?",
        ),
        (
            "id,copies\nmy-cards-gift,many\n",
            "my-cards.csv:2:15: `copies` of `my-cards-gift`: expected a whole number, found `many`",
        ),
        ("id,copies\nmy-cards-gift,0\n", "my-cards.csv:2:15: `copies` of `my-cards-gift`: `0` is below the minimum, 1"),
        (
            "id,copies\nmy-cards-gift,1001\n",
            "my-cards.csv:2:15: `copies` of `my-cards-gift`: `1001` is above the maximum, 1000",
        ),
        ("id,params.gold\n\nmy-cards-gift,9999999999\n", "my-cards.csv:3:15: `params.gold` of"),
        ("id,copies\nmy-cards-gift\n", "my-cards.csv:2:1: this row has 1 cells, but the first has 2"),
        (
            "id,copies\nmy-cards-gift,2\nmy-cards-gift,3\n",
            "my-cards.csv:3:1: `my-cards-gift` already has a row, on line 2",
        ),
        ("id,zone\nmy-cards-gift,court-dek\n", "unknown zone `court-dek`; did you mean `court-deck`?"),
        ("id,pack\nmy-cards-gift,other\n", "a table cannot move cards to other packs"),
        ("id,title.pl\nmy-cards-gift,Dar\n", "no file has texts of this card in `pl`"),
        ("id,text.en\nmy-cards-gift,\"Gain\n", "my-cards.csv:2:15: the quotes of this cell are not closed"),
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
fn values_that_patches_set_are_changed_there() {
    let place = with_table();
    let patch = r#"{ "patches": [{ "of": "cards", "id": "pilgrimage", "set": { "params": { "people": 2 } } }] }"#;
    std::fs::write(place.file("my-cards/patches.json"), patch).unwrap();
    std::fs::write(place.file(TABLE), "id,params.people\npilgrimage,3\n").unwrap();
    let refused = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("a patch sets it; change it in my-cards/patches.json:1"), "{}", errors(&refused));
}

#[test]
fn an_import_that_cannot_write_one_file_changes_none() {
    let place = with_table();
    let before = texts(&place);
    // Files are renamed only when all of them are written. A folder is in the way of the last.
    std::fs::create_dir(place.file("my-cards/cards.json.tmp")).unwrap();
    let table = "id,title.en,copies\nmy-cards-gift,Gift,2\n";
    std::fs::write(place.file(TABLE), table).unwrap();
    let refused = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!((code(&refused), texts(&place)), (2, before.clone()), "{}", errors(&refused));
    assert!(errors(&refused).contains("cards.json"), "{}", errors(&refused));
    let left = std::fs::read_dir(place.file("my-cards")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert_eq!(left, ["cards.json.tmp"], "nothing else is left");
    std::fs::remove_dir(place.file("my-cards/cards.json.tmp")).unwrap();
    let done = place.run(&["import", TABLE, "--pack", PACK]);
    assert_eq!(code(&done), 0, "{}", errors(&done));
    assert!(texts(&place).iter().zip(&before).all(|(now, before)| now != before));
}
