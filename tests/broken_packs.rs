//! One broken pack for every diagnostic code, with what `check` says about it.
//!
//! A folder of `tests/broken` is named after the code that its fault has. It is a pack, or holds several that are loaded
//! together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_content::diagnostic::print_human;
use principes_content::explain::EXPLANATIONS;
use principes_content::source::open;
use principes_content::{LoadOptions, PackSource, check};

/// Codes that no file alone can bring about: they need a running game.
const ONLY_AT_PLAY: [&str; 7] = ["P0309", "P0701", "P0702", "P0703", "P0704", "P0705", "P0801"];

const FOLDER: &str = "tests/broken";

fn packs(root: &Path) -> Vec<Arc<dyn PackSource>> {
    let mut inner: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the folder of a broken pack")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("pack.json").is_file())
        .collect();
    inner.sort();
    let packed = root.join("pack.zip");
    if packed.is_file() {
        inner.push(packed);
    }
    if inner.is_empty() {
        inner.push(root.to_owned());
    }
    inner.iter().map(|path| open(path).expect("a pack that can be read")).collect()
}

fn broken() -> BTreeSet<String> {
    std::fs::read_dir(FOLDER)
        .expect("tests/broken")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn every_code_has_a_broken_pack() {
    let explained: BTreeSet<String> = EXPLANATIONS
        .iter()
        .map(|entry| entry.code.to_owned())
        .filter(|code| !ONLY_AT_PLAY.contains(&code.as_str()))
        .collect();
    assert_eq!(broken(), explained);
}

#[test]
fn broken_packs_are_reported() {
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    for code in broken() {
        let checked = check(&packs(&Path::new(FOLDER).join(&code)), &options);
        assert!(checked.findings.iter().any(|finding| finding.code == code), "{code}: {:#?}", checked.findings);
        let errors = checked.findings.iter().any(|finding| finding.is_error());
        assert_eq!(checked.loaded.is_some(), !errors, "{code}: a pack is loaded exactly if it has no errors");
        insta::assert_snapshot!(code, print_human(&checked.findings, false));
    }
}
