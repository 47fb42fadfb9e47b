//! Hidden characters as escapes. Text from packs, saves and scripts may contain characters that control a terminal,
//! fake a line of the program's output, reverse the reading direction, or cannot be seen. All text that people read
//! goes through this module, which shows each of them as an escape such as `\u{202e}`. A letter of another script that
//! looks like a Latin one is shown in the same way if it is in a word with Latin letters.
//!
//! Joiners (U+200C, U+200D) stay where they are needed: between letters of scripts that use them, and in emoji made of
//! several characters.

use std::borrow::Cow;
use std::io::{self, Write};

/// The most marks on one letter that are shown. More would cover the lines above.
const MOST_MARKS: usize = 4;

/// A text for one line. Line breaks are shown as `\n`.
pub fn line(text: &str) -> Cow<'_, str> {
    neutral(text, |c| hidden_alone(c) || c.is_control())
}

/// A text that may have several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    neutral(text, |c| hidden_alone(c) || (c.is_control() && c != '\n'))
}

/// Serialized JSON with the hidden characters of its texts as JSON escapes. The data stays the same.
pub fn json(text: &str) -> Cow<'_, str> {
    if places(text, |c| is_hidden(c) && c != '\n').next().is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    let mut rest = 0;
    for (at, c) in places(text, |c| is_hidden(c) && c != '\n') {
        shown.push_str(&text[rest..at]);
        c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        rest = at + c.len_utf8();
    }
    Cow::Owned(shown + &text[rest..])
}

/// The first character of a text that does not belong in a pack. A line feed does.
pub fn hidden(text: &str) -> Option<char> {
    // Nearly all texts are plain.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return None;
    }
    places(text, |c| is_hidden(c) && c != '\n').next().map(|(_, c)| c)
}

fn is_hidden(c: char) -> bool {
    hidden_alone(c) || c.is_control()
}

/// Whether a character is invisible, or changes how others are shown.
fn hidden_alone(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// A letter, vowel sign or virama of a script whose letters a joiner joins or keeps apart: Arabic, Syriac, N'Ko,
/// Mongolian and those of India and its neighbors.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{7ff}' | '\u{840}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17d3}' | '\u{1820}'..='\u{18aa}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// An emoji, a skin tone, or the selector that turns a character into an emoji.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// A mark on the letter before it.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// The characters of a text to show as escapes: those that `is_bad` accepts, except needed joiners, and surplus marks.
fn places(text: &str, is_bad: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, char)> {
    let mut before = '\0';
    let mut marks = 0;
    text.char_indices().filter(move |(at, c)| {
        let after = || text[at + c.len_utf8()..].chars().next().unwrap_or('\0');
        marks = if is_mark(*c) { marks + 1 } else { 0 };
        let joins = is_joiner(*c)
            && ((is_joining(before) && is_joining(after()))
                || (*c == '\u{200d}' && is_emoji(before) && is_emoji(after())));
        before = *c;
        marks > MOST_MARKS || (is_bad(*c) && !joins)
    })
}

/// A letter that looks like a Latin one, but is another.
fn is_double(c: char) -> bool {
    matches!(c, 'а' | 'е' | 'о' | 'р' | 'с' | 'у' | 'х' | 'ѕ' | 'і' | 'ј' | 'һ' | 'ԁ' | 'ԛ' | 'ԝ' | 'А' | 'В' | 'Е' | 'К'
        | 'М' | 'Н' | 'О' | 'Р' | 'С' | 'Т' | 'У' | 'Х' | 'Ѕ' | 'І' | 'Ј' | 'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι' | 'Κ' | 'Μ'
        | 'Ν' | 'Ο' | 'Ρ' | 'Τ' | 'Υ' | 'Χ' | 'ο' | 'ν' | 'ɑ' | 'ɡ' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}')
}

/// Where such letters are in a word with Latin letters, so that the word is not what it seems. Sorted.
fn disguises(text: &str) -> Vec<usize> {
    let (mut found, mut in_word, mut is_latin) = (Vec::new(), Vec::new(), false);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() {
            is_latin |= c.is_ascii_alphabetic();
            in_word.extend(is_double(c).then_some(at));
            continue;
        }
        if is_latin {
            found.append(&mut in_word);
        }
        in_word.clear();
        is_latin = false;
    }
    found
}

fn neutral(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let disguises = disguises(text);
    let is_plain = |at: usize, c: char| is_double(c) && disguises.binary_search(&at).is_err();
    let mut shown = String::new();
    let mut rest = 0;
    for (at, c) in places(text, |c| is_bad(c) || is_double(c)).filter(|(at, c)| !is_plain(*at, *c)) {
        shown.push_str(&text[rest..at]);
        shown.extend(escape(c));
        rest = at + c.len_utf8();
    }
    if rest == 0 { Cow::Borrowed(text) } else { Cow::Owned(shown + &text[rest..]) }
}

/// `\n`, `\t`, `\u{202e}`.
fn escape(c: char) -> Vec<char> {
    match c {
        '\n' | '\r' | '\t' => c.escape_default().collect(),
        _ => c.escape_unicode().collect(),
    }
}

/// A stream that people read. It passes text on line by line with hidden characters as escapes. Line feeds, tabs and
/// the program's own colors stay as they are.
#[derive(Debug)]
pub struct EscapingWriter<W: Write> {
    to: W,
    /// The current, unfinished line.
    line: Vec<u8>,
}

impl<W: Write> EscapingWriter<W> {
    /// Wraps a stream.
    pub fn new(to: W) -> Self {
        EscapingWriter { to, line: Vec::new() }
    }

