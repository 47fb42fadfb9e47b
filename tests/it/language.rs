//! The language of the house: one word for one thing, as `docs/glossary.md` decides, and American spelling, as
//! `docs/style.md` asks. The tests read documents, explanations, English messages of packs and of the program, titles of
//! scenarios, the pages of the studio, the comments and texts of Rust sources, and the comments of scripts and tools.
//! Code in backticks, code blocks, link targets, and texts without a space (identifiers) do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::root;

/// Words that are refused, and what to write instead. `*` at the end stands for any ending.
const SECOND_WORDS: &[(&str, &str)] = &[
    ("diagnostic", "finding: what `check` says about a pack"),
    ("diagnostics", "findings: what `check` says about a pack"),
    ("faults", "findings or errors; a fault is only a game in `sim` that a script error ended"),
    ("plays at any time", "asides"),
    ("play at any time", "aside"),
    ("plays beside decisions", "asides"),
    ("play beside decisions", "aside"),
    ("stored run", "snapshot: a stored transcript"),
    ("stored runs", "snapshots: stored transcripts"),
    ("sort of piece", "kind"),
    ("sorts of pieces", "kinds"),
    ("kind of card", "card type, or card design"),
    ("crew", "workers"),
];

/// Phrases that are not idiomatic English, and what to write instead.
const STIFF: &[(&str, &str)] = &[
    ("unless said", "Default: …"),
    ("gone on with", "resumed"),
    ("anew", "again, or new"),
    ("whoever", "the seat, faction or player who"),
    ("for ever", "forever"),
    ("has not the", "does not have the"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("slips", "mistakes, or typos"),
    ("sits down", "takes a seat"),
    ("complained of", "reported"),
    ("must be there", "is required, or must exist"),
    ("in one look", "at once"),
    ("leads nowhere", "names something that does not exist"),
    ("looks whether", "checks whether"),
    ("goes on with", "continues with"),
    ("go on with", "continue with"),
    ("tells of", "reports, or describes"),
    ("told of", "shown, or reported"),
    ("in vain", "without effect"),
    ("brings about", "causes"),
    ("come to light", "been revealed"),
    ("hears of", "is notified of, or runs for"),
    ("is taken for", "is treated as, or mistaken for"),
    ("speaks of", "mentions, or is about"),
    ("hang on", "depend on"),
    ("hangs on", "depends on"),
    ("nothing where", "nothing if"),
    ("none where", "none if"),
    ("false where", "false if"),
    ("where there is none", "if there is none"),
    ("where it has one", "if it has one"),
    ("stands whole", "is complete"),
    ("of their own kind", "of the same kind"),
    ("so many", "this many, or the number"),
    ("on offer", "an option"),
    ("became of", "happened to, or the result of"),
    ("becomes of", "happens to"),
    ("what came of", "the result of"),
    ("was asked for", "was requested"),
    ("gives back", "returns"),
    ("gone through", "walked, or visited"),
    ("goes to rest", "yields, or waits"),
    ("leads there", "reaches it"),
    ("lead there", "reach it"),
    ("stands behind", "follows"),
    ("anybody but", "anybody except"),
    ("by place in the list", "by index in the list"),
    ("the short way", "the fast path"),
    ("the long way", "the slow path"),
    ("takes the last answer back", "takes back the last answer"),
    ("none if it has none", "None if there is none"),
];

/// British spellings, and the American ones.
const BRITISH: &[(&str, &str)] = &[
    ("neighbour*", "neighbor"),
    ("colour*", "color"),
    ("favour*", "favor"),
    ("honour*", "honor"),
    ("harbour*", "harbor"),
    ("behaviour*", "behavior"),
    ("rumour*", "rumor"),
    ("armour*", "armor"),
    ("labour*", "labor"),
    ("licence*", "license"),
    ("defence*", "defense"),
    ("offence*", "offense"),
    ("centre*", "center"),
    ("judgement*", "judgment"),
    ("catalogue*", "catalog"),
    ("artefact*", "artifact"),
    ("grey", "gray"),
    ("misspelt", "misspelled"),
    ("spelt", "spelled"),
    ("learnt", "learned"),
    ("whilst", "while"),
    ("amongst", "among"),
    ("analyser*", "analyzer"),
    ("analyse*", "analyze"),
    ("serialis*", "serialize"),
    ("deserialis*", "deserialize"),
    ("normalis*", "normalize"),
    ("recognis*", "recognize"),
    ("optimis*", "optimize"),
    ("initialis*", "initialize"),
    ("organis*", "organize"),
    ("modelling", "modeling"),
    ("travelling", "traveling"),
    ("cancelled", "canceled"),
    ("canonis*", "canonize"),
    ("jeweller*", "jeweler"),
    ("afterwards", "afterward"),
    ("labelled", "labeled"),
];

/// Words that no type of the libraries may carry in its name, and what to write instead.
const TYPE_WORDS: &[(&str, &str)] = &[
    ("Diagnostic", "Finding, Violation or Error"),
    ("Issue", "Finding, Violation or Error"),
    ("Problem", "Finding, Violation or Error"),
    ("Question", "Decision"),
    ("Ask", "Decision"),
    ("Choice", "Option"),
    ("Crew", "Workers"),
    ("Handler", "Hook"),
    ("Callback", "Hook"),
    ("Rollout", "Playout"),
    ("Checksum", "Digest"),
    ("Stand", "State"),
    ("Deed", "Effect"),
    ("Meant", "Recovered"),
    ("Faulty", "Broken"),
];

/// Pages that show the refused words on purpose, or are written in another language.
const EXEMPT: &[&str] = &["docs/glossary.md", "docs/style.md", "mods/deutsch/README.md", "tests/it/language.rs"];

/// Whether the law applies to a file.
fn counts(path: &Path) -> bool {
    !EXEMPT.contains(&name(path).as_str())
}

// What is scanned --------------------------------------------------------------------------------------------------

/// A word in lower case, and its line.
type Word = (String, usize);

fn words(text: &str, first_line: usize) -> Vec<Word> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let parts = line.split(|c: char| !c.is_alphabetic()).filter(|part| !part.is_empty());
        found.extend(parts.map(|part| (part.to_lowercase(), first_line + at)));
    }
    found
}

