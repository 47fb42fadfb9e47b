//! The desk writes only packs that were named, whole or not at all, and every write can be undone and redone, also
//! after a kill between any two operations of the disk.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};

use common::{Faulty, contents, copy, files};
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::storage::Disk;
use principes_author::desk::{Desk, EditedPacks, Plan, Wish};
use principes_author::edit::EditError;
use principes_author::journal::{JournalError, TurnOffers};
use serde_json::{Value as Json, json};

/// A folder with a copy of a game, and a pack `mine` that builds on it.
struct Place {
    folder: tempfile::TempDir,
    request: PackRequest,
}

impl Place {
    /// `named` are the packs that are edited.
    fn new(named: &[&str]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods/classics/lanes"), &folder.path().join("lanes"));
        // Whether a number is right is not the question here. The rules name pins.
        for file in ["pins.json", "rules.en.md", "rules.pl.md"] {
            std::fs::remove_file(folder.path().join("lanes").join(file)).unwrap();
        }
        let mine = folder.path().join("mine");
        std::fs::create_dir(&mine).unwrap();
        let manifest = r#"{"id": "mine", "format": 1, "version": "0.1.0", "api": 1, "title": "Mine", "description": "A pack.", "authors": ["A"],
            "license": "MIT", "kind": "extension", "requires": {"lanes": "*"}, "languages": ["en"]}"#;
        std::fs::write(mine.join("pack.json"), manifest).unwrap();
        let paths = named.iter().map(|name| folder.path().join(name)).collect();
        Place {
            request: PackRequest { paths, search: vec![folder.path().to_owned()], ..PackRequest::default() },
            folder,
        }
    }

    fn open(&self) -> (OpenPacks, EditedPacks) {
        let packs = OpenPacks::open(&self.request).unwrap();
        let edited = EditedPacks::of(&self.request, &packs.loaded.packs);
        (packs, edited)
    }

    fn desk(&self) -> Desk {
        Desk::new(&self.folder.path().join("journal"), &self.request)
    }

    fn pack(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn json(&self, path: &str) -> Json {
        serde_json::from_str(&std::fs::read_to_string(self.pack(path)).unwrap()).unwrap()
    }

    fn write(&self, wishes: &[Wish]) -> Result<(), EditError> {
        let (packs, edited) = self.open();
        let plan = Plan::of(&packs, &edited, wishes)?;
        self.desk().write(&Disk, &plan, &plan.digest(), "an edit").map(|_| ())
    }
}

fn set(id: &str, pointer: &str, value: Json, pack: Option<&str>) -> Wish {
    let (family, pointer) = ("cards".to_owned(), pointer.to_owned());
    Wish::Set { family, id: id.to_owned(), pointer, value, pack: pack.map(str::to_owned) }
}

fn say(key: &str, value: &str, pack: Option<&str>) -> Wish {
    let (key, language) = (key.to_owned(), "en".to_owned());
    Wish::Text { key, language, value: value.into(), pack: pack.map(str::to_owned) }
}

#[test]
fn only_packs_that_were_named_change() {
    let place = Place::new(&["mine"]);
    let before = contents(place.folder.path());
    let (packs, edited) = place.open();
    let tile = "straight-lane";
    let refused = [
        set(tile, "/copies", json!(4), None),
        set(tile, "/copies", json!(4), Some("lanes")),
        say("card.straight-lane.title", "Long lane", None),
        Wish::Remove { family: "cards".to_owned(), id: tile.to_owned(), pack: None },
        Wish::Add { family: "cards".to_owned(), value: json!({ "id": "x" }), pack: "lanes".to_owned(), beside: None },
        Wish::At {
            pack: "lanes".to_owned(),
            path: "tiles.json".to_owned(),
            pointer: "/notes".to_owned(),
            value: "x".into(),
        },
        Wish::Splice {
            file: place.pack("lanes/tiles.json").display().to_string(),
            bytes: (0, 1),
            old: None,
            text: " ".to_owned(),
        },
    ];
    for wish in refused {
        let error = Plan::of(&packs, &edited, std::slice::from_ref(&wish)).err();
        assert!(matches!(&error, Some(EditError::NotEdited(pack)) if pack == "lanes"), "{wish:?}: {error:?}");
    }
    assert_eq!(contents(place.folder.path()), before);
}

