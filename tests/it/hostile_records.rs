//! Hostile saves, checkpoints and places to save to: each is refused with a reason, writes no file, and sends no
//! command to the terminal. Hostile packs are in `tests/it/hostile.rs`.

use std::process::Output;

use crate::common::program::{Place, code, errors, principes, text};
use principes_app::packs::{OpenPacks, PackRequest};
use serde_json::{Value, json};

const TIC_TAC_TOE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/mods/classics/tic-tac-toe");

/// What a record tries, how it is edited, and what the refusal says.
type Row = (&'static str, fn(&mut Value), &'static str);

/// A line that looks like the program's.
const FORGED: &str = "\nerror: forged\u{1b}[2J\u{202e}\u{e0041}";

const SAVES: &[Row] = &[
    (
        "a pack outside all folders",
        |save| {
            save["packs"][0]["id"] = json!("../../etc");
            save["start"] = json!("0123456789abcdef");
        },
        "(tic-tac-toe 0.1.0 instead of ../../etc 0.1.0)",
    ),
    ("a forged line in the game", |save| save["game"] = json!(FORGED), "this is a game of"),
    ("a forged line in the format", |save| save["format"] = json!(FORGED), "expected `principes-game`"),
    (
        "a forged line in the digests of the packs",
        |save| {
            save["fingerprint"] = json!(FORGED);
            save["meaning"] = json!(FORGED);
            save["answers"][0]["then"] = json!("0123456789ab");
        },
        "the packs have changed since the game was saved, and only its start plays the same",
    ),
    (
        "a forged line in a version",
        |save| {
            save["packs"][0]["version"] = json!(FORGED);
            save["answers"][0]["choose"] = json!("fly");
        },
        "(tic-tac-toe 0.1.0 instead of tic-tac-toe",
    ),
    (
        "a forged line in a seam",
        |save| save["seams"] = json!([{ "after": 1, "packs": [], "fingerprint": 1 }]),
        "invalid type",
    ),
    ("a forged line in an answer", |save| save["answers"][0]["choose"] = json!(FORGED), "is not an option"),
    ("a forged line in a seat", |save| save["answers"][0]["seat"] = json!(FORGED), "is not a playable faction"),
    ("a forged line in a key", |save| save[FORGED] = json!(1), "unknown field"),
    ("a forged line in an option", |save| save["config"]["options"][FORGED] = json!(1), "unknown counter"),
    ("a file to write", |save| save["out"] = json!("victim"), "unknown field `out`"),
    ("a seed below zero", |save| save["config"]["seed"] = json!(-1), "expected u64"),
    (
        "forty thousand answers",
        |save| {
            let answer = save["answers"][0].clone();
            save["answers"] = vec![answer; 40_000].into();
        },
        "is not an option",
    ),
    ("another state", |save| save["answers"][0]["then"] = json!("0123456789ab"), "has digest"),
    ("another first state", |save| save["start"] = json!("0123456789abcdef"), "the first state has digest"),
    ("another last state", |save| save["digest"] = json!("0123456789abcdef"), "the last state has digest"),
    ("no last state", |save| save["digest"] = json!(""), "the last state has digest"),
];

const CHECKPOINTS: &[Row] = &[
    ("a file to write", |run| run["out"] = json!("victim"), "unknown field `out`"),
    ("a file to write, in the settings", |run| run["settings"]["out"] = json!("victim"), "unknown field `out`"),
    ("packs to load", |run| run["settings"]["setup"]["packs"] = json!(["/etc"]), "unknown field `packs`"),
    ("absurd wins", |run| run["tally"]["wins"]["0"] = json!(1_000_000_000_000_000_u64), "its totals do not fit"),
    ("absurd games", |run| run["tally"]["games"] = json!(u64::MAX), "its totals do not fit"),
    ("absurd decisions", |run| run["tally"]["decisions"] = json!(u64::MAX), "its totals do not fit"),
    ("games that did not end", |run| run["tally"]["outcomes"]["11"] = json!(4110), "its totals do not fit"),
    ("more wins than games that ended", |run| run["tally"]["wins"]["0"] = json!(3411), "its totals do not fit"),
    ("a cause of no game", |run| run["tally"]["outcomes"]["12"] = json!(0), "its totals do not fit"),
    ("rounds that nobody counts", |run| run["tally"]["rounds"]["3"] = json!(4762), "its totals do not fit"),
    ("steps of no game", |run| run["tally"]["steps"] = json!(5), "its totals do not fit"),
    ("a call beyond its budget", |run| run["tally"]["most_steps"] = json!([0, 1_000_001]), "its totals do not fit"),
    ("sums of no games", |run| run["tally"]["games"] = json!(0), "its totals do not fit"),
    ("a failed game that is not listed", |run| failed(run, 0, None), "its totals do not fit"),
    ("a failed game of another seed", |run| failed(run, 1, Some((3, 4))), "its totals do not fit"),
    ("a failed game that was not played", |run| failed(run, 1, Some((5_000, 5_000))), "its totals do not fit"),
    ("a fraction of games", |run| run["tally"]["games"] = json!(0.5), "expected u64"),
    ("a part that does not exist", |run| run["settings"]["shard"]["part"] = json!(9), "part 9 of 1 does not exist"),
    ("a time before the beginning", |run| run["seconds"] = json!(-1), "not a valid number of seconds"),
    ("a hash of one byte", |run| run["hash"] = json!("00"), "hash is damaged"),
    ("other packs", |run| run["fingerprint"] = json!(FORGED), "not those of the checkpoint"),
    ("a bot that thinks for years", |run| bots(run, "mcts:99999999999"), "must be from 1 to 1000000"),
    ("a forged line in a bot", |run| bots(run, FORGED), "unknown player"),
    ("a forged line in a variant", |run| run["settings"]["setup"]["variant"] = json!(FORGED), "unknown variant"),
    ("a forged line in the program", |run| run["program"] = json!(FORGED), "was written by version"),
    ("a forged line in a key", |run| run[FORGED] = json!(1), "unknown field"),
];

