//! The desk writes only into packs that were named for editing: the whole working folder is compared around every
//! action of every view. Findings stand above dialogs, and bad ids are refused at their fields.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, change, copy, root};

type Files = BTreeMap<PathBuf, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let mut all = Files::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    all
}

/// A working folder with the base game in `content/`, an edited pack `mine`, and others that are not edited.
struct Work {
    folder: tempfile::TempDir,
    _state: tempfile::TempDir,
    _studio: Studio,
    browser: Browser,
    page: Page,
    known: Files,
}

impl Work {
    fn open(extra: &[&str]) -> Work {
        let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        copy(&root().join("content/principes"), &folder.path().join("content/principes"));
        copy(&root().join("mods/hard-times"), &folder.path().join("mods/hard-times"));
        let new = |name: &str| {
            let made = Command::new(env!("CARGO_BIN_EXE_principes"))
                .current_dir(folder.path())
                .args(["new", name, "--kind", "cards"])
                .output()
                .unwrap();
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        };
        new("mine");
        new("other");
        std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let arguments = [&["--pack", "mine", "--seats", "human,random", "--seed", "3"], extra].concat();
        let studio = Studio::open_in(folder.path(), &state.path().join("game.json"), &arguments);
        let mut browser = Browser::start();
        let page = browser.open(&studio.link);
        browser.show_as(&page, 1440, 900, false);
        browser.wait(&page, ASKED);
        let known = files(folder.path());
        Work { folder, _state: state, _studio: studio, browser, page, known }
    }

    fn wait(&mut self, expression: &str) {
        self.browser.wait(&self.page, expression);
    }

    fn click(&mut self, selector: &str) {
        self.wait(&format!("document.querySelector({})", serde_json::Value::from(selector)));
        assert!(self.browser.click(&self.page, selector), "{selector}");
    }

    fn write(&mut self, selector: &str, text: &str) {
        let (selector, text) = (serde_json::Value::from(selector), serde_json::Value::from(text));
        self.wait(&format!("document.querySelector({selector})"));
        let script = format!(
            "(() => {{ const f = document.querySelector({selector}); f.value = {text}; \
             f.dispatchEvent(new Event('input', {{ bubbles: true }})); f.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"
        );
        self.browser.value(&self.page, &script);
    }

    /// Compares the folder with what it was: without `writes`, nothing has changed; with it, only files of `mine`.
    fn check(&mut self, what: &str, writes: bool) {
        // What an action starts has had time to end.
        self.browser.value(&self.page, "new Promise((done) => setTimeout(done, 250))");
        let now = files(self.folder.path());
        let paths = now.keys().chain(self.known.keys());
        let differs: Vec<&PathBuf> = paths.filter(|path| now.get(*path) != self.known.get(*path)).collect();
        let mine = self.folder.path().join("mine");
        assert!(differs.iter().all(|path| writes && path.starts_with(&mine)), "{what} changed {differs:?}");
        assert!(!writes || !differs.is_empty(), "{what} has written nothing");
        self.known = now;
    }

    /// Clicks, and nothing is written.
    fn act(&mut self, selector: &str) {
        self.click(selector);
        self.check(selector, false);
    }

