//! `principes check` as programs use it: formats that others have specified, and fixes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn broken() -> Vec<String> {
    let entries = std::fs::read_dir("tests/broken").expect("tests/broken");
    let mut found: Vec<String> =
        entries.map(|entry| entry.expect("an entry").path().to_string_lossy().into_owned()).collect();
    found.sort();
    found
}

fn check_in(folder: &Path, args: &[&str], paths: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_principes"))
        .arg("check")
        .args(args)
        .args(paths)
        .current_dir(folder)
        .env_remove("GITHUB_ACTIONS")
        .env_remove("PRINCIPES_PATH")
        .output()
        .expect("the program runs")
}

fn check(args: &[&str], paths: &[String]) -> Output {
    check_in(Path::new(env!("CARGO_MANIFEST_DIR")), args, paths)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&text(output)).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

#[test]
fn sarif_fits_the_standard() {
    let mut schema: Value =
        serde_json::from_str(include_str!("schemas/sarif-2.1.0-rtm.5.json")).expect("the schema is valid JSON");
    // A field that we do not write has a pattern with a bracket too many, which a strict reader refuses.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"]["pattern"] = Value::from("");
    }
    let validator = jsonschema::options().build(&schema).expect("the schema is one");
    let log = json(&check(&["--format", "sarif"], &broken()));
    let errors: Vec<String> =
        validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let findings = json(&check(&["--format", "json"], &broken()));
    assert_eq!(results.len(), findings["findings"].as_array().expect("findings").len());
    assert!(results.iter().any(|result| result["fixes"].is_array()));
    assert!(results.iter().any(|result| result["relatedLocations"].is_array()));
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().is_some_and(|help| !help.is_empty()), "{rule}");
    }
}

#[test]
fn every_finding_has_a_place() {
    for finding in json(&check(&["--format", "json"], &broken()))["findings"].as_array().expect("findings") {
        for field in ["line", "column", "end_line", "end_column"] {
            assert!(finding[field].as_u64().is_some_and(|n| n > 0), "{finding}");
        }
    }
}

#[test]
fn the_format_follows_github_and_quiet_is_quiet() {
    let path = ["tests/broken/P0202".to_owned()];
    let run = |variable: &str, args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_principes"))
            .arg("check")
            .args(args)
            .args(&path)
            .env("GITHUB_ACTIONS", variable)
            .output()
            .expect("the program runs")
    };
    assert!(text(&run("true", &[])).starts_with("::error file=tests/broken/P0202/cards.json,line=3,"));
    assert!(text(&run("true", &["--format", "human"])).starts_with("error[P0202]"));
    assert!(text(&run("false", &[])).starts_with("error[P0202]"));
    assert!(!run("false", &[]).stderr.is_empty());
    assert!(run("false", &["--quiet"]).stderr.is_empty());
}

/// A copy of all broken packs in a folder of its own.
struct Copies(PathBuf);

impl Copies {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("principes-check-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        copy(Path::new("tests/broken"), &root);
        Copies(root)
    }

    fn packs(&self) -> Vec<String> {
        broken().iter().map(|path| path.replace("tests/broken/", "")).collect()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).expect("a file")
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else if path.is_file() {
            std::fs::write(&target, std::fs::read(&path).expect("a file")).expect("a file");
        }
    }
}

#[test]
fn a_diff_changes_nothing() {
    let copies = Copies::new("diff");
    let output = check_in(&copies.0, &["--diff"], &copies.packs());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("-    {\"id\": \"gold\", \"max\": \"66\"}\n+    {\"id\": \"gold\", \"max\": 66}\n"));
    for file in ["P0101/counters.json", "P0402/spaces.json", "P0305/scripts/main.lua"] {
        assert_eq!(copies.read(file), std::fs::read_to_string(format!("tests/broken/{file}")).expect("a file"));
    }
    let clean = check_in(&copies.0, &["--diff", "P0609"], &[]);
    assert_eq!((clean.status.code(), text(&clean).as_str()), (Some(0), ""));
}

#[test]
fn fixes_mend_and_leave_the_rest_as_it_is() {
    let copies = Copies::new("fix");
    let output = check_in(&copies.0, &["--fix", "--format", "json"], &copies.packs());
    assert_eq!(output.status.code(), Some(1), "not everything can be mended");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("mended P0101/counters.json:3:27: expected a whole number"), "{told}");
    let left = json(&output);
    let left = left["findings"].as_array().expect("findings");
    assert!(left.iter().all(|finding| finding["fix"].is_null()), "a fixed point is reached: {left:#?}");
    // What was wrong and nothing else has changed.
    for (file, changes) in [
        ("P0005/zones.json", vec![("\"game\",}", "\"game\"}")]),
        ("P0101/counters.json", vec![("\"66\"", "66")]),
        ("P0102/kinds.json", vec![("ocupies", "occupies")]),
        ("P0104/zones.json", vec![("gane", "game")]),
        ("P0202/cards.json", vec![("dekc", "deck"), ("fraction:", "faction:"), ("chnaged", "changed")]),
        ("P0301/cards.json", vec![("mian.play", "main.play")]),
        ("P0305/scripts/main.lua", vec![("faction.rde", "faction.red")]),
        ("P0306/scripts/main.lua", vec![("chnaged", "changed")]),
        ("P0402/spaces.json", vec![("\"moor\", \"moor\", \"ford\"", "\"moor\"")]),
        ("P0603/locale/en.json", vec![("{glod}", "{gold}")]),
    ] {
        let before = std::fs::read_to_string(format!("tests/broken/{file}")).expect("a file");
        let wanted = changes.iter().fold(before, |text, (old, new)| text.replacen(old, new, 1));
        assert_eq!(copies.read(file), wanted, "{file}");
    }
    let marked = std::fs::read("tests/broken/P0004/zones.json").expect("a file");
    assert_eq!(copies.read("P0004/zones.json").as_bytes(), &marked[3..]);
    // Two names are as near as each other, or none is.
    for file in ["P0103/zones.json", "P0401/spaces.json", "P0006/zones.json"] {
        if let Ok(before) = std::fs::read_to_string(format!("tests/broken/{file}")) {
            assert_eq!(copies.read(file), before, "{file}");
        }
    }
}
