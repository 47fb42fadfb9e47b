//! Games through a kill, at one page for two people, at two pages, and with the keyboard.

use std::path::Path;
use std::time::Duration;

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::Session;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Dice, Studio, answer_with_the_mouse, is_over};

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_base_game_is_played_with_the_mouse_and_survives_a_kill() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let arguments = ["--seats", "human,random", "--seed", "5"];
    let studio = Studio::open(&save, &arguments);
    let page = browser.open(&studio.link);
    for _ in 0..25 {
        assert!(!is_over(&mut browser, &page));
        answer_with_the_mouse(&mut browser, &page);
    }
    browser.wait(&page, ASKED);
    let shown = browser.value(&page, "Number(document.querySelector('#time').max)").as_u64().unwrap();
    drop(studio);
    let saved = Save::read(&save).unwrap().answers;
    assert!(saved.len() as u64 >= shown, "what was shown was saved before");
    let studio = Studio::open(&save, &arguments);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    let after = Save::read(&save).unwrap().answers;
    assert_eq!(after[..saved.len()], saved, "the game goes on where it was");
    // Looking back shows an earlier board, and a way to return to the present.
    let back =
        "(() => { const t = document.querySelector('#time'); t.value = 0; t.dispatchEvent(new Event('input')); })()";
    browser.value(&page, back);
    browser.wait(&page, "document.body.dataset.ready === 'past'");
    assert_eq!(browser.value(&page, "document.querySelectorAll('.choice').length"), 0);
    assert!(browser.click(&page, "#now"));
    browser.wait(&page, ASKED);
    assert!(browser.value(&page, "document.querySelectorAll('.choice').length").as_u64().unwrap() > 0);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn two_people_hand_one_page_over_behind_a_curtain() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,human", "--seed", "3"]);
    let page = browser.open(&studio.link);
    for _ in 0..4 {
        browser.wait(&page, "document.querySelector('#curtain').open");
        assert_eq!(browser.value(&page, "document.querySelector('#map .paper').children.length"), 0, "nothing shows");
        browser.press(&page, "Escape");
        browser.value(&page, "new Promise((done) => setTimeout(done, 100))");
        browser.wait(&page, "document.querySelector('#curtain').open");
        assert!(browser.click(&page, "#curtain button"));
        browser.wait(&page, "!document.querySelector('#curtain').open && document.querySelector('.space.lit')");
        assert!(browser.click(&page, ".space.lit"));
    }
    browser.wait(&page, "document.querySelector('#curtain').open");
    assert_eq!(Save::read(&save).unwrap().answers.len(), 4);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_game_can_be_played_with_the_keyboard_alone() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    // The first answer on the board, past the bar and along a row; the others by numbers.
    browser.wait(&page, ASKED);
    let version = browser.value(&page, "document.body.dataset.version");
    for (skip, target) in [("ask", "#ask .choice"), ("log", "#log"), ("map", "#map .space.lit")] {
        browser.value(&page, "document.activeElement.blur()");
        tab_to(&mut browser, &page, &format!("[data-skip={skip}]"), 0);
        browser.press(&page, "Enter");
        browser.wait(&page, &format!("document.activeElement.matches('{target}')"));
    }
    let first = browser.value(&page, "document.activeElement.dataset.space");
    browser.press(&page, "ArrowRight");
    assert_ne!(browser.value(&page, "document.activeElement.dataset.space"), first);
    assert_eq!(browser.value(&page, "document.querySelectorAll('#map [tabindex=\"0\"]').length"), 1);
    // What no arrow leads to is reached one after another.
    let at = "[...document.querySelectorAll('#map .lit')].indexOf(document.activeElement)";
    let lit = browser.value(&page, "document.querySelectorAll('#map .lit').length").as_u64().unwrap();
    let mut visit = |key: &str| -> Vec<u64> {
        let mut step = || {
            browser.press(&page, key);
            browser.value(&page, at).as_u64().expect("the focus is on a lit thing")
        };
        (0..lit).map(|_| step()).collect()
    };
    let (down, mut up) = (visit("PageDown"), visit("PageUp"));
    assert_eq!(down.iter().collect::<std::collections::BTreeSet<_>>().len() as u64, lit, "{down:?}");
    up.reverse();
    up.rotate_left(1);
    assert_eq!(up, down, "the way back is the same");
    // They also lead to the board from anywhere else.
    for (key, first) in [("PageDown", 0), ("PageUp", lit - 1)] {
        browser.value(&page, "document.activeElement.blur()");
        browser.press(&page, key);
        assert_eq!(browser.value(&page, at), first, "{key}");
    }
    browser.press(&page, "Enter");
    browser.wait(&page, &format!("document.body.dataset.version !== {version}"));
    while !is_over(&mut browser, &page) {
        let version = browser.value(&page, "document.body.dataset.version");
        // A slider needs no digits.
        browser.value(&page, "document.querySelector('#time').focus()");
        browser.press(&page, "1");
        browser.wait(&page, &format!("document.body.dataset.version !== {version}"));
    }
}

/// What a page shows: the seat that it leads, the hand, and the number of answers.
fn shown(browser: &mut Browser, page: &Page) -> (String, Vec<String>, u64) {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let seat = browser.value(page, "document.querySelector('#whose').textContent");
    let cards = "[...document.querySelectorAll('#hand .held')].map((card) => card.dataset.card).sort()";
    let cards = browser.value(page, cards).as_array().unwrap().iter().map(text).collect();
    let steps = browser.value(page, "Number(document.querySelector('#time').max)").as_u64().unwrap();
    (text(&seat), cards, steps)
}