/// The text without code in backticks, with the same lines.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let keep = |c: char| {
        if c == '`' {
            is_code = !is_code;
            return ' ';
        }
        if is_code && c != '\n' { '|' } else { c }
    };
    text.chars().map(keep).collect()
}

/// The words of a text in a source, without code, placeholders and JSON keys.
fn spoken(text: &str) -> String {
    let text = without_code(text);
    let mut kept = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '"']) {
        kept.push_str(&rest[..at]);
        kept.push(' ');
        let inside = &rest[at + 1..];
        let name = inside.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(inside.len());
        let ends = |end: &str| inside[name..].starts_with(end);
        let is_name = name > 0 && (ends("}") || ends(":") || ends("\":"));
        rest = if is_name { &inside[name..] } else { inside };
    }
    kept.push_str(rest);
    kept
}

/// The prose of a Markdown page, without code blocks, code and link targets.
fn prose(page: &str) -> String {
    let mut text = String::new();
    let mut in_block = false;
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        // An indented block is code, an indented line of a list is not.
        let is_code = in_block || fence || (line.starts_with("    ") && !text.ends_with("|\n"));
        text.push_str(if is_code { "" } else { line });
        text.push('\n');
    }
    let mut kept = String::new();
    for (at, part) in without_code(&text).split("](").enumerate() {
        // The target of the link before ends at the bracket.
        let from = if at == 0 { 0 } else { part.find(')').unwrap_or(0) };
        kept.push_str(&part[from..]);
        kept.push(' ');
    }
    kept
}

/// What a Rust source says to people, with lines: its comments, and its texts that contain a space.
fn texts(source: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let (kind, length) = token(rest);
        let text = &rest[..length.max(next.len_utf8())];
        if kind != Token::Other && (kind == Token::Comment || text.contains(' ')) {
            found.push((text.trim_start_matches('/').to_owned(), line));
        }
        line += text.matches('\n').count();
        rest = &rest[text.len()..];
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Comment,
    Text,
    Other,
}

