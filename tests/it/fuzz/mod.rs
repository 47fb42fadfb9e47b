//! No content makes the program panic: mutated packs, packed packs, scripts, looks, tables of cards, repositories, saves,
//! checkpoints and answers, and generated calls of the API.
//!
//! The corpora are the packs, saves and checkpoints that other tests use; `tests/fuzz/words.txt` is the dictionary.
//! `PRINCIPES_FUZZ_SECONDS` is the time for each target, `PRINCIPES_FUZZ_SEED` the first seed of the mutations;
//! `.ci/fuzz` sets both. An input that fails is kept in `target/tmp`.

mod looks;
mod repositories;
mod sheets;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::Session;
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_content::{LoadOptions, check};
use principes_findings::budget::Deadline;
use principes_findings::print_human;
use principes_lab::simulation::Checkpoint;
use principes_scripting::api::entries;
use principes_source::open;
use principes_source::{MemoryPack, PackSource, folder};

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A source of mutations, determined by a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % below.max(1) as u64) as usize
    }

    /// Changes, inserts, removes or doubles a few bytes, or takes some from another text.
    fn mutate(&mut self, bytes: &[u8], other: &[u8], words: &[&str]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(40)).min(bytes.len());
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 => drop(bytes.splice(at..end, [])),
                2 => {
                    let part = bytes[at..end].to_vec();
                    let times = 1 + self.below(50);
                    bytes.splice(at..at, part.repeat(times));
                }
                3 => {
                    let from = self.below(other.len());
                    let to = (from + self.below(60)).min(other.len());
                    bytes.splice(at..end, other[from.min(to)..to].iter().copied());
                }
                _ => {
                    let word = words[self.below(words.len())];
                    // Usually, this replaces a whole word.
                    let is_end = |byte: &u8| b",:[]{} \n".contains(byte);
                    let end = at + bytes[at..].iter().position(is_end).unwrap_or(0);
                    bytes.splice(at..end, word.bytes());
                }
            }
        }
        bytes.truncate(200_000);
        bytes
    }
}

fn words() -> Vec<&'static str> {
    include_str!("../../fuzz/words.txt").lines().collect()
}

/// Tries a target with many inputs. An input that makes it panic is kept.
fn fuzz(target: &str, make: impl Fn(&mut Random) -> Vec<u8>, run: impl Fn(&[u8])) {
    let end = Instant::now() + Duration::from_secs(number("PRINCIPES_FUZZ_SECONDS").unwrap_or(1));
    let mut seed = number("PRINCIPES_FUZZ_SEED").unwrap_or(1) << 32;
    let mut tried = 0;
    while Instant::now() < end {
        let input = make(&mut Random(seed));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(&input))) {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{target}-{seed:x}"));
            std::fs::write(&kept, &input).unwrap();
            eprintln!("the target `{target}` fails with {}", kept.display());
            resume_unwind(panic);
        }
        (seed, tried) = (seed + 1, tried + 1);
    }
    eprintln!("{target}: {tried} inputs");
}

fn arena() -> PathBuf {
    common::root().join("tests/hostile/arena")
}

/// A file of a pack and its mutated content, as one input.
fn input(path: &str, content: Vec<u8>) -> Vec<u8> {
    [path.as_bytes(), b"\0", &content].concat()
}

/// The parts of such an input.
fn parts(input: &[u8]) -> (String, &[u8]) {
    let end = input.iter().position(|byte| *byte == 0).unwrap();
    (String::from_utf8_lossy(&input[..end]).into_owned(), &input[end + 1..])
}

/// The files of a pack.
fn files(root: &Path) -> Vec<(String, Vec<u8>)> {
    let pack = folder(root);
    pack.list().unwrap().into_iter().map(|path| (path.clone(), pack.read(&path).unwrap())).collect()
}

/// Checks packs as `check --until scripts` does, and prints what it finds.
fn checked(packs: &[Arc<dyn PackSource>]) {
    let options = LoadOptions { search: Vec::new(), deadline: Deadline::of_a_check(), ..LoadOptions::default() };
    let findings = check(packs, &options).findings;
    let told = print_human(&findings, false);
    assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
    assert!(findings.iter().all(|finding| finding.span.line > 0 && finding.span.column > 0));
}

