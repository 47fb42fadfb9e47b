//! Folders and files of a pack that somebody exchanges for links to the outside, while the pack is checked and
//! formatted: nothing outside is read or written. Paths alone would reach it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use principes_author::format::shapes;
use principes_content::{LoadOptions, check};
use principes_source::{HeldFolder, folder};

/// What only files outside contain.
const SECRET: &str = "outside-secret";
const INSIDE: &str = "{\"cards\":   []}";
const ROUNDS: usize = 150;

/// Exchanges a name for a link and back, until dropped.
struct Exchange {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Exchange {
    fn begin(name: PathBuf, outside: PathBuf) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        // A name that no pack contains.
        let aside = name.with_file_name(".aside");
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                std::fs::rename(&name, &aside).unwrap();
                symlink(&outside, &name).unwrap();
                std::thread::yield_now();
                std::fs::remove_file(&name).unwrap();
                std::fs::rename(&aside, &name).unwrap();
            }
        });
        Exchange { stop, thread: Some(thread) }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A panic of the thread has been printed.
        let _ = self.thread.take().unwrap().join();
    }
}

/// A pack with the folder `court`, beside a folder with a secret in a file of the same name.
fn made() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let (pack, outside) = (place.path().join("pack"), place.path().join("outside"));
    for folder in [pack.join("court"), outside.clone()] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(pack.join("pack.json"), "{\"format\":   1}").unwrap();
    std::fs::write(pack.join("court/cards.json"), INSIDE).unwrap();
    std::fs::write(outside.join("cards.json"), format!("{{\"{SECRET}\":   1}}")).unwrap();
    (place, pack, outside)
}

/// Checks and formats the pack many times. Returns how often a plain path led outside meanwhile.
fn work(pack: &Path, court: &HeldFolder) -> usize {
    let mut led_out = 0;
    for _ in 0..ROUNDS {
        led_out +=
            usize::from(std::fs::read_to_string(pack.join("court/cards.json")).is_ok_and(|text| text.contains(SECRET)));
        let checked = check(&[folder(pack)], &LoadOptions { search: Vec::new(), ..LoadOptions::default() });
        assert!(!format!("{:?}", checked.findings).contains(SECRET), "check has read outside");
        let source = folder(pack);
        for _ in 0..200 {
            let read = source.read("court/cards.json").unwrap_or_default();
            assert!(!String::from_utf8_lossy(&read).contains(SECRET), "a pack has been read outside");
        }
        // It can fail while the folder is away.
        if let Ok(shapes) = shapes(&[pack.to_owned()]) {
            for file in &shapes.changed {
                assert!(!String::from_utf8_lossy(&file.before).contains(SECRET), "fmt has read outside");
                let _ = file.write();
            }
        }
        // So that there is something to format again.
        let _ = court.write(Path::new("cards.json"), INSIDE.as_bytes());
    }
    led_out
}

#[test]
fn a_folder_exchanged_for_a_link_leads_nowhere() {
    let (_place, pack, outside) = made();
    let court = HeldFolder::open(&pack.join("court")).unwrap();
    let secret = std::fs::read(outside.join("cards.json")).unwrap();
    let exchange = Exchange::begin(pack.join("court"), outside.clone());
    let led_out = work(&pack, &court);
    drop(exchange);
    assert!(led_out > 0, "the exchange never showed");
    assert_eq!(std::fs::read(outside.join("cards.json")).unwrap(), secret, "fmt has written outside");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1, "fmt has made a file outside");
}

#[test]
fn a_file_exchanged_for_a_link_leads_nowhere() {
    let (_place, pack, outside) = made();
    let court = HeldFolder::open(&pack.join("court")).unwrap();
    let secret = std::fs::read(outside.join("cards.json")).unwrap();
    let exchange = Exchange::begin(pack.join("court/cards.json"), outside.join("cards.json"));
    let mut led_out = 0;
    for _ in 0..ROUNDS {
        led_out +=
            usize::from(std::fs::read_to_string(pack.join("court/cards.json")).is_ok_and(|text| text.contains(SECRET)));
        for file in shapes(std::slice::from_ref(&pack)).map(|shapes| shapes.changed).unwrap_or_default() {
            assert!(!String::from_utf8_lossy(&file.before).contains(SECRET), "fmt has read outside");
        }
        let checked = check(&[folder(&pack)], &LoadOptions { search: Vec::new(), ..LoadOptions::default() });
        assert!(!format!("{:?}", checked.findings).contains(SECRET), "check has read outside");
    }
    drop(exchange);
    assert!(led_out > 0, "the exchange never showed");
    assert_eq!(std::fs::read(outside.join("cards.json")).unwrap(), secret);
    drop(court);
}

/// The way of writing that this test excludes does lead outside.
#[test]
fn plain_paths_lead_outside() {
    let (_place, pack, outside) = made();
    let exchange = Exchange::begin(pack.join("court"), outside.clone());
    let written = (0..100_000).any(|at| {
        let name = format!("probe-{at}");
        // It fails while the folder is away.
        let _ = std::fs::write(pack.join("court").join(&name), "");
        outside.join(&name).exists()
    });
    drop(exchange);
    assert!(written);
}
