//! Commands that write several files write all of them, or leave everything as it was.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use crate::common::program::{code, errors, text, with_game};

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
