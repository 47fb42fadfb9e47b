//! Tokens of Lua 5.1.

use crate::syntax::{Bytes, SyntaxError};

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name; keywords are signs.
    Name(String),
    /// A string literal, escapes resolved.
    Text(String),
    /// A number.
    Number,
    /// A keyword or symbol.
    Sign(&'static str),
    /// The end of the file.
    End,
}

const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
    "repeat", "return", "then", "true", "until", "while",
];

/// Longer ones first.
const SYMBOLS: [&str; 27] = [
    "...", "..", "==", "~=", "<=", ">=", "+", "-", "*", "/", "%", "^", "#", "<", ">", "=", "(", ")", "{", "}", "[",
    "]", ";", ":", ",", ".", "~",
];

/// The tokens of a text with their places, the last one [`Token::End`], and the first thing that is none. What comes
/// after that is read on as well as can be.
pub fn tokens(text: &str) -> (Vec<(Token, Bytes)>, Option<SyntaxError>) {
    let mut found = Vec::with_capacity(text.len() / 4);
    let mut wrong = None;
    let mut at = 0;
    let mut unclosed = Vec::new();
    while at < text.len() {
        match token(text, at, &mut unclosed) {
            Ok((Some(token), end)) => {
                found.push((token, at..end));
                at = end;
            }
            Ok((None, end)) => at = end,
            Err(error) => {
                at = error.bytes.end.max(at + 1);
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                wrong.get_or_insert(error);
            }
        }
    }
    found.push((Token::End, text.len()..text.len()));
    (found, wrong)
}

/// The token that begins at `start`, none for blanks and comments, and its end. `unclosed` are levels of long brackets that
/// nothing closes from here on.
fn token(text: &str, start: usize, unclosed: &mut Vec<usize>) -> Result<(Option<Token>, usize), SyntaxError> {
    let bytes = text.as_bytes();
    let mut at = start;
    let token = match bytes[start] {
        b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => return Ok((None, start + 1)),
        b'-' if bytes.get(at + 1) == Some(&b'-') => {
            let end = match long_bracket(text, at + 2, unclosed) {
                Some((_, end)) => end.ok_or_else(|| error(start..start + 4, "this comment is not closed"))?,
                None => text[at..].find('\n').map_or(text.len(), |n| at + n),
            };
            return Ok((None, end));
        }
        b'[' if opens_long_bracket(text, at) => {
            let (inner, end) = long_bracket(text, at, unclosed).unwrap_or((at..at, None));
            at = end.ok_or_else(|| error(start..start + 2, "this string is not closed"))?;
            let inner = &text[inner];
            Token::Text(inner.strip_prefix('\n').unwrap_or(inner).to_owned())
        }
        b'"' | b'\'' => {
            let (value, end) = quoted(text, at)?;
            at = end;
            Token::Text(value)
        }
        byte if byte.is_ascii_digit() || byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
            at = number_end(bytes, at);
            if !is_number(&text[start..at]) {
                return Err(error(start..at, "this is no number"));
            }
            Token::Number
        }
        byte if byte.is_ascii_alphabetic() || byte == b'_' => {
            while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
                at += 1;
            }
            let word = &text[start..at];
            match KEYWORDS.iter().find(|keyword| **keyword == word) {
                Some(keyword) => Token::Sign(keyword),
                None => Token::Name(word.to_owned()),
            }
        }
        _ => {
            let Some(sign) = SYMBOLS.iter().find(|sign| text[at..].starts_with(**sign)) else {
                let end = at + text[at..].chars().next().map_or(1, char::len_utf8);
                let help = match text[at..].get(..2) {
                    Some("!=") => Some("unequal is `~=`".to_owned()),
                    Some("&&") => Some("write `and`".to_owned()),
                    Some("||") => Some("write `or`".to_owned()),
                    _ => None,
                };
                let message = format!("`{}` has no meaning in Lua", &text[start..end]);
                return Err(SyntaxError { help, ..error(start..end, message) });
            };
            at += sign.len();
            Token::Sign(sign)
        }
    };
    Ok((Some(token), at))
}

fn error(bytes: Bytes, message: impl Into<String>) -> SyntaxError {
    SyntaxError { bytes, message: message.into(), help: None }
}

/// How many `=` the long bracket has that begins at `at`, if one does.
fn level_at(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix('[')?;
    let level = rest.bytes().take_while(|&b| b == b'=').count();
    rest[level..].starts_with('[').then_some(level)
}

fn opens_long_bracket(text: &str, at: usize) -> bool {
    level_at(text, at).is_some()
}

/// What a long bracket that begins at `at` encloses, and its end if it has one. Where nothing closes one, nothing closes
/// those of its level behind it, and the text is not looked through for each of them.
fn long_bracket(text: &str, at: usize, unclosed: &mut Vec<usize>) -> Option<(Bytes, Option<usize>)> {
    let level = level_at(text, at)?;
    let start = at + level + 2;
    if unclosed.contains(&level) {
        return Some((start..start, None));
    }
    let close = format!("]{}]", "=".repeat(level));
    Some(match text[start..].find(&close) {
        Some(n) => (start..start + n, Some(start + n + close.len())),
        None => {
            unclosed.push(level);
            (start..start, None)
        }
    })
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b) = bytes.get(at) {
        let exponent = at > 0 && matches!(b, b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E');
        if !b.is_ascii_alphanumeric() && !matches!(b, b'.' | b'_') && !exponent {
            break;
        }
        at += 1;
    }
    at
}

fn is_number(text: &str) -> bool {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).is_ok(),
        None => text.parse::<f64>().is_ok(),
    }
}

/// The value of a string in quotes, and its end.
fn quoted(text: &str, start: usize) -> Result<(String, usize), SyntaxError> {
    let quote = text.as_bytes()[start] as char;
    let mut value = String::new();
    let mut chars = text[start + 1..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let here = start + 1 + at;
        match c {
            '\n' => return Err(error(start..here, "this string is not closed")),
            '\\' => {
                let Some((_, escaped)) = chars.next() else { break };
                match escaped {
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'r' => value.push('\r'),
                    'a' | 'b' | 'f' | 'v' => value.push(' '),
                    '0'..='9' => {
                        let mut code = escaped.to_digit(10).unwrap_or_default();
                        for _ in 0..2 {
                            let Some(digit) = chars.peek().and_then(|(_, c)| c.to_digit(10)) else { break };
                            code = code * 10 + digit;
                            chars.next();
                        }
                        match u8::try_from(code) {
                            Ok(byte) => value.push(char::from(byte)),
                            Err(_) => return Err(error(here..here + 4, "this escape is beyond 255")),
                        }
                    }
                    '\n' | '\\' | '"' | '\'' => value.push(escaped),
                    other => {
                        return Err(error(
                            here..here + 1 + other.len_utf8(),
                            format!("`\\{other}` is no escape of Lua 5.1"),
                        ));
                    }
                }
            }
            c if c == quote => return Ok((value, here + 1)),
            c => value.push(c),
        }
    }
    let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
    Err(error(start..end, "this string is not closed"))
}
