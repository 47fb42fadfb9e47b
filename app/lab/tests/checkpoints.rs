//! A checkpoint is written whole, or the old one stays: every write, sync and rename of it fails once.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::path::Path;

use common::{Faulty, files};
use principes_lab::simulation::Checkpoint;

/// The operations of one write: create, write, sync, rename, sync of the folder.
const OPERATIONS: usize = 5;

#[test]
fn a_checkpoint_is_written_whole_or_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/checkpoint.json");
    let checkpoint = Checkpoint::read(&sample).unwrap();
    let storage = Faulty::default();
    checkpoint.write_to(&storage, &path).unwrap();
    assert_eq!(storage.count.get(), OPERATIONS);
    let whole = std::fs::read(&path).unwrap();
    let old = [&whole[..], b"\n"].concat();
    for for_good in [false, true] {
        for fault in 0..OPERATIONS {
            std::fs::write(&path, &old).unwrap();
            storage.fail_after(fault, for_good);
            checkpoint.write_to(&storage, &path).unwrap_err();
            // Only the sync of the folder comes after the new file is in its place.
            let replaced = fault == OPERATIONS - 1;
            assert_eq!(std::fs::read(&path).unwrap(), if replaced { &whole } else { &old }[..], "{fault}");
            assert_eq!(files(folder.path()), std::slice::from_ref(&path), "{fault}: something was left behind");
            Checkpoint::read(&path).unwrap();
            storage.repair();
            checkpoint.write_to(&storage, &path).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{fault}");
        }
    }
}
