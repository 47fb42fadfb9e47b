//! Edits of several files change all of them or none, if any write, sync or rename fails.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::path::Path;

use common::{Faulty, contents, files};
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::storage::FileError;
use principes_author::edit::{Edit, EditError, apply_on, text_digest};

#[test]
fn edits_of_several_files_change_all_of_them_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods/classics/tic-tac-toe");
    for entry in std::fs::read_dir(&game).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let request = PackRequest { paths: vec![folder.path().to_owned()], ..PackRequest::default() };
    let packs = OpenPacks::open(&request).unwrap().loaded.packs;
    let names = ["game.en.json", "game.json", "game.pl.json"];
    let edit = |name: &&str| Edit {
        pack: "tic-tac-toe".to_owned(),
        path: (*name).to_owned(),
        digest: text_digest(&std::fs::read_to_string(folder.path().join(name)).unwrap()),
        pointer: "/notes".to_owned(),
        value: Some("new".into()),
    };
    let edits: Vec<Edit> = names.iter().map(edit).collect();
    let old = contents(folder.path());
    let storage = Faulty::default();
    apply_on(&storage, &packs, &edits).unwrap();
    let new = contents(folder.path());
    assert_eq!(
        new.iter().zip(&old).filter(|(new, old)| new != old).count(),
        3,
        "all have changed, and nothing is left"
    );
    let operations = storage.count.get();
    for fault in 0..operations {
        old.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
        storage.fail_after(fault, false);
        let refused = apply_on(&storage, &packs, &edits).unwrap_err();
        assert!(matches!(refused, EditError::Write(FileError::Unwritable { .. })), "{fault}: {refused}");
        assert_eq!(contents(folder.path()), old, "{fault}");
    }
    // On a disk that fails for good, changed files cannot be restored, but their old content is there and is named.
    let mut some_changed = false;
    for fault in 0..operations {
        old.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
        storage.fail_after(fault, true);
        let refused = apply_on(&storage, &packs, &edits).unwrap_err();
        let told = refused.to_string();
        let changed = match refused {
            EditError::Write(FileError::Unrestored { changed, .. }) => changed,
            _ => Vec::new(),
        };
        some_changed |= !changed.is_empty();
        for (path, bytes) in &old {
            let copy = changed.iter().find(|(file, _)| file == path).and_then(|(_, copy)| copy.as_ref());
            assert_eq!(&std::fs::read(copy.unwrap_or(path)).unwrap(), bytes, "{fault}: {}", path.display());
        }
        assert_eq!(files(folder.path()).len(), old.len() + changed.len(), "{fault}");
        for (path, copy) in &changed {
            let copy = copy.as_ref().unwrap();
            assert!(told.contains(&format!("`{}` to `{}`", copy.display(), path.display())), "{told}");
            std::fs::remove_file(copy).unwrap();
        }
    }
    assert!(some_changed);
}