#[test]
fn a_card_of_another_pack_is_changed_by_a_patch() {
    let place = Place::new(&["mine"]);
    let lanes = contents(&place.pack("lanes"));
    let tile = "straight-lane";
    let old = place.open().0.loaded.entities.iter().find(|entity| entity.id == tile).unwrap().json["copies"].clone();
    place
        .write(&[set(tile, "/copies", json!(4), Some("mine")), say("card.straight-lane.title", "Long", Some("mine"))])
        .unwrap();
    let patches = json!([{ "of": "cards", "id": tile, "set": { "copies": 4 } }]);
    assert_eq!(place.json("mine/patches.json")["patches"], patches);
    assert_eq!(place.json("mine/texts.en.json")["messages"], json!({ "card.straight-lane.title": "Long" }));
    assert_eq!(contents(&place.pack("lanes")), lanes, "the other pack is as it was");
    let (packs, edited) = place.open();
    assert!(packs.loaded.entities.iter().any(|entity| entity.id == tile && entity.json["copies"] == 4));
    // A second change of the same card goes into the same patch; the old value takes the patch away.
    let plan = Plan::of(&packs, &edited, &[set(tile, "/copies", old, Some("mine"))]).unwrap();
    place.desk().write(&Disk, &plan, &plan.digest(), "back").unwrap();
    assert_eq!(place.json("mine/patches.json")["patches"], json!([]));
    assert_eq!(contents(&place.pack("lanes")), lanes);
}

#[test]
fn a_new_card_can_be_changed_before_it_is_written() {
    let place = Place::new(&["mine"]);
    let card = json!({ "id": "new-lane", "type": "tile", "copies": 1 });
    let add =
        Wish::Add { family: "cards".to_owned(), value: card, pack: "mine".to_owned(), beside: Some("ford".to_owned()) };
    // A patch comes first, whose file is not one of cards.
    place
        .write(&[
            set("ford", "/copies", json!(9), Some("mine")),
            add,
            set("new-lane", "/copies", json!(3), None),
            say("card.new-lane.title", "New", Some("mine")),
        ])
        .unwrap();
    assert_eq!(place.json("mine/cards.json")["cards"], json!([{ "id": "new-lane", "type": "tile", "copies": 3 }]));
}

#[test]
fn what_was_not_seen_is_not_written() {
    let place = Place::new(&["lanes"]);
    let (packs, edited) = place.open();
    let before = contents(&place.pack("lanes"));
    let plan = Plan::of(&packs, &edited, &[set("straight-lane", "/copies", json!(4), None)]).unwrap();
    assert!(matches!(place.desk().write(&Disk, &plan, "another digest", "an edit"), Err(EditError::Stale(_))));
    assert_eq!(contents(&place.pack("lanes")), before);
    let file = &plan.files()[0];
    let signs: Vec<char> = file.hunks.concat().iter().map(|line| line.sign).filter(|sign| *sign != ' ').collect();
    assert_eq!((file.path.as_str(), signs), ("tiles.json", vec!['-', '+']));
}

#[test]
fn edits_are_undone_and_redone_over_files_and_after_a_restart() {
    let place = Place::new(&["lanes", "mine"]);
    let states: Vec<_> = (0..3)
        .map(|step| {
            let state = (contents(&place.pack("lanes")), contents(&place.pack("mine")));
            let wishes = [
                set("straight-lane", "/copies", json!(6 + step), None),
                say("card.ford.title", &format!("Ford {step}"), Some("mine")),
            ];
            place.write(&wishes).unwrap();
            state
        })
        .collect();
    let last = (contents(&place.pack("lanes")), contents(&place.pack("mine")));
    let now = || (contents(&place.pack("lanes")), contents(&place.pack("mine")));
    // A new desk each time: everything is on the disk.
    for state in states.iter().rev() {
        place.desk().turn(&Disk, true).unwrap();
        assert_eq!(&now(), state);
    }
    assert!(matches!(place.desk().turn(&Disk, true), Err(EditError::History(JournalError::Nothing))));
    for _ in 0..3 {
        place.desk().turn(&Disk, false).unwrap();
    }
    assert_eq!(now(), last);
    // A change elsewhere stays, and is told.
    let file = place.pack("lanes/tiles.json");
    let text = std::fs::read_to_string(&file).unwrap() + "\n";
    std::fs::write(&file, text).unwrap();
    let before = now();
    let offers = place.desk().offers(&Disk).unwrap();
    assert!(offers.undo.unwrap().blocked_by.unwrap().ends_with("tiles.json"));
    let refused = place.desk().turn(&Disk, true);
    assert!(matches!(refused, Err(EditError::History(JournalError::ChangedElsewhere(_)))), "{refused:?}");
    assert_eq!(now(), before);
}

