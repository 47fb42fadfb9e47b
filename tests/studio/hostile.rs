//! Hostile packs in the workbench: nothing that a pack says runs in the page, wherever the page shows it.

use std::path::Path;
use std::process::Command;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, change, copy, root};

/// What a pack would have to say to run a script in a careless page, by a tag, an attribute, or an end of both.
const EVIL: &str = "\\\"'></title></text></textarea></option></svg><img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
/// What people see of it.
const SHOWN: &str = "<script>window.hacked=1</script>";

/// Nothing of a pack has become an element or an attribute of the page, and nothing has run.
fn assert_harmless(browser: &mut Browser, page: &Page, place: &str) {
    browser.value(page, "new Promise((done) => setTimeout(done, 150))");
    assert_eq!(browser.value(page, "typeof window.hacked"), "undefined", "{place}");
    let injected = "[...document.querySelectorAll('*')].filter((e) => e.localName === 'img' || e.localName === 'iframe' \
        || (e.localName === 'script' && !e.src) || [...e.attributes].some((a) => a.name.startsWith('on'))).length";
    assert_eq!(browser.value(page, injected), 0, "{place}");
}

fn assert_shown(browser: &mut Browser, page: &Page, selector: &str) {
    let text = format!(
        "[...document.querySelectorAll({})].some((e) => (e.textContent + (e.value ?? '') + (e.ariaLabel ?? '')).includes({}))",
        serde_json::Value::from(selector),
        serde_json::Value::from(SHOWN)
    );
    browser.wait(page, &text);
    assert_harmless(browser, page, selector);
}

/// A pack with one card, whose every text is hostile.
fn hostile_card(folder: &Path) -> std::path::PathBuf {
    let made = Command::new(env!("CARGO_BIN_EXE_principes"))
        .current_dir(folder)
        .args(["new", "evil", "--kind", "cards"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let pack = folder.join("evil");
    change(&pack.join("cards.en.json"), "Gift of a Merchant", EVIL);
    change(&pack.join("cards.en.json"), "Gain {gold} gold.", &format!("Gain {{gold}} {EVIL}"));
    change(&pack.join("cards.scenarios.json"), "The gift brings the gold that is printed on it", EVIL);
    change(&pack.join("evil.lua"), "--- Gift of a Merchant: gold", &format!("--- {EVIL}: gold"));
    change(&pack.join("evil.lua"), "  add(", &format!("  -- {EVIL}\n  add("));
    change(&pack.join("pack.json"), "New Court Cards.", EVIL);
    pack
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn no_text_of_a_pack_runs_in_the_cards_of_the_workbench() {
    let folder = tempfile::tempdir().unwrap();
    let pack = hostile_card(folder.path());
    let arguments = ["--pack", pack.to_str().unwrap(), "--seats", "human,random", "--seed", "3"];
    let studio = Studio::open(&folder.path().join("game.json"), &arguments);
    let mut browser = Browser::start();
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    assert!(browser.click(&page, "#to-gallery"));
    let card = "#wall .pair[data-id=evil-gift]";
    browser.wait(&page, &format!("document.querySelector('{card}')"));
    assert_shown(&mut browser, &page, card);
    assert!(browser.click(&page, card));
    browser.wait(&page, "document.querySelector('.scenarios') && document.querySelector('#faces svg')");
    for place in ["#desk-form h2", "#faces", "#desk-form textarea", "#desk-form pre", ".scenarios", "#desk-list"] {
        assert_shown(&mut browser, &page, place);
    }
    // A text is edited to another hostile one, which the page gets back from the files.
    let other = "document.querySelector('[id=\"text-en-card.evil-gift.title\"]')";
    browser.value(
        &page,
        &format!("(() => {{ const f = {other}; f.value = 'New ' + f.value; f.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"),
    );
    browser.wait(&page, "document.querySelector('#faces').textContent.includes('New ')");
    assert_shown(&mut browser, &page, "#faces");
    assert_shown(&mut browser, &page, "#written .new");
    assert!(browser.click(&page, "#write-edits"));
    browser.wait(&page, "!document.querySelector('#write-edits')");
    // A finding quotes the file.
    change(&pack.join("cards.json"), "\"copies\"", &format!("\"{EVIL}\""));
    browser.wait(&page, "!document.querySelector('#trouble').hidden");
    assert_shown(&mut browser, &page, "#trouble");
    assert_shown(&mut browser, &page, "#trouble pre");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn no_name_of_a_pack_runs_on_the_map_and_in_the_lab() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    copy(&root().join("mods/classics/tic-tac-toe"), &pack);
    for name in ["\"Cross\"", "\"A1\"", "\"Nought\""] {
        change(&pack.join("game.en.json"), name, &format!("\"{}{EVIL}\"", name.trim_matches('"')));
    }
    let arguments = ["--pack", pack.to_str().unwrap(), "--seats", "human,random", "--seed", "3"];
    let studio = Studio::open(&folder.path().join("game.json"), &arguments);
    let mut browser = Browser::start();
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    assert_shown(&mut browser, &page, "#map title");
    assert!(browser.click(&page, "#to-atlas"));
    browser.wait(&page, "document.querySelectorAll('.atlas .node').length === 9");
    assert_shown(&mut browser, &page, ".atlas .node text");
    browser.value(&page, "document.querySelector('.node[data-space=a1]').dispatchEvent(new MouseEvent('click'))");
    assert_shown(&mut browser, &page, "#space h2");
    assert!(browser.click(&page, "#to-lab"));
    browser.value(&page, "document.querySelector('#lab-games').value = 4");
    assert!(browser.click(&page, "#lab-go"));
    browser.wait(&page, "document.querySelectorAll('#lab-pictures svg').length > 1");
    assert_shown(&mut browser, &page, "#lab-pictures .legend li, #lab-pictures svg");
}
