//! `principes sim` over many games: stopped and gone on with, the same whatever the jobs.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own, gone at the end.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }
    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

fn sim(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_principes"));
    command.arg("sim").args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env_remove("PRINCIPES_PATH").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    sim(args).output().unwrap()
}

fn fine(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

const GAME: [&str; 4] = ["--game", "tic-tac-toe", "--seed", "9"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    GAME.iter().chain(more).copied().collect()
}

/// How many games a checkpoint holds; none where there is no checkpoint.
fn games_in(checkpoint: &str) -> u64 {
    let text = std::fs::read_to_string(checkpoint).unwrap_or_else(|_| "null".to_owned());
    serde_json::from_str::<Value>(&text).unwrap()["tally"]["games"].as_u64().unwrap_or(0)
}

/// Starts a simulation and waits until it has a checkpoint with games in it, or has come to its end.
fn begun(args: &[&str], checkpoint: &str) -> Child {
    let mut child = sim(args).spawn().unwrap();
    while games_in(checkpoint) == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Starts simulations of more and more games until one is met by a signal before its end: how many games it was to play,
/// and its checkpoint's path. How fast the machine is decides how many it takes.
fn met(signalled: &str, args: &[&str], checkpoint: &str) -> (String, Output) {
    for games in ["6000", "60000", "600000"] {
        let mut child = begun(&[args, &["--games", games, "--checkpoint", checkpoint]].concat(), checkpoint);
        signal(&mut child, signalled);
        let output = child.wait_with_output().unwrap();
        if Path::new(checkpoint).exists() {
            return (games.to_owned(), output);
        }
    }
    panic!("600000 games were over before a signal came");
}

/// Sends a signal to a simulation that may have come to its end.
fn signal(child: &mut Child, name: &str) {
    // Until it has been waited for, nobody else gets its number.
    if child.try_wait().unwrap().is_none() {
        let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

/// Goes on again and again until the games are played.
fn go_on(checkpoint: &str) {
    let resumed = run(&["--resume", checkpoint, "--jobs", "2"]);
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
}

#[test]
fn ctrl_c_leaves_a_checkpoint_that_goes_on_to_the_same_rows() {
    let place = Place::new();
    let (whole, rows, checkpoint) = (place.file("whole.csv"), place.file("rows.csv"), place.file("run.json"));
    let (games, output) = met("-INT", &with(&["--format", "csv", "--out", &rows, "--jobs", "2"]), &checkpoint);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(&format!("of {games} games")) && told.contains("--resume"), "{told}");
    assert!(!Path::new(&rows).exists(), "rows that are not all there have no final name");
    // A second run must not write over the first one's state.
    let again = run(&with(&["--games", &games, "--format", "csv", "--out", &rows, "--checkpoint", &checkpoint]));
    assert_eq!(again.status.code(), Some(2));
    go_on(&checkpoint);
    fine(&with(&["--games", &games, "--format", "csv", "--out", &whole]));
    assert!(read(&rows) == read(&whole), "the rows differ");
    assert!(!Path::new(&checkpoint).exists(), "nothing is left to go on with");
}

#[test]
fn a_killed_run_loses_little_and_no_row_comes_twice() {
    let place = Place::new();
    let (rows, checkpoint, report) = (place.file("rows.csv"), place.file("run.json"), place.file("report.json"));
    let (games, _) = met("-KILL", &with(&["--format", "csv", "--out", &rows, "--jobs", "2"]), &checkpoint);
    let (games, done) = (games.parse::<u64>().unwrap(), games_in(&checkpoint));
    assert!(done > 0 && done < games, "{done}");
    go_on(&checkpoint);
    fine(&with(&["--games", &games.to_string(), "--format", "json", "--out", &report]));
    let report: Value = serde_json::from_str(&read(&report)).unwrap();
    let rows = read(&rows);
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len() as u64, games);
    assert!(rows.iter().enumerate().all(|(at, row)| row[0] == at.to_string()));
    assert_eq!(report["decisions"], rows.iter().map(|row| row[2].parse::<u64>().unwrap()).sum::<u64>());
    assert_eq!(report["seats"][0]["wins"], rows.iter().filter(|row| row[4] == "cross").count());
}

#[test]
fn the_state_hash_is_the_same_whatever_the_jobs_and_the_stops() {
    let hash = |text: &str| serde_json::from_str::<Value>(text).unwrap()["state_hash"].clone();
    let place = Place::new();
    let (checkpoint, out) = (place.file("run.json"), place.file("report.json"));
    let (games, _) = met("-INT", &with(&["--format", "json", "--out", &out]), &checkpoint);
    go_on(&checkpoint);
    for jobs in ["1", "3"] {
        let whole = fine(&with(&["--games", &games, "--format", "json", "--jobs", jobs]));
        assert_eq!(hash(&whole), hash(&read(&out)), "{jobs} jobs");
    }
}

#[test]
fn wrong_checkpoints_are_refused_with_a_reason() {
    let place = Place::new();
    let checkpoint = place.file("run.json");
    met("-INT", &with(&["--format", "json"]), &checkpoint);
    let text = read(&checkpoint);
    let at = text.find(r#""fingerprint": ""#).unwrap() + 16;
    let other_packs = format!("{}{}{}", &text[..at], "0".repeat(8), &text[at + 8..]);
    let other_hash = text.replacen(r#""hash": ""#, r#""hash": "x"#, 1);
    for (broken, told) in [
        (other_packs, "packs have changed"),
        (other_hash, "state hash is damaged"),
        (text[..text.len() / 2].to_owned(), "no checkpoint"),
        ("{}".to_owned(), "no checkpoint of a simulation"),
        (text.replacen(r#""version": 1"#, r#""version": 99"#, 1), "another version"),
        (text.replacen(r#""games""#, r#""gmaes""#, 1), "damaged"),
    ] {
        assert_ne!(broken, text);
        std::fs::write(&checkpoint, broken).unwrap();
        let refused = run(&["--resume", &checkpoint]);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(message.contains(told) && !message.contains("panicked"), "{told}: {message}");
    }
    for wrong in [&["--resume", "missing.json"][..], &["--resume", &checkpoint, "--games", "5"]] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
