//! Saved games live on: edits that mean nothing change no meaning, games go on when their packs change, and a game that
//! would differ says where.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::common::program::{Place, code, errors, text, with_game};
use crate::common::{Pack, give, next_answer, options, pack_folders, root};
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::Session;
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_app::state_digest::state_digest;
use principes_content::{LoadOptions, load};
use principes_core::bots::RandomBot;
use principes_json::escape;
use principes_model::Loaded;
use principes_schemas::Family;
use principes_source::{MemoryPack, PackSource, folder};
use serde_json::{Map, Value, json as value};

/// The files of a pack.
type Files = BTreeMap<String, String>;

/// An edit of one file: its path and its text. `None` removes the file.
type Edit = fn(&str, String) -> Option<String>;

fn files(folder_of: &Path) -> Files {
    let source = folder(folder_of.to_path_buf());
    let text = |path: String| Some((path.clone(), String::from_utf8(source.read(&path).ok()?).ok()?));
    source.list().unwrap().into_iter().filter_map(text).collect()
}

fn loaded(files: &Files) -> Result<Loaded, String> {
    let source: Arc<dyn PackSource> =
        Arc::new(files.iter().fold(MemoryPack::new("edited"), |pack, (path, text)| pack.with(path, text.as_str())));
    load(&[source], &LoadOptions { scenarios: false, ..options() })
        .map_err(|findings| principes_findings::print_human(&findings, false))
}

/// Changes the value of a file, if it holds a family that counts in play.
fn in_play(text: String, change: fn(&mut Value)) -> String {
    let Ok(mut file) = serde_json::from_str::<Value>(&text) else { return text };
    let counts = |family: &Family| !matches!(family, Family::Messages | Family::Bots | Family::Scenarios);
    if Family::ALL.iter().filter(|family| counts(family)).any(|family| file.get(family.key()).is_some()) {
        change(&mut file);
        return file.to_string();
    }
    text
}

fn each_entity(file: &mut Value, change: fn(&mut Map<String, Value>)) {
    for (_, list) in file.as_object_mut().unwrap().iter_mut() {
        let entities = list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut);
        entities.filter(|entity| entity.contains_key("id")).for_each(change);
    }
}

