//! Rulebooks: prose of packs with live parts, which always say what the packs say.
//!
//! A rulebook is a subset of CommonMark. Live parts stand in double braces: `{{param levy gold}}`. This module reads
//! the text; `live` says which live parts there are.

mod live;
mod markdown;
mod tree;

pub use live::{HelpOf, INLINE_PARTS, LivePart, NumberOf, STANDALONE_PARTS};
pub use markdown::{MOST_DEPTH, parse};
pub use tree::{InText, ParsedRules, RulesFile, RulesViolation, TextBlock, TextRun};