fn packs_of(roots: &[&str]) -> Vec<Vec<(String, Vec<u8>)>> {
    roots.iter().map(|root| files(&common::root().join(root))).collect()
}

#[test]
fn packs() {
    let corpus = packs_of(&[
        "tests/hostile/arena",
        "content/findings/explain/base",
        "mods/classics/tic-tac-toe",
        "tests/broken/base",
    ]);
    let words = words();
    let make = |random: &mut Random| {
        let pack = &corpus[random.below(corpus.len())];
        let (one, other) = (random.below(pack.len()), random.below(pack.len()));
        let mut bytes = pack[one].0.clone().into_bytes();
        bytes.push(0);
        let which = corpus.iter().position(|other| std::ptr::eq(other, pack)).unwrap();
        bytes.push(which as u8);
        bytes.extend(random.mutate(&pack[one].1, &pack[other].1, &words));
        bytes
    };
    fuzz("packs", make, |input| {
        let end = input.iter().position(|byte| *byte == 0).unwrap();
        let (path, which) = (String::from_utf8_lossy(&input[..end]), usize::from(input[end + 1]));
        let pack = corpus[which].iter().fold(MemoryPack::new("fuzzed"), |pack, (other, content)| {
            pack.with(other, if *other == path { &input[end + 2..] } else { content })
        });
        checked(&[Arc::new(pack)]);
    });
}

#[test]
fn packed_packs() {
    let seeds: Vec<Vec<u8>> = ["tests/hostile/arena", "mods/classics/tic-tac-toe"]
        .iter()
        .map(|root| principes_source::archive::pack(&*folder(common::root().join(root))).unwrap())
        .collect();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("fuzzed.zip");
    let words = words();
    let make = |random: &mut Random| {
        let (one, other) = (random.below(seeds.len()), random.below(seeds.len()));
        random.mutate(&seeds[one], &seeds[other], &words)
    };
    fuzz("packed-packs", make, |input| {
        std::fs::write(&file, input).unwrap();
        if let Ok(pack) = open(&file) {
            checked(&[pack]);
        }
    });
}

/// A pack on the arena with one script.
fn with_script(script: &[u8]) -> [Arc<dyn PackSource>; 2] {
    let manifest = "{\"format\":1,\"id\":\"fuzzed\",\"version\":\"1.0.0\",\"api\":1,\"title\":\"Fuzzed\",\
                    \"kind\":\"extension\",\"requires\":{\"arena\":\"*\"}}";
    let rules = "{\"rules\":[{\"id\":\"stranger\",\"hooks\":{\"arena.dare\":\"stranger.act\"}}]}";
    let pack =
        MemoryPack::new("fuzzed").with("pack.json", manifest).with("rules.json", rules).with("stranger.lua", script);
    [folder(arena()), Arc::new(pack)]
}

#[test]
fn scripts() {
    let corpus: Vec<Vec<u8>> = ["content/principes", "mods/hex", "tests/hostile/arena"]
        .iter()
        .flat_map(|root| files(&common::root().join(root)))
        .filter(|(path, _)| path.ends_with(".lua"))
        .map(|(_, text)| text)
        .collect();
    let words = words();
    let make = |random: &mut Random| {
        let (one, other) = (random.below(corpus.len()), random.below(corpus.len()));
        random.mutate(&corpus[one], &corpus[other], &words)
    };
    fuzz("scripts", make, |input| checked(&with_script(input)));
}

/// A script whose hook calls verbs with arguments of all kinds.
fn calls(random: &mut Random) -> String {
    const ARGUMENTS: &[&str] = &[
        "nil",
        "0",
        "1",
        "-1",
        "2147483647",
        "1e300",
        "0/0",
        "1/0",
        "0.5",
        "true",
        "\"\"",
        "\"x\"",
        "\"wait\"",
        "seat",
        "owner",
        "self",
        "{}",
        "{ 1 }",
        "{ x = 1 }",
        "faction.red",
        "faction.blue",
        "counter.score",
        "counter.round",
        "function() return {} end",
        "{ \"wait\", \"dare\" }",
        "string.rep(\"x\", 9999)",
        "{ {}, {} }",
        "seat + 1",
        "x",
    ];
    let names: Vec<&str> = entries().map(|entry| entry.name).collect();
    let mut text = "local M = {}\n\nfunction M.act(self, owner, seat)\n  local x\n".to_owned();
    for _ in 0..1 + random.below(8) {
        let name = names[random.below(names.len())];
        let arguments: Vec<&str> = (0..random.below(5)).map(|_| ARGUMENTS[random.below(ARGUMENTS.len())]).collect();
        let call = format!("{name}({})", arguments.join(", "));
        // This covers errors that end the hook, and calls after caught errors.
        text += &match random.below(3) {
            0 => format!("  x = {call}\n"),
            _ => format!("  pcall(function() x = {call} end)\n"),
        };
    }
    text + "end\n\nreturn M\n"
}

