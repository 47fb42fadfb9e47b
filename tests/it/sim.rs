//! `principes sim` over many games: stopped and resumed, the same for any number of workers.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use crate::common::program::{Place, code, errors, principes, send, text, wait};
use serde_json::Value;

const GAME: [&str; 4] = ["--game", "tic-tac-toe", "--seed", "9"];
/// More games than any machine can play before it is stopped.
const ENDLESS: &str = "1000000000000";

fn sim(args: &[&str]) -> Command {
    principes(&[&["sim"], &GAME[..], args].concat())
}

fn fine(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(code(&output), 0, "{command:?}: {}", errors(&output));
    text(&output)
}

/// The path of a file, as an argument.
fn file(place: &Place, name: &str) -> String {
    place.file(name).to_str().unwrap().to_owned()
}

/// Starts an endless simulation and stops it by a signal once it has a checkpoint, `run.json`, with games in it.
fn stopped(place: &Place, signal: &str, args: &[&str]) -> Output {
    let mut command = sim(&[args, &["--games", ENDLESS, "--checkpoint", &file(place, "run.json")]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait(&mut child, || place.file("run.json").exists());
    send(signal, &child);
    child.wait_with_output().unwrap()
}

/// Resumes from the checkpoint with a few hundred more games as the goal. Returns the total number of games.
fn go_on(place: &Place, more: &[&str]) -> String {
    let mut checkpoint: Value = serde_json::from_str(&place.read("run.json")).unwrap();
    let done = checkpoint["tally"]["games"].as_u64().unwrap();
    assert!(done > 0);
    checkpoint["settings"]["games"] = Value::from(done + 300);
    place.write("run.json", &checkpoint.to_string());
    let resume = ["sim", "--game", "tic-tac-toe", "--resume", &file(place, "run.json"), "--jobs", "2"];
    fine(principes(&[&resume, more].concat()));
    assert!(!place.file("run.json").exists(), "nothing is left to continue with");
    (done + 300).to_string()
}

#[test]
fn ctrl_c_leaves_a_checkpoint_that_goes_on_to_the_same_rows() {
    let place = Place::new();
    let (whole, rows, checkpoint) = (file(&place, "whole.csv"), file(&place, "rows.csv"), file(&place, "run.json"));
    let output = stopped(&place, "INT", &["--format", "csv", "--out", &rows, "--jobs", "2"]);
    assert_eq!(code(&output), 2, "{}", errors(&output));
    let expected = errors(&output);
    assert!(expected.contains(&format!("of {ENDLESS} games")) && expected.contains("--resume"), "{expected}");
    assert!(!place.file("rows.csv").exists(), "rows that are not all there have no final name");
    // A second run must not overwrite the first one's state.
    let again = sim(&["--format", "csv", "--out", &rows, "--checkpoint", &checkpoint]).output().unwrap();
    assert_eq!(code(&again), 2);
    assert!(errors(&again).contains("already exists"), "{}", errors(&again));
    let games = go_on(&place, &["--verify", "--out", &rows]);
    fine(sim(&["--games", &games, "--format", "csv", "--out", &whole]));
    assert!(place.read("rows.csv") == place.read("whole.csv"), "the rows differ");
}

#[test]
fn a_killed_run_loses_little_and_no_row_comes_twice() {
    let place = Place::new();
    let (rows, report) = (file(&place, "rows.csv"), file(&place, "report.json"));
    stopped(&place, "KILL", &["--format", "csv", "--out", &rows, "--jobs", "2"]);
    // Rows that were written after the checkpoint will be written again.
    let mut part = std::fs::File::options().append(true).open(place.file("rows.csv.part")).unwrap();
    part.write_all(b"0,again\n").unwrap();
    let games = go_on(&place, &["--out", &rows]);
    fine(sim(&["--games", &games, "--format", "json", "--out", &report]));
    let report: Value = serde_json::from_str(&place.read("report.json")).unwrap();
    let rows = place.read("rows.csv");
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len().to_string(), games);
    assert!(rows.iter().enumerate().all(|(at, row)| row[0] == at.to_string()));
    assert_eq!(report["decisions"], rows.iter().map(|row| row[2].parse::<u64>().unwrap()).sum::<u64>());
    assert_eq!(report["seats"][0]["wins"], rows.iter().filter(|row| row[4] == "cross").count());
}

#[test]
fn the_state_hash_is_the_same_whatever_the_jobs_and_the_stops() {
    let hash = |text: &str| serde_json::from_str::<Value>(text).unwrap()["state_hash"].clone();
    let place = Place::new();
    let report = file(&place, "report.json");
    stopped(&place, "INT", &["--format", "json", "--out", &report]);
    let games = go_on(&place, &["--out", &report]);
    let resumed = hash(&place.read("report.json"));
    for jobs in ["1", "3"] {
        let whole = fine(sim(&["--games", &games, "--format", "json", "--jobs", jobs]));
        assert_eq!(hash(&whole), resumed, "{jobs} jobs");
    }
}

/// A checkpoint with changed totals.
fn edited(checkpoint: &str, edit: &dyn Fn(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(checkpoint).unwrap();
    edit(&mut value["tally"]);
    value.to_string()
}

#[test]
fn verify_finds_sums_that_are_possible_and_not_true() {
    let place = Place::new();
    stopped(&place, "INT", &["--format", "json"]);
    let good = place.read("run.json");
    let one_win_moved = |tally: &mut Value| {
        let [first, second] = ["0", "1"].map(|seat| tally["wins"][seat].as_u64().unwrap());
        tally["wins"] = serde_json::json!({"0": first + 1, "1": second - 1});
    };
    place.write("run.json", &edited(&good, &one_win_moved));
    let resume = ["sim", "--game", "tic-tac-toe", "--resume", &file(&place, "run.json"), "--verify"];
    let refused = principes(&resume).output().unwrap();
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("does not match its games"), "{}", errors(&refused));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let place = Place::new();
    for name in ["report.json", "rows.csv", "other.csv.part", "run.json"] {
        place.write("victim", "precious");
        std::os::unix::fs::symlink(place.file("victim"), place.file(name)).unwrap();
        let path = file(&place, name);
        let few = ["--games", "2"];
        let output = match name {
            "report.json" => sim(&[&few[..], &["--format", "json", "--out", &path]].concat()),
            "rows.csv" => sim(&[&few[..], &["--format", "csv", "--out", &path]].concat()),
            "run.json" => sim(&[&few[..], &["--checkpoint", &path]].concat()),
            _ => sim(&[&few[..], &["--format", "csv", "--out", &file(&place, "other.csv")]].concat()),
        }
        .output()
        .unwrap();
        // An existing file of waiting rows is replaced.
        assert_eq!(code(&output), if name.ends_with(".part") { 0 } else { 2 }, "{name}: {}", errors(&output));
        assert_eq!(place.read("victim"), "precious", "{name}");
    }
}

#[test]
fn a_checkpoint_names_no_file_to_write() {
    let place = Place::new();
    let rows = file(&place, "rows.csv");
    stopped(&place, "INT", &["--format", "csv", "--out", &rows]);
    assert!(!place.read("run.json").contains("rows.csv"));
    let checkpoint = file(&place, "run.json");
    let refused = principes(&["sim", "--game", "tic-tac-toe", "--resume", &checkpoint]).output().unwrap();
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("needs --out FILE"), "{}", errors(&refused));
    let other = ["sim", "--game", "tic-tac-toe", "--resume", &checkpoint, "--out", &file(&place, "other.csv")];
    assert_eq!(code(&principes(&other).output().unwrap()), 2, "there are no rows to continue with");
}

