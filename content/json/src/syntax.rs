//! Mistakes in JSON syntax: what is wrong, and which of them have an unambiguous fix.

use std::sync::Arc;

use principes_findings::{Code, Finding, Label, Span, floor_char};
use serde_json::Value;

use crate::brackets::{Open, opened};

/// A file with more mistakes than this is not JSON.
const MOST_MISTAKES: usize = 100;

/// The limit of bytes that are read again for all mistakes of one file together.
const MOST_READ_AGAIN: usize = 128 << 20;

/// A mistake and how to continue. In the text that is read on, the range becomes blanks, and its first byte becomes the
/// given one.
struct Mistake {
    finding: Finding,
    read_on: Option<(std::ops::Range<usize>, u8)>,
}

/// Reads a text that is not valid JSON. Returns the value, the fixed text (of the same length), and all mistakes; or
/// the first error if not all of them can be fixed.
pub fn fix(
    file: &str,
    text: &Arc<str>,
    error: &serde_json::Error,
) -> Result<(Value, String, Vec<Finding>), Box<Finding>> {
    if let Some(finding) = Finding::of_merge(Code::NotJson, file, text) {
        return Err(Box::new(finding));
    }
    let mut read = text.as_bytes().to_vec();
    let mut mistakes: Vec<Finding> = Vec::new();
    let mut mistake = examine(file, text, text, error);
    let plain = || Box::new(plain_error(file, text, text, error));
    loop {
        let most = MOST_MISTAKES.min(MOST_READ_AGAIN / text.len().max(1));
        let Some((bytes, first)) = mistake.read_on.filter(|_| mistakes.len() < most) else {
            return Err(plain());
        };
        mistakes.push(mistake.finding);
        read[bytes.clone()].fill(b' ');
        read[bytes.start] = first;
        // Only whole characters are replaced, and by blanks or a comma.
        let Ok(now) = std::str::from_utf8(&read) else { return Err(plain()) };
        match serde_json::from_str(now) {
            Ok(value) => return Ok((value, now.to_owned(), mistakes)),
            Err(error) => mistake = examine(file, text, now, &error),
        }
    }
}

/// Where serde_json stopped.
fn offset(read: &str, error: &serde_json::Error) -> usize {
    let line_start: usize = read.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    floor_char(read, (line_start + error.column().saturating_sub(1)).min(read.len()))
}

/// What may come next after a text that is JSON so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Value,
    Key,
    Colon,
    /// A comma or the closing bracket.
    Comma,
    /// Nothing.
    End,
}

/// What may come next after a text that is JSON so far, and how many brackets are open. Numbers and words need not be
/// well formed.
fn next_after(text: &str) -> (Next, usize) {
    let mut open: Vec<u8> = Vec::new();
    let mut next = Next::Value;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        let mut ends_value = false;
        match byte {
            b'{' | b'[' => {
                open.push(*byte);
                next = if *byte == b'{' { Next::Key } else { Next::Value };
            }
            b'}' | b']' => {
                open.pop();
                ends_value = true;
            }
            b',' => next = if open.last() == Some(&b'{') { Next::Key } else { Next::Value },
            b':' => next = Next::Value,
            b'"' => {
                while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                at += 1;
                if next == Next::Key {
                    next = Next::Colon;
                } else {
                    ends_value = true;
                }
            }
            b' ' | b'\n' | b'\r' | b'\t' => {}
            _ => ends_value = true,
        }
        if ends_value {
            next = if open.is_empty() { Next::End } else { Next::Comma };
        }
    }
    (next, open.len())
}

fn examine(file: &str, text: &Arc<str>, read: &str, error: &serde_json::Error) -> Mistake {
    let at = offset(read, error);
    let rest = &read[at..];
    let before = read[..at].trim_end();
    let at_place = |bytes: std::ops::Range<usize>, message: &str, help: &str| {
        Finding::new(Code::NotJson, file, format!("not valid JSON: {message}"))
            .at(text, Span::new(text, bytes))
            .help(help)
    };
    if rest.starts_with("//") || rest.starts_with("/*") {
        let end = match rest.starts_with("//") {
            true => rest.find('\n'),
            false => rest.find("*/").map(|end| end + 2),
        };
        let bytes = at..at + end.unwrap_or(rest.len());
        let finding = at_place(bytes.clone(), "comments are not allowed", "write the remark in `notes`");
        return Mistake { finding, read_on: Some((bytes, b' ')) };
    }
    if before.ends_with(',') && rest.starts_with(['}', ']']) {
        let comma = before.len() - 1..before.len();
        let finding = at_place(comma.clone(), "trailing comma", "remove the last comma").fix(
            "remove the comma",
            Span::new(text, comma.clone()),
            "",
        );
        return Mistake { finding, read_on: Some((comma, b' ')) };
    }
    let opens = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "\"{[-".contains(c));
    if opens && before.len() < at && next_after(before).0 == Next::Comma {
        let gap = before.len()..before.len();
        let finding = at_place(gap.clone(), "missing comma", "add a comma here").fix(
            "add a comma here",
            Span::new(text, gap),
            ",",
        );
        return Mistake { finding, read_on: Some((before.len()..before.len() + 1, b',')) };
    }
    Mistake { finding: plain_error(file, text, read, error), read_on: None }
}

