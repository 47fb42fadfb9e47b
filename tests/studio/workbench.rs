//! The files behind the game: forms, fixes, the map, scenarios, cards tried out. Nothing else is served or written.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, copy, root};

struct Bench {
    folder: tempfile::TempDir,
    studio: Studio,
    browser: Browser,
    page: Page,
}

impl Bench {
    /// A studio on a copy of a small game.
    fn open(game: &str) -> Bench {
        Bench::of(&root().join("mods/classics").join(game))
    }

    /// A studio on a copy of a game.
    fn of(game: &Path) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("pack");
        copy(game, &pack);
        let arguments = ["--pack", pack.to_str().unwrap(), "--seats", "human,random", "--seed", "3"];
        let studio = Studio::open(&folder.path().join("game.json"), &arguments);
        let mut browser = Browser::start();
        let page = browser.open(&studio.link);
        browser.wait(&page, ASKED);
        Bench { folder, studio, browser, page }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("pack").join(name)
    }

    fn wait(&mut self, expression: &str) {
        self.browser.wait(&self.page, expression);
    }

    fn click(&mut self, selector: &str) {
        self.wait(&format!("document.querySelector({})", serde_json::Value::from(selector)));
        assert!(self.browser.click(&self.page, selector), "{selector}");
    }

    /// Types into a field, and leaves the field.
    fn write(&mut self, selector: &str, text: &str) {
        let (selector, text) = (serde_json::Value::from(selector), serde_json::Value::from(text));
        let script = format!(
            "(() => {{ const f = document.querySelector({selector}); f.value = {text}; \
             f.dispatchEvent(new Event('input', {{ bubbles: true }})); f.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"
        );
        self.browser.value(&self.page, &script);
    }

    /// Writes what is staged, once it has been shown.
    fn save(&mut self) {
        self.click("#write-edits:not([disabled])");
        self.wait("!document.querySelector('#write-edits')");
    }

    /// The status of a request with a key.
    fn post(&self, path: &str, key: &str, body: &str) -> u16 {
        let address = self.studio.address();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\n"
        );
        self.studio.request(&head, body).0
    }
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

