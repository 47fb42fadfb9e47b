//! An answer is both saved and taken, or neither: every write, sync and rename of saving fails once, and nothing is
//! lost.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::Path;
use std::rc::Rc;

use common::{Faulty, contents, files};

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::{Existing, SaveFileFailure, Session, SessionError, Undo};
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_app::storage::{Disk, FileError, FileSet, LockError, WriteError, sweep, write_whole};

/// The operations of one save: create, write, sync, rename, sync of the folder.
const OPERATIONS: usize = 5;

fn packs() -> OpenPacks {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods/classics/tic-tac-toe");
    OpenPacks::open(&PackRequest { paths: vec![folder], ..PackRequest::default() }).unwrap()
}

fn session(storage: Rc<Faulty>) -> Session {
    let packs = packs();
    let table = set_up(&packs.catalog, &SetupRequest::all(Player::Human, 1)).unwrap();
    Session::start(packs, table, "en").unwrap().with_storage(storage)
}

fn next_answer(session: &Session) -> (principes_core::SeatId, String) {
    let seat = session.next_decision().unwrap().seat;
    (seat, session.decisions(seat)[0].options[0].key.clone())
}

#[test]
fn an_answer_is_both_saved_and_taken_or_neither() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let storage = Rc::new(Faulty::default());
    let mut session = session(storage.clone());
    session.save_to(&path, Existing::Keep).unwrap();
    assert_eq!(storage.count.get(), OPERATIONS);
    for fault in 0..OPERATIONS {
        let (seat, key) = next_answer(&session);
        let (record, digest, options) = (session.record().clone(), session.game().digest(), session.decisions(seat));
        let events = session.events_since(0, None);
        storage.fail_after(fault, false);
        let refused = session.answer(seat, &key).unwrap_err();
        assert!(matches!(refused, SessionError::NotSaved(SaveFileFailure::Write(_))), "{fault}: {refused}");
        let words = refused.to_string();
        assert!(words.contains("not accepted") && words.contains("game.json"), "{words}");
        // The state is unchanged, the options are the same, and the file holds the old game.
        assert_eq!((session.record(), session.game().digest()), (&record, digest), "{fault}");
        assert_eq!((session.decisions(seat), session.events_since(0, None)), (options, events), "{fault}");
        assert_eq!(Save::read(&path).unwrap(), record, "{fault}");
        assert_eq!(files(folder.path()), std::slice::from_ref(&path), "{fault}: something was left behind");
        storage.repair();
        session.answer(seat, &key).unwrap();
        assert_eq!(Save::read(&path).unwrap(), *session.record(), "{fault}");
    }
    let (record, digest) = (session.record().clone(), session.game().digest());
    drop(session);
    let resumed = Session::resume(packs(), &Save::read(&path).unwrap(), "en").unwrap();
    assert_eq!((resumed.record(), resumed.game().digest()), (&record, digest));
}

#[test]
fn a_disk_that_stays_full_never_leaves_half_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    for fault in 0..OPERATIONS {
        let _ = std::fs::remove_file(&path);
        let storage = Rc::new(Faulty::default());
        let mut session = session(storage.clone());
        session.save_to(&path, Existing::Keep).unwrap();
        let (seat, key) = next_answer(&session);
        let before = session.record().clone();
        storage.fail_after(fault, true);
        session.answer(seat, &key).unwrap_err();
        assert_eq!(*session.record(), before, "{fault}");
        // If even the old game could not be restored, the file holds a complete game that is one answer ahead.
        let saved = Save::read(&path).unwrap();
        assert!(saved.answers.len() <= 1 && (fault == OPERATIONS - 1 || saved == before), "{fault}");
        Session::resume(packs(), &saved, "en").unwrap();
        storage.repair();
        session.answer(seat, &key).unwrap();
        assert_eq!(Save::read(&path).unwrap(), *session.record(), "{fault}");
    }
}

#[test]
fn steps_of_bots_and_undo_are_saved_or_do_not_happen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let storage = Rc::new(Faulty::default());
    let mut people = session(storage.clone());
    people.save_to(&path, Existing::Keep).unwrap();
    let (seat, key) = next_answer(&people);
    people.answer(seat, &key).unwrap();
    let packs = packs();
    let table = set_up(&packs.catalog, &SetupRequest::all(Player::Random, 1)).unwrap();
    let other = folder.path().join("bots.json");
    let mut bots = Session::start(packs, table, "en").unwrap().with_storage(storage.clone());
    bots.save_to(&other, Existing::Keep).unwrap();
    for fault in 0..OPERATIONS {
        let record = people.record().clone();
        storage.fail_after(fault, false);
        people.undo(&[seat]).unwrap_err();
        assert_eq!(*people.record(), record, "{fault}");
        assert_eq!(Save::read(&path).unwrap(), record, "{fault}");
        let record = bots.record().clone();
        storage.fail_after(fault, false);
        bots.bot_step().unwrap_err();
        assert_eq!(*bots.record(), record, "{fault}");
        assert_eq!(Save::read(&other).unwrap(), record, "{fault}");
        storage.repair();
    }
    assert_eq!(people.undo(&[seat]).unwrap(), Undo::Done);
    bots.run_bots().unwrap();
    assert!(bots.game().outcome().is_some());
    assert_eq!(Save::read(&other).unwrap(), *bots.record());
}

