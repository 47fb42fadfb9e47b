//! The examples of `principes explain` are true: the wrong one gives its code and no other, the right one nothing.
//!
//! An example is a list of files. A line that is only a path, such as `map/spaces.json`, begins a file; `path -> target`
//! is a link; `(no pack.json)` takes the manifest away; `$ principes …` is a command that is run there; `<EF BB>` are
//! bytes. The files are put over those of `tests/explain/toy`; in `more/` and `other/` lie packs that extend it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use principes_content::explain::{EXPLANATIONS, Explanation};
use principes_content::{LoadOptions, PackSource, check};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::{AnswerError, Game, GameConfig};
use principes_core::{FactionId, StartError};
use principes_scripting::LuaHost;

/// A pack of an example.
#[derive(Clone, Default)]
struct Toy {
    name: String,
    /// `None` where the file is a link.
    files: BTreeMap<String, Option<Vec<u8>>>,
}

impl PackSource for Toy {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.files.keys().cloned().collect())
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let file = self.files.get(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        file.clone().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it is a link"))
    }
    fn label(&self, path: &str) -> String {
        format!("{}/{path}", self.name)
    }
}

#[derive(Default)]
struct Example {
    packs: BTreeMap<&'static str, Toy>,
    commands: Vec<Vec<String>>,
}

fn base() -> Toy {
    let root = Path::new("tests/explain/toy");
    let source = principes_content::folder(root);
    let paths = source.list().expect("the toy");
    let read = |path: String| (path.clone(), Some(source.read(&path).expect("a file")));
    Toy { name: "toy".to_owned(), files: paths.into_iter().map(read).collect() }
}

/// The bytes of a text in which `<EF BB>` stands for bytes.
fn bytes(text: &str) -> Vec<u8> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let inner = rest[at + 1..].split('>').next().unwrap_or_default();
        let digits: Option<Vec<u8>> = inner.split(' ').map(|hex| u8::from_str_radix(hex, 16).ok()).collect();
        found.extend(rest[..at].bytes());
        match digits.filter(|_| inner.split(' ').all(|hex| hex.len() == 2)) {
            Some(digits) => {
                found.extend(digits);
                rest = &rest[at + inner.len() + 2..];
            }
            None => {
                found.push(b'<');
                rest = &rest[at + 1..];
            }
        }
    }
    found.extend(rest.bytes());
    found
}

