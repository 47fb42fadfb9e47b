//! The laws of the house, as tests: where names may appear, which way dependencies run, what a folder may hold, and
//! that bad input causes a located, coded message and never a panic. `schemas/tests` and `scripting/tests` check that
//! generated files are current.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{self, root, toy, toy_file};
use principes_content::{LoadOptions, Stage};
use principes_core::{FactionId, Game, GameConfig, StartError};
use principes_findings::Finding;
use principes_model::Loaded;
use serde_json::Value;

/// All files under a folder of the repository, sorted, without those that start with a dot.
fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            found.extend(files_under(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn pack_files() -> Vec<PathBuf> {
    let mut files = files_under(&root().join("content/principes"));
    files.extend(files_under(&root().join("mods")));
    files
}

// Unsafe code ------------------------------------------------------------------------------------------------------

/// The one module of the program with unsafe code, and a test whose allocator fails.
const UNSAFE: [&str; 2] = ["app/lab/tests/allocations.rs", "scripting/src/machine/raw.rs"];

#[test]
fn one_module_holds_all_unsafe_code() {
    let folders =
        ["app", "benches", "cli", "content", "core", "draw", "print", "schemas", "scripting", "studio", "tests"];
    let files = folders.iter().flat_map(|folder| files_under(&root().join(folder)));
    let allowing = files.filter(|path| has_extension(path, "rs")).filter(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.contains(concat!("allow(", "unsafe_code)")) || text.contains(concat!("expect(", "unsafe_code)"))
    });
    let names: Vec<_> = allowing.map(|path| path.strip_prefix(root()).unwrap().to_owned()).collect();
    assert_eq!(names, UNSAFE.map(Path::new));
}

// Other programs ---------------------------------------------------------------------------------------------------

/// The only file that may start other programs. It has the list of them.
const STARTS_PROGRAMS: &str = "app/src/programs.rs";

/// The ways of Rust to start a program.
const STARTING: [&str; 8] = [
    "Command::new",
    "process::Command",
    "process::*",
    "CommandExt",
    "use std::process;",
    "execve",
    "posix_spawn",
    "libc::",
];

#[test]
fn one_file_starts_other_programs() {
    let mut found = BTreeSet::new();
    for (path, code) in rust_sources() {
        let short = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
        let imports = |line: &str| line.contains("process::{") && line.contains("Command");
        if lines.into_iter().any(|line| imports(line) || STARTING.iter().any(|way| line.contains(way))) {
            found.insert(short);
        }
    }
    assert_eq!(found, BTreeSet::from([STARTS_PROGRAMS.to_owned()]), "add the program to the list there");
    let code = text_of(STARTS_PROGRAMS);
    let code = code.split("#[cfg(test)]").next().unwrap();
    assert_eq!(code.matches("Command::new(").count(), 1, "all programs are found in one way");
    assert!(!code.contains("\"sh\"") && !code.contains("cmd.exe"), "no shell is among them");
}

// Text for people ---------------------------------------------------------------------------------------------------

#[test]
fn everything_printed_is_escaped() {
    let folders = ["app", "cli", "content", "core/src", "draw", "print", "schemas/src", "scripting", "studio"];
    let files = folders.iter().flat_map(|folder| files_under(&root().join(folder)));
    for path in files.filter(|path| has_extension(path, "rs") && !path.ends_with("build.rs")) {
        let short = path.strip_prefix(root()).unwrap();
        if short == Path::new("cli/output.rs") || short.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap();
            // Asking whether a stream is a terminal prints nothing.
            let prints = ["io::stdout()", "io::stderr()", "println!(", "print!(", "AutoStream", "anstream::std"];
            let found = prints.iter().any(|print| code.contains(print)) && !code.contains("is_terminal()");
            let place = format!("{}:{}", short.display(), at + 1);
            assert!(
                !found,
                "{place}: print with `output::stdout`, `output::note` or `output::error`, which show hidden characters"
            );
        }
    }
}

/// Help is at most 100 columns wide. A longer line of the source would be broken twice.
#[test]
fn examples_fit_the_width_of_the_help() {
    let mut seen = 0;
    for path in files_under(&root().join("cli/commands")) {
        let source = std::fs::read_to_string(&path).unwrap();
        let Some((_, rest)) = source.split_once("const EXAMPLES: &str = \"\\\n") else { continue };
        seen += 1;
        let long = rest.split("\";").next().unwrap().lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None, "{}", path.display());
    }
    assert!(seen > 20, "only {seen} examples were found; are they still read?");
}