/// The kind and length of the token at the start of a source.
fn token(rest: &str) -> (Token, usize) {
    let end = |from: usize, close: &str| rest[from..].find(close).map_or(rest.len(), |at| from + at + close.len());
    if rest.starts_with("//") {
        return (Token::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    for (open, close) in [("r\"", "\""), ("r#\"", "\"#"), ("r##\"", "\"##")] {
        if rest.starts_with(open) {
            return (Token::Text, end(open.len(), close));
        }
    }
    if rest.starts_with('"') {
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '"' if !escaped => return (Token::Text, at + 1),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        return (Token::Text, rest.len());
    }
    // A quotation mark in a character literal does not start a text.
    for quote in ["'\"'", "'\\\"'"] {
        if rest.starts_with(quote) {
            return (Token::Other, quote.len());
        }
    }
    // A name that ends in `r` before a text does not make it raw.
    let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    (Token::Other, name)
}

/// Comments that begin with a mark, with lines. Comments on lines that follow each other are one text.
fn comments(source: &str, mark: &str) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut last = 0;
    for (at, line) in source.lines().enumerate() {
        let Some((_, comment)) = line.split_once(mark) else { continue };
        match found.last_mut().filter(|_| at > 0 && last == at) {
            Some((text, _)) => *text += &format!("\n{comment}"),
            None => found.push((comment.to_owned(), at + 1)),
        }
        last = at + 1;
    }
    found
}

/// What a script of a page says to people: its comments, and its texts that contain a space, without their `${…}`.
fn page_texts(source: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(next) = rest.chars().next() {
        let end = |open: usize, close: &str| rest[open..].find(close).map_or(rest.len(), |at| open + at + close.len());
        let length = match next {
            '/' if rest.starts_with("//") => end(2, "\n") - 1,
            '/' if rest.starts_with("/*") => end(2, "*/"),
            '"' | '`' => end(1, &next.to_string()),
            _ => next.len_utf8(),
        };
        let text = &rest[..length.max(1)];
        if text.contains(' ') && text.len() > 1 {
            let mut parts = text.trim_matches(['"', '`']).split("${");
            let first = parts.next().unwrap_or_default().to_owned();
            let spoken = parts.fold(first, |all, part| all + " | " + part.split_once('}').map_or("", |(_, text)| text));
            found.push((spoken, line));
        }
        line += text.matches('\n').count();
        rest = &rest[text.len()..];
    }
    found
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|ending| ending == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/")
}

/// The refused words in a text, each with its place and what to write instead.
fn refused(file: &str, words: &[Word]) -> Vec<String> {
    let fits = |word: &str, wanted: &str| match wanted.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == wanted,
    };
    let mut found = Vec::new();
    for (wanted, instead) in SECOND_WORDS.iter().chain(STIFF).chain(BRITISH) {
        let parts: Vec<&str> = wanted.split(' ').collect();
        for window in words.windows(parts.len()) {
            if window.iter().zip(&parts).all(|((word, _), part)| fits(word, part)) {
                found.push(format!("{file}:{}: `{}`: write {instead}", window[0].1, wanted.trim_end_matches('*')));
            }
        }
    }
    found
}

fn assert_clean(found: &[String], scanned: usize, least: usize) {
    assert!(found.is_empty(), "see docs/style.md and docs/glossary.md:\n{}", found.join("\n"));
    assert!(scanned >= least, "only {scanned} files were scanned; are they still found?");
}

// The laws ---------------------------------------------------------------------------------------------------------

#[test]
fn documents_speak_the_language_of_the_house() {
    let pages: Vec<PathBuf> = files(root(), "md").into_iter().filter(|path| counts(path)).collect();
    let found: Vec<String> = pages
        .iter()
        .flat_map(|path| refused(&name(path), &words(&prose(&std::fs::read_to_string(path).unwrap()), 1)))
        .collect();
    assert_clean(&found, pages.len(), 100);
}

#[test]
fn english_messages_speak_the_language_of_the_house() {
    let folders = ["content/locale", "content/principes", "mods", "cli/templates", "app/src/words"];
    let packs = folders.map(|folder| files(&root().join(folder), "json"));
    let is_english =
        |path: &PathBuf| (name(path).contains("/locale/en/") || name(path).ends_with("en.json")) && counts(path);
    let english: Vec<PathBuf> = packs.concat().into_iter().filter(is_english).collect();
    let mut found = Vec::new();
    for path in &english {
        // Keys are ids; only what follows them is read by players.
        for (at, line) in std::fs::read_to_string(path).unwrap().lines().enumerate() {
            let text = line.split_once("\": ").map_or(line, |(_, text)| text);
            found.extend(refused(&name(path), &words(text, at + 1)));
        }
    }
    assert_clean(&found, english.len(), 20);
}

