//! The extensions under `mods/`: each is played alone, all on the base game are played together, and two contradict
//! each other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::program;
use crate::common::{DECISION_CAP, Pack, give, load, next_answer, options, pack_folders, root};
use principes_content::check;
use principes_core::bots::RandomBot;
use principes_schemas::PackKind;
use principes_source::FileRole;
use principes_source::{PackSource, folder};

/// Two packs that contradict each other on purpose.
const RIVALS: [&str; 2] = ["mods/horse-market/cheap-horses", "mods/horse-market/dear-horses"];
/// Games of each pack alone, and of all together.
const GAMES: u64 = 2;

fn extensions() -> Vec<PathBuf> {
    let is_extension = |path: &PathBuf| {
        let manifest = std::fs::read_to_string(path.join("pack.json")).expect("a manifest");
        manifest.contains("\"extension\"")
    };
    pack_folders().into_iter().filter(is_extension).collect()
}

fn is_on_base_game(path: &Path) -> bool {
    std::fs::read_to_string(path.join("pack.json")).expect("a manifest").contains("\"principes\": ")
}

fn sources(paths: &[PathBuf]) -> Vec<Arc<dyn PackSource>> {
    paths.iter().map(folder).collect()
}

fn play(pack: &Pack) {
    let host = pack.fresh_host();
    for number in 0..GAMES {
        let mut game = pack.game(&host, number);
        let mut bot = RandomBot::new(number);
        while game.outcome().is_none() {
            let answer = next_answer(&mut game, &mut bot);
            let answer = answer.unwrap_or_else(|| panic!("{}: game {number} does not continue", pack.name));
            give(&mut game, &answer).unwrap_or_else(|error| panic!("{}: game {number}: {error}", pack.name));
            assert!(game.record().len() < DECISION_CAP, "{}: game {number} does not end", pack.name);
        }
    }
}

#[test]
fn each_extension_is_played_alone() {
    for path in extensions() {
        let pack = Pack::of(load(&sources(std::slice::from_ref(&path))));
        assert_eq!(pack.loaded.packs.last().map(|info| info.manifest.kind), Some(PackKind::Extension));
        assert!(pack.loaded.warnings.is_empty(), "{}: {:#?}", pack.name, pack.loaded.warnings);
        play(&pack);
    }
}

#[test]
fn all_that_agree_on_the_base_game_are_played_together() {
    let rivals: Vec<PathBuf> = RIVALS.iter().map(|path| root().join(path)).collect();
    let friends: Vec<PathBuf> =
        extensions().into_iter().filter(|path| is_on_base_game(path) && !rivals.contains(path)).collect();
    if friends.len() < 2 {
        // Only one pack is examined.
        return;
    }
    let checked = check(&sources(&friends), &options());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    let pack = Pack::of(checked.loaded.expect("no finding"));
    assert_eq!(pack.loaded.packs.len(), friends.len() + 1);
    play(&pack);
    // The order of the arguments does not matter.
    let mut turned = friends;
    turned.reverse();
    assert_eq!(load(&sources(&turned)).fingerprint, pack.loaded.fingerprint);
}

fn principes(args: &[&str]) -> (i32, String) {
    let output = program::principes(args).output().expect("it runs");
    (program::code(&output), program::text(&output))
}