/// One game more, which failed; perhaps it is listed, by its number and the number that its seed is made from.
fn failed(run: &mut Value, unfinished: u64, listed: Option<(u64, u64)>) {
    let tally = &mut run["tally"];
    (tally["games"], tally["faulty"], tally["unfinished"]) = (json!(4763), json!(1), json!(unfinished));
    tally["faults"] = listed.map_or(json!([]), |(game, of)| {
        let seed = principes_app::setup::derive_seed(9, of) >> 11;
        json!([{ "game": game, "seed": seed, "message": "", "unfinished": true, "decisions": 0, "last_answers": [] }])
    });
}

fn bots(run: &mut Value, bot: &str) {
    run["settings"]["setup"]["seating"]["list"] = json!([bot]);
}

/// Fails unless the program refused something with a reason, without forged lines.
fn refused(tried: &str, output: &Output, why: &str) {
    let said = text(output) + &errors(output);
    // A replay that differs from its record is 1.
    assert!(matches!(code(output), 1 | 2), "{tried}: {said}");
    assert!(errors(output).contains(why) && !said.contains("panicked"), "{tried}: {said}");
    let hidden = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{e0041}');
    assert!(!said.contains(hidden), "{tried}: {said:?}");
    assert!(!said.lines().any(|line| line.starts_with("error: forged")), "{tried}: {said}");
}

/// A folder with a file that nobody may touch.
fn place_with_victim() -> Place {
    let place = Place::new();
    place.write("victim", "precious");
    place
}

/// The names in a folder.
fn names(place: &Place) -> Vec<String> {
    let names = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn path(place: &Place, name: &str) -> String {
    place.file(name).to_str().unwrap().to_owned()
}

/// Two answers of tic-tac-toe.
fn save() -> Value {
    let place = Place::new();
    let game = path(&place, "game.json");
    let mut child =
        principes(&["play", "--game", "tic-tac-toe", "--seats", "human,human", "--seed", "7", "--save", &game])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"1\n1\nq\n").unwrap();
    assert!(child.wait().unwrap().success());
    serde_json::from_str(&place.read("game.json")).unwrap()
}

#[test]
fn saves_are_refused() {
    let (good, place) = (save(), place_with_victim());
    let record = path(&place, "record.json");
    for (tries, edit, why) in SAVES {
        let mut edited = good.clone();
        edit(&mut edited);
        place.write("record.json", &edited.to_string());
        let replay = ["replay", &record, "--game", "tic-tac-toe", "--verify"];
        refused(tries, &principes(&replay).output().unwrap(), why);
        refused(tries, &principes(&replay[..4]).output().unwrap(), why);
        let play = ["play", "--game", "tic-tac-toe", "--resume", &record];
        refused(tries, &principes(&play).output().unwrap(), why);
        assert_eq!(place.read("record.json"), edited.to_string(), "{tries}");
    }
    assert_eq!(
        (place.read("victim").as_str(), names(&place)),
        ("precious", vec!["record.json".to_owned(), "victim".to_owned()])
    );
}

