//! Rulebooks: every game has one in English and Polish, with every live part filled in; what packs say in them cannot
//! escape from the page; no game depends on them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_app::packs::OpenPacks;
use principes_app::rulebook::{Book, FilledBlock, Section, to_markdown};
use principes_content::{LoadOptions, check, load};
use principes_draw::rules::Pages;
use principes_findings::Finding;
use principes_findings::budget::{MOST_EXHIBITS, MOST_LIVE_PARTS, MOST_RULES};
use principes_source::{MemoryPack, PackSource};

use crate::common::program::{Place, code, errors, principes, text};
use crate::common::{pack_folders, root, toy, toy_file};

/// The folders of the games of the repository.
fn games() -> Vec<PathBuf> {
    let is_game = |folder: &PathBuf| {
        let manifest = std::fs::read_to_string(folder.join("pack.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&manifest).unwrap()["kind"] == "game"
    };
    pack_folders().into_iter().filter(is_game).collect()
}

/// The toy game with these rules in English.
fn with_rules(rules: &str) -> Vec<Arc<dyn PackSource>> {
    with_files(&[("rules.en.md", rules)])
}

fn with_files(files: &[(&str, &str)]) -> Vec<Arc<dyn PackSource>> {
    vec![toy(files)]
}

fn findings(rules: &str) -> Vec<Finding> {
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    check(&with_rules(rules), &options).findings
}

/// The codes, lines, columns and messages of the findings in a rulebook.
fn found(rules: &str) -> Vec<(String, usize, usize, String)> {
    let own = |finding: &Finding| finding.file.ends_with("rules.en.md");
    let row = |finding: Finding| (finding.code.to_string(), finding.span.line, finding.span.column, finding.message);
    findings(rules).into_iter().filter(own).map(row).collect()
}

fn opened(folder: &Path) -> OpenPacks {
    let sources = principes_app::packs::sources(&[folder.to_path_buf()]).unwrap();
    OpenPacks::load(&sources, &LoadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

fn blocks<'s>(section: &'s Section, all: &mut Vec<&'s FilledBlock>) {
    let mut open: Vec<&FilledBlock> = section.blocks.iter().collect();
    while let Some(block) = open.pop() {
        all.push(block);
        match block {
            FilledBlock::List(_, items) => open.extend(items.iter().flatten()),
            FilledBlock::Quote(inner) => open.extend(inner),
            _ => {}
        }
    }
}

/// Whether a line has a `?` that ends no word, so that it stands for something missing.
fn has_gap(line: &str) -> bool {
    let plain = line.replace('*', "");
    let is_end = |c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '”' | '’' | '»');
    plain.match_indices('?').any(|(at, _)| !plain[..at].ends_with(is_end))
}

#[test]
fn a_lone_question_mark_is_a_gap() {
    for line in ["You have ? coins.", "**?** coins", "| a | ? |", "?", "+? gold"] {
        assert!(has_gap(line), "{line}");
    }
    for line in ["**Why**?", "Why? Because.", "(Why?)", "„Why”?", "none"] {
        assert!(!has_gap(line), "{line}");
    }
}

#[test]
fn every_game_has_rules_in_which_nothing_is_missing() {
    for folder in games() {
        let game = folder.strip_prefix(root()).unwrap().display().to_string();
        let packs = opened(&folder);
        for language in ["en", "pl"] {
            let book = Book::of(&packs, language).unwrap();
            assert!(book.sections.len() >= 3, "{game} {language}");
            let mut all = Vec::new();
            book.sections.iter().for_each(|section| blocks(section, &mut all));
            let markdown = to_markdown(&book, &packs.words(language));
            assert_eq!(markdown.lines().find(|line| has_gap(line)), None, "{game} {language}");
            for block in &all {
                match block {
                    FilledBlock::Table(_, rows) => assert!(!rows.is_empty(), "{game} {language}"),
                    FilledBlock::Example(lines) => assert!(!lines.is_empty(), "{game} {language}: an empty example"),
                    _ => {}
                }
            }
            assert!(all.iter().any(|block| matches!(block, FilledBlock::Board(..))), "{game} {language}");
            assert!(all.iter().any(|block| matches!(block, FilledBlock::Example(_))), "{game} {language}: no example");
            let html = Pages::new(&packs, language).file(&book, language);
            let parsed = html.split_once("<body>").unwrap().1.split_once("</body>").unwrap().0.replace("<br/>", "");
            assert_nested(&parsed, &game);
            for part in ["<script", "<link", "src=", "http-equiv", "javascript:"] {
                assert!(!parsed.contains(part), "{game}: {part}");
            }
        }
    }
}

/// Fails unless every element is closed, in order.
fn assert_nested(html: &str, what: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let inside = tag.split_once('>').unwrap_or_else(|| panic!("{what}: `<{tag}` has no end")).0;
        let name = inside.split([' ', '/']).next().unwrap();
        match inside.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{what}"),
            None if inside.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{what}: {open:?} is still open");
}

#[test]
fn the_rules_are_printed() {
    let place = Place::new();
    let game = root().join("mods/classics/tic-tac-toe").display().to_string();
    let printed = principes(&["rules", &game]).output().unwrap();
    assert_eq!((code(&printed), errors(&printed)), (0, String::new()));
    insta::assert_snapshot!("rules-tic-tac-toe", text(&printed));
    let polish = text(&principes(&["rules", &game, "--lang", "pl"]).output().unwrap());
    assert!(polish.contains("## Cel gry"), "{polish}");
    let args = ["rules", &game, "--format", "html", "--out", "rules.html"];
    assert_eq!(code(&place.run(&args)), 0);
    let html = place.read("rules.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<svg") && html.contains("@font-face"));
    let again = place.run(&args);
    assert!(code(&again) == 2 && errors(&again).contains("already exists"), "{}", errors(&again));
    let unknown = principes(&["rules", &game, "--lang", "xx"]).output().unwrap();
    assert_eq!(code(&unknown), 2);
}

#[test]
fn a_pack_without_rules_says_so() {
    let place = Place::new();
    let pack = toy(&[]);
    for path in pack.list().unwrap() {
        place.write(&path, &String::from_utf8(pack.read(&path).unwrap()).unwrap());
    }
    let printed = place.run(&["rules", "."]);
    assert!(code(&printed) == 2 && errors(&printed).contains("rules.en.md"), "{}", errors(&printed));
}

#[test]
fn what_is_wrong_has_its_place() {
    let rules =
        "# Toy\n\n## Pick {#pick}\n\nLuck: {{param windfall gian}}, [here](#pik).\n\n{{example windfal}}\n\n<i>x</i>\n";
    let found = found(rules);
    let rows: Vec<(&str, usize, usize)> =
        found.iter().map(|(code, line, column, _)| (code.as_str(), *line, *column)).collect();
    assert_eq!(rows, [("P0622", 5, 24), ("P0623", 5, 40), ("P0622", 7, 11), ("P0620", 9, 1)], "{found:?}");
}

#[test]
fn budgets_end_what_is_too_large() {
    let long = format!("# Toy {{#pick}}\n\n{}", "word ".repeat(MOST_RULES / 5));
    let parts = format!("# Toy {{#pick}}\n\n{}", "{{param windfall gain}} ".repeat(MOST_LIVE_PARTS + 1));
    let pictures = format!("# Toy {{#pick}}\n\n{}", "{{board}}\n\n".repeat(MOST_EXHIBITS + 1));
    for rules in [long, parts, pictures] {
        let found = found(&rules);
        assert!(found.len() == 1 && found[0].0 == "P0015", "{found:?}");
    }
    for hostile in
        ["> ".repeat(60_000), "- ".repeat(30_000), "[".repeat(100_000), "|a".repeat(50_000), "*_".repeat(60_000)]
    {
        assert!(findings(&format!("# Toy {{#pick}}\n\n{hostile}")).len() < 300);
    }
}

#[test]
fn texts_of_packs_stay_texts() {
    let rules =
        "# A & B {#pick}\n\n&lt;script&gt;alert(1)&lt;/script&gt; `<b>` \u{202e}\n\n| \" | ' |\n| - | - |\n| < | > |\n";
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    let packs = OpenPacks::load(&with_rules(rules), &options).unwrap();
    let book = Book::of(&packs, "en").unwrap();
    let html = Pages::new(&packs, "en").body(&book.sections[0]);
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script") && !html.contains("<b>"), "{html}");
    assert!(!html.contains('\u{202e}'), "{html}");
}

#[test]
fn no_game_depends_on_its_rules() {
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    let fingerprint = |sources: &[Arc<dyn PackSource>]| load(sources, &options).unwrap().fingerprint;
    let one = fingerprint(&with_rules("# One {#pick}\n"));
    assert_eq!(one, fingerprint(&with_rules("# Two {#pick}\n\nText.\n")));
    assert_eq!(one, fingerprint(&with_files(&[])));
    assert_ne!(one, fingerprint(&with_files(&[("more.json", "{ \"rules\": [] }")])));
}

#[test]
fn the_rules_of_an_extension_follow() {
    let rules = "# Toy {#pick}\n\n## Luck {#luck}\n";
    let manifest = toy_file("pack.json").replace("\"toy\"", "\"more\"").replace("\"game\"", "\"extension\"");
    let manifest = manifest.replace(r#""seats": {"min": 1, "max": 2}"#, r#""requires": {"toy": "*"}"#);
    let more = MemoryPack::new("more")
        .with("pack.json", manifest)
        .with("rules.en.md", "# More\n\n## Luck {#luck}\n\n[up](#luck)\n");
    let mut sources = with_rules(rules);
    sources.push(Arc::new(more));
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    let packs = OpenPacks::load(&sources, &options).unwrap();
    let book = Book::of(&packs, "en").unwrap();
    let ids: Vec<&str> = book.sections.iter().map(|section| section.id.as_str()).collect();
    assert_eq!(ids, ["pick", "luck", "1-section-1", "1-luck"]);
    assert!(Pages::new(&packs, "en").body(&book.sections[3]).contains("href=\"#section-1-luck\""));
}
