//! `principes check` for other programs: standard formats, and fixes.

use std::process::{Command, Output};

use crate::common::broken;
use crate::common::program::{Place, code, errors, json, text};
use principes_source::folder;
use serde_json::Value;

/// All broken packs, each in its own folder.
struct Broken(Place);

impl Broken {
    fn new() -> Self {
        let place = Place::new();
        broken::write_all(place.path());
        Broken(place)
    }

    /// `check` of all of them.
    fn check(&self, args: &[&str]) -> Output {
        let entries = std::fs::read_dir(self.0.path()).expect("a folder");
        let mut packs: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        packs.sort();
        self.program(args).args(packs).output().expect("the program runs")
    }

    fn program(&self, args: &[&str]) -> Command {
        let mut command = self.0.program(&["check"]);
        command.args(args);
        command
    }

    fn read(&self, file: &str) -> String {
        self.0.read(file)
    }
}

#[test]
fn sarif_fits_the_standard() {
    let mut schema: Value =
        serde_json::from_str(include_str!("../schemas/sarif-2.1.0-rtm.5.json")).expect("the schema is valid JSON");
    // The pattern of a field that we do not write has an extra bracket, which a strict reader refuses.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"]["pattern"] = Value::from("");
    }
    let validator = jsonschema::options().build(&schema).expect("the schema is one");
    let broken = Broken::new();
    let log = json(&broken.check(&["--format", "sarif"]));
    let errors: Vec<String> =
        validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let findings = json(&broken.check(&["--format", "json"]));
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
    for finding in json(&Broken::new().check(&["--format", "json"]))["findings"].as_array().expect("findings") {
        for field in ["line", "column", "end_line", "end_column"] {
            assert!(finding[field].as_u64().is_some_and(|n| n > 0), "{finding}");
        }
    }
}

#[test]
fn the_format_follows_github_and_quiet_is_quiet() {
    let broken = Broken::new();
    let run = |variable: &str, args: &[&str]| {
        broken.program(args).arg("P0202").env("GITHUB_ACTIONS", variable).output().expect("the program runs")
    };
    assert!(text(&run("true", &[])).starts_with("::error file=P0202/cards.json,line=1,"));
    assert!(text(&run("true", &["--format", "human"])).starts_with("error[P0202]"));
    assert!(text(&run("false", &[])).starts_with("error[P0202]"));
    assert!(!run("false", &[]).stderr.is_empty());
    assert!(run("false", &["--quiet"]).stderr.is_empty());
}

#[test]
fn a_diff_changes_nothing() {
    let (broken, before) = (Broken::new(), Broken::new());
    let output = broken.check(&["--diff"]);
    assert_eq!(code(&output), 1);
    let shown = text(&output);
    assert!(shown.contains(
        "\n-{ \"counters\": [ { \"id\": \"gold\", \"scope\": \"faction\", \"max\": \"66\", \"start\": 2 } ] }\n+"
    ));
    for file in ["P0101/counters.json", "P0402/spaces.json", "P0305/scripts/cards.lua"] {
        assert!(shown.contains(file), "{file}: {shown}");
        assert_eq!(broken.read(file), before.read(file));
    }
    let clean = broken.program(&["--diff", "P0609"]).output().expect("the program runs");
    assert_eq!((code(&clean), text(&clean).as_str()), (0, ""));
}

#[test]
fn fixes_mend_and_leave_the_rest_as_it_is() {
    let (broken, before) = (Broken::new(), Broken::new());
    let output = broken.check(&["--fix", "--format", "json"]);
    assert_eq!(code(&output), 1, "not everything can be fixed");
    let text = errors(&output);
    assert!(text.contains("fixed P0101/counters.json:1:"), "{text}");
    let left = json(&output);
    let left = left["findings"].as_array().expect("findings");
    assert!(left.iter().all(|finding| finding["fix"].is_null()), "a fixed point is reached: {left:#?}");
    // Only what was wrong has changed.
    for (file, changes) in [
        ("P0005/pins.json", vec![("2, }", "2 }")]),
        ("P0101/counters.json", vec![("\"66\"", "66")]),
        ("P0102/kinds.json", vec![("ocupies", "occupies")]),
        ("P0104-more/zones.json", vec![("gane", "game")]),
        ("P0202-more/cards.json", vec![("dekc", "deck"), ("fraction:", "faction:"), ("chnaged", "changed")]),
        ("P0301/cards.json", vec![("crads.luck", "cards.luck")]),
        ("P0305/scripts/cards.lua", vec![("counter.glod", "counter.gold")]),
        ("P0306-more/scripts/main.lua", vec![("chnaged", "changed")]),
        ("P0402-more/spaces.json", vec![("\"moor\", \"moor\", \"ford\"", "\"moor\"")]),
        ("P0603-more/locale/en.json", vec![("{glod}", "{gold}")]),
    ] {
        let wanted = changes.iter().fold(before.read(file), |text, (old, new)| text.replacen(old, new, 1));
        assert_eq!(broken.read(file), wanted, "{file}");
    }
    assert_eq!(broken.read("P0004/pins.json"), before.read("P0004/pins.json").trim_start_matches('\u{feff}'));
    // Several names are equally close, or none is.
    for file in ["P0103/zones.json", "P0401/spaces.json", "P0006/counters.json"] {
        assert_eq!(broken.read(file), before.read(file), "{file}");
    }
}

