//! The long explanation of every code.
//!
//! Each code has a folder in `content/findings/explain`. `about.md` is the text. `broken` and `fixed`
//! have the files in which the two examples differ from the correct game in `base`, and `both` has files that they
//! share. Extensions of the game, with their manifests, are in `more` and `other`. A file `x.link` makes `x` a link,
//! and a file `x.gone` removes `x`. Files of `base` need not be repeated in `fixed`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, File, include_dir};

use crate::code::Code;
use crate::severity::Severity;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/explain");

/// What a code means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// As findings show it, such as `P0202`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters and what to do.
    pub text: String,
    /// The wrong example as files, each below a line with its path. Empty if text cannot show the mistake.
    pub broken: String,
    /// The corrected example.
    pub fixed: String,
}

/// All codes in order. A code keeps its meaning forever; new meanings get new codes.
pub static EXPLANATIONS: LazyLock<Vec<Explanation>> = LazyLock::new(|| {
    let mut all: Vec<Explanation> = FOLDER
        .dirs()
        .filter(|folder| folder.get_file(folder.path().join(ABOUT)).is_some())
        // A test reads every folder, so this cannot happen.
        .map(|folder| read(folder).unwrap_or_else(|| panic!("{} does not name its topic", folder.path().display())))
        .collect();
    all.sort_by_key(|entry| entry.code);
    all
});

const ABOUT: &str = "about.md";

/// Packs of examples that extend the game.
pub const EXTENSIONS: [&str; 2] = ["more", "other"];

/// A file of the packs that the examples change, by its path in an example.
pub fn base_file(path: &str) -> Option<&'static [u8]> {
    let extends = path.split_once('/').is_some_and(|(name, _)| EXTENSIONS.contains(&name));
    let path = if extends { path.to_owned() } else { format!("base/{path}") };
    FOLDER.get_file(path).map(File::contents)
}

/// The explanation of a code, in upper or lower case.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    EXPLANATIONS.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

impl Explanation {
    /// The explanation as plain text.
    pub fn print(&self) -> String {
        let mut text = format!("{} ({}): {}\n\n{}\n", self.code, self.severity.name(), self.title, self.text);
        let indent = |example: &str| {
            let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
            example.lines().map(line).collect::<String>()
        };
        if !self.broken.is_empty() {
            text.push_str(&format!("\nWrong:\n\n{}\nRight:\n\n{}", indent(&self.broken), indent(&self.fixed)));
        }
        text
    }

    /// The explanation as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("**{}** ({}): {}\n\n{}\n", self.code, self.severity.name(), self.title, self.text);
        if !self.broken.is_empty() {
            text.push_str(&format!("\nWrong:\n\n```\n{}```\n\nRight:\n\n```\n{}```\n", self.broken, self.fixed));
        }
        text
    }
}

fn read(folder: &'static Dir<'static>) -> Option<Explanation> {
    let name = folder.path().to_str()?;
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == name)?;
    let about = folder.get_file(folder.path().join(ABOUT))?.contents_utf8()?;
    let (heading, text) = about.split_once("\n\n")?;
    let (severity, title) = (code.severity(), code.title());
    let title_line = heading.strip_prefix("# ")?;
    (title_line == format!("{}: {title}", severity.name())).then_some(())?;
    let code = code.as_str();
    let paragraphs: Vec<String> = text.split("\n\n").map(|text| text.trim().replace('\n', " ")).collect();
    let part = |name: &str| folder.get_dir(folder.path().join(name)).map(files).unwrap_or_default();
    let (both, broken, fixed) = (part("both"), part("broken"), part("fixed"));
    let mut right = both.clone();
    for path in broken.keys().map(|path| Form::of(path).0) {
        right.extend(base_file(path).map(|content| (path, content)));
    }
    right.extend(fixed);
    let mut wrong = both;
    wrong.extend(broken);
    let text = paragraphs.join("\n\n");
    Some(Explanation { code, severity, title, text, broken: shown(&wrong), fixed: shown(&right) })
}

/// What an entry of an example is.
#[derive(Clone, Copy)]
enum Form {
    Content,
    Link,
    Gone,
}

impl Form {
    /// A path and its entry.
    fn of(path: &str) -> (&str, Form) {
        if let Some(path) = path.strip_suffix(".link") {
            return (path, Form::Link);
        }
        path.strip_suffix(".gone").map_or((path, Form::Content), |path| (path, Form::Gone))
    }
}

type Files = BTreeMap<&'static str, &'static [u8]>;

/// The files of a part of an example, by their paths inside the pack.
fn files(part: &'static Dir<'static>) -> Files {
    let mut found = Files::new();
    let mut open = vec![part];
    while let Some(folder) = open.pop() {
        open.extend(folder.dirs());
        let path = |file: &'static File<'static>| file.path().strip_prefix(part.path()).ok()?.to_str();
        found.extend(folder.files().filter_map(|file| Some((path(file)?, file.contents()))));
    }
    found
}

/// Files as the page shows them.
fn shown(files: &Files) -> String {
    let file = |(path, content): (&&str, &&[u8])| match (Form::of(path), visible(content)) {
        ((path, Form::Content), content) => format!("{path}\n{}\n", content.trim_end()),
        ((path, Form::Link), target) => format!("{path} -> {}\n", target.trim_end()),
        ((path, Form::Gone), _) => format!("(no {path})\n"),
    };
    files.iter().map(file).collect::<Vec<_>>().join("\n")
}

/// A text with invisible bytes written as `<EF BB BF>`.
fn visible(content: &[u8]) -> String {
    let mut text = String::new();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ");
    for chunk in content.utf8_chunks() {
        text.push_str(&chunk.valid().replace(MARK, &format!("<{}>", hex(MARK.as_bytes()))));
        if !chunk.invalid().is_empty() {
            text.push_str(&format!("<{}>", hex(chunk.invalid())));
        }
    }
    text
}

/// The byte order mark.
const MARK: &str = "\u{feff}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(EXPLANATIONS.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert!(EXPLANATIONS.iter().all(|entry| entry.broken.is_empty() == entry.fixed.is_empty()));
        assert!(EXPLANATIONS.iter().all(|entry| entry.broken != entry.fixed || entry.broken.is_empty()));
        assert!(explain("p0202").is_some_and(|entry| entry.print().contains("dekc")));
        assert!(explain("P9999").is_none());
    }

    #[test]
    fn every_code_has_a_page() {
        let pages: Vec<&str> = EXPLANATIONS.iter().map(|entry| entry.code).collect();
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(pages, codes);
    }
}
