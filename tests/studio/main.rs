//! The studio in a real browser: games with the mouse and with the keyboard, edits, hostile packs, and who gets to know
//! what. Without Chromium these tests fail: `.ci/packages` installs it.
#![allow(clippy::unwrap_used, missing_docs)]

mod chromium;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use chromium::{Browser, Page};
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::Session;
use principes_core::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A studio. It is killed with its value, as by kill -9.
struct Studio {
    process: Child,
    link: String,
    seats: Vec<String>,
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Studio {
    fn open(save: &Path, arguments: &[&str]) -> Studio {
        let mut process = Command::new(env!("CARGO_BIN_EXE_principes"))
            .current_dir(root())
            .args(["studio", "--save"])
            .arg(save)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(|line| line.unwrap());
        let link = lines.next().expect("the studio tells its link");
        let after = |line: String| line.split_once(": ").unwrap().1.to_owned();
        let mut seats: Vec<String> = Vec::new();
        for line in lines.by_ref() {
            let is_last = line.starts_with("spectators: ");
            seats.push(after(line));
            if is_last {
                break;
            }
        }
        Studio { process, link, seats }
    }

    fn address(&self) -> &str {
        self.link.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    fn key(link: &str) -> &str {
        link.split_once('#').unwrap().1
    }

    /// The status and body of a request that no browser would make.
    fn request(&self, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        let length = body.len();
        write!(stream, "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

const ASKED: &str = "['asked', 'over'].includes(document.body.dataset.ready)";

fn is_over(browser: &mut Browser, page: &Page) -> bool {
    browser.wait(page, ASKED);
    browser.value(page, "document.body.dataset.ready") == "over"
}

/// Answers one decision with the mouse: on the board if something is lit there, else by a button.
fn answer_with_the_mouse(browser: &mut Browser, page: &Page) {
    let before = browser.value(page, "document.body.dataset.version");
    let changed = format!("document.body.dataset.version !== {before}");
    // Where a space has several options they are listed, and then one of them is taken. What bots do meanwhile can move
    // things from under the mouse, as for people.
    for _ in 0..20 {
        let listed = browser.value(page, "!!document.querySelector('.filtered')") == true;
        let clicked = (!listed && browser.click(page, ".space.lit")) || browser.click(page, ".choice");
        assert!(clicked, "{}", browser.value(page, "document.body.innerText"));
        let until = format!(
            "Date.now() > {} || {changed} || (!{listed} && document.querySelector('.filtered'))",
            "(window.until ??= Date.now() + 2000)"
        );
        browser.wait(page, &until);
        browser.value(page, "window.until = undefined");
        if browser.value(page, &changed) == true {
            return;
        }
    }
    panic!("no click does anything");
}

#[test]
fn whole_games_can_be_played_with_the_mouse_alone() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    for game in ["tic-tac-toe", "connect-four", "dice-race"] {
        let save = folder.path().join(format!("{game}.json"));
        let studio = Studio::open(&save, &["--game", game, "--seats", "human,random", "--seed", "3"]);
        let page = browser.open(&studio.link);
        let mut answers = 0;
        while !is_over(&mut browser, &page) {
            answer_with_the_mouse(&mut browser, &page);
            answers += 1;
            assert!(answers < 400, "{game} does not end");
        }
        assert!(answers > 2, "{game}");
        assert_eq!(browser.value(&page, "document.querySelectorAll('.over tbody tr').length"), 2, "{game}");
        let steps = browser.value(&page, "Number(document.querySelector('#time').max)");
        assert_eq!(Save::read(&save).unwrap().answers.len(), steps.as_u64().unwrap() as usize, "{game}");
    }
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
    // Looking back shows another board, and the way to now.
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

/// A copy of a small game, with a message exchanged.
fn edited(folder: &Path, from: &str, to: &str) -> (PathBuf, PathBuf) {
    let pack = folder.join("pack");
    copy(&root().join("mods/classics/tic-tac-toe"), &pack);
    let files = principes_content::source::folder(&pack).list().unwrap();
    let file = files
        .into_iter()
        .find(|file| file.ends_with("en.json") && std::fs::read_to_string(pack.join(file)).unwrap().contains(from));
    let file = pack.join(file.unwrap());
    change(&file, from, to);
    (pack, file)
}

fn change(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
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
    eprintln!("an edit showed after {} ms", begin.elapsed().as_millis());
    assert_eq!(browser.value(&page, "document.querySelector('#time').max"), steps, "the game goes on");
    change(&file, "{", "{,");
    browser.wait(&page, "!document.querySelector('#trouble').hidden");
    let told = browser.value(&page, "document.querySelector('#trouble').innerText");
    assert!(told.as_str().unwrap().contains(".json:"), "{told}");
    change(&file, "{,", "{");
    browser.wait(&page, "document.querySelector('#trouble').hidden");
}

#[test]
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
    let text = browser.value(&page, "document.querySelector('#seats').textContent");
    assert!(text.as_str().unwrap().contains("<script>window.hacked=1"), "it is shown as it is: {text}");
    assert_eq!(browser.value(&page, "typeof window.hacked"), "undefined");
    // Nor could a script run that had found its way into the page.
    browser.value(&page, "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=1\">')");
    browser.value(&page, "new Promise((done) => setTimeout(done, 200))");
    assert_eq!(browser.value(&page, "typeof window.hacked"), "undefined");
}

#[test]
fn a_seat_receives_nothing_that_it_may_not_know() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--seats", "human,human", "--seed", "11"]);
    assert_eq!(studio.seats.len(), 3, "two seats and the spectators");
    let pages = [0, 1].map(|seat| browser.open(&studio.seats[seat]));
    let mut searched = 0;
    let (mut answers, mut looks) = (0, 0);
    while answers < 15 {
        looks += 1;
        assert!(looks < 1_000, "somebody is asked");
        let asked = pages.iter().position(|page| {
            browser.wait(page, "document.body.dataset.ready");
            browser.value(page, "document.body.dataset.ready") == "asked"
        });
        // Between two answers neither page may know yet who is asked.
        let Some(asked) = asked else {
            std::thread::sleep(std::time::Duration::from_millis(20));
            continue;
        };
        answer_with_the_mouse(&mut browser, &pages[asked]);
        answers += 1;
        if answers % 5 != 0 {
            continue;
        }
        let packs = OpenPacks::open(&PackRequest::default()).unwrap();
        let session = Session::resume(packs, &Save::read(&save).unwrap(), "en").unwrap();
        let (one, other) = (session.players()[0].0, session.players()[1].0);
        for (seat, rival, page) in [(one, other, &pages[0]), (other, one, &pages[1])] {
            let own = session.view_for(Some(seat));
            let seen: Vec<_> = own.zones.iter().flat_map(|zone| zone.cards.iter().flatten()).collect();
            let catalog = session.game().catalog();
            let rivals = session.view_for(Some(rival));
            let held = rivals.zones.iter().flat_map(|zone| zone.cards.iter().flatten());
            let is_secret = |card: &&principes_core::CardId| {
                let design = catalog.cards[card.index()];
                !seen.iter().any(|known| catalog.cards[known.index()] == design)
            };
            let traffic = browser.traffic(page);
            assert!(traffic.contains("\"hand\""));
            for card in held.filter(is_secret) {
                let id = catalog.id_of(Value::Card(*card));
                assert!(!traffic.contains(&format!("\"{id}\"")), "`{id}` is in the traffic of another seat");
                searched += 1;
            }
        }
    }
    assert!(searched > 5, "there were secrets to search for");
}

#[test]
fn requests_of_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,human", "--seed", "3"]);
    let (address, key, seat) = (studio.address(), Studio::key(&studio.link), Studio::key(&studio.seats[1]));
    let get = |path: &str, host: &str, key: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n");
        studio.request(&head, "").0
    };
    assert_eq!(get("/api/table", address, key), 200);
    assert_eq!(get("/api/table", address, "guess"), 401);
    assert_eq!(get("/api/table", &address.replace("127.0.0.1", "evil.example"), key), 421, "DNS rebinding");
    assert_eq!(get("/api/table?seat=cross", address, seat), 403, "another seat");
    for path in ["/../Cargo.toml", "/..%2fCargo.toml", "/pack.json", "//etc/passwd", "/src/lib.rs"] {
        assert_eq!(get(path, address, key), 404, "{path}");
    }
    let post = |origin: &str, key: &str, seat: &str| {
        let head = format!(
            "POST /api/answer HTTP/1.1\r\nHost: {address}\r\n{origin}Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        );
        studio.request(&head, &format!("{{\"seat\":\"{seat}\",\"key\":\"b2\"}}")).0
    };
    let own = format!("Origin: http://{address}\r\n");
    assert_eq!(post("", key, "cross"), 403, "no origin");
    assert_eq!(post("Origin: http://evil.example\r\n", key, "cross"), 403, "another origin");
    assert_eq!(post(&own, seat, "cross"), 403, "another seat");
    assert_eq!(Save::read(&save).unwrap().answers.len(), 0);
    assert_eq!(post(&own, key, "cross"), 200);
    assert_eq!(Save::read(&save).unwrap().answers.len(), 1);
    let policy = studio.request(&format!("GET / HTTP/1.1\r\nHost: {address}\r\n"), "").1;
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
}
