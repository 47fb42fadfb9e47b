//! The games of this repository, compiled into the program.
//!
//! They are in a crate of their own, so that an edit of a pack rebuilds nothing else. A program calls [`install`] once;
//! then `principes_source::built_in` has them.
//!
//! # What this crate must not know
//!
//! What the files mean, and which packs there are: it takes every folder with a `pack.json`.
//!
//! # Map
//!
//! - `lib`: the packs, and how they are found in a folder that `build.rs` fills.
//!
//! # Example
//!
//! ```
//! use principes_source::{PackSource, built_in};
//!
//! principes_games::install();
//! let [base, others @ ..] = built_in() else { panic!("no packs") };
//! assert!(base.list()?.contains(&"pack.json".to_owned()));
//! assert!(!others.is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

use include_dir::{Dir, include_dir};
use principes_source::{BuiltInPack, install_packs};

/// The base game, and all packs under `mods`.
static PACKS: Dir<'static> = include_dir!("$OUT_DIR/packs");
/// The folder of the base game.
const BASE: &str = "principes";

/// Makes the packs known to this process. Later calls change nothing.
pub fn install() {
    let mut packs = Vec::new();
    find_packs(&PACKS, &mut packs);
    packs.sort_by_key(|pack| (pack.folder() != BASE, pack.folder()));
    install_packs(packs);
}

fn find_packs(dir: &'static Dir<'static>, packs: &mut Vec<BuiltInPack>) {
    for inner in dir.dirs() {
        if inner.get_file(inner.path().join("pack.json")).is_none() {
            find_packs(inner, packs);
            continue;
        }
        let name = inner.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut files = Vec::new();
        list(inner, inner, &mut files);
        files.sort_unstable_by_key(|(path, _)| *path);
        packs.push(BuiltInPack::new(name, files));
    }
}

fn list(pack: &Dir<'static>, dir: &'static Dir<'static>, files: &mut Vec<(&'static str, &'static [u8])>) {
    for file in dir.files() {
        // A path inside the pack is text: the build script copied it from a repository that is built on every system.
        files.extend(
            file.path().strip_prefix(pack.path()).ok().and_then(|path| Some((path.to_str()?, file.contents()))),
        );
    }
    for inner in dir.dirs() {
        list(pack, inner, files);
    }
}
