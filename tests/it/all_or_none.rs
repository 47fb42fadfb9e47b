//! Commands that write several files write all of them, or leave everything as it was.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use crate::common::program::{Place, code, errors, text, with_game};

/// The files and folders below a folder, with the content of the files.
fn everything(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let inside = |path: PathBuf| match path.is_dir() {
        true => [vec![(path.clone(), None)], everything(&path)].concat(),
        false => vec![(path.clone(), Some(std::fs::read(&path).unwrap()))],
    };
    entries.into_iter().flat_map(inside).collect()
}

/// Runs a command and, once a folder is there and may be exchanged, exchanges it for a link.
fn run_and_exchange(place: &Place, args: &[&str], exchanged: &str, patience: Duration) -> Output {
    let mut child = place.start(args);
    while !place.file(exchanged).is_dir() && child.try_wait().unwrap().is_none() {}
    std::thread::sleep(patience);
    // It is gone if the command has failed.
    if std::fs::rename(place.file(exchanged), place.file("aside")).is_ok() {
        // The command may have made it again.
        let _ = symlink(place.file("outside"), place.file(exchanged));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn a_new_folder_that_is_exchanged_for_a_link_leads_nowhere() {
    for wait in [0, 0, 2, 10] {
        let place = Place::new();
        std::fs::create_dir(place.file("outside")).unwrap();
        run_and_exchange(&place, &["new", "mine", "--kind", "game"], "mine", Duration::from_millis(wait));
        assert_eq!(everything(&place.file("outside")), [], "after {wait} ms");
    }
}

#[test]
fn a_folder_that_is_exchanged_for_a_link_while_a_player_learns_leads_nowhere() {
    // Too early, the pack has a link and is refused; at some time, it has been read.
    let mut wait = Duration::from_millis(50);
    loop {
        let place = with_game();
        ["outside", "hills/bots"].iter().for_each(|folder| std::fs::create_dir(place.file(folder)).unwrap());
        let learn = ["learn", "--pack", "hills", "--games", "600"];
        let output = run_and_exchange(&place, &learn, "hills/bots", wait);
        assert_eq!(everything(&place.file("outside")), [], "{}", errors(&output));
        if !errors(&output).contains("P0001") {
            break;
        }
        wait *= 2;
    }
}

#[test]
fn files_that_cannot_all_be_written_leave_everything_as_it_was() {
    let place = with_game();
    assert_eq!(code(&place.run(&["new", "my-cards", "--kind", "cards"])), 0);
    // These exist before, and would be replaced.
    place.write("old/cards.schema.json", "mine");
    place.write("old/zones.schema.json", "mine");
    let before = everything(place.path());
    for args in [
        "new a/b/my-pack",
        "new my-game --kind game",
        "man --out pages",
        "schema --out new/schemas",
        "schema --out old",
        "print my-cards-gift --each --pack my-cards --format svg --out drawn",
        "sim --pack hills --games 300 --seed 1 --format csv --out rows.csv",
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        let refused = place.run_on_full_disk(1, &words);
        assert_eq!(code(&refused), 2, "{args}: {}{}", text(&refused), errors(&refused));
        assert!(everything(place.path()) == before, "{args} has left something");
        let done = place.run(&words);
        assert_eq!(code(&done), 0, "{args}: {}", errors(&done));
        assert!(everything(place.path()) != before, "{args} writes nothing");
        everything(place.path()).iter().rev().filter(|entry| !before.contains(entry)).for_each(|(path, content)| {
            match content {
                Some(_) => std::fs::remove_file(path).unwrap(),
                None => std::fs::remove_dir(path).unwrap(),
            }
        });
        before.iter().for_each(|(path, content)| {
            content.iter().for_each(|content| std::fs::write(path, content).unwrap());
        });
    }
}