#[test]
fn wrong_checkpoints_are_refused_with_a_reason() {
    let place = Place::new();
    stopped(&place, "INT", &["--format", "json"]);
    let checkpoint = file(&place, "run.json");
    let good = place.read("run.json");
    let mut other: serde_json::Value = serde_json::from_str(&good).unwrap();
    other["fingerprint"] = "0".into();
    other["meaning"] = "0".into();
    let other_packs = other.to_string();
    let other_hash = good.replacen(r#""hash": ""#, r#""hash": "x"#, 1);
    for (broken, expected) in [
        (other_packs, "not those of the checkpoint"),
        (other_hash, "state hash is damaged"),
        (good[..good.len() / 2].to_owned(), "not a checkpoint"),
        ("{}".to_owned(), "not a checkpoint of a simulation"),
        (good.replacen(r#""version": 2"#, r#""version": 99"#, 1), "was written by version"),
        (good.replacen(r#""games""#, r#""gmaes""#, 1), "damaged"),
        (good.replacen(r#""parts": 1"#, r#""parts": 0"#, 1), "part 1 of 0 does not exist"),
        (good.replacen(r#""cards": {}"#, r#""cards": {"60000": [1, 1]}"#, 1), "its totals do not fit this game"),
        (edited(&good, &|tally| tally["wins"]["0"] = 1_000_000_000_000_000_u64.into()), "its totals do not fit"),
        (edited(&good, &|tally| tally["games"] = 2_000_000_000_000_u64.into()), "its totals do not fit"),
        (edited(&good, &|tally| tally["decisions"] = u64::MAX.into()), "its totals do not fit"),
        (edited(&good, &|tally| tally["rounds"] = serde_json::json!({"3": u64::MAX, "4": 9})), "its totals do not fit"),
        (edited(&good, &|tally| tally["faulty"] = u64::MAX.into()), "its totals do not fit"),
    ] {
        assert_ne!(broken, good);
        place.write("run.json", &broken);
        let refused = principes(&["sim", "--game", "tic-tac-toe", "--resume", &checkpoint]).output().unwrap();
        assert_eq!(code(&refused), 2, "{}", errors(&refused));
        assert!(errors(&refused).contains(expected) && !errors(&refused).contains("panicked"), "{}", errors(&refused));
    }
    for wrong in [&["--resume", "missing.json"][..], &["--resume", &checkpoint, "--games", "5"]] {
        assert_eq!(code(&principes(&[&["sim"], wrong].concat()).output().unwrap()), 2, "{wrong:?}");
    }
}
