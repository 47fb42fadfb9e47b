//! Edits of files during a game, and hostile packs.

use std::time::Instant;

use crate::chromium::Browser;
use crate::harness::{ASKED, Studio, answer_with_the_mouse, change, edited, is_over, limit};

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_edit_shows_at_once_and_a_broken_one_is_told() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let (pack, file) = edited(folder.path(), "\"Cross\"", "\"Crosses\"");
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--pack", pack.to_str().unwrap(), "--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, "document.querySelector('#seats').innerText.includes('Crosses')");
    assert!(!is_over(&mut browser, &page));
    answer_with_the_mouse(&mut browser, &page);
    browser.wait(&page, ASKED);
    let steps = browser.value(&page, "document.querySelector('#time').max");
    let begin = Instant::now();
    change(&file, "\"Crosses\"", "\"Saltires\"");
    browser.wait(&page, "document.querySelector('#seats').innerText.includes('Saltires')");
    limit("an edit, until it shows in the page", begin.elapsed(), 300);
    assert_eq!(browser.value(&page, "document.querySelector('#time').max"), steps, "the game goes on");
    change(&file, "{", "{,");
    browser.wait(&page, "!document.querySelector('#trouble').hidden");
    let told = browser.value(&page, "document.querySelector('#trouble').innerText");
    assert!(told.as_str().unwrap().contains(".json:"), "{told}");
    change(&file, "{,", "{");
    browser.wait(&page, "document.querySelector('#trouble').hidden");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn no_text_of_a_pack_runs_a_script() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let evil = "</title></text></svg><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>";
    let (pack, _) = edited(folder.path(), "\"Cross\"", &serde_json::Value::from(evil).to_string());
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--pack", pack.to_str().unwrap(), "--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    while !is_over(&mut browser, &page) {
        answer_with_the_mouse(&mut browser, &page);
    }
    assert!(browser.click(&page, "#to-gallery"));
    browser.wait(&page, "!document.querySelector('#gallery').hidden");
    browser.wait(&page, "document.querySelector('.over')");
    let text = browser.value(&page, "document.querySelector('.over').textContent");
    assert!(text.as_str().unwrap().contains("<script>window.hacked=1"), "it is shown as it is: {text}");
    assert_eq!(browser.value(&page, "typeof window.hacked"), "undefined");
    // Even a script that had been injected into the page could not run.
    browser.value(&page, "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=1\">')");
    browser.value(&page, "new Promise((done) => setTimeout(done, 200))");
    assert_eq!(browser.value(&page, "typeof window.hacked"), "undefined");
}
