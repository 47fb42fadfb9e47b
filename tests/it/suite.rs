//! The tests run: every file here is a module of the program, what the plain command leaves out says why, so that
//! `.ci/run` runs it, and the workflow runs what exists.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::root;

/// The names of the Rust files and folders in a folder, without endings.
fn names_in(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let is_code = |path: &Path| path.extension().is_some_and(|ending| ending == "rs") || path.join("mod.rs").is_file();
    let code = entries.filter(|path| is_code(path));
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

/// Why the plain command may leave a test out. `.ci/run` runs all of these.
const REASONS: [&str; 3] = ["needs Chromium; run by .ci/run", "needs git; run by .ci/run", "slow; run by .ci/run"];

/// The reason in an attribute `ignore` of this line, if it has one; empty if the attribute gives none.
fn reason(line: &str) -> Option<&str> {
    let attribute = line.trim().strip_prefix("#[")?;
    let (_, rest) = attribute.split_once("ignore")?;
    let is_attribute = attribute.starts_with("ignore") || attribute.starts_with("cfg_attr");
    let given = rest.split('"').nth(1).unwrap_or_default();
    (is_attribute && rest.starts_with([' ', '=', ']'])).then_some(given)
}

/// All Rust files below a folder.
fn rust_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(rust_below(&path));
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn what_is_left_out_says_why_and_is_run_by_ci() {
    assert_eq!(reason("    #[ignore]"), Some(""));
    assert_eq!(reason("#[cfg_attr(windows, ignore = \"odd\")]"), Some("odd"));
    assert_eq!(reason("#[serde(ignored)]"), None);
    let mut seen = 0;
    for path in rust_below(root()) {
        let text = std::fs::read_to_string(&path).unwrap();
        // This file names attributes in texts.
        for (at, line) in text.lines().enumerate().filter(|_| !path.ends_with("it/suite.rs")) {
            let place = format!("{}:{}", path.display(), at + 1);
            if let Some(reason) = reason(line) {
                assert!(REASONS.contains(&reason), "{place}: ignored because of {reason:?}, not one of {REASONS:?}");
                seen += 1;
            }
            assert!(!line.contains("```ignore"), "{place}: an example that never runs; use `text` or `no_run`");
        }
    }
    assert!(seen > 40, "only {seen} are left out; are they still found?");
    let ci = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    assert!(ci.contains("\ncargo test --workspace --tests -- --ignored\n"), ".ci/run runs what is left out");
}

/// Otherwise, the plain command fails on every machine without Chromium.
#[test]
fn every_test_of_the_browser_needs_chromium() {
    let mut tests = 0;
    for path in rust_below(&root().join("tests/studio")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| **line == "#[test]") {
            let next = lines.get(at + 1).and_then(|line| reason(line));
            assert_eq!(next, Some(REASONS[0]), "{}:{}", path.display(), at + 2);
            tests += 1;
        }
    }
    assert!(tests > 20, "only {tests} tests of the studio were found");
}

// The workflow -----------------------------------------------------------------------------------------------------

/// The words of the workflow, without comments.
fn workflow() -> Vec<String> {
    let text = std::fs::read_to_string(root().join(".github/workflows/ci.yml")).unwrap();
    let lines = text.lines().map(|line| line.split(" #").next().unwrap()).filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

#[test]
fn what_the_workflow_runs_exists() {
    let words = workflow();
    let scripts = words.iter().filter(|word| word.starts_with(".ci/")).cloned();
    let programs = words.windows(2).filter(|pair| pair[0] == "--test").map(|pair| match pair[1].as_str() {
        "it" => "tests/it/main.rs".to_owned(),
        name => {
            let mut paths =
                ["app", "app/author", "app/lab"].map(|package| format!("{package}/tests/{name}.rs")).into_iter();
            paths.find(|path| root().join(path).exists()).unwrap_or_else(|| name.to_owned())
        }
    });
    let modules = words.iter().filter_map(|word| word.strip_suffix("::")).map(|name| format!("tests/it/{name}.rs"));
    let named: Vec<String> = scripts.chain(programs).chain(modules).collect();
    assert!(named.len() > 8, "{named:?}");
    for path in named {
        assert!(root().join(&path).exists(), "the workflow runs `{path}`, which does not exist");
    }
}

/// What others change must not make a run red.
#[test]
fn what_the_workflow_takes_from_others_is_pinned() {
    let words = workflow();
    let actions: Vec<&str> =
        words.windows(2).filter(|pair| pair[0] == "uses:").map(|pair| pair[1].split_once('@').unwrap().1).collect();
    let is_commit = |version: &str| version.len() == 40 && version.chars().all(|c| c.is_ascii_hexdigit());
    assert!(actions.len() == 2 && actions.iter().all(|version| is_commit(version)), "{actions:?}");
    assert!(!words.iter().any(|word| word.contains("latest") || word.contains("stable")), "{words:?}");
    let after = |key: &str| words.windows(2).find(|pair| pair[0] == key).map(|pair| pair[1].as_str()).unwrap();
    let toolchain = after("RUSTUP_TOOLCHAIN:");
    assert_eq!(toolchain.split('.').count(), 3, "{toolchain}");
    assert_eq!(after("container:"), format!("rust:{toolchain}-bookworm"));
}
