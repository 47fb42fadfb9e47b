//! The pictures of every game for the documents: on a desktop, a tablet and a phone, light and dark. `.ci/screenshots`
//! takes them again; they are not compared, because fonts and browsers differ.

use std::fmt::Write as _;
use std::path::Path;

use principes_app::packs::PackRequest;
use principes_app::session::Session;
use principes_draw::from_base64;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, played, root};

/// With this variable, the pictures and the page that shows them are written.
const TAKE: &str = "PRINCIPES_SCREENSHOTS";
/// The devices: a name, and the size of the window.
const DEVICES: [(&str, u32, u32); 3] = [("desktop", 1440, 900), ("tablet", 820, 1180), ("phone", 390, 844)];
/// Each game by its id and folder, how many seats play, and how many answers have been given.
const GAMES: [(&str, &str, usize, usize); 9] = [
    ("principes", "content/principes", 4, 120),
    ("the-prince", "mods/the-prince", 2, 90),
    ("queens-and-princes", "mods/hex", 2, 60),
    ("paladins-barbarians", "mods/paladins-barbarians", 2, 60),
    ("duello", "mods/duello", 2, 110),
    ("lanes", "mods/classics/lanes", 2, 24),
    ("connect-four", "mods/classics/connect-four", 2, 14),
    ("dice-race", "mods/classics/dice-race", 2, 10),
    ("tic-tac-toe", "mods/classics/tic-tac-toe", 2, 4),
];

fn picture(game: &str, device: &str, theme: &str) -> String {
    format!("pictures/studio/{game}-{device}-{theme}.webp")
}

/// Plays a game until this many answers have been given and the first seat is asked, and saves it.
fn begun(save: &Path, game: &str, seats: usize, answers: usize) {
    let search = ["content", "mods", "mods/classics"].map(|folder| root().join(folder)).to_vec();
    let request = PackRequest { game: Some(game.to_owned()), search, ..PackRequest::default() };
    let is_there = |session: &Session| session.game().record().len() >= answers;
    assert!(played(save, &request, seats, 11, |session, _, _| is_there(session)), "{game} ended early");
}

fn take(browser: &mut Browser, page: &Page, game: &str) {
    for (device, width, height) in DEVICES {
        for theme in ["light", "dark"] {
            browser.show_as(page, width, height, theme == "dark");
            // What moves has come to rest.
            browser.value(page, "new Promise((done) => setTimeout(done, 1500))");
            let bytes = from_base64(&browser.screenshot(page)).unwrap();
            std::fs::write(root().join("docs").join(picture(game, device, theme)), bytes).unwrap();
        }
    }
}

/// The page that shows all pictures.
fn gallery() -> String {
    let mut page =
        "# Pictures of every game\n\nEach game in the studio: on a desktop, a tablet and a phone, light and \
        dark. `.ci/screenshots` takes\nthe pictures and writes this page.\n"
            .to_owned();
    for (game, folder, ..) in GAMES {
        let manifest = std::fs::read_to_string(root().join(folder).join("pack.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        let _ = write!(page, "\n## {}\n", manifest["title"].as_str().unwrap());
        for (device, ..) in DEVICES {
            let image = |theme| format!("![{game}, {device}, {theme}]({})", picture(game, device, theme));
            let _ = write!(page, "\n| light | dark |\n| --- | --- |\n| {} | {} |\n", image("light"), image("dark"));
        }
    }
    page
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn every_game_has_its_pictures() {
    if std::env::var_os(TAKE).is_some() {
        std::fs::create_dir_all(root().join("docs/pictures/studio")).unwrap();
        let mut browser = Browser::start();
        for (game, _, seats, answers) in GAMES {
            let folder = tempfile::tempdir().unwrap();
            let save = folder.path().join("game.json");
            begun(&save, game, seats, answers);
            let studio = Studio::open(&save, &["--game", game]);
            let page = browser.open(&studio.link);
            browser.wait(&page, ASKED);
            take(&mut browser, &page, game);
        }
        std::fs::write(root().join("docs/gallery.md"), gallery()).unwrap();
    }
    let stored = std::fs::read_to_string(root().join("docs/gallery.md")).unwrap_or_default();
    assert!(stored == gallery(), "docs/gallery.md is stale: run .ci/screenshots");
    for (game, ..) in GAMES {
        for (device, ..) in DEVICES {
            for theme in ["light", "dark"] {
                let path = root().join("docs").join(picture(game, device, theme));
                let bytes = std::fs::read(&path).unwrap_or_default();
                assert!(bytes.get(8..12) == Some(b"WEBP"), "{} is missing: run .ci/screenshots", path.display());
            }
        }
    }
    let of_game = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["kind"] == "game";
    let mut folders = vec![root().join("content/principes")];
    for parent in ["mods", "mods/classics"] {
        folders.extend(std::fs::read_dir(root().join(parent)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let manifests = folders.iter().filter_map(|folder| std::fs::read_to_string(folder.join("pack.json")).ok());
    assert_eq!(manifests.filter(|text| of_game(text)).count(), GAMES.len(), "a game has no pictures: add it to GAMES");
}
