//! Mistakes in JSON syntax: what is wrong, and which of them can be fixed without doubt.

use std::sync::Arc;

use principes_findings::{Code, Finding, Label, Span, floor_char};
use serde_json::Value;

use crate::brackets::{Open, opened};

/// More mistakes than this in one file mean that it is not JSON.
const MOST_SLIPS: usize = 100;

/// A slip and how to read on: these bytes of the text become blanks but for the first, which becomes `first`.
struct Slip {
    finding: Finding,
    read_on: Option<(std::ops::Range<usize>, u8)>,
}

/// The value of a text that is not valid JSON, the text of the same length that was read for it, and all mistakes; or the
/// first error where not all of them can be fixed.
pub fn mend(
    file: &str,
    text: &Arc<str>,
    error: &serde_json::Error,
) -> Result<(Value, String, Vec<Finding>), Box<Finding>> {
    if let Some(finding) = Finding::of_merge(Code::NotJson, file, text) {
        return Err(Box::new(finding));
    }
    let mut read = text.as_bytes().to_vec();
    let mut slips: Vec<Finding> = Vec::new();
    let mut slip = examine(file, text, text, error);
    let plain = || Box::new(plain_error(file, text, text, error));
    loop {
        let Some((bytes, first)) = slip.read_on.filter(|_| slips.len() < MOST_SLIPS) else { return Err(plain()) };
        slips.push(slip.finding);
        read[bytes.clone()].fill(b' ');
        read[bytes.start] = first;
        // Only whole characters are replaced, and by blanks or a comma.
        let Ok(now) = std::str::from_utf8(&read) else { return Err(plain()) };
        match serde_json::from_str(now) {
            Ok(value) => return Ok((value, now.to_owned(), slips)),
            Err(error) => slip = examine(file, text, now, &error),
        }
    }
}

/// Where serde_json stopped.
fn offset(read: &str, error: &serde_json::Error) -> usize {
    let line_start: usize = read.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    floor_char(read, (line_start + error.column().saturating_sub(1)).min(read.len()))
}

fn examine(file: &str, text: &Arc<str>, read: &str, error: &serde_json::Error) -> Slip {
    let at = offset(read, error);
    let rest = &read[at..];
    let before = read[..at].trim_end();
    let words = error.to_string();
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
        return Slip { finding, read_on: Some((bytes, b' ')) };
    }
    if words.contains("trailing comma") && before.ends_with(',') {
        let comma = before.len() - 1..before.len();
        let finding = at_place(comma.clone(), "trailing comma", "remove the last comma").fix(
            "remove the comma",
            Span::new(text, comma.clone()),
            "",
        );
        return Slip { finding, read_on: Some((comma, b' ')) };
    }
    let opens = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "\"{[-".contains(c));
    if words.contains("expected `,`") && opens && before.len() < at {
        let gap = before.len()..before.len();
        let finding = at_place(gap.clone(), "missing comma", "add a comma here").fix(
            "add a comma here",
            Span::new(text, gap),
            ",",
        );
        return Slip { finding, read_on: Some((before.len()..before.len() + 1, b',')) };
    }
    Slip { finding: plain_error(file, text, read, error), read_on: None }
}

fn plain_error(file: &str, text: &Arc<str>, read: &str, error: &serde_json::Error) -> Finding {
    let at = offset(read, error);
    let whole = error.to_string();
    let message = whole.split(" at line ").next().unwrap_or(&whole);
    if let Some(finding) = unclosed(file, text, read, at, message) {
        return finding;
    }
    let width = text[floor_char(text, at)..].chars().next().map_or(0, char::len_utf8);
    let help = match message {
        m if m.contains("trailing comma") => Some("remove the last comma"),
        m if m.contains("expected `,`") => Some("missing comma before this, or missing quote after it"),
        m if m.contains("key must be a string") => {
            Some("put keys in double quotes; comments are not allowed, use `notes`")
        }
        m if m.contains("control character") => Some("write a line break as \\n and a tab as \\t"),
        m if m.contains("recursion limit") => Some("values must not be nested more than 127 levels deep"),
        m if m.contains("EOF") => Some("the file is empty, or a value is missing at its end"),
        _ => None,
    };
    Finding::new(Code::NotJson, file, format!("not valid JSON: {message}"))
        .at(text, Span::new(text, at..at + width))
        .maybe_help(help.map(str::to_owned))
}

/// A bracket or quote that is not closed before the place where serde_json stopped.
fn unclosed(file: &str, text: &Arc<str>, read: &str, at: usize, message: &str) -> Option<Finding> {
    let ends = message.contains("EOF");
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
                "open here, from the inside: {}; if more than brackets is missing, the file was cut off",
                lines.iter().rev().cloned().collect::<Vec<_>>().join(", ")
            ),
        };
        return Some(label(new(message, start..end)).help(help));
    }
    let found = read[at..].chars().next().filter(|found| "]}".contains(*found) && *found != closing)?;
    let message = format!("`{found}` stands where the {} must be closed", lines.last()?);
    Some(label(new(message, at..at + 1)).help(format!("add `{closing}` before it, or remove one of the two")))
}