    /// Writes a terminal command. Only the program itself may send one.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn command(&mut self, command: &str) -> io::Result<()> {
        self.flush()?;
        self.to.write_all(command.as_bytes())
    }

    /// Passes on a part of a line.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(shown(&String::from_utf8_lossy(bytes)).as_bytes())
    }
}

/// A text of several lines with the program's own colors and tabs, as an [`EscapingWriter`] passes it on.
pub fn shown(text: &str) -> String {
    let mut all = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        all.push_str(&without_colors(&rest[..at]));
        let color = color(&rest[at..]);
        match color {
            0 => all.push_str("\\u{1b}"),
            length => all.push_str(&rest[at..at + length]),
        }
        rest = &rest[at + color.max(1)..];
    }
    all + &without_colors(rest)
}

fn without_colors(text: &str) -> Cow<'_, str> {
    neutral(text, |c| hidden_alone(c) || (c.is_control() && c != '\n' && c != '\t'))
}

/// The length of the color sequence at the start of a text; 0 if another terminal command is there.
fn color(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if rest[digits..].starts_with('m') { digits + 3 } else { 0 }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                self.line.extend(&bytes[..=end]);
                let whole = std::mem::replace(&mut self.line, bytes[end + 1..].to_vec());
                self.pass(&whole)?;
            }
            None => self.line.extend(bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.line);
        self.pass(&rest)?;
        self.to.flush()
    }
}

impl<W: Write> Drop for EscapingWriter<W> {
    fn drop(&mut self) {
        // A caller that must know about a failure calls `flush`.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_shown() {
        for (c, shown) in [
            ('\u{ad}', "\\u{ad}"),
            ('\u{61c}', "\\u{61c}"),
            ('\u{200b}', "\\u{200b}"),
            ('\u{200c}', "\\u{200c}"),
            ('\u{200d}', "\\u{200d}"),
            ('\u{200e}', "\\u{200e}"),
            ('\u{200f}', "\\u{200f}"),
            ('\u{2028}', "\\u{2028}"),
            ('\u{2029}', "\\u{2029}"),
            ('\u{202a}', "\\u{202a}"),
            ('\u{202e}', "\\u{202e}"),
            ('\u{2060}', "\\u{2060}"),
            ('\u{2066}', "\\u{2066}"),
            ('\u{2069}', "\\u{2069}"),
            ('\u{feff}', "\\u{feff}"),
            ('\u{fff9}', "\\u{fff9}"),
            ('\u{fffb}', "\\u{fffb}"),
            ('\u{e0001}', "\\u{e0001}"),
            ('\u{e007f}', "\\u{e007f}"),
            ('\u{1b}', "\\u{1b}"),
            ('\u{7f}', "\\u{7f}"),
            ('\u{9b}', "\\u{9b}"),
            ('\0', "\\u{0}"),
            ('\r', "\\r"),
        ] {
            let text = format!("a{c}b");
            assert_eq!((line(&text), lines(&text)), (format!("a{shown}b").into(), format!("a{shown}b").into()));
            assert_eq!(hidden(&text), Some(c));
            let value = serde_json::Value::from(text.as_str());
            let written = json(&value.to_string()).into_owned();
            assert!(!written.chars().any(is_hidden), "{written}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&written).ok(), Some(value));
        }
        assert_eq!((line("a\nb"), lines("a\nb"), hidden("a\nb")), ("a\\nb".into(), "a\nb".into(), None));
    }

    #[test]
    fn what_people_write_stays() {
        // Polish, Persian with a joiner, Hindi with both, Arabic and Hebrew with marks, Thai, Vietnamese, emoji.
        for text in [
            "Żółć — „tak”",
            "می\u{200c}خواهم",
            "क्\u{200d}ष क्\u{200c}ष",
            "مُحَمَّد",
            "שָׁלוֹם",
            "ที่นี่",
            "Việt",
            "👩\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥",
        ] {
            assert_eq!((line(text), lines(text), hidden(text)), (text.into(), text.into(), None));
        }
        assert_eq!(line("a\u{200d}b \u{200d}👩"), "a\\u{200d}b \\u{200d}👩", "these join nothing");
    }

    #[test]
    fn marks_do_not_climb() {
        let flood = format!("a{}", "\u{301}".repeat(6));
        assert_eq!(line(&flood), format!("a{}\\u{{301}}\\u{{301}}", "\u{301}".repeat(4)));
        assert_eq!(hidden(&flood), Some('\u{301}'));
    }

    #[test]
    fn a_stream_lets_colors_pass_and_nothing_else() {
        let mut out = Vec::new();
        let mut writer = EscapingWriter::new(&mut out);
        // A character in two writes; a command of the terminal; a color.
        for part in ["\u{1b}[1;31mre".as_bytes(), &[0xc5], &[0xbc, b'\t'], b"\x1b[0m\n\x1b[2J\r", "\u{202e}".as_bytes()]
        {
            writer.write_all(part).unwrap_or_default();
        }
        drop(writer);
        assert_eq!(String::from_utf8_lossy(&out), "\u{1b}[1;31mreż\t\u{1b}[0m\n\\u{1b}[2J\\r\\u{202e}");
    }

    #[test]
    fn letters_in_disguise_are_shown() {
        for (text, wanted) in [
            ("l\u{43e}op", "l\\u{43e}op"),
            ("did you mean `\u{441}row`?", "did you mean `\\u{441}row`?"),
            ("\u{39f}pal-x", "\\u{39f}pal-x"),
            ("x\u{ff4f}", "x\\u{ff4f}"),
            ("город-loop оса", "город-loop оса"),
            ("Ρόδος, 5 μm, Łódź, naïve", "Ρόδος, 5 μm, Łódź, naïve"),
        ] {
            assert_eq!(line(text), wanted);
            assert_eq!(shown(text), wanted);
        }
    }
}