#[test]
fn titles_of_scenarios_speak_the_language_of_the_house() {
    let folders = ["content/principes", "mods", "cli/templates"];
    let all = folders.map(|folder| files(&root().join(folder), "json")).concat();
    let scenarios: Vec<PathBuf> = all.into_iter().filter(|path| name(path).contains("scenarios")).collect();
    let mut found = Vec::new();
    for path in &scenarios {
        for (at, line) in std::fs::read_to_string(path).unwrap().lines().enumerate() {
            let Some((_, title)) = line.split_once("\"title\": ") else { continue };
            found.extend(refused(&name(path), &words(&without_code(title), at + 1)));
        }
    }
    assert_clean(&found, scenarios.len(), 150);
}

/// Lines of prose are at most this long, so that a change is a readable difference.
const WIDEST_LINE: usize = 120;

#[test]
fn lines_of_prose_are_short() {
    let mut found = Vec::new();
    // These pages are generated from texts without line breaks.
    let is_written = |path: &PathBuf| name(path) != "docs/api.md" && !name(path).starts_with("docs/reference/");
    for path in files(root(), "md").into_iter().filter(is_written) {
        let mut in_block = false;
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            in_block ^= line.trim_start().starts_with("```");
            let is_prose = !in_block
                && !line.trim_start().starts_with(['|', '#'])
                && !line.starts_with("    ")
                && !line.starts_with("![");
            if is_prose && line.chars().count() > WIDEST_LINE {
                found.push(format!("{}:{}: {} characters", name(&path), at + 1, line.chars().count()));
            }
        }
    }
    assert!(found.is_empty(), "break these lines at {WIDEST_LINE} characters:\n{}", found.join("\n"));
}

/// What the comments of some files say to people.
fn refused_in_comments(paths: &[PathBuf], mark: &str) -> Vec<String> {
    let of = |path: &PathBuf| {
        let texts = comments(&std::fs::read_to_string(path).unwrap(), mark);
        let found = texts.iter().flat_map(|(text, line)| refused(&name(path), &words(&without_code(text), *line)));
        found.collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}

#[test]
fn scripts_and_tools_speak_the_language_of_the_house() {
    let scripts = files(root(), "lua");
    assert_clean(&refused_in_comments(&scripts, "--"), scripts.len(), 100);
    let tools = std::fs::read_dir(root().join(".ci")).unwrap().map(|entry| entry.unwrap().path());
    let tools: Vec<PathBuf> = tools.filter(|path| path.is_file()).collect();
    assert_clean(&refused_in_comments(&tools, "# "), tools.len(), 8);
    // What a tool in Python says about itself.
    let said = tools.iter().filter_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        Some(refused(&name(path), &words(text.split("\"\"\"").nth(1)?, 2)))
    });
    assert_clean(&said.flatten().collect::<Vec<_>>(), tools.len(), 8);
}

#[test]
fn pages_of_the_studio_speak_the_language_of_the_house() {
    let folder = root().join("studio/assets");
    let mut found = Vec::new();
    for path in files(&folder, "html") {
        // Attributes are read, too: some are texts.
        let page = std::fs::read_to_string(&path).unwrap().replace("class=\"", "`").replace(['<', '>'], " ");
        found.extend(refused(&name(&path), &words(&page, 1)));
    }
    let scripts = files(&folder, "js");
    for path in &scripts {
        for (text, line) in page_texts(&std::fs::read_to_string(path).unwrap()) {
            found.extend(refused(&name(path), &words(&text, line)));
        }
    }
    assert_clean(&found, scripts.len(), 15);
}

