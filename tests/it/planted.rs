//! One pack with many mistakes, each of another kind. Each is found at its line in one run, and no consequences are
//! reported: scenarios and everything that depends on a broken script are held back. The game that it extends has no
//! mistakes.

use crate::common::program;

/// File, line and code of every mistake in `tests/planted/faults`.
const PLANTED: &[&str] = &[
    "cards.json:7:P0005",
    "counters.json:4:P0006",
    "remarks.json:2:P0005",
    "remarks.json:3:P0011",
    "zones.json:4:P0005",
    "counters.json:3:P0101",
    "counters.json:5:P0104",
    "kinds.json:3:P0102",
    "pins.json:4:P0103",
    "pins.json:5:P0106",
    "pins.json:6:P0105",
    "pins.json:7:P0107",
    "pins.json:8:P0103",
    "scenarios/luck.json:20:P0102",
    "cards.json:7:P0202",
    "kinds.json:4:P0201",
    "locale/en/all.json:19:P0603",
    "locale/en/all.json:26:P0606",
    "locale/pl/all.json:21:P0603",
    "pack.json:9:P0206",
    "patches.json:3:P0209",
    "patches.json:6:P0213",
    "scenarios/luck.json:25:P0202",
    "spaces.json:3:P0401",
    "spaces.json:3:P0214",
    "spaces.json:5:P0402",
    "spaces.json:5:P0215",
    "spaces.json:6:P0202",
    "variants.json:3:P0414",
    "cards.json:4:P0302",
    "cards.json:5:P0301",
    "scripts/faults/fair.lua:4:P0306",
    "scripts/faults/fair.lua:7:P0310",
    "scripts/faults/feast.lua:4:P0305",
    "scripts/faults/feast.lua:5:P0307",
    "scripts/faults/storm.lua:4:P0304",
    "pins.json:3:P0501",
    "variants.json:1:P0004",
    "cards.json:6:P0416",
    "counters.json:6:P0601",
    "locale/en/all.json:27:P0602",
    "locale/pl/all.json:21:P0604",
    "locale/pl/all.json:29:P0607",
    "pack.json:10:P0608",
    "patches.json:4:P0212",
    "spaces.json:7:P0415",
    "spaces.json:8:P0403",
];

fn findings(pack: &str) -> Vec<String> {
    let output = program::principes(&["check", &format!("tests/planted/{pack}"), "--format", "json"]).output();
    let report = program::json(&output.expect("the program runs"));
    let place = |finding: &serde_json::Value| {
        let file = finding["file"].as_str().unwrap_or_default();
        let file = file.strip_prefix(&format!("tests/planted/{pack}/")).unwrap_or(file);
        format!("{file}:{}:{}", finding["line"], finding["code"].as_str().unwrap_or_default())
    };
    report["findings"].as_array().expect("findings").iter().map(place).collect()
}

#[test]
fn every_planted_fault_is_found_and_nothing_else() {
    let found = findings("faults");
    assert_eq!(found, PLANTED);
    assert!(found.len() >= 40, "{}", found.len());
}

#[test]
fn a_clean_pack_has_no_findings() {
    assert_eq!(findings("duchy"), Vec::<String>::new());
}