#[test]
fn checkpoints_are_refused() {
    let place = place_with_victim();
    let run = path(&place, "run.json");
    let mut good: Value = serde_json::from_str(include_str!("../fuzz/checkpoint.json")).unwrap();
    // The digest of the pack as it is now.
    let packs = PackRequest { paths: vec![TIC_TAC_TOE.into()], ..PackRequest::default() };
    good["fingerprint"] = OpenPacks::open(&packs).unwrap().catalog.fingerprint.as_str().into();
    for (tries, edit, why) in CHECKPOINTS {
        let mut edited = good.clone();
        edit(&mut edited);
        place.write("run.json", &edited.to_string());
        let sim = ["sim", "--game", "tic-tac-toe", "--resume", &run];
        refused(tries, &principes(&sim).output().unwrap(), why);
        assert_eq!(place.read("run.json"), edited.to_string(), "{tries}");
    }
    assert_eq!(
        (place.read("victim").as_str(), names(&place)),
        ("precious", vec!["run.json".to_owned(), "victim".to_owned()])
    );
}

#[test]
fn checkpoints_of_packs_with_the_same_meaning_go_on() {
    let place = Place::new();
    let run = path(&place, "run.json");
    let packs = PackRequest { paths: vec![TIC_TAC_TOE.into()], ..PackRequest::default() };
    let meaning = OpenPacks::open(&packs).unwrap().loaded.meaning().to_owned();
    let mut checkpoint: Value = serde_json::from_str(include_str!("../fuzz/checkpoint.json")).unwrap();
    for (means, goes_on) in [(meaning.as_str(), 0), ("other", 2), ("", 2)] {
        checkpoint["fingerprint"] = json!("of other files");
        checkpoint["meaning"] = json!(means);
        checkpoint["settings"]["games"] = checkpoint["tally"]["games"].clone();
        place.write("run.json", &checkpoint.to_string());
        let output = principes(&["sim", "--game", "tic-tac-toe", "--resume", &run]).output().unwrap();
        assert_eq!(code(&output), goes_on, "{means}: {}", errors(&output));
    }
}

#[cfg(unix)]
#[test]
fn places_are_refused() {
    let place = place_with_victim();
    std::fs::create_dir(place.file("folder")).unwrap();
    std::fs::create_dir(place.file("locked.json.lock")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(place.file("socket")).unwrap();
    std::os::unix::fs::symlink(place.file("victim"), place.file("link.json")).unwrap();
    std::os::unix::fs::symlink(place.file("nowhere"), place.file("dangling.json")).unwrap();
    std::os::unix::fs::symlink(place.file("victim"), place.file("other.json.lock")).unwrap();
    let before = names(&place);
    for (name, why) in [
        ("victim", "already exists"),
        ("folder", "already exists"),
        ("link.json", "is a link"),
        ("dangling.json", "is a link"),
        ("socket", "is not a file"),
        ("missing/game.json", "cannot"),
        ("locked.json", "cannot lock"),
        ("other.json", "cannot lock"),
    ] {
        let play = ["play", "--game", "tic-tac-toe", "--seats", "random,random", "--save", &path(&place, name)];
        refused(name, &principes(&play).output().unwrap(), why);
        assert_eq!((place.read("victim").as_str(), names(&place)), ("precious", before.clone()), "{name}");
    }
    for (option, name, why) in [
        ("--out", "folder", "cannot write"),
        ("--out", "link.json", "is a link"),
        ("--out", "socket", "is not a file"),
        ("--out", "missing/report.json", "cannot write"),
        ("--checkpoint", "folder", "already exists"),
        ("--checkpoint", "victim", "already exists"),
        ("--checkpoint", "link.json", "already exists"),
        ("--checkpoint", "missing/run.json", "cannot write"),
    ] {
        let file = path(&place, name);
        let sim = ["sim", "--game", "tic-tac-toe", "--games", "2", option, &file];
        refused(&format!("{option} {name}"), &principes(&sim).output().unwrap(), why);
        assert_eq!((place.read("victim").as_str(), names(&place)), ("precious", before.clone()), "{option} {name}");
    }
    // Commands that would put another file in its place, as root even in the place of a device.
    let file = path(&place, "socket");
    for command in [
        vec!["sim", "--game", "tic-tac-toe", "--games", "2", "--format", "csv", "--out", &file],
        vec!["play", "--game", "tic-tac-toe", "--seats", "random,random", "--force", "--save", &file],
        vec!["pack", TIC_TAC_TOE, "--out", &file],
        vec!["rules", "--game", "tic-tac-toe", "--out", &file, "--force"],
        vec!["learn", "--game", "tic-tac-toe", "--games", "1", "--out", &file],
    ] {
        refused(command[0], &principes(&command).output().unwrap(), "is not a file");
        let kind = std::fs::symlink_metadata(&file).unwrap().file_type();
        assert!(std::os::unix::fs::FileTypeExt::is_socket(&kind), "{command:?}");
        assert_eq!(names(&place), before, "{command:?}");
    }
    drop(socket);
}
