//! Broken packs for every code, with the findings of `check`.

use std::collections::BTreeSet;

use crate::common::broken;
use principes_content::{LoadOptions, check};
use principes_findings::EXPLANATIONS;
use principes_findings::print_human;

/// Codes that need a running game.
const ONLY_AT_PLAY: [&str; 12] =
    ["P0309", "P0701", "P0702", "P0703", "P0704", "P0705", "P0706", "P0707", "P0710", "P0711", "P0801", "P0802"];

/// The code at the beginning of a broken pack's name.
fn code(name: &str) -> &str {
    name.split('-').next().unwrap_or_default()
}

#[test]
fn every_code_has_a_broken_pack() {
    let broken = broken::all();
    let broken: BTreeSet<&str> = broken.keys().map(|name| code(name)).collect();
    let explained: BTreeSet<&str> = EXPLANATIONS.iter().map(|entry| entry.code).collect();
    assert_eq!(broken, explained);
}

#[test]
fn broken_packs_are_reported() {
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    for (name, packs) in broken::all() {
        let code = code(&name);
        if ONLY_AT_PLAY.contains(&code) {
            continue;
        }
        let checked = check(&packs, &options);
        assert!(checked.findings.iter().any(|finding| finding.code == code), "{name}: {:#?}", checked.findings);
        let errors = checked.findings.iter().any(|finding| finding.is_error());
        assert_eq!(checked.loaded.is_some(), !errors, "{name}: a pack is loaded exactly if it has no errors");
        insta::assert_snapshot!(name, print_human(&checked.findings, false));
    }
}

#[test]
fn no_snapshot_is_left_over() {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name().into_string().ok();
    let stored = std::fs::read_dir("tests/it/snapshots").expect("a folder").filter_map(name);
    let stored: BTreeSet<String> = stored
        .filter_map(|file| Some(file.strip_prefix("it__broken_packs__")?.strip_suffix(".snap")?.to_owned()))
        .collect();
    let checked: BTreeSet<String> =
        broken::all().into_keys().filter(|name| !ONLY_AT_PLAY.contains(&code(name))).collect();
    assert_eq!(stored, checked);
}
