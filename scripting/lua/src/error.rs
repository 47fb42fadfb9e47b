//! Errors in scripts, as values.

use std::fmt;

use crate::ByteSpan;

/// Why a text is not a script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The range of the error. It is empty only in an empty text.
    pub span: ByteSpan,
    /// The kind of error.
    pub kind: SyntaxErrorKind,
    /// An edit that fixes it, if the fix is unambiguous.
    pub fix: Option<Replacement>,
}

/// A replacement of a range of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The range to replace.
    pub span: ByteSpan,
    /// The new text.
    pub with: String,
}

/// The token that was found instead of the expected one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundToken {
    /// The text ends.
    End,
    /// A token as written, up to the end of its first line.
    Token(String),
}

/// A feature of Luau that scripts may not use; Lua 5.1 does not have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// `x += 1`, by its operator.
    Compound(&'static str),
    /// `continue`.
    Continue,
    /// `a // b`.
    FloorDivision,
    /// `if a then b else c` as a value.
    IfExpression,
    /// A string in backticks.
    Interpolation,
    /// `0b101`, `1_000`.
    Number,
    /// `\x41`, `\z`, `\u{41}`, and a backslash before a character that needs no escape.
    Escape,
    /// `x: T`, `x :: T`, `type T = …`.
    Types,
    /// `const x = 1`.
    Const,
}

/// What is wrong, with the parts that the message names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SyntaxErrorKind {
    /// Something else is expected here.
    Expected {
        /// What is expected, for messages.
        expected: &'static str,
        /// What was found.
        found: FoundToken,
    },
    /// The end of a block or bracket is missing.
    Unclosed {
        /// The token that closes it.
        expected: &'static str,
        /// What was found.
        found: FoundToken,
        /// The token that opened it.
        opened: &'static str,
        /// The line of that token, from 1.
        line: usize,
    },
    /// A symbol or word of another language.
    Foreign {
        /// The symbol or word.
        found: &'static str,
        /// Its equivalent in Lua.
        lua: &'static str,
    },
    /// `else if` instead of `elseif`, so that the `end` of the inner `if` is missing.
    ElseIf,
    /// A string in quotes or brackets without an end.
    UnclosedText,
    /// A comment in brackets without an end.
    UnclosedComment,
    /// A backslash that does not begin an escape.
    Escape,
    /// A malformed number.
    Number,
    /// A character that has no meaning outside strings and comments.
    Character(char),
    /// A character that no part of a script may contain: a control character, or a carriage return without a line feed.
    Control(char),
    /// More levels of nesting than [`DEEPEST`](crate::DEEPEST).
    TooDeep,
    /// `break` or `continue` outside the loops of its function.
    NoLoop(&'static str),
    /// `...` in a function that is not variadic.
    NoVararg,
    /// The left side of `=` is neither a variable nor a field.
    NotAssignable,
    /// An assignment to a `const`.
    Constant,
    /// A `const` without a value.
    ConstWithoutValue,
    /// An opening parenthesis on a new line, which could begin a statement.
    CallOnNewLine,
    /// `{{` in a string in backticks.
    DoubleBrace,
    /// A construct that no script may use: attributes, type functions, explicit type arguments.
    Unsupported(&'static str),
    /// A feature of Luau that scripts may not use.
    Beyond(Extension),
    /// There are more errors than are reported.
    TooMany,
}

impl fmt::Display for FoundToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoundToken::End => f.write_str("the end of the file"),
            FoundToken::Token(text) => write!(f, "`{text}`"),
        }
    }
}

impl fmt::Display for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Extension::Compound(sign) => sign,
            Extension::Continue => "continue",
            Extension::FloorDivision => "//",
            Extension::IfExpression => "`if` expressions",
            Extension::Interpolation => "strings in backticks",
            Extension::Number => "numbers with `0b` or `_`",
            Extension::Escape => "escapes of this form",
            Extension::Types => "type annotations",
            Extension::Const => "const",
        })
    }
}

impl Extension {
    /// What to write instead, for messages.
    pub fn instead(self) -> String {
        match self {
            Extension::Compound(sign) => format!("write `x = x {} …`", sign.trim_end_matches('=')),
            Extension::Continue => "put the rest of the loop into an `if`".to_owned(),
            Extension::FloorDivision => "write `math.floor(a / b)`".to_owned(),
            Extension::IfExpression => "write it as a statement: `if a then x = b else x = c end`".to_owned(),
            Extension::Interpolation => "join strings with `..`".to_owned(),
            Extension::Number => "write it in decimal digits, or with `0x`".to_owned(),
            Extension::Escape => "write the character itself, or `\\` and its number".to_owned(),
            Extension::Types => "leave the type out, or write it in a comment: `---@param name type`".to_owned(),
            Extension::Const => "write `local`".to_owned(),
        }
    }

