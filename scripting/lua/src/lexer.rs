//! Splits a script into tokens, as Luau does.

use crate::literal::{self, Number};
use crate::{ByteSpan, Extension, SyntaxError, SyntaxErrorKind};

/// A token and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What the text of the span is.
    pub kind: TokenKind,
    /// Its range.
    pub span: ByteSpan,
}

/// What a token is, without its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name. Keywords are signs.
    Name,
    /// A string in quotes or long brackets.
    Text,
    /// Decimal, hexadecimal or binary; `literal` reads its value.
    Number,
    /// A keyword or symbol.
    Sign(&'static str),
    /// A string in backticks without braces.
    Template,
    /// A string in backticks up to its first brace.
    TemplateStart,
    /// The part between two expressions of a string in backticks.
    TemplateMiddle,
    /// The rest of a string in backticks.
    TemplateEnd,
    /// The end of the text.
    End,
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The tokens. The last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// Their ranges, in order.
    pub comments: Vec<ByteSpan>,
    /// The parts that are not tokens, in order.
    pub errors: Vec<SyntaxError>,
    /// The features that Lua 5.1 does not have, in order.
    pub extensions: Vec<(Extension, ByteSpan)>,
}

/// The tokens of a text. Errors are recorded, and reading continues after them.
pub fn tokens(text: &str) -> Tokens {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, braces: Vec::new(), out: Tokens::default() };
    lexer.out.tokens.reserve(text.len() / 4);
    lexer.look_for_controls();
    while lexer.at < text.len() {
        lexer.token();
    }
    lexer.push(TokenKind::End, text.len());
    lexer.out.errors.sort_by_key(|error| error.span.start);
    lexer.out
}

/// The bytes of a string in quotes or long brackets; `None` if it is malformed.
pub fn text_bytes(literal: &str) -> Option<Vec<u8>> {
    match literal.as_bytes().first()? {
        b'[' => {
            let level = literal[1..].bytes().take_while(|b| *b == b'=').count() + 2;
            Some(literal::long(literal.get(level..literal.len().checked_sub(level)?)?).into_bytes())
        }
        _ => literal::quoted(literal.get(1..literal.len().checked_sub(1)?)?).ok().map(|decoded| decoded.bytes),
    }
}

/// The keyword that equals a word.
fn keyword(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "and",
        "break" => "break",
        "do" => "do",
        "else" => "else",
        "elseif" => "elseif",
        "end" => "end",
        "false" => "false",
        "for" => "for",
        "function" => "function",
        "if" => "if",
        "in" => "in",
        "local" => "local",
        "nil" => "nil",
        "not" => "not",
        "or" => "or",
        "repeat" => "repeat",
        "return" => "return",
        "then" => "then",
        "true" => "true",
        "until" => "until",
        "while" => "while",
        _ => return None,
    })
}

/// The symbol at the start of a text.
fn symbol(rest: &[u8]) -> Option<&'static str> {
    let symbols: &[&'static str] = match rest.first()? {
        b'+' => &["+=", "+"],
        b'-' => &["->", "-=", "-"],
        b'*' => &["*=", "*"],
        b'/' => &["//=", "//", "/=", "/"],
        b'%' => &["%=", "%"],
        b'^' => &["^=", "^"],
        b'.' => &["...", "..=", "..", "."],
        b'=' => &["==", "="],
        b'~' => &["~="],
        b'<' => &["<=", "<"],
        b'>' => &[">=", ">"],
        b':' => &["::", ":"],
        b'!' => &["!=", "!"],
        b'&' => &["&&", "&"],
        b'|' => &["||", "|"],
        b'#' => &["#"],
        b'(' => &["("],
        b')' => &[")"],
        b'[' => &["["],
        b']' => &["]"],
        b'{' => &["{"],
        b'}' => &["}"],
        b';' => &[";"],
        b',' => &[","],
        b'?' => &["?"],
        b'@' => &["@"],
        _ => return None,
    };
    symbols.iter().find(|symbol| rest.starts_with(symbol.as_bytes())).copied()
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The open braces inside strings in backticks, and whether each belongs to such a string.
    braces: Vec<bool>,
    out: Tokens,
}