// Names ------------------------------------------------------------------------------------------------------------

/// Ids that are also plain words or terms of the platform, so they may appear in Rust.
const PLAIN_WORDS: &[&str] = &["principes", "charge"];

/// Ids of games, factions, spaces, cards and rules of all packs.
fn names_of_packs() -> BTreeMap<String, PathBuf> {
    let mut names = BTreeMap::new();
    for path in pack_files().into_iter().filter(|path| has_extension(path, "json")) {
        let Ok(value) = serde_json::from_str::<Value>(&std::fs::read_to_string(&path).unwrap()) else { continue };
        let mut add = |id: &Value| {
            if let Some(id) = id.as_str().filter(|id| id.len() > 3 && !PLAIN_WORDS.contains(id)) {
                names.insert(id.to_owned(), path.clone());
            }
        };
        if path.file_name().is_some_and(|name| name == "pack.json") {
            add(&value["id"]);
        }
        for family in ["factions", "spaces", "cards", "rules"] {
            for entity in value[family].as_array().into_iter().flatten() {
                add(&entity["id"]);
            }
        }
    }
    names
}

/// The Rust files of the house without tests, each with its text up to its own test module.
fn rust_sources() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for folder in ["core", "schemas", "scripting", "content", "app", "draw", "print", "studio", "cli"] {
        for path in files_under(&root().join(folder)) {
            let inside = path.strip_prefix(root()).unwrap();
            let in_tests = inside.components().any(|part| part.as_os_str() == "tests");
            if !has_extension(&path, "rs") || in_tests {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            sources.push((path, code));
        }
    }
    assert!(sources.len() > 30, "too few Rust files were found");
    sources
}

/// The words of a source: letters, digits, `-` and `_`, with `_` read as `-`.
fn words(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .map(|word| word.replace('_', "-").to_ascii_lowercase())
}

#[test]
fn no_name_of_any_game_stands_in_rust() {
    let names = names_of_packs();
    assert!(names.len() > 100, "the packs have more names than {}", names.len());
    let mut hits = Vec::new();
    for (path, code) in rust_sources() {
        for (at, line) in code.lines().enumerate() {
            for word in words(line).filter(|word| names.contains_key(word)) {
                let file = path.strip_prefix(root()).unwrap().display();
                hits.push(format!("{file}:{}: `{word}` is an id of {}", at + 1, names[&word].display()));
            }
        }
    }
    assert!(hits.is_empty(), "the kernel and its tools know no game; names belong in content:\n{}", hits.join("\n"));
}

