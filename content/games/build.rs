//! Gathers the packs of this repository that are compiled into the program.

use std::path::Path;
use std::{env, fs, io};

/// The base game, then the folder of the other packs.
const PLACES: [&str; 2] = ["../principes", "../../mods"];

fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let packs = Path::new(&out).join("packs");
    if packs.exists() {
        fs::remove_dir_all(&packs)?;
    }
    for place in PLACES {
        println!("cargo:rerun-if-changed={place}");
        let place = Path::new(place);
        copy(place, &packs.join(place.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        // Settings of editors are not part of a pack.
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?
        } else {
            fs::copy(entry.path(), target).map(drop)?
        }
    }
    Ok(())
}
