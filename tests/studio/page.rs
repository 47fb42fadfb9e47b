//! Qualities of the page: it is small, loads fast, is accessible, and has room for many spectators.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::chromium::Browser;
use crate::harness::{ASKED, Studio, limit, root};

/// The most bytes of the whole first page.
const MOST_BYTES: usize = 500 * 1024;
/// The rules of the Web Content Accessibility Guidelines that a program can judge, levels A and AA.
const AUDIT: &str = "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })\
    .then((found) => found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')).join('\\n'))";

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_audit_of_accessibility_finds_nothing() {
    let axe = root().join("target/tools/axe/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("`.ci/packages` installs axe-core");
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let arguments = ["--pack", "content/principes", "--seats", "human,random", "--seed", "3"];
    let studio = Studio::open(&folder.path().join("game.json"), &arguments);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    browser.value(&page, &format!("(() => {{ {axe} }})()"));
    for (width, height, is_dark) in [(1440, 900, false), (820, 1180, true), (390, 844, false)] {
        browser.show_as(&page, width, height, is_dark);
        // The page follows its window a moment later.
        browser.value(&page, "new Promise(done => setTimeout(done, 600))");
        for open in ["", "#show-rules", "#show-help", "#show-curves", "#show-invite"] {
            if !open.is_empty() {
                assert!(browser.click(&page, open));
                browser.wait(&page, "document.querySelector('#panel').open");
            }
            let found = browser.value(&page, AUDIT);
            assert_eq!(found, "", "{width} {open}");
            browser.press(&page, "Escape");
        }
    }
    assert!(browser.click(&page, "#to-gallery"));
    browser.wait(&page, "document.querySelectorAll('#wall .pair').length > 100");
    assert_eq!(browser.value(&page, AUDIT), "", "the cards");
    assert!(browser.click(&page, "#wall .pair"));
    browser.wait(&page, "document.querySelector('#foreign') && document.querySelector('#faces svg')");
    assert_eq!(browser.value(&page, AUDIT), "", "a card of a series");
    assert!(browser.click(&page, "#desk-list [data-id=mint]"));
    browser.wait(&page, "document.querySelector('.form') && document.querySelector('.scenarios')");
    assert_eq!(browser.value(&page, AUDIT), "", "a card");
    assert!(browser.click(&page, "#to-atlas"));
    browser.wait(&page, "document.querySelectorAll('.atlas .node').length > 30");
    assert!(browser.click(&page, ".atlas .node circle"));
    browser.wait(&page, "document.querySelector('#space .field')");
    assert_eq!(browser.value(&page, AUDIT), "", "the map");
    // A view is shown once its scripts listen.
    let early = "(document.querySelector('#to-lab').click(), document.querySelector('#lab').hidden)";
    assert_eq!(browser.value(&page, early), true);
    browser.value(&page, "document.querySelector('#lab-games').value = 4");
    assert!(browser.click(&page, "#lab-go"));
    browser.wait(&page, "document.querySelectorAll('#lab-pictures svg').length > 2");
    assert_eq!(browser.value(&page, AUDIT), "", "the lab");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_first_page_is_small_and_there_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let studio = Studio::open(&folder.path().join("game.json"), &["--seats", "human,human", "--seed", "3"]);
    let (address, key) = (studio.address().to_owned(), Studio::key(&studio.link).to_owned());
    let get = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n");
        let (status, answer) = studio.request(&head, "");
        assert_eq!(status, 200, "{path}");
        answer
    };
    let page = get("/");
    limit("first page after the start", begin.elapsed(), 300);
    let mut bytes = page.len();
    let mut open: Vec<String> = vec!["/studio.js".to_owned()];
    let mut known = open.clone();
    for sheet in ["/studio.css", "/table.css", "/drawing.css"] {
        assert!(page.contains(sheet));
        bytes += get(sheet).len();
    }
    for font in ["/regular.woff2", "/bold.woff2", "/italic.woff2"] {
        bytes += size_of_font(&studio, font);
    }
    while let Some(module) = open.pop() {
        let text = get(&module);
        bytes += text.len();
        for path in imports(&module, &text) {
            if !known.contains(&path) {
                known.push(path.clone());
                open.push(path);
            }
        }
    }
    assert!(known.len() > 6, "{known:?}");
    let picture = get("/api/table");
    bytes += picture.len() + get("/api/titles").len() + get("/api/words").len();
    eprintln!("first page with its picture: {} KiB in {} modules", bytes / 1024, known.len());
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
    limit("first page with its picture", begin.elapsed(), 300);
}

