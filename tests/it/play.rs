//! Games on the command line: played, saved, resumed, replayed, and turned into scenarios.

use std::io::Write as _;
use std::process::Command;

use crate::common::program::{assert_keys, code, errors, json, text, wait, with_game};
use serde_json::Value;

#[test]
fn a_played_game_becomes_a_scenario() {
    let place = with_game();
    let seats = ["--seats", "human,random", "--seed", "3"];
    let mut play = vec!["play", "--pack", "hills", "--save", "game.json"];
    play.extend(seats);
    let played = place.run_with(&play, "1\nscenario\nscenario from-play 2\nscenario from-play\n1\n");
    assert_eq!(code(&played), 0, "{}", errors(&played));
    let written = place.read("hills/from-play.scenarios.json");
    let first = r#"{ "seat": "north", "choose": "shear", "decision": "turn" }"#;
    assert!(written.contains(first) && written.contains(r#"{ "pending": { "seat": "north""#), "{written}");
    assert!(
        text(&played).contains("already has a scenario") || text(&played).contains("already exists"),
        "{}",
        text(&played)
    );
    // The file is one of scenarios, which do not affect games, so the save is still valid.
    let made = place.run(&[
        "replay",
        "game.json",
        "--pack",
        "hills",
        "--scenario",
        "from-save",
        "--title",
        "A game",
        "--from",
        "2",
        "--until",
        "3",
    ]);
    assert_eq!(code(&made), 0, "{}", errors(&made));
    let tested = json(&place.run(&["test", "hills", "--filter", "from-", "--format", "json"]));
    let scenarios = tested["packs"][0]["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), 2);
    assert!(scenarios.iter().all(|scenario| scenario["passed"] == true), "{tested}");
    assert_eq!(code(&place.run(&["check", "hills", "--deny", "warnings"])), 0);
    for wrong in [["--scenario", "No Id"], ["--scenario", "from-save"]] {
        let mut args = vec!["replay", "game.json", "--pack", "hills"];
        args.extend(wrong);
        assert_eq!(code(&place.run(&args)), 2);
    }
    assert_eq!(code(&place.run(&["replay", "game.json", "--pack", "hills", "--scenario", "x", "--until", "999"])), 2);
}

#[test]
fn a_game_is_played_saved_resumed_and_replayed() {
    let place = with_game();
    let play = ["play", "--pack", "hills", "--seed", "1", "--seats", "human,human", "--save", "game.json"];
    let typed = "help\nb\nt\nh\nw\nl\na\nnonsense\n99\nclimb\nshear\nu\n1\nsav\nq\n";
    let output = place.run_with(&play, typed);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let shown = text(&output);
    for wanted in [
        "North",
        "Hill",
        "Wool",
        "Drive the flock to the hill",
        "no option matches `nonsense`",
        "there is no option 99",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    let saved: Value = serde_json::from_str(&place.read("game.json")).unwrap();
    let fields =
        ["format", "version", "game", "packs", "fingerprint", "meaning", "config", "start", "answers", "digest"];
    assert_keys(&saved, &fields);
    assert_keys(&saved["answers"][0], &["seat", "choose", "then"]);
    assert_eq!(saved["answers"][0]["choose"], "climb");
    let verified = place.run(&["replay", "game.json", "--pack", "hills", "--verify"]);
    assert_eq!(code(&verified), 0, "{}", errors(&verified));
    assert_eq!(code(&place.run(&["replay", "game.json", "--pack", "hills"])), 0);
    let foreign = place.run(&["replay", "game.json", "--pack", "hills", "--lang", "tlh"]);
    assert_eq!(code(&foreign), 2);
    assert!(errors(&foreign).contains("the packs have: en"), "{}", errors(&foreign));

    // To the end; the input may hold more than is asked.
    let rest = place.run_with(&["play", "--pack", "hills", "--resume", "game.json"], &"1\n".repeat(40));
    assert_eq!(code(&rest), 0, "{}", errors(&rest));
    assert!(text(&rest).contains("The game is over."), "{}", text(&rest));
    assert_eq!(code(&place.run(&["replay", "game.json", "--pack", "hills", "--verify"])), 0);
}

#[test]
fn the_list_of_asides_takes_every_command() {
    let place = with_game();
    let output = place.run_with(&["play", "--seed", "7"], "a\nrules\na\n0\na\nquit\n");
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let shown = text(&output);
    assert!(shown.contains("Color of Gold"), "{shown}");
    assert_eq!(shown.matches("0 goes back").count(), 3, "{shown}");
    assert!(!shown.contains("`rules`") && !shown.contains("`quit`"), "{shown}");
    assert!(!shown.contains("The input has ended"), "{shown}");
}

#[test]
fn save_never_writes_over_a_file_unasked() {
    let place = with_game();
    place.write("diary.txt", "precious");
    let play = |more: &[&str]| {
        let args = ["play", "--pack", "hills", "--seed", "1", "--seats", "human,human", "--save", "diary.txt"];
        place.run_with(&[&args, more].concat(), "climb\nq\n")
    };
    let refused = play(&[]);
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("already exists"), "{}", errors(&refused));
    assert_eq!(place.read("diary.txt"), "precious");
    assert_eq!(code(&play(&["--force"])), 0);
    assert!(place.read("diary.txt").contains("climb"));
    // Nor does a line typed in the game.
    place.write("other.txt", "precious");
    let typed = place.run_with(
        &["play", "--pack", "hills", "--seed", "1", "--seats", "human,human"],
        "save other.txt\nsave new.json\nclimb\nsave\nq\n",
    );
    assert!(text(&typed).contains("already exists"), "{}", text(&typed));
    assert_eq!(place.read("other.txt"), "precious");
    assert!(place.read("new.json").contains("climb"));
    // Resuming writes to its own file, or to a new one.
    let resume =
        |save: &str| place.run_with(&["play", "--pack", "hills", "--resume", "new.json", "--save", save], "q\n");
    assert_eq!(code(&resume("other.txt")), 2);
    assert_eq!(code(&resume("third.json")), 0);
    let names: Vec<String> = std::fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!names.iter().any(|name| name.ends_with(".tmp") || name.ends_with(".lock")), "{names:?}");
}

/// A file that reaches the system's size limit is like a full disk: the answer is refused, and the game continues from
/// there.
#[cfg(unix)]
#[test]
fn an_answer_that_cannot_be_saved_is_not_taken() {
    let place = with_game();
    let play = "play --pack hills --seed 1 --seats human,human --set last-round=20 --save game.json";
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -f 2 && exec \"$0\" {play}"), env!("CARGO_BIN_EXE_principes")])
        .current_dir(place.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("1\n".repeat(100).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0, "{}{}", text(&output), errors(&output));
    let shown = text(&output);
    let is_over = shown.contains("The game is over.");
    assert_eq!(is_over, !shown.contains("was not accepted"), "the whole game fits or an answer was refused: {shown}");
    assert!(!is_over, "a limit that the game does not reach tests nothing");
    assert_eq!(code(&place.run(&["replay", "game.json", "--pack", "hills", "--verify"])), 0);
    assert_eq!(place.leftovers(""), [""; 0]);
}

