//! Games of every kind from their start to their end, and through a kill.

use std::path::Path;
use std::time::{Duration, Instant};

use principes_app::save::Save;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Dice, Studio, answer_with_the_mouse, is_over};

/// The time that a click may take to have an effect.
const PATIENCE: Duration = Duration::from_secs(30);

/// Answers a decision with the mouse: a lit place of the board, a lit card, or an option of the list, by chance. Where
/// a place has several options they are listed, and the next click takes one.
fn click_something(browser: &mut Browser, page: &Page, dice: &mut Dice) {
    let before = browser.value(page, "document.body.dataset.version");
    let changed = format!("document.body.dataset.version !== {before}");
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        let pick = format!(
            "(() => {{ for (const e of document.querySelectorAll('[data-pick]')) delete e.dataset.pick; \
             const all = [...document.querySelectorAll('#reader[open] .choice, #reader[open] .close')]; \
             if (!all.length) all.push(...document.querySelectorAll('.decision:not(.beside) .choice'), \
               ...document.querySelectorAll('#map .lit, .held.lit')); \
             const e = all[{} % all.length]; if (e) e.dataset.pick = 1; return all.length }})()",
            dice.below(1 << 20)
        );
        // `None`: the last click was accepted, but the page has not been updated yet.
        if browser.value(page, &pick).as_u64() > Some(0) {
            browser.click(page, "[data-pick]");
        }
        let until = format!("{changed} || Date.now() > (window.until ??= Date.now() + 60)");
        browser.wait(page, &until);
        browser.value(page, "window.until = undefined");
        if browser.value(page, &changed) == true {
            return;
        }
    }
    panic!("no click does anything: {}", browser.value(page, "document.body.innerText"));
}

/// Plays a game to its end; every answer is in its file, and the standings with their curves are shown.
fn play(game: &str, setup: &[&str], most: usize) {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let seats = ["--game", game, "--seats", "human,random", "--seed", "3"];
    let studio = Studio::open(&save, &[&seats, setup].concat());
    let page = browser.open(&studio.link);
    let mut dice = Dice::new(7);
    let mut answers = 0;
    while !is_over(&mut browser, &page) {
        click_something(&mut browser, &page, &mut dice);
        answers += 1;
        assert!(answers < most, "{game} does not end");
    }
    assert!(answers > 2, "{game}");
    assert!(browser.value(&page, "document.querySelectorAll('.over tbody tr').length").as_u64() >= Some(2), "{game}");
    let steps = browser.value(&page, "Number(document.querySelector('#time').max)");
    assert_eq!(answers_in(&save), steps.as_u64().unwrap() as usize, "{game}");
    eprintln!("{game}: {answers} answers by mouse of {steps}");
}

fn answers_in(save: &Path) -> usize {
    Save::read(save).unwrap().answers.len()
}

#[test]
fn small_games_are_played_to_their_end_with_the_mouse_alone() {
    play("tic-tac-toe", &[], 20);
    play("connect-four", &[], 40);
    play("dice-race", &[], 400);
}

#[test]
fn tiles_are_laid_with_the_mouse() {
    play("lanes", &[], 200);
}

#[test]
fn the_hexagons_are_played_with_the_mouse() {
    play("queens-and-princes", &["--set", "round-limit=8"], 300);
}

#[test]
fn the_island_is_explored_and_fought_over_with_the_mouse() {
    play("the-prince", &["--set", "building-due=8"], 400);
}

#[test]
fn the_two_kingdoms_are_played_with_the_mouse() {
    play("paladins-barbarians", &[], 900);
}

#[test]
fn the_base_game_is_played_to_its_end_with_the_mouse() {
    play("principes", &[], 900);
}

#[test]
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
fn two_people_hand_one_page_over_behind_a_curtain() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,human", "--seed", "3"]);
    let page = browser.open(&studio.link);
    for _ in 0..4 {
        browser.wait(&page, "document.querySelector('#curtain').open");
        assert_eq!(browser.value(&page, "document.querySelector('#map').children.length"), 0, "nothing shows");
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
fn a_game_can_be_played_with_the_keyboard_alone() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    // The first answer through a focused space, the others by numbers.
    browser.wait(&page, ASKED);
    let version = browser.value(&page, "document.body.dataset.version");
    browser.value(&page, "document.querySelector('.space.lit').focus()");
    browser.press(&page, "Enter");
    browser.wait(&page, &format!("document.body.dataset.version !== {version}"));
    while !is_over(&mut browser, &page) {
        let version = browser.value(&page, "document.body.dataset.version");
        browser.press(&page, "1");
        browser.wait(&page, &format!("document.body.dataset.version !== {version}"));
    }
}
