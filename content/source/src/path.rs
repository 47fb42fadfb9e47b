//! Paths inside packs: which ones every system can store.

use std::io;

/// Whether a relative path is one that every system can store and that stays inside the pack.
pub fn is_safe_path(path: &str) -> bool {
    !path.is_empty() && path.len() <= 200 && path.split('/').all(is_safe_part)
}

fn is_safe_part(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '@');
    let stem = part.split('.').next().unwrap_or_default();
    let is = |name: &&str| stem.eq_ignore_ascii_case(name);
    let numbered = |port: &str| port.len() == 3 && ["com", "lpt"].iter().any(|name| port.eq_ignore_ascii_case(name));
    let device = ["con", "prn", "aux", "nul"].iter().any(is)
        || stem.strip_suffix(|c: char| c.is_ascii_digit()).is_some_and(numbered);
    !part.is_empty() && part.chars().all(plain) && !part.starts_with('.') && !part.ends_with('.') && !device
}

/// Whether the name of a file or folder shows that an editor, version control or the system made it, such as a backup,
/// a copy, a swap file or thumbnails. These are not part of a pack.
pub fn is_litter(name: &str) -> bool {
    const NAMES: [&str; 7] =
        ["thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r", "__macosx", "$recycle.bin", "node_modules"];
    const ENDS: [&str; 13] = [
        "~",
        ".bak",
        ".old",
        ".orig",
        ".save",
        ".rej",
        ".swp",
        ".swo",
        ".swn",
        ".tmp",
        ".kate-swp",
        ".part",
        ".crdownload",
    ];
    let is_merged = is_of_a_merge(name);
    let name = name.to_ascii_lowercase();
    // Emacs saves `#a.json#`; vim tests whether it may write with a file `4913`.
    let saved = name.len() > 1 && name.starts_with('#') && name.ends_with('#');
    let tried = name == "4913";
    // An office program holds `~$cards.csv` open.
    let held = name.starts_with("~$");
    name.starts_with('.')
        || saved
        || tried
        || held
        || is_merged
        || is_copy(&name)
        || NAMES.contains(&&*name)
        || ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether a name in lower case is one that file managers and services give to a second copy of a file: `a (copy).json`,
/// `a copy 2.json`, `a - copy.json`, `a (1).json`, `a (conflicted copy).json`, `a.sync-conflict-20261127.json`. No file
/// of a pack has a space in its name.
fn is_copy(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let numbered = stem.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let in_brackets = stem.strip_suffix(')').and_then(|stem| stem.rsplit_once(" ("));
    let is_counted = |inside: &str| !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit());
    in_brackets.is_some_and(|(_, inside)| inside.contains("copy") || is_counted(inside))
        || numbered.ends_with(" copy")
        || name.contains(".sync-conflict-")
}

/// Whether `git mergetool` has written a file to choose from: `a_LOCAL_1234.json`.
fn is_of_a_merge(name: &str) -> bool {
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    let counted = stem.rsplit_once('_').filter(|(_, number)| number.parse::<u32>().is_ok());
    let sides = ["_BACKUP", "_BASE", "_LOCAL", "_REMOTE"];
    counted.is_some_and(|(rest, _)| sides.iter().any(|side| rest.ends_with(side)))
}

/// The error for a path that leads out of its pack.
pub(crate) fn refused(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("`{path}` is not a path inside the pack"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn litter_is_known_by_its_name() {
        for name in [
            ".DS_Store",
            "cards.json~",
            "#cards.json#",
            "Thumbs.db",
            "Icon\r",
            "cards.lua.orig",
            "4913",
            ".#cards.json",
        ] {
            assert!(is_litter(name), "{name}");
        }
        for name in [
            "cards (copy).json",
            "cards (another copy).json",
            "cards copy.json",
            "cards copy 3.lua",
            "cards - Copy.en.json",
            "cards - Copy (2).json",
            "cards (1).json",
            "cards (Ann's conflicted copy 2026-11-27).json",
            "cards.sync-conflict-20261127-1-ABC.json",
            "~$cards.csv",
            "node_modules",
            "cards.json.old",
            "cards_BACKUP_1234.json",
            "cards_LOCAL_7.en.json",
            "cards_REMOTE_98765.lua",
            "cards_BASE_1.scenarios.json",
        ] {
            assert!(is_litter(name), "{name}");
        }
        for name in [
            "copy.json",
            "copy-2.json",
            "hard-copy.json",
            "photocopy.json",
            "cards.json",
            "backup.json",
            "#",
            "orig",
            "4913.json",
            "cards.snap.new",
            "tmp",
            "cards_local_7.json",
            "cards_BASE.json",
            "LOCAL_7.json",
        ] {
            assert!(!is_litter(name), "{name}");
        }
    }

    #[test]
    fn paths_stay_inside_the_pack() {
        for good in ["pack.json", "locale/en/a.json", "scripts/cards/court.lua", "court/x@y.scenarios.snap"] {
            assert!(is_safe_path(good), "{good}");
        }
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a//b",
            "a\\b",
            "C:/x",
            "con",
            "a/NUL.json",
            "com1.json",
            ".git/x",
            "a.",
            "ż.json",
        ] {
            assert!(!is_safe_path(bad), "{bad}");
        }
    }
}
