//! The game that the tests change.

use std::collections::BTreeMap;

use principes_findings::base_file;

/// The files of the game in `explain`, without its scenarios.
const BASE: [&str; 18] = [
    "cards.json",
    "counters.json",
    "decisions.json",
    "factions.json",
    "kinds.json",
    "locale/en/base.json",
    "locale/en/props.json",
    "pack.json",
    "phases.json",
    "points.json",
    "props.json",
    "rules.json",
    "scripts/cards.lua",
    "scripts/main.lua",
    "scripts/peace.lua",
    "scripts/tax.lua",
    "spaces.json",
    "zones.json",
];

/// Files by their paths inside the pack.
pub type Files = BTreeMap<&'static str, String>;

/// The text of one of its files.
pub fn file(path: &str) -> String {
    let content = base_file(path).unwrap_or_else(|| panic!("{path}"));
    String::from_utf8(content.to_vec()).unwrap_or_else(|_| panic!("{path}"))
}

/// All of them.
pub fn base() -> Files {
    BASE.into_iter().map(|path| (path, file(path))).collect()
}
