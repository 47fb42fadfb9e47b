//! How much the packs together may declare. What is more than that is left out before anything is worked out of it.

use principes_findings::budget::{MOST_ENTITIES, MOST_MESSAGES, MOST_PATCHES};
use principes_findings::{Code, Finding};
use principes_json::{Document, MemberPart};
use principes_model::Merged;
use principes_schemas::Family;
use serde_json::Value;

/// Something that is counted: what it is called, the families that it is in, how many there may be.
type Size = (&'static str, fn(Family) -> bool, usize);

const SIZES: [Size; 3] = [
    ("messages", |family| family == Family::Messages, MOST_MESSAGES),
    ("patches", |family| family == Family::Patches, MOST_PATCHES),
    ("entities, patches and scenarios", |family| family != Family::Messages, MOST_ENTITIES),
];

/// Leaves out the files with which there is too much, and says so.
pub fn limit(merged: &mut Merged, findings: &mut Vec<Finding>) {
    for (what, counts, most) in SIZES {
        let mut count = 0;
        let mut told = false;
        merged.documents.0.retain(|document| {
            let Some(family) = document.family.filter(|family| counts(*family)) else { return true };
            count += size(document, family);
            if count > most && !told {
                told = true;
                let at = format!("/{}", family.key());
                let message = format!("with this file, the packs together have more than {most} {what}");
                let finding = document.finding(Code::BudgetExceeded, &at, MemberPart::Key, message);
                findings.push(finding.help("remove some; this file and those after it are left out"));
            }
            count <= most
        });
        merged.broken.anything |= told;
    }
}

/// How many entities or messages a file has. Phases are entities at every depth.
fn size(document: &Document, family: Family) -> usize {
    match document.value.get(family.key()) {
        Some(Value::Array(list)) => list.len().max(document.named().len()),
        Some(Value::Object(object)) => object.len(),
        _ => 0,
    }
}