fn parse(text: &str) -> Example {
    let mut example = Example::default();
    example.packs.insert("", base());
    let extension = |name: &str| {
        let manifest = format!(
            r#"{{"format": 1, "api": 1, "id": "{name}", "version": "0.1.0", "title": "{name}", "kind": "extension",
                "requires": {{"toy": "*"}}}}"#
        );
        let files = BTreeMap::from([("pack.json".to_owned(), Some(manifest.into_bytes()))]);
        Toy { name: name.to_owned(), files }
    };
    let mut open: Option<(&'static str, String, String)> = None;
    let is_path = |line: &str| {
        let ends = [".json", ".lua", ".snap"].iter().any(|end| line.ends_with(end));
        ends && line.chars().all(|c| c.is_ascii_alphanumeric() || "/._- ".contains(c))
    };
    let mut files: Vec<(&'static str, String, Option<Vec<u8>>)> = Vec::new();
    let close = |open: &mut Option<(&'static str, String, String)>, files: &mut Vec<_>| {
        if let Some((pack, path, text)) = open.take() {
            files.push((pack, path, Some(bytes(&format!("{}\n", text.trim_end())))));
        }
    };
    for line in text.lines() {
        let link = line.split_once(" -> ").map(|(path, _)| path).filter(|path| is_path(path));
        let place = |path: &str| match path.split_once('/') {
            Some(("more", rest)) => ("more", rest.to_owned()),
            Some(("other", rest)) => ("other", rest.to_owned()),
            _ => ("", path.to_owned()),
        };
        if let Some(path) = link {
            let (pack, path) = place(path);
            files.push((pack, path, None));
        } else if line == "(no pack.json)" {
            example.packs.get_mut("").expect("the toy").files.remove("pack.json");
        } else if let Some(command) = line.strip_prefix("$ principes ") {
            close(&mut open, &mut files);
            example.commands.push(command.split(' ').map(str::to_owned).collect());
        } else if is_path(line) {
            close(&mut open, &mut files);
            let (pack, path) = place(line);
            open = Some((pack, path, String::new()));
        } else if let Some((_, _, text)) = &mut open {
            text.push_str(line);
            text.push('\n');
        } else {
            panic!("`{line}` belongs to no file");
        }
    }
    close(&mut open, &mut files);
    for (pack, path, content) in files {
        example.packs.entry(pack).or_insert_with(|| extension(pack)).files.insert(path, content);
    }
    example
}

/// The codes that `check` finds without playing anything.
fn checked(example: &Example) -> Vec<(String, String)> {
    let packs: Vec<Arc<dyn PackSource>> =
        example.packs.values().map(|pack| Arc::new(pack.clone()) as Arc<dyn PackSource>).collect();
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    let checked = check(&packs, &options);
    let mut found: Vec<(String, String)> =
        checked.findings.iter().map(|finding| (finding.code.to_owned(), finding.message.clone())).collect();
    // What shows itself only when it runs.
    if let Some(loaded) = checked.loaded {
        let host = loaded.host().expect("the scripts were loaded before");
        let config = GameConfig { seats: vec![FactionId::at(0), FactionId::at(1)], seed: 1, options: Vec::new() };
        let fault = match Game::new(loaded.catalog.clone(), host, config) {
            Ok(mut game) => {
                let mut players: Players<LuaHost> = Vec::new();
                for seat in [FactionId::at(0), FactionId::at(1)] {
                    players.push((seat, Box::new(RandomBot::new(1))));
                }
                loop {
                    match bots::step(&mut game, &mut players) {
                        Ok(true) => {}
                        Err(AnswerError::Script(error)) => break Some(error),
                        _ => break None,
                    }
                }
            }
            Err(StartError::Script(error)) => Some(error),
            Err(other) => panic!("{other}"),
        };
        found.extend(fault.map(|error| {
            let finding = loaded.script_finding(&error);
            (finding.code.to_owned(), finding.message)
        }));
    }
    found
}

/// The codes that `principes check` finds in files on the disk, scenarios and games included.
fn played(name: &str, example: &Example) -> Vec<(String, String)> {
    let root = std::env::temp_dir().join(format!("principes-explain-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    for (path, content) in &example.packs[""].files {
        let target: PathBuf = root.join(path);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        std::fs::write(target, content.as_ref().expect("no link")).expect("a file");
    }
    let run = |args: &[String]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_principes"));
        command.args(args).current_dir(&root).env_remove("GITHUB_ACTIONS").output().expect("the program runs")
    };
    for command in &example.commands {
        let output = run(command);
        assert_ne!(output.status.code(), Some(2), "{name}: {command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = run(&["check", ".", "--until", "play", "--format", "json"].map(str::to_owned));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let _ = std::fs::remove_dir_all(&root);
    let findings = report["findings"].as_array().expect("findings").iter();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    findings.map(|finding| (word(&finding["code"]), word(&finding["message"]))).collect()
}

/// Codes whose example is no text that could stand in a file.
const PROSE: [&str; 1] = ["P0013"];

/// The toy has no scenarios of its own, which only matters where scenarios are spoken of.
fn is_meant(entry: &Explanation, code: &str) -> bool {
    code != "P0704" || entry.code < "P0800"
}

fn is_executable(entry: &Explanation) -> bool {
    !entry.broken.is_empty() && !PROSE.contains(&entry.code)
}

fn findings(entry: &Explanation, name: &str, text: &str) -> Vec<(String, String)> {
    let example = parse(text);
    // Scenarios and games need the whole program; the rest is faster without.
    if entry.code >= "P0700" { played(&format!("{}-{name}", entry.code), &example) } else { checked(&example) }
}

#[test]
fn wrong_examples_have_their_fault_and_no_other() {
    let mut wrong = Vec::new();
    for entry in EXPLANATIONS.iter().filter(|entry| is_executable(entry)) {
        let found = findings(entry, "broken", entry.broken);
        let found: Vec<_> = found.into_iter().filter(|(code, _)| is_meant(entry, code)).collect();
        let codes: BTreeSet<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        // A game that fails does so in every seed.
        let once = found.len() == 1 || entry.code >= "P0700";
        if codes != BTreeSet::from([entry.code]) || !once {
            wrong.push(format!("{}: {found:?}", entry.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_examples_have_no_fault() {
    let mut wrong = Vec::new();
    for entry in EXPLANATIONS.iter().filter(|entry| is_executable(entry)) {
        let found = findings(entry, "mended", entry.mended);
        if found.iter().any(|(code, _)| is_meant(entry, code)) {
            wrong.push(format!("{}: {found:?}", entry.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
