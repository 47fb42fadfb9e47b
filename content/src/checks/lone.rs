//! Names that appear only once: values of hook points, and of faces of the battle die.

use std::collections::{BTreeMap, BTreeSet};

use principes_analysis::Constants;
use principes_core::catalog::KernelPoints;
use principes_findings::{Code, Finding, budget, suggestion};
use principes_model::EntityPlace;
use principes_schemas::{self as schemas, Family};

use super::content::Content;

/// Names of values that need no explanation, besides those of the tables of constants.
const TYPES: [&str; 3] = ["card", "piece", "seat"];

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    if !merged.broken.spares(&[Family::Points, Family::Procedures]) {
        return;
    }
    let kernel = KernelPoints::declare().1;
    let mut usual: BTreeSet<&str> = Constants::all().map(Constants::table).chain(TYPES).collect();
    usual.extend(kernel.iter().flat_map(|point| &point.args).map(String::as_str));
    // The number of hook points with each value.
    let mut points: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &merged.points {
        let own: BTreeSet<&str> = entry.value.args.iter().map(String::as_str).collect();
        own.into_iter().for_each(|name| *points.entry(name).or_default() += 1);
    }
    for entry in &merged.points {
        if budget::is_full(findings) {
            return;
        }
        for (at, name) in entry.value.args.iter().enumerate() {
            let others = merged.points.iter().filter(|other| other.value.id != entry.value.id);
            let is_known = usual.contains(name.as_str())
                || content.vocabulary.says(name)
                || entry.value.doc.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
                || points.get(name.as_str()).is_some_and(|points| *points > 1);
            if !is_known {
                let known = others.flat_map(|other| &other.value.args).map(String::as_str).chain(usual.iter().copied());
                let near = suggestion(name, known);
                let message =
                    format!("nothing else mentions the value `{name}` of the hook point `{}`", entry.value.id);
                report(content, &entry.place, &format!("/args/{at}"), message, near, findings);
            }
        }
    }
    for entry in &merged.procedures {
        let schemas::Procedure::Battle { faces, strength, fortify, .. } = &*entry.value else { continue };
        let stats = [strength.as_str(), fortify.as_str()];
        for (at, face) in faces.iter().enumerate() {
            for name in face.values.keys() {
                if !stats.contains(&name.as_str()) && !content.vocabulary.says(name) {
                    let near = suggestion(name, stats);
                    let message = format!("nothing reads the value `{name}` of the face `{}`", face.id);
                    report(content, &entry.place, &format!("/faces/{at}/values/{name}"), message, near, findings);
                }
            }
        }
    }
}

fn report(
    content: &Content<'_>,
    place: &EntityPlace,
    field: &str,
    message: String,
    near: Option<principes_findings::Suggestion>,
    findings: &mut Vec<Finding>,
) {
    let finding = content.merged.finding(place, field, Code::LoneName, message);
    findings.push(finding.help("use it in a script, or give it the name that scripts use").suggest(near));
}
