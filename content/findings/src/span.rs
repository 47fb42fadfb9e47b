//! Positions in source texts.

use std::ops::Range;

use serde::Serialize;

/// A stretch of a source text. Lines and columns count from 1, columns in characters; the end is exclusive.
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

    /// The span of a range of bytes of a text whose line ends are known; much faster for many spans of a long text.
    pub fn among(text: &str, line_ends: &[usize], bytes: Range<usize>) -> Self {
        let end = floor_char(text, bytes.end.min(text.len()));
        let start = floor_char(text, bytes.start.min(end));
        let position = |offset: usize| {
            let line = line_ends.partition_point(|&end| end < offset);
            let begins = line.checked_sub(1).map_or(0, |before| line_ends[before] + 1);
            (line + 1, text[begins..offset].chars().count() + 1)
        };
        let ((line, column), (end_line, end_column)) = (position(start), position(end));
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
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        for range in [0..0, 0..2, 2..3, 3..4, 4..6, 5..9] {
            assert_eq!(Span::among(text, &ends, range.clone()), Span::new(text, range));
        }
    }
}
