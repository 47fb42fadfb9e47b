//! Checking the scripts of all packs without running them, in parallel with other work.

use principes_analysis::{self as analysis, STACK};
use principes_findings::budget::{self, Effort, MOST_LOOKS};
use principes_findings::{Code, Finding};
use principes_json::MemberPart;
use principes_model::Merged;

use crate::options::LoadOptions;
use crate::script_facts::facts;

/// Checks all scripts, and meanwhile runs `other`.
pub fn check<T>(merged: &Merged, options: &LoadOptions, meanwhile: impl FnOnce() -> T) -> (Vec<Finding>, T) {
    let look = || {
        budget::begin_comparing();
        let facts = facts(merged);
        let find = || analysis::check(&merged.scripts, &facts, Effort::new(MOST_LOOKS, options.deadline));
        let scripts = merged.scripts.iter().map(|script| (&script.file, &script.module, &script.text));
        let scripts: Vec<_> = scripts.collect();
        let checked = options.cache.scripts_together(&(scripts, &facts), find);
        let missing = checked.missing.into_iter().map(|missing| {
            let at = &facts.references[missing.reference];
            let documents = &merged.documents;
            let finding =
                documents.finding(at.document, &at.pointer, MemberPart::Value, Code::UnknownFunction, missing.message);
            finding.help(missing.help).suggest(missing.near)
        });
        let missing: Vec<Finding> = missing.collect();
        let file = merged.scripts.last().map(|script| script.file.as_str()).unwrap_or_default();
        checked.findings.into_iter().chain(missing).chain(budget::not_compared(file)).collect()
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, look);
        let done = meanwhile();
        // If no thread can be started, this one does the work.
        (thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(look), done)
    })
}