/// GitHub looks for files from the root of the repository, wherever the command ran.
#[test]
fn reports_for_programs_name_files_from_the_root_of_the_repository() {
    let place = Place::new();
    assert_eq!(code(&place.run(&["new", "repo/game/mods/hills", "--kind", "game"])), 0);
    place.write("repo/game/mods/hills/zones.json", r#"{"zones": [{"id": "x", "scope": "gmae"}]}"#);
    let file = "game/mods/hills/zones.json";
    let in_game = |args: &[&str], workspace: Option<&std::path::Path>| {
        let mut command = place.program(args);
        command.current_dir(place.file("repo/game"));
        workspace.map(|path| command.env("GITHUB_WORKSPACE", path));
        text(&command.output().unwrap())
    };
    let github = ["check", "mods/hills", "--format", "github"];
    assert!(in_game(&github, None).contains("file=mods/hills/zones.json"), "there is no repository");
    assert!(in_game(&github, Some(&place.file("repo"))).contains(&format!("file={file}")));
    assert!(in_game(&github, Some(&place.file("other"))).contains("file=mods/hills/zones.json"));
    // In a worktree or submodule, `.git` is a file.
    place.write("repo/.git", "gitdir: elsewhere");
    assert!(in_game(&github, None).contains(&format!("file={file}")));
    assert!(in_game(&["check", "../game/mods/hills", "--format", "github"], None).contains(&format!("file={file}")));
    let sarif = in_game(&["check", "mods/hills", "--format", "sarif"], None);
    assert!(sarif.contains(&format!("\"uri\": \"{file}\"")), "{sarif}");
    assert!(!sarif.contains("\"uri\": \"mods/"), "{sarif}");
    assert!(in_game(&["check", "mods/hills"], None).contains(" mods/hills/zones.json"), "people see paths from here");
}

/// The files of a pack that adds a hook to the tiny game of the hostile packs.
fn write_stranger(place: &Place, id: &str, deed: &str) {
    let manifest = format!(
        r#"{{ "format": 1, "id": "{id}", "version": "1.0.0", "api": 1, "title": "T", "kind": "extension", "requires": {{ "arena": "*" }} }}"#
    );
    place.write(&format!("{id}/pack.json"), &manifest);
    let rules = format!(r#"{{ "rules": [{{ "id": "{id}", "hooks": {{ "arena.dare": "{id}.act" }} }}] }}"#);
    place.write(&format!("{id}/rules.json"), &rules);
    let script = format!("local M = {{}}\n\nfunction M.act(self, owner, seat)\n  {deed}\nend\n\nreturn M\n");
    place.write(&format!("{id}/{id}.lua"), &script);
}

/// Packs are checked one by one, and each names what a third one has misspelled just once.
#[test]
fn a_fix_spreads_no_typo_over_packs() {
    let place = Place::new();
    let arena = folder(crate::common::root().join("tests/hostile/arena"));
    for path in arena.list().unwrap() {
        place.write(&format!("arena/{path}"), std::str::from_utf8(&arena.read(&path).unwrap()).unwrap());
    }
    let counters = place.read("arena/counters.json");
    let wrong = r#""counters": [{ "id": "fortuen", "scope": "faction", "min": 0, "max": 9 },"#;
    place.write("arena/counters.json", &counters.replacen("\"counters\": [", wrong, 1));
    for id in ["one", "other"] {
        write_stranger(&place, id, "add(counter.fortune, 1, seat)");
    }
    let before = ["one/one.lua", "other/other.lua"].map(|file| place.read(file));
    let output = place.run(&["check", "--fix", "arena", "one", "other"]);
    assert!(errors(&output).contains("2 errors") && !errors(&output).contains("fix"), "{}", errors(&output));
    assert_eq!(["one/one.lua", "other/other.lua"].map(|file| place.read(file)), before);
    // A single use is what is wrong more often.
    assert!(errors(&place.run(&["check", "one"])).contains("`--fix` can fix 1"));
    assert_eq!(code(&place.run(&["check", "--fix", "one"])), 0);
    assert_eq!(place.read("one/one.lua"), before[0].replace("fortune", "fortuen"));
}

/// Nothing is promised about packs that are only required.
#[test]
fn a_fix_of_a_pack_that_was_not_named_is_not_offered() {
    let place = Place::new();
    let arena = folder(crate::common::root().join("tests/hostile/arena"));
    for path in arena.list().unwrap() {
        place.write(&format!("arena/{path}"), std::str::from_utf8(&arena.read(&path).unwrap()).unwrap());
    }
    let counters = place.read("arena/counters.json").replacen("\"max\": 99", "\"max\": \"99\"", 1);
    place.write("arena/counters.json", &counters);
    write_stranger(&place, "one", "add(counter.score, 1, seat)");
    let output = place.run(&["check", "one"]);
    assert!(errors(&output).contains("1 error") && !errors(&output).contains("--fix"), "{}", errors(&output));
    assert!(errors(&place.run(&["check", "one", "arena"])).contains("`--fix` can fix 1"));
    assert_eq!(code(&place.run(&["check", "--fix", "one"])), 1);
    assert_eq!(place.read("arena/counters.json"), counters);
}
