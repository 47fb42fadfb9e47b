//! The only parser for scripts in Principes.
//!
//! It reads Luau, which is the dialect that the machine runs, and reports features that Lua 5.1 does not have.
//! [`parse`] returns a tree with spans in which every name is resolved, together with all comments, so that tools can
//! edit texts by span. Syntax errors are values with a span, and parsing continues after them. [`review()`] uses the
//! tree to decide whether a script is safe to run.
//!
//! Nesting deeper than [`DEEPEST`] is an error. The time is linear in the length of the text.
//!
//! # What this crate must not know
//!
//! Games, packs and the script API. A caller of [`review()`] says which global names exist.
//!
//! # Map
//!
//! - `lexer`, `literal`: splitting a text into tokens, and the values of numbers and strings. `lines`: where lines begin.
//! - `parser`: makes a `tree` of tokens, with names resolved. `error`: syntax errors, and their fixes.
//! - `visit`: visits all parts of a tree.
//! - `review`: decides whether a script is safe to run. `weight`: decides where straight-line code is charged.
//! - `inlined`: finds the calls that the compiler has removed. `callees`: which function a call calls.
//! - `names`: how scripts write the ids of packs.
//! - `tidy`: the canonical format of a script. `meaning`: what remains of it for the machine.
//!
//! # Example
//!
//! ```
//! let parsed = principes_lua::parse("if a != b then f() end");
//! assert_eq!(parsed.errors.len(), 1);
//! assert_eq!(parsed.errors[0].to_string(), "`!=` has no meaning in Lua");
//! assert_eq!(parsed.errors[0].fix.as_ref().map(|fix| fix.with.as_str()), Some("~="));
//! ```

mod callees;
mod error;
mod inlined;
mod lexer;
mod lines;
mod literal;
mod meaning;
mod names;
mod parser;
mod review;
mod tidy;
pub mod tree;
pub mod visit;
mod weight;

use std::ops::Range;

pub use error::{Extension, FoundToken, Replacement, SyntaxError, SyntaxErrorKind};
pub use inlined::{CallSite, InlinedCall, KnownCalls, Traced};
pub use lexer::{Token, TokenKind, Tokens, text_bytes, tokens};
pub use meaning::meaning;
pub use names::constant_name;
pub use parser::{Parsed, Unparsed, parse};
pub use review::{Guards, LONGEST_NUMERAL, LONGEST_TEXT, Reason, Review, ReviewError, is_long, review};
pub use tidy::tidy;
pub use weight::FREE as WEIGHT_OF_A_STEP;

/// A range of bytes of a script.
pub type ByteSpan = Range<usize>;

/// The greatest depth of nesting.
pub const DEEPEST: u16 = 120;