/// The text of a value with the keys of all objects in reverse.
fn reversed(json: &Value) -> String {
    match json {
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().rev().map(|(key, field)| format!("{}: {}", value!(key), reversed(field))).collect();
            format!("{{{}}}", fields.join(",\n"))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

fn of_manifest(path: &str, text: String, change: fn(&mut Value)) -> String {
    if path != "pack.json" {
        return text;
    }
    let mut manifest = serde_json::from_str(&text).unwrap();
    change(&mut manifest);
    manifest.to_string()
}

/// Edits that mean nothing to a game.
const IDLE: &[(&str, Edit)] = &[
    ("a comment in each script", |path, text| {
        Some(if path.ends_with(".lua") { format!("-- A remark.\n{text}-- Another one.\n") } else { text })
    }),
    ("another indent in each script", |path, text| {
        Some(if path.ends_with(".lua") { text.replace("\n  ", "\n      ") } else { text })
    }),
    ("blank lines", |path, text| Some(if path.ends_with(".json") { format!("\n\n{text}\n\n") } else { text })),
    ("line ends of Windows", |_, text| Some(text.replace('\n', "\r\n"))),
    ("JSON on one line", |path, text| {
        let is_json = path.ends_with(".json") && !path.ends_with(".bot.json");
        Some(if is_json { serde_json::from_str::<Value>(&text).unwrap().to_string() } else { text })
    }),
    ("another order of keys", |path, text| {
        let is_json = path.ends_with(".json") && !path.ends_with(".bot.json");
        Some(if is_json { reversed(&serde_json::from_str(&text).unwrap()) } else { text })
    }),
    ("a remark on each entity", |path, text| {
        let note = |file: &mut Value| each_entity(file, |entity| drop(entity.insert("notes".into(), value!("Why."))));
        Some(if path == "pack.json" { text } else { in_play(text, note) })
    }),
    ("a source of each entity", |path, text| {
        let note = |file: &mut Value| {
            each_entity(file, |entity| {
                entity.insert("provenance".into(), value!({"designed": "on a Sunday"}));
            });
        };
        Some(if path == "pack.json" { text } else { in_play(text, note) })
    }),
    ("other texts", |_, text| {
        let Ok(mut file) = serde_json::from_str::<Value>(&text) else { return Some(text) };
        let Some(messages) = file.get_mut("messages").and_then(Value::as_object_mut) else { return Some(text) };
        for message in messages.values_mut().filter(|message| message.is_string()) {
            *message = format!("{}\u{a0}", message.as_str().unwrap()).into();
        }
        Some(file.to_string())
    }),
    ("another version", |path, text| Some(of_manifest(path, text, |pack| pack["version"] = value!("9.9.9")))),
    ("another title", |path, text| Some(of_manifest(path, text, |pack| pack["title"] = value!("Another Title")))),
    ("another description", |path, text| {
        Some(of_manifest(path, text, |pack| {
            pack["description"] = value!("Another one.");
            pack["authors"] = value!(["Somebody"]);
            pack["license"] = value!("CC0-1.0");
        }))
    }),
    ("no scenarios", |path, text| Some(text).filter(|_| !path.contains(".scenarios.") && !path.ends_with(".snap"))),
    ("no looks", |path, text| Some(text).filter(|_| !path.ends_with("look.json"))),
    ("no promises", |path, text| Some(text).filter(|_| !path.ends_with("balance.json"))),
    ("no trained player", |path, text| Some(text).filter(|_| !path.ends_with(".bot.json"))),
    ("no rulebook", |path, text| Some(text).filter(|_| !path.ends_with(".md"))),
];

fn edited(files: &Files, edit: Edit) -> Files {
    files.iter().filter_map(|(path, text)| Some((path.clone(), edit(path, text.clone())?))).collect()
}

/// The digests of the states of a random game.
fn states(loaded: &Loaded) -> Vec<String> {
    let pack = Pack::of(loaded.clone());
    let host = pack.fresh_host();
    let mut game = pack.game(&host, 1);
    let mut bot = RandomBot::new(1);
    let mut states = vec![game.digest()];
    while states.len() < 60
        && let Some(answer) = next_answer(&mut game, &mut bot)
    {
        give(&mut game, &answer).unwrap();
        states.push(game.digest());
    }
    states
}

#[test]
fn edits_that_mean_nothing_keep_the_meaning_and_the_games() {
    for path in pack_folders() {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let files = files(&path);
        let plain = loaded(&files).unwrap_or_else(|why| panic!("{name}: {why}"));
        // Of large packs, all edits together.
        let is_large = files.values().map(String::len).sum::<usize>() > 150_000;
        let all = (IDLE.iter().fold(files.clone(), |files, (_, edit)| edited(&files, *edit)), "all edits");
        let each = IDLE.iter().map(|(what, edit)| (edited(&files, *edit), *what));
        for (changed, what) in each.filter(|_| !is_large).chain([all]) {
            let other = loaded(&changed).unwrap_or_else(|why| panic!("{name}, {what}: {why}"));
            assert_eq!(other.meaning(), plain.meaning(), "{name}: {what}");
            assert_eq!(states(&other), states(&plain), "{name}: {what}");
        }
    }
}

#[test]
fn the_list_of_idle_edits_is_long_and_each_changes_a_file() {
    assert!(IDLE.len() >= 15);
    let all: Vec<Files> = pack_folders().iter().map(|path| files(path)).collect();
    for (what, edit) in IDLE {
        assert!(all.iter().any(|files| edited(files, *edit) != *files), "{what}");
    }
}

/// The pointers of all numbers and truth values of a value.
fn scalars(json: &Value, at: &str, found: &mut Vec<String>) {
    match json {
        Value::Object(fields) => fields.iter().for_each(|(key, field)| {
            scalars(field, &format!("{at}/{}", escape(key)), found);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(nth, item)| scalars(item, &format!("{at}/{nth}"), found))
        }
        Value::Number(_) | Value::Bool(_) => found.push(at.to_owned()),
        _ => {}
    }
}

#[test]
fn every_number_of_a_rule_has_a_meaning() {
    let mut changed = 0;
    for name in ["mods/classics/tic-tac-toe", "mods/classics/dice-race"] {
        let files = files(&root().join(name));
        let plain = loaded(&files).unwrap();
        for (path, text) in &files {
            let Ok(file) = serde_json::from_str::<Value>(text) else { continue };
            let idle =
                [Family::Messages, Family::Looks, Family::Promises, Family::Bots, Family::Pins, Family::Scenarios];
            if path == "pack.json" || path.contains("/.") || idle.iter().any(|family| file.get(family.key()).is_some())
            {
                continue;
            }
            let mut places = Vec::new();
            scalars(&file, "", &mut places);
            for place in places {
                let mut file = file.clone();
                let scalar = file.pointer_mut(&place).unwrap();
                *scalar = match scalar.as_i64() {
                    Some(number) => (number + 1).into(),
                    None => (!scalar.as_bool().unwrap_or_default()).into(),
                };
                let mut files = files.clone();
                files.insert(path.clone(), file.to_string());
                // A number that packs must not have is refused.
                let Ok(other) = loaded(&files) else { continue };
                assert_ne!(other.meaning(), plain.meaning(), "{name}/{path}{place}");
                changed += 1;
            }
        }
    }
    assert!(changed >= 30, "{changed}");
}

// The program ----------------------------------------------------------------------------------------------------------

const PLAY: [&str; 7] = ["play", "--pack", "hills", "--seed", "1", "--seats", "human,human"];

/// A game of which some answers are saved. On the hill, shearing gives 2 wool.
fn saved(answers: &str) -> Place {
    let place = with_game();
    let output = place.run_with(&[&PLAY[..], &["--save", "game.json"]].concat(), answers);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    place
}

fn edit(place: &Place, file: &str, old: &str, new: &str) {
    let text = place.read(file);
    assert!(text.contains(old), "{file}: {old}");
    place.write(file, &text.replacen(old, new, 1));
}

const RESUME: [&str; 5] = ["play", "--pack", "hills", "--resume", "game.json"];

fn answers(place: &Place, file: &str) -> usize {
    serde_json::from_str::<Value>(&place.read(file)).unwrap()["answers"].as_array().unwrap().len()
}

#[test]
fn a_game_goes_on_silently_after_edits_that_mean_nothing() {
    let edits: [(&str, &str, &str); 5] = [
        ("hills/hills.lua", "local M = {}", "-- A remark.\n\nlocal M = {}"),
        ("hills/counters.json", "{", "\n\n{"),
        ("hills/pack.json", "0.1.0", "0.1.1"),
        ("hills/game.en.json", "Wool", "Fleece"),
        ("hills/hills.lua", "sheep", "animal"),
    ];
    for (file, old, new) in edits {
        let place = saved("climb\nshear\n");
        edit(&place, file, old, new);
        if new == "animal" {
            let script = place.read(file).replace("sheep", "animal");
            place.write(file, &script);
        }
        let output = place.run_with(&RESUME, "shear\nq\n");
        assert_eq!(code(&output), 0, "{file}: {}", errors(&output));
        assert!(!text(&output).contains("changed since"), "{file}: {}", text(&output));
        assert_eq!(answers(&place, "game.json"), 3, "{file}");
        let verified = place.run(&["replay", "game.json", "--pack", "hills", "--verify"]);
        assert_eq!((code(&verified), errors(&verified)), (0, String::new()), "{file}");
    }
}

#[test]
fn a_change_that_no_answer_met_is_told_and_stops_nobody() {
    let place = saved("shear\n");
    edit(&place, "hills/hills.lua", "and 2 or 1", "and 3 or 1");
    let output = place.run_with(&RESUME, "q\n");
    assert_eq!(code(&output), 0, "{}", errors(&output));
    assert!(text(&output).contains("changed since this game was saved"), "{}", text(&output));
    // From now on, the file belongs to the packs as they are.
    let again = place.run_with(&RESUME, "q\n");
    assert!(!text(&again).contains("changed since"), "{}", text(&again));
}

#[test]
fn a_game_that_differs_says_where_and_can_go_on() {
    let differs = || {
        let place = saved("shear\nclimb\nshear\nshear\nshear\n");
        assert_eq!(answers(&place, "game.json"), 5);
        edit(&place, "hills/hills.lua", "and 2 or 1", "and 3 or 1");
        place
    };
    // The second answer climbs, and the third shears on the hill.
    let place = differs();
    let before = place.read("game.json");
    let refused = place.run_with(&RESUME, "q\n");
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("it plays the same up to answer 2 of 5"), "{}", errors(&refused));
    assert!(errors(&refused).contains("--if-changed departure"), "{}", errors(&refused));
    assert_eq!(place.read("game.json"), before);
    let verified = place.run(&["replay", "game.json", "--pack", "hills", "--verify"]);
    assert_eq!(code(&verified), 1);
    assert!(errors(&verified).contains("up to answer 2 of 5"), "{}", errors(&verified));

    for (what, kept) in [("departure", 2), ("new-rules", 5)] {
        let place = differs();
        let output = place.run_with(&[&RESUME[..], &["--if-changed", what]].concat(), "q\n");
        assert_eq!(code(&output), 0, "{}", errors(&output));
        assert!(text(&output).contains("up to answer 2 of 5"), "{}", text(&output));
        assert_eq!(answers(&place, "game.json"), kept, "{what}");
        // The old game remains, and the new record says where the packs changed.
        assert_eq!(place.read("game.before.json"), before);
        let record: Value = serde_json::from_str(&place.read("game.json")).unwrap();
        assert_eq!(record["seams"][0]["after"], kept, "{what}");
        let verified = place.run(&["replay", "game.json", "--pack", "hills", "--verify"]);
        assert_eq!(code(&verified), 0, "{}", errors(&verified));
    }
}

#[test]
fn an_option_that_is_gone_ends_what_is_played_again() {
    let place = saved("climb\nshear\nrest\nshear\n");
    edit(&place, "hills/hills.lua", "table.insert(options, \"rest\")", "log(\"stays\")");
    edit(&place, "hills/game.en.json", "\"log.shorn\"", "\"log.stays\": \"It stays.\",\n    \"log.shorn\"");
    let refused = place.run_with(&RESUME, "q\n");
    assert_eq!(code(&refused), 2);
    assert!(
        errors(&refused).contains("only its start plays the same; the state after the next answer differs"),
        "{}",
        errors(&refused)
    );
    let output = place.run_with(&[&RESUME[..], &["--if-changed", "new-rules"]].concat(), "q\n");
    assert_eq!(code(&output), 0, "{}", errors(&output));
    // Nobody is asked for the second answer any more, because it is the only option.
    assert_eq!(answers(&place, "game.json"), 1);
}

#[test]
fn a_game_that_cannot_start_says_why() {
    let place = saved("shear\n");
    for file in
        ["hills/factions.json", "hills/spaces.json", "hills/kinds.json", "hills/hills.lua", "hills/game.en.json"]
    {
        let renamed = place.read(file).replace("north", "west").replace("North", "West");
        place.write(file, &renamed);
    }
    let refused = place.run_with(&RESUME, "q\n");
    assert_eq!(code(&refused), 2);
    let told = errors(&refused);
    assert!(told.contains("cannot start with them") && told.contains("north"), "{told}");
}

#[test]
fn save_continues_the_game_in_its_file() {
    let place = saved("shear\n");
    let output = place.run_with(&["play", "--pack", "hills", "--save", "game.json"], "climb\nq\n");
    assert_eq!(code(&output), 0, "{}", errors(&output));
    assert!(text(&output).contains("Resumed from"), "{}", text(&output));
    assert_eq!(answers(&place, "game.json"), 2);
    // A new setup and an old game contradict each other.
    let refused = place.run_with(&[&PLAY[..], &["--save", "game.json"]].concat(), "q\n");
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("leave out the setup"), "{}", errors(&refused));
    assert_eq!(answers(&place, "game.json"), 2);
    let fresh = place.run_with(&[&PLAY[..], &["--save", "game.json", "--force"]].concat(), "shear\nq\n");
    assert_eq!(code(&fresh), 0, "{}", errors(&fresh));
    assert_eq!(answers(&place, "game.json"), 1);
}

