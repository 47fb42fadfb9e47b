//! Stored transcripts, in the format of the `insta` crate, so that its tools show and accept them too.

use std::io;

use principes_findings::visible;
use similar::{ChangeTag, TextDiff};

use crate::files::ScenarioFile;

/// How a transcript compares with the stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are equal.
    Same,
    /// Nothing is stored yet.
    New,
    /// They differ.
    Changed,
    /// It was stored just now.
    Accepted,
    /// It could not be stored.
    Unwritable(String),
}

/// The stored text without its front matter.
pub fn body(stored: &str) -> &str {
    let stored = stored.strip_prefix("---").unwrap_or(stored);
    match stored.split_once("\n---\n") {
        Some((_, body)) => body,
        None => stored,
    }
}

/// Line ends and trailing blank lines do not count, as with `insta`.
fn normal(text: &str) -> String {
    text.replace("\r\n", "\n").trim_end().to_owned()
}

/// Whether a transcript is what the stored file says.
pub fn is_same(stored: &str, transcript: &str) -> bool {
    normal(body(&normal(stored))) == normal(transcript)
}

/// Compares a transcript with the stored one.
pub(crate) fn compare(file: &ScenarioFile, transcript: &str) -> Verdict {
    match &file.stored {
        None => Verdict::New,
        Some(stored) if is_same(stored, transcript) => Verdict::Same,
        Some(_) => Verdict::Changed,
    }
}

/// The path of a scenario's snapshot as users write it.
pub(crate) fn label(file: &ScenarioFile) -> String {
    let pack = file.label.strip_suffix(file.path.as_str()).unwrap_or("");
    format!("{pack}{}", file.snapshot_path())
}

/// The file that is stored.
fn document(file: &ScenarioFile, transcript: &str) -> String {
    let title = serde_json::Value::from(file.scenario.title.as_str());
    format!("---\nsource: {}\ndescription: {title}\n---\n{}\n", file.path, transcript.trim_end())
}

/// Stores a transcript.
pub(crate) fn store(file: &ScenarioFile, transcript: &str) -> Verdict {
    let Some(folder) = &file.folder else {
        return Verdict::Unwritable("the pack is not in a folder".to_owned());
    };
    let path = folder.join(file.snapshot_path());
    let write = || -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, document(file, transcript))
    };
    match write() {
        Ok(()) => Verdict::Accepted,
        Err(error) => Verdict::Unwritable(format!("{}: {error}", path.display())),
    }
}

/// What changed from the stored transcript to the new one, line by line, with a few lines around each change.
pub fn diff(stored: &str, transcript: &str) -> String {
    let (old, new) = (normal(body(&normal(stored))) + "\n", normal(transcript) + "\n");
    let diff = TextDiff::from_lines(&old, &new);
    let mut text = String::new();
    for (at, group) in diff.grouped_ops(3).iter().enumerate() {
        if at > 0 {
            text.push_str("  ...\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            text.push_str(match change.tag() {
                ChangeTag::Delete => "- ",
                ChangeTag::Insert => "+ ",
                ChangeTag::Equal => "  ",
            });
            // What was stored comes from a file and may hold anything.
            text.push_str(&visible(change.value().trim_end_matches('\n')));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_matter_does_not_count() {
        let stored = "---\nsource: scenarios/a.json\ndescription: \"A --- b\"\n---\none\ntwo\n";
        assert_eq!(body(stored), "one\ntwo\n");
        assert_eq!(body("one\n"), "one\n");
    }

    #[test]
    fn a_diff_shows_what_changed_and_little_else() {
        let lines: Vec<String> = (0..20).map(|n| format!("line {n}")).collect();
        let old = lines.join("\n");
        let new = old.replace("line 10", "line ten");
        let shown = diff(&old, &new);
        assert!(shown.contains("- line 10\n+ line ten\n"), "{shown}");
        assert!(!shown.contains("line 2\n"), "{shown}");
        assert_eq!(diff(&old, &old), "");
        assert_eq!(diff("a\u{1b}[2J", "b"), "- a\\u{1b}[2J\n+ b\n", "what was stored commands no terminal");
    }
}
