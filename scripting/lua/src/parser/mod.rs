//! Reads a text into a tree.

mod annotations;
mod expressions;
mod notes;
mod scopes;
mod statements;

use crate::lexer::{Token, TokenKind, tokens};
use crate::tree::{Chunk, Expr, Function, Kind, Name};
use crate::{DEEPEST, Extension, FoundToken, Span, SyntaxError, SyntaxErrorKind};
use scopes::Scopes;

/// The most mistakes that are reported.
const MOST_ERRORS: usize = 20;

/// What a text says.
#[derive(Debug)]
pub struct Parsed {
    /// Its tree; if there are errors, the tree of what could be read.
    pub chunk: Chunk,
    /// What is wrong with it, in order.
    pub errors: Vec<SyntaxError>,
}

/// What keeps a text from being a script in Lua 5.1.
#[derive(Debug)]
pub struct Unparsed {
    /// What is wrong with it, in order.
    pub errors: Vec<SyntaxError>,
    /// Its tree as it was meant, where only signs and words of other languages, or of Luau, are wrong.
    pub meant: Option<Chunk>,
}

impl Parsed {
    /// The tree, if the text is correct and uses only Lua 5.1.
    ///
    /// # Errors
    ///
    /// Everything that is wrong or beyond Lua 5.1, in order, and the tree as it was meant if there is no doubt.
    pub fn into_lua51(self) -> Result<Chunk, Unparsed> {
        let beyond =
            |(extension, span): &(Extension, Span)| SyntaxError::new(span.clone(), SyntaxErrorKind::Beyond(*extension));
        let clear =
            |error: &SyntaxError| matches!(error.kind, SyntaxErrorKind::Foreign { .. } | SyntaxErrorKind::ElseIf);
        let clear = self.errors.iter().all(clear);
        let mut errors = self.errors;
        errors.extend(self.chunk.extensions.iter().take(MOST_ERRORS).map(beyond));
        errors.sort_by_key(|error| error.span.start);
        if errors.is_empty() { Ok(self.chunk) } else { Err(Unparsed { errors, meant: clear.then_some(self.chunk) }) }
    }
}

/// Reads a text. It never fails as a whole: what cannot be read is reported, and the rest is read as well as possible.
pub fn parse(text: &str) -> Parsed {
    let mut parsed = parse_once(text);
    let mut slips: Vec<SyntaxError> = Vec::new();
    let mut meant = String::new();
    // What follows an `else if` is read as it was meant: the same text with as many bytes.
    while let Some(at) = parsed.errors.iter().position(|error| error.kind == SyntaxErrorKind::ElseIf) {
        let slip = parsed.errors.swap_remove(at);
        if slips.len() == MOST_ERRORS || slips.contains(&slip) {
            break;
        }
        meant = if meant.is_empty() { text.to_owned() } else { meant };
        meant.replace_range(slip.span.clone(), &format!("{:<1$}", "elseif", slip.span.len()));
        slips.push(slip);
        parsed = parse_once(&meant);
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
        lines: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect(),
        else_if: None,
    };
    parser.chunk.functions.push(Function { vararg: true, end: text.len()..text.len(), ..Function::default() });
    let body = parser.script();
    parser.chunk.functions[0].body = body;
    let mut errors = parser.errors;
    // What is next to something that is not a token is not reported for that.
    let near = |error: &SyntaxError| {
        let line = |at: usize| parser.lines.partition_point(|start| *start <= at);
        let here = line(error.span.start);
        found.errors.iter().any(|other| (line(other.span.start)..=line(other.span.end) + 1).contains(&here))
    };
    errors.retain(|error| !near(error));
    errors.extend(found.errors);
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    // If the text is ambiguous, nothing else can be reported.
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

/// Reading cannot continue here; why is noted.
struct Stop;

type Read<T> = Result<T, Stop>;

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u16,
    chunk: Chunk,
    errors: Vec<SyntaxError>,
    /// The function that is being read.
    function: usize,
    /// How many loops of that function are open.
    loops: usize,
    scopes: Scopes<'t>,
    /// Where lines begin.
    lines: Vec<usize>,
    /// The last `else if` of the statement on the script's own level.
    else_if: Option<Span>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn peek_next(&self) -> TokenKind {
        self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.kind)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span.clone()
    }

    /// The last token taken.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span.clone()
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// Takes the next token, whatever it is, but never the end.
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
        self.lines.partition_point(|start| *start <= at)
    }

    fn on_new_line(&self) -> bool {
        self.line(self.last().end) != self.line(self.span().start)
    }

    fn note(&mut self, error: SyntaxError) {
        // A second mistake at the same place follows from the first.
        if self.errors.last().is_none_or(|last| last.span != error.span) {
            self.errors.push(error);
        }
    }

    fn fail<T>(&mut self, span: Span, kind: SyntaxErrorKind) -> Read<T> {
        self.note(SyntaxError::new(span, kind));
        Err(Stop)
    }

    /// The next token, and where to point: at the last token if the text ends.
    fn found(&self) -> (FoundToken, Span) {
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

    /// The sign that closes what was opened at `open`.
    fn close(&mut self, sign: &'static str, named: &'static str, open: &Span) -> Read<()> {
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

    fn beyond(&mut self, extension: Extension, span: Span) {
        self.chunk.extensions.push((extension, span));
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > DEEPEST { self.fail(self.span(), SyntaxErrorKind::TooDeep) } else { Ok(()) }
    }

    fn expr_of(&mut self, kind: Kind, from: usize, below: u16) -> Read<Expr> {
        let height = below + 1;
        if height > DEEPEST {
            return self.fail(self.last(), SyntaxErrorKind::TooDeep);
        }
        Ok(Expr { kind, span: from..self.last().end, height })
    }

    /// A mistake whose intended form is clear: it is recorded, and reading continues with that form.
    fn slip(&mut self, span: Span, found: &'static str, lua: &'static str) {
        // A word must not grow together with what follows a sign.
        let gap = if found == "!" { " " } else { "" };
        self.note(
            SyntaxError::new(span.clone(), SyntaxErrorKind::Foreign { found, lua }).with(span, format!("{lua}{gap}")),
        );
    }
}