#[test]
fn calls_of_the_api() {
    let make = |random: &mut Random| calls(random).into_bytes();
    fuzz("calls", make, |input| {
        let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
        let checked = check(&with_script(input), &options);
        // The check refuses most of them; they are played anyway.
        let recovered = || checked.recovered.as_ref().map(|recovered| recovered.game().clone());
        let Some(loaded) = checked.loaded.or_else(recovered) else { return };
        let packs = OpenPacks::new(loaded);
        let table = set_up(&packs.catalog, &SetupRequest::all(Player::Human, 3)).unwrap();
        let Ok(mut session) = Session::start(packs, table, "en") else { return };
        for key in ["dare", "wait", "dare"] {
            let Some(ask) = session.next_decision() else { return };
            let before = session.game().digest();
            if session.answer(ask.seat, key).is_err() {
                assert_eq!(session.game().digest(), before, "an answer that fails changes nothing");
            }
        }
    });
}

fn toe() -> OpenPacks {
    let folder = common::root().join("mods/classics/tic-tac-toe");
    OpenPacks::open(&PackRequest { paths: vec![folder], ..PackRequest::default() }).unwrap()
}

fn session() -> Session {
    let packs = toe();
    let table = set_up(&packs.catalog, &SetupRequest::all(Player::Human, 3)).unwrap();
    Session::start(packs, table, "en").unwrap()
}

#[test]
fn saves() {
    let mut session = session();
    for _ in 0..4 {
        let seat = session.next_decision().unwrap().seat;
        let key = session.decisions(seat)[0].options[0].key.clone();
        session.answer(seat, &key).unwrap();
    }
    let seed = serde_json::to_vec_pretty(session.record()).unwrap();
    let words = words();
    fuzz(
        "saves",
        |random| random.mutate(&seed, &seed, &words),
        |input| {
            if let Ok(save) = Save::parse(input) {
                // If it resumes, it is the game in the save.
                if let Ok(resumed) = Session::resume(toe(), &save, "en") {
                    assert_eq!(resumed.record().answers, save.answers);
                }
            }
        },
    );
}

#[test]
fn checkpoints() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("run.json");
    let words = words();
    let seed = include_bytes!("../../fuzz/checkpoint.json");
    fuzz(
        "checkpoints",
        |random| random.mutate(seed, seed, &words),
        |input| {
            std::fs::write(&file, input).unwrap();
            let _ = Checkpoint::read(&file);
        },
    );
}

#[test]
fn answers() {
    let words = words();
    let keys: BTreeMap<usize, &[u8]> =
        [b"mark a1".as_slice(), b"place a1 b2 c3", b"", b"\0", b"1", b"\xff"].into_iter().enumerate().collect();
    let make = |random: &mut Random| {
        let (one, other) = (random.below(keys.len()), random.below(keys.len()));
        random.mutate(keys[&one], keys[&other], &words)
    };
    let session = std::cell::RefCell::new(session());
    fuzz("answers", make, |input| {
        let mut session = session.borrow_mut();
        let Some(ask) = session.next_decision() else { return };
        let before = session.game().digest();
        let key = String::from_utf8_lossy(input);
        let offered = session.decisions(ask.seat)[0].options.iter().any(|option| option.key == key);
        let taken = session.answer(ask.seat, &key).is_ok();
        assert_eq!(taken, offered, "{key:?}");
        assert!(taken || session.game().digest() == before);
        let _ = session.play_aside(ask.seat, &key);
    });
}
