//! Packs that are small to send and costly to check: each is stopped by a budget, or checked in linear time.
//!
//! `PRINCIPES_COSTS=FOLDER cargo test --test costs` writes all of them to a folder, for `.ci/costs`.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;
#[path = "common/costly.rs"]
mod costly;

use std::path::Path;

fn write(root: &Path, files: &costly::Files) {
    for (path, content) in files {
        let target = root.join(path);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::write(target, content).unwrap();
    }
}

#[test]
fn costly_packs_can_be_written() {
    let Some(folder) = std::env::var_os("PRINCIPES_COSTS") else { return };
    for shape in costly::SHAPES {
        write(&Path::new(&folder).join(shape.0), &costly::files(shape, shape.1));
    }
}