/// The record as earlier versions of the program wrote it.
fn older(save: &Save, packs: &OpenPacks) -> Save {
    let setup = save.setup(&packs.catalog).unwrap();
    let mut game = packs.start(&packs.host().unwrap(), setup.config).unwrap();
    let mut old = Save { version: 1, meaning: String::new(), start: game.digest(), ..save.clone() };
    for (at, answer) in old.answers.iter_mut().enumerate() {
        principes_app::save::give(&mut game, at, answer).unwrap();
        answer.then = game.digest().chars().take(12).collect();
    }
    old.digest = game.digest();
    old
}

#[test]
fn older_records_of_every_game_still_open() {
    for path in pack_folders() {
        let packs = || {
            OpenPacks::open(&PackRequest {
                paths: vec![path.clone()],
                search: options().search,
                ..PackRequest::default()
            })
            .unwrap()
        };
        let setup = set_up(&packs().catalog, &SetupRequest::all(Player::Random, 5)).unwrap();
        let mut session = Session::start(packs(), setup, "en").unwrap();
        while session.steps() < 40 && session.bot_step().unwrap() {}
        let old = older(session.record(), &packs());
        assert_ne!(old.digest, session.record().digest);
        let text = old.to_text().unwrap();
        assert!(!text.contains("meaning") && !text.contains("seams"));
        let resumed = Session::resume(packs(), &Save::parse(text.as_bytes()).unwrap(), "en");
        let resumed = resumed.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert_eq!(resumed.record(), session.record(), "{}", path.display());
        let mut wrong = old.clone();
        wrong.answers[3].then = "0123456789ab".to_owned();
        assert!(Session::resume(packs(), &wrong, "en").is_err());
    }
}

#[test]
fn words_that_packs_add_change_no_state() {
    let files = files(&root().join("mods/classics/dice-race"));
    let mut more = files.clone();
    more.insert("aaa.en.json".into(), r#"{"messages": {"log.aaa": "A."}}"#.into());
    let [plain, other] = [&files, &more].map(|files| loaded(files).unwrap_or_else(|why| panic!("{why}")));
    let digests = |loaded: &Loaded| {
        let pack = Pack::of(loaded.clone());
        let game = pack.game(&pack.fresh_host(), 1);
        (game.digest(), state_digest(game.catalog(), &game.table().world))
    };
    let (plain, other) = (digests(&plain), digests(&other));
    assert_ne!(other.0, plain.0, "the words have no numbers any more: this test proves nothing");
    assert_eq!(other.1, plain.1);
}
