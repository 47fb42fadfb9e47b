//! Declared properties: every misspelled name and keyword of the base game is found without playing it, displays use
//! the packs' own words, and expansions add to the declarations of earlier packs.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::common;
use crate::common::program::{Place, code, errors, json};
use principes_content::{LoadOptions, Stage, check};
use principes_source::FileRole;
use principes_source::{MemoryPack, PackSource, folder};
use serde_json::Value;

/// The base game with one file changed.
struct Changed {
    inner: Arc<dyn PackSource>,
    path: String,
    text: String,
}

impl PackSource for Changed {
    fn list(&self) -> io::Result<Vec<String>> {
        self.inner.list()
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == self.path { Ok(self.text.clone().into_bytes()) } else { self.inner.read(path) }
    }
    fn label(&self, path: &str) -> String {
        self.inner.label(path)
    }
    fn folder(&self) -> Option<PathBuf> {
        self.inner.folder()
    }
}

/// A word with two letters swapped; a short one with an extra letter.
fn misspelled(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    match (1..letters.len().saturating_sub(1)).find(|at| letters[*at] != letters[at + 1]) {
        Some(at) => letters.swap(at, at + 1),
        None => letters.push('x'),
    }
    letters.into_iter().collect()
}

/// All ways to misspell one name of a prop or stat, or one keyword, in a file: the word, and the new text of the file.
fn typos(text: &str) -> Vec<(String, String)> {
    let root: Value = serde_json::from_str(text).unwrap();
    let mut found = Vec::new();
    for (family, field) in [("cards", "type"), ("spaces", "kind"), ("kinds", "class"), ("factions", "group")] {
        for at in 0..root[family].as_array().map_or(0, Vec::len) {
            let mut put = |word: &str, change: &dyn Fn(&mut Value)| {
                let mut copy = root.clone();
                change(&mut copy[family][at]);
                found.push((word.to_owned(), copy.to_string()));
            };
            let entity = &root[family][at];
            let group = entity[field].as_str().unwrap();
            put(group, &|entity| entity[field] = misspelled(group).into());
            for members in ["props", "stats"] {
                for (key, value) in entity[members].as_object().into_iter().flatten() {
                    put(key, &|entity| {
                        let members = entity[members].as_object_mut().unwrap();
                        members.remove(key);
                        members.insert(misspelled(key), value.clone());
                    });
                    let Some(word) = value.as_str() else { continue };
                    let id = word.split_once(':').map_or(word, |(_, id)| id);
                    let wrong = word.replace(id, &misspelled(id));
                    put(id, &|entity| entity[members][key] = wrong.as_str().into());
                }
            }
        }
    }
    found
}

#[test]
fn some_misspelled_names_and_keywords_of_the_base_game_are_found() {
    find_misspelled(40);
}

