//! Declarations of what hooks may change: the names in them must exist.

use principes_findings::{Code, Finding, Subject, suggestion};
use principes_model::{Allowed, EntityPlace, Merged};
use principes_schemas::May;

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let cards = merged.cards.iter().map(|card| (&card.place, &card.value.may));
    let rules = merged.rules.iter().map(|rule| (&rule.place, &rule.value.may));
    for (place, may) in cards.chain(rules) {
        for (at, May(entry)) in may.iter().flatten().enumerate() {
            one(merged, place, at, entry, findings);
        }
    }
}

fn one(merged: &Merged, place: &EntityPlace, at: usize, entry: &str, findings: &mut Vec<Finding>) {
    let Some(allowed) = Allowed::read(entry) else { return };
    let Some((family, id)) = allowed.reference() else { return };
    if merged.ids.has(family.key(), id) {
        return;
    }
    let near = suggestion(id, merged.ids.of(family.key())).map(|near| {
        let text = format!("{}{}", &entry[..entry.len() - id.len()], near.name);
        near.write(text)
    });
    let message = format!("unknown {} `{id}`", family.noun());
    let finding = merged.finding(place, &format!("/may/{at}"), Code::UnknownReference, message);
    findings.push(finding.suggest(near).rests_on([Subject::missing(family.key(), id)]));
}