/// An error whose message tells its cause must not pass the cause on as well, or users read it twice.
#[test]
fn no_error_tells_its_cause_twice() {
    let mut wrong = Vec::new();
    for (path, code) in rust_sources() {
        let mut message = "";
        for (at, line) in code.lines().enumerate() {
            let part = line.trim();
            match () {
                () if part.starts_with("#[error(") => message = part,
                () if line == "}" => message = "",
                () => {}
            }
            let tells = ["{0}", "{source}", "(.0)"].iter().any(|cause| message.contains(cause));
            let passes_on = part.contains("#[from]") || part.contains("#[source]") || part.starts_with("source: ");
            if tells && passes_on {
                wrong.push(format!("{}:{}: {part}", path.display(), at + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "name the field `cause`, or make the message `transparent`:\n{}", wrong.join("\n"));
}

// Arrows -----------------------------------------------------------------------------------------------------------

/// Our packages from the lowest layer up, each with those that it may use. Names are without `principes-`; the
/// program's own is empty.
const ARROWS: &[(&str, &str)] = &[
    ("core", ""),
    ("schemas", ""),
    ("lua", ""),
    ("scripting", "core lua"),
    ("findings", "lua"),
    ("source", "findings"),
    ("games", "source"),
    ("json", "findings schemas"),
    ("analysis", "core findings json lua schemas scripting"),
    ("model", "analysis core findings json schemas scripting source"),
    ("scenarios", "core findings json lua model schemas scripting source"),
    ("content", "analysis core findings json model scenarios schemas scripting source"),
    ("app", "content core findings model scenarios scripting source"),
    ("draw", "app core model schemas"),
    ("print", "app core draw findings model schemas"),
    ("author", "analysis app content core findings json model scenarios scripting source"),
    ("lab", "app content core findings json model scenarios scripting source"),
    ("studio", "app author core draw findings lab model"),
    (
        "",
        "analysis app author content core draw findings games json lab model print scenarios schemas scripting source \
         studio",
    ),
];

fn package(name: &str) -> String {
    if name.is_empty() { "principes".to_owned() } else { format!("principes-{name}") }
}

fn metadata() -> Value {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn arrows_run_one_way() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let known: BTreeSet<String> = ARROWS.iter().map(|(name, _)| package(name)).collect();
    let found: BTreeSet<String> = packages.iter().map(|package| package["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(found, known, "say in ARROWS and in ARCHITECTURE.md what a new package may know");
    for (at, (name, allowed)) in ARROWS.iter().enumerate() {
        let below: BTreeSet<&str> = ARROWS[..at].iter().map(|(name, _)| *name).collect();
        assert!(allowed.split_whitespace().all(|used| below.contains(used)), "`{name}` looks up");
        let this = packages.iter().find(|found| found["name"] == package(name)).unwrap();
        let allowed: BTreeSet<String> = allowed.split_whitespace().map(package).collect();
        for dependency in this["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            let in_tests = dependency["kind"] == "dev";
            assert!(!known.contains(used) || in_tests || allowed.contains(used), "`{name}` may not know `{used}`");
        }
    }
}

#[test]
fn the_kernel_has_no_outside() {
    // Each word, with what it would bring into the kernel.
    let banned = [
        ("std::fs", "files"),
        ("std::net", "the network"),
        ("std::env", "the environment"),
        ("std::time", "a clock"),
        ("std::thread", "threads"),
        ("HashMap", "random order"),
        ("HashSet", "random order"),
        ("println!", "output"),
        ("f32", "floating-point numbers"),
        ("f64", "floating-point numbers"),
        ("serde_json", "JSON"),
        ("mlua", "a script language"),
    ];
    for (path, code) in rust_sources() {
        if !path.starts_with(root().join("core")) {
            continue;
        }
        for (at, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            for (word, what) in banned {
                // Bots may use floating-point operations whose results are the same everywhere. No rule reads them.
                if what == "floating-point numbers" && path.starts_with(root().join("core/src/bots")) {
                    continue;
                }
                assert!(!line.contains(word), "{}:{}: `{word}` brings {what} into the kernel", path.display(), at + 1);
            }
        }
    }
}

#[test]
fn front_ends_share_a_library_without_a_terminal() {
    let banned =
        ["clap", "anstream", "anstyle", "println!", "eprint", "stdin()", "stdout()", "stderr()", "process::exit"];
    for (path, code) in rust_sources().into_iter().filter(|(path, _)| path.starts_with(root().join("app"))) {
        for (at, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            let found = banned.iter().find(|word| line.contains(**word));
            assert!(found.is_none(), "{}:{}: {found:?} belongs to a front end", path.display(), at + 1);
        }
    }
}

// Maps -------------------------------------------------------------------------------------------------------------

fn text_of(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The folders of the libraries.
fn crate_folders() -> Vec<String> {
    let manifest = text_of("Cargo.toml");
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let folders: Vec<String> = members.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(folders.len() > 10, "the workspace has more crates than {folders:?}");
    folders
}

/// The modules of a crate that its map does not name in backticks.
fn not_on_the_map(text: &str) -> Vec<String> {
    let (map, code): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("//!"));
    let map = map.join("\n");
    let names = map.split('`').skip(1).step_by(2).map(|name| name.trim_start_matches("mod@").trim_end_matches('/'));
    let named: BTreeSet<&str> = names.collect();
    let modules = code.iter().filter_map(|line| line.rsplit_once("mod ").filter(|(before, _)| !before.contains("//")));
    let modules = modules.filter_map(|(_, name)| name.strip_suffix(';'));
    modules.filter(|name| !named.contains(name)).map(str::to_owned).collect()
}

#[test]
fn maps_of_crates_name_every_module() {
    assert_eq!(not_on_the_map("//! `a`, [`mod@b`], `c/`\nmod a;\npub mod b;\nmod c;\nmod d;\n"), ["d"]);
    let libraries = crate_folders().into_iter().map(|folder| format!("{folder}/src/lib.rs"));
    for path in libraries.chain(["cli/main.rs".to_owned()]) {
        let missing = not_on_the_map(&text_of(&path));
        assert!(missing.is_empty(), "the map at the top of {path} leaves out {missing:?}");
    }
}

#[test]
fn every_crate_has_a_map_and_an_example() {
    for folder in crate_folders() {
        let path = format!("{folder}/src/lib.rs");
        let text = text_of(&path);
        let doc: String = text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join("\n");
        assert!(doc.contains("//! ```\n"), "{path} has no runnable example");
        assert!(doc.contains("# What this crate must not know"), "{path} does not say what it must not know");
        assert!(
            doc.contains("# Map") || doc.contains("//! | --- |") || doc.contains("//! | module"),
            "{path} has no map"
        );
    }
}

// Comments ---------------------------------------------------------------------------------------------------------

/// Words that say nothing about what a comment describes.
const EMPTY_WORDS: &[&str] = &[
    "a", "all", "an", "and", "are", "as", "at", "by", "each", "every", "for", "in", "is", "it", "its", "of", "on",
    "one", "or", "that", "the", "their", "these", "this", "those", "to", "with",
];

/// The words of a text or of a name such as `GameState`, in lower case and without the ending of a plural.
fn stems(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars() {
        let is_new = !last.is_alphanumeric() || (c.is_uppercase() && !last.is_uppercase());
        match stems.last_mut() {
            Some(stem) if c.is_alphanumeric() && !is_new => stem.extend(c.to_lowercase()),
            _ if c.is_alphanumeric() => stems.push(c.to_lowercase().collect()),
            _ => {}
        }
        last = c;
    }
    for stem in &mut stems {
        let is_plural = stem.len() > 3 && stem.ends_with('s') && !stem.ends_with("ss");
        if is_plural && stem.ends_with("ies") {
            stem.truncate(stem.len() - 3);
            stem.push('y');
        } else if is_plural {
            let sibilant = ["ses", "xes", "zes", "hes"].iter().any(|end| stem.ends_with(end));
            stem.truncate(stem.len() - if sibilant { 2 } else { 1 });
        }
    }
    stems
}

/// The name that a line of code declares.
fn declared(line: &str) -> Option<&str> {
    let before = ["async", "const", "crate", "enum", "fn", "mod", "pub", "static", "struct", "super", "trait", "type"];
    let mut names = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
    names.find(|name| !before.contains(name) && *name != "unsafe" && *name != "r")
}

/// The doc comments that only repeat the name below them, each with its line. Code in a comment says more than a name.
fn repetitions(source: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let length = lines[at..].iter().take_while(|line| line.starts_with("///")).count();
        let text: Vec<&str> = lines[at..at + length].iter().map(|line| line.trim_start_matches('/').trim()).collect();
        let text = text.join(" ");
        let mut below = at + length;
        while length > 0 && lines.get(below).is_some_and(|line| line.starts_with("#[")) {
            below += lines[below..].iter().take_while(|line| !line.ends_with(']')).count() + 1;
        }
        let name = lines.get(below).filter(|_| length > 0 && !text.contains('`')).and_then(|line| declared(line));
        let repeats = |name: &str| {
            let known = stems(name);
            stems(&text).iter().all(|word| known.contains(word) || EMPTY_WORDS.contains(&word.as_str()))
        };
        if name.is_some_and(repeats) {
            found.push((at + 1, text));
        }
        at += length.max(1);
    }
    found
}

#[test]
fn comments_do_not_repeat_names() {
    let source = "/// The cards.\n#[serde(\n    default)]\npub cards: Vec<Card>,\n/// The cards in hand.\ncards: u8,\n\
                  /// Its `id`.\nid: u8,\n/// A piece or a kind.\nPieceOrKind,\n/// Draws it.\nfn draw(&self) {}\n";
    let found: Vec<usize> = repetitions(source).into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, [1, 9, 11]);
    let mut all = Vec::new();
    for (path, code) in rust_sources() {
        let file = path.strip_prefix(root()).unwrap().display().to_string();
        all.extend(repetitions(&code).into_iter().map(|(line, text)| format!("{file}:{line}: {text}")));
    }
    assert!(all.is_empty(), "say the unit, the range, the owner or when it is empty:\n{}", all.join("\n"));
}

// Findings ---------------------------------------------------------------------------------------------------------

#[test]
fn codes_stand_in_their_table_only() {
    let table = root().join("content/findings/src/code.rs");
    for (path, code) in rust_sources().into_iter().filter(|(path, _)| *path != table) {
        for (at, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            assert!(!line.contains("\"P0"), "{}:{}: write `Code::…` instead of the text", path.display(), at + 1);
        }
    }
}

// Folders ----------------------------------------------------------------------------------------------------------

#[test]
fn packs_hold_data_only() {
    for path in pack_files() {
        assert!(!path.is_symlink(), "{} is a link", path.display());
        let fits = ["json", "lua", "md", "snap"].iter().any(|extension| has_extension(&path, extension));
        let is_licence = path.file_name().is_some_and(|name| name == "LICENSE");
        assert!(fits || is_licence, "{}: packs hold JSON, Lua, Markdown and snapshots", path.display());
    }
}

// Numbers ----------------------------------------------------------------------------------------------------------

/// The text of the toy's card, and how much its hook gives.
fn printed_and_acting(loaded: &Loaded) -> (String, i32) {
    let design = loaded.catalog.design("windfall").unwrap();
    let params = &loaded.catalog.designs[design.index()].params;
    let number = |name: &str| params.get(name).map(|n| principes_model::Arg::Int(*n));
    let text = loaded.messages.find("en", "card.windfall.text", &number).unwrap();
    let report = principes_scenarios::run_all(loaded, None, false).unwrap();
    let transcript = &report.results[0].transcript;
    let (_, after) =
        transcript.lines().find_map(|line| line.strip_prefix("  purse of blue ")?.split_once(" -> ")).unwrap();
    (text, after.parse::<i32>().unwrap() - 1)
}

#[test]
fn the_number_printed_is_the_number_that_acts() {
    let scenario = r#"{"scenarios": [{"id": "play", "title": "Play", "given": [{"counter": "purse", "of": "blue", "set": 1}],
        "run": {"perform": "windfall", "point": "card.play", "seat": "blue"}}]}"#;
    let plain = common::load(&[toy(&[("scenarios/play.json", scenario)])]);
    assert_eq!(printed_and_acting(&plain), ("Gain 2.".to_owned(), 2));
    let richer = toy_file("cards.json").replace(r#""gain": 2"#, r#""gain": 5"#);
    let richer = common::load(&[toy(&[("scenarios/play.json", scenario), ("cards.json", &richer)])]);
    assert_eq!(printed_and_acting(&richer), ("Gain 5.".to_owned(), 5));
}

#[test]
fn no_card_text_prints_a_number_of_its_own() {
    // A number that is typed into a text does not follow the param. Years are history, not rules.
    for pack in common::packs() {
        for entity in pack.loaded.entities.iter().filter(|entity| entity.family.key() == "cards") {
            if entity.json["params"].as_object().is_none_or(|params| params.is_empty()) {
                continue;
            }
            let text =
                pack.loaded.messages.find("en", &format!("card.{}.text", entity.id), &|_| None).unwrap_or_default();
            let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty() && n.len() < 3);
            let hole = |n: &str| text.contains(&format!("{{{n}}}"));
            let written = numbers.find(|n| !hole(n));
            assert!(written.is_none(), "{}: card `{}` prints {written:?} itself: {text}", entity.file, entity.id);
        }
    }
}

// Bad input --------------------------------------------------------------------------------------------------------

fn findings(files: &[(&str, &str)]) -> Vec<Finding> {
    let options = LoadOptions { until: Stage::Links, ..common::options() };
    let checked = principes_content::check(&[toy(files)], &options);
    let mut findings = checked.findings;
    if let Some(Err(more)) = checked.loaded.map(|loaded| loaded.host().map(|_| ())) {
        findings.extend(more);
    }
    findings
}

/// The one error among the findings: its code, file and line, and its message and help.
fn the_error(files: &[(&str, &str)]) -> (&'static str, String, usize, String) {
    let all = findings(files);
    let errors: Vec<&Finding> = all.iter().filter(|finding| finding.is_error()).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let line = errors[0].span.line;
    let words = format!("{} {}", errors[0].message, errors[0].help.clone().unwrap_or_default());
    (errors[0].code.as_str(), errors[0].file.clone(), line, words)
}

#[test]
fn the_toy_itself_is_sound() {
    let errors: Vec<Finding> = findings(&[]).into_iter().filter(Finding::is_error).collect();
    assert_eq!(errors, vec![]);
}

#[test]
fn an_unknown_land_is_found_with_a_suggestion() {
    let spaces = toy_file("spaces.json").replacen(r#""adjacent": ["dale"]"#, r#""adjacent": ["dael"]"#, 1);
    let all = findings(&[("spaces.json", &spaces)]);
    let finding = all.iter().find(|finding| finding.message.contains("dael")).unwrap_or_else(|| panic!("{all:#?}"));
    assert_eq!((finding.file.as_str(), finding.span.line), ("toy/spaces.json", 1));
    assert!(finding.help.as_ref().unwrap().contains("`dale`"), "{finding:?}");
}

#[test]
fn a_negative_stat_is_found() {
    let kinds = toy_file("kinds.json").replace(r#""occupies": true"#, r#""occupies": true, "stats": {"might": -1}"#);
    let (code, file, line, words) = the_error(&[("kinds.json", &kinds)]);
    assert_eq!((code, file.as_str(), line), ("P0105", "toy/kinds.json", 1), "{words}");
    assert!(words.contains("-1"), "{words}");
}

#[test]
fn adjacency_of_one_side_is_found() {
    let spaces = toy_file("spaces.json").replacen(r#""adjacent": ["hill"]"#, r#""adjacent": []"#, 1);
    let (code, file, _, words) = the_error(&[("spaces.json", &spaces)]);
    assert_eq!((code, file.as_str()), ("P0401", "toy/spaces.json"), "{words}");
    assert!(words.contains("`hill`") && words.contains("`dale`"), "{words}");
}

#[test]
fn a_missing_hook_is_found_at_the_entity_that_names_it() {
    let cards = toy_file("cards.json").replace("toy.play", "toy.paly");
    let (code, file, _, words) = the_error(&[("cards.json", &cards)]);
    assert_eq!((code, file.as_str()), ("P0302", "toy/cards.json"), "{words}");
    assert!(words.contains("paly"), "{words}");
}

/// Starts the toy with another setup function and returns the finding about its failure.
fn failing_setup(body: &str) -> (Finding, usize) {
    let script = toy_file("scripts/toy.lua")
        .replace("function M.fail()", &format!("function M.bad()\n{body}\nend\nfunction M.fail()"));
    let phases = toy_file("phases.json").replace("toy.setup", "toy.bad");
    let loaded = common::load(&[toy(&[("scripts/toy.lua", &script), ("phases.json", &phases)])]);
    let line = script.lines().position(|line| line.contains("M.bad")).unwrap() + 2;
    let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed: 1, options: Vec::new() };
    let started = Game::new(Arc::clone(&loaded.catalog), loaded.host().unwrap(), config);
    match started {
        Err(StartError::Script(error)) => (loaded.script_finding(&error), line),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the hook did not fail"),
    }
}

#[test]
fn hooks_that_fail_are_located_and_coded() {
    for (body, code, words) in [
        ("while true do end", "P0308", "step"),
        ("local t = {} while true do t = { t, 1, 2, 3, 4, 5, 6, 7 } end", "P0308", "more memory"),
        ("error('as planned')", "P0304", "as planned"),
        ("local name = 'pruse' get(counter[name])", "P0304", "purse"),
        ("pcall(function() while true do end end) while true do end", "P0308", "step"),
    ] {
        let (finding, line) = failing_setup(body);
        assert_eq!(finding.code, code, "{body}: {finding:?}");
        let found = (finding.file.as_str(), finding.span.line);
        // A script can run out of steps anywhere, so the finding is at the hook in the content; for memory, at the
        // function.
        let at_hook = words == "step" && finding.pointer == "/phases/0/run";
        let line = if words == "more memory" { line - 1 } else { line };
        assert!(at_hook || found == ("toy/scripts/toy.lua", line), "{body}: {finding:?}");
        assert!(finding.message.contains(words), "{body}: {}", finding.message);
    }
}
