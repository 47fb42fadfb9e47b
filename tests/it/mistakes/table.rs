//! The form of the table.
//!
//! ```text
//! # a zone that does not exist                 the title of an entry
//! code P0202                                   what is to be found; `none` for an edit that is right
//! base court/cards.json                        a file of the base game, or `small …` of the extension
//! -"zone": "court-deck",                       what is there; nothing for a new file
//! +"zone": «"cuort-deck"»,                     what is written instead; the finding begins at «
//! cut base court/cards.json                    the file ends where the text of the `-` lines begins
//! remove base court/cards.json                 the file is deleted
//! rename base hand/hand.lua hand/hnad.lua      the file has another name
//! at base pins/map.json «12                    a place in another file: after «, in what is there; or `start`, `end`
//! says unknown zone `cuort-deck`               words of the message, the help or the labels
//! fails base                                   a warning whose consequences are errors there, so that `check` fails
//! blocks                                       nothing else can be found beside it
//! restores                                     the fixes of all findings write what was there before
//! ```

use principes_findings::Finding;

use super::planted::{Home, Planted};

/// What is to be found.
pub struct Expected {
    pub code: String,
}

/// One kind of mistake.
pub struct Entry {
    pub title: String,
    pub code: String,
    pub says: Vec<String>,
    /// Whether it hides all other findings.
    pub blocks: bool,
    /// Whether the fixes of all findings undo it.
    pub restores: bool,
    /// The pack in which a consequence makes the check fail, although the finding itself is a warning.
    pub fails: Vec<Home>,
    pub plantings: Vec<(Home, Planting)>,
}

enum Edit {
    /// A file, what is there, what is written instead.
    Replace(String, String, String),
    Cut(String, String),
    Remove(String),
    Rename(String, String),
}

/// A mistake in one pack.
#[derive(Default)]
pub struct Planting {
    edits: Vec<Edit>,
    /// File, line and column, counted from 1.
    place: Option<(String, usize, usize)>,
    seek: Option<(String, String)>,
}

pub fn read_table() -> Vec<Entry> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let entries = text.split("\n# ").map(|entry| entry.trim_start_matches("# "));
        entries.filter(|entry| !entry.trim().is_empty()).map(|entry| Entry::read(entry, &name)).collect::<Vec<_>>()
    };
    files.iter().flat_map(read).collect()
}

fn home(word: &str, whole: &str) -> Home {
    match word {
        "base" => Home::Base,
        "small" => Home::Small,
        _ => panic!("{whole:?} names no pack"),
    }
}

impl Entry {
    pub fn read(text: &str, file: &str) -> Self {
        let mut lines = text.lines().peekable();
        let title = lines.next().unwrap_or_default().trim_start_matches("# ").trim().to_owned();
        let mut entry = Entry {
            title,
            code: String::new(),
            says: Vec::new(),
            blocks: false,
            restores: false,
            fails: Vec::new(),
            plantings: Vec::new(),
        };
        while let Some(line) = lines.next() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let take = |sign: char, lines: &mut std::iter::Peekable<std::str::Lines<'_>>| {
                let mut block: Vec<&str> = Vec::new();
                while let Some(line) = lines.peek().and_then(|line| line.strip_prefix(sign)) {
                    block.push(line);
                    lines.next();
                }
                block.join("\n")
            };
            match word {
                "" => {}
                "code" => entry.code = rest.trim().to_owned(),
                "says" => entry.says.push(rest.trim().to_owned()),
                "blocks" => entry.blocks = true,
                "restores" => entry.restores = true,
                "fails" => entry.fails.push(home(rest.trim(), line)),
                "base" | "small" => {
                    let (from, to) = (take('-', &mut lines), take('+', &mut lines));
                    entry.planting(home(word, line)).edits.push(Edit::Replace(rest.to_owned(), from, to));
                }
                "cut" | "remove" | "rename" | "at" => {
                    let (pack, rest) = rest.split_once(' ').unwrap_or_else(|| panic!("{file}: {line:?}"));
                    let planting = entry.planting(home(pack, line));
                    match word {
                        "cut" => planting.edits.push(Edit::Cut(rest.to_owned(), take('-', &mut lines))),
                        "remove" => planting.edits.push(Edit::Remove(rest.to_owned())),
                        "rename" => {
                            let (from, to) = rest.split_once(' ').unwrap_or_else(|| panic!("{file}: {line:?}"));
                            planting.edits.push(Edit::Rename(from.to_owned(), to.to_owned()));
                        }
                        _ => planting.seek = rest.split_once(' ').map(|(file, at)| (file.to_owned(), at.to_owned())),
                    }
                }
                _ => panic!("{file}: {}: {line:?}", entry.title),
            }
        }
        assert!(!entry.code.is_empty() && !entry.plantings.is_empty(), "{file}: {}", entry.title);
        entry.plantings.iter_mut().for_each(|(home, planting)| planting.find(*home));
        entry
    }

    fn planting(&mut self, home: Home) -> &mut Planting {
        let at = self.plantings.iter().position(|(other, _)| *other == home).unwrap_or_else(|| {
            self.plantings.push((home, Planting::default()));
            self.plantings.len() - 1
        });
        &mut self.plantings[at].1
    }
}

impl Planting {
    /// Applies the edits.
    pub fn plant(&self, pack: &mut Planted) {
        for edit in &self.edits {
            match edit {
                Edit::Replace(file, from, to) => pack.replace(file, from, &to.replace(['«', '»'], "")),
                Edit::Cut(file, at) => pack.cut(file, at),
                Edit::Remove(file) => pack.remove(file),
                Edit::Rename(from, to) => pack.rename(from, to),
            }
        }
    }

    /// Determines the expected place of the finding.
    fn find(&mut self, home: Home) {
        let mut pack = Planted::new(home);
        for edit in &self.edits {
            match edit {
                Edit::Replace(file, from, to) => {
                    pack.replace(file, from, to);
                    if to.contains('«') {
                        self.place = pack.place(file, "«");
                        pack.replace(file, to, &to.replace(['«', '»'], ""));
                    }
                }
                Edit::Cut(file, at) => pack.cut(file, at),
                Edit::Remove(file) => pack.remove(file),
                Edit::Rename(from, to) => pack.rename(from, to),
            }
        }
        if let Some((file, at)) = &self.seek {
            let (before, after) = at.split_once('«').unwrap_or(("", at));
            self.place = match at.as_str() {
                "start" => Some((file.clone(), 1, 1)),
                "end" => pack.end(file),
                _ => pack
                    .place(file, &format!("{before}{after}"))
                    .map(|(file, line, column)| (file, line, column + before.chars().count())),
            };
            assert!(self.place.is_some(), "{file} has no {at:?}");
        }
    }

    pub fn is_at(&self, home: Home, finding: &Finding) -> bool {
        let Some((file, line, column)) = &self.place else { return false };
        finding.file == home.label(file) && (finding.span.line, finding.span.column) == (*line, *column)
    }

    pub fn place(&self, home: Home) -> String {
        match &self.place {
            Some((file, line, column)) => format!("{}:{line}:{column}", home.label(file)),
            None => "no place".to_owned(),
        }
    }
}
