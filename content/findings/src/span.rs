//! Positions in source texts.

use std::ops::Range;

use serde::Serialize;

/// A range of a source text. Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// First line.
    pub line: usize,
    /// First column.
    pub column: usize,
    /// Line in which it ends.
    pub end_line: usize,
    /// Column after its end.
    pub end_column: usize,
    /// The same in bytes.
    #[serde(skip)]
    pub bytes: Range<usize>,
}

impl Default for Span {
    /// The beginning of a file.
    fn default() -> Self {
        Span { line: 1, column: 1, end_line: 1, end_column: 1, bytes: 0..0 }
    }
}

impl Span {
    /// The span of a range of bytes.
    pub fn new(text: &str, bytes: Range<usize>) -> Self {
        let end = floor_char(text, bytes.end.min(text.len()));
        let start = floor_char(text, bytes.start.min(end));
        let (line, column) = position(text, start);
        let (end_line, end_column) = position(text, end);
        Span { line, column, end_line, end_column, bytes: start..end }
    }

    /// The span of a range of bytes of a text whose lines are known; much faster for many spans of a long text.
    pub fn among(text: &str, lines: &LineIndex, bytes: Range<usize>) -> Self {
        let end = floor_char(text, bytes.end.min(text.len()));
        let start = floor_char(text, bytes.start.min(end));
        let ((line, column), (end_line, end_column)) = (lines.position(text, start), lines.position(text, end));
        Span { line, column, end_line, end_column, bytes: start..end }
    }

    /// The span of a whole line, from 1, without the blanks around it.
    pub fn of_line(text: &str, line: usize) -> Self {
        let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let content = text[start.min(text.len())..].lines().next().unwrap_or_default();
        let blanks = content.len() - content.trim_start().len();
        Span::new(text, start + blanks..start + content.trim_end().len().max(blanks))
    }
}

/// Where the lines of a text begin, and how many characters precede certain offsets in long lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    /// Offsets of the line feeds.
    ends: Vec<usize>,
    /// Offsets inside long lines, with the number of characters between the beginning of the line and there.
    marks: Vec<(usize, usize)>,
}

impl LineIndex {
    /// The approximate number of bytes between two such offsets.
    const STRIDE: usize = 1024;

    /// The lines of a text.
    pub fn new(text: &str) -> Self {
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let mut marks = Vec::new();
        let mut begin = 0;
        for end in ends.iter().copied().chain([text.len()]) {
            let (mut at, mut characters) = (begin, 0);
            while end.saturating_sub(at) > Self::STRIDE {
                let next = floor_char(text, at + Self::STRIDE);
                characters += text[at..next].chars().count();
                marks.push((next, characters));
                at = next;
            }
            begin = end + 1;
        }
        LineIndex { ends, marks }
    }

    /// The line of a byte offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.ends.partition_point(|&end| end < offset) + 1
    }

    /// Line and column (in characters) of a byte offset at the border of a character, both from 1.
    fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let begin = line.checked_sub(2).map_or(0, |before| self.ends[before] + 1);
        let mark = self.marks.partition_point(|(mark, _)| *mark <= offset).checked_sub(1).map(|at| self.marks[at]);
        let (from, characters) = mark.filter(|(mark, _)| *mark > begin).unwrap_or((begin, 0));
        (line, characters + text[from..offset].chars().count() + 1)
    }
}

/// Line and column (in characters) of a byte offset, both from 1.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.bytes().filter(|&b| b == b'\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The nearest character boundary at or before an offset.
pub fn floor_char(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a\nŻubr \"x\"\n";
        let at = text.find('x').expect("it is there");
        let span = Span::new(text, at..at + 1);
        assert_eq!((span.line, span.column, span.end_line, span.end_column), (2, 7, 2, 8));
        let line = Span::of_line("one\n  two  \n", 2);
        assert_eq!((line.line, line.column, line.end_column), (2, 3, 6));
        assert_eq!(Span::of_line("one", 9).line, 1);
        let text = "ż\n\nab\n";
        let long = format!("ab\n{}\nc{}", "żx".repeat(2000), "y".repeat(1500));
        for text in [text, &long] {
            let lines = LineIndex::new(text);
            for range in
                [0..0, 0..2, 2..3, 3..4, 4..6, 5..9, 1030..1031, 3000..6002, 6003..6005, 6010..7300, 7400..9999]
            {
                assert_eq!(Span::among(text, &lines, range.clone()), Span::new(text, range));
            }
        }
    }
}
