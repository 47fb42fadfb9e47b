//! `principes fmt`: one shape for the files of packs, which loses nothing.

use std::path::{Path, PathBuf};

use crate::common;
use crate::common::program::{Place, code, errors, text};
use principes_analysis::tidy;
use principes_json::shape::shape;
use serde_json::Value;

/// All files under a folder with an ending.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}

fn files_of_packs(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for place in ["content/principes", "mods"] {
        files(&common::root().join(place), ending, &mut found);
    }
    found.sort();
    found
}

/// The canonical shape of a JSON text, which must have the same value and be stable.
fn faithful(path: &str, text: &str) -> String {
    let shaped = shape(path, path, text.as_bytes()).unwrap_or_else(|findings| panic!("{path}: {findings:?}"));
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(value(&shaped), value(text), "{path}");
    assert_eq!(shape(path, path, shaped.as_bytes()).unwrap(), shaped, "{path}");
    assert!(shaped.ends_with('\n') && !shaped.contains('\r') && shaped.lines().all(|line| line.trim_end() == line));
    shaped
}

/// A small generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }
}

/// A text with a few random changes of values and blanks; not always JSON.
fn mutated(text: &str, dice: &mut Dice) -> String {
    const PARTS: [&str; 12] =
        [" ", "\r\n", "\t", "1e3", "-0.50", "\"\\u017c\"", "[]", "{}", "null", ",", "{\"id\": [{}, {}]}", "\"a\": "];
    let mut text = text.to_owned();
    for _ in 0..=dice.below(3) {
        let marks: Vec<usize> = text.match_indices(['[', '{', ',', ':']).map(|(at, _)| at).collect();
        let at = marks[dice.below(marks.len())] + 1;
        let part = PARTS[dice.below(PARTS.len())];
        match dice.below(3) {
            0 => text.insert_str(at, part),
            1 => text.insert_str(at, &format!("{part},")),
            _ => {
                let end = text[at..].find([',', ']', '}']).map_or(text.len(), |length| at + length);
                text.replace_range(at..end, part);
            }
        }
    }
    text
}