#[test]
fn sources_speak_the_language_of_the_house() {
    let mut found = Vec::new();
    let mut scanned = 0;
    for path in files(root(), "rs") {
        let file = name(&path);
        if !counts(&path) {
            continue;
        }
        scanned += 1;
        for (text, line) in texts(&std::fs::read_to_string(&path).unwrap()) {
            found.extend(refused(&file, &words(&spoken(&text), line)));
        }
    }
    assert_clean(&found, scanned, 10);
}

/// The types that a source defines, each with its line.
fn types(source: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, line) in source.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with("//")).collect();
        let defined = words.windows(2).find(|pair| ["struct", "enum", "trait", "type"].contains(&pair[0]));
        let name = defined.and_then(|pair| pair[1].split(|c: char| !c.is_alphanumeric()).next());
        found.extend(name.filter(|name| name.starts_with(char::is_uppercase)).map(|name| (name.to_owned(), at + 1)));
    }
    found
}

/// The words of a name such as `GameState`.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for c in name.chars() {
        match parts.last_mut() {
            Some(part) if !c.is_uppercase() => part.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    parts
}

/// Rust sources of the libraries and the program, without their tests.
fn sources() -> Vec<PathBuf> {
    let folders = ["app", "cli", "content", "core", "draw", "print", "schemas", "scripting", "studio"];
    let all = folders.iter().flat_map(|folder| files(&root().join(folder), "rs"));
    let inside = |path: &Path| path.strip_prefix(root()).unwrap().to_owned();
    all.filter(|path| !inside(path).components().any(|part| part.as_os_str() == "tests")).collect()
}

#[test]
fn types_carry_the_words_of_the_glossary() {
    let mut found = Vec::new();
    for path in sources() {
        for (defined, line) in types(&std::fs::read_to_string(&path).unwrap()) {
            let refused = TYPE_WORDS.iter().filter(|(word, _)| parts(&defined).iter().any(|part| part == word));
            found.extend(
                refused
                    .map(|(word, instead)| format!("{}:{line}: `{defined}`: not {word}, but {instead}", name(&path))),
            );
        }
    }
    assert_clean(&found, sources().len(), 200);
}

/// The types that a source defines, without associated types and those of its tests.
fn defined(source: &str) -> Vec<(String, usize)> {
    let tests = source.find("#[cfg(test)]").unwrap_or(source.len());
    let lines: Vec<&str> = source.lines().collect();
    let is_associated = |line: usize| lines[line - 1].starts_with("    type ");
    types(&source[..tests]).into_iter().filter(|(_, line)| !is_associated(*line)).collect()
}

/// Where the types of some folders are defined, by name.
fn definitions(folders: &[&str], is_public: bool) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources().iter().filter(|path| folders.iter().any(|folder| name(path).starts_with(folder))) {
        let source = std::fs::read_to_string(path).unwrap();
        for (defined, line) in defined(&source) {
            if !is_public || source.lines().nth(line - 1).is_some_and(|line| line.starts_with("pub ")) {
                found.entry(defined).or_default().push(format!("{}:{line}", name(path)));
            }
        }
    }
    found
}

#[test]
fn a_type_name_means_one_thing_in_content() {
    let ours = definitions(&["content/"], false);
    // What another crate keeps to itself is its own. A kernel type and the JSON that describes it share a name.
    let others = definitions(&["core/", "schemas/"], true);
    let mut twice = Vec::new();
    for (name, places) in &ours {
        let elsewhere = others.get(name).into_iter().flatten();
        let places: Vec<&str> = places.iter().chain(elsewhere).map(String::as_str).collect();
        if places.len() > 1 {
            twice.push(format!("`{name}` is defined in {}", places.join(" and ")));
        }
    }
    assert!(twice.is_empty(), "give each type its own name, see docs/glossary.md:\n{}", twice.join("\n"));
    assert!(ours.len() > 150 && others.len() > 100, "only {} and {} types were found", ours.len(), others.len());
}

/// Public types of the libraries that still share a name. Do not add one: call a new type what it is.
const SHARED_NAMES: &[&str] = &[
    "Answer",
    "Args",
    "Change",
    "Die",
    "Edit",
    "Effect",
    "Face",
    "Fonts",
    "Format",
    "Frame",
    "Group",
    "Item",
    "Name",
    "Plan",
    "Played",
    "Progress",
    "Replacement",
    "Reply",
    "Request",
    "Role",
    "Rows",
    "ScenarioResult",
    "Setting",
    "Settings",
    "Shape",
    "Site",
    "Stage",
    "Step",
    "Style",
    "Table",
    "Verdict",
    "Watch",
];

