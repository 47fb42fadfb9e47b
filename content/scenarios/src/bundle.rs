//! The snapshots of one scenario file: a section for each scenario, in the order of their ids.

use std::collections::BTreeMap;

/// The start of a section; the id of its scenario follows.
const HEAD: &str = "=== ";

/// The sections of a .snap file by the ids of their scenarios. The file has the format of the `insta` crate, so that
/// its tools can show and accept it too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Ids and transcripts.
    pub sections: BTreeMap<String, String>,
}

impl Bundle {
    /// Reads a stored file; `None` if it is malformed.
    pub fn read(stored: &str) -> Option<Self> {
        let stored = stored.replace("\r\n", "\n");
        let mut sections: BTreeMap<String, String> = BTreeMap::new();
        let mut open: Option<(String, String)> = None;
        for line in body(&stored).lines() {
            if let Some(id) = line.strip_prefix(HEAD) {
                if let Some((id, text)) = open.replace((id.trim_end().to_owned(), String::new())) {
                    sections.insert(id, text);
                }
                continue;
            }
            match &mut open {
                Some((_, text)) => {
                    text.push_str(unescaped(line));
                    text.push('\n');
                }
                None if line.trim().is_empty() => {}
                None => return None,
            }
        }
        sections.extend(open);
        sections.values_mut().for_each(|text| text.truncate(text.trim_end().len()));
        Some(Bundle { sections })
    }

    /// The text without the front matter.
    pub fn body(&self) -> String {
        let mut body = String::new();
        for (id, transcript) in &self.sections {
            if !body.is_empty() {
                body.push('\n');
            }
            body.push_str(&format!("{HEAD}{id}\n"));
            for line in transcript.trim_end().lines() {
                if is_like_head(line) {
                    body.push('\\');
                }
                body.push_str(line);
                body.push('\n');
            }
        }
        body
    }

    /// The file for the scenarios of `path`.
    pub fn document(&self, path: &str) -> String {
        format!("---\nsource: {path}\n---\n{}", self.body())
    }
}

/// Escapes a line that looks like the start of a section, with an additional `\`.
fn is_like_head(line: &str) -> bool {
    line.trim_start_matches('\\').starts_with(HEAD)
}

fn unescaped(line: &str) -> &str {
    line.strip_prefix('\\').filter(|rest| is_like_head(rest)).unwrap_or(line)
}

/// The stored text without its front matter.
fn body(stored: &str) -> &str {
    let Some(rest) = stored.strip_prefix("---\n") else { return stored };
    rest.split_once("\n---\n").map_or(stored, |(_, body)| body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(sections: &[(&str, &str)]) -> Bundle {
        Bundle { sections: sections.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect() }
    }

    #[test]
    fn a_bundle_is_read_as_it_was_written() {
        let odd = "=== not a head\n\\=== nor this\n\\ plain\n---\n\n  end";
        let written = bundle(&[("b", "Two\n  2"), ("a", odd), ("c", "")]);
        let text = written.document("court/cards.scenarios.json");
        assert!(text.starts_with("---\nsource: court/cards.scenarios.json\n---\n=== a\n\\=== not a head\n"), "{text}");
        assert!(text.contains("\n  end\n\n=== b\nTwo\n  2\n\n=== c\n"), "{text}");
        assert_eq!(Bundle::read(&text), Some(written.clone()));
        assert_eq!(Bundle::read(&text.replace('\n', "\r\n")), Some(written));
    }

    #[test]
    fn what_is_no_bundle_is_not_taken_for_an_empty_one() {
        assert_eq!(Bundle::read("---\nsource: a\n---\n"), Some(Bundle::default()));
        assert_eq!(Bundle::read(""), Some(Bundle::default()));
        assert_eq!(Bundle::read("---\nsource: a\n---\nA title\n=== a\n"), None);
        assert_eq!(Bundle::read("\u{fffd} bad\n"), None);
    }
}
