//! Lists of mistakes, changes and failures without end: commands print the first ones for people, and say how many more
//! there are.

use std::path::Path;
use std::process::Output;

use principes_source::{folder, text_of};

use crate::common;
use crate::common::program::{Place, code, errors, text, with_game};

/// How many things each command has to list.
const MANY: usize = 1_203;
const REST: &str = "… and 203 more";
/// The most bytes that it may print about them.
const MOST: usize = 1_500_000;

/// A small game with many cards of its own.
fn with_cards() -> Place {
    let place = Place::new();
    copy(&place, &common::root().join("content/findings/explain/base"), "toy");
    write_cards(&place, "toy", 1);
    place
}

fn copy(place: &Place, from: &Path, to: &str) {
    let pack = folder(from);
    for path in pack.list().unwrap() {
        place.write(&format!("{to}/{path}"), &text_of(pack.read(&path).unwrap()));
    }
}

fn write_cards(place: &Place, pack: &str, copies: usize) {
    let card = |at| format!("{{ \"id\": \"c{at}\", \"type\": \"event\", \"zone\": \"deck\", \"copies\": {copies} }}");
    let cards: Vec<String> = (0..MANY).map(card).collect();
    place.write(&format!("{pack}/many.json"), &format!("{{ \"cards\": [{}] }}\n", cards.join(",\n")));
}

fn assert_cut(name: &str, output: &Output, what: &str) {
    let told = format!("{}{}", text(output), errors(output));
    assert!(told.contains(&format!("{REST} {what}")), "{name}: {}", told.chars().rev().take(900).collect::<String>());
    assert!(told.len() < MOST, "{name}: {} bytes", told.len());
}

#[test]
fn endless_lists_of_mistakes_are_cut() {
    let place = with_cards();
    let import = |table: String, more: &[&str]| {
        place.write("t.csv", &table);
        place.run(&[&["import", "t.csv", "--pack", "toy"], more].concat())
    };
    let rows = |row: &dyn Fn(usize) -> String| (0..MANY).map(row).collect::<String>();
    let unknown = import(format!("id,copies\n{}", rows(&|at| format!("nobody{at},1\n"))), &[]);
    assert_eq!(code(&unknown), 2);
    assert_cut("unknown ids", &unknown, "errors");
    let wrong = import(format!("id,copies\n{}", rows(&|at| format!("c{at},{}\n", "many".repeat(1_000)))), &[]);
    assert_eq!(code(&wrong), 2);
    assert_cut("long wrong values", &wrong, "errors");
    let columns = import(format!("id{}\nc1\n", rows(&|at| format!(",my {at}"))), &[]);
    assert_cut("columns", &columns, "columns");
    let changed = import(format!("id,copies\n{}", rows(&|at| format!("c{at},2\n"))), &["--dry-run"]);
    assert_eq!(code(&changed), 0, "{}", errors(&changed));
    assert_cut("changes", &changed, "changes");
}

#[test]
fn endless_lists_of_differences_are_cut() {
    let place = with_cards();
    copy(&place, &place.file("toy"), "other");
    write_cards(&place, "other", 2);
    assert_cut("diff", &place.run(&["diff", "toy", "other"]), "changes");
    // A file with one mistake each.
    for at in 0..2_003 {
        place.write(&format!("toy/broken/{at}.json"), "{");
    }
    let formatted = place.run(&["fmt", "toy", "--check"]);
    assert_eq!(code(&formatted), 2);
    assert!(errors(&formatted).contains("there are more than 2000 findings, so 4 or more are left out"));
}

#[test]
fn endless_lists_of_failures_are_cut() {
    let place = with_game();
    let wrong = "\"then\": [{ \"counter\": \"wool\", \"of\": \"north\", \"is\": 7 }]";
    let scenario = |at| format!("{{ \"id\": \"s{at}\", \"title\": \"T\", {wrong} }}");
    let scenarios: Vec<String> = (0..MANY).map(scenario).collect();
    place.write("hills/many.scenarios.json", &format!("{{ \"scenarios\": [{}] }}\n", scenarios.join(",\n")));
    let tested = place.run(&["test", "hills"]);
    assert_eq!(code(&tested), 1, "{}", errors(&tested));
    assert_cut("test", &tested, "scenarios");
    assert_cut("lcov", &place.run(&["test", "hills", "--coverage", "--format", "lcov"]), "scenarios");
}
