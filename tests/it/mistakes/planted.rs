//! A pack of this repository with edits in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_findings::Finding;
use principes_source::{PackSource, Stamp, folder};

/// Where mistakes are planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Base,
    Small,
}

impl Home {
    fn path(self) -> &'static str {
        match self {
            Home::Base => "content/principes",
            Home::Small => "mods/amber-road",
        }
    }

    /// How users name a file of it.
    pub fn label(self, file: &str) -> String {
        format!("{}/{file}", self.path())
    }
}

/// The pack with edits.
pub struct Planted {
    home: Home,
    under: Arc<dyn PackSource>,
    /// Content of changed files; `None` for deleted ones.
    files: BTreeMap<String, Option<String>>,
}

impl Planted {
    pub fn new(home: Home) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        Planted { home, under: folder(root.join(home.path())), files: BTreeMap::new() }
    }

    fn text(&self, file: &str) -> Option<String> {
        match self.files.get(file) {
            Some(text) => text.clone(),
            None => String::from_utf8(self.under.read(file).ok()?).ok(),
        }
    }

    /// Replaces the first occurrence of a text. Without a text, it writes a new file.
    #[track_caller]
    pub fn replace(&mut self, file: &str, from: &str, to: &str) {
        let new = match self.text(file) {
            Some(text) if !from.is_empty() => {
                assert!(text.contains(from), "{file} has no {from:?}");
                text.replacen(from, to, 1)
            }
            None if !from.is_empty() => panic!("there is no {file}"),
            _ => to.to_owned() + "\n",
        };
        self.files.insert(file.to_owned(), Some(new));
    }

    #[track_caller]
    pub fn cut(&mut self, file: &str, at: &str) {
        let text = self.text(file).unwrap_or_else(|| panic!("there is no {file}"));
        let end = text.find(at).unwrap_or_else(|| panic!("{file} has no {at:?}"));
        self.files.insert(file.to_owned(), Some(text[..end].to_owned()));
    }

    /// Applies the fixes of findings, the last place first.
    pub fn fix(&mut self, findings: &[Finding]) {
        let edits = findings.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.edits);
        let mut edits: Vec<_> = edits.collect();
        edits.sort_by_key(|edit| std::cmp::Reverse((&edit.file, edit.span.bytes.start)));
        for edit in edits {
            let file = edit.file.strip_prefix(&self.home.label("")).unwrap_or(&edit.file).to_owned();
            let mut text = self.text(&file).unwrap_or_default();
            text.replace_range(edit.span.bytes.clone(), &edit.text);
            self.files.insert(file, Some(text));
        }
    }

    /// The files that differ from those of the pack.
    pub fn changed(&self) -> Vec<&str> {
        let was = |file: &str| String::from_utf8(self.under.read(file).ok()?).ok();
        let differs = |(file, text): &(&String, &Option<String>)| was(file) != **text;
        self.files.iter().filter(differs).map(|(file, _)| file.as_str()).collect()
    }

    pub fn remove(&mut self, file: &str) {
        assert!(self.text(file).is_some(), "there is no {file}");
        self.files.insert(file.to_owned(), None);
    }

    pub fn rename(&mut self, from: &str, to: &str) {
        let text = self.text(from);
        self.remove(from);
        self.files.insert(to.to_owned(), text);
    }

    /// Where a text begins: file, line and column.
    pub fn place(&self, file: &str, sought: &str) -> Option<(String, usize, usize)> {
        let text = self.text(file)?;
        Some(at(file, &text[..text.find(sought)?]))
    }

    /// The last character of a file that is not a blank.
    pub fn end(&self, file: &str) -> Option<(String, usize, usize)> {
        let text = self.text(file)?;
        let (last, _) = text.trim_end().char_indices().next_back()?;
        Some(at(file, &text[..last]))
    }
}

/// The place after a text.
fn at(file: &str, before: &str) -> (String, usize, usize) {
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (file.to_owned(), before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The notation of the table for invisible bytes and characters.
fn bytes(text: &str) -> Vec<u8> {
    let text = text.replace("\\u{feff}", "\u{feff}").replace("\\u{200b}", "\u{200b}");
    let parts: Vec<&[u8]> = text.split("\\xff").map(str::as_bytes).collect();
    parts.join(&b"\xff"[..])
}

impl PackSource for Planted {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut all = self.under.list()?;
        all.retain(|path| !self.files.contains_key(path));
        all.extend(self.files.iter().filter(|(_, content)| content.is_some()).map(|(path, _)| path.clone()));
        all.sort();
        Ok(all)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.files.get(path) {
            Some(Some(text)) => Ok(bytes(text)),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => self.under.read(path),
        }
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        if self.files.contains_key(path) { None } else { self.under.stamp(path) }
    }

    fn label(&self, path: &str) -> String {
        self.home.label(path)
    }

    fn beside(&self) -> Option<PathBuf> {
        self.under.beside()
    }
}
