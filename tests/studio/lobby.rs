//! The lobby: a game is chosen, left and continued with the mouse, and what is saved never blocks a start.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, answer_with_the_mouse};

const LOBBY: &str = "document.body.dataset.ready === 'lobby'";
const STEPS: &str = "document.querySelector('#map') && document.body.dataset.version";

fn text(browser: &mut Browser, page: &Page, expression: &str) -> String {
    browser.value(page, expression).as_str().unwrap_or_default().to_owned()
}

/// Chooses an entry of a list as a person does.
fn select(browser: &mut Browser, page: &Page, selector: &str, value: &str) {
    let set = format!(
        "(() => {{ const list = document.querySelector('{selector}'); list.value = '{value}'; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }})); return list.value }})()"
    );
    assert_eq!(browser.value(page, &set), value, "{selector}");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_game_is_chosen_left_and_continued() {
    let home = tempfile::tempdir().unwrap();
    let saves = home.path().join("state/principes/studio");
    std::fs::create_dir_all(&saves).unwrap();
    std::fs::write(saves.join("tic-tac-toe.json"), "{}").unwrap();
    let mut browser = Browser::start();
    // Far from the repository: the games are in the program.
    let studio = Studio::start(home.path(), home.path(), &["--lang", "pl"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, LOBBY);
    assert_eq!(browser.value(&page, "document.querySelectorAll('.game').length"), 9);
    browser.wait(&page, "document.querySelectorAll('.game img').length === 9");
    assert!(text(&mut browser, &page, "document.querySelector('.saved').textContent").contains("missing field"));
    // Somebody who watches waits for the host.
    let watcher = browser.open(&studio.seats[0]);
    browser.wait(&watcher, "document.body.dataset.ready === 'waiting'");
    assert!(browser.click(&page, "[data-game=tic-tac-toe]"));
    browser.wait(&page, "document.querySelectorAll('.seat-row').length === 2");
    select(&mut browser, &page, ".seat-row:nth-of-type(2) .sitting", "easy");
    browser.wait(&page, "document.querySelector('.choose .quiet')?.textContent.includes('4')");
    assert!(browser.click(&page, "#start"));
    browser.wait(&page, ASKED);
    assert_eq!(text(&mut browser, &page, "document.querySelector('#leave').textContent"), "Wszystkie gry");
    answer_with_the_mouse(&mut browser, &page);
    let log = "document.querySelectorAll('#log li').length";
    let before = browser.value(&page, log);
    browser.wait(&watcher, STEPS);
    assert!(browser.click(&page, "#menu-button"));
    assert!(browser.click(&page, "#leave"));
    browser.wait(&page, LOBBY);
    browser.wait(&watcher, "document.body.dataset.ready === 'waiting'");
    let open = "document.querySelector('.saved:not(:disabled)')";
    assert!(text(&mut browser, &page, &format!("{open}.textContent")).contains("ruchy: 2, miejsca: 2"));
    assert!(browser.click(&page, ".saved:not(:disabled)"));
    browser.wait(&page, ASKED);
    assert_eq!(browser.value(&page, log), before);
    // Another game takes its place. The old one stays in its file.
    assert!(browser.click(&page, "#menu-button"));
    assert!(browser.click(&page, "#leave"));
    browser.wait(&page, LOBBY);
    assert!(browser.click(&page, "[data-game=connect-four]"));
    browser.wait(
        &page,
        "document.querySelector('.choose h2')?.textContent === 'Connect four' && document.querySelector('#start')",
    );
    assert!(browser.click(&page, "#start"));
    browser.wait(&page, ASKED);
    let files = std::fs::read_dir(&saves).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(files.filter(|path| path.extension().is_some_and(|end| end == "json")).count(), 3);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_game_whose_packs_changed_goes_on_in_two_ways() {
    let home = tempfile::tempdir().unwrap();
    let (mods, saves) = (home.path().join("mods"), home.path().join("state/principes/studio"));
    std::fs::create_dir_all(&mods).unwrap();
    std::fs::create_dir_all(&saves).unwrap();
    let program = || Command::new(env!("CARGO_BIN_EXE_principes"));
    let made = program().args(["new", "hills", "--kind", "game"]).current_dir(&mods).output().unwrap();
    assert!(made.status.success());
    let play = ["play", "--pack", "mods/hills", "--seed", "1", "--seats", "human,human", "--save", "g.json"];
    let mut play = program().args(play).current_dir(home.path()).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let child = play.as_mut().unwrap();
    child.stdin.take().unwrap().write_all(b"shear\nclimb\nshear\nshear\n").unwrap();
    assert!(child.wait().unwrap().success());
    let record = std::fs::read_to_string(home.path().join("g.json")).unwrap();
    let script = std::fs::read_to_string(mods.join("hills/hills.lua")).unwrap();
    std::fs::write(mods.join("hills/hills.lua"), script.replace("and 2 or 1", "and 3 or 1")).unwrap();
    let mut browser = Browser::start();
    for (button, answers) in [(1, 2), (2, 4)] {
        std::fs::write(saves.join("g.json"), &record).unwrap();
        let studio = Studio::start(home.path(), home.path(), &[]);
        let page = browser.open(&studio.link);
        browser.wait(&page, LOBBY);
        assert!(browser.click(&page, ".saved"));
        browser.wait(&page, "document.querySelector('.departed')");
        let told = text(&mut browser, &page, "document.querySelector('.departed [role=alert]').textContent");
        assert!(told.contains("up to answer 2 of 4"), "{told}");
        assert!(browser.click(&page, &format!(".departed button:nth-of-type({button})")));
        // The curtain between two people at one page.
        browser.wait(&page, "document.body.innerText.includes('Show my view')");
        let now: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(saves.join("g.json")).unwrap()).unwrap();
        assert_eq!(now["answers"].as_array().unwrap().len(), answers);
        assert_eq!(std::fs::read_to_string(saves.join("g.before.json")).unwrap(), record);
        std::fs::remove_file(saves.join("g.before.json")).unwrap();
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_friend_by_link_plays_on_another_page() {
    let home = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio = Studio::start(home.path(), home.path(), &[]);
    let page = browser.open(&studio.link);
    browser.wait(&page, LOBBY);
    assert!(browser.click(&page, "[data-game=tic-tac-toe]"));
    browser.wait(&page, "document.querySelectorAll('.seat-row').length === 2");
    select(&mut browser, &page, ".seat-row:nth-of-type(2) .sitting", "link");
    assert!(browser.click(&page, "#start"));
    browser.wait(&page, ASKED);
    answer_with_the_mouse(&mut browser, &page);
    // The host's page stays with the host's seat and does not offer the friend's view behind a curtain.
    browser.wait(&page, "document.body.dataset.ready === 'waiting'");
    assert_eq!(browser.value(&page, "document.querySelector('#curtain').open"), false);
    assert!(browser.click(&page, "#menu-button"));
    assert!(browser.click(&page, "#show-invite"));
    browser.wait(&page, "document.querySelector('#panel').open");
    let links =
        text(&mut browser, &page, "[...document.querySelectorAll('.invite code')].map((e) => e.textContent).join(' ')");
    let friend = browser.open(links.split(' ').nth(1).unwrap());
    browser.wait(&friend, ASKED);
    answer_with_the_mouse(&mut browser, &friend);
    browser.press(&page, "Escape");
    browser.wait(&page, "document.body.dataset.ready === 'asked'");
}
