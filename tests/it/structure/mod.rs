//! The shape of the house, as a law: inside a crate, imports between files of different folders run one way, and
//! circles within a folder join two files at most. Files and functions stay short.
//!
//! A file imports another if it takes a name from it, by `use` or by path. Methods are not followed. The file that
//! defines a name counts, not those that re-export it. Tests inside of sources are left out.

mod modules;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use modules::{Arrows, Crate};
use serde_json::Value;

/// Lines of the longest file and of the longest function.
const LONGEST_FILE: usize = 700;
const LONGEST_FUNCTION: usize = 80;

#[test]
fn crates_keep_the_law() {
    let mut broken = Vec::new();
    for (name, root) in crates() {
        let (folder, file) = (root.parent().unwrap(), root.file_name().unwrap().to_str().unwrap());
        let read = |path: &Path| std::fs::read_to_string(folder.join(path)).ok();
        let found = Crate::read(file, &read);
        assert_eq!(found.files.keys().cloned().collect::<Vec<_>>(), sources(folder), "`{name}` is not read as a whole");
        broken.extend(violations(&found).into_iter().map(|violation| format!("{name}: {violation}")));
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// The limits also apply to the tests and benches of a crate.
#[test]
fn test_files_stay_short() {
    let mut long = Vec::new();
    let mut seen = 0;
    for root in crates().values() {
        // `tests` and `benches` are beside the manifest; the root of the source is there or one folder deeper.
        let package = root.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file()).unwrap();
        for folder in ["tests", "benches"].map(|name| package.join(name)).into_iter().filter(|path| path.is_dir()) {
            for file in sources(&folder) {
                let lines = std::fs::read_to_string(folder.join(&file)).unwrap().lines().count();
                seen += 1;
                if lines > LONGEST_FILE {
                    let file = folder.join(file);
                    long.push(format!("{} has {lines} lines, more than {LONGEST_FILE}", file.display()));
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} test files are read");
    assert!(long.is_empty(), "split them by subject:\n{}", long.join("\n"));
}

/// The width to which `.ci/page --write` formats. It does not break comments, texts and templates.
const WIDEST_SCRIPT: usize = 110;

#[test]
fn scripts_of_the_page_stay_narrow_and_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    let mut seen = 0;
    for folder in ["studio/assets", "studio/assets/table", "tests/studio"] {
        for file in std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|ending| ending == "js") {
                seen += 1;
                broken.extend(too_large(&file.display().to_string(), &std::fs::read_to_string(&file).unwrap()));
            }
        }
    }
    assert!(seen > 40, "only {seen} scripts are read");
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// What is too wide or too long in a script.
fn too_large(file: &str, text: &str) -> Vec<String> {
    let wide = text.lines().enumerate().filter(|(_, line)| line.chars().count() > WIDEST_SCRIPT);
    let mut found: Vec<String> =
        wide.map(|(at, _)| format!("{file}:{} is wider than {WIDEST_SCRIPT}", at + 1)).collect();
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        found.push(format!("{file} has {lines} lines, more than {LONGEST_FILE}"));
    }
    found
}

/// The library or program of each crate of the workspace: the file at its root.
fn crates() -> BTreeMap<String, PathBuf> {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut crates = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let is_ours = |target: &&Value| ["lib", "bin"].iter().any(|kind| target["kind"][0] == *kind);
        let target = package["targets"].as_array().unwrap().iter().find(is_ours).unwrap();
        let (name, root) = (package["name"].as_str().unwrap(), target["src_path"].as_str().unwrap());
        crates.insert(name.to_owned(), PathBuf::from(root));
    }
    assert!(crates.len() >= 5, "the workspace has more crates than {crates:?}");
    crates
}

/// All Rust files under a folder, relative to it, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
                // Unit tests in a separate file are not part of the crate.
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Everything in a crate that breaks the law.
fn violations(found: &Crate) -> Vec<String> {
    let arrows = found.arrows();
    let mut violations = Vec::new();
    for circle in circles(&arrows) {
        let folders: BTreeSet<PathBuf> = circle.iter().map(|file| folder_of(file, found)).collect();
        let names: Vec<String> = circle.iter().map(|file| file.display().to_string()).collect();
        let ties: Vec<String> = ties(&circle, &arrows);
        if folders.len() > 1 {
            violations.push(format!(
                "files of different folders import each other: {}\n{}",
                names.join(", "),
                ties.join("\n")
            ));
        } else if circle.len() > 2 {
            violations.push(format!(
                "more than two files import each other: {}\n{}",
                names.join(", "),
                ties.join("\n")
            ));
        }
    }
    for (file, lines) in found.files.iter().filter(|(_, lines)| **lines > LONGEST_FILE) {
        violations.push(format!("{} has {lines} lines, more than {LONGEST_FILE}", file.display()));
    }
    for function in found.functions.iter().filter(|function| function.lines > LONGEST_FUNCTION) {
        let (file, modules::Function { line, name, lines, .. }) = (function.file.display(), function);
        violations.push(format!("{file}:{line}: `{name}` has {lines} lines, more than {LONGEST_FUNCTION}"));
    }
    violations
}

