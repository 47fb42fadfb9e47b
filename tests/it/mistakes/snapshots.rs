//! Snapshots of scenarios and texts that were renamed or cannot be read.

use super::planted::{Home, Planted};
use super::{KNOWN, tell};

const FIRST: &str = "guild-arms-a-guard";
const SECOND: &str = "caravan-counts-markets";

#[track_caller]
fn assert_codes(title: &str, edit: impl FnOnce(&mut Planted), codes: &[&str]) {
    let mut pack = Planted::new(Home::Small);
    edit(&mut pack);
    let found = KNOWN.check(Home::Small, pack).findings;
    let have: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(have, codes, "{title}:{}", tell(&found));
}

/// Gives scenarios other ids.
fn renamed(names: &[(&str, &str)]) -> impl FnOnce(&mut Planted) {
    let names: Vec<(String, String)> =
        names.iter().map(|(from, to)| (format!("\"id\": \"{from}\""), format!("\"id\": \"{to}\""))).collect();
    move |pack| names.iter().for_each(|(from, to)| pack.replace("scenarios/cards.scenarios.json", from, to))
}

#[test]
fn a_renamed_scenario_is_one_mistake() {
    assert_codes("a name like the other", renamed(&[(FIRST, "guild-arms-guards")]), &["P0703"]);
    assert_codes("another name", renamed(&[(FIRST, "crossbows")]), &["P0703"]);
    assert_codes(
        "two of them",
        renamed(&[(FIRST, "guild-arms-guards"), (SECOND, "caravan-counts-market")]),
        &["P0703"; 2],
    );
    let both = renamed(&[(FIRST, "crossbows"), (SECOND, "riches")]);
    assert_codes("two that nobody can tell apart", both, &["P0703", "P0703", "P0706", "P0706"]);
}

#[test]
fn texts_that_cannot_be_read_leave_their_snapshots_alone() {
    for (title, file, from, to) in [
        ("bytes that are no text", "amber-road.en.json", "\"Caravan\"", "\"Cara\\xffvan\""),
        ("in another language", "amber-road.pl.json", "\"Karawana\"", "\"Kara\\xffwana\""),
        ("no JSON", "amber-road.pl.json", "\"messages\": {", "\"messages\" {"),
    ] {
        let code = if title == "no JSON" { "P0005" } else { "P0003" };
        assert_codes(title, |pack| pack.replace(file, from, to), &[code]);
    }
    let mut pack = Planted::new(Home::Small);
    pack.remove("amber-road.pl.json");
    let found = KNOWN.check(Home::Small, pack).findings;
    assert!(found.iter().any(|finding| finding.code == "P0706"), "the file is gone:{}", tell(&found));
}
