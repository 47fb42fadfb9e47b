//! `principes perft` against published numbers: the games of tic-tac-toe, the positions of connect four.

use crate::common::program;
use serde_json::{Value, json};

fn perft(args: &[&str]) -> Value {
    let output = program::principes(&["perft", "--format", "json"]).args(args).output().unwrap();
    assert!(output.status.success(), "{}", program::errors(&output));
    program::json(&output)
}

/// One figure of every depth.
fn by_depth(report: &Value, what: &str) -> Vec<u64> {
    report["depths"].as_array().unwrap().iter().map(|depth| depth[what].as_u64().unwrap()).collect()
}

/// Counts that take minutes run only if `PRINCIPES_PERFT` is set; use `--release`.
fn is_deep() -> bool {
    std::env::var_os("PRINCIPES_PERFT").is_some()
}

/// Games of tic-tac-toe after a number of marks, and those that end there.
const LEAVES: [u64; 9] = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
const ENDED: [u64; 9] = [0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872];

fn check_every_game(report: &Value) {
    assert_eq!(by_depth(report, "leaves"), LEAVES);
    assert_eq!(by_depth(report, "ended"), ENDED);
    assert_eq!(by_depth(report, "states"), [9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    assert_eq!(report["games"], 255_168);
    let outcomes = json!([
        {"winner": null, "cause": "full", "games": 46_080},
        {"winner": "cross", "cause": "row", "games": 131_184},
        {"winner": "nought", "cause": "row", "games": 77_904}
    ]);
    assert_eq!(report["outcomes"], outcomes);
}

#[test]
fn every_game_of_tic_tac_toe() {
    check_every_game(&perft(&["--game", "tic-tac-toe", "--depth", "9"]));
    if is_deep() {
        check_every_game(&perft(&["--game", "tic-tac-toe", "--depth", "9", "--every-game"]));
    }
}

#[test]
fn positions_of_connect_four() {
    let positions = [7, 49, 238, 1120, 4263, 16422, 54859, 184_275, 558_186];
    let depth = if is_deep() { 9 } else { 4 };
    let report = perft(&["--game", "connect-four", "--depth", &depth.to_string()]);
    assert_eq!(by_depth(&report, "states"), positions[..depth]);
    let leaves = [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234, 39_394_572];
    assert_eq!(by_depth(&report, "leaves"), leaves[..depth]);
    assert_eq!(report["leaves"], leaves[depth - 1]);
}

#[test]
fn merging_positions_counts_the_same_as_every_game() {
    // A turn has several answers and chance, so scripts are suspended with local state.
    for (game, depth) in [("dice-race", "7"), ("connect-four", "3"), ("principes", "2")] {
        let merged = perft(&["--game", game, "--depth", depth, "--seed", "3"]);
        let every = perft(&["--game", game, "--depth", depth, "--seed", "3", "--every-game", "--jobs", "2"]);
        for what in ["depths", "outcomes", "leaves", "games"] {
            assert_eq!(merged[what], every[what], "{game}: {what}");
        }
    }
}

#[test]
fn games_shorter_than_the_depth_end_the_count() {
    let report = perft(&["--game", "tic-tac-toe", "--depth", "30", "--jobs", "1"]);
    assert_eq!((by_depth(&report, "leaves").len(), &report["leaves"]), (9, &json!(0)));
}
