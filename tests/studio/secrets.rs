//! What each seat receives, and which requests are refused.

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::Session;
use principes_core::Value;
use principes_studio::{HttpMethod, PageRequest, Who, requests};

use crate::chromium::Browser;
use crate::harness::{Studio, answer_with_the_mouse};

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_seat_receives_nothing_that_it_may_not_know() {
    let mut browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--seats", "human,human", "--seed", "11"]);
    assert_eq!(studio.seats.len(), 3, "two seats and the spectators");
    let key = Studio::key(&studio.link);
    let address = studio.address();
    let head = format!("GET /api/titles HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n");
    let (_, titles) = studio.request(&head, "");
    let titles = titles.split_once("\r\n\r\n").unwrap().1;
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
        // Between two answers, the pages may not yet know whose decision it is.
        let Some(asked) = asked else {
            std::thread::sleep(std::time::Duration::from_millis(20));
            continue;
        };
        answer_with_the_mouse(&mut browser, &pages[asked]);
        answers += 1;
        if answers % 5 != 0 {
            continue;
        }
        principes_games::install();
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
            // The texts printed on cards are not secret.
            let traffic = browser.traffic(page).replace(titles, "");
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
#[ignore = "needs Chromium; run by .ci/run"]
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

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn every_request_is_refused_to_those_who_may_not_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,human", "--seed", "3"]);
    let address = studio.address();
    // The keys of the second seat and of spectators, with which requests for the first seat are made.
    let [second, spectators] = [1, 2].map(|link| Studio::key(&studio.seats[link]));
    let status = |request: &PageRequest, key: &str| {
        let (method, parameters, body) = match request.method {
            HttpMethod::Get => ("GET", "?seat=cross", ""),
            HttpMethod::Post => ("POST", "", "{\"seat\":\"cross\"}"),
        };
        let head = format!(
            "{method} {}{parameters} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Authorization: Bearer {key}\r\nContent-Type: application/json\r\n",
            request.path
        );
        studio.request(&head, body).0
    };
    let mut refused = 0;
    for request in requests() {
        assert_eq!(status(&request, "guess"), 401, "{}", request.path);
        if request.who != Who::Anybody {
            assert_eq!([second, spectators].map(|key| status(&request, key)), [403, 403], "{}", request.path);
            refused += 1;
        }
    }
    assert!(refused > 30, "{refused} requests");
    assert_eq!(Save::read(&save).unwrap().answers.len(), 0);
}