/// The depth that serde_json refuses.
const TOO_DEEP: usize = 128;

/// How to fix the mistake at a byte, if the text shows it.
fn help(read: &str, at: usize, error: &serde_json::Error) -> Option<&'static str> {
    let (before, rest) = read.split_at(at);
    let is_control = |c: char| c.is_ascii_control();
    if error.is_eof() {
        return Some("a value is missing at its end");
    }
    if rest.starts_with(is_control) {
        return Some("write a line break as \\n and a tab as \\t");
    }
    let (next, depth) = next_after(before);
    if depth + 1 >= TOO_DEEP && rest.starts_with(['{', '[']) {
        return Some("values must not be nested more than 127 levels deep");
    }
    match next {
        Next::Value if before.trim_end().ends_with(',') && rest.starts_with(']') => Some("remove the last comma"),
        Next::Key if before.trim_end().ends_with(',') && rest.starts_with('}') => Some("remove the last comma"),
        Next::Key if !rest.starts_with('"') => Some("put keys in double quotes; comments are not allowed, use `notes`"),
        Next::Comma => Some("missing comma before this, or missing quote after it"),
        _ => None,
    }
}

fn plain_error(file: &str, text: &Arc<str>, read: &str, error: &serde_json::Error) -> Finding {
    let at = offset(read, error);
    let whole = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = whole.strip_suffix(&position).unwrap_or(&whole);
    if read.trim().is_empty() {
        return Finding::new(Code::NotJson, file, "not valid JSON: the file is empty")
            .at(text, Span::new(text, 0..0))
            .help("restore it, or delete it if the pack does not need it");
    }
    if let Some(finding) = unclosed(file, text, read, at, error.is_eof()) {
        return finding;
    }
    let width = text[floor_char(text, at)..].chars().next().map_or(0, char::len_utf8);
    Finding::new(Code::NotJson, file, format!("not valid JSON: {message}"))
        .at(text, Span::new(text, at..at + width))
        .maybe_help(help(read, at, error).map(str::to_owned))
}

/// A bracket or quote that is not closed where serde_json stopped.
fn unclosed(file: &str, text: &Arc<str>, read: &str, at: usize, ends: bool) -> Option<Finding> {
    let (brackets, quote) = opened(read, if ends { read.len() } else { at });
    let new = |what: String, span: std::ops::Range<usize>| {
        Finding::new(Code::NotJson, file, format!("not valid JSON: {what}")).at(text, Span::new(text, span))
    };
    let line = |at: usize| Span::new(text, at..at).line;
    if let Some(quote) = quote.filter(|_| ends || read[at..].starts_with(['\n', '\r']) || read[..at].ends_with('\n')) {
        let end = text[quote..].find('\n').map_or(text.len(), |length| quote + length);
        let end = quote + text[quote..end].trim_end().len();
        let message = format!("the text that begins on line {} has no closing quote", line(quote));
        return Some(new(message, quote..end).help("add `\"` where it ends; write a line break inside it as \\n"));
    }
    let Open { at: begin, sign } = *brackets.last()?;
    let closing = if sign == '{' { '}' } else { ']' };
    let label = |finding: Finding| {
        let span = Span::new(text, begin..begin + 1);
        let message = format!("this `{sign}` is not closed");
        finding.label(Label { file: file.to_owned(), span, message, source: Arc::clone(text) })
    };
    let lines: Vec<String> = brackets.iter().map(|open| format!("`{}` of line {}", open.sign, line(open.at))).collect();
    if ends {
        let end = text.trim_end().len();
        let start = text[..end].char_indices().next_back().map_or(end, |(start, _)| start);
        let message = format!("the file ends, but the {} is not closed", lines.last()?);
        let help = match lines.len() {
            1 => format!("add `{closing}`; if more is missing, the file was cut off"),
            _ => format!(
                "open here, innermost first: {}; if more than brackets is missing, the file was cut off",
                lines.iter().rev().cloned().collect::<Vec<_>>().join(", ")
            ),
        };
        return Some(label(new(message, start..end)).help(help));
    }
    let found = read[at..].chars().next().filter(|found| "]}".contains(*found) && *found != closing)?;
    let message = format!("expected `{closing}` for the {}, found `{found}`", lines.last()?);
    Some(label(new(message, at..at + 1)).help(format!("add `{closing}` before it, or remove one of the two")))
}
