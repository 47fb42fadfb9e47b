//! Hostile packs: each is stopped where the table in `tests/hostile/README.md` says, and does no harm to the
//! game.
//!
//! A pack is a folder of `tests/hostile` that requires the tiny game `arena` there; a name that starts with `made-` is
//! built here, because its files cannot be stored everywhere. `.ci/generate` rewrites the last column of the table.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;
#[path = "common/program.rs"]
mod program;

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use principes_content::door;
use principes_content::{LoadOptions, Loaded, check, findings, folder};
use principes_core::*;
use principes_scripting::LuaHost;
use serde_json::Value as Json;
use zip::write::{SimpleFileOptions, ZipWriter};

const TABLE: &str = "tests/hostile/README.md";

fn packs() -> PathBuf {
    common::root().join("tests/hostile")
}

/// A row of the table.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    tries: String,
    stopped: String,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(common::root().join(TABLE)).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    rows.map(|row| {
        let (name, rest) = row.split_once("` | ").unwrap();
        let (tries, stopped) = rest.split_once(" | ").unwrap_or((rest.trim_end_matches(" |"), ""));
        Row { name: name.to_owned(), tries: tries.to_owned(), stopped: stopped.to_owned() }
    })
    .collect()
}

// Packs that are built here ------------------------------------------------------------------------------------------

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// A pack that is being built, beside a copy of the arena.
struct Making {
    pack: PathBuf,
}

impl Making {
    fn path(&self, path: &str) -> PathBuf {
        self.pack.join(path)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let full = self.path(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, content).unwrap();
    }

    /// A script whose hook runs these lines, behind what stands at its top.
    fn script(&self, top: &str, lines: &str) {
        let text = format!("local M = {{}}\n{top}\nfunction M.act(self, owner, seat)\n  {lines}\nend\n\nreturn M\n");
        self.write("scripts/stranger.lua", text);
        let rules = "{ \"rules\": [{ \"id\": \"stranger\", \"hooks\": { \"arena.dare\": \"stranger.act\" } }] }\n";
        self.write("rules.json", rules);
    }

    #[cfg(unix)]
    fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    /// In place of the folder, a zip file of the same name: the pack and what is added to it.
    fn zip(&self, add: impl FnOnce(&mut Zip)) {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for path in ["pack.json", "locale/en.json"] {
            put(&mut zip, path, &std::fs::read(self.path(path)).unwrap());
        }
        add(&mut zip);
        std::fs::remove_dir_all(&self.pack).unwrap();
        std::fs::write(&self.pack, zip.finish().unwrap().into_inner()).unwrap();
    }
}

type Zip = ZipWriter<Cursor<Vec<u8>>>;

fn put(zip: &mut Zip, path: &str, content: &[u8]) {
    zip.start_file(path, SimpleFileOptions::default()).unwrap();
    zip.write_all(content).unwrap();
}

const COUNTERS: &str = "{ \"counters\": [] }\n";

/// What is done to a pack that is fine.
type Deed = fn(&Making);