/// The modules that a module imports, by their paths.
fn imports(module: &str, text: &str) -> Vec<String> {
    let folder = module.rsplit_once('/').unwrap().0;
    let relative = text.split("from").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
    let path = |name: &str| match name.strip_prefix("../") {
        Some(above) => Some(format!("{}/{above}", folder.rsplit_once('/').unwrap().0)),
        None => name.strip_prefix("./").map(|beside| format!("{folder}/{beside}")),
    };
    relative.filter_map(path).collect()
}

/// The size of a font, which is not text.
fn size_of_font(studio: &Studio, path: &str) -> usize {
    let mut stream = TcpStream::connect(studio.address()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", studio.address()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200") && answer.len() > 10_000, "{path}");
    answer.len()
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_answer_shows_at_once_and_two_hundred_can_watch() {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::open(
        &folder.path().join("game.json"),
        &["--game", "tic-tac-toe", "--seats", "human,human", "--seed", "3"],
    );
    let address = studio.address().to_owned();
    let version = |answer: &str| {
        let text = answer.split("\"version\":").nth(1).unwrap();
        text.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<u64>().unwrap()
    };
    let watcher = Studio::key(studio.seats.last().unwrap()).to_owned();
    let get = |address: &str, key: &str, path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answer
    };
    let now = version(&get(&address, &watcher, "/api/table"));
    let key = Studio::key(&studio.link).to_owned();
    let (told, seen) = std::sync::mpsc::channel();
    let begin = std::thread::scope(|scope| {
        for _ in 0..200 {
            let (told, address, watcher) = (told.clone(), &address, &watcher);
            scope.spawn(move || {
                let wait = get(address, watcher, &format!("/api/wait?version={now}"));
                assert!(version(&wait) > now);
                let picture = get(address, watcher, "/api/table");
                assert!(picture.contains("data-space") && picture.contains("\"steps\":1"));
                told.send(Instant::now()).unwrap();
            });
        }
        // All of them wait before anything happens.
        std::thread::sleep(Duration::from_millis(600));
        let begin = Instant::now();
        let head = format!(
            "POST /api/answer HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\n"
        );
        assert_eq!(studio.request(&head, "{\"seat\":\"cross\",\"key\":\"b2\"}").0, 200);
        begin
    });
    drop(told);
    let mut times: Vec<Duration> = seen.into_iter().map(|at| at.duration_since(begin)).collect();
    times.sort_unstable();
    assert_eq!(times.len(), 200);
    limit("an answer with 200 spectators, the last of them", times[199], 2_000);
    // Without spectators: from the answer to the picture.
    let begin = Instant::now();
    let head = format!(
        "POST /api/answer HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\n"
    );
    assert_eq!(studio.request(&head, "{\"seat\":\"nought\",\"key\":\"a1\"}").0, 200);
    get(&address, &key, "/api/table?seat=cross");
    limit("an answer to a picture", begin.elapsed(), 50);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_answer_of_the_base_game_shows_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let seats = ["--seats", "human,human,human,human", "--seed", "3"];
    let studio = Studio::open(&folder.path().join("game.json"), &seats);
    let address = studio.address().to_owned();
    let ask = |link: &str, method: &str, path: &str, body: &str| {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\n",
            Studio::key(link)
        );
        let (status, answer) = studio.request(&head, body);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str::<serde_json::Value>(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let (mut answers, mut slowest) = (0, Duration::ZERO);
    while answers < 20 {
        for link in &studio.seats[..4] {
            let table = ask(link, "GET", "/api/table", "");
            let Some(option) = table["decisions"][0]["options"].as_array().and_then(|all| all.last()) else { continue };
            let answer = serde_json::json!({ "seat": table["seat"], "key": option["key"] });
            let begin = Instant::now();
            ask(link, "POST", "/api/answer", &answer.to_string());
            ask(link, "GET", "/api/table", "");
            slowest = slowest.max(begin.elapsed());
            answers += 1;
        }
    }
    limit("the slowest of 20 answers of the base game to a picture", slowest, 50);
}
