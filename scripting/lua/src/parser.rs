//! Parses a text into a tree.
//!
//! A test generates thousands of texts and compares the result with Luau's own parser. The parser refuses what two
//! parsers could read differently: a carriage return without a line feed, control characters, a byte order mark.

mod annotations;
mod expressions;
mod notes;
mod scopes;
mod statements;

use crate::lexer::{Token, TokenKind, tokens};
use crate::lines::Lines;
use crate::tree::{Chunk, Expr, ExprKind, Function, Name};
use crate::{ByteSpan, DEEPEST, Extension, FoundToken, SyntaxError, SyntaxErrorKind};
use scopes::Scopes;

/// The most errors that are reported.
const MOST_ERRORS: usize = 20;

/// The result of parsing a text.
#[derive(Debug)]
pub struct Parsed {
    /// The tree. If there are errors, the tree of the parts that could be parsed.
    pub chunk: Chunk,
    /// The errors, in order.
    pub errors: Vec<SyntaxError>,
}

/// Why a text is not a script in Lua 5.1.
#[derive(Debug)]
pub struct Unparsed {
    /// The errors, in order.
    pub errors: Vec<SyntaxError>,
    /// The recovered tree, if the only errors are symbols and words of other languages, or features of Luau.
    pub recovered: Option<Chunk>,
}

impl Parsed {
    /// The tree, if the text is valid and uses only Lua 5.1.
    ///
    /// # Errors
    ///
    /// All errors and features beyond Lua 5.1, in order, and the recovered tree if there is no doubt.
    pub fn into_lua51(self) -> Result<Chunk, Unparsed> {
        let beyond = |(extension, span): &(Extension, ByteSpan)| {
            SyntaxError::new(span.clone(), SyntaxErrorKind::Beyond(*extension))
        };
        let clear =
            |error: &SyntaxError| matches!(error.kind, SyntaxErrorKind::Foreign { .. } | SyntaxErrorKind::ElseIf);
        let clear = self.errors.iter().all(clear);
        let mut errors = self.errors;
        errors.extend(self.chunk.extensions.iter().take(MOST_ERRORS).map(beyond));
        errors.sort_by_key(|error| error.span.start);
        if errors.is_empty() {
            Ok(self.chunk)
        } else {
            Err(Unparsed { errors, recovered: clear.then_some(self.chunk) })
        }
    }
}

/// Parses a text. It never fails as a whole: errors are reported, and parsing continues after them.
pub fn parse(text: &str) -> Parsed {
    let mut parsed = parse_once(text);
    let mut slips: Vec<SyntaxError> = Vec::new();
    let mut recovered = String::new();
    // After an `else if`, the text is parsed as intended: a text of the same length with `elseif`.
    while let Some(at) = parsed.errors.iter().position(|error| error.kind == SyntaxErrorKind::ElseIf) {
        let slip = parsed.errors.swap_remove(at);
        if slips.len() == MOST_ERRORS || slips.contains(&slip) {
            break;
        }
        recovered = if recovered.is_empty() { text.to_owned() } else { recovered };
        recovered.replace_range(slip.span.clone(), &format!("{:<1$}", "elseif", slip.span.len()));
        slips.push(slip);
        parsed = parse_once(&recovered);
    }
    parsed.errors.extend(slips);
    parsed.errors.sort_by_key(|error| error.span.start);
    parsed
}

fn parse_once(text: &str) -> Parsed {
    let mut found = tokens(text);
    found.errors.truncate(MOST_ERRORS + 1);
    let mut parser = Parser {
        text,
        tokens: found.tokens,
        at: 0,
        depth: 0,
        chunk: Chunk { comments: found.comments, extensions: found.extensions, ..Chunk::default() },
        errors: Vec::new(),
        function: 0,
        loops: 0,
        scopes: Scopes::default(),
        lines: Lines::of(text),
        else_if: None,
    };
    parser.chunk.functions.push(Function { vararg: true, end: text.len()..text.len(), ..Function::default() });
    let body = parser.script();
    parser.chunk.functions[0].body = body;
    let mut errors = parser.errors;
    // Errors next to something that is not a token are consequences.
    let near = |error: &SyntaxError| {
        let line = |at: usize| parser.lines.at(at);
        let here = line(error.span.start);
        found.errors.iter().any(|other| (line(other.span.start)..=line(other.span.end) + 1).contains(&here))
    };
    errors.retain(|error| !near(error));
    errors.extend(found.errors);
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    // If the text is ambiguous, no other error is reliable.
    if let Some(at) = errors.iter().position(|error| matches!(error.kind, SyntaxErrorKind::Control(_))) {
        errors = vec![errors.swap_remove(at)];
    }
    if errors.len() > MOST_ERRORS {
        let span = errors[MOST_ERRORS].span.clone();
        errors.truncate(MOST_ERRORS);
        errors.push(SyntaxError::new(span, SyntaxErrorKind::TooMany));
    }
    parser.chunk.extensions.sort_by_key(|(_, span)| span.start);
    Parsed { chunk: parser.chunk, errors }
}