/// The folder that a file belongs to. `a.rs` belongs to the folder `a`, if there is one.
fn folder_of(file: &Path, found: &Crate) -> PathBuf {
    let own = file.with_extension("");
    let has_own = found.files.keys().any(|other| other.starts_with(&own) && other != file);
    if has_own { own } else { file.parent().unwrap_or(Path::new("")).to_owned() }
}

/// The arrows inside of a circle, each with one of the names that make it.
fn ties(circle: &[PathBuf], arrows: &Arrows) -> Vec<String> {
    let mut ties = Vec::new();
    for file in circle {
        for (to, name) in arrows[file].iter().filter(|(to, _)| circle.contains(to)) {
            ties.push(format!("    {} takes `{name}` from {}", file.display(), to.display()));
        }
    }
    ties
}

/// Groups of files that all reach each other.
fn circles(arrows: &Arrows) -> Vec<Vec<PathBuf>> {
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        arrows.keys().map(|file| (file, reached_from(file, arrows))).collect();
    let mut circles: Vec<Vec<PathBuf>> = Vec::new();
    for (file, others) in &reached {
        let ties_back = |other: &&&PathBuf| reached.get(**other).is_some_and(|back| back.contains(*file));
        let circle: Vec<PathBuf> = others.iter().filter(ties_back).map(|other| (*other).clone()).collect();
        if circle.len() > 1 && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

fn reached_from<'a>(file: &PathBuf, arrows: &'a Arrows) -> BTreeSet<&'a PathBuf> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&PathBuf> = arrows.get(file).into_iter().flat_map(BTreeMap::keys).collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(arrows.get(next).into_iter().flat_map(BTreeMap::keys));
        }
    }
    reached
}

// The law itself, on sources planted here -----------------------------------------------------------------------------

/// The errors in a crate of these files; the first is its root.
fn planted(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &Path| files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| (*text).to_owned());
    violations(&Crate::read(files[0].0, &read))
}

fn assert_violation(files: &[(&str, &str)], parts: &[&str]) {
    let violations = planted(files);
    assert_eq!(violations.len(), 1, "{violations:?}");
    for part in parts {
        assert!(violations[0].contains(part), "`{part}` is not in: {}", violations[0]);
    }
}

fn assert_sound(files: &[(&str, &str)]) {
    assert_eq!(planted(files), Vec::<String>::new());
}

#[test]
fn arrows_that_run_one_way_are_sound() {
    assert_sound(&[
        ("lib.rs", "pub mod low;\npub mod high;\npub use low::Low;"),
        ("low/mod.rs", "mod data;\npub use data::Low;"),
        ("low/data.rs", "pub struct Low;"),
        ("high/mod.rs", "mod act;\npub use act::act;"),
        ("high/act.rs", "use crate::low::Low;\npub fn act(_: Low) {}"),
    ]);
}

#[test]
fn a_circle_between_folders_is_found() {
    let high = ("high/mod.rs", "use crate::low::Low;\npub struct High(Low);");
    for import in [
        "use crate::high::High;",
        "use super::high::{self, High};",
        "use crate::{\n    high::High as Other,\n};",
        "fn f() { use crate::high::*; let _: Option<High> = None; }",
        "fn f(_: &crate::high::High) {}",
        "use crate::high;\nfn f(_: high::High) {}",
        "use crate::High;",
        "use crate::*;\nfn f(_: High) {}",
    ] {
        let low = format!("{import}\npub struct Low;");
        let files = [("lib.rs", "mod low;\nmod high;\nuse high::High;"), high, ("low/mod.rs", &low)];
        assert_violation(&files, &["different folders", "low/mod.rs takes `High` from high/mod.rs", "takes `Low`"]);
    }
}

#[test]
fn a_name_counts_for_the_file_that_defines_it() {
    // `rules` takes from `state/data.rs` by way of three re-exports, and `state/view.rs` takes from `rules`.
    let files = |view: &'static str| {
        [
            ("lib.rs", "mod rules;\nmod state;\npub use state::Data;"),
            ("rules/mod.rs", "use crate::Data;\npub struct Rule(Data);"),
            ("state/mod.rs", "mod data;\nmod view;\npub use data::*;\npub use view::View;"),
            ("state/data.rs", "pub struct Data;"),
            ("state/view.rs", view),
        ]
    };
    assert_sound(&files("use crate::rules::Rule;\npub struct View(Rule);"));
    assert_violation(
        &[
            ("lib.rs", "mod rules;\nmod state;\npub use state::Data;"),
            ("rules/mod.rs", "use crate::Data;\npub struct Rule(Data);"),
            ("state/mod.rs", "mod data;\npub use data::*;"),
            ("state/data.rs", "pub struct Data(Option<crate::rules::Rule>);"),
        ],
        &["rules/mod.rs takes `Data` from state/data.rs"],
    );
}

