//! What is wrong with a script, as values.

use std::fmt;

use crate::Span;

/// A place where a text is not a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The range of the text to look at; may be empty only in an empty text.
    pub span: Span,
    /// What is wrong there.
    pub kind: SyntaxErrorKind,
    /// An edit that fixes it, if there is no doubt.
    pub fix: Option<Fix>,
}

/// An edit of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// What to put there.
    pub with: String,
}

/// What was found where something else was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundToken {
    /// The text ends.
    End,
    /// A token, as it is written, without what follows its first line.
    Token(String),
}

/// Something that Luau knows and Lua 5.1 does not.
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
    /// A text in backticks.
    Interpolation,
    /// `0b101`, `1_000`.
    Number,
    /// `\x41`, `\z`, `\u{41}`, and a backslash before anything that needs none.
    Escape,
    /// `x: T`, `x :: T`, `type T = …`.
    Types,
    /// `const x = 1`.
    Const,
}

/// What can be wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SyntaxErrorKind {
    /// Something else is required here.
    Expected {
        /// What, as messages name it.
        expected: &'static str,
        /// What was found.
        found: FoundToken,
    },
    /// What closes a block or bracket is missing.
    Unclosed {
        /// What closes it.
        expected: &'static str,
        /// What was found.
        found: FoundToken,
        /// What opened it.
        opened: &'static str,
        /// Its line, from 1.
        line: usize,
    },
    /// A sign or word of other languages.
    Foreign {
        /// What is written.
        found: &'static str,
        /// What Lua calls it.
        lua: &'static str,
    },
    /// `else if` where `elseif` is meant: the `end` of the inner `if` is missing.
    ElseIf,
    /// A text in quotes or brackets without an end.
    UnclosedText,
    /// A comment in brackets without an end.
    UnclosedComment,
    /// A backslash with something behind it that makes no character.
    Escape,
    /// Something that begins like a number and is none.
    Number,
    /// A character that means nothing outside of texts and comments.
    Character(char),
    /// A character that no part of a script may hold: a control character, or a carriage return without a line feed.
    Control(char),
    /// More levels of nesting than [`DEEPEST`](crate::DEEPEST).
    TooDeep,
    /// `break` or `continue` outside of every loop of its function.
    NoLoop(&'static str),
    /// `...` in a function that is not variadic.
    NoVararg,
    /// Something on the left of `=` that is neither a variable nor a field.
    NotAssignable,
    /// An assignment to a `const`.
    Constant,
    /// A `const` without a value.
    ConstWithoutValue,
    /// An opening parenthesis on a new line, which could begin a statement.
    CallOnNewLine,
    /// `{{` in a text in backticks.
    DoubleBrace,
    /// A construct that no script may use: attributes, type functions, explicit type arguments.
    Unsupported(&'static str),
    /// Something of Luau in a script that is to be Lua 5.1.
    Beyond(Extension),
    /// More mistakes than are worth telling.
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
            Extension::Interpolation => "texts in backticks",
            Extension::Number => "numbers with `0b` or `_`",
            Extension::Escape => "escapes of this form",
            Extension::Types => "type annotations",
            Extension::Const => "const",
        })
    }
}

impl Extension {
    /// What to write instead.
    pub fn instead(self) -> String {
        match self {
            Extension::Compound(sign) => format!("write `x = x {} …`", sign.trim_end_matches('=')),
            Extension::Continue => "put the rest of the loop into an `if`".to_owned(),
            Extension::FloorDivision => "write `math.floor(a / b)`".to_owned(),
            Extension::IfExpression => "write `if` as a statement, or `a and b or c`".to_owned(),
            Extension::Interpolation => "join texts with `..`".to_owned(),
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
            SyntaxErrorKind::UnclosedText => f.write_str("unclosed text"),
            SyntaxErrorKind::UnclosedComment => f.write_str("unclosed comment"),
            SyntaxErrorKind::Escape => f.write_str("invalid escape"),
            SyntaxErrorKind::Number => f.write_str("malformed number"),
            SyntaxErrorKind::Character(c) => write!(f, "`{c}` has no meaning in Lua"),
            SyntaxErrorKind::Control('\r') => f.write_str("a carriage return without a line feed"),
            SyntaxErrorKind::Control('\u{feff}') => f.write_str("a byte order mark"),
            SyntaxErrorKind::Control(c) => write!(f, "a control character, {}", c.escape_unicode()),
            SyntaxErrorKind::TooDeep => write!(f, "nested more than {} levels deep", crate::DEEPEST),
            SyntaxErrorKind::NoLoop(word) => write!(f, "`{word}` outside of a loop"),
            SyntaxErrorKind::NoVararg => f.write_str("`...` outside of a function that takes it"),
            SyntaxErrorKind::NotAssignable => f.write_str("cannot assign to this; expected a variable or a field"),
            SyntaxErrorKind::Constant => f.write_str("a `const` cannot be assigned to"),
            SyntaxErrorKind::ConstWithoutValue => f.write_str("this `const` has no value"),
            SyntaxErrorKind::CallOnNewLine => {
                f.write_str("ambiguous parenthesis: it could start a statement or call the line before")
            }
            SyntaxErrorKind::DoubleBrace => f.write_str("`{{` in a text in backticks"),
            SyntaxErrorKind::Unsupported(what) => write!(f, "scripts may not use {what}"),
            SyntaxErrorKind::Beyond(extension) => {
                write!(f, "scripts are written in Lua 5.1, which does not have {}", extension.quoted())
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
    pub(crate) fn new(span: Span, kind: SyntaxErrorKind) -> Self {
        Self { span, kind, fix: None }
    }

    pub(crate) fn with(mut self, span: Span, with: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, with: with.into() });
        self
    }

    /// How to fix it, in words.
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
            (SyntaxErrorKind::Control(_), None) => "remove it; in a text, write `\\` and its number".to_owned(),
            (SyntaxErrorKind::CallOnNewLine, None) => "put it on the line before, or a `;` between them".to_owned(),
            (SyntaxErrorKind::DoubleBrace, None) => "write `\\{` for a brace".to_owned(),
            _ => return None,
        })
    }
}