    /// Writes what is staged, undoes it and does it again: only the edited pack changes.
    fn save(&mut self, what: &str) {
        self.wait("document.querySelector('#written .file') && !document.querySelector('#plan-error')");
        let before = self.known.clone();
        self.click("#write-edits:not([disabled])");
        self.wait("!document.querySelector('#write-edits')");
        self.check(what, true);
        let after = self.known.clone();
        for (turn, files) in [("undo", &before), ("redo", &after)] {
            self.act(&format!("#{turn}-edit:not([disabled])"));
            self.click("#turn-edit");
            self.wait("!document.querySelector('#turn-edit')");
            self.check(turn, true);
            assert!(self.known == *files, "{turn} of {what} is not exact");
        }
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn no_action_of_the_cards_changes_a_file_that_is_not_edited() {
    let mut work = Work::open(&[]);
    work.act("#to-gallery");
    work.wait("document.querySelectorAll('#wall .pair').length > 100");
    for (filter, value) in
        [("#filter", "mint"), ("#of-type", "court"), ("#language", "pl"), ("#filter", ""), ("#of-type", "")]
    {
        work.write(filter, value);
        work.check(filter, false);
    }
    // A card of the base game belongs to it, until the author decides to patch it.
    work.act("#wall .pair[data-id=mint]");
    work.wait("document.querySelector('#foreign')");
    let told = work.browser.value(&work.page, "document.querySelector('#foreign').innerText");
    assert!(told.as_str().unwrap().contains("belongs to the pack"), "{told}");
    assert_eq!(work.browser.value(&work.page, "document.querySelectorAll('.form').length"), 0);
    work.act("#patch");
    work.write("[data-field='/params/gold'] input", "3");
    work.check("a number of the base game", false);
    // Pins of the base game count the copies; the patches of the pins go to the edited pack, too. A pin that counts more
    // is offered when the one that counts less is right.
    work.write("[data-field='/copies'] input", "3");
    work.wait("document.querySelector('[data-field=\"/copies\"] .pinned')");
    let shown = "[...document.querySelectorAll('.pinned')].map((pin) => pin.innerText).join()";
    while work.browser.value(&work.page, &format!("window.pinsBefore = {shown}")) != "" {
        work.act(".pinned .primary");
        work.wait(&format!("{shown} !== window.pinsBefore"));
    }
    work.write("[id='text-en-card.mint.title']", "The mint");
    work.check("a text of the base game", false);
    work.save("a patch");
    for selector in
        ["#desk-close", "#wall .pair[data-id=mint]", "#list-mine", "#list-all", "#duplicate", "#panel .close"]
    {
        work.act(selector);
    }
    // An own card.
    work.act("#list-mine");
    let own =
        work.browser.value(&work.page, "[...document.querySelectorAll('#desk-list [data-id]')].at(-1).dataset.id");
    work.act(&format!("#desk-list [data-id='{}']", own.as_str().unwrap()));
    work.wait("document.querySelector('.form [data-field=\"/copies\"], .form [data-field=\"/type\"]')");
    work.write("[data-field='/params/gold'] input", "4");
    work.check("an own number", false);
    work.act("#undo-edit");
    work.act("#redo-edit");
    work.act("#drop-edits");
    work.act("#duplicate");
    work.write("#copy-id", "second-card");
    work.write("#copy-title", "A second card");
    work.act("#copy");
    work.wait("document.querySelector('#desk-list [data-id=second-card]')");
    work.save("a copy");
    work.wait("document.querySelector('#desk-form h2').textContent.includes('A second card')");
    work.act("#delete");
    work.save("a deletion");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn no_action_of_the_map_changes_a_file_that_is_not_edited() {
    let mut work = Work::open(&[]);
    work.act("#to-atlas");
    work.wait("document.querySelectorAll('.atlas .node').length > 30");
    work.act("[data-space=landa] circle");
    work.wait("document.querySelector('#foreign')");
    work.browser.drag(&work.page, "[data-space=landa] circle", "[data-space=ruda] circle");
    work.check("a drag", false);
    work.wait("document.querySelector('#written .file')");
    work.act("#undo-edit");
    work.act("[data-space=landa] circle");
    work.browser.value(&work.page, "document.querySelector('[data-space=landa]').focus()");
    work.browser.press(&work.page, "ArrowRight");
    work.check("an arrow", false);
    work.act("#drop-edits");
    work.act("[data-mode=connect]");
    work.act("[data-space=landa] circle");
    work.act("[data-space=ruda] circle");
    work.act("#drop-edits");
    work.act("[data-mode=border]");
    work.act("[data-space=landa] circle");
    work.act("#drop-edits");
    work.act("[data-mode=outline]");
    work.act("[data-space=landa] circle");
    work.wait("document.querySelector('#outline-around')");
    work.act("#outline-around");
    work.act("[data-mode=add]");
    work.click("#atlas-map svg");
    work.wait("document.querySelector('#new-id')");
    work.check("a place for a space", false);
    work.write("#new-id", "new-land");
    work.write("#new-name", "New Land");
    work.act("#add-space");
    work.wait("document.querySelector('[data-space=new-land]')");
    work.act("[data-space=landa] circle");
    let error = work.browser.value(&work.page, "document.querySelector('#plan-error')?.innerText ?? null");
    assert!(error.is_null(), "{error}");
    work.wait("document.querySelectorAll('#written .file').length >= 2");
    let names = "[...document.querySelectorAll('#written .file h4 code')].map((name) => name.innerText).join(' ')";
    let named = work.browser.value(&work.page, names);
    assert!(named.as_str().unwrap().split(' ').all(|file| file.starts_with("mine/")), "{named}");
    work.act("#drop-edits");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_studio_that_edits_nothing_writes_nothing() {
    let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&root().join("content/principes"), &folder.path().join("content/principes"));
    let studio =
        Studio::open_in(folder.path(), &state.path().join("game.json"), &["--seats", "human,random", "--seed", "3"]);
    let mut browser = Browser::start();
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    let before = files(folder.path());
    assert!(browser.click(&page, "#to-gallery"));
    browser.wait(&page, "document.querySelectorAll('#wall .pair').length > 100");
    assert!(browser.click(&page, "#wall .pair[data-id=mint]"));
    browser.wait(&page, "document.querySelector('#foreign')?.innerText.includes('--pack')");
    assert_eq!(browser.value(&page, "document.querySelectorAll('.form, #patch, #duplicate').length"), 0);
    assert!(browser.click(&page, "#to-atlas"));
    browser.wait(&page, "document.querySelectorAll('.atlas .node').length > 30");
    browser.drag(&page, "[data-space=landa] circle", "[data-space=ruda] circle");
    browser.wait(&page, "document.querySelector('#message').innerText.includes('not edited')");
    assert!(files(folder.path()) == before);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_bad_id_is_refused_at_its_field_in_words() {
    let mut work = Work::open(&[]);
    let refuse = |work: &mut Work, field: &str, button: &str| {
        work.wait(&format!("document.querySelector('{field}')"));
        work.browser.value(&work.page, &format!("document.querySelector('{field}').focus()"));
        for key in ["B", "a", "d", " ", "_"] {
            work.browser.press(&work.page, key);
        }
        work.click(button);
        let told = work.browser.value(&work.page, &format!("document.querySelector('{field}-trouble').innerText"));
        assert!(told.as_str().unwrap().contains("lower-case letters, digits and hyphens"), "{told}");
        let valid = work.browser.value(&work.page, &format!("document.querySelector('{field}').checkValidity()"));
        assert_eq!(valid, false);
        work.check(field, false);
        work.write(field, "good-id-2");
        let told = work.browser.value(&work.page, &format!("document.querySelector('{field}-trouble').innerText"));
        assert_eq!(told, "");
        let valid = work.browser.value(&work.page, &format!("document.querySelector('{field}').checkValidity()"));
        assert_eq!(valid, true);
    };
    work.click("#keep");
    refuse(&mut work, "#scenario-id", "#write");
    work.browser.press(&work.page, "Escape");
    work.click("#to-atlas");
    work.click("[data-mode=add]");
    work.click("#atlas-map svg");
    refuse(&mut work, "#new-id", "#add-space");
    // An id that is taken is refused, too.
    work.write("#new-id", "landa");
    let told = work.browser.value(&work.page, "document.querySelector('#new-id-trouble').innerText");
    assert!(told.as_str().unwrap().contains("already"), "{told}");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn findings_stand_above_dialogs_and_go_when_mended() {
    let mut work = Work::open(&[]);
    let file = work.folder.path().join("mine/cards.json");
    let on_top = "(() => { const b = document.querySelector('#trouble').getBoundingClientRect(); \
        const top = document.elementFromPoint(b.x + b.width / 2, b.y + Math.min(b.height / 2, 20)); return !!top?.closest('#trouble') })()";
    for open in ["#show-help", "#keep"] {
        work.click(open);
        work.wait("document.querySelector('#panel').open");
        change(&file, "\"copies\"", "\"copis\"");
        work.wait("!document.querySelector('#trouble').hidden");
        assert_eq!(work.browser.value(&work.page, on_top), true, "{open}");
        assert_eq!(work.browser.value(&work.page, "!!document.querySelector('#panel #trouble')"), true);
        change(&file, "\"copis\"", "\"copies\"");
        work.wait("document.querySelector('#trouble').hidden");
        work.browser.press(&work.page, "Escape");
        work.wait("!document.querySelector('#panel').open && !document.querySelector('#panel #trouble')");
    }
}
