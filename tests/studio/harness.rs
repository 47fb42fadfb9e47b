//! What the tests share: a studio as a process, edits of a pack, answers by mouse, games played to a certain moment.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::session::{Existing, Session};
use principes_app::setup::{Player, Seating, SetupRequest, set_up};
use principes_core::{Decision, View};

use crate::chromium::{Browser, Page};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A studio. Dropping it kills the process, as by `kill -9`.
pub struct Studio {
    process: Child,
    pub link: String,
    pub seats: Vec<String>,
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Studio {
    pub fn open(save: &Path, arguments: &[&str]) -> Studio {
        Studio::open_in(root(), save, arguments)
    }

    /// A studio that runs in a folder.
    pub fn open_in(folder: &Path, save: &Path, arguments: &[&str]) -> Studio {
        let save_there = ["--save", save.to_str().unwrap()];
        Studio::start(folder, save.parent().unwrap(), &[&save_there, arguments].concat())
    }

    /// A studio that runs in a folder, and keeps what it keeps for its user in another.
    pub fn start(folder: &Path, home: &Path, arguments: &[&str]) -> Studio {
        let mut process = Command::new(env!("CARGO_BIN_EXE_principes"))
            .current_dir(folder)
            // Without this, the history of edits and saved games would be in the home folder.
            .env("XDG_STATE_HOME", home.join("state"))
            .arg("studio")
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

    pub fn address(&self) -> &str {
        self.link.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    pub fn key(link: &str) -> &str {
        link.split_once('#').unwrap().1
    }

    /// The status and body of a request that a browser would not make.
    pub fn request(&self, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        let length = body.len();
        write!(stream, "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }
}

/// With this variable, times are limits and not only printed. Use a release build on a quiet machine.
const TIMES: &str = "PRINCIPES_STUDIO_TIMES";

/// Prints how long something took, which may be limited.
pub fn limit(what: &str, took: Duration, most: u64) {
    eprintln!("{what}: {} ms", took.as_millis());
    if std::env::var_os(TIMES).is_some() {
        assert!(took < Duration::from_millis(most), "{what}: {took:?}");
    }
}

pub fn copy(from: &Path, to: &Path) {
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

pub const ASKED: &str = "['asked', 'over'].includes(document.body.dataset.ready)";

/// Returns from an earlier moment: a click that the page was slow to answer may have landed on a link of the log.
pub const RETURN: &str = "document.querySelector('#now:not([hidden])')?.click()";

pub fn is_over(browser: &mut Browser, page: &Page) -> bool {
    browser.wait(page, &format!("({RETURN}, {ASKED})"));
    browser.value(page, "document.body.dataset.ready") == "over"
}

/// Answers one decision with the mouse: on the board if something is lit there, else by a button.
pub fn answer_with_the_mouse(browser: &mut Browser, page: &Page) {
    let before = browser.value(page, "document.body.dataset.version");
    let changed = format!("document.body.dataset.version !== {before}");
    // Where a space has several options they are listed, and then one of them is taken. Bots may move things away from
    // under the mouse meanwhile, as they do for people.
    for _ in 0..20 {
        browser.value(page, RETURN);
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

/// A copy of a small game, with a message exchanged.
pub fn edited(folder: &Path, from: &str, to: &str) -> (PathBuf, PathBuf) {
    let pack = folder.join("pack");
    copy(&root().join("mods/classics/tic-tac-toe"), &pack);
    let files = principes_source::folder(&pack).list().unwrap();
    let file = files
        .into_iter()
        .find(|file| file.ends_with("en.json") && std::fs::read_to_string(pack.join(file)).unwrap().contains(from));
    let file = pack.join(file.unwrap());
    change(&file, from, to);
    (pack, file)
}

pub fn change(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}

/// A pseudo-random choice that is the same each time.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Plays the base game until a decision of the first seat fits, and saves it there.
pub fn played_until(save: &Path, fits: impl Fn(&Session, &Decision, &View) -> bool) {
    principes_games::install();
    assert!((1..).any(|seed| played(save, &PackRequest::default(), 4, seed, &fits)));
}

/// A new game of a person in the first seat and random bots.
pub fn begun(packs: &PackRequest, seats: usize, seed: u64) -> Session {
    let packs = OpenPacks::open(packs).unwrap();
    let mut players = vec![Player::Random; seats];
    players[0] = Player::Human;
    let request = SetupRequest { seating: Seating::List(players), ..SetupRequest::all(Player::Random, seed) };
    let table = set_up(&packs.catalog, &request).unwrap();
    Session::start(packs, table, "en").unwrap()
}

/// Plays a game until a decision of the first seat fits, and saves it there. False if it ends before.
pub fn played(
    save: &Path,
    packs: &PackRequest,
    seats: usize,
    seed: u64,
    fits: impl Fn(&Session, &Decision, &View) -> bool,
) -> bool {
    let mut session = begun(packs, seats, seed);
    let mut dice = Dice::new(seed);
    loop {
        session.run_bots().unwrap();
        let Some(ask) = session.next_decision() else { return false };
        if fits(&session, &ask, &session.view_for(Some(ask.seat))) {
            session.save_to(save, Existing::Replace).unwrap();
            return true;
        }
        let option = ask.options[dice.below(ask.options.len())];
        let key = option.key(session.game().catalog());
        session.answer(ask.seat, &key).unwrap();
    }
}
