//! Audits of the table as a person meets it: at positions of every game, in windows of several sizes, light and dark. What is
//! too small, covered, cut, out of sight, hard to hit, hard to read, wordless, noisy or refused is a finding.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use principes_app::games::games;
use principes_app::packs::PackRequest;
use principes_app::session::Existing;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Dice, Studio, begun, root};

/// The probes, which run in the page.
const PROBES: &str = include_str!("audit.js");
/// With this variable, the full audit runs: seeds with commas between them.
const SEEDS: &str = "PRINCIPES_AUDIT";

/// Each game with its seats.
const GAMES: [(&str, usize); 9] = [
    ("principes", 4),
    ("duello", 2),
    ("paladins-barbarians", 2),
    ("the-prince", 2),
    ("queens-and-princes", 2),
    ("lanes", 2),
    ("dice-race", 2),
    ("connect-four", 2),
    ("tic-tac-toe", 2),
];

/// A window: its width and height, and whether it is dark.
type Window = (u32, u32, bool);

const SHORT: [Window; 3] = [(1440, 900, false), (1366, 768, true), (390, 844, false)];
const SIZES: [(u32, u32); 6] = [(1440, 900), (1366, 768), (1024, 768), (820, 1180), (390, 844), (360, 640)];
/// The positions of each game in the full audit.
const POSITIONS: usize = 12;

/// Plays a game by chance until its first seat has answered this often, or to its end, and saves it. Returns how often that
/// seat has answered.
fn reach(save: &Path, game: &str, seats: usize, seed: u64, answers: usize) -> usize {
    let search = ["content", "mods", "mods/classics"].map(|folder| root().join(folder)).to_vec();
    let packs = PackRequest { game: Some(game.to_owned()), search, ..PackRequest::default() };
    let mut session = begun(&packs, seats, seed);
    let mut dice = Dice::new(seed);
    let mut given = 0;
    loop {
        session.run_bots().unwrap();
        let Some(ask) = session.next_decision().filter(|_| given < answers) else { break };
        let option = ask.options[dice.below(ask.options.len())];
        let key = option.key(session.game().catalog());
        session.answer(ask.seat, &key).unwrap();
        given += 1;
    }
    session.save_to(save, Existing::Replace).unwrap();
    given
}

/// Brings the probes into a page.
fn probe(browser: &mut Browser, page: &Page) {
    browser.wait(page, ASKED);
    browser.value(page, PROBES);
}

fn list(browser: &mut Browser, page: &Page, expression: &str) -> Vec<String> {
    let found = browser.value(page, expression);
    found.as_array().unwrap().iter().map(|finding| finding.as_str().unwrap().to_owned()).collect()
}

/// The findings of a page in a window.
fn seen(browser: &mut Browser, page: &Page, (width, height, is_dark): Window) -> Vec<String> {
    browser.show_as(page, width, height, is_dark);
    browser.value(page, "audit.quiet()");
    let mut found = list(browser, page, "audit.measure()");
    let written = browser.png(page);
    browser.value(page, "audit.letters(false)");
    let blank = browser.png(page);
    browser.value(page, "audit.letters(true)");
    found.extend(list(browser, page, &format!("audit.inked('{written}', '{blank}')")));
    found
}

/// What a page says and does: its log, its options, its controls, its console.
fn heard(browser: &mut Browser, page: &Page) -> Vec<String> {
    let mut found = list(browser, page, "audit.noise()");
    found.extend(list(browser, page, "audit.wordless()"));
    found.extend(list(browser, page, "audit.refused()"));
    found.extend(browser.complaints(page).into_iter().map(|text| format!("console: {text}")));
    found
}

/// The findings of a game after this many answers.
fn findings(
    browser: &mut Browser,
    (game, seats): (&str, usize),
    seed: u64,
    answers: usize,
    windows: &[Window],
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let given = reach(&save, game, seats, seed, answers);
    let studio = Studio::open(&save, &["--game", game]);
    let page = browser.open(&studio.link);
    probe(browser, &page);
    let mut found = Vec::new();
    for window in windows {
        let place = format!("{game}, seed {seed}, {given} answers, {window:?}: ");
        found.extend(seen(browser, &page, *window).into_iter().map(|finding| format!("{place}{finding}")));
    }
    browser.show_as(&page, 1440, 900, false);
    browser.value(&page, "audit.quiet()");
    found.extend(
        heard(browser, &page).into_iter().map(|finding| format!("{game}, seed {seed}, {given} answers: {finding}")),
    );
    found.dedup();
    found.join("\n")
}