#[test]
fn a_kill_between_any_two_writes_loses_nothing() {
    // Without a fault: the number of operations of an edit and of taking it back.
    let place = Place::new(&["lanes", "mine"]);
    let wishes = [set("straight-lane", "/copies", json!(7), None), say("card.ford.title", "A ford", Some("mine"))];
    let both = |place: &Place| (contents(&place.pack("lanes")), contents(&place.pack("mine")));
    let old = both(&place);
    let (packs, edited) = place.open();
    let plan = Plan::of(&packs, &edited, &wishes).unwrap();
    let storage = Faulty::default();
    place.desk().write(&storage, &plan, &plan.digest(), "an edit").unwrap();
    let (new, operations) = (both(&place), storage.count.get());
    assert!(operations > 15 && new.0 != old.0 && new.1 != old.1);
    for undoes in [false, true] {
        for fault in 0..operations {
            let place = Place::new(&["lanes", "mine"]);
            let (packs, edited) = place.open();
            let plan = Plan::of(&packs, &edited, &wishes).unwrap();
            let (old, desk) = (both(&place), place.desk());
            if undoes {
                desk.write(&Disk, &plan, &plan.digest(), "an edit").unwrap();
            }
            let new =
                if undoes { old.clone() } else { (new_of(&new.0, &place, "lanes"), new_of(&new.1, &place, "mine")) };
            let old = if undoes { both(&place) } else { old };
            let storage = Faulty::default();
            // Nothing after this operation reaches the disk, as after a kill.
            storage.fail_after(fault, true);
            let done = match undoes {
                true => desk.turn(&storage, true).map(|_| ()),
                false => desk.write(&storage, &plan, &plan.digest(), "an edit").map(|_| ()),
            };
            if done.is_ok() {
                continue;
            }
            // The next studio finds all files old, or completes the edit.
            place.desk().offers(&Disk).unwrap();
            let found = both(&place);
            assert!(found == old || found == new, "{undoes} {fault}: half of an edit is left");
            if found == new && !undoes {
                place.desk().turn(&Disk, true).unwrap();
                assert_eq!(both(&place), old, "{fault}");
            }
        }
    }
}

/// The same files in another folder.
fn new_of(new: &[(PathBuf, Vec<u8>)], place: &Place, pack: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = |path: &Path| path.ancestors().find(|above| above.ends_with(pack)).unwrap().to_owned();
    new.iter()
        .map(|(path, bytes)| (place.pack(pack).join(path.strip_prefix(root(path)).unwrap()), bytes.clone()))
        .collect()
}

