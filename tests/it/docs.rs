//! The documents are correct: their commands exist or run, their examples load, their links work.
//!
//! A code block after a line that is only a path in backticks is that file. `sh` blocks are commands, `sh fails` blocks
//! are commands that find something wrong, and the `text` block after them is their output; `…` stands for anything.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use crate::common;
use crate::common::program::{self, principes};
use principes_scenarios::Verdict;
use principes_schemas::{self as schemas, Family};
use principes_source::FileRole;
use principes_source::{MemoryPack, PackSource};
use serde_json::Value;

// Reading ----------------------------------------------------------------------------------------------------------

#[derive(Clone, Debug)]
struct Block {
    /// The text after the opening fence.
    kind: String,
    /// The path on the line before.
    file: Option<String>,
    text: String,
    line: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut last = "";
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => {
                let path = last.strip_prefix('`').and_then(|line| line.strip_suffix('`'));
                let path = path.filter(|path| !path.contains('`')).map(str::to_owned);
                open = Some(Block { kind: kind.to_owned(), file: path, text: String::new(), line: at + 1 });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
        if !line.is_empty() {
            last = line;
        }
    }
    assert!(open.is_none(), "a code block is not closed");
    found
}

fn read(path: &str) -> String {
    std::fs::read_to_string(common::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files in a folder of the repository, and in all folders inside it, whose path ends like this.
fn below(folder: &str, file: &str) -> Vec<String> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if common::root().join(&path).is_dir() {
            found.extend(below(&path, file));
        } else if path.ends_with(file) {
            found.push(path);
        }
    }
    found
}

fn documents() -> Vec<String> {
    let mut names: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "tests/README.md",
        "tests/hostile/README.md",
    ]
    .map(str::to_owned)
    .into();
    for folder in ["docs", "docs/contributing", "docs/measurements", "docs/reference"] {
        let docs = std::fs::read_dir(common::root().join(folder)).unwrap();
        names.extend(docs.filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.ends_with(".md").then(|| format!("{folder}/{name}"))
        }));
    }
    names.extend(below("mods", "README.md"));
    names.extend(below("content/findings/explain", "about.md"));
    names.sort();
    names
}

// Links ------------------------------------------------------------------------------------------------------------

