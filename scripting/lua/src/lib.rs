//! The one parser for the scripts of Principes.
//!
//! It reads the dialect that the machine runs, Luau, and reports what Lua 5.1 does not have. [`parse`] returns a tree
//! in which every name is resolved and everything has its place, together with all comments, so that tools can change
//! texts by spans. Mistakes are values with a place, and reading continues after them. [`review()`] decides on the tree
//! whether a script is safe to run.
//!
//! Nesting deeper than [`DEEPEST`] is an error, and time is linear in the length of the text.
//!
//! # Map
//!
//! - `lexer`, `literal`: a text as tokens, and the values of numbers and strings.
//! - `parser`: tokens become a `tree`, with names resolved. `error`: what can be wrong with a text, and how to fix it.
//! - `visit`: goes through all parts of a tree.
//! - `review`: whether a script is safe to run. `weight`: where steps are charged for straight-line code.
//! - `tidy`: a script in its canonical shape.
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
mod lexer;
mod literal;
mod parser;
mod review;
mod tidy;
pub mod tree;
pub mod visit;
mod weight;

use std::ops::Range;

pub use error::{Extension, Fix, FoundToken, SyntaxError, SyntaxErrorKind};
pub use lexer::{Token, TokenKind, Tokens, text_bytes, tokens};
pub use parser::{Parsed, Unparsed, parse};
pub use review::{Guards, LONGEST_NUMERAL, LONGEST_TEXT, Reason, Review, ReviewError, is_long, review};
pub use tidy::tidy;
pub use weight::FREE as WEIGHT_OF_A_STEP;

/// A range of bytes of a text.
pub type Span = Range<usize>;

/// The deepest nesting allowed.
pub const DEEPEST: u16 = 120;