/// Packs whose files cannot be stored everywhere.
#[cfg(unix)]
const MADE: &[(&str, Deed)] = &[
    ("made-link-file", |made| made.link("/etc/passwd", "counters.json")),
    ("made-link-folder", |made| made.link("/etc", "counters")),
    ("made-link-loop", |made| made.link("..", "counters")),
    ("made-link-itself", |made| made.link("counters.json", "counters.json")),
    ("made-link-inside", |made| {
        made.write("counters/a.json", COUNTERS);
        made.link("counters/a.json", "b.json");
    }),
    ("made-link-manifest", |made| {
        std::fs::rename(made.path("pack.json"), made.path("../elsewhere.json")).unwrap();
        made.link("../elsewhere.json", "pack.json");
    }),
    ("made-pipe", |made| {
        let pipe = Command::new("mkfifo").arg(made.path("counters.json")).status().unwrap();
        assert!(pipe.success());
    }),
    ("made-socket", |made| drop(std::os::unix::net::UnixListener::bind(made.path("counters.json")).unwrap())),
    ("made-huge-file", |made| {
        let file = std::fs::File::create(made.path("counters.json")).unwrap();
        // A hole: it has the length without the bytes.
        file.set_len(1 << 40).unwrap();
    }),
    ("made-many-files", |made| {
        (0..20_001).for_each(|at| made.write(&format!("counters/{}/{at}.json", at / 1000), COUNTERS));
    }),
    ("made-deep-folders", |made| made.write(&format!("{}counters.json", "deep/".repeat(40)), COUNTERS)),
    ("made-name-utf8", |made| {
        use std::os::unix::ffi::OsStrExt as _;
        std::fs::write(made.pack.join(std::ffi::OsStr::from_bytes(b"gi\xfft.json")), COUNTERS).unwrap();
    }),
    ("made-name-control", |made| made.write("gift\u{1b}[2J.json", COUNTERS)),
    ("made-name-lines", |made| made.write("gift\nerror[P0001]: forged.json", COUNTERS)),
    ("made-name-device", |made| made.write("counters/con.json", COUNTERS)),
    ("made-name-long", |made| made.write(&format!("{}.json", "x".repeat(240)), COUNTERS)),
    ("made-name-backslash", |made| made.write("..\\counters.json", COUNTERS)),
    ("made-case-twins", |made| {
        made.write("gifts.json", COUNTERS);
        made.write("Gifts.json", COUNTERS);
    }),
    ("made-huge-list", |made| {
        let item = "{ \"id\": \"gift\", \"max\": 1 }";
        made.write("counters.json", format!("{{ \"counters\": [{}] }}\n", vec![item; 100_000].join(",\n")));
    }),
    ("made-huge-script", |made| {
        let lines = "  x = x + 1\n".repeat(1_000_000);
        made.write("scripts/stranger.lua", format!("local M = {{}}\nlocal x = 0\n{lines}return M\n"));
    }),
    ("made-cr-state", |made| made.script("local times = 0\n", "-- a note\r times = times + 1")),
    ("made-cr-loop", |made| {
        made.script("", "local t = { one = 1, two = 2 } -- a note\r for key in t do add(counter.score, #key, seat) end")
    }),
    ("made-cr-host", |made| made.script("", "-- a note\r local memory = __keep({})")),
    ("made-cr-library", |made| made.script("", "--[==[ a note ]==] --\r local x = bit32.band(1, 2)")),
    ("made-cr-text", |made| made.script("", "local t = [[a\r]] log(t)")),
    ("made-nul-script", |made| made.script("", "-- a note \0 local x = 1")),
    ("made-bom-script", |made| {
        made.script("", "");
        let text = std::fs::read_to_string(made.path("scripts/stranger.lua")).unwrap();
        made.write("scripts/stranger.lua", format!("\u{feff}{text}"));
    }),
    ("made-crlf-script", |made| {
        made.script(
            "-- a note\r\nlocal text = [[\r\na]]\r\n",
            "if text == 'a' then\r\n add(counter.score, 1, seat)\r\n end",
        )
    }),
    ("made-many-scripts", |made| {
        let lines = "  x = x + 1\n".repeat(10_000);
        for at in 0..100 {
            made.write(
                &format!("scripts/stranger-{at}.lua"),
                format!("local M = {{}}\nlocal x = 0\n{lines}return M\n"),
            );
        }
    }),
    ("made-bomb.zip", |made| made.zip(|zip| put(zip, "counters.json", &vec![b' '; 15 << 20]))),
    ("made-traversal.zip", |made| made.zip(|zip| put(zip, "../../counters.json", COUNTERS.as_bytes()))),
    ("made-link.zip", |made| {
        made.zip(|zip| zip.add_symlink("counters.json", "/etc/passwd", SimpleFileOptions::default()).unwrap());
    }),
    ("made-case-twins.zip", |made| {
        made.zip(|zip| ["gifts.json", "Gifts.json"].iter().for_each(|path| put(zip, path, COUNTERS.as_bytes())));
    }),
    ("made-twins.zip", |made| {
        made.zip(|zip| ["gift-a.json", "gift-b.json"].iter().for_each(|path| put(zip, path, COUNTERS.as_bytes())));
        // The writer would refuse to write one name twice.
        let mut bytes = std::fs::read(&made.pack).unwrap();
        while let Some(at) = bytes.windows(6).position(|at| at == b"gift-b") {
            bytes[at..at + 6].copy_from_slice(b"gift-a");
        }
        std::fs::write(&made.pack, bytes).unwrap();
    }),
];
#[cfg(not(unix))]
const MADE: &[(&str, Deed)] = &[];

