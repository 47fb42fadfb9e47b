//! Checks beyond the schemas: whether the parts of a game fit together.
//!
//! Every check is a module with one function, `check(content, findings)`. A check that counts the entities of a family,
//! or reports missing ones, reports nothing if part of the family could not be read, because its findings would be
//! consequences.

mod board;
mod cards;
mod changes;
mod content;
mod counters;
mod flow;
mod lone;
mod looks;
mod may;
mod named;
mod orphans;
mod params;
mod pins;
mod placeholders;
mod promises;
mod rulebooks;
mod sizes;
mod texts;
mod tiles;
mod translations;
mod unused;
mod vocabulary;

use principes_findings::Finding;
use principes_findings::budget::{self, Deadline};
use principes_model::Merged;

use self::content::Content;
pub use self::pins::tie as tie_pins;
use self::placeholders::Fillable;
pub use self::vocabulary::KnownWords;
use crate::options::LoadOptions;

const CHECKS: [fn(&Content<'_>, &mut Vec<Finding>); 20] = [
    sizes::check,
    board::check,
    cards::check,
    changes::check,
    counters::check,
    flow::check,
    lone::check,
    looks::check,
    may::check,
    named::check,
    orphans::check,
    params::check,
    pins::check,
    placeholders::check,
    promises::check,
    rulebooks::check,
    texts::check,
    tiles::check,
    translations::check,
    unused::check,
];

/// Runs all checks. Sizes come first, because they are reported in any case.
pub fn run(merged: &Merged, options: &LoadOptions, findings: &mut Vec<Finding>) {
    let decoding = options.pictures.then_some(&*options.cache);
    let (vocabulary, fillable) = (KnownWords::new(merged), Fillable::new(merged));
    let content = Content { merged, vocabulary, fillable, scenarios: options.scenarios, decoding };
    for check in CHECKS {
        if options.deadline.is_over() {
            let file = merged.packs.last().map(|pack| pack.document.file.as_str()).unwrap_or_default();
            return findings.push(Deadline::finding(file, "a part of the checks"));
        }
        if !budget::is_full(findings) {
            check(&content, findings);
        }
    }
}
