//! The contract of the command line: exit codes, what goes where, shapes of JSON, bad input.

use std::collections::BTreeSet;

use crate::bots::without_players;
use crate::common::program::{Place, assert_keys, code, errors, json, keys, principes, send, text, with_game};
use principes_app::players::{Player, listed};
use serde_json::Value;

#[test]
fn help_is_data_and_has_examples() {
    let place = Place::new();
    let overall = place.run(&["--help"]);
    assert_eq!(code(&overall), 0);
    insta::assert_snapshot!("help", text(&overall));
    let commands = "check explain fmt test mutate play sim balance pack perft replay rules schema api new show diff bench studio \
                    print import learn completions man";
    for command in commands.split_whitespace() {
        let help = place.run(&[command, "--help"]);
        assert_eq!(code(&help), 0, "{command}");
        assert!(errors(&help).is_empty(), "{command}");
        assert!(text(&help).contains("Examples:"), "{command}");
        insta::assert_snapshot!(format!("help-{command}"), without_players(&text(&help)));
    }
    let version = place.run(&["--version"]);
    assert_eq!((code(&version), text(&version)), (0, format!("principes {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn usage_errors_are_two_and_silent_on_standard_output() {
    let place = Place::new();
    let cases: &[&[&str]] = &[
        &[],
        &["nothing"],
        &["check", "no/such/pack"],
        &["check", "--until", "dinner"],
        &["test", "--min-coverage", "101"],
        &["explain", "P9999"],
        &["explain"],
        &["play", "--pack", "no/such/pack"],
        &["play", "--resume", "no-such-file"],
        &["replay", "no-such-file"],
        &["sim", "--games", "0"],
        &["sim", "--shard", "3/2"],
        &["sim", "--jobs", "0"],
        &["show"],
        &["new", "No Id"],
        &["diff", "a", "b"],
        &["schema", "--out", "/proc/none"],
    ];
    for args in cases {
        let output = place.run(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", errors(&output));
        assert!(text(&output).is_empty(), "{args:?}");
        assert!(!errors(&output).is_empty(), "{args:?}");
        assert!(!errors(&output).contains("panicked"), "{args:?}");
    }
    let shown = errors(&place.run(&["sim", "--game", "Pricnipes"]));
    assert!(shown.contains("did you mean `principes`?"), "{shown}");
}

#[test]
fn bad_tables_are_refused_with_what_would_be_right() {
    let place = with_game();
    let cases: &[(&[&str], &str)] = &[
        (&["sim", "--seats", "wizard"], &listed(Player::ALL.iter().copied())),
        (&["sim", "--seats", "human,random"], "no human seats"),
        (&["sim", "--seats", "north=random,nroth=random"], "did you mean `north`"),
        (&["sim", "--seats", "north=random,north=random"], "twice"),
        (&["sim", "--players", "7"], "needs 2 seats"),
        (&["sim", "--games", "x"], "expected a number from 1 to 18446744073709551615, found `x`"),
        (&["sim", "--seed", "-1"], "unexpected argument"),
        (&["perft", "--depth", "1001"], "expected a number from 1 to 1000, found `1001`"),
        (&["sim", "--variant", "winter"], "has no variants"),
        (&["sim", "--set", "wool=3"], "unknown setup option"),
        (&["sim", "--set", "last-round"], "KEY=VALUE"),
        (&["sim", "--set", "last-round=soon"], "expected a number, found `soon`"),
        (&["sim", "--set", "last-round=99"], "from 1 to 20"),
        (&["play", "--lang", "tlh"], "the packs have: en"),
        (&["play", "--faction", "west"], "north, south"),
        (&["show", "hil"], "did you mean `hill`"),
        (&["show", "--all", "hil"], "did you mean `hill`"),
        (&["show", "--list", "crads"], "did you mean `cards`"),
        (&["play", "--game", "chess"], "1 error"),
    ];
    for (args, wanted) in cases {
        let mut args = args.to_vec();
        args.extend(["--pack", "hills"]);
        let output = place.run(&args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(errors(&output).contains(wanted), "{args:?}: {}", errors(&output));
    }
}

#[test]
fn check_finds_faults_with_their_place() {
    let place = with_game();
    let fine = place.run(&["check", "hills", "--format", "json", "--until", "play", "--deny", "warnings"]);
    assert_eq!(code(&fine), 0, "{}", text(&fine));
    let report = json(&fine);
    assert_keys(&report, &["packs", "findings", "summary"]);
    assert_keys(&report["summary"], &["errors", "warnings", "packs", "entities", "hooks", "scenarios"]);
    assert_eq!(report["packs"], serde_json::json!(["hills"]));
    assert_eq!(report["summary"]["hooks"], 2);
    assert_eq!(report["summary"]["scenarios"], 2);

    let spaces = place.read("hills/spaces.json");
    place.write("hills/spaces.json", &spaces.replace("\"home\": \"north\"", "\"home\": \"nroth\""));
    let broken = place.run(&["check", "hills", "--format", "json"]);
    assert_eq!(code(&broken), 1);
    let finding = &json(&broken)["findings"][0];
    let fields = [
        "code",
        "severity",
        "message",
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "pointer",
        "help",
        "fix",
        "held_back",
    ];
    assert_keys(finding, &fields);
    assert_eq!(finding["file"], "hills/spaces.json");
    assert_eq!(finding["pointer"], "/spaces/0/home");
    assert!(finding["help"].as_str().unwrap().contains("`north`"));
    for format in ["human", "sarif", "junit", "github"] {
        let output = place.run(&["check", "hills", "--format", format]);
        assert_eq!(code(&output), 1, "{format}");
        assert!(text(&output).contains("nroth"), "{format}");
        assert!(!text(&output).contains('\u{1b}'), "{format}: color in a pipe");
    }
    let colored = place.run(&["check", "hills", "--color", "always"]);
    assert!(text(&colored).contains('\u{1b}'));
    // A stage that does not check references does not find the error.
    assert_eq!(code(&place.run(&["check", "hills", "--until", "syntax"])), 0);
    // A pack that cannot be loaded cannot be played either.
    assert_eq!(code(&place.run(&["play", "--pack", "hills"])), 2);
    let explained = place.run(&["explain", finding["code"].as_str().unwrap()]);
    assert_eq!(code(&explained), 0);
    assert!(text(&explained).contains(finding["code"].as_str().unwrap()));
}

#[test]
fn test_compares_snapshots_and_accepts_them() {
    let place = with_game();
    assert_eq!(code(&place.run(&["test", "hills", "--min-coverage", "100"])), 0);
    let script = place.read("hills/hills.lua");
    place.write("hills/hills.lua", &script.replace("space.hill and 2 or 1", "space.hill and 3 or 1"));
    let changed = place.run(&["test", "hills", "--filter", "shear", "--format", "json"]);
    assert_eq!(code(&changed), 1);
    let scenario = &json(&changed)["packs"][0]["scenarios"][0];
    assert_eq!((scenario["passed"].as_bool(), scenario["verdict"].as_str()), (Some(false), Some("fails")));
    // A failed expectation cannot be accepted; a snapshot can.
    assert_eq!(code(&place.run(&["test", "hills", "--accept"])), 1);
    let scenarios = place.read("hills/game.scenarios.json");
    let fixed = scenarios.replace("\"north\", \"is\": 2", "\"north\", \"is\": 3");
    place.write("hills/game.scenarios.json", &fixed.replace("\"winner\": \"south\"", "\"winner\": null"));
    let diff = place.run(&["test", "hills"]);
    assert_eq!(code(&diff), 1);
    assert!(text(&diff).contains("changed"), "{}", text(&diff));
    assert_eq!(code(&place.run(&["test", "hills", "--accept"])), 0);
    assert_eq!(code(&place.run(&["test", "hills"])), 0);
    assert_eq!(code(&place.run(&["test", "hills", "--filter", "no such"])), 2);
    // Without a change, a file stays as it is, byte by byte. A section of no scenario is removed even then.
    let kept = place.read("hills/game.scenarios.snap");
    for (there, then) in [
        (kept.replace('\n', "\r\n"), kept.replace('\n', "\r\n")),
        (format!("{kept}\n=== gone\n\nA scenario of old.\n"), kept.clone()),
    ] {
        place.write("hills/game.scenarios.snap", &there);
        assert_eq!(code(&place.run(&["test", "hills", "--accept"])), 0);
        assert_eq!(place.read("hills/game.scenarios.snap"), then);
    }
}

#[test]
fn snapshots_are_reviewed_one_by_one() {
    let place = with_game();
    let stored = place.read("hills/game.scenarios.snap");
    let snapshots = stored.matches("\n=== ").count();
    assert!(snapshots > 1, "the template has several scenarios");
    place.write(
        "hills/game.scenarios.snap",
        &format!("{}one more line\n", stored.replace("\n\n===", "\none more line\n\n===")),
    );
    let nothing = place.run(&["test", "hills", "--review"]);
    assert_eq!(code(&nothing), 1, "without an answer nothing is stored");
    assert!(text(&nothing).contains("- one more line"), "{}", text(&nothing));
    let some = place.run_with(&["test", "hills", "--review"], "what\na\nr\nq\n");
    assert_eq!(code(&some), 1);
    let left = snapshots - 2;
    assert!(text(&some).contains(&format!("1 accepted, 1 rejected, {left} left as they are")), "{}", text(&some));
    let all = "a\n".repeat(snapshots);
    assert_eq!(code(&place.run_with(&["test", "hills", "--review"], &all)), 0);
    let report = text(&place.run(&["test", "hills", "--format", "junit"]));
    assert!(report.contains("<testsuite name=\"hills\"") && report.contains("failures=\"0\""), "{report}");
}

#[test]
fn a_pack_that_cannot_be_loaded_is_an_error_in_every_format() {
    let place = with_game();
    place.write("broken/pack.json", "{ \"id\": \"broken\",\n");
    let why = "cannot load `broken`; `principes check broken` says why";
    for format in ["human", "json", "junit"] {
        let run = place.run(&["test", "hills", "broken", "--format", format]);
        assert_eq!(code(&run), 1, "{format}");
        assert!(String::from_utf8_lossy(&run.stderr).contains(why), "{format}");
    }
    let report = text(&place.run(&["test", "hills", "broken", "--format", "junit"]));
    let case = format!("<testcase name=\"load\" classname=\"broken\">\n            <error message=\"{why}\"");
    assert!(report.contains(&case) && report.contains("failures=\"0\" errors=\"1\">"), "{report}");
    let report = json(&place.run(&["test", "hills", "broken", "--format", "json"]));
    assert_eq!(report["unloaded"][0], "broken");
    assert_eq!(report["packs"][0]["id"], "hills");
}

#[test]
fn coverage_names_lines_and_branches_that_never_run() {
    let place = with_game();
    let script = place.read("hills/hills.lua");
    let more = "function M.unused(seat)\n  if seat then return 1 end\n  return 2\nend\n\nreturn M";
    place.write("hills/hills.lua", &script.trim_end().replace("return M", more));
    let shown = place.run(&["test", "hills", "--coverage"]);
    let line = 2 + script.lines().position(|line| line == "return M").unwrap();
    for wanted in [
        format!("hills/hills.lua:{line}-{} never run", line + 1),
        format!("hills/hills.lua:{} function never called", line - 1),
    ] {
        assert!(text(&shown).contains(&wanted), "{wanted}\n{}", text(&shown));
    }
    assert_eq!(code(&place.run(&["test", "hills", "--min-coverage", "100"])), 0, "every hook is reached");
    assert_eq!(code(&place.run(&["test", "hills", "--coverage", "--min-coverage", "100"])), 1, "not every line");
    let counted = json(&place.run(&["test", "hills", "--coverage", "--smoke", "--format", "json"]));
    let coverage = &counted["packs"][0]["coverage"];
    assert_keys(coverage, &["lines", "branches", "modules"]);
    assert_eq!(coverage["modules"][0]["missed_lines"][0][0], line);
    let lcov = text(&place.run(&["test", "hills", "--coverage", "--format", "lcov"]));
    assert!(lcov.contains("SF:hills/hills.lua\n") && lcov.contains(&format!("DA:{line},0\n")), "{lcov}");
}

#[test]
fn mutants_are_killed_or_named() {
    let place = with_game();
    let all = json(&place.run(&["mutate", "hills", "--format", "json", "--jobs", "2"]));
    assert_keys(&all, &["possible", "summary", "classes", "mutants"]);
    let mutants = all["mutants"].as_array().unwrap();
    assert_eq!(all["possible"], mutants.len());
    for class in ["reference-typo", "hook-typo", "constant-typo"] {
        assert_eq!(all["classes"][class]["made"], all["classes"][class]["check"], "{class}: {}", all["classes"][class]);
    }
    let by = |result: &str| mutants.iter().filter(|mutant| mutant["result"] == result).count();
    assert!(by("scenario") > 0 && by("fault") == 0);
    // Without scenarios, only the check is left.
    let sample = ["mutate", "hills", "--sample", "30", "--seed", "3", "--format", "json"];
    assert_eq!(json(&place.run(&sample)), json(&place.run(&sample)));
    std::fs::remove_file(place.file("hills/game.scenarios.json")).unwrap();
    let weak = place.run(&["mutate", "hills", "--classes", "arithmetic,literal", "--min-killed", "100"]);
    assert_eq!(code(&weak), 1);
    let shown = text(&weak);
    assert!(shown.contains("survives hills/hills.lua:") && shown.contains("  - ") && shown.contains("  + "), "{shown}");
    assert_eq!(code(&place.run(&["mutate", "hills", "--classes", "typos"])), 2);
}

#[test]
fn the_examples_of_a_rulebook_notice_no_mutant() {
    let place = with_game();
    place.write("hills/rules.en.md", "# Hills\n\n## Turn {#turn}\n\nShear or move.\n\n{{example the-hill-wins}}\n");
    let checked = place.run(&["check", "hills"]);
    assert_eq!(code(&checked), 0, "{}", text(&checked));
    let all = json(&place.run(&["mutate", "hills", "--classes", "arithmetic,comparison,literal", "--format", "json"]));
    let result = |result: &str| {
        let mutants = all["mutants"].as_array().unwrap();
        mutants.iter().filter(|mutant| mutant["result"] == result).count()
    };
    assert!(result("scenario") > 0 && result("survived") > 0, "{all}");
}

#[test]
fn mutate_lists_what_only_guides_bots_last() {
    let place = with_game();
    place.write("hills/aim.json", r#"{ "rules": [{ "id": "aim", "hooks": { "bot.value": "aim.value" } }] }"#);
    let aim = "local weights = import(\"aims\")\nlocal M = {}\n\nfunction M.value(self, value, owner, seat)\n  return value + weights.of(seat)\nend\n\nreturn M\n";
    place.write("hills/aim.lua", aim);
    place.write(
        "hills/aims.lua",
        "local M = {}\n\nfunction M.of(seat)\n  return seat == nil and 1 or 2\nend\n\nreturn M\n",
    );
    let all = json(&place.run(&[
        "mutate",
        "hills",
        "--games",
        "0",
        "--classes",
        "literal,arithmetic,comparison",
        "--format",
        "json",
    ]));
    let mutants = all["mutants"].as_array().unwrap();
    let files: Vec<(&str, bool)> =
        mutants.iter().map(|mutant| (mutant["file"].as_str().unwrap(), mutant["bots"].as_bool().unwrap())).collect();
    assert!(files.is_sorted_by_key(|(_, bots)| *bots), "{files:?}");
    let of_bots: BTreeSet<&str> = files.iter().filter(|(_, bots)| *bots).map(|(file, _)| *file).collect();
    assert_eq!(of_bots.into_iter().collect::<Vec<_>>(), ["hills/aim.lua", "hills/aims.lua"], "{files:?}");
    assert!(files.iter().any(|(file, _)| *file == "hills/hills.lua"));
}

#[test]
fn sim_is_the_same_whatever_the_jobs_and_the_shards_add_up() {
    let place = with_game();
    let sim = |more: &[&str]| {
        let mut args = vec!["sim", "--pack", "hills", "--games", "40", "--seed", "5", "--format", "json"];
        args.extend(more);
        let output = place.run(&args);
        assert_eq!(code(&output), 0, "{}", errors(&output));
        json(&output)
    };
    let one = sim(&["--jobs", "1"]);
    let fields = [
        "games",
        "decisions",
        "seconds",
        "games_per_second",
        "decisions_per_second",
        "state_hash",
        "outcomes",
        "seats",
        "rounds",
        "cards",
        "hooks",
        "faults",
        "faulty",
        "unfinished",
        "steps",
    ];
    assert_keys(&one, &fields);
    assert_keys(&one["seats"][0], &["faction", "bot", "wins", "win_rate", "ci95"]);
    assert_keys(&one["hooks"], &["declared", "reached", "unreached"]);
    assert_keys(&one["steps"], &["mean", "most", "limit", "most_in_call", "call_limit"]);
    assert_eq!(one["outcomes"]["wool"], 40);
    assert_eq!(one["rounds"]["5"], 40);
    let three = sim(&["--jobs", "3"]);
    for field in ["state_hash", "decisions", "outcomes", "seats", "hooks", "steps"] {
        assert_eq!(one[field], three[field], "{field}");
    }
    let parts: u64 =
        ["1/3", "2/3", "3/3"].iter().map(|part| sim(&["--shard", part])["decisions"].as_u64().unwrap()).sum();
    assert_eq!(parts, one["decisions"].as_u64().unwrap());
    assert_ne!(sim(&["--set", "last-round=2"])["state_hash"], one["state_hash"]);

    let csv = place.run(&["sim", "--pack", "hills", "--games", "3", "--format", "csv", "--out", "games.csv"]);
    assert_eq!((code(&csv), text(&csv)), (0, String::new()));
    assert_eq!(place.read("games.csv").lines().count(), 4);
}

#[test]
fn sim_reports_faults_with_their_seed() {
    let place = with_game();
    let script = place.read("hills/hills.lua");
    place.write("hills/hills.lua", &script.replace("  else\n    move(", "  else\n    error(\"no way home\") move("));
    let output = place.run(&["sim", "--pack", "hills", "--games", "30", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let fault = &json(&output)["faults"][0];
    assert_keys(fault, &["game", "seed", "message", "unfinished", "steps", "decisions", "last_answers"]);
    assert!(fault["message"].as_str().unwrap().contains("no way home"));
    assert!(fault["message"].as_str().unwrap().contains("hills.lua:"));
}

/// Ctrl-C is not an error: the exit code is that of the last report.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_watch_with_the_code_of_what_was_found() {
    use std::io::BufRead as _;
    let place = with_game();
    let script = place.read("hills/hills.lua");
    for (script, wanted) in [(script.clone(), 0), (script.replacen("log(", "lgo(", 1), 1)] {
        place.write("hills/hills.lua", &script);
        for command in ["check", "test"] {
            let mut child = place.start(&[command, "hills", "--watch"]);
            let mut messages = std::io::BufReader::new(child.stderr.take().unwrap());
            let mut line = String::new();
            while !line.contains("waiting for changes") {
                line.clear();
                assert!(messages.read_line(&mut line).unwrap() > 0, "{command} has ended");
            }
            send("INT", &child);
            assert_eq!(child.wait_with_output().unwrap().status.code(), Some(wanted), "{command}");
        }
    }
}

/// A folder that is renamed while it is watched comes back.
#[cfg(unix)]
#[test]
fn a_watch_waits_for_a_folder_that_is_gone() {
    use std::io::BufRead as _;
    let place = with_game();
    for command in ["check", "test"] {
        let mut child = place.start(&[command, "hills", "--watch"]);
        let mut messages = std::io::BufReader::new(child.stderr.take().unwrap());
        let mut hear = |wanted: &str| {
            let mut line = String::new();
            while !line.contains(wanted) {
                line.clear();
                assert!(messages.read_line(&mut line).unwrap() > 0, "{command} has ended before it said {wanted}");
            }
        };
        hear("waiting for changes");
        std::fs::rename(place.file("hills"), place.file("away")).unwrap();
        hear("`hills` does not exist");
        hear("waiting for changes");
        std::fs::rename(place.file("away"), place.file("hills")).unwrap();
        hear("waiting for changes");
        send("INT", &child);
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0), "{command}");
    }
}

/// After each edit of a list, `check --watch` prints what a new check prints, except that findings in the edited pack
/// come first, and that the number of held-back scenarios may not be known yet.
#[test]
fn a_watching_check_says_what_a_fresh_one_says() {
    use std::io::BufRead as _;
    let place = with_game();
    // A pack that builds on the other one, and is checked again with it.
    place.write(
        "more/pack.json",
        r#"{"id": "more", "version": "1.0.0", "title": "More", "kind": "extension", "format": 1, "api": 1,
            "authors": ["a"], "license": "MIT", "languages": ["en"], "requires": {"hills": "*"}}"#,
    );
    let mut child = place.start(&["check", "hills", "more", "--watch"]);
    let (lines, heard) = std::sync::mpsc::channel();
    let messages = std::io::BufReader::new(child.stderr.take().unwrap());
    std::thread::spawn(move || messages.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
    let (parts, shown) = std::sync::mpsc::channel();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        while let Ok(part @ [_, ..]) = stdout.fill_buf().map(<[u8]>::to_vec).as_deref() {
            stdout.consume(part.len());
            if parts.send(String::from_utf8_lossy(part).into_owned()).is_err() {
                break;
            }
        }
    });
    let minute = std::time::Duration::from_secs(60);
    let agree = |what: &str| {
        let fresh = place.run(&["check", "hills", "more"]);
        let (summary, mut received, mut first) = (errors(&fresh), String::new(), false);
        let is_kept = |line: &&str| !line.ends_with(", held back until this is fixed\n");
        let expected: String = text(&fresh).split_inclusive('\n').filter(is_kept).collect();
        // An edit of several files may be noticed in parts.
        loop {
            let line = heard.recv_timeout(minute).unwrap_or_else(|_| panic!("{what}: {summary} never came"));
            first |= line.starts_with("so far ") && line.ends_with("; still checking");
            if line.rsplit_once(" (").is_some_and(|(begin, _)| begin == summary.trim_end()) {
                break;
            }
        }
        while received.len() < expected.len() {
            received += &shown.recv_timeout(minute).unwrap_or_else(|_| panic!("{what}: only {received}"));
            received = received.split_inclusive('\n').filter(is_kept).collect();
            // Lines of an earlier report are dropped.
            if received.len() > expected.len() {
                received = received.split_off(received.len() - expected.len());
            }
        }
        let sorted = |text: &str| {
            let mut findings: Vec<String> = text.split("\n\n").map(|finding| finding.trim().to_owned()).collect();
            findings.sort();
            findings
        };
        assert_eq!(sorted(&received), sorted(&expected), "{what}");
        first
    };
    assert!(!agree("at the beginning"), "no pack comes before the others");
    let script = place.read("hills/hills.lua");
    let words = place.read("hills/game.en.json");
    let scenarios = "hills/game.scenarios.json";
    let scenario = place.read(scenarios);
    let edits: &[(&str, &str, Option<String>)] = &[
        ("a script that does something else", "hills/hills.lua", Some(script.replace("2 or 1", "4 or 1"))),
        ("a misspelled name", "hills/hills.lua", Some(script.replacen("log(", "lgo(", 1))),
        ("broken Lua", "hills/hills.lua", Some(script.replacen("end", "edn", 1))),
        ("fixed", "hills/hills.lua", Some(script.clone())),
        ("broken JSON", "hills/game.en.json", Some(words.replacen(':', "", 1))),
        ("another sentence", "hills/game.en.json", Some(words.replacen("Shear", "Clip", 1))),
        ("fixed", "hills/game.en.json", Some(words.clone())),
        ("a scenario that fails", scenarios, Some(scenario.replacen("\"is\": ", "\"is\": 7", 1))),
        ("fixed", scenarios, Some(scenario.clone())),
        ("a file that comes", "more/cards/new.json", Some(r#"{"cards": [{"id": "x", "type": 3}]}"#.to_owned())),
        ("a file that goes", "more/cards/new.json", None),
        ("a manifest that requires an unknown pack", "more/pack.json", {
            Some(place.read("more/pack.json").replace("\"*\"", "\"^9\""))
        }),
    ];
    for (what, file, content) in edits {
        match content {
            Some(content) => place.write(file, content),
            None => std::fs::remove_file(place.file(file)).unwrap(),
        }
        let first = agree(&format!("{what}: {file}"));
        // The other pack builds on hills, and a manifest may concern any pack.
        assert_eq!(first, file.starts_with("hills/") || file.ends_with("pack.json"), "{what}");
    }
    assert!(child.try_wait().unwrap().is_none(), "it runs until it is stopped");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn schemas_api_show_and_diff_have_their_shapes() {
    let place = with_game();
    let schemas = json(&place.run(&["schema"]));
    assert!(keys(&schemas).contains(&"cards".to_owned()));
    assert_eq!(code(&place.run(&["schema", "--out", "schemas"])), 0);
    assert!(place.file("schemas/pack.schema.json").is_file());
    let settings = json(&place.run(&["schema", "--vscode"]));
    let bound = settings["json.schemas"].as_array().unwrap().iter().map(|binding| binding["url"].as_str().unwrap());
    assert_eq!(bound.filter(|url| url.ends_with("/content.schema.json")).count(), 1);
    assert!(json(&place.run(&["api", "--format", "json"])).as_array().unwrap().len() > 50);
    assert!(text(&place.run(&["api", "--format", "luau"])).starts_with("---@meta"));

    let shown = json(&place.run(&["show", "hill", "wool", "--pack", "hills", "--format", "json"]));
    assert_eq!(shown.as_array().unwrap().len(), 2);
    assert_keys(&shown[0], &["family", "id", "title", "text", "hooks", "flow", "file", "line", "packs", "entity"]);

    let listed = json(&place.run(&["show", "--list", "space", "--pack", "hills", "--format", "json"]));
    assert_keys(&listed[0], &["family", "id", "title", "file", "line"]);
    let lines = text(&place.run(&["show", "--list", "spaces", "--pack", "hills"]));
    assert_eq!(lines.lines().count(), listed.as_array().unwrap().len());
    assert!(lines.lines().any(|line| line.starts_with("hill ")), "{lines}");

    assert_eq!(code(&place.run(&["new", "hills"])), 2, "a folder that is there is not written over");
    let same = place.run(&["diff", "hills", "hills", "--format", "json"]);
    assert_eq!((code(&same), json(&same)["changes"].as_array().unwrap().len()), (0, 0));
}

#[test]
fn an_entity_is_shown_whole() {
    let shown = |args: &[&str]| {
        let output = principes(&[&["show", "--all"], args].concat()).env("COLUMNS", "80").output().unwrap();
        assert_eq!(code(&output), 0, "{}", errors(&output));
        text(&output)
    };
    let card = shown(&["cards:rumors"]);
    for part in [
        "\nRumors  en\n",
        "  pl\n",
        "params.people",
        "props.timing",
        "JSON of principes",
        "\nfunction M.",
        "passes  ",
        "cites PR-",
    ] {
        assert!(card.contains(part.trim_start_matches('\n')), "{part}: {card}");
    }
    assert!(!card.contains("fails  "), "{card}");
    let whole = &json(&principes(&["show", "--all", "cards:rumors", "--format", "json"]).output().unwrap())[0]["all"];
    assert_keys(whole, &["faces", "values", "json", "scripts", "scenarios"]);
    let written: Value = serde_json::from_str(whole["json"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(written["id"], "rumors", "what is quoted is the entry");
    // It has no hooks, and no scenario names it.
    let place = with_game();
    let plain = text(&place.run(&["show", "--all", "spaces:hill", "--pack", "hills"]));
    assert!(plain.contains("JSON of hills") && !plain.contains("Script "), "{plain}");
}

#[test]
fn a_patched_card_is_shown_with_its_patches() {
    let args = ["show", "--all", "cards:mint", "--pack", "mods/hard-times", "--format", "json"];
    let whole = &json(&principes(&args).output().unwrap())[0]["all"];
    let names: Vec<&str> =
        whole["json"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["principes", "hard-times"], "the declaration first, then the patches in load order");
    let part = |at: usize| -> Value { serde_json::from_str(whole["json"][at]["text"].as_str().unwrap()).unwrap() };
    assert_eq!((&part(0)["params"]["gold"], &part(1)["set"]["params"]["gold"]), (&2.into(), &1.into()));
    assert_eq!(part(1)["id"], "mint");
    assert_eq!(whole["json"][1]["line"], 6, "the patch is quoted where it is written");
    let gold = whole["values"].as_array().unwrap().iter().find(|value| value["id"] == "gold").unwrap();
    assert_eq!(gold["value"], "1", "the value in play is the patched one");
    let scenarios = whole["scenarios"].as_array().unwrap();
    let own = |scenario: &&Value| scenario["file"].as_str().unwrap().starts_with("mods/hard-times/");
    assert!(scenarios.iter().filter(own).all(|scenario| scenario["passed"] == true), "{scenarios:#?}");
    assert!(scenarios.iter().filter(|scenario| !own(scenario)).all(|scenario| scenario["passed"].is_null()));
    let face = whole["faces"][0]["text"].as_str().unwrap();
    assert!(face.contains('1') && !face.contains('2'), "{face}");
}

#[test]
fn every_template_passes_check_and_test() {
    let place = Place::new();
    for kind in ["expansion", "cards", "map", "game"] {
        let made = place.run(&["new", kind, "--kind", kind]);
        assert_eq!(code(&made), 0, "{kind}: {}", errors(&made));
        // The files for editors are not part of the pack.
        let checked = place.run(&["check", kind, "--deny", "warnings"]);
        assert_eq!(code(&checked), 0, "{kind}: {}", text(&checked));
        let tested = place.run(&["test", kind]);
        assert_eq!(code(&tested), 0, "{kind}: {}", text(&tested));
    }
}

#[test]
fn check_and_test_look_at_the_pack_they_stand_in() {
    let place = with_game();
    let at = |folder: &str, args: &[&str]| place.program(args).current_dir(place.file(folder)).output().unwrap();
    let checked = json(&at("hills", &["check", "--format", "json"]));
    assert_eq!(checked["packs"], serde_json::json!(["hills"]), "{checked}");
    assert!(text(&at("hills", &["test"])).contains("hills: "));
    for command in ["check", "test"] {
        let nowhere = at("hills/.vscode", &[command]);
        assert_eq!(code(&nowhere), 2, "{command}");
        assert!(errors(&nowhere).contains("no pack found here"), "{command}: {}", errors(&nowhere));
    }
    place.write("hills/phases.json", "{");
    let broken = at("hills", &["test", "."]);
    assert!(errors(&broken).contains("`principes check .` says why"), "{}", errors(&broken));
}

#[test]
fn a_scenario_that_calls_what_is_not_there_is_told_with_the_rest() {
    let place = with_game();
    let odd = serde_json::json!({"id": "odd", "title": "Odd", "run": {"hook": "hills.no_such"}});
    place.write("hills/odd.scenarios.json", &serde_json::json!({"scenarios": [odd]}).to_string());
    let found = place.run(&["check", "hills", "--format", "json"]);
    let report = json(&found);
    let shown = report["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == "P0302");
    let file = shown.map(|finding| finding["file"].as_str().unwrap_or_default().to_owned());
    assert_eq!((code(&found), file.as_deref()), (1, Some("hills/odd.scenarios.json")), "{report}");
}

#[test]
fn a_patch_leaves_ids_as_they_are() {
    let place = with_game();
    assert_eq!(code(&place.run(&["new", "more", "--kind", "cards"])), 0);
    let patch = |id: &str| serde_json::json!({"of": "spaces", "id": "culmen", "set": {"id": id}});
    place.write("more/patches/map.json", &serde_json::json!({"patches": [patch("other")]}).to_string());
    let found = place.run(&["check", "more", "--format", "json"]);
    let report = json(&found);
    let codes: Vec<&str> = report["findings"].as_array().unwrap().iter().filter_map(|f| f["code"].as_str()).collect();
    assert_eq!((code(&found), codes), (1, vec!["P0209"]), "{report}");
}

#[test]
fn a_snapshot_that_cannot_be_read_is_not_taken_for_none() {
    let place = with_game();
    std::fs::write(place.file("hills/game.scenarios.snap"), b"\xff\xfe bad\n").unwrap();
    let tested = place.run(&["test", "hills"]);
    assert!(code(&tested) == 1 && text(&tested).contains("\nchanged "), "{}", text(&tested));
    let checked = place.run(&["check", "hills"]);
    assert!(code(&checked) == 1 && text(&checked).contains("P0702"), "{}", text(&checked));
}

#[test]
fn bench_measures() {
    let place = with_game();
    let report = json(&place.run(&["bench", "--pack", "hills", "--seconds", "0.2"]));
    let game = &report["games"][0];
    assert_eq!(game["packs"][0]["id"], "hills", "the packs that were measured");
    for field in [
        "games_per_second_per_core",
        "decisions_per_second_per_core",
        "mcts_playouts_per_second",
        "script_time_share",
        "yardstick_ns",
        "clone_ns",
        "save_ns",
        "save_bytes",
        "load_ns",
        "view_ns",
        "state_hash_ns",
        "pack_load_ms",
        "pack_check_ms",
        "pack_check_after_edit_ms",
    ] {
        assert!(game[field].as_f64().unwrap() > 0.0, "{field}");
    }
    let calls = &game["hook_calls"];
    for kind in
        ["effect_without_choice", "effect_with_choice_live", "effect_with_choice_rebuilt", "query_nobody_listens"]
    {
        assert!(calls[kind]["ns_per_call"].as_f64().unwrap() > 0.0, "{kind}");
    }
    assert!(game["script_time_share"].as_f64().unwrap() < 1.0);
}
