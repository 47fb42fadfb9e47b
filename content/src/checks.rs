//! Checks of what no schema can say: whether the parts of a game fit together.
//!
//! Every check is a module with one function, `check(content, findings)`. Those that count or miss something of a family
//! say nothing where some of it could not be read, so that they do not report what is only a consequence.

mod board;
mod cards;
mod changes;
mod content;
mod counters;
mod flow;
mod may;
mod named;
mod orphans;
mod params;
mod pins;
mod placeholders;
mod sizes;
mod texts;
mod tiles;
mod translations;
mod unused;
mod vocabulary;

use principes_findings::Finding;
use principes_model::Merged;

use self::content::Content;
pub use self::vocabulary::Vocabulary;

const CHECKS: [fn(&Content<'_>, &mut Vec<Finding>); 16] = [
    board::check,
    cards::check,
    changes::check,
    counters::check,
    flow::check,
    may::check,
    named::check,
    orphans::check,
    params::check,
    pins::check,
    placeholders::check,
    sizes::check,
    texts::check,
    tiles::check,
    translations::check,
    unused::check,
];

/// Runs all checks.
pub fn run(merged: &Merged, findings: &mut Vec<Finding>) {
    let content = Content { merged, vocabulary: Vocabulary::new(merged) };
    CHECKS.iter().for_each(|check| check(&content, findings));
}
