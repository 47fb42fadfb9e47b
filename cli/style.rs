//! Lines of colored text that know how wide they are.

use std::fmt;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use principes_findings::escape;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A line made of pieces of text, each with its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Style, String)>);

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Line::default()
    }
    /// A line of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Line::new().with(Style::new(), text)
    }
    /// A line in one style.
    pub fn styled(style: Style, text: impl Into<String>) -> Self {
        Line::new().with(style, text)
    }
    /// The line with more text at its end.
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text);
        self
    }
    /// Adds text at the end.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            // Text from packs and saves cannot break the line.
            self.0.push((style, escape::line(&text).into_owned()));
        }
    }
    /// Adds another line at the end.
    pub fn append(&mut self, other: Line) {
        self.0.extend(other.0);
    }
    /// Whether the text ends with a character.
    pub fn ends_with(&self, end: char) -> bool {
        self.0.last().is_some_and(|(_, text)| text.ends_with(end))
    }
    /// The number of columns that the line takes.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.width()).sum()
    }
    /// Pads the line with spaces up to a column.
    pub fn pad(&mut self, column: usize) {
        let width = self.width();
        if width < column {
            self.push(Style::new(), " ".repeat(column - width));
        }
    }
    /// Cuts the text at a width and marks the cut with an ellipsis.
    pub fn cut(self, width: usize) -> Line {
        if self.width() <= width {
            return self;
        }
        let mut line = Line::new();
        let mut left = width.saturating_sub(1);
        for (style, text) in self.0 {
            let fitting = cut_plain(&text, left);
            left -= fitting.width();
            let whole = fitting.len() == text.len();
            line.push(style, fitting);
            if !whole {
                break;
            }
        }
        if width > 0 {
            line.push(Style::new(), "…");
        }
        line
    }
}

fn cut_plain(text: &str, width: usize) -> String {
    let mut used = 0;
    text.chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (style, text) in &self.0 {
            write!(f, "{style}{text}{style:#}")?;
        }
        Ok(())
    }
}

/// Cuts text at a width and marks the cut with an ellipsis.
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = cut_plain(text, width.saturating_sub(1));
    cut.push('…');
    cut
}

/// What begins a line after a line break in a text, so that no text of a pack looks like a line of the program.
const BREAK: &str = "│ ";

/// Breaks text into lines of at most `width` columns. What follows a line break of the text itself is marked.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut paragraphs = text.split('\n').map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let mut lines = wrap_paragraph(paragraphs.next().unwrap_or_default(), width);
    for paragraph in paragraphs {
        let rows = wrap_paragraph(paragraph, width.saturating_sub(BREAK.width()));
        lines.extend(rows.into_iter().map(|row| format!("{BREAK}{row}")));
    }
    lines
}

/// The same for text in a frame, which needs no marks.
pub fn wrap_framed(text: &str, width: usize) -> Vec<String> {
    let paragraphs = text.split('\n').map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.flat_map(|paragraph| wrap_paragraph(paragraph, width)).collect()
}

fn wrap_paragraph(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map_or(0, |line| line.width());
        if line > 0 && line + 1 + word.width() > width {
            lines.push(word.to_owned());
        } else if let Some(last) = lines.last_mut() {
            if line > 0 {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// For names and headings.
pub fn bold() -> Style {
    Style::new().bold()
}
/// For text that matters less.
pub fn dim() -> Style {
    Style::new().dimmed()
}
/// For text that can be typed.
pub fn key() -> Style {
    Style::new().fg_color(Some(AnsiColor::Cyan.into()))
}
/// For errors.
pub fn bad() -> Style {
    Style::new().fg_color(Some(AnsiColor::Red.into()))
}

/// The style for a color word. Unknown words are plain.
pub fn color(word: &str) -> Style {
    let number = match word {
        "maroon" => 131,
        "red" => 203,
        "rose" | "pink" => 211,
        "orange" => 214,
        "brown" => 137,
        "yellow" | "gold" => 221,
        "green" => 71,
        "lime" => 112,
        "cyan" | "teal" => 44,
        "blue" => 75,
        "navy" => 33,
        "purple" | "violet" => 141,
        "white" => 231,
        "silver" => 251,
        "gray" | "grey" => 246,
        "black" => 242,
        _ => return Style::new(),
    };
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(number))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_padded_by_columns() {
        let mut line = Line::plain("Władysław").with(bold(), " III");
        assert_eq!(line.width(), 13);
        line.pad(15);
        assert_eq!(line.width(), 15);
        assert_eq!(line.cut(5).width(), 5);
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one\n\ntwo three four", 9), ["one", "│ two", "│ three", "│ four"]);
        assert_eq!(wrap_framed("one\ntwo three", 9), ["one", "two three"]);
        assert_eq!(wrap("", 9), [""]);
    }
}