#[test]
fn one_fault_changes_nothing() {
    let place = Place::new(&["lanes", "mine"]);
    let wishes = [set("straight-lane", "/copies", json!(7), None), say("card.ford.title", "A ford", Some("mine"))];
    let old = (contents(&place.pack("lanes")), contents(&place.pack("mine")));
    let (packs, edited) = place.open();
    let plan = Plan::of(&packs, &edited, &wishes).unwrap();
    let mut was_done = false;
    for fault in 0.. {
        let storage = Faulty::default();
        storage.fail_after(fault, false);
        let done = place.desk().write(&storage, &plan, &plan.digest(), "an edit");
        let now = (contents(&place.pack("lanes")), contents(&place.pack("mine")));
        if done.is_ok() && storage.count.get() <= fault {
            assert_ne!(now, old);
            break;
        }
        // The last operations of a write only note that it is done: then the edit is complete.
        if now != old {
            assert_eq!(files(&place.pack("mine")).len(), 2, "{fault}: {done:?}");
            place.desk().offers(&Disk).unwrap();
            place.desk().turn(&Disk, true).unwrap();
        }
        if matches!(done, Err(EditError::History(JournalError::File(_)))) && !was_done {
            assert_eq!(place.desk().offers(&Disk).unwrap(), TurnOffers::default(), "{fault}: nothing to redo");
        }
        was_done |= now != old;
        assert_eq!((contents(&place.pack("lanes")), contents(&place.pack("mine"))), old, "{fault}: {done:?}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let place = Place::new(&["lanes"]);
    let victim = place.folder.path().join("victim.json");
    let (packs, edited) = place.open();
    let plan = Plan::of(&packs, &edited, &[set("straight-lane", "/copies", json!(4), None)]).unwrap();
    let file = place.pack("lanes/tiles.json");
    std::fs::rename(&file, &victim).unwrap();
    std::os::unix::fs::symlink(&victim, &file).unwrap();
    let before = std::fs::read(&victim).unwrap();
    assert!(place.desk().write(&Disk, &plan, &plan.digest(), "an edit").is_err());
    assert_eq!(std::fs::read(&victim).unwrap(), before);
}

/// Wishes of a page that is broken, or not ours.
#[test]
fn impossible_wishes_write_nothing() {
    let place = Place::new(&["lanes", "mine"]);
    let before = contents(place.folder.path());
    let mine = || Some("mine".to_owned());
    let text = |language: &str| Wish::Text {
        key: "card.ford.title".to_owned(),
        language: language.to_owned(),
        value: "x".into(),
        pack: mine(),
    };
    let add = |family: &str| Wish::Add {
        family: family.to_owned(),
        value: json!({ "id": "x" }),
        pack: "mine".to_owned(),
        beside: None,
    };
    let at = |path: &str| Wish::At {
        pack: "mine".to_owned(),
        path: path.to_owned(),
        pointer: "/notes".to_owned(),
        value: "x".into(),
    };
    let file = place.pack("lanes/game.pl.json");
    let polish = std::fs::read_to_string(&file).unwrap();
    let in_letter = polish.char_indices().find(|(_, letter)| !letter.is_ascii()).unwrap().0 + 1;
    let splice = |from: usize, to: usize| Wish::Splice {
        file: file.display().to_string(),
        bytes: (from, to),
        old: None,
        text: "x".to_owned(),
    };
    for wish in [
        text("../../outside"),
        text("/outside"),
        text("en/../../outside"),
        add("../outside"),
        add("/outside"),
        at("../lanes/tiles.json"),
        at("/outside.json"),
        splice(5, 2),
        splice(usize::MAX - 1, usize::MAX),
        splice(in_letter, in_letter + 1),
    ] {
        assert!(place.write(std::slice::from_ref(&wish)).is_err(), "{wish:?}");
        assert_eq!(contents(place.folder.path()), before, "{wish:?}");
    }
}

#[test]
fn files_that_changed_after_they_were_shown_stay_as_they_are() {
    let by_hand = |file: &Path| std::fs::write(file, std::fs::read_to_string(file).unwrap() + "\n").unwrap();
    let removed = |file: &Path| std::fs::remove_file(file).unwrap();
    let a_folder = |file: &Path| std::fs::remove_file(file).and_then(|()| std::fs::create_dir(file)).unwrap();
    let changes: [&dyn Fn(&Path); 3] = [&by_hand, &removed, &a_folder];
    for change in changes {
        let place = Place::new(&["lanes", "mine"]);
        let (packs, edited) = place.open();
        let wishes = [set("straight-lane", "/copies", json!(4), None), say("card.ford.title", "Long", Some("mine"))];
        let plan = Plan::of(&packs, &edited, &wishes).unwrap();
        change(&place.pack("lanes/tiles.json"));
        let before = (contents(&place.pack("lanes")), contents(&place.pack("mine")));
        assert!(place.desk().write(&Disk, &plan, &plan.digest(), "an edit").is_err());
        assert_eq!((contents(&place.pack("lanes")), contents(&place.pack("mine"))), before);
    }
}

#[test]
fn two_studios_take_only_their_own_edits_back() {
    let place = Place::new(&["lanes"]);
    let more = PackRequest { paths: vec![place.pack("lanes"), place.pack("mine")], ..place.request.clone() };
    let (one, other) = (place.desk(), Desk::new(&place.folder.path().join("journal"), &more));
    let now = || (contents(&place.pack("lanes")), contents(&place.pack("mine")));
    let mut states = vec![now()];
    for (at, desk) in [&one, &other].into_iter().enumerate() {
        let (packs, edited) = place.open();
        let plan = Plan::of(&packs, &edited, &[set("straight-lane", "/copies", json!(6 + at), None)]).unwrap();
        desk.write(&Disk, &plan, &plan.digest(), "an edit").unwrap();
        states.push(now());
    }
    let refused = one.turn(&Disk, true);
    assert!(matches!(refused, Err(EditError::History(JournalError::ChangedElsewhere(_)))), "{refused:?}");
    assert_eq!(now(), states[2]);
    for (desk, state) in [(&other, &states[1]), (&one, &states[0])] {
        desk.turn(&Disk, true).unwrap();
        assert_eq!(&now(), state);
    }
}

#[test]
fn a_new_file_that_was_changed_by_hand_is_not_taken_back() {
    let place = Place::new(&["mine"]);
    place.write(&[say("card.ford.title", "Long", Some("mine"))]).unwrap();
    let file = place.pack("mine/texts.en.json");
    std::fs::write(&file, "{\"messages\": {\"card.ford.title\": \"by hand\"}}").unwrap();
    let before = contents(&place.pack("mine"));
    let refused = place.desk().turn(&Disk, true);
    assert!(matches!(refused, Err(EditError::History(JournalError::ChangedElsewhere(_)))), "{refused:?}");
    assert_eq!(contents(&place.pack("mine")), before);
}

/// The author named it, so it is followed, and stays.
#[cfg(unix)]
#[test]
fn a_pack_is_edited_where_its_link_leads() {
    let mut place = Place::new(&["lanes"]);
    let link = place.folder.path().join("łącze do „mojej” gry");
    let elsewhere = place.folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::rename(place.pack("lanes"), elsewhere.join("lanes")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("lanes"), &link).unwrap();
    place.request.paths = vec![link.clone()];
    let before = contents(&elsewhere);
    place.write(&[set("straight-lane", "/copies", json!(4), None)]).unwrap();
    assert_ne!(contents(&elsewhere), before);
    place.desk().turn(&Disk, true).unwrap();
    assert_eq!(contents(&elsewhere), before);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
}