#[test]
fn two_programs_do_not_write_one_save() {
    let place = with_game();
    let mut child =
        place.start(&["play", "--pack", "hills", "--seed", "1", "--seats", "human,human", "--save", "game.json"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"climb\n").unwrap();
    let save = || std::fs::read_to_string(place.file("game.json")).unwrap_or_default();
    wait(&mut child, || save().contains("climb"));
    let second = place.run_with(&["play", "--pack", "hills", "--resume", "game.json"], "q\n");
    assert_eq!(code(&second), 2);
    assert!(errors(&second).contains("another program"), "{}", errors(&second));
    // The lock of a killed program blocks nobody.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(code(&place.run_with(&["play", "--pack", "hills", "--resume", "game.json"], "q\n")), 0);
}

#[test]
fn the_save_survives_a_kill() {
    let place = with_game();
    let mut child =
        place.start(&["play", "--pack", "hills", "--seed", "1", "--seats", "human,human", "--save", "game.json"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"climb\nshear\n").unwrap();
    let answers = || {
        let text = std::fs::read_to_string(place.file("game.json")).unwrap_or_default();
        let save: Value = serde_json::from_str(&text).unwrap_or_default();
        save["answers"].as_array().map_or(0, Vec::len)
    };
    wait(&mut child, || answers() == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(answers(), 2);
    assert_eq!(code(&place.run(&["replay", "game.json", "--pack", "hills", "--verify"])), 0);
}

#[test]
fn broken_saves_are_refused_at_their_place() {
    let place = with_game();
    let args = ["play", "--pack", "hills", "--seed", "1", "--seats", "human,human", "--save", "game.json"];
    place.run_with(&args, "climb\nshear\nshear\n");
    let good = place.read("game.json");
    let cut = &good[..good.len() / 2];
    let cases: &[(&str, String, &str)] = &[
        ("truncated", cut.to_owned(), "ends here"),
        ("empty", String::new(), "ends here"),
        ("no save", "{\"format\": 1}".to_owned(), "bad.json:1:"),
        ("other file", "[1, 2]".to_owned(), "not a recorded game"),
        ("version", good.replace("\"version\": 2", "\"version\": 9"), "found 9"),
        ("other game", good.replace("\"game\": \"hills\"", "\"game\": \"valleys\""), "valleys"),
        ("answer", good.replacen("\"climb\"", "\"fly\"", 1), "/answers/0"),
        ("answer that fits", good.replacen("\"choose\":\"climb\"", "\"choose\":\"shear\"", 1), "/answers/0/then"),
        ("seat", good.replacen("\"seat\":\"north\"", "\"seat\":\"west\"", 1), "/answers/0"),
        ("seed", good.replace("\"seed\":1", "\"seed\":2"), "/start"),
        ("number of seats", good.replace("\"north\":\"human\",", ""), "seats"),
        ("deep", "[".repeat(100_000), "not a recorded game"),
    ];
    for (name, bad, wanted) in cases {
        assert_ne!(*bad, good, "{name}");
        place.write("bad.json", bad);
        // `--verify` looks for games that differ from the record.
        let verified = if wanted.starts_with('/') { 1 } else { 2 };
        for (command, refused) in [(["play", "--resume"], 2), (["replay", "--verify"], verified)] {
            let output = place.run(&[&command[..], &["bad.json", "--pack", "hills"]].concat());
            assert_eq!(code(&output), refused, "{name}: {}", text(&output));
            assert!(errors(&output).contains(wanted), "{name}: {}", errors(&output));
            assert!(errors(&output).contains("bad.json"), "{name}: {}", errors(&output));
            assert_eq!(place.read("bad.json"), *bad, "{name}: the file was touched");
        }
    }
    std::fs::write(place.file("bad.json"), [0xff, 0xfe, 0x00]).unwrap();
    assert_eq!(code(&place.run(&["replay", "bad.json", "--pack", "hills"])), 2);
    place.write("bad.json", &good.replacen("\"digest\": \"", "\"digest\": \"0", 1));
    assert_eq!(code(&place.run(&["replay", "bad.json", "--pack", "hills", "--verify"])), 1);
}

#[test]
fn watch_replays_the_game_on_edited_content() {
    let place = with_game();
    let mut child = place.start(&[
        "play",
        "--pack",
        "hills",
        "--seed",
        "1",
        "--seats",
        "human,human",
        "--watch",
        "--save",
        "g.json",
    ]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"climb\n").unwrap();
    let save = || std::fs::read_to_string(place.file("g.json")).unwrap_or_default();
    wait(&mut child, || save().contains("climb"));
    let before = save();
    let edit = |path: &str, old: &str, new: &str| place.write(path, &place.read(path).replace(old, new));
    // Messages change first. The save has a digest of scripts and data, so it shows that both have been read.
    edit("hills/game.en.json", "Shear the flock", "Clip the flock");
    edit("hills/hills.lua", "space.hill and 2 or 1", "space.hill and 4 or 1");
    wait(&mut child, || save() != before);
    input.write_all(b"shear\nq\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0, "{}", errors(&output));
    assert!(text(&output).contains("Clip the flock"), "{}", text(&output));
    assert!(text(&output).contains("North shears 4 wool"), "{}", text(&output));
}

/// A line that is typed while a changed file waits to be read answers the decision of the new content.
#[test]
fn nothing_typed_is_lost_in_a_reload() {
    let place = with_game();
    let seats = ["--seed", "1", "--seats", "human,human", "--watch", "--save", "g.json"];
    let mut child = place.start(&[&["play", "--pack", "hills"], &seats[..]].concat());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"climb\n").unwrap();
    let save = || std::fs::read_to_string(place.file("g.json")).unwrap_or_default();
    wait(&mut child, || save().contains("climb"));
    let script = place.read("hills/hills.lua");
    // In the new content, another option comes first. The number typed means the option that was on the screen.
    let edited = script.replace(r#"{ "shear" }"#, r#"{ "rest", "shear" }"#).replace("hill and 2", "hill and 4");
    place.write("hills/hills.lua", &edited);
    input.write_all(b"1\nq\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let shown = text(&output);
    let after = shown.split_once("The content has changed").map(|(_, after)| after);
    assert!(after.is_some_and(|after| after.contains("shears")), "{shown}");
}

/// Playing needs no scenarios: a broken one stops the checks, not the game.
#[test]
fn a_broken_scenario_keeps_nobody_from_playing() {
    let place = with_game();
    place.write("hills/game.scenarios.json", "{");
    let codes = |commands: &[&[&str]]| commands.iter().map(|args| code(&place.run(args))).collect::<Vec<_>>();
    assert_eq!(codes(&[&["sim", "--games", "1", "--pack", "hills"], &["show", "hill", "--pack", "hills"]]), [0, 0]);
    assert_eq!(codes(&[&["check", "hills"], &["test", "hills"]]), [1, 1]);
}

#[test]
fn what_a_record_says_commands_no_terminal() {
    let place = with_game();
    let played = place.run(&["play", "--pack", "hills", "--seats", "random,random", "--seed", "1", "--save", "g.json"]);
    assert_eq!(code(&played), 0, "{}", errors(&played));
    let (good, escape) = (place.read("g.json"), "\\u001b[2J");
    for field in ["choose", "then"] {
        let field = format!("\"{field}\":\"");
        let edited = good.replacen(&field, &format!("{field}{escape}"), 1);
        assert_ne!(edited, good);
        place.write("g.json", &edited);
        let shown = place.run(&["replay", "g.json", "--pack", "hills", "--color", "always"]);
        let all = text(&shown) + &errors(&shown);
        assert!(!all.contains("\u{1b}[2J") && all.contains("\\u{1b}"), "{field}: {all}");
    }
}

#[test]
fn a_pipe_is_no_record() {
    let place = with_game();
    let made = Command::new("mkfifo").arg(place.file("p.json")).status().unwrap();
    assert!(made.success());
    for command in [&["replay", "p.json"][..], &["sim", "--resume", "p.json"]] {
        let refused = place.run(command);
        assert!(code(&refused) == 2 && errors(&refused).contains("not a regular file"), "{}", errors(&refused));
    }
}
