//! Hostile packs: each is stopped where the table in `tests/hostile/README.md` says, and does no harm to the
//! game.
//!
//! A pack is an archive `tests/hostile/<name>.pack` (see `tests/it/common/archive.rs`) that requires the tiny game `arena`
//! there. A name that starts with `made-` is built here, because its files cannot be stored everywhere. `.ci/generate`
//! rewrites the tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::common;
use crate::common::archive::Archive;
use crate::common::program;
use principes_content::{LoadOptions, check};
use principes_core::*;
use principes_findings::Code;
use principes_findings::escape;
use principes_model::Loaded;
use principes_scripting::LuaHost;
use principes_source::folder;
use serde_json::Value as Json;
use zip::write::{SimpleFileOptions, ZipWriter};

const TABLE: &str = "tests/hostile/README.md";
/// How a table in it starts.
const HEADER: &str = "| pack | what it tries | what stops it |\n| --- | --- | --- |\n";

/// A hostile pack, as the head of its file describes it.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    tries: String,
    /// The stage of `check` that must stop it, or `nothing`; none for a pack that is built here.
    stage: Option<String>,
}

/// The archives of `tests/hostile`, by the names of their packs.
fn archives() -> &'static BTreeMap<String, Archive> {
    static ARCHIVES: OnceLock<BTreeMap<String, Archive>> = OnceLock::new();
    ARCHIVES.get_or_init(|| {
        let names = std::fs::read_dir(common::root().join("tests/hostile")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let packs = names.filter(|name| name != "arena" && name != "README.md").map(|file| {
            let name = file.strip_suffix(".pack").unwrap_or_else(|| panic!("`tests/hostile/{file}` is not a `.pack`"));
            let text = std::fs::read_to_string(common::root().join("tests/hostile").join(&file)).unwrap();
            (name.to_owned(), Archive::read(&text).unwrap_or_else(|error| panic!("{file}: {error}")))
        });
        packs.collect()
    })
}

fn rows() -> Vec<Row> {
    let stored = archives().iter().map(|(name, archive)| {
        let line = |start: &str| {
            let line = archive.head.lines().find_map(|line| line.strip_prefix(start)?.strip_suffix('.'));
            line.unwrap_or_else(|| panic!("the head of `{name}.pack` needs a line `{start}….`")).to_owned()
        };
        Row { name: name.clone(), tries: line("Tries: "), stage: Some(line("Stopped by: ")) }
    });
    let made = MADE.iter().map(|(name, tries, _)| Row { name: (*name).into(), tries: (*tries).into(), stage: None });
    stored.chain(made).collect()
}

/// Writes a file unless it is already there, so that tests that run at the same time do not disturb each other.
fn write(path: &Path, content: &[u8]) {
    if std::fs::read(path).is_ok_and(|old| old == content) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap()).unwrap();
    file.write_all(content).unwrap();
    file.persist(path).unwrap();
}

/// The manifest of a pack that has no other.
fn manifest(id: &str, title: &str) -> String {
    format!(
        "{{\n  \"format\": 1, \"id\": \"{id}\", \"version\": \"1.0.0\", \"api\": 1, \"title\": \"{title}\",\n  \
         \"kind\": \"extension\", \"requires\": {{ \"arena\": \"*\" }}\n}}\n"
    )
}

/// The title of a pack, as its message.
fn messages(title: &str) -> String {
    format!("{{ \"messages\": {{ \"pack.title\": \"{title}\" }} }}\n")
}

/// The folder with all packs of `tests/hostile`, beside the arena. Packs that do not say otherwise get a manifest and a
/// title.
fn packs() -> PathBuf {
    static PACKS: OnceLock<()> = OnceLock::new();
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    PACKS.get_or_init(|| {
        copy(&common::root().join("tests/hostile/arena"), &beside.join("arena"));
        for (name, archive) in archives() {
            let mut title = name.replace('-', " ");
            title[..1].make_ascii_uppercase();
            let mut files = archive.files.clone();
            files.entry("pack.json".to_owned()).or_insert_with(|| manifest(name, &title).into());
            files.entry("locale/en.json".to_owned()).or_insert_with(|| messages(&title).into());
            let pack = beside.join(name);
            // Files of an earlier run that the archive no longer has.
            let left = folder(&pack).list().unwrap_or_default();
            left.iter().filter(|path| !files.contains_key(*path)).for_each(|path| {
                std::fs::remove_file(pack.join(path)).unwrap();
            });
            files.iter().for_each(|(path, content)| write(&pack.join(path), content));
        }
    });
    beside
}