/// The hand of each person, by the file of the game.
fn hands(save: &Path) -> Vec<Vec<String>> {
    principes_games::install();
    let packs = OpenPacks::open(&PackRequest::default()).unwrap();
    let session = Session::resume(packs, &Save::read(save).unwrap(), "en").unwrap();
    let hand = |seat| {
        let board = session.board(Some(seat));
        let cards = board.hand.iter().flatten().flat_map(|zone| &zone.cards).map(|card| card.id.clone());
        let mut cards: Vec<String> = cards.collect();
        cards.sort();
        cards
    };
    session.humans().into_iter().map(hand).collect()
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn two_browsers_at_one_table_see_their_own_hands_and_each_others_answers() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--seats", "human,human", "--seed", "11"]);
    let mut browsers = [Browser::start(), Browser::start()];
    let pages = [0, 1].map(|seat| browsers[seat].open(&studio.seats[seat]));
    let mut answered = [0, 0];
    let (mut told, mut looks) = (0, 0);
    while answered.iter().sum::<usize>() < 16 || answered.contains(&0) {
        looks += 1;
        assert!(looks < 2_000, "somebody is asked");
        let asked = [0, 1].into_iter().find(|&seat| {
            browsers[seat].wait(&pages[seat], "document.body.dataset.ready");
            browsers[seat].value(&pages[seat], "document.body.dataset.ready") == "asked"
        });
        let Some(asked) = asked else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let other = 1 - asked;
        answer_with_the_mouse(&mut browsers[asked], &pages[asked]);
        answered[asked] += 1;
        // The other browser follows without a click of its own, and shows the same moment.
        let steps = shown(&mut browsers[asked], &pages[asked]).2;
        browsers[other].wait(&pages[other], &format!("Number(document.querySelector('#time').max) >= {steps}"));
        let version = browsers[asked].value(&pages[asked], "document.body.dataset.version");
        browsers[other].wait(&pages[other], &format!("Number(document.body.dataset.version) >= Number({version})"));
        told += u64::from(browsers[other].value(&pages[other], "!!document.querySelector('#log li')") == true);
        let hands = hands(&save);
        let seen = [0, 1].map(|seat| shown(&mut browsers[seat], &pages[seat]));
        assert_ne!(seen[0].0, seen[1].0, "each leads a faction of its own");
        for (seat, (_, cards, _)) in seen.iter().enumerate() {
            assert_eq!(*cards, hands[seat], "seat {seat} sees its own hand and no other");
        }
        assert_ne!(hands[0], hands[1]);
    }
    assert!(told > 8, "the log of the other browser tells what happened");
}

/// Moves the focus with Tab until an element fits, and on to others that fit.
fn tab_to(browser: &mut Browser, page: &Page, selector: &str, more: usize) {
    let is_there = format!("document.activeElement.matches({})", serde_json::Value::from(selector));
    let mut left = more;
    for _ in 0..400 {
        if browser.value(page, &is_there) == true {
            match left.checked_sub(1) {
                Some(fewer) => left = fewer,
                None => return,
            }
        }
        browser.press(page, "Tab");
    }
    panic!("Tab never reaches {selector}");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn rounds_of_the_base_game_are_played_with_the_keyboard_alone() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--seats", "human,random", "--seed", "5"]);
    let page = browser.open(&studio.link);
    let is_late = "/[3-9]$/.test(document.querySelector('.rounds[data-counter=round] b')?.textContent ?? '')";
    let mut dice = Dice::new(5);
    let (mut by_tab, mut by_board, mut by_number) = (0, 0, 0);
    for turn in 0.. {
        assert!(turn < 300, "Rounds end");
        assert!(!is_over(&mut browser, &page));
        if browser.value(&page, is_late) == true {
            break;
        }
        let version = browser.value(&page, "document.body.dataset.version");
        let changed = format!("document.body.dataset.version !== {version}");
        let count = |browser: &mut Browser, selector: &str| {
            let all = format!("document.querySelectorAll('{selector}').length");
            browser.value(&page, &all).as_u64().unwrap() as usize
        };
        let choices = count(&mut browser, ".decision:not(.beside) .choice");
        let lit = count(&mut browser, "#map .lit");
        if turn % 3 != 1 && lit > 0 {
            // Tab reaches one of the lit things, and the arrows lead to the others.
            tab_to(&mut browser, &page, "#map .lit", 0);
            for _ in 0..dice.below(lit.min(6)) {
                browser.press(&page, ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"][dice.below(4)]);
            }
            browser.press(&page, "Enter");
            // Several options of one place are listed, and the first has the focus.
            let is_listed = "document.querySelector('.filtered') && document.activeElement.matches('.choice')";
            browser.wait(&page, &format!("{changed} || ({is_listed})"));
            if browser.value(&page, &changed) != true {
                browser.press(&page, "Enter");
            }
            by_board += 1;
        } else if turn % 3 == 1 {
            tab_to(&mut browser, &page, ".decision:not(.beside) .choice", dice.below(choices.min(12)));
            browser.press(&page, "Enter");
            by_tab += 1;
        } else {
            browser.press(&page, &(1 + dice.below(choices.min(9))).to_string());
            by_number += 1;
        }
        browser.wait(&page, &changed);
    }
    assert!(by_tab > 2 && by_board > 1 && by_number > 2, "{by_tab} {by_board} {by_number}");
    // The last answer can be read about, and the game looked back at, without the mouse.
    browser.press(&page, "r");
    browser.wait(&page, "document.querySelector('#panel').open && document.activeElement.closest('#panel')");
    browser.press(&page, "Escape");
    tab_to(&mut browser, &page, "#earlier", 0);
    browser.press(&page, "Enter");
    browser.wait(&page, "document.body.dataset.ready === 'past'");
    tab_to(&mut browser, &page, "#now", 0);
    browser.press(&page, "Enter");
    browser.wait(&page, ASKED);
}
