//! The tests run: every file here is a module of the program, so that none is forgotten.

use std::collections::BTreeSet;

use crate::common::root;

/// The names of the Rust files and folders in a folder, without endings.
fn names_in(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let code =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "rs") || path.join("mod.rs").is_file());
    code.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_file_is_a_module() {
    let main = std::fs::read_to_string(root().join("tests/it/main.rs")).unwrap();
    let modules = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).map(str::to_owned);
    let mut files = names_in("tests/it");
    files.remove("main");
    assert_eq!(modules.collect::<BTreeSet<_>>(), files, "tests/it/main.rs declares every file and folder beside it");
}

#[test]
fn no_file_is_a_program_of_its_own() {
    let programs = names_in("tests");
    assert!(programs.is_empty(), "make {programs:?} modules of tests/it: every program is linked again");
}