/// Builds a pack beside a copy of the arena.
fn make(name: &str, beside: &Path) {
    copy(&packs().join("arena"), &beside.join("arena"));
    let made = Making { pack: beside.join(name) };
    let id = name.replace('.', "-");
    let manifest = format!(
        "{{\n  \"format\": 1, \"id\": \"{id}\", \"version\": \"1.0.0\", \"api\": 1, \"title\": \"Made\",\n  \
         \"kind\": \"extension\", \"requires\": {{ \"arena\": \"*\" }}\n}}\n"
    );
    made.write("pack.json", manifest);
    made.write("locale/en.json", "{ \"messages\": { \"pack.title\": \"Made\" } }\n");
    let deed = MADE.iter().find(|(known, _)| *known == name).map(|(_, deed)| deed);
    deed.unwrap_or_else(|| panic!("nothing makes `{name}`"))(&made);
}

// Where they are stopped ---------------------------------------------------------------------------------------------

/// Characters of a message that the table shows.
const SHOWN: usize = 90;

fn stop(code: &str, file: &str, line: u64, message: &str, pack: &str, beside: &Path) -> String {
    let outside = format!("{}/", beside.canonicalize().unwrap().display());
    let file = file.replace(&outside, "");
    let file = file.strip_prefix(&format!("{pack}/")).unwrap_or(&file);
    let message = message.replace(&outside, "").replace(&format!("{pack}/"), "").replace('|', "\\|");
    let message = door::line(&message);
    let short: String = message.chars().take(SHOWN).collect();
    let more = if short.len() < message.len() { "…" } else { "" };
    format!("{code} {}:{line} {short}{more}", door::line(file))
}

/// What `check --until play` says, in a process of its own.
fn checked(row: &Row) -> String {
    let made = row.name.starts_with("made-").then(|| tempfile::tempdir().unwrap());
    if let Some(made) = &made {
        make(&row.name, made.path());
    }
    let beside = made.as_ref().map_or_else(packs, |made| made.path().to_owned());
    let mut command = program::principes(&["check", &row.name, "--until", "play", "--format", "json"]);
    let output = command.current_dir(&beside).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {:?} {stderr}", row.name, output.status);
    let told: Json = serde_json::from_slice(&output.stdout).unwrap();
    let findings = told["findings"].as_array().unwrap();
    assert!(findings.iter().all(|finding| finding["line"].as_u64() > Some(0)), "{}: {findings:?}", row.name);
    let text = |finding: &Json, key: &str| finding[key].as_str().unwrap().to_owned();
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    let errors: Vec<&Json> = errors.collect();
    // Warnings count only where nothing worse is told.
    let findings = if errors.is_empty() { findings.iter().collect() } else { errors };
    let stops: Vec<String> = findings
        .iter()
        .map(|finding| {
            let (code, file, message) = (text(finding, "code"), text(finding, "file"), text(finding, "message"));
            stop(&code, &file, finding["line"].as_u64().unwrap(), &message, &row.name, &beside)
        })
        .collect();
    match stops.as_slice() {
        [] => "nothing: it does no harm".to_owned(),
        [first, .., last] if stops.len() > 3 => format!("{first} … {} in all … {last}", stops.len()),
        all => all.join("; "),
    }
}

/// Does something for each row, on all cores.
fn for_each<T: Send>(rows: &[Row], work: impl Fn(&Row) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && let Some(row) = rows.get(at)
            {
                let result = catch_unwind(AssertUnwindSafe(|| work(row))).unwrap_or_else(|panic| {
                    eprintln!("… while it was the turn of `{}`", row.name);
                    resume_unwind(panic)
                });
                done.push((at, result));
            }
            done
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[test]
#[cfg(unix)]
fn each_is_stopped_where_the_table_says() {
    let rows = rows();
    let stopped = for_each(&rows, checked);
    if std::env::var_os("PRINCIPES_GENERATE").is_some() {
        let path = common::root().join(TABLE);
        let mut text = String::new();
        let mut found = rows.iter().zip(&stopped);
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            match line.strip_prefix("| `").and_then(|_| found.next()) {
                Some((row, stopped)) => writeln!(text, "| `{}` | {} | {stopped} |", row.name, row.tries).unwrap(),
                None => writeln!(text, "{line}").unwrap(),
            }
        }
        std::fs::write(path, text).unwrap();
        return;
    }
    let wrong: Vec<String> = rows
        .iter()
        .zip(&stopped)
        .filter(|(row, stopped)| row.stopped != **stopped)
        .map(|(row, stopped)| format!("{}\n  table: {}\n  now:   {stopped}", row.name, row.stopped))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg(unix)]