#[test]
fn a_public_type_name_means_one_thing() {
    let libraries = ["app/", "content/", "core/", "draw/", "print/", "schemas/", "scripting/", "studio/"];
    let mut shared = Vec::new();
    for (name, places) in definitions(&libraries, true) {
        // A kernel type and the JSON that describes it share a name.
        let is_pair = places.len() == 2 && places[0].starts_with("core/") && places[1].starts_with("schemas/");
        if places.len() > 1 && !is_pair {
            shared.push((name, places.join(" and ")));
        }
    }
    let new = shared.iter().filter(|(name, _)| !SHARED_NAMES.contains(&name.as_str()));
    let new: Vec<String> = new.map(|(name, places)| format!("`{name}` is defined in {places}")).collect();
    assert!(new.is_empty(), "give each type its own name, see docs/glossary.md:\n{}", new.join("\n"));
    let gone: Vec<_> = SHARED_NAMES.iter().filter(|name| shared.iter().all(|(found, _)| found != *name)).collect();
    assert!(gone.is_empty(), "remove these from SHARED_NAMES: {gone:?}");
}

/// A fault is a game in `sim` that a script error ended, so content has none.
#[test]
fn content_has_no_faults() {
    let mut found = Vec::new();
    for path in files(&root().join("content"), "rs") {
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let mut parts = line.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
            if parts.any(|part| ["fault", "faults", "faulty"].contains(&part.as_str())) {
                found.push(format!("{}:{}: say finding, failure or broken", name(&path), at + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn types_that_the_glossary_names_exist() {
    let glossary = std::fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let text: String = sources().iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let known: BTreeSet<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
    let cells = glossary.lines().filter_map(|line| line.split('|').nth(3));
    let named: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let types: Vec<&&str> = named.iter().filter(|name| name.starts_with(char::is_uppercase)).collect();
    let missing: Vec<_> = types.iter().filter(|name| !name.split("::").all(|part| known.contains(part))).collect();
    assert!(types.len() > 30 && missing.is_empty(), "docs/glossary.md names types that do not exist: {missing:?}");
}

#[test]
fn types_are_found_in_sources() {
    let source =
        "/// A struct Choice.\npub struct DecisionOption {\npub(crate) type Found<T> = T;\nlet a: type_name;\n";
    assert_eq!(types(source), [("DecisionOption".to_owned(), 2), ("Found".to_owned(), 3)]);
    assert_eq!(parts("DecisionOption"), ["Decision", "Option"]);
}

#[test]
fn refused_words_are_found_where_people_read() {
    let page = "Two neighbours\nplay at\nany time: `colour` is code, [a link](favour.md) leads on.\n```\nanew\n```\n";
    let found = refused("page.md", &words(&prose(page), 1));
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("page.md:2: `play at any time`"), "{found:#?}");
    assert!(found[1].starts_with("page.md:1: `neighbour`"), "{found:#?}");

    let source = "/// The colour.\nlet a = '\"'; let colour = \"colour\"; call(\"the \\\" harbour\", r#\"grey \"colour\": 1\"#);\n";
    let found: Vec<String> =
        texts(source).iter().flat_map(|(text, line)| refused("a.rs", &words(&spoken(text), *line))).collect();
    let lines: Vec<&str> = found.iter().filter_map(|found| found.split(": write").next()).collect();
    assert_eq!(lines, ["a.rs:1: `colour`", "a.rs:2: `harbour`", "a.rs:2: `grey`"]);

    let script = "-- Counts\n-- anew.\nlocal a = 1\n--- The colour.\n";
    assert_eq!(comments(script, "--"), [(" Counts\n anew.".to_owned(), 1), ("- The colour.".to_owned(), 4)]);
    let page = "// One\nlet lit = \"lit\"; say(`the ${lit} colour`); /* two\nwords */";
    let said = [("// One", 1), ("the  |  colour", 2), ("/* two\nwords */", 2)];
    assert_eq!(page_texts(page), said.map(|(text, line)| (text.to_owned(), line)));
}
