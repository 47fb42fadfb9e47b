//! Names of props and stats in counters and procedures. Without a declaration, nothing could be read.

use principes_findings::{Code, Finding, suggestion};
use principes_model::{EntityPlace, Merged};
use principes_schemas::{self as schemas, Family, Keyword, PropOwner};

use super::content::Content;
use crate::props::DeclaredProps;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    if !merged.broken.spares(&[Family::Props]) {
        return;
    }
    let mut names = PropNames { merged, declared: DeclaredProps::new(&merged.props), findings };
    let (space, stat) = (PropOwner::Spaces, PropOwner::Stats);
    for entry in &merged.counters {
        if let Some(derived) = &entry.value.derived {
            names.check(&entry.place, "/derived/space", derived.space.as_ref(), &[space]);
            names.check(&entry.place, "/derived/piece", derived.piece.as_ref(), &[stat]);
        }
    }
    for entry in &merged.procedures {
        match &*entry.value {
            schemas::Procedure::Movement { stat: name, .. } => {
                names.check(&entry.place, "/stat", Some(name), &[stat]);
            }
            schemas::Procedure::Battle { strength, toughness, rank, fortify, .. } => {
                names.check(&entry.place, "/strength", Some(strength), &[stat]);
                names.check(&entry.place, "/toughness", Some(toughness), &[stat]);
                names.check(&entry.place, "/rank", Some(rank), &[stat]);
                names.check(&entry.place, "/fortify", Some(fortify), &[stat, space]);
            }
            _ => {}
        }
    }
}

struct PropNames<'c, 'm> {
    merged: &'m Merged,
    declared: DeclaredProps<'m>,
    findings: &'c mut Vec<Finding>,
}

impl PropNames<'_, '_> {
    fn check(&mut self, place: &EntityPlace, field: &str, name: Option<&Keyword>, owners: &[PropOwner]) {
        let Some(name) = name.map(Keyword::as_str) else { return };
        if owners.iter().any(|of| !self.declared.named(*of, name).is_empty()) {
            return;
        }
        let known = owners.iter().flat_map(|of| self.declared.of(*of)).filter(|prop| !prop.is_field());
        let near = suggestion(name, known.map(schemas::Prop::key));
        let what = owners.iter().map(|of| what(*of)).collect::<Vec<_>>().join(" or ");
        let finding = self.merged.finding(place, field, Code::UndeclaredProp, format!("undeclared {what} `{name}`"));
        self.findings.push(finding.help("declare it under `props`").suggest(near));
    }
}

fn what(of: PropOwner) -> String {
    match of {
        PropOwner::Stats => "stat".to_owned(),
        other => format!("prop of {}", other.name()),
    }
}