#[test]
fn all_files_of_all_packs_and_their_mutations_keep_what_they_say() {
    let mut dice = Dice(7);
    let (mut kept, mut refused) = (0, 0);
    for path in files_of_packs("json") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = if path.ends_with("pack.json") { "pack.json" } else { "some/file.json" };
        let shaped = faithful(name, &text);
        for _ in 0..4 {
            // Long files only make the test slow.
            if text.len() > 20_000 {
                break;
            }
            let mutant = mutated(&shaped, &mut dice);
            match shape(name, name, mutant.as_bytes()) {
                Ok(_) => {
                    faithful(name, &mutant);
                    kept += 1;
                }
                Err(findings) => {
                    assert!(findings.iter().all(|finding| finding.span.line > 0) && !findings.is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(kept > 100 && refused > 100, "{kept} {refused}");
}

#[test]
fn all_scripts_keep_what_they_say() {
    for path in files_of_packs("lua") {
        let text = std::fs::read_to_string(&path).unwrap();
        let spoilt = text.replace('\n', "  \r\n") + "\n\n";
        let shaped = tidy("a.lua", text.as_bytes()).unwrap();
        assert_eq!(tidy("a.lua", shaped.as_bytes()).unwrap(), shaped);
        if !text.contains("[[") && !text.contains('`') {
            assert_eq!(tidy("a.lua", spoilt.as_bytes()).unwrap(), shaped, "{}", path.display());
        }
    }
}

const MANIFEST: &str = "{\n  \"format\": 1,\n  \"id\": \"a\"\n}\n";

/// A pack with files that are in shape, out of shape, and broken.
fn pack() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.file("mods/a/scripts")).unwrap();
    place.write("mods/a/pack.json", MANIFEST);
    place.write("mods/a/cards.json", "{\"cards\": [{\"type\": \"x\", \"id\": \"b\"}]}");
    place.write("mods/a/scripts/a.lua", "return {}  \n");
    place
}

const CARDS: &str = "{\n  \"cards\": [\n    {\"id\": \"b\", \"type\": \"x\"}\n  ]\n}\n";

#[test]
fn check_and_diff_write_nothing_and_fmt_writes_once() {
    let place = pack();
    let checked = place.run(&["fmt", "--check"]);
    assert_eq!((code(&checked), text(&checked)), (1, "mods/a/cards.json\nmods/a/scripts/a.lua\n".to_owned()));
    let diff = place.run(&["fmt", "mods", "--diff"]);
    assert_eq!(code(&diff), 1);
    assert!(text(&diff).contains("+    {\"id\": \"b\", \"type\": \"x\"}\n"), "{}", text(&diff));
    assert_eq!(place.read("mods/a/scripts/a.lua"), "return {}  \n");
    let one = place.run(&["fmt", "mods/a/scripts"]);
    assert_eq!((code(&one), errors(&one)), (0, "1 of 1 files formatted\n".to_owned()));
    assert_eq!(place.read("mods/a/scripts/a.lua"), "return {}\n");
    assert_eq!(code(&place.run(&["fmt", "mods/a"])), 0);
    assert_eq!(
        (place.read("mods/a/cards.json"), place.read("mods/a/pack.json")),
        (CARDS.to_owned(), MANIFEST.to_owned())
    );
    let again = place.run(&["fmt", "--check"]);
    assert_eq!((code(&again), text(&again)), (0, String::new()));
}

#[test]
fn broken_files_are_left_alone_and_named() {
    let place = pack();
    let broken = [
        ("zones.json", "{\"zones\": [ ],}", "P0005"),
        ("rules.json", "{\"rules\": [],\n \"rules\": []}", "P0006"),
        ("scripts/b.lua", "return ] \n", "P0304"),
    ];
    for (file, content, _) in broken {
        place.write(&format!("mods/a/{file}"), content);
    }
    let done = place.run(&["fmt", "mods/a"]);
    assert_eq!(code(&done), 2);
    for (file, content, finding) in broken {
        assert!(
            errors(&done).contains(finding) && errors(&done).contains(&format!("mods/a/{file}:")),
            "{}",
            errors(&done)
        );
        assert_eq!(place.read(&format!("mods/a/{file}")), content);
    }
    assert_eq!(place.read("mods/a/cards.json"), CARDS, "the others are formatted");
}

#[test]
#[cfg(unix)]
fn nothing_is_written_outside_the_pack_or_through_links() {
    use std::os::unix::fs::symlink;
    let place = pack();
    let ugly = "{\"zones\":   []}";
    std::fs::create_dir_all(place.file("elsewhere/c")).unwrap();
    place.write("elsewhere/zones.json", ugly);
    place.write("elsewhere/c/pack.json", ugly);
    symlink(place.file("elsewhere/zones.json"), place.file("mods/a/zones.json")).unwrap();
    symlink(place.file("elsewhere"), place.file("mods/a/more")).unwrap();
    symlink(place.file("elsewhere/c"), place.file("mods/c")).unwrap();
    symlink(place.file("elsewhere"), place.file("mods/d")).unwrap();
    let whole = place.run(&["fmt", "mods"]);
    assert_eq!(code(&whole), 2, "the link in the pack is reported");
    assert!(errors(&whole).contains("mods/a/zones.json"), "{}", errors(&whole));
    for path in [
        "mods/c",
        "mods/a/zones.json",
        "mods/a/more/zones.json",
        "mods/a/../../elsewhere/zones.json",
        "elsewhere/zones.json",
        "nothing",
    ] {
        assert_eq!(code(&place.run(&["fmt", path])), 2, "{path}");
    }
    assert_eq!(
        (place.read("elsewhere/zones.json"), place.read("elsewhere/c/pack.json")),
        (ugly.to_owned(), ugly.to_owned())
    );
    assert!(std::fs::symlink_metadata(place.file("mods/a/zones.json")).unwrap().is_symlink());
    assert_eq!(place.read("mods/a/cards.json"), CARDS);
}