    fn quoted(self) -> String {
        match self {
            Extension::Compound(_) | Extension::Continue | Extension::FloorDivision | Extension::Const => {
                format!("`{self}`")
            }
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyntaxErrorKind::Expected { expected, found } | SyntaxErrorKind::Unclosed { expected, found, .. } => {
                write!(f, "expected {expected}, found {found}")
            }
            SyntaxErrorKind::Foreign { found, .. } => write!(f, "`{found}` has no meaning in Lua"),
            SyntaxErrorKind::ElseIf => f.write_str("`else if` opens a second `if`, whose `end` is missing"),
            SyntaxErrorKind::UnclosedText => f.write_str("unclosed string"),
            SyntaxErrorKind::UnclosedComment => f.write_str("unclosed comment"),
            SyntaxErrorKind::Escape => f.write_str("invalid escape"),
            SyntaxErrorKind::Number => f.write_str("malformed number"),
            SyntaxErrorKind::Character(c) => write!(f, "`{c}` has no meaning in Lua"),
            SyntaxErrorKind::Control('\r') => f.write_str("a carriage return without a line feed"),
            SyntaxErrorKind::Control('\u{feff}') => f.write_str("a byte order mark"),
            SyntaxErrorKind::Control(c) => write!(f, "a control character, {}", c.escape_unicode()),
            SyntaxErrorKind::TooDeep => write!(f, "nested more than {} levels deep", crate::DEEPEST),
            SyntaxErrorKind::NoLoop(word) => write!(f, "`{word}` outside a loop"),
            SyntaxErrorKind::NoVararg => f.write_str("`...` outside a function that takes it"),
            SyntaxErrorKind::NotAssignable => f.write_str("cannot assign to this; expected a variable or a field"),
            SyntaxErrorKind::Constant => f.write_str("a `const` cannot be assigned to"),
            SyntaxErrorKind::ConstWithoutValue => f.write_str("this `const` has no value"),
            SyntaxErrorKind::CallOnNewLine => {
                f.write_str("ambiguous parenthesis: it could start a statement or call the line before")
            }
            SyntaxErrorKind::DoubleBrace => f.write_str("`{{` in a string in backticks"),
            SyntaxErrorKind::Unsupported(what) => write!(f, "scripts may not use {what}"),
            SyntaxErrorKind::Beyond(extension) => {
                write!(f, "scripts are written in Luau, but may not use {}", extension.quoted())
            }
            SyntaxErrorKind::TooMany => f.write_str("there are more errors"),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    pub(crate) fn new(span: ByteSpan, kind: SyntaxErrorKind) -> Self {
        Self { span, kind, fix: None }
    }

    pub(crate) fn with(mut self, span: ByteSpan, with: impl Into<String>) -> Self {
        self.fix = Some(Replacement { span, with: with.into() });
        self
    }

    /// A help for the error.
    pub fn help(&self) -> Option<String> {
        Some(match (&self.kind, &self.fix) {
            (SyntaxErrorKind::Foreign { lua, .. }, _) => format!("write `{lua}`"),
            (SyntaxErrorKind::Beyond(extension), _) => extension.instead(),
            (_, Some(fix)) => format!("write `{}`", fix.with),
            (SyntaxErrorKind::Unclosed { opened, line, .. }, None) => {
                format!("it closes the `{opened}` of line {line}")
            }
            (SyntaxErrorKind::Control('\r'), None) => {
                "end lines with a line feed, or with a carriage return and a line feed".to_owned()
            }
            (SyntaxErrorKind::Control('\u{feff}'), None) => {
                "save the file as UTF-8 without a byte order mark".to_owned()
            }
            (SyntaxErrorKind::Control(_), None) => "remove it; in a string, write `\\` and its number".to_owned(),
            (SyntaxErrorKind::CallOnNewLine, None) => "put it on the line before, or a `;` between them".to_owned(),
            (SyntaxErrorKind::DoubleBrace, None) => "write `\\{` for a brace".to_owned(),
            _ => return None,
        })
    }
}