/// `PRINCIPES_EVERY=1` tries all of them; normally, every fourth is enough.
#[test]
#[ignore = "slow; run by .ci/run"]
fn every_misspelled_name_and_keyword_of_the_base_game_is_found() {
    find_misspelled(std::env::var("PRINCIPES_EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(4));
}

fn find_misspelled(every: usize) {
    let inner = folder(common::root().join("content/principes"));
    // Checking scripts comes later and costs more. This is the part of `check --until scripts` without scripts.
    let options = LoadOptions { until: Stage::Links, scenarios: false, ..LoadOptions::default() };
    let (mut tried, mut suggested, mut seen) = (0, 0, 0);
    for path in inner.list().unwrap() {
        if FileRole::of(&path) != FileRole::Entities {
            continue;
        }
        let text = String::from_utf8(inner.read(&path).unwrap()).unwrap();
        for (word, changed) in typos(&text) {
            seen += 1;
            if seen % every != 0 {
                continue;
            }
            let source = Changed { inner: Arc::clone(&inner), path: path.clone(), text: changed };
            let checked = check(&[Arc::new(source) as Arc<dyn PackSource>], &options);
            let finding =
                checked.findings.iter().find(|finding| ["P0202", "P0214", "P0215"].contains(&finding.code.as_str()));
            let finding = finding
                .unwrap_or_else(|| panic!("{path}: the misspelled `{word}` is not found: {:?}", checked.findings));
            assert!(finding.is_error() && finding.file.ends_with(&path), "{finding:?}");
            tried += 1;
            suggested += usize::from(finding.fix.as_ref().is_some_and(|fix| fix.edits[0].text.contains(&word)));
        }
    }
    assert!(seen > 700 && tried >= seen / every, "{tried} of {seen} tried");
    assert!(suggested * 100 >= tried * 95, "only {suggested} of {tried} can be fixed by `--fix`");
}

/// The kind of a grid's cells is a keyword like that of spaces in files.
#[test]
fn the_kind_of_cells_must_be_declared() {
    let inner = folder(common::root().join("mods/classics/lanes"));
    let text = String::from_utf8(inner.read("game.json").unwrap()).unwrap();
    for (from, to) in [(r#""kind": "cell""#, r#""kind": "clel""#), (r#""words": {"cell":"#, r#""words": {"clel":"#)] {
        assert!(text.contains(from), "{from}");
        let pack = Changed { inner: inner.clone(), path: "game.json".to_owned(), text: text.replace(from, to) };
        let checked = check(&[Arc::new(pack)], &LoadOptions::default());
        let finding = &checked.findings[0];
        assert_eq!(
            (finding.code.to_string().as_str(), &*finding.pointer),
            ("P0215", "/procedures/0/grid/kind"),
            "{finding:?}"
        );
        assert!(finding.fix.is_some() && finding.message.contains("is not a declared `kind`"), "{finding:?}");
    }
}

#[test]
fn people_read_the_words_of_the_packs() {
    let place = Place::new();
    let show = |id: &str, language: &str| {
        let output = place.run(&["show", id, "--lang", language]);
        assert_eq!(code(&output), 0, "{}", errors(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let english = show("cards:papal-legate", "en");
    assert!(english.contains("When: your turn") && english.contains("Support: People or Clergy"), "{english}");
    let polish = show("cards:papal-legate", "pl");
    assert!(polish.contains("Kiedy:") && polish.contains("twoja tura"), "{polish}");
    assert!(show("spaces:lancicia", "en").contains("Might: 1"));
}

const EXTRA: &str = r#"{"format": 1, "id": "extra", "version": "1.0.0", "api": 1, "title": "Extra",
    "kind": "extension", "requires": {"principes": "*"}}"#;

fn extra(props: &str, patches: &str, cards: &str) -> Vec<String> {
    let pack = MemoryPack::new("extra")
        .with("pack.json", EXTRA)
        .with("props.json", format!(r#"{{"props": [{props}]}}"#))
        .with("patches.json", format!(r#"{{"patches": [{patches}]}}"#))
        .with("cards.json", format!(r#"{{"cards": [{cards}]}}"#))
        .with("extra.lua", "local M = {}\nfunction M.play(self, seat) log('eclipse', seat) end\nreturn M\n");
    let packs: [Arc<dyn PackSource>; 2] = [folder(common::root().join("content/principes")), Arc::new(pack)];
    let options = LoadOptions { until: Stage::Links, scenarios: false, ..LoadOptions::default() };
    check(&packs, &options).findings.into_iter().filter(|finding| finding.is_error()).map(|f| f.message).collect()
}

#[test]
fn an_expansion_adds_words_and_props_of_its_own() {
    let card = r#"{"id": "eclipse", "type": "court", "zone": "court-deck",
        "props": {"timing": "eclipse", "symbol": "people", "moon": 3}, "hooks": {"card.play": "extra.play"}}"#;
    let words = r#"{"of": "props", "id": "court.timing", "set": {"words": {"eclipse": "When the sun goes dark."}}}"#;
    let prop =
        r#"{"id": "court.moon", "of": "cards", "in": ["court"], "type": "number", "max": 3, "doc": "The moon."}"#;
    assert_eq!(extra(prop, words, card), Vec::<String>::new());
    assert_eq!(extra(prop, "", card), ["`eclipse` is not a value of `timing`"]);
    assert_eq!(extra("", words, card), ["undeclared prop `moon` for cards with the type `court`"]);
    let twin = r#"{"id": "my.timing", "of": "cards", "type": "number", "doc": "Another."}"#;
    assert_eq!(extra(twin, "", ""), ["`timing` of these cards is declared twice"]);
}

#[test]
fn hook_points_name_types_that_exist() {
    let point = |word: &str| {
        format!(
            r#"{{"points": [{{"id": "my.point", "kind": "effect", "doc": "A test.", "required_in": ["{word}"]}}]}}"#
        )
    };
    // One game declares its types of cards, the other does not.
    for (base, requires, wrong) in
        [("content/principes", "principes", "cuort"), ("content/findings/explain/base", "toy", "evnet")]
    {
        let messages = |word: &str| -> Vec<String> {
            let pack = MemoryPack::new("extra")
                .with("pack.json", EXTRA.replace("principes", requires))
                .with("points.json", point(word));
            let packs: [Arc<dyn PackSource>; 2] = [folder(common::root().join(base)), Arc::new(pack)];
            let options = LoadOptions { until: Stage::Links, scenarios: false, ..LoadOptions::default() };
            let findings = check(&packs, &options).findings;
            findings.into_iter().filter(|one| one.file.ends_with("points.json")).map(|one| one.message).collect()
        };
        assert_eq!(messages(wrong), [format!("`{wrong}` is not a `type` of cards")], "{base}");
    }
}

#[test]
fn schemas_and_stubs_for_editors_know_the_declared_props() {
    let place = Place::new();
    let output = place.run(&["new", "gifts", "--kind", "cards"]);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let schema: Value = serde_json::from_str(&place.read("gifts/.vscode/principes/schemas/cards.schema.json")).unwrap();
    let card = |props: &str| {
        let text = format!(r#"{{"cards": [{{"id": "x", "type": "court", "zone": "hand", "props": {props}}}]}}"#);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let fits = |props: &str| jsonschema::is_valid(&schema, &card(props));
    assert!(fits(r#"{"timing": "turn", "symbol": "people"}"#));
    for wrong in [
        r#"{"timing": "trun", "symbol": "people"}"#,
        r#"{"timming": "turn", "timing": "turn", "symbol": "people"}"#,
        r#"{"timing": "turn"}"#,
        r#"{"timing": 3, "symbol": "people"}"#,
    ] {
        assert!(!fits(wrong), "{wrong}");
    }
    let stub = place.read("gifts/.vscode/principes/principes.d.lua");
    assert!(stub.contains("\"timing\"") && !stub.contains("\"timming\""), "{stub}");
}

#[test]
fn fix_repairs_a_misspelled_pack() {
    let place = Place::new();
    assert_eq!(code(&place.run(&["new", "gifts", "--kind", "cards"])), 0);
    let path = place.file("gifts/cards.json");
    let right = std::fs::read_to_string(&path).unwrap();
    let wrong = right.replace("\"timing\": \"turn\"", "\"timming\": \"turn\"").replace("\"people\"", "\"poeple\"");
    assert_ne!(right, wrong);
    std::fs::write(&path, wrong).unwrap();
    let report = json(&place.run(&["check", "gifts", "--format", "json"]));
    let codes: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["P0214", "P0215"], "no consequences are reported");
    assert_eq!(code(&place.run(&["check", "gifts", "--fix"])), 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), right);
}