impl Lexer<'_> {
    fn push(&mut self, kind: TokenKind, end: usize) {
        self.out.tokens.push(Token { kind, span: self.at..end });
        self.at = end;
    }

    fn fail(&mut self, span: ByteSpan, kind: SyntaxErrorKind) {
        self.out.errors.push(SyntaxError::new(span, kind));
    }

    /// Refuses characters that two parsers could read differently. Luau ends a comment at a carriage return, counts
    /// lines by line feeds, and ends a string at a zero.
    fn look_for_controls(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.fail(0..'\u{feff}'.len_utf8(), SyntaxErrorKind::Control('\u{feff}'));
            self.at = '\u{feff}'.len_utf8();
        }
        let odd = |(at, byte): &(usize, u8)| match byte {
            b'\t' | b'\n' => false,
            b'\r' => self.bytes.get(at + 1) != Some(&b'\n'),
            _ => byte.is_ascii_control(),
        };
        // One error is enough for such a text.
        if let Some((at, byte)) = self.text.bytes().enumerate().find(odd) {
            self.fail(at..at + 1, SyntaxErrorKind::Control(char::from(byte)));
        }
    }

    fn end_while(&self, from: usize, holds: impl Fn(u8) -> bool) -> usize {
        from + self.bytes[from..].iter().take_while(|byte| holds(**byte)).count()
    }

    fn line_end(&self, from: usize) -> usize {
        self.end_while(from, |byte| byte != b'\n' && byte != b'\r')
    }

    fn token(&mut self) {
        let at = self.at;
        match self.bytes[at] {
            b' ' | b'\t'..=b'\r' => self.at += 1,
            b'-' if self.bytes.get(at + 1) == Some(&b'-') => self.comment(),
            b'[' if self.level(at).is_some() => match self.long_end(at) {
                Some(end) => self.push(TokenKind::Text, end),
                None => self.unclosed(SyntaxErrorKind::UnclosedText),
            },
            b'"' | b'\'' => self.quoted(),
            b'`' => self.template(TokenKind::TemplateStart, TokenKind::Template),
            b'}' if self.braces.last() == Some(&true) => {
                self.braces.pop();
                self.template(TokenKind::TemplateMiddle, TokenKind::TemplateEnd);
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => self.number(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let end = self.end_while(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let kind = keyword(&self.text[at..end]).map_or(TokenKind::Name, TokenKind::Sign);
                self.push(kind, end);
            }
            byte => match symbol(&self.bytes[at..]) {
                Some(sign) => {
                    match byte {
                        b'{' if !self.braces.is_empty() => self.braces.push(false),
                        b'}' => drop(self.braces.pop()),
                        _ => {}
                    }
                    self.push(TokenKind::Sign(sign), at + sign.len());
                }
                None => self.no_token(),
            },
        }
    }

    /// Skips characters that do not begin a token.
    fn no_token(&mut self) {
        let c = self.text[self.at..].chars().next().unwrap_or_default();
        let span = self.at..self.at + c.len_utf8();
        self.at = span.end;
        // Control characters are reported separately.
        if !c.is_ascii_control() {
            self.fail(span, SyntaxErrorKind::Character(c));
        }
    }

    /// The number of `=` in the long bracket that begins here, if there is one.
    fn level(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..)?.strip_prefix(b"[")?;
        let level = rest.iter().take_while(|b| **b == b'=').count();
        (rest.get(level) == Some(&b'[')).then_some(level)
    }

    /// The end of the long bracket that begins here.
    fn long_end(&self, at: usize) -> Option<usize> {
        let level = self.level(at)?;
        let start = at + level + 2;
        let close = format!("]{}]", "=".repeat(level));
        Some(start + self.text[start..].find(&close)? + close.len())
    }

    /// Reports an unclosed token. Nothing is known about the rest of the text, which could belong to the token.
    fn unclosed(&mut self, kind: SyntaxErrorKind) {
        let start = self.at;
        let end = self.line_end(start);
        self.fail(start..end, kind);
        self.at = self.text.len();
    }

    fn comment(&mut self) {
        let start = self.at;
        let end = match self.level(start + 2) {
            None => Some(self.line_end(start)),
            Some(_) => self.long_end(start + 2),
        };
        match end {
            Some(end) => {
                self.out.comments.push(start..end);
                self.at = end;
            }
            None => self.unclosed(SyntaxErrorKind::UnclosedComment),
        }
    }

    /// The position after an escape.
    fn behind_escape(&self, at: usize) -> usize {
        match self.bytes.get(at + 1) {
            None => at + 1,
            Some(b'\r') if self.bytes.get(at + 2) == Some(&b'\n') => at + 3,
            Some(b'z') => self.end_while(at + 2, |byte| matches!(byte, b' ' | b'\t'..=b'\r')),
            Some(_) => at + 2,
        }
    }

    fn quoted(&mut self) {
        let start = self.at;
        let quote = self.bytes[start];
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(byte) if *byte == quote => break,
                Some(b'\\') => at = self.behind_escape(at),
                None | Some(b'\n' | b'\r') => {
                    let end = at.min(self.text.len());
                    self.fail(start..end, SyntaxErrorKind::UnclosedText);
                    return self.push(TokenKind::Text, end);
                }
                Some(_) => at += 1,
            }
        }
        self.escapes(start + 1, at);
        self.push(TokenKind::Text, at + 1);
    }

    /// Checks the escapes in part of a string.
    fn escapes(&mut self, start: usize, end: usize) {
        let Some(raw) = self.text.get(start..end).filter(|raw| raw.contains('\\')) else { return };
        match literal::quoted(raw) {
            Ok(decoded) => {
                let beyond = decoded.beyond.map(|span| span.start + start..span.end + start);
                self.out.extensions.extend(beyond.map(|span| (Extension::Escape, span)));
            }
            Err(span) => self.fail(span.start + start..span.end + start, SyntaxErrorKind::Escape),
        }
    }

    /// Part of a string in backticks.
    fn template(&mut self, opens: TokenKind, closes: TokenKind) {
        let start = self.at;
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'`') => break,
                Some(b'\\') if self.bytes[at..].starts_with(b"\\u{") => at += 3,
                Some(b'\\') => at = self.behind_escape(at),
                Some(b'{') => {
                    self.escapes(start + 1, at);
                    if self.bytes.get(at + 1) == Some(&b'{') {
                        self.fail(at..at + 2, SyntaxErrorKind::DoubleBrace);
                    }
                    self.braces.push(true);
                    return self.push(opens, at + 1);
                }
                None | Some(b'\n' | b'\r') => {
                    let end = at.min(self.text.len());
                    self.fail(start..end, SyntaxErrorKind::UnclosedText);
                    return self.push(closes, end);
                }
                Some(_) => at += 1,
            }
        }
        self.escapes(start + 1, at);
        self.push(closes, at + 1);
    }

    fn number(&mut self) {
        let start = self.at;
        let mut at = self.end_while(start, |byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'));
        if matches!(self.bytes.get(at), Some(b'e' | b'E')) {
            at += 1;
            at += usize::from(matches!(self.bytes.get(at), Some(b'+' | b'-')));
        }
        at = self.end_while(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match literal::number(&self.text[start..at]) {
            Some(Number::Plain) => {}
            Some(Number::Extended) => self.out.extensions.push((Extension::Number, start..at)),
            None => self.fail(start..at, SyntaxErrorKind::Number),
        }
        self.push(TokenKind::Number, at);
    }
}
