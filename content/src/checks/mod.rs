//! Checks of what no schema can say: whether the parts of a game fit together.

mod board;
mod flow;
mod may;
mod named;
mod pins;
mod texts;
mod words;

use principes_findings::Finding;
use principes_model::Merged;
use principes_schemas::Family;

/// Runs all checks. Those that count or miss something of a family are left out where some of it could not be
/// read, so that they do not report what is only a consequence.
pub fn run(merged: &Merged, findings: &mut Vec<Finding>) {
    board::check(merged, findings);
    flow::check(merged, findings);
    may::check(merged, findings);
    named::check(merged, findings);
    texts::check(merged, findings);
    board::check_whole(merged, findings);
    flow::check_whole(merged, findings);
    pins::check(merged, findings);
    let words = words::Words::new(merged);
    texts::check_whole(merged, &words, findings);
    if merged.broken.spares(&[Family::Cards]) {
        words::idle_cards(merged, &words, findings);
    }
}