fn lines_that_differ(one: &str, other: &str) -> usize {
    assert_eq!(one.lines().count(), other.lines().count());
    one.lines().zip(other.lines()).filter(|(one, other)| one != other).count()
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_card_is_edited_in_a_form_and_one_line_of_its_file_changes() {
    let mut bench = Bench::open("lanes");
    let (texts, tiles) = (bench.file("game.en.json"), bench.file("tiles.json"));
    let (old_texts, old_tiles) = (read(&texts), read(&tiles));
    bench.click("#to-gallery");
    bench.click("#wall .pair[data-id=straight-lane]");
    bench.wait("document.querySelector('#try') && document.querySelector('#faces svg')");
    bench.write("[id=\"text-en-card.straight-lane.title\"]", "Long lane");
    // The face and the difference are shown before anything is written.
    bench.wait("document.querySelector('#faces').textContent.includes('Long lane')");
    bench
        .wait("[...document.querySelectorAll('#written .new')].some((line) => line.textContent.includes('Long lane'))");
    assert_eq!(read(&texts), old_texts);
    bench.save();
    assert_eq!(lines_that_differ(&old_texts, &read(&texts)), 1);
    // A number of its entry, which a pin repeats: the offer stands at the field.
    let pins = bench.file("pins.json");
    let old_pins = read(&pins);
    let copies = "[data-field='/copies'] input[type=number]";
    bench.wait(&format!("document.querySelector(\"{copies}\")"));
    let before = bench.browser.value(&bench.page, &format!("document.querySelector(\"{copies}\").value"));
    bench.write(copies, "4");
    bench.wait("document.querySelector('[data-field=\"/copies\"] .pinned')");
    assert_eq!((read(&tiles), read(&pins)), (old_tiles.clone(), old_pins.clone()));
    // The number as it was: nothing is left to write.
    bench.write(copies, before.as_str().unwrap());
    bench.wait("!document.querySelector('.pinned') && !document.querySelector('#written .file')");
    bench.write(copies, "4");
    bench.wait("document.querySelectorAll('.pinned').length === 3");
    for left in (0..3).rev() {
        bench.click("[data-field='/copies'] .pinned .primary");
        bench.wait(&format!("document.querySelectorAll('.pinned').length === {left}"));
    }
    bench.wait("document.querySelectorAll('#written .file').length === 2");
    bench.save();
    assert!(lines_that_differ(&old_tiles, &read(&tiles)) == 1 && lines_that_differ(&old_pins, &read(&pins)) >= 1);
    bench.wait("document.querySelector('#trouble').hidden");
    // All of it is undone, after a look at the difference.
    for _ in 0..2 {
        bench.click("#undo-edit:not([disabled])");
        bench.click("#turn-edit");
        bench.wait("!document.querySelector('#turn-edit')");
    }
    assert_eq!((read(&tiles), read(&pins), read(&texts)), (old_tiles, old_pins, old_texts));
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn what_is_wrong_is_shown_in_place_and_fixed_by_a_button() {
    let mut bench = Bench::open("lanes");
    let tiles = bench.file("tiles.json");
    let old = read(&tiles);
    std::fs::write(&tiles, old.replacen("\"copies\"", "\"copis\"", 1)).unwrap();
    bench.wait("document.querySelector('#trouble .fix')");
    let told = bench.browser.value(&bench.page, "document.querySelector('#trouble').innerText");
    assert!(told.as_str().unwrap().contains("tiles.json:") && told.as_str().unwrap().contains("copis"), "{told}");
    assert_eq!(bench.browser.value(&bench.page, "document.querySelector('#trouble mark').textContent"), "\"copis\"");
    bench.click("#trouble .fix");
    bench.wait("document.querySelector('#written .old')?.textContent.includes('copis')");
    bench.save();
    bench.wait("document.querySelector('#trouble').hidden");
    assert_eq!(read(&tiles), old);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn edits_of_others_of_the_past_and_of_other_places_are_refused() {
    let bench = Bench::open("tic-tac-toe");
    let host = Studio::key(&bench.studio.link).to_owned();
    let seat = Studio::key(&bench.studio.seats[0]).to_owned();
    let file = bench.file("game.en.json");
    let old = read(&file);
    let outside = bench.folder.path().join("other.json");
    std::fs::write(&outside, "{\"messages\": {\"a\": \"b\"}}").unwrap();
    let wish = |path: &str| {
        format!(
            "{{\"do\": \"at\", \"pack\": \"tic-tac-toe\", \"path\": \"{path}\", \"pointer\": \"/messages/a\", \"value\": \"c\"}}"
        )
    };
    let write = |path: &str, digest: &str| {
        format!("{{\"wishes\": [{}], \"digest\": \"{digest}\", \"title\": \"x\"}}", wish(path))
    };
    let plan = |path: &str| format!("{{\"wishes\": [{}]}}", wish(path));
    assert_eq!(bench.post("/api/write", &seat, &write("game.en.json", "0")), 403, "a seat");
    assert_eq!(bench.post("/api/plan", &seat, &plan("game.en.json")), 403, "a seat");
    assert_eq!(bench.post("/api/turn", &seat, "{\"undo\": true}"), 403, "a seat");
    assert_eq!(bench.post("/api/write", &host, &write("game.en.json", "0")), 409, "a plan that nobody has seen");
    for path in ["../other.json", "./../other.json", outside.to_str().unwrap(), ".git/config", ""] {
        assert_eq!(bench.post("/api/plan", &host, &plan(path)), 404, "{path}");
        assert_eq!(bench.post("/api/write", &host, &write(path, "0")), 404, "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, bench.file("link.en.json")).unwrap();
        let status = bench.post("/api/plan", &host, &plan("link.en.json"));
        assert!(status == 403 || status == 404, "a link: {status}");
    }
    assert_eq!((read(&file), read(&outside)), (old, "{\"messages\": {\"a\": \"b\"}}".to_owned()));
    for path in ["/api/fix", "/api/scenario", "/api/try", "/api/back", "/api/lab"] {
        let bodies = [
            "{\"at\": 0, \"load\": 0}",
            "{\"id\": \"x\", \"last\": 0, \"until\": 0}",
            "{\"card\": \"x\"}",
            "{}",
            "{\"games\": 1, \"player\": \"random\", \"seed\": 1}",
        ];
        let refused = bodies.iter().filter(|body| bench.post(path, &seat, body) == 403).count();
        assert!(refused >= 1, "{path} is for the host alone");
        assert!(bodies.iter().all(|body| bench.post(path, &seat, body) != 200), "{path}");
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn spaces_are_dragged_and_connected_on_the_map() {
    let mut bench = Bench::open("tic-tac-toe");
    let files = principes_source::folder(bench.folder.path().join("pack")).list().unwrap();
    let at = |files: &[String], bench: &Bench| files.iter().map(|file| read(&bench.file(file))).collect::<String>();
    let old = at(&files, &bench);
    bench.click("#to-atlas");
    bench.wait("document.querySelectorAll('.atlas .node').length === 9");
    bench.wait("(window.before = document.querySelector('svg.atlas').getAttribute('viewBox'))");
    bench.browser.drag(&bench.page, ".node[data-space=a1] circle", "#atlas-help");
    bench.wait("document.querySelector('#written .file .new')");
    assert_eq!(at(&files, &bench), old, "nothing is written before it was looked at");
    bench.save();
    let moved = at(&files, &bench);
    assert_ne!(moved, old);
    bench.wait("document.querySelector('#trouble').hidden");
    // The map has grown, so every space is elsewhere on the page.
    bench.wait("document.querySelector('svg.atlas').getAttribute('viewBox') !== window.before");
    bench.click("[data-mode=connect]");
    bench.click(".node[data-space=b2] circle");
    bench.wait("document.querySelector('#atlas-help').textContent.startsWith('From')");
    bench.click(".node[data-space=c3] circle");
    bench.save();
    assert_ne!(at(&files, &bench), moved);
    bench.wait("document.querySelector('#trouble').hidden");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_outline_of_a_space_is_drawn_on_the_map() {
    let mut bench = Bench::open("../paladins-barbarians");
    let look = bench.file("look.json");
    let outline = || {
        let value: serde_json::Value = serde_json::from_str(&read(&look)).unwrap();
        value["looks"][0]["spaces"]["center"]["outline"].as_str().map(str::to_owned)
    };
    let becomes = |fits: &dyn Fn(&Option<String>) -> bool| {
        let begin = std::time::Instant::now();
        while !fits(&outline()) {
            assert!(begin.elapsed().as_secs() < 30, "{:?}", outline());
        }
        outline()
    };
    let old = outline();
    bench.click("#to-atlas");
    bench.wait("document.querySelectorAll('.atlas .node').length === 9");
    bench.click("[data-mode=outline]");
    bench.click(".node[data-space=center] circle");
    bench.wait("document.querySelector('#outline-around')");
    // Around the space, and back to the first corner.
    for (corner, (right, down)) in [(-1.4, -1.4), (1.4, -1.4), (1.4, 1.4), (-1.4, 1.4)].into_iter().enumerate() {
        let beside = format!(
            "(() => {{ const b = document.querySelector('.node[data-space=center] circle').getBoundingClientRect(); \
             return [b.x + b.width / 2 + {right} * b.width / 2, b.y + b.height / 2 + {down} * b.height / 2] }})()"
        );
        let at = bench.browser.value(&bench.page, &beside);
        bench.browser.click_at(&bench.page, &at);
        bench.wait(&format!("document.querySelectorAll('.corner').length === {}", corner + 1));
    }
    assert_eq!(outline(), old, "nothing is written before the outline is closed");
    bench.click(".corner[data-corner='0']");
    bench.save();
    let drawn = becomes(&|now| *now != old).unwrap();
    assert_eq!(drawn.matches(['M', 'L']).count(), 4, "{drawn}");
    bench.wait(&format!("document.querySelector('.outline.picked').getAttribute('d') === '{drawn}'"));
    // One corner is dragged elsewhere.
    bench.browser.drag(&bench.page, ".corner[data-corner='2']", ".node[data-space=bar-right] circle");
    bench.save();
    let moved = becomes(&|now| now.as_ref() != Some(&drawn)).unwrap();
    assert_eq!(moved.split('L').zip(drawn.split('L')).filter(|(one, other)| one != other).count(), 1, "{moved}");
    assert!(bench.browser.value(&bench.page, "document.querySelector('#trouble').hidden") == true);
    // The board of the table has the same corners.
    bench.click("#to-table");
    let numbers = moved.replace(['M', 'L', 'Z'], " ");
    let corners = numbers.split_whitespace().collect::<Vec<_>>().join(" ");
    bench.wait(&format!(
        "[...document.querySelectorAll('#map defs path')].some((e) => e.getAttribute('d').match(/[\\d.-]+/g)?.join(' ') === '{corners}')"
    ));
    bench.click("#to-atlas");
    bench.click("#outline-none");
    bench.save();
    becomes(&|now| now.is_none());
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_position_becomes_a_scenario_and_a_card_is_tried() {
    let mut bench = Bench::open("lanes");
    let answer = |bench: &mut Bench| {
        let version = bench.browser.value(&bench.page, "document.body.dataset.version");
        bench.click(".decision:not(.beside) .choice");
        bench.wait(&format!("document.body.dataset.version !== {version}"));
        bench.wait(ASKED);
    };
    for _ in 0..3 {
        answer(&mut bench);
    }
    bench.click("#keep");
    bench.wait("document.querySelector('#scenario-id')");
    bench.write("#scenario-id", "from-the-studio");
    bench.click("#write");
    bench.wait("document.querySelector('#panel').innerText.includes('It passes')");
    assert!(bench.file("from-the-studio.scenarios.json").exists());
    let test = Command::new(env!("CARGO_BIN_EXE_principes")).arg("test").arg(bench.folder.path().join("pack")).output();
    assert!(test.unwrap().status.success());
    bench.browser.press(&bench.page, "Escape");
    let steps = bench.browser.value(&bench.page, "document.querySelector('#time').max");
    bench.click("#to-gallery");
    // The new files are undone like an edit.
    for exists in [false, true] {
        bench.click(if exists { "#redo-edit:not([disabled])" } else { "#undo-edit:not([disabled])" });
        bench.click("#turn-edit");
        bench.wait("!document.querySelector('#turn-edit')");
        assert_eq!(bench.file("from-the-studio.scenarios.json").exists(), exists);
        assert_eq!(bench.file("from-the-studio.scenarios.snap").exists(), exists);
    }
    bench.click("#wall .pair[data-id=straight-lane]");
    bench.wait("document.querySelector('#faces svg')");
    bench.click("#try");
    bench.wait("!document.querySelector('#back').hidden");
    bench.wait(ASKED);
    bench
        .wait("[...document.querySelectorAll('.decision .choice')].some((e) => e.innerText.includes('Straight lane'))");
    // A trial has no file.
    let names = std::fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(names.contains(&"game.json".to_owned()) && names.iter().all(|name| !name.contains("trial")), "{names:?}");
    bench.click("#back");
    bench.wait(&format!("document.querySelector('#back').hidden && document.querySelector('#time').max === {steps}"));
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_search_for_a_card_can_be_stopped_and_says_what_it_tried_and_what_it_found() {
    let mut bench = Bench::of(&root().join("mods/paladins-barbarians"));
    bench.click("#to-gallery");
    // This event is for three players, and the game has two.
    bench.click("#wall .pair[data-id=the-tempest]");
    bench.click("#try");
    bench.wait("/ [1-9]\\d* answers/.test(document.querySelector('#trial')?.innerText)");
    bench.click("#stop-trial");
    bench.wait("document.querySelector('#trial-trouble') && !document.querySelector('#try').disabled");
    let told = bench.browser.value(&bench.page, "document.querySelector('#trial-trouble').innerText");
    for words in ["has not found", "games with", "only in `box`"] {
        assert!(told.as_str().unwrap().contains(words), "{told}");
    }
    // Events happen by themselves.
    bench.click("#desk-list [data-id=tournament]");
    bench.click("#try");
    bench.wait("!document.querySelector('#back').hidden");
    bench.wait(ASKED);
    let told = bench.browser.value(&bench.page, "document.querySelector('#message').innerText");
    assert!(
        told.as_str().unwrap().contains("No option names this card: nobody chooses it. Here it acts after"),
        "{told}"
    );
    bench.click("#back");
    bench.wait("document.querySelector('#back').hidden");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_lab_plays_again_after_an_edit_and_says_whether_it_matters() {
    let mut bench = Bench::open("dice-race");
    bench.click("#to-lab");
    bench.write("#lab-games", "30");
    bench.click("#lab-go");
    bench.wait("document.querySelector('#lab-state').textContent.startsWith('30 games,')");
    bench.wait("document.querySelectorAll('#lab-pictures svg').length > 2");
    let told =
        bench.browser.value(&bench.page, "document.querySelector('#lab-pictures svg').getAttribute('aria-label')");
    assert!(told.as_str().unwrap().contains('%'), "{told}");
    // Another text changes no game.
    let texts = bench.file("race.en.json");
    let old = read(&texts);
    std::fs::write(&texts, old.replace("Dice race", "Race of dice")).unwrap();
    bench.wait("document.querySelector('#verdict')?.textContent.startsWith('No effect')");
    assert_eq!(bench.browser.value(&bench.page, "document.querySelectorAll('#lab-pictures .before').length > 1"), true);
    // Another rule does: the race is over after two rounds.
    let rules = bench.file("race.json");
    let old = read(&rules);
    assert!(old.contains("\"start\": 200"), "{old}");
    let pins = bench.file("pins.json");
    std::fs::write(&pins, read(&pins).replace("\"is\": 200", "\"is\": 2")).unwrap();
    std::fs::write(&rules, old.replace("\"start\": 200", "\"start\": 2")).unwrap();
    bench.wait(
        "document.querySelector('#verdict') && !document.querySelector('#verdict').textContent.startsWith('No effect')",
    );
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_cards_that_have_changed_since_a_revision_are_found() {
    let mut bench = Bench::open("lanes");
    let git = |arguments: &[&str]| {
        let settings = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"];
        let done =
            Command::new("git").arg("-C").arg(bench.folder.path()).args(settings).args(arguments).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "pack"]);
    git(&["commit", "--quiet", "--message", "start"]);
    git(&["tag", "first"]);
    let (texts, tiles) = (bench.file("game.en.json"), bench.file("tiles.json"));
    std::fs::write(&texts, read(&texts).replace("\"Ford\"", "\"Old ford\"")).unwrap();
    git(&["commit", "--all", "--quiet", "--message", "second"]);
    std::fs::write(&tiles, read(&tiles).replace("\"+.+.\"", "\".+.+\"")).unwrap();
    bench.click("#to-gallery");
    bench.wait("document.querySelectorAll('#wall .pair').length > 8");
    let ids = "[...document.querySelectorAll('#wall .pair')].map((card) => card.dataset.id).sort().join(' ')";
    for (revision, changed) in [("first", "ford straight-lane"), ("HEAD", "straight-lane")] {
        bench.write("#since", revision);
        bench.wait(&format!("{ids} === '{changed}'"));
    }
    bench.write("#since", "no-such-revision");
    bench.wait("document.querySelector('#message').textContent.includes('git does not know `no-such-revision`')");
    bench.write("#since", "");
    bench.wait("document.querySelectorAll('#wall .pair').length > 8");
}