// Packs that are built here ------------------------------------------------------------------------------------------

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => write(&target, &std::fs::read(entry.path()).unwrap()),
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

    #[cfg(unix)]
    fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    /// Replaces the folder by a zip file of the same name, with the pack and additional entries.
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

/// What turns a good pack into a hostile one.
type Deed = fn(&Making);

/// Packs whose files cannot be stored everywhere: name, what they try, and how to build them.
#[cfg(unix)]
const MADE: &[(&str, &str, Deed)] = &[
    ("made-link-file", "a link to a file of the system", |made| made.link("/etc/passwd", "counters.json")),
    ("made-link-folder", "a link to a folder of the system", |made| made.link("/etc", "counters")),
    ("made-link-loop", "a link to the folder that holds it", |made| made.link("..", "counters")),
    ("made-link-itself", "a link to itself", |made| made.link("counters.json", "counters.json")),
    ("made-link-inside", "a link to another file of the pack", |made| {
        made.write("counters/a.json", COUNTERS);
        made.link("counters/a.json", "b.json");
    }),
    ("made-link-manifest", "a manifest that is a link", |made| {
        std::fs::rename(made.path("pack.json"), made.path("../elsewhere.json")).unwrap();
        made.link("../elsewhere.json", "pack.json");
    }),
    ("made-pipe", "a pipe that never delivers anything", |made| {
        let pipe = Command::new("mkfifo").arg(made.path("counters.json")).status().unwrap();
        assert!(pipe.success());
    }),
    ("made-socket", "a socket", |made| {
        drop(std::os::unix::net::UnixListener::bind(made.path("counters.json")).unwrap())
    }),
    ("made-huge-file", "a file of a terabyte", |made| {
        let file = std::fs::File::create(made.path("counters.json")).unwrap();
        // A sparse file has the length without the bytes.
        file.set_len(1 << 40).unwrap();
    }),
    ("made-many-files", "twenty thousand files", |made| {
        (0..20_001).for_each(|at| made.write(&format!("counters/{}/{at}.json", at / 1000), COUNTERS));
    }),
    ("made-deep-folders", "folders nested forty deep", |made| {
        made.write(&format!("{}counters.json", "deep/".repeat(40)), COUNTERS)
    }),
    ("made-name-utf8", "a file name that is not UTF-8", |made| {
        use std::os::unix::ffi::OsStrExt as _;
        std::fs::write(made.pack.join(std::ffi::OsStr::from_bytes(b"gi\xfft.json")), COUNTERS).unwrap();
    }),
    ("made-name-control", "a file name that clears the terminal", |made| made.write("gift\u{1b}[2J.json", COUNTERS)),
    ("made-name-lines", "a file name with a line break", |made| {
        made.write("gift\nerror[P0001]: forged.json", COUNTERS)
    }),
    ("made-name-device", "the name of a device", |made| made.write("counters/con.json", COUNTERS)),
    ("made-name-long", "a file name of 245 characters", |made| {
        made.write(&format!("{}.json", "x".repeat(240)), COUNTERS)
    }),
    ("made-name-backslash", "a file name that leads out of the folder on Windows", |made| {
        made.write("..\\counters.json", COUNTERS)
    }),
    ("made-case-twins", "names that differ only in case", |made| {
        made.write("gifts.json", COUNTERS);
        made.write("Gifts.json", COUNTERS);
    }),
    ("made-huge-list", "a hundred thousand entities with the same id", |made| {
        let item = "{ \"id\": \"gift\", \"max\": 1 }";
        made.write("counters.json", format!("{{ \"counters\": [{}] }}\n", vec![item; 100_000].join(",\n")));
    }),
    ("made-huge-script", "a script of a million lines", |made| {
        let lines = "  x = x + 1\n".repeat(1_000_000);
        made.write("scripts/stranger.lua", format!("local M = {{}}\nlocal x = 0\n{lines}return M\n"));
    }),
    ("made-many-scripts", "a million lines in a hundred scripts", |made| {
        let lines = "  x = x + 1\n".repeat(10_000);
        for at in 0..100 {
            made.write(
                &format!("scripts/stranger-{at}.lua"),
                format!("local M = {{}}\nlocal x = 0\n{lines}return M\n"),
            );
        }
    }),
    ("made-bomb.zip", "a zip file that unpacks to a thousand times its size", |made| {
        made.zip(|zip| put(zip, "counters.json", &vec![b' '; 15 << 20]))
    }),
    ("made-traversal.zip", "a zip file with a name that leads out of the folder", |made| {
        made.zip(|zip| put(zip, "../../counters.json", COUNTERS.as_bytes()))
    }),
    ("made-link.zip", "a zip file with a link to a file of the system", |made| {
        made.zip(|zip| zip.add_symlink("counters.json", "/etc/passwd", SimpleFileOptions::default()).unwrap());
    }),
    ("made-case-twins.zip", "a zip file with names that differ only in case", |made| {
        made.zip(|zip| ["gifts.json", "Gifts.json"].iter().for_each(|path| put(zip, path, COUNTERS.as_bytes())));
    }),
    ("made-twins.zip", "a zip file with the same name twice", |made| {
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
const MADE: &[(&str, &str, Deed)] = &[];

/// Builds a pack beside a copy of the arena.
fn make(name: &str, beside: &Path) {
    copy(&common::root().join("tests/hostile/arena"), &beside.join("arena"));
    let made = Making { pack: beside.join(name) };
    made.write("pack.json", manifest(&name.replace('.', "-"), "Made"));
    made.write("locale/en.json", messages("Made"));
    let deed = MADE.iter().find(|(known, ..)| *known == name).map(|(.., deed)| deed);
    deed.unwrap_or_else(|| panic!("nothing builds `{name}`"))(&made);
}

// Where they are stopped ---------------------------------------------------------------------------------------------

/// Characters of a message that the table shows.
const SHOWN: usize = 90;

fn stop(code: &str, file: &str, line: u64, message: &str, pack: &str, beside: &Path) -> String {
    let outside = format!("{}/", beside.canonicalize().unwrap().display());
    let file = file.replace(&outside, "");
    let file = file.strip_prefix(&format!("{pack}/")).unwrap_or(&file);
    let message = message.replace(&outside, "").replace(&format!("{pack}/"), "").replace('|', "\\|");
    let message = escape::line(&message);
    let short: String = message.chars().take(SHOWN).collect();
    let more = if short.len() < message.len() { "…" } else { "" };
    format!("{code} {}:{line} {short}{more}", escape::line(file))
}

/// The errors of `check --until play` in another process.
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
    let shown: Json = serde_json::from_slice(&output.stdout).unwrap();
    let findings = shown["findings"].as_array().unwrap();
    assert!(findings.iter().all(|finding| finding["line"].as_u64() > Some(0)), "{}: {findings:?}", row.name);
    let text = |finding: &Json, key: &str| finding[key].as_str().unwrap().to_owned();
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    let errors: Vec<&Json> = errors.collect();
    let stages = errors.iter().filter_map(|finding| Code::ALL.iter().find(|code| finding["code"] == code.as_str()));
    let stage = stages.map(|code| code.stage()).min();
    let stage = stage.map_or("nothing".to_owned(), |stage| format!("{stage:?}").to_lowercase());
    if let Some(expected) = &row.stage {
        assert_eq!(*expected, stage, "`{}.pack` says what stops it; it was stopped by {errors:#?}", row.name);
    }
    // Warnings count only if there are no errors.
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

/// Calls a function for each row, on all cores.
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

fn line(row: &Row, stopped: &str) -> String {
    format!("| `{}` | {} | {stopped} |\n", row.name, row.tries)
}

/// Every twelfth row, so that each kind is among them.
fn some_rows() -> Vec<Row> {
    rows().into_iter().step_by(12).collect()
}

#[test]
#[cfg(unix)]
fn some_are_stopped_where_the_table_says() {
    let rows = some_rows();
    let table = std::fs::read_to_string(common::root().join(TABLE)).unwrap();
    let lines = rows.iter().zip(for_each(&rows, checked)).map(|(row, stopped)| line(row, &stopped));
    let wrong: Vec<String> = lines.filter(|line| !table.contains(line)).collect();
    assert!(wrong.is_empty(), "the table in {TABLE} should say:\n{}", wrong.concat());
}

#[test]
#[ignore = "slow; run by .ci/run"]
#[cfg(unix)]
fn each_is_stopped_where_the_table_says() {
    let rows = rows();
    let stopped = for_each(&rows, checked);
    let lines = |made: bool| {
        let rows = rows.iter().zip(&stopped).filter(move |(row, _)| row.stage.is_none() == made);
        rows.map(|(row, stopped)| line(row, stopped)).collect::<String>()
    };
    let path = common::root().join(TABLE);
    let old = std::fs::read_to_string(&path).unwrap();
    let mut tables = old.split(HEADER);
    let mut text = tables.next().unwrap().to_owned();
    for (table, made) in tables.zip([false, true]) {
        let rest: String = table.split_inclusive('\n').skip_while(|line| line.starts_with("| `")).collect();
        write!(text, "{HEADER}{}{rest}", lines(made)).unwrap();
    }
    if std::env::var_os("PRINCIPES_GENERATE").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let wrong: Vec<&str> = text.lines().filter(|line| !old.lines().any(|old| old == *line)).collect();
    assert!(wrong.is_empty(), "the table in {TABLE} should say:\n{}", wrong.join("\n"));
    assert_eq!(old, text, "run `.ci/generate`");
}

/// The names in backticks in a cell of a table.
fn names_in(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn each_class_is_held_in_three_shapes() {
    let page = std::fs::read_to_string(common::root().join(TABLE)).unwrap();
    let (packs, sources) = (rows(), common::sources());
    let table = page.lines().skip_while(|line| !line.starts_with("| class |")).skip(2);
    let mut classes = 0;
    for row in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, class, patterns, tests, _] = cells[..] else { panic!("{row}") };
        let mut held = 0;
        for pattern in names_in(patterns) {
            let is_meant = |name: &str| match pattern.strip_suffix('…') {
                Some(start) => name.starts_with(start),
                None => name == pattern,
            };
            let found = packs.iter().filter(|row| is_meant(&row.name)).count();
            assert!(found > 0, "{class}: no pack is called `{pattern}`");
            held += found;
        }
        let tests = names_in(tests);
        for test in &tests {
            assert!(sources.contains(&format!("fn {test}(")), "{class}: no test is called `{test}`");
        }
        // What no pack can try is tried by tests.
        assert!(held >= 3 || (held == 0 && tests.len() >= 3), "{class} has only {held} packs");
        classes += 1;
    }
    assert_eq!(classes, 12);
}

/// Texts with line breaks from packs do not print lines that look like the program's.
#[test]
fn texts_begin_no_line() {
    let names: Vec<&String> = archives().keys().filter(|name| name.starts_with("lines-")).collect();
    assert!(names.len() >= 3);
    for name in names {
        let play = ["play", "--pack", "arena", "--pack", name, "--seats", "human,human", "--seed", "1"];
        let mut command = program::principes(&play);
        let streams = command.current_dir(packs()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"dare\nq\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
        let forged = ["Red, what", "1  Give up", "choose [1-3, ?] 1", "The game is over.", "\u{2500} Blue"];
        let line = said.lines().find(|line| forged.iter().any(|forged| line.trim_start().starts_with(forged)));
        assert_eq!(line, None, "{name}: {said}");
    }
}

#[test]
fn unpack() {
    for (name, archive) in archives() {
        for (path, content) in &archive.files {
            assert_eq!(std::fs::read(packs().join(name).join(path)).unwrap(), *content, "{name}/{path}");
        }
    }
}

#[test]
fn what_an_archive_writes_it_reads_again() {
    let odd: [&[u8]; 14] = [
        b"",
        b"\n",
        b"\n\n\n",
        b"no end",
        b"\r\n\r\n",
        b"\0",
        b"\xef\xbb\xbf{}\n",
        b"gi\xe9\xff",
        b"<EF BB>\n<>\n<<*3 x>",
        b"-- a.json --\n",
        b"x\n-- a.json --\n-- comment\n",
        b"a < b\n",
        "\u{202e}žluť\u{feff}\n".as_bytes(),
        b"end\n\n",
    ];
    let files = odd.iter().enumerate().map(|(at, content)| (format!("f/{at:02}.txt"), content.to_vec()));
    let archive = Archive { head: "Tries: everything.\n".to_owned(), files: files.collect() };
    assert_eq!(Archive::read(&archive.write()).unwrap(), archive);
    for (name, archive) in archives() {
        assert_eq!(Archive::read(&archive.write()).unwrap(), *archive, "{name}");
    }
}

#[test]
fn an_archive_stands_for_these_bytes() {
    let text = "Head.\n\n-- a/b.json --\n<EF BB BF>{<*3 ab>}<0D>\nx < y <z> <>\n\n\n-- c --\n-- d --\n\n";
    let archive = Archive::read(text).unwrap();
    assert_eq!(archive.head, "Head.\n");
    let files: Vec<(&str, &[u8])> =
        archive.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    assert_eq!(files, [("a/b.json", &b"\xef\xbb\xbf{ababab}\r\nx < y <z> "[..]), ("c", b""), ("d", b"")]);
    for wrong in ["-- ../a --\n", "-- /a --\n", "-- a\\b --\n", "-- a --\n-- a --\n"] {
        assert!(Archive::read(wrong).is_err(), "{wrong}");
    }
}

// What they do to the game -------------------------------------------------------------------------------------------

/// The result of a dare: the error with its place, and the number of steps.
type Dare = (String, usize, String, u64);

fn offered(game: &Game<LuaHost>, key: &str) -> Option<(SeatId, DecisionOption)> {
    let asked = game.pending().into_iter().next()?.clone();
    let option = asked.options.iter().find(|option| option.key(game.catalog()) == key)?;
    Some((asked.seat, *option))
}

fn start(loaded: &Loaded, host: &LuaHost) -> Game<LuaHost> {
    let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed: 7, options: Vec::new() };
    Game::new(Arc::clone(&loaded.catalog), host.clone(), config).unwrap()
}

/// Plays a game in which nobody dares anything; returns its last state.
fn in_peace(mut game: Game<LuaHost>) -> String {
    while let Some((seat, option)) = offered(&game, "wait") {
        game.answer(seat, option).unwrap();
    }
    assert!(game.outcome().is_some());
    game.digest()
}

/// Lets the hostile pack act. If it fails, the game must be as before, and continue as if nothing had happened.
fn dared(loaded: &Loaded, host: &LuaHost, peace: &str) -> Vec<Dare> {
    let mut found = Vec::new();
    for deed in ["dare", "weigh"] {
        let mut game = start(loaded, host);
        let before = game.digest();
        let (seat, option) = offered(&game, deed).unwrap();
        match game.answer(seat, option) {
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
fn some_fail_alike_in_every_machine_and_harm_no_game() {
    assert!(fail_alike(some_rows()) >= 5);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn they_fail_alike_in_every_machine_and_harm_no_game() {
    let failed = fail_alike(rows());
    assert!(failed >= 50, "only {failed} packs failed while they were played");
}

/// Plays these packs; returns how many of them fail.
fn fail_alike(rows: Vec<Row>) -> usize {
    let loaded = |row: &Row| {
        let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
        let checked = check(&[folder(packs().join(&row.name))], &options);
        let shown = principes_findings::print_human(&checked.findings, false);
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{}: {shown:?}", row.name);
        checked.loaded
    };
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.stage.is_some()).collect();
    let failed = for_each(&rows, |row| {
        // Packs that change the flow of the arena are not played here.
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
    failed.iter().sum()
}
