//! Params that nothing reads.

use std::collections::{BTreeSet, HashMap};

use principes_findings::{Code, Finding, Subject};
use principes_model::{EntityPlace, Merged};
use principes_schemas::{self as schemas, Family};

use super::content::Content;

/// Reports params that neither their text nor any script reads.
pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let (merged, words) = (content.merged, &content.vocabulary);
    if !merged.broken.spares(&[Family::Messages]) {
        return;
    }
    let mut shown: HashMap<&str, BTreeSet<&String>> = HashMap::new();
    for entry in merged.messages.iter().filter(|entry| !entry.holes.is_empty()) {
        shown.entry(entry.key.as_str()).or_default().extend(&entry.holes);
    }
    let cards =
        merged.cards.iter().map(|e| (&e.place, format!("card.{}.text", e.value.id), &e.value.params, &e.value.hooks));
    let rules =
        merged.rules.iter().map(|e| (&e.place, format!("rule.{}.text", e.value.id), &e.value.params, &e.value.hooks));
    for (place, key, params, hooks) in cards.chain(rules).filter(|(_, _, params, _)| !params.is_empty()) {
        let allowed = content.fillable.allowed(&key).unwrap_or_default();
        let holes = shown.get(key.as_str());
        // A placeholder without a value may be any param, misspelled.
        let is_misspelled = holes.is_some_and(|holes| holes.iter().any(|hole| !allowed.contains(hole)));
        for name in params.keys() {
            let in_text = is_misspelled || holes.is_some_and(|holes| holes.contains(name));
            if !in_text && !words.reads(hooks, name) {
                findings.push(
                    merged
                        .finding_at_key(
                            place,
                            &format!("/params/{name}"),
                            Code::IdleParam,
                            format!("param `{name}` is not used in the text or in a hook"),
                        )
                        .help(format!("remove it, or use it as `self.{name}` in a hook and `{{{name}}}` in the text"))
                        .rests_on(users(merged, place, hooks)),
                );
            }
        }
    }
}

/// What can use a param: its entity and the scripts of its hooks.
fn users(merged: &Merged, place: &EntityPlace, hooks: &schemas::Hooks) -> Vec<Subject> {
    let modules = hooks.values().filter_map(|hook| Some(hook.function()?.0.rsplit_once('.')?.0));
    let file = |module: &str| merged.scripts.iter().find(|script| script.module == module);
    let scripts = modules.filter_map(|module| Some(Subject::file(file(module)?.file.as_str())));
    scripts.chain([merged.part(place, "")]).collect()
}