#[test]
fn no_file_is_overwritten_and_no_two_sessions_write_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    std::fs::write(&path, "precious").unwrap();
    let mut first = session(Rc::default());
    let exists = first.save_to(&path, Existing::Keep).unwrap_err();
    assert!(matches!(exists, SessionError::SaveFile(SaveFileFailure::Exists(_))), "{exists}");
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    first.save_to(&path, Existing::Replace).unwrap();
    let mut second = session(Rc::default());
    let held = second.save_to(&path, Existing::Replace).unwrap_err();
    assert!(matches!(held, SessionError::SaveFile(SaveFileFailure::Locked(LockError::Held(_)))), "{held}");
    first.save_to(&path, Existing::Keep).unwrap();
    drop(first);
    second.save_to(&path, Existing::Replace).unwrap();
    drop(second);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "only the game is left");
}

#[test]
fn a_write_says_whether_the_file_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for fault in 0..OPERATIONS {
        std::fs::write(&path, "old").unwrap();
        let storage = Faulty::default();
        storage.fail_after(fault, false);
        let error = write_whole(&storage, &path, b"new").unwrap_err();
        let wanted = if matches!(error, WriteError::Replaced(_)) { "new" } else { "old" };
        assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted, "{fault}");
        assert_eq!(matches!(error, WriteError::Replaced(_)), fault == OPERATIONS - 1);
        assert_eq!(files(folder.path()), std::slice::from_ref(&path), "{fault}");
    }
}

#[test]
fn a_set_of_files_is_there_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (place, old) = (folder.path().join("new/deep"), folder.path().join("old"));
    let names = ["a.json", "b/c.json", "b/d/e.json"];
    let write = |storage: &Faulty, place: &Path| {
        let mut set = FileSet::begin(storage, place)?;
        names.iter().try_for_each(|name| set.add(Path::new(name), name.as_bytes()))?;
        set.finish()
    };
    let storage = Faulty::default();
    assert_eq!(write(&storage, &place).unwrap(), 3);
    for name in names {
        assert_eq!(std::fs::read_to_string(place.join(name)).unwrap(), name);
    }
    let operations = storage.count.get();
    for fault in 0..operations {
        std::fs::remove_dir_all(folder.path().join("new")).unwrap_or_default();
        storage.fail_after(fault, false);
        write(&storage, &place).unwrap_err();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{fault}");
    }
    // Files that were there before, too, have their old content.
    std::fs::create_dir_all(old.join("b")).unwrap();
    for name in ["mine", "a.json", "b/c.json"] {
        std::fs::write(old.join(name), "old").unwrap();
    }
    let before = contents(&old);
    storage.repair();
    storage.count.set(0);
    write(&storage, &old).unwrap();
    let operations = storage.count.get();
    let after = contents(&old);
    assert_eq!(after.len(), names.len() + 1, "nothing is left: {after:?}");
    for fault in 0..operations {
        std::fs::remove_dir_all(old.join("b/d")).unwrap_or_default();
        before.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
        storage.fail_after(fault, false);
        let refused = write(&storage, &old).unwrap_err();
        assert!(matches!(refused, FileError::Unwritable { .. }), "{fault}: {refused}");
        assert_eq!(contents(&old), before, "{fault}");
        assert!(!old.join("b/d").exists(), "{fault}");
    }
    // A folder is in the way.
    std::fs::remove_file(old.join("a.json")).unwrap();
    std::fs::create_dir(old.join("a.json")).unwrap();
    storage.repair();
    write(&storage, &old).unwrap_err();
    assert!(old.join("a.json").is_dir() && !old.join("b/d").exists());
    assert_eq!(contents(&old).len(), 2);
}

/// On a disk that fails for good, the error names each step that restores what was there.
#[test]
fn what_cannot_be_restored_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("a.json");
    let storage = Faulty::default();
    let mut told = 0;
    for fault in 0.. {
        std::fs::write(&old, "old").unwrap();
        storage.fail_after(fault, true);
        let mut set = FileSet::begin(&storage, folder.path()).unwrap();
        let added = ["a.json", "b.json"].iter().try_for_each(|name| set.add(Path::new(name), b"new"));
        match added.and_then(|()| set.finish()) {
            Ok(_) => break,
            Err(FileError::Unrestored { changed, .. }) => {
                told += 1;
                let [(path, Some(copy))] = &changed[..] else { panic!("{changed:?}") };
                assert_eq!((path, std::fs::read(copy).unwrap()), (&old, b"old".to_vec()), "{fault}");
                std::fs::rename(copy, path).unwrap();
            }
            Err(_) => {}
        }
        assert_eq!(contents(folder.path()), [(old.clone(), b"old".to_vec())], "{fault}");
    }
    assert!(told > 0);
}

#[test]
fn temporary_files_are_nobody_elses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let others = ["a.json.tmp", "a.json.old.tmp", "a.json.0123.tmp", "b.json.0123456789abcdef.tmp"];
    for name in others {
        std::fs::write(folder.path().join(name), "mine").unwrap();
    }
    std::fs::write(folder.path().join("a.json.0123456789abcdef.tmp"), "left by a killed process").unwrap();
    sweep(&path);
    write_whole(&Disk, &path, b"new").unwrap();
    let all = contents(folder.path());
    assert_eq!(all.len(), others.len() + 1, "{all:?}");
    assert!(all.iter().all(|(file, text)| text == if *file == path { &b"new"[..] } else { b"mine" }), "{all:?}");
}
