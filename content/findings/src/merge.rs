//! What an unfinished merge leaves in a file.

use std::ops::Range;
use std::sync::Arc;

use crate::code::Code;
use crate::finding::Finding;
use crate::span::Span;

/// The first line that version control writes around two sides of a merge.
fn marker(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        let is_marker = ["<<<<<<<", ">>>>>>>", "|||||||"]
            .iter()
            .any(|mark| bare.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
        if is_marker || bare == "=======" {
            return Some(at..at + bare.len());
        }
        at += line.len();
    }
    None
}

impl Finding {
    /// The finding about merge markers in a text, if there are any. Call this only if the text cannot be read.
    pub fn of_merge(code: Code, file: &str, text: &Arc<str>) -> Option<Finding> {
        let place = Span::new(text, marker(text)?);
        let help = "keep one side or combine both, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`";
        Some(Finding::new(code, file, "unresolved merge conflict").at(text, place).help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_whole_lines() {
        let text: Arc<str> = "{\n<<<<<<< HEAD\n=======\n>>>>>>> b\n}".into();
        let finding = Finding::of_merge(Code::NotJson, "a.json", &text);
        assert_eq!(finding.map(|finding| (finding.span.line, finding.span.column)), Some((2, 1)));
        for text in ["local a = 1\n-- =======\n", "x <<<<<<< y", "=========", " <<<<<<< a"] {
            assert_eq!(marker(text), None, "{text}");
        }
    }
}