fn every_pack_has_its_row() {
    let mut named: Vec<String> = rows().into_iter().map(|row| row.name).collect();
    let mut there: Vec<String> = std::fs::read_dir(packs())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "arena" && name != "README.md")
        .chain(MADE.iter().map(|(name, _)| (*name).to_owned()))
        .collect();
    named.sort();
    there.sort();
    assert_eq!(named, there);
}

// What they do to the game -------------------------------------------------------------------------------------------

/// What a dare came to: the fault with its place, and the steps it took.
type Dare = (String, usize, String, u64);

fn said(game: &Game<LuaHost>, key: &str) -> Option<(SeatId, DecisionOption)> {
    let asked = game.pending().into_iter().next()?.clone();
    let choice = asked.options.iter().find(|choice| choice.key(game.catalog()) == key)?;
    Some((asked.seat, *choice))
}

fn start(loaded: &Loaded, host: &LuaHost) -> Game<LuaHost> {
    let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed: 7, options: Vec::new() };
    Game::new(Arc::clone(&loaded.catalog), host.clone(), config).unwrap()
}

/// Plays a game in which nobody dares anything; gives its last state.
fn in_peace(mut game: Game<LuaHost>) -> String {
    while let Some((seat, choice)) = said(&game, "wait") {
        game.answer(seat, choice).unwrap();
    }
    assert!(game.outcome().is_some());
    game.digest()
}

/// Has the stranger do its worst. Where that fails, the game is as it was, and continues as if nothing had happened.
fn dared(loaded: &Loaded, host: &LuaHost, peace: &str) -> Vec<Dare> {
    let mut found = Vec::new();
    for deed in ["dare", "weigh"] {
        let mut game = start(loaded, host);
        let before = game.digest();
        let (seat, choice) = said(&game, deed).unwrap();
        match game.answer(seat, choice) {
            Ok(()) => continue,
            Err(AnswerError::Script(error)) => {
                let finding = loaded.script_finding(&error);
                assert!(error.line.is_some() || error.hook.is_some(), "{error} has no place");
                found.push((finding.file, finding.span.line, finding.message, host.steps_used()));
            }
            Err(other) => panic!("{other}"),
        }
        assert_eq!(game.digest(), before, "the game is not as it was");
        assert!(game.record().is_empty());
        assert_eq!(in_peace(game), peace, "the game went on differently");
    }
    found
}

#[test]
fn they_fail_alike_in_every_machine_and_harm_no_game() {
    let loaded = |row: &Row| {
        let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
        let checked = check(&[folder(packs().join(&row.name))], &options);
        let told = findings::print_human(&checked.findings, false);
        assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{}: {told:?}", row.name);
        checked.loaded
    };
    let rows: Vec<Row> = rows().into_iter().filter(|row| !row.name.starts_with("made-")).collect();
    let failed = for_each(&rows, |row| {
        // What changes the flow of the arena is not a matter of daring.
        let flow = row.name.starts_with("flow-") || row.name.starts_with("repeat-");
        let Some(loaded) = loaded(row).filter(|_| !flow) else { return 0 };
        let peace = in_peace(start(&loaded, &loaded.host().unwrap()));
        let host = loaded.host().unwrap();
        let first = dared(&loaded, &host, &peace);
        let again = dared(&loaded, &host, &peace);
        let elsewhere = dared(&loaded, &loaded.host().unwrap(), &peace);
        assert_eq!(first, elsewhere, "{}: another machine", row.name);
        let words =
            |list: &[Dare]| list.iter().map(|dare| (dare.0.clone(), dare.1, dare.2.clone())).collect::<Vec<_>>();
        assert_eq!(words(&first), words(&again), "{}: the same machine again", row.name);
        first.len()
    });
    let failed: usize = failed.iter().sum();
    assert!(failed >= 50, "only {failed} packs failed while they were played");
}
