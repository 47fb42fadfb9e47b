//! Broken packs: the examples of `principes explain`, and further ones in `tests/broken`.
//!
//! A folder of `tests/broken` is named after the code of its findings, and holds the files in which it differs
//! from `tests/broken/base`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::archive;
use principes_findings::{EXPLANATIONS, EXTENSIONS, base_file};
use principes_source::open;
use principes_source::{PackSource, folder};

const MORE: &str = "tests/broken";

/// Files, some of which may be links.
#[derive(Clone)]
pub struct Pack {
    name: String,
    files: BTreeMap<String, File>,
}

#[derive(Clone)]
pub enum File {
    Content(Vec<u8>),
    Link(String),
}

impl PackSource for Pack {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.files.keys().cloned().collect())
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.files.get(path) {
            Some(File::Content(content)) => Ok(content.clone()),
            Some(File::Link(_)) => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link")),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }
    fn label(&self, path: &str) -> String {
        format!("{}/{path}", self.name)
    }
    fn is_link(&self, path: &str) -> bool {
        matches!(self.files.get(path), Some(File::Link(_)))
    }
}

/// The packs of an example: the game, and what extends it.
#[derive(Clone)]
pub struct Example(BTreeMap<String, Pack>);

/// The files of a folder.
fn files_of(root: &Path) -> BTreeMap<String, File> {
    let source = folder(root);
    let read = |path: String| (path.clone(), File::Content(source.read(&path).expect("a file")));
    source.list().expect("a folder").into_iter().map(read).collect()
}

impl Example {
    /// The output of `principes explain` as packs. A line that is only a path begins a file; `path -> target` is a
    /// link; `(no path)` removes a file. The files are put over those of the base; `more/` and `other/` hold packs that
    /// extend it.
    pub fn printed(text: &str) -> Self {
        let game = Pack { name: "toy".to_owned(), files: files_of(Path::new("content/findings/explain/base")) };
        let mut example = Example(BTreeMap::from([("toy".to_owned(), game)]));
        let is_path = |line: &str| {
            let ends = [".json", ".lua", ".md", ".snap", ".svg", ".txt"].iter().any(|end| line.ends_with(end));
            ends && line.chars().all(|c| c.is_ascii_alphanumeric() || "/._- ".contains(c))
        };
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if line.is_empty() {
                continue;
            }
            if let Some((path, target)) = line.split_once(" -> ").filter(|(path, _)| is_path(path)) {
                example.put(path, File::Link(target.to_owned()));
            } else if let Some(path) = line.strip_prefix("(no ").and_then(|rest| rest.strip_suffix(')')) {
                let gone = example.0.get_mut("toy").expect("the game").files.remove(path);
                assert!(gone.is_some(), "the base has no `{path}`");
            } else {
                assert!(is_path(line), "`{line}` belongs to no file");
                let mut content = String::new();
                while let Some(more) = lines.next_if(|line| !is_path(line) && !line.starts_with("(no ")) {
                    content.push_str(more);
                    content.push('\n');
                }
                example.put(line, File::Content(archive::bytes(&format!("{}\n", content.trim_end()))));
            }
        }
        example
    }

    fn put(&mut self, path: &str, file: File) {
        let (name, path) = match path.split_once('/') {
            Some((name, rest)) if EXTENSIONS.contains(&name) => (name, rest),
            _ => ("toy", path),
        };
        let extension = || {
            let manifest = base_file(&format!("{name}/pack.json")).expect("each has one").to_vec();
            let files = BTreeMap::from([("pack.json".to_owned(), File::Content(manifest))]);
            Pack { name: name.to_owned(), files }
        };
        self.0.entry(name.to_owned()).or_insert_with(extension).files.insert(path.to_owned(), file);
    }

    /// The packs, to be loaded together.
    pub fn sources(&self) -> Vec<Arc<dyn PackSource>> {
        self.0.values().map(|pack| Arc::new(pack.clone()) as Arc<dyn PackSource>).collect()
    }

    /// Writes the packs into a folder: one as the folder itself, several beside each other in it.
    pub fn write(&self, root: &Path) {
        for (name, pack) in &self.0 {
            let place = if self.0.len() == 1 { root.to_owned() } else { root.join(name) };
            for (path, file) in &pack.files {
                let target = place.join(path);
                std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
                match file {
                    File::Content(content) => std::fs::write(target, content).expect("a file"),
                    #[cfg(unix)]
                    File::Link(to) => std::os::unix::fs::symlink(to, target).expect("a link"),
                    #[cfg(not(unix))]
                    File::Link(_) => {}
                }
            }
        }
    }
}

/// The wrong examples that can be shown, by their codes.
pub fn examples() -> BTreeMap<&'static str, Example> {
    let shown = EXPLANATIONS.iter().filter(|entry| !entry.broken.is_empty());
    shown.map(|entry| (entry.code, Example::printed(&entry.broken))).collect()
}

/// The packs of `tests/broken`, by their codes.
pub fn more() -> BTreeMap<String, Example> {
    let base = files_of(&Path::new(MORE).join("base"));
    let entries = std::fs::read_dir(MORE).expect(MORE).map(|entry| entry.expect("an entry").path());
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries
        .map(|path| (name(&path), path))
        .filter(|(code, _)| code.starts_with('P'))
        .map(|(code, path)| {
            let mut files = base.clone();
            files.extend(files_of(&path));
            let pack = Pack { name: code.clone(), files };
            (code.clone(), Example(BTreeMap::from([(code, pack)])))
        })
        .collect()
}

/// A file that is not a valid zip file.
pub const NO_ZIP: &str = "tests/broken/pack.zip";

/// All broken packs, by names that start with their codes. Those that are shown as text come first.
pub fn all() -> BTreeMap<String, Vec<Arc<dyn PackSource>>> {
    let mut all: BTreeMap<String, Vec<Arc<dyn PackSource>>> =
        examples().into_iter().map(|(code, example)| (code.to_owned(), example.sources())).collect();
    all.extend(more().into_iter().map(|(code, example)| (format!("{code}-more"), example.sources())));
    all.insert("P0013".to_owned(), vec![open(Path::new(NO_ZIP)).expect("it can be read")]);
    all
}

/// Writes everything that is broken into a folder, under the same names.
pub fn write_all(root: &Path) {
    examples().iter().for_each(|(code, example)| example.write(&root.join(code)));
    more().iter().for_each(|(code, example)| example.write(&root.join(format!("{code}-more"))));
    std::fs::copy(NO_ZIP, root.join("P0013.zip")).expect("a file");
}