#[test]
fn names_made_by_macros_are_seen() {
    assert_violation(
        &[
            ("lib.rs", "mod ids;\nmod act;"),
            ("ids/mod.rs", "use crate::act::Act;\nids! { Id(u8); }"),
            ("act/mod.rs", "use crate::ids::Id;\npub struct Act(Id);"),
        ],
        &["act/mod.rs takes `Id` from ids/mod.rs"],
    );
}

#[test]
fn inside_a_folder_two_files_may_lean_on_each_other() {
    let pair = [
        ("lib.rs", "mod a;\nmod b;\nmod c;"),
        ("a.rs", "use crate::b::B;\npub struct A(B);"),
        ("b.rs", "use crate::a::A;\npub struct B(A);"),
    ];
    assert_sound(&[pair[0], pair[1], pair[2], ("c.rs", "use crate::a::A;\npub struct C(A);")]);
    let three = ("b.rs", "use crate::c::C;\npub struct B(C);");
    let third = ("c.rs", "use crate::a::A;\npub struct C(A);");
    assert_violation(&[pair[0], pair[1], three, third], &["more than two files", "a.rs, b.rs, c.rs"]);
}

#[test]
fn a_file_beside_its_folder_belongs_to_it() {
    let root = ("lib.rs", "mod a;\nmod b;");
    let parts =
        [("a.rs", "mod part;\nuse part::Part;\npub struct A(Part);"), ("a/part.rs", "pub struct Part(super::A);")];
    assert_sound(&[root, parts[0], parts[1], ("b.rs", "use crate::a::A;\npub struct B(A);")]);
}

#[test]
fn comments_strings_and_tests_import_nothing() {
    for harmless in [
        "// use crate::high::High;",
        "/* use crate::high::High; /* twice */ */",
        "/// See [`crate::high::High`].",
        "const TEXT: &str = \"use crate::high::High; \\\" crate::high::High\";",
        "const TEXT: &str = r#\"crate::high::High \"quoted\"\"#;",
        "const QUOTE: char = '\"'; fn f<'a>(_: &'a str) {} const OTHER: char = '\\'';",
        "#[cfg(test)]\nmod tests {\n    use crate::high::High;\n}",
        "#[cfg(test)]\n#[allow(unused)]\nuse crate::high::High;",
    ] {
        let low = format!("{harmless}\npub struct Low;");
        let high = "use crate::low::Low;\npub struct High(Low);";
        assert_sound(&[("lib.rs", "mod low;\nmod high;"), ("low/mod.rs", &low), ("high/mod.rs", high)]);
        // What follows is still read.
        let low = format!("{harmless}\npub struct Low(crate::high::High);");
        assert_violation(
            &[("lib.rs", "mod low;\nmod high;"), ("low/mod.rs", &low), ("high/mod.rs", high)],
            &["`High`"],
        );
    }
}

#[test]
fn long_files_and_functions_are_found() {
    let lines = |count: usize| "\n".repeat(count);
    assert_sound(&[("lib.rs", &lines(LONGEST_FILE))]);
    assert_violation(&[("lib.rs", &lines(LONGEST_FILE + 1))], &["lib.rs has 701 lines"]);
    let function = |inner: usize| format!("\nimpl X {{\n    fn long(&self) -> [u8; 2] {{{}}}\n}}", lines(inner));
    assert_sound(&[("lib.rs", &function(LONGEST_FUNCTION - 1))]);
    assert_violation(&[("lib.rs", &function(LONGEST_FUNCTION))], &["lib.rs:3: `long` has 81 lines"]);
    // A signature without a body ends at its semicolon.
    assert_sound(&[("lib.rs", &format!("trait T {{\n    fn short(&self, _: fn(u8));\n{}}}", lines(LONGEST_FUNCTION)))]);
}

#[test]
fn wide_and_long_scripts_are_found() {
    let fits = "é".repeat(WIDEST_SCRIPT);
    assert_eq!(too_large("a.js", &fits), Vec::<String>::new());
    assert_eq!(too_large("a.js", &format!("\n{fits}é")), ["a.js:2 is wider than 110"]);
    assert_eq!(too_large("a.js", &"\n".repeat(LONGEST_FILE + 1)), ["a.js has 701 lines, more than 700"]);
}