fn audit(browser: &mut Browser, games: &[(&str, usize)], seed: u64, answers: &[usize], windows: &[Window]) -> String {
    let all = games.iter().flat_map(|game| answers.iter().map(move |answers| (*game, *answers)));
    let found: Vec<String> = all.map(|(game, answers)| findings(browser, game, seed, answers, windows)).collect();
    found.into_iter().filter(|findings| !findings.is_empty()).collect::<Vec<String>>().join("\n")
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn every_game_is_audited() {
    principes_games::install();
    let known: BTreeSet<String> = games(&[]).into_iter().map(|game| game.pack.id).collect();
    let audited: BTreeSet<String> = GAMES.iter().map(|(id, _)| (*id).to_owned()).collect();
    assert_eq!(audited, known);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_short_audit_of_the_large_games_finds_nothing() {
    let found = audit(&mut Browser::start(), &GAMES[..3], 5, &[4, 31], &SHORT);
    assert!(found.is_empty(), "{found}");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_short_audit_of_the_small_games_finds_nothing() {
    // Most of them are over at the second position.
    let found = audit(&mut Browser::start(), &GAMES[3..], 5, &[2, 40], &SHORT);
    assert!(found.is_empty(), "{found}");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_full_audit_finds_nothing() {
    // Without seeds, a single look at the end of each game, in a window that the short audits do not use.
    let (seeds, positions, windows) = match std::env::var(SEEDS) {
        Ok(seeds) => (seeds, POSITIONS, SIZES.iter().flat_map(|(w, h)| [(*w, *h, false), (*w, *h, true)]).collect()),
        Err(_) => ("6".to_owned(), 1, vec![(1024, 768, true)]),
    };
    let windows: Vec<Window> = windows;
    let mut browser = Browser::start();
    let mut all = String::new();
    for seed in seeds.split(',').map(|seed| seed.trim().parse().expect("a seed is a number")) {
        for game in GAMES {
            let begin = Instant::now();
            let folder = tempfile::tempdir().unwrap();
            let length = reach(&folder.path().join("whole.json"), game.0, game.1, seed, usize::MAX);
            let mut dice = Dice::new(seed);
            let mut answers = vec![length, 0];
            answers.extend((2..positions).map(|_| dice.below(length.max(1))));
            answers.truncate(positions);
            answers.sort_unstable();
            answers.dedup();
            let found = audit(&mut browser, &[game], seed, &answers, &windows);
            eprintln!("{}, seed {seed}, after {answers:?} answers: {} s\n{found}", game.0, begin.elapsed().as_secs());
            all.push_str(&found);
        }
    }
    assert!(all.is_empty(), "{all}");
}

/// Adds an element to the page. The page takes no styles from texts.
const ADD: &str = "const add = (name, style, text, where = document.querySelector('#ask')) => { \
    const element = document.createElement(name); element.style.cssText = style; element.textContent = text; \
    where.prepend(element); return element };";
/// A finding of each kind, and how to plant it in a page.
const PLANTED: [(&str, &str); 13] = [
    ("small", "add('p', 'font-size: 9px', 'Letters')"),
    ("small", "document.querySelector('#map .label text').style.fontSize = '2px'"),
    (
        "overlap",
        "const name = document.querySelector('#map .label text'); name.parentElement.append(name.cloneNode(true))",
    ),
    ("overlap", "add('p', 'position: fixed; left: 0; top: 0; width: 100%; height: 100%; background: white', '')"),
    ("nameless", "for (const label of document.querySelectorAll('#map .label')) label.classList.add('too-small')"),
    ("clipped", "add('p', 'width: 30px; overflow: hidden; white-space: nowrap', 'Longer than its box')"),
    ("sight", "document.querySelector('#ask .question').style.marginTop = '900px'"),
    ("target", "add('button', 'width: 9px; min-width: 0; height: 9px; min-height: 0; padding: 0', '')"),
    ("contrast", "add('p', 'color: #999; background: #888', 'Letters')"),
    (
        "contrast",
        "for (const text of document.querySelectorAll('#map .label text')) text.style.cssText = 'fill: #888; stroke: #999'",
    ),
    (
        "sideways",
        "add('p', 'position: absolute; left: 200vw; top: 0', 'Letters', document.body); \
         for (const each of [document.body, document.documentElement]) each.style.overflow = 'visible'",
    ),
    ("noise", "add('li', '', 'Gold 5 → 4', document.querySelector('#log'))"),
    (
        "refused",
        "add('button', 'width: 60px; height: 60px', 'Refuses').onclick = () => { \
         const message = document.querySelector('#message'); message.hidden = false; message.textContent = 'No.' }",
    ),
];

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_audit_finds_what_is_planted_of_each_kind() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    reach(&save, "the-prince", 2, 5, 6);
    let studio = Studio::open(&save, &["--game", "the-prince"]);
    let mut browser = Browser::start();
    for (kind, plant) in PLANTED {
        let page = browser.open(&studio.link);
        probe(&mut browser, &page);
        let find = |browser: &mut Browser| {
            let mut found = seen(browser, &page, (1440, 900, false));
            found.extend(list(browser, &page, "audit.noise()"));
            if kind == "refused" {
                found.extend(list(browser, &page, "audit.refused()"));
            }
            found
        };
        assert_eq!(find(&mut browser), Vec::<String>::new(), "before {kind}");
        browser.value(&page, &format!("(() => {{ {ADD} {plant} }})()"));
        let found = find(&mut browser);
        assert!(found.iter().any(|finding| finding.starts_with(kind)), "{kind}: {plant}: {found:#?}");
    }
    let page = browser.open(&studio.link);
    probe(&mut browser, &page);
    browser.value(&page, "document.querySelector('#ask .choice').innerHTML = '7'");
    browser.value(
        &page,
        "document.querySelector('#ask .option').replaceWith(document.querySelector('#ask .option').cloneNode(true))",
    );
    assert_eq!(list(&mut browser, &page, "audit.wordless()").len(), 1, "an option that is a number");
    browser.value(&page, "console.error('planted')");
    assert!(!browser.complaints(&page).is_empty(), "a message on the console");
}