/// Parsing cannot continue here. The error is recorded.
struct Stop;

type Read<T> = Result<T, Stop>;

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u16,
    chunk: Chunk,
    errors: Vec<SyntaxError>,
    /// The current function.
    function: usize,
    /// The number of open loops in that function.
    loops: usize,
    scopes: Scopes<'t>,
    lines: Lines,
    /// The last `else if` of the current top-level statement.
    else_if: Option<ByteSpan>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn peek_next(&self) -> TokenKind {
        self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.kind)
    }

    fn span(&self) -> ByteSpan {
        self.tokens[self.at].span.clone()
    }

    /// The last token taken.
    fn last(&self) -> ByteSpan {
        self.tokens[self.at.saturating_sub(1)].span.clone()
    }

    fn slice(&self, span: ByteSpan) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// Takes the next token, but never the end.
    fn step(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Name && self.slice(self.span()) == word
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.step();
        }
        found
    }

    fn line(&self, at: usize) -> usize {
        self.lines.at(at)
    }

    fn on_new_line(&self) -> bool {
        self.line(self.last().end) != self.line(self.span().start)
    }

    fn note(&mut self, error: SyntaxError) {
        // A second error at the same position is a consequence of the first.
        if self.errors.last().is_none_or(|last| last.span != error.span) {
            self.errors.push(error);
        }
    }

    fn fail<T>(&mut self, span: ByteSpan, kind: SyntaxErrorKind) -> Read<T> {
        self.note(SyntaxError::new(span, kind));
        Err(Stop)
    }

    /// The next token, and the range of an error: the last token if the text ends.
    fn found(&self) -> (FoundToken, ByteSpan) {
        match self.peek() {
            TokenKind::End => (FoundToken::End, self.last()),
            _ => {
                let line = self.slice(self.span()).lines().next().unwrap_or_default();
                let short: String = line.chars().take(40).collect();
                (FoundToken::Token(short), self.span())
            }
        }
    }

    fn unexpected<T>(&mut self, expected: &'static str) -> Read<T> {
        let (found, span) = self.found();
        self.fail(span, SyntaxErrorKind::Expected { expected, found })
    }

    fn need(&mut self, sign: &'static str, named: &'static str) -> Read<()> {
        if self.take(sign) { Ok(()) } else { self.unexpected(named) }
    }

    /// Takes the sign that closes what was opened at `open`.
    fn close(&mut self, sign: &'static str, named: &'static str, open: &ByteSpan) -> Read<()> {
        if self.take(sign) {
            return Ok(());
        }
        let (found, span) = self.found();
        let opened = match self.tokens.binary_search_by_key(&open.start, |token| token.span.start) {
            Ok(at) => match self.tokens[at].kind {
                TokenKind::Sign(sign) => sign,
                _ => "",
            },
            Err(_) => "",
        };
        let line = self.line(open.start);
        let error = match self.else_if.take().filter(|_| sign == "end") {
            Some(slip) => SyntaxError::new(slip.clone(), SyntaxErrorKind::ElseIf).with(slip, "elseif"),
            None => SyntaxError::new(span, SyntaxErrorKind::Unclosed { expected: named, found, opened, line }),
        };
        self.note(error);
        Err(Stop)
    }

    fn name(&mut self) -> Read<Name> {
        if self.peek() != TokenKind::Name {
            return self.unexpected("a name");
        }
        let span = self.span();
        self.step();
        Ok(Name { text: self.slice(span.clone()).to_owned(), span })
    }

    fn beyond(&mut self, extension: Extension, span: ByteSpan) {
        self.chunk.extensions.push((extension, span));
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > DEEPEST { self.fail(self.span(), SyntaxErrorKind::TooDeep) } else { Ok(()) }
    }

    fn expr_of(&mut self, kind: ExprKind, from: usize, below: u16) -> Read<Expr> {
        let height = below + 1;
        if height > DEEPEST {
            return self.fail(self.last(), SyntaxErrorKind::TooDeep);
        }
        Ok(Expr { kind, span: from..self.last().end, height })
    }

    /// Records an error whose intended form is clear, and continues with that form.
    fn slip(&mut self, span: ByteSpan, found: &'static str, lua: &'static str) {
        // A word must not run together with what follows a symbol.
        let gap = if found == "!" { " " } else { "" };
        self.note(
            SyntaxError::new(span.clone(), SyntaxErrorKind::Foreign { found, lua }).with(span, format!("{lua}{gap}")),
        );
    }
}
