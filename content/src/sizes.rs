//! How much the packs together may declare. Anything beyond is left out before it is processed.

use principes_findings::budget::{MOST_ENTITIES, MOST_MESSAGES, MOST_PATCHES};
use principes_findings::{Code, Finding};
use principes_json::{Document, MemberPart};
use principes_model::Merged;
use principes_schemas::Family;
use serde_json::Value;

/// A limit: the name of what is counted, its families, and the largest number.
type Size = (&'static str, fn(Family) -> bool, usize);

const SIZES: [Size; 3] = [
    ("messages", |family| family == Family::Messages, MOST_MESSAGES),
    ("patches", |family| family == Family::Patches, MOST_PATCHES),
    ("entities, patches and scenarios", |family| family != Family::Messages, MOST_ENTITIES),
];

/// Leaves out the files that exceed a limit, and reports it.
pub fn limit(merged: &mut Merged, findings: &mut Vec<Finding>) {
    for (what, counts, most) in SIZES {
        let mut count = 0;
        let mut is_exceeded = false;
        merged.documents.0.retain(|document| {
            let Some(family) = document.family.filter(|family| counts(*family)) else { return true };
            count += size(document, family);
            if count > most && !is_exceeded {
                is_exceeded = true;
                let at = format!("/{}", family.key());
                let message = format!("with this file, the packs together have more than {most} {what}");
                let finding = document.finding(Code::BudgetExceeded, &at, MemberPart::Key, message);
                findings.push(finding.help("remove some; this file and those after it are left out"));
            }
            count <= most
        });
        merged.broken.anything |= is_exceeded;
    }
}

/// The number of entities or messages in a file. Phases are entities at every depth.
fn size(document: &Document, family: Family) -> usize {
    match document.value.get(family.key()) {
        Some(Value::Array(list)) => list.len().max(document.named().len()),
        Some(Value::Object(object)) => object.len(),
        _ => 0,
    }
}
