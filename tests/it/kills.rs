//! `play` and `sim` lose nothing when they are killed at any moment: a game can be resumed from disk with every answer
//! that was accepted, and a simulation continues from its checkpoint to the same totals.
//!
//! `PRINCIPES_KILLS` says how often; half of the kills go to each program.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;
use std::time::Duration;

use crate::common::program::{Place, code, errors, principes};
use serde_json::Value;

/// Kills of each program in the quick tests.
const FEW: u64 = 15;

/// Kills of each program in the tests at length.
fn many() -> u64 {
    std::env::var("PRINCIPES_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(200) / 2
}

/// A number from 0 to `below`, the same for each seed.
fn random(seed: u64, below: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % below
}

/// The leftover temporary files.
fn is_clean(place: &Place) -> bool {
    place.leftovers("").is_empty()
}

#[test]
fn a_killed_game_goes_on_where_it_was() {
    kill_games(FEW);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn a_killed_game_goes_on_where_it_was_however_often() {
    kill_games(many());
}

fn kill_games(kills: u64) {
    let place = Place::new();
    let save = place.file("game.json");
    let path = save.to_str().unwrap();
    let answers = |text: &str| serde_json::from_str::<Value>(text).unwrap()["answers"].as_array().unwrap().len();
    let mut before = 0;
    let mut killed = 0;
    for seed in 0..kills {
        let new = ["play", "--game", "tic-tac-toe", "--seats", "human,human", "--seed", "7", "--save", path];
        let on = ["play", "--game", "tic-tac-toe", "--resume", path];
        // Games end after nine answers at most.
        if before >= 4 {
            std::fs::remove_file(&save).unwrap();
            before = 0;
        }
        let mut command = principes(if save.exists() { &on } else { &new });
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // It answers as fast as it can, and is killed shortly after a few lines of output.
        let mut input = child.stdin.take().unwrap();
        let _ = input.write_all(b"1\n1\n1\n1\n");
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..random(seed, 30) {
            let mut line = String::new();
            if lines.read_line(&mut line).unwrap_or(0) == 0 {
                break;
            }
        }
        std::thread::sleep(Duration::from_micros(random(seed ^ 0xabcd, 3000)));
        killed += u64::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        let _ = lines.read_to_end(&mut Vec::new());
        if !save.exists() {
            assert_eq!(before, 0, "seed {seed}: the save is gone");
            continue;
        }
        let now = answers(&std::fs::read_to_string(&save).unwrap());
        assert!(now >= before, "seed {seed}: {now} answers, and there were {before}");
        before = now;
        if seed % 10 == 0 {
            let replayed = principes(&["replay", path, "--game", "tic-tac-toe", "--verify"]).output().unwrap();
            assert_eq!(code(&replayed), 0, "seed {seed}: {}", errors(&replayed));
        }
    }
    if save.exists() {
        let output = principes(&["replay", path, "--game", "tic-tac-toe", "--verify"]).output().unwrap();
        assert_eq!(code(&output), 0, "{}", errors(&output));
    }
    assert!(killed * 2 >= kills, "only {killed} were killed before their end");
}

#[test]
fn a_killed_simulation_goes_on_to_the_same_sums() {
    kill_simulations(FEW);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn a_killed_simulation_goes_on_to_the_same_sums_however_often() {
    kill_simulations(many());
}

fn kill_simulations(kills: u64) {
    let games = 3_000;
    let count = games.to_string();
    let settings =
        ["sim", "--game", "tic-tac-toe", "--seed", "9", "--games", &count, "--jobs", "1", "--format", "json"];
    let whole = principes(&settings).output().unwrap();
    assert_eq!(code(&whole), 0, "{}", errors(&whole));
    // Times differ, sums do not.
    let sums = |bytes: &[u8]| {
        let mut report: Value = serde_json::from_slice(bytes).unwrap();
        let object = report.as_object_mut().unwrap();
        object.retain(|key, _| !["seconds", "games_per_second", "decisions_per_second"].contains(&key.as_str()));
        report
    };
    let whole = sums(&whole.stdout);
    let place = Place::new();
    let file = place.file("run.json");
    let path = file.to_str().unwrap();
    let mut done = 0;
    let mut finished = 0;
    for seed in 0..kills {
        let begin = [&settings[..], &["--checkpoint", path]].concat();
        let on = ["sim", "--game", "tic-tac-toe", "--resume", path, "--jobs", "1"];
        let mut command = principes(if file.exists() { &on } else { &begin });
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random(seed, 40_000)));
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            assert_eq!(sums(&output.stdout), whole, "seed {seed}");
            (done, finished) = (0, finished + 1);
        } else if file.exists() {
            let checkpoint: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            let now = checkpoint["tally"]["games"].as_u64().unwrap();
            assert!((done..=games).contains(&now), "seed {seed}: {now} games, and there were {done}");
            done = now;
        }
    }
    // However often it was killed, the last run completes the games.
    if file.exists() {
        let output = principes(&["sim", "--game", "tic-tac-toe", "--resume", path, "--jobs", "1"]).output().unwrap();
        assert_eq!(code(&output), 0, "{}", errors(&output));
        assert_eq!(sums(&output.stdout), whole);
        assert!(is_clean(&place));
        finished += 1;
    }
    eprintln!("{} kills, {finished} runs came to their end", kills);
}
