//! The rules on the page: they open at the decision at hand, can be searched, and open what they name.

use crate::chromium::Browser;
use crate::harness::{ASKED, Studio};

/// The titles of the sections that are shown.
const SHOWN: &str =
    "[...document.querySelectorAll('.rules-section')].filter(one => !one.hidden).map(one => one.id).join(' ')";
/// Types into the search.
const SEARCH: &str = "(text => { const field = document.querySelector('#rules-search'); field.value = text; field.dispatchEvent(new Event('input')); })";
/// Whether the section about the decision is in sight at the top of the panel.
const HERE: &str = "(() => { const one = document.querySelector('.rules-section[aria-current]'); const box = document.querySelector('#panel .body').getBoundingClientRect(); const at = one.getBoundingClientRect().top; return at >= box.top - 1 && at < box.top + 120 ? one.id : null; })()";

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_rules_open_at_the_decision_and_are_searched() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    for (game, section, word, other) in [
        ("queens-and-princes", "section-turn", "castling", "section-castling"),
        ("principes", "section-setup", "trespass", "section-trespass"),
    ] {
        let save = folder.path().join(format!("{game}.json"));
        let studio = Studio::open(&save, &["--game", game, "--seats", "human,random", "--seed", "3"]);
        let page = browser.open(&studio.link);
        browser.wait(&page, ASKED);
        browser.press(&page, "r");
        browser.wait(&page, "document.querySelector('.rulebook .rules-section[aria-current]')");
        let about = browser.value(&page, HERE);
        assert_eq!(about, section, "{game}");
        let all = browser.value(&page, SHOWN).as_str().unwrap().split(' ').count();
        browser.value(&page, &format!("{SEARCH}('{word}')"));
        let found = browser.value(&page, SHOWN).as_str().unwrap().to_owned();
        assert!(found.split(' ').any(|id| id == other) && found.split(' ').count() < all / 2, "{found}");
        assert!(
            browser
                .value(&page, "document.querySelector('.rules-search').innerText")
                .as_str()
                .unwrap()
                .contains(&format!("of {all}"))
        );
        // The section that is named after the word is shown, although others come before it.
        let is_shown = format!(
            "(() => {{ const box = document.querySelector('#panel .body').getBoundingClientRect(); \
             const {{ top, bottom }} = document.querySelector('#{other}').getBoundingClientRect(); \
             return top < box.bottom && bottom > box.top }})()"
        );
        assert_eq!(browser.value(&page, &is_shown), true, "{other}");
        browser.value(&page, &format!("{SEARCH}('no such words')"));
        assert_eq!(browser.value(&page, SHOWN), "");
        browser.value(&page, &format!("{SEARCH}('')"));
        assert_eq!(browser.value(&page, SHOWN).as_str().unwrap().split(' ').count(), all);
        // A link leads to its section.
        browser.value(&page, "document.querySelector('.rules-body a[href^=\"#section-\"]').click()");
        browser.wait(&page, "document.activeElement.matches('.rules-section')");
        // Why something is asked is told with its section, from which a link leads on.
        browser.press(&page, "Escape");
        browser.press(&page, "w");
        browser.wait(&page, &format!("document.querySelector('#panel .reason ~ .rulebook #{section}')"));
        browser.value(
            &page,
            "document.querySelector('#panel .rulebook a[href^=\"#section-\"], #panel .rulebook ~ button').click()",
        );
        browser
            .wait(&page, "document.querySelector('.rules-search') && document.activeElement.matches('.rules-section')");
        // The phases and standing rules come after the prose.
        assert_eq!(browser.value(&page, "!!document.querySelector('.rulebook ~ ol.phases')"), true);
        assert_eq!(
            browser.value(
                &page,
                "document.querySelector('#panel').scrollWidth <= document.querySelector('#panel').clientWidth"
            ),
            true
        );
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_card_in_the_rules_opens() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio =
        Studio::open(&folder.path().join("game.json"), &["--seats", "human,random", "--seed", "3", "--lang", "pl"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    for (width, height) in [(1440, 900), (390, 844)] {
        browser.show_as(&page, width, height, false);
        assert!(browser.click(&page, "#show-rules"));
        browser.wait(&page, "document.querySelector('.rules-body [data-opens]')");
        assert!(
            browser
                .value(&page, "document.querySelector('.rulebook').innerText")
                .as_str()
                .unwrap()
                .contains("Zasady gry")
        );
        browser.value(&page, "document.querySelector('.rules-body [data-opens]').click()");
        browser.wait(&page, "document.querySelector('#reader').open && document.querySelector('#reader svg')");
        browser.value(&page, "document.querySelector('#reader .close').click()");
        browser.wait(&page, "!document.querySelector('#reader').open");
        browser.value(&page, "document.querySelector('#panel .close').click()");
        browser.wait(&page, "!document.querySelector('#panel').open");
        assert_eq!(browser.value(&page, "document.documentElement.scrollWidth <= innerWidth"), true);
    }
}