#[test]
fn a_translation_has_every_sentence() {
    let texts = |pack: &str, language: &str| {
        let source = folder(root().join(pack));
        let mut texts: BTreeMap<String, serde_json::Value> = BTreeMap::new();
        for path in source.list().expect("a folder") {
            if FileRole::of(&path) == FileRole::Messages(language) {
                let bytes = source.read(&path).expect("a file");
                let file: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
                texts.extend(file["messages"].as_object().expect("messages").clone());
            }
        }
        assert!(!texts.is_empty(), "{pack} has no messages in {language}");
        texts
    };
    let (english, german) = (texts("content/principes", "en"), texts("mods/deutsch", "de"));
    let missing: Vec<&String> = english.keys().filter(|key| !german.contains_key(*key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // Names may stay as they are; sentences may not.
    let copied: Vec<&String> = english
        .iter()
        .filter(|(key, text)| german.get(*key) == Some(text) && text.as_str().is_none_or(|text| text.contains(". ")))
        .map(|(key, _)| key)
        .collect();
    assert!(copied.is_empty(), "{copied:?}");
    let (code, text) = principes(&["show", "cards:pilgrimage", "--pack", "mods/deutsch", "--lang", "de"]);
    assert_eq!(code, 0);
    assert!(text.contains("Pilgerfahrt"), "{text}");
}

#[test]
fn rivals_are_sound_alone_and_a_finding_together() {
    for path in RIVALS {
        assert_eq!(principes(&["check", path, "--deny", "warnings"]).0, 0, "{path}");
    }
    let (code, text) = principes(&["check", "--together", RIVALS[0], RIVALS[1], "--format", "json"]);
    assert_eq!(code, 1);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let findings = report["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{text}");
    let place = |value: &serde_json::Value| {
        let (file, line) = (value["file"].as_str().unwrap_or_default(), value["line"].as_u64().unwrap_or_default());
        let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
        let line = text.lines().nth(usize::try_from(line).expect("small") - 1).expect("the line is there");
        assert!(line.contains("\"start\""), "{file}: {line}");
        file.to_owned()
    };
    assert_eq!(findings[0]["code"], "P0210");
    assert_eq!(place(&findings[0]), format!("{}/horses.json", RIVALS[1]));
    let labels: Vec<String> = findings[0]["labels"].as_array().expect("labels").iter().map(place).collect();
    assert_eq!(labels, ["content/principes/round/counters.json".to_owned(), format!("{}/horses.json", RIVALS[0])]);
}

#[test]
fn the_load_order_and_every_writer_can_be_asked_for() {
    let (code, text) =
        principes(&["check", "--together", RIVALS[1], RIVALS[0], "--explain-order", "--until", "schema"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[0], "load order");
    assert!(lines[1].starts_with("1  principes "), "{text}");
    assert!(lines[3].starts_with("2  cheap-horses "), "{text}");
    assert!(
        lines[4].starts_with("after principes: requires ^0.1.0 (mods/horse-market/cheap-horses/pack.json:"),
        "{text}"
    );
    assert_eq!(lines[5], "before dear-horses: by id");
    assert!(lines[6].starts_with("3  dear-horses "), "{text}");

    let (code, text) = principes(&["show", "knight-cost", "--pack", RIVALS[0], "--why", "start", "--format", "json"]);
    assert_eq!(code, 0);
    let why: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let field = &why[0]["fields"][0];
    let writers: Vec<(&str, i64)> = field["writers"]
        .as_array()
        .expect("writers")
        .iter()
        .map(|writer| (writer["pack"].as_str().unwrap_or_default(), writer["value"].as_i64().unwrap_or(-1)))
        .collect();
    assert_eq!((writers, field["value"].as_i64()), (vec![("principes", 1), ("cheap-horses", 0)], Some(0)));
    assert_eq!(principes(&["show", "knight-cost", "--why", "strat"]).0, 2);
    assert!(principes(&["show", "knight-cost", "--why"]).1.contains("no other pack changes it"));
}

#[test]
fn a_packed_pack_is_as_good_as_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cheap-horses.zip");
    let name = file.to_str().expect("a plain name");
    assert_eq!(principes(&["pack", RIVALS[0], "--out", name]).0, 0);
    let first = std::fs::read(&file).expect("it was written");
    assert_eq!(principes(&["pack", RIVALS[0], "--out", name]).0, 0);
    assert!(first == std::fs::read(&file).expect("it was written"), "the same bytes again");
    assert_eq!(principes(&["check", name, "--deny", "warnings"]).0, 0);
    let (code, text) = principes(&["test", name]);
    assert_eq!(code, 0);
    assert!(text.contains("1 of 1 scenarios pass"), "{text}");
    assert_eq!(principes(&["pack", name]).0, 2, "it is packed already");
}