/// The anchors that headings get on the web.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for name in documents() {
        let text = read(&name);
        let folder = Path::new(&name).parent().unwrap().to_path_buf();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { PathBuf::from(&name) } else { folder.join(file) };
            let full = common::root().join(&path);
            let has_anchor = || anchors(&std::fs::read_to_string(&full).unwrap()).contains(anchor);
            if !full.exists() || (!anchor.is_empty() && !has_anchor()) {
                broken.push(format!("{name}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

// Commands ---------------------------------------------------------------------------------------------------------

/// Splits a command line like a shell, enough for our examples.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" # ").next().unwrap_or_default();
    line.split_whitespace().map(str::to_owned).collect()
}

/// The arguments of `principes` in a command line, however it is called there.
fn arguments(line: &str) -> Option<Vec<String>> {
    let words = words(line);
    let at = match words.first().map(String::as_str) {
        Some("principes") => 1,
        Some("cargo") if words.get(1).is_some_and(|word| word == "run") => {
            words.iter().position(|word| word == "--").map_or(words.len(), |at| at + 1)
        }
        _ => return None,
    };
    let end = words.iter().position(|word| matches!(word.as_str(), ">" | "|" | "&&")).unwrap_or(words.len());
    Some(words[at..end].to_vec())
}

#[test]
fn commands_exist_with_their_options() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for name in documents() {
        let text = read(&name);
        let in_blocks = blocks(&text).into_iter().filter(|block| block.kind.starts_with("sh"));
        let mut lines: Vec<String> =
            in_blocks.flat_map(|block| block.text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        // Blocks that are only indented, and commands in the running text.
        lines.extend(text.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned));
        lines.extend(text.split('`').skip(1).step_by(2).filter(|code| !code.contains('\n')).map(str::to_owned));
        for line in lines {
            let Some(args) = arguments(&line) else { continue };
            let Some(command) = args.first().filter(|word| !word.starts_with('-')) else { continue };
            seen += 1;
            let help = helps.entry(command.clone()).or_insert_with(|| {
                let output = principes(&[command, "--help"]).output().unwrap();
                if output.status.success() { String::from_utf8(output.stdout).unwrap() } else { String::new() }
            });
            if help.is_empty() {
                wrong.push(format!("{name}: `{line}`: there is no command `{command}`"));
            }
            for flag in args.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                let flag = flag.split('=').next().unwrap();
                let known = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == flag);
                if !known && !help.is_empty() {
                    wrong.push(format!("{name}: `{line}`: `{command}` has no `{flag}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 40, "only {seen} commands were found; are they still read?");
}

#[test]
fn the_readme_lists_every_command() {
    let help = program::text(&principes(&["--help"]).output().unwrap());
    let readme = read("README.md");
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let commands = list.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    for command in commands {
        assert!(readme.contains(&format!("| `principes {command}")), "README.md does not list `{command}`");
    }
}

#[test]
fn what_the_readme_names_is_there() {
    let readme = read("README.md");
    let named = readme.split('`').skip(1).step_by(2).filter(|code| {
        let roots = ["mods/", "content/", "docs/", "core/", ".ci/", "tests/", "cli/", "scripting/", "schemas/"];
        roots.iter().any(|root| code.starts_with(root)) && !code.contains(' ')
    });
    for path in named {
        assert!(common::root().join(path).exists(), "README.md names `{path}`, which does not exist");
    }
}

// The tutorial -----------------------------------------------------------------------------------------------------

/// Whether the text has the wanted lines in this order; `…` in a line represents anything.
fn shows(text: &str, wanted: &str) -> Result<(), String> {
    let mut lines = text.lines();
    for line in wanted.lines().map(str::trim_end).filter(|line| !line.is_empty() && *line != "…") {
        let parts: Vec<&str> = line.split('…').collect();
        let fits = |given: &str| {
            let mut rest = given.trim_end();
            parts.iter().enumerate().all(|(at, part)| match rest.find(part) {
                Some(0) => {
                    rest = &rest[part.len()..];
                    true
                }
                Some(start) if at > 0 => {
                    rest = &rest[start + part.len()..];
                    true
                }
                _ => false,
            }) && (rest.is_empty() || line.ends_with('…'))
        };
        if !lines.any(fits) {
            return Err(format!("expected this line in the output: {line}\noutput:\n{text}"));
        }
    }
    Ok(())
}

/// Takes the lines with `-` out of a file and puts those with `+` in their place.
fn edit(path: &Path, change: &str) {
    let side = |mark: char| -> String {
        change.lines().filter_map(|line| line.strip_prefix(mark)).map(|line| format!("{line}\n")).collect()
    };
    let text = std::fs::read_to_string(path).unwrap();
    let (old, new) = (side('-'), side('+'));
    assert_eq!(text.matches(&old).count(), 1, "{} does not have once:\n{old}", path.display());
    std::fs::write(path, text.replace(&old, &new)).unwrap();
}

/// The input of a program, from the `printf … | ` before it on the command line.
fn typed(line: &str) -> (String, &str) {
    match line.strip_prefix("printf '").and_then(|rest| rest.split_once("' | ")) {
        Some((text, line)) => (text.replace("\\n", "\n"), line),
        None => (String::new(), line),
    }
}

/// Which commands of a document are run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// All commands.
    Whole,
    /// Commands whose output the document shows in a `text` block.
    Shown,
}

/// Follows a document from an empty folder. Returns how many blocks of output were compared.
fn walk(document: &str, which: Walk) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut printed = String::new();
    let mut compared = 0;
    let blocks = blocks(&read(document));
    for (at, block) in blocks.iter().enumerate() {
        let place = format!("{document}:{}", block.line);
        match (block.kind.as_str(), &block.file) {
            ("sh" | "sh fails", _) => {
                let shown = blocks.get(at + 1).is_some_and(|next| next.kind == "text");
                if which == Walk::Whole || shown {
                    printed = run(folder.path(), block, &place);
                }
            }
            ("text", _) => {
                shows(&printed, &block.text).unwrap_or_else(|fault| panic!("{place}: {fault}"));
                compared += 1;
            }
            ("diff", Some(file)) => edit(&folder.path().join(file), &block.text),
            (_, Some(file)) => {
                let path = folder.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, &block.text).unwrap();
            }
            (kind, None) => panic!("{place}: unknown kind of block `{kind}`"),
        }
    }
    compared
}

/// Runs the commands of a block in a folder. Returns what they print.
fn run(folder: &Path, block: &Block, place: &str) -> String {
    let mut printed = String::new();
    for line in block.text.lines() {
        let (text, line) = typed(line);
        let args = arguments(line).unwrap_or_else(|| panic!("{place}: not a command of ours: {line}"));
        let mut command = principes(&[]);
        command.args(args).current_dir(folder).stdin(Stdio::piped());
        // Documents name the games of the repository by id.
        command.env("PRINCIPES_PATH", common::root().join("mods"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program without input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
        let output = child.wait_with_output().unwrap();
        printed.push_str(&String::from_utf8(output.stdout).unwrap());
        printed.push_str(&String::from_utf8(output.stderr).unwrap());
        let expected = i32::from(block.kind == "sh fails");
        assert_eq!(output.status.code(), Some(expected), "{place}: {line}\n{printed}");
    }
    printed
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let compared = walk("README.md", Walk::Shown);
    assert!(compared >= 5, "README.md shows the output of only {compared} commands");
}

#[test]
fn the_tutorial_can_be_walked() {
    walk("docs/tutorial.md", Walk::Whole);
}

#[test]
fn the_record_of_a_walk_is_true() {
    walk("docs/tutorial-walk.md", Walk::Whole);
}

#[test]
fn a_card_a_tile_a_map_and_a_game_can_be_made_by_the_documents() {
    assert_eq!(walk("docs/walks.md", Walk::Whole), 6);
}

// Packs and scenarios ----------------------------------------------------------------------------------------------

/// The files of a document as one pack, by path.
fn files_of(document: &str) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> =
        blocks(&read(document)).into_iter().filter_map(|block| Some((block.file?, block.text))).collect();
    files.entry("pack.json".to_owned()).or_insert_with(|| {
        r#"{"format": 1, "id": "examples", "version": "0.1.0", "api": 1, "title": "Examples", "kind": "extension",
            "requires": {"principes": "*"}, "languages": ["en"]}"#
            .to_owned()
    });
    let locale = files.keys().any(|file| matches!(FileRole::of(file), FileRole::Messages(_)));
    if !locale {
        files.insert("pack.en.json".to_owned(), r#"{"messages": {"pack.title": "Examples"}}"#.to_owned());
    }
    files
}

fn memory_pack(name: &str, files: &BTreeMap<String, String>) -> Arc<dyn PackSource> {
    Arc::new(files.iter().fold(MemoryPack::new(name), |pack, (file, text)| pack.with(file, text.as_str())))
}

/// Loads the pack of a document without a finding, and plays its scenarios.
fn works(document: &str) {
    let source = memory_pack(document, &files_of(document));
    let checked = principes_content::check(std::slice::from_ref(&source), &common::options());
    assert!(checked.findings.is_empty(), "{}", principes_findings::print_human(&checked.findings, false));
    let loaded = common::load(&[source]);
    let report = principes_scenarios::run_all(&loaded, None, false).unwrap();
    assert!(!report.results.is_empty(), "{document} has no scenario");
    for result in &report.results {
        assert!(result.failures.is_empty(), "{document}: {:?}\n{}", result.failures, result.transcript);
        assert_eq!(result.snapshot, Verdict::New);
    }
    let unreached: Vec<_> =
        report.unreached().map(|hook| principes_scenarios::hook_name(&loaded.catalog, hook)).collect();
    assert!(unreached.is_empty(), "{document}: no scenario reaches {unreached:?}");
}

#[test]
fn the_pack_of_the_pack_guide_works() {
    works("docs/packs.md");
}

#[test]
fn the_recipes_of_the_cookbook_work() {
    works("docs/cookbook.md");
    let recipes =
        read("docs/cookbook.md").lines().filter(|line| line.starts_with("## ") && line.contains(". ")).count();
    assert!(recipes >= 20, "the cookbook has only {recipes} recipes");
}

#[test]
fn the_scenarios_of_the_scenario_guide_hold() {
    works("docs/scenarios.md");
}

/// The `text` block of a document that begins with this line.
fn shown(document: &str, first: &str) -> String {
    let block = blocks(&read(document)).into_iter().find(|block| block.kind == "text" && block.text.starts_with(first));
    block.unwrap_or_else(|| panic!("{document} shows no `{first}`")).text
}

#[test]
fn the_transcript_of_the_scenario_guide_is_true() {
    let document = "docs/scenarios.md";
    let loaded = common::load(&[memory_pack(document, &files_of(document))]);
    let report = principes_scenarios::run_all(&loaded, None, false).unwrap();
    let result = report.results.iter().find(|result| result.id == "knight-takes-lucovia").unwrap();
    let wanted = shown(document, "A Knight crosses the border");
    shows(&result.transcript, &wanted).unwrap_or_else(|error| panic!("{document}: {error}"));
}

#[test]
fn what_the_guides_say_of_their_pack_is_what_the_program_prints() {
    let folder = tempfile::tempdir().unwrap();
    let base = below("content/principes", "").into_iter().map(|path| (path.clone(), read(&path)));
    let pack = files_of("docs/packs.md").into_iter().map(|(file, text)| (format!("mods/market-day/{file}"), text));
    for (file, text) in base.chain(pack) {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let print = |args: &[&str]| {
        let output = principes(args).current_dir(folder.path()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let places = print(&["check", "mods/market-day", "--explain-order", "--until", "links"]);
    shows(&places, &shown("docs/packs.md", "load order")).unwrap_or_else(|error| panic!("docs/packs.md: {error}"));
    print(&["test", "mods/market-day", "--accept"]);
    let mutants = print(&["mutate", "mods/market-day", "--classes", "comparison"]);
    shows(&mutants, &shown("docs/scenarios.md", "survives"))
        .unwrap_or_else(|error| panic!("docs/scenarios.md: {error}"));
}

/// A scenario for each row of "Common failures", in order, without its id and title.
const COMMON_FAILURES: &[&str] = &[
    r#""given": [{"place": "knight", "faction": "masovia", "at": "cirsco"}],
       "run": {"hook": "war/march.action", "args": ["faction:masovia"]},
       "when": [{"seat": "masovia", "choose": "move knigth cirsco"}]"#,
    r#""run": {"hook": "war/march.action", "args": ["faction:masovia"]},
       "when": [{"seat": "silesia", "choose": "done"}]"#,
    r#""run": {"hook": "war/march.action", "args": ["faction:masovia"]}, "then": [{"pending": null}]"#,
    r#""given": [{"card": "charge", "to": "hand"}]"#,
    r#""given": [{"place": "knight", "faction": "masovia", "at": "cirsco", "count": 9}]"#,
    r#""run": {"hook": "war/march.action", "args": ["faction:masovia"]}, "dice": ["shield-1"],
       "when": [{"seat": "masovia", "choose": "done"}]"#,
    r#""seats": ["masovia", "polonia-minor"], "run": {"perform": "charge", "point": "card.play", "seat": "silesia"}"#,
    r#""run": {"hook": "war/march.action", "args": ["masovia"]}"#,
];

#[test]
fn common_failures_have_these_words() {
    let page = read("docs/scenarios.md");
    let (_, section) = page.split_once("\n## Common failures\n").unwrap();
    let rows: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    let rows: Vec<&str> =
        rows.into_iter().filter(|row| !row.starts_with("message") && !row.starts_with("---")).collect();
    assert_eq!(rows.len(), COMMON_FAILURES.len(), "each row needs a scenario that fails with its words");
    let scenario = |(at, rest)| format!(r#"{{"id": "failure-{at}", "title": "It fails", {rest}}}"#);
    let scenarios: Vec<String> = COMMON_FAILURES.iter().enumerate().map(scenario).collect();
    let mut files = files_of("docs/scenarios.md");
    files.insert("failures.scenarios.json".to_owned(), format!(r#"{{"scenarios": [{}]}}"#, scenarios.join(", ")));
    let loaded = common::load(&[memory_pack("failures", &files)]);
    let report = principes_scenarios::run_all(&loaded, Some("failure-"), false).unwrap();
    for (at, row) in rows.iter().enumerate() {
        let result = report.results.iter().find(|result| result.id == format!("failure-{at}")).unwrap();
        let messages: Vec<&str> = result.failures.iter().map(|failure| failure.message.as_str()).collect();
        let fits = messages.iter().any(|message| shows(message, row).is_ok());
        assert!(fits, "docs/scenarios.md: no failure of this scenario is `{row}`: {messages:?}");
    }
}

/// Every other JSON example is a file of some family.
#[test]
fn examples_without_a_file_fit_their_schemas() {
    for name in documents() {
        for block in blocks(&read(&name)).into_iter().filter(|block| block.kind == "json" && block.file.is_none()) {
            let place = format!("{name}:{}", block.line);
            let value: Value = serde_json::from_str(&block.text).unwrap_or_else(|error| panic!("{place}: {error}"));
            let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
            let family = keys.iter().find_map(|key| Family::with_key(key)).map_or("pack", Family::key);
            let violations = principes_json::schema::check(family, &value);
            assert!(violations.is_empty(), "{place}: {violations:?}");
        }
    }
}

/// The JSON in the first column of a table under a heading.
fn table_under(text: &str, heading: &str) -> Vec<String> {
    let section = text.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no section `{heading}`"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `{"));
    rows.map(|row| format!("{{{}", row.split("` |").next().unwrap())).collect()
}

#[test]
fn the_tables_of_the_scenario_guide_are_complete() {
    let text = read("docs/scenarios.md");
    let parse = |heading: &str, read: &dyn Fn(&str) -> Result<String, serde_json::Error>| -> BTreeSet<String> {
        let rows = table_under(&text, heading);
        // `Counter(EditCounter { … })`: the first word is the variant.
        let variant = |row: &String| {
            let shown = read(row).unwrap_or_else(|error| panic!("{heading}: {row}: {error}"));
            shown.split('(').next().unwrap().to_owned()
        };
        rows.iter().map(variant).collect()
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let edits = parse("Edits", &|row| serde_json::from_str::<schemas::Edit>(row).map(|it| format!("{it:?}")));
    assert_eq!(edits, set(&["Counter", "Place", "Remove", "Card", "Clear"]));
    let runs =
        parse("Starting something", &|row| serde_json::from_str::<schemas::Run>(row).map(|it| format!("{it:?}")));
    assert_eq!(runs, set(&["Hook", "Perform", "Phase"]));
    let steps = parse("Steps", &|row| serde_json::from_str::<schemas::Step>(row).map(|it| format!("{it:?}")));
    assert_eq!(steps, set(&["Choose", "Aside", "Expect", "Edit", "Call", "Undo"]));
    let expects =
        parse("Expectations", &|row| serde_json::from_str::<schemas::Expect>(row).map(|it| format!("{it:?}")));
    let all = [
        "Counter", "Control", "Pieces", "Zone", "Card", "Pending", "Offered", "Refused", "Sees", "Hides", "Logged",
        "Outcome", "Error",
    ];
    assert_eq!(expects, set(&all));
}

#[test]
fn every_hook_point_of_the_kernel_has_its_row() {
    let text = read("docs/packs.md");
    for point in principes_core::catalog::KernelPoints::declare().1 {
        let arguments = point.args.join(", ");
        let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", point.id)));
        let row = row.unwrap_or_else(|| panic!("docs/packs.md does not mention `{}`", point.id));
        assert!(row.contains(&format!("| {arguments} |")), "`{}` has the arguments {arguments}", point.id);
    }
}

// The map of the tests ---------------------------------------------------------------------------------------------

/// What a page names in backticks below one of the folders of the repository.
fn named_paths(text: &str) -> BTreeSet<String> {
    let named = text.split('`').skip(1).step_by(2);
    let is_path = |name: &&str| {
        let (folder, rest) = name.split_once('/').unwrap_or_default();
        common::root().join(folder).is_dir()
            && !folder.is_empty()
            && !rest.is_empty()
            && !name.contains([' ', '<', '…'])
    };
    named.filter(is_path).map(|name| name.trim_end_matches('/').to_owned()).collect()
}

/// The test files of a folder, and its folders: what `cargo test` runs and what it reads.
fn entries(folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(common::root().join(folder)) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.')).map(|name| format!("{folder}/{name}")).collect()
}

#[test]
fn the_map_lists_every_test() {
    let listed = named_paths(&read("tests/README.md"));
    let mut wanted = [entries("tests"), entries("tests/it")].concat();
    wanted.retain(|path| path != "tests/README.md");
    // Crates are in folders of the root, and some in folders of another crate.
    for crate_folder in entries(".").into_iter().filter_map(|path| path.strip_prefix("./").map(str::to_owned)) {
        let inner = entries(&crate_folder).into_iter().filter(|path| path.split('/').count() == 2);
        for folder in
            inner.chain([crate_folder.clone()]).filter(|path| common::root().join(path).join("Cargo.toml").exists())
        {
            let tests = entries(&format!("{folder}/tests"));
            wanted.extend(tests.into_iter().filter(|path| path.ends_with(".rs")));
        }
    }
    let missing: Vec<_> = wanted.iter().filter(|path| !listed.contains(*path)).collect();
    assert!(missing.is_empty(), "tests/README.md does not list {missing:?}");
    assert!(wanted.len() > 30, "only {} tests were found; are they still looked for?", wanted.len());
}

/// Files that readers make, by a guide or by an example of a command, and what hostile packs ask for.
fn is_no_file_of_ours(path: &str) -> bool {
    let made = ["mods/a", "mods/b", "mods/market-day", ".github/workflows/packs.yml"];
    let is_made = |name: &str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    path.starts_with("../") || path.starts_with("mods/my-") || made.iter().any(|name| is_made(name))
}

#[test]
fn what_documents_name_exists() {
    let mut gone = Vec::new();
    let mut seen = 0;
    // The changelog names what there was.
    for page in documents().into_iter().filter(|page| page != "CHANGELOG.md") {
        let named = named_paths(&read(&page));
        seen += named.len();
        let gone_here = named.iter().filter(|path| !is_no_file_of_ours(path) && !common::root().join(path).exists());
        gone.extend(gone_here.map(|path| format!("{page}: `{path}`")));
    }
    assert!(gone.is_empty(), "these files do not exist:\n{}", gone.join("\n"));
    assert!(seen > 250, "only {seen} paths were found; are they still read?");
}

/// What the page of a pack names in backticks inside its folder: files, folders, modules and hooks.
fn named_in_pack(text: &str, folder: &Path) -> BTreeSet<String> {
    let is_file = |name: &str| [".json", ".lua", ".snap", ".md"].iter().any(|end| name.ends_with(end));
    let is_path = |name: &&str| {
        let inside = name.split_once('/').is_some_and(|(first, _)| folder.join(first).is_dir());
        !name.contains([' ', '<', '…', '*', ':']) && (inside || name.ends_with('/') || is_file(name))
    };
    text.split('`').skip(1).step_by(2).filter(is_path).map(str::to_owned).collect()
}

#[test]
fn what_the_pages_of_packs_name_exists() {
    let mut gone = Vec::new();
    let mut seen = 0;
    for page in below("mods", "README.md") {
        let folder = common::root().join(&page).parent().unwrap().to_path_buf();
        for name in named_in_pack(&read(&page), &folder) {
            seen += 1;
            let hook = name.rsplit_once('.').map_or(name.as_str(), |(module, _)| module);
            let places = [folder.join(&name), folder.join(format!("{name}.lua")), folder.join(format!("{hook}.lua"))];
            if !places.iter().any(|path| path.exists()) && !common::root().join(&name).exists() {
                gone.push(format!("{page}: `{name}`"));
            }
        }
    }
    assert!(gone.is_empty(), "these files do not exist:\n{}", gone.join("\n"));
    assert!(seen > 40, "only {seen} names were found; are they still read?");
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = read("Cargo.toml");
    let listed = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let listed = listed.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "));
    let used: BTreeSet<&str> = listed.map(|(name, _)| name).filter(|name| !name.starts_with("principes-")).collect();
    let page = read("docs/contributing/dependencies.md");
    let (page, _) = page.split_once("## Left out").unwrap();
    let names = page.lines().filter_map(|line| line.strip_prefix("| `")).filter_map(|row| row.split(" | ").next());
    let explained: BTreeSet<&str> =
        names.flat_map(|names| names.split(", ")).map(|name| name.trim_matches('`')).collect();
    assert_eq!(explained, used, "docs/contributing/dependencies.md and Cargo.toml name different libraries");
}
