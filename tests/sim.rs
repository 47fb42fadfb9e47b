//! `principes sim` over many games: stopped and gone on with, the same whatever the jobs.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A folder of its own, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("principes-sim-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Place(path)
    }
    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
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

fn with(more: &[&'static str]) -> Vec<&'static str> {
    GAME.iter().copied().chain(more.iter().copied()).collect()
}

/// Starts a simulation and waits until its checkpoint is there.
fn begun(args: &[&str], checkpoint: &str) -> Child {
    let child = sim(args).spawn().unwrap();
    for _ in 0..600 {
        if Path::new(checkpoint).exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(Path::new(checkpoint).exists(), "no checkpoint was written");
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Goes on again and again until the games are played.
fn go_on(checkpoint: &str) {
    let resumed = run(&["--resume", checkpoint, "--jobs", "2"]);
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
}

#[test]
fn ctrl_c_leaves_a_checkpoint_that_goes_on_to_the_same_rows() {
    let place = Place::new("stop");
    let (whole, rows, checkpoint) = (place.file("whole.csv"), place.file("rows.csv"), place.file("run.json"));
    let common = ["--games", "6000", "--format", "csv", "--out"];
    let args = |more: &[&str]| -> Vec<String> {
        GAME.iter().chain(&common).copied().chain(more.iter().copied()).map(str::to_owned).collect()
    };
    let whole_args = args(&[&whole]);
    fine(&whole_args.iter().map(String::as_str).collect::<Vec<_>>());
    let part_args = args(&[&rows, "--checkpoint", &checkpoint, "--jobs", "2"]);
    let part_args: Vec<&str> = part_args.iter().map(String::as_str).collect();
    let child = begun(&part_args, &checkpoint);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("of 6000 games") && told.contains("--resume"), "{told}");
    assert!(!Path::new(&rows).exists(), "rows that are not all there have no final name");
    // A second run must not write over the first one's state.
    let again = run(&part_args);
    assert_eq!(again.status.code(), Some(2));
    go_on(&checkpoint);
    assert!(read(&rows) == read(&whole), "the rows differ");
    assert!(!Path::new(&checkpoint).exists(), "nothing is left to go on with");
}

#[test]
fn a_killed_run_loses_little_and_no_row_comes_twice() {
    let place = Place::new("kill");
    let (rows, checkpoint, report) = (place.file("rows.csv"), place.file("run.json"), place.file("report.json"));
    let args = ["--games", "6000", "--format", "csv", "--out", &rows, "--checkpoint", &checkpoint, "--jobs", "2"];
    let args: Vec<&str> = GAME.iter().copied().chain(args).collect();
    let mut child = begun(&args, &checkpoint);
    signal(&child, "-KILL");
    child.wait().unwrap();
    let done = serde_json::from_str::<Value>(&read(&checkpoint)).unwrap()["tally"]["games"].as_u64().unwrap();
    assert!(done > 0 && done < 6000, "{done}");
    go_on(&checkpoint);
    fine(&[&GAME[..], &["--games", "6000", "--format", "json", "--out", &report]].concat());
    let report: Value = serde_json::from_str(&read(&report)).unwrap();
    let rows = read(&rows);
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 6000);
    assert!(rows.iter().enumerate().all(|(at, row)| row[0] == at.to_string()));
    assert_eq!(report["decisions"], rows.iter().map(|row| row[2].parse::<u64>().unwrap()).sum::<u64>());
    assert_eq!(report["seats"][0]["wins"], rows.iter().filter(|row| row[4] == "cross").count());
}

#[test]
fn the_state_hash_is_the_same_whatever_the_jobs_and_the_stops() {
    let hash = |text: &str| serde_json::from_str::<Value>(text).unwrap()["state_hash"].clone();
    let one = hash(&fine(&with(&["--games", "900", "--format", "json", "--jobs", "1"])));
    let three = hash(&fine(&with(&["--games", "900", "--format", "json", "--jobs", "3"])));
    assert_eq!(one, three);
    let place = Place::new("hash");
    let (checkpoint, out) = (place.file("run.json"), place.file("report.json"));
    let args = ["--games", "900", "--format", "json", "--checkpoint", &checkpoint, "--out", &out];
    let args: Vec<&str> = GAME.iter().copied().chain(args).collect();
    let child = begun(&args, &checkpoint);
    signal(&child, "-INT");
    child.wait_with_output().unwrap();
    if Path::new(&checkpoint).exists() {
        go_on(&checkpoint);
    }
    assert_eq!(hash(&read(&out)), one);
}

#[test]
fn wrong_checkpoints_are_refused_with_a_reason() {
    let place = Place::new("wrong");
    let checkpoint = place.file("run.json");
    let args = ["--games", "100000", "--format", "json", "--checkpoint", &checkpoint];
    let args: Vec<&str> = GAME.iter().copied().chain(args).collect();
    let child = begun(&args, &checkpoint);
    signal(&child, "-INT");
    child.wait_with_output().unwrap();
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
