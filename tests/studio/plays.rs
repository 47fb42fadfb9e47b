//! Every game from its start to its end: with the mouse alone, with a finger on a phone alone, and with the keyboard
//! alone.

use std::path::Path;
use std::time::{Duration, Instant};

use principes_app::save::Save;

use crate::chromium::{Browser, Page};
use crate::harness::{Dice, RETURN, Studio, is_over};

/// The time that an input may take to have an effect.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time after which the next input follows if nothing has changed, in milliseconds.
const PAUSE: u32 = 60;
/// What answers a decision: a function of whether a pointer must be able to hit it, because a phone shows only a part of
/// the board. An open dialog comes first, because it covers the rest, and so does the list of a place.
const THINGS: &str = "((isPointed) => { \
    const isHit = (e) => { const b = (e.querySelector('.hit, path') ?? e).getBoundingClientRect(); \
        return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest('.lit') === e }; \
    const isSeen = (e) => e.dataset.key !== 'undo' && e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) \
        && (!isPointed || !e.matches('#map *') || isHit(e)); \
    const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen); \
    const first = all('dialog[open] .choice, dialog[open] .close, .filtered ~ * .choice'); \
    return first.length ? first : all('.decision:not(.beside) .choice, #map .lit, .held.lit') })";

/// What a person plays with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Mouse,
    Touch,
    Keyboard,
}

/// Plays a game to its end; every answer is in its file, and the standings with their curves are shown.
fn play(by: By, game: &str, setup: &[&str], most: usize) {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let seats = ["--game", game, "--seats", "human,random", "--seed", "3"];
    let studio = Studio::open(&save, &[&seats, setup].concat());
    let page = browser.open(&studio.link);
    if by == By::Touch {
        browser.show_as_phone(&page, 390, 844);
    }
    let mut dice = Dice::new(7);
    let mut answers = 0;
    while !is_over(&mut browser, &page) {
        answer(by, &mut browser, &page, &mut dice);
        answers += 1;
        assert!(answers < most, "{game} does not end");
    }
    assert!(answers > 2, "{game}");
    browser.wait(&page, "document.querySelectorAll('.over thead th').length >= 3");
    if by == By::Touch {
        assert!(browser.tap(&page, "#tab-log"));
    }
    let steps = browser.value(&page, "Number(document.querySelector('#time').max)");
    assert_eq!(answers_in(&save), steps.as_u64().unwrap() as usize, "{game}");
    eprintln!("{game}, {by:?}: {answers} answers of {steps}");
}

fn answers_in(save: &Path) -> usize {
    Save::read(save).unwrap().answers.len()
}

/// Answers a decision: by a lit place of the board, a lit card, or an option of the list, by chance. Where a place has
/// several options they are listed, and the next input takes one.
fn answer(by: By, browser: &mut Browser, page: &Page, dice: &mut Dice) {
    let before = browser.value(page, "document.body.dataset.version");
    let changed = format!("(document.body.dataset.version !== {before} || document.body.dataset.ready === 'over')");
    let is_pointed = by != By::Keyboard;
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        let pick = format!(
            "(() => {{ {RETURN}; \
             for (const e of document.querySelectorAll('[data-pick]')) delete e.dataset.pick; \
             const all = {THINGS}({is_pointed}); const e = all[{} % all.length]; if (e) e.dataset.pick = 1; return all.length }})()",
            dice.below(1 << 20)
        );
        // `None`: the last answer was accepted, but the page has not been updated yet.
        if browser.value(page, &pick).as_u64() > Some(0) {
            match by {
                By::Mouse => drop(browser.click(page, "[data-pick]")),
                By::Touch => drop(browser.tap(page, "[data-pick]")),
                By::Keyboard => press(browser, page),
            }
        }
        browser.wait(page, &format!("{changed} || Date.now() > (window.until ??= Date.now() + {PAUSE})"));
        browser.value(page, "window.until = undefined");
        if browser.value(page, &changed) == true {
            return;
        }
    }
    let state = "[document.querySelector('[data-pick]'), document.activeElement, document.querySelector('dialog[open]')] \
        .map((e) => e?.outerHTML?.slice(0, 200)).join('\\n') + document.body.innerText";
    panic!("no input does anything: {}", browser.value(page, state));
}

/// Takes the picked thing as its keys tell: the number of an option, or from one lit thing of the board to the next.
/// What has neither is reached with Tab.
fn press(browser: &mut Browser, page: &Page) {
    let key = "document.querySelector('[data-pick] kbd')?.textContent ?? null";
    if let Some(key) = browser.value(page, key).as_str().map(str::to_owned) {
        return browser.press(page, &key);
    }
    let mut is_stuck = false;
    for _ in 0..600 {
        let step = browser.value(
            page,
            "(() => { const pick = document.querySelector('[data-pick]'); const at = document.activeElement; \
             if (!pick || !pick.matches('.lit, .choice, .close')) return 'late'; \
             if (at === pick) return 'Enter'; \
             return pick.matches('#map .lit') ? at.matches('#map .lit') : null })()",
        );
        match step.as_str() {
            Some("Enter") => return browser.press(page, "Enter"),
            // The answer before this one has changed the page only now.
            Some(_) => return,
            None => {}
        }
        // Pages lead to the board, unless a list under the focus needs them to scroll.
        let key = if step == true || step == false && !is_stuck { "PageDown" } else { "Tab" };
        is_stuck |= step == false && key == "PageDown";
        browser.press(page, key);
    }
    panic!("no key leads to {}", browser.value(page, "document.querySelector('[data-pick]')?.outerHTML"));
}

/// For each game, a test of each way to play.
macro_rules! games {
    ($($name:ident: $game:expr, $setup:expr, $most:expr;)+) => {$(
        mod $name {
            use super::{By, play};

            #[test]
            #[ignore = "needs Chromium; run by .ci/run"]
            fn with_the_mouse() {
                play(By::Mouse, $game, &$setup, $most);
            }

            #[test]
            #[ignore = "needs Chromium; run by .ci/run"]
            fn with_a_finger() {
                play(By::Touch, $game, &$setup, $most);
            }

            #[test]
            #[ignore = "needs Chromium; run by .ci/run"]
            fn with_the_keyboard() {
                play(By::Keyboard, $game, &$setup, $most);
            }
        }
    )+};
}

games! {
    tic_tac_toe: "tic-tac-toe", [], 20;
    connect_four: "connect-four", [], 40;
    dice_race: "dice-race", [], 400;
    lanes: "lanes", [], 200;
    queens_and_princes: "queens-and-princes", ["--set", "round-limit=5"], 300;
    the_prince: "the-prince", ["--set", "building-due=8"], 400;
    paladins_and_barbarians: "paladins-barbarians", [], 900;
    duello: "duello", [], 900;
    principes: "principes", [], 900;
}
