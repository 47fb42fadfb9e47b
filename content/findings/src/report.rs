//! Many findings: their order, and how they are printed.

use std::collections::BTreeMap;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde_json::Value;

use crate::cause::hold_back;
use crate::code::{Code, Stage};
use crate::finding::Finding;
use crate::severity::Severity;

/// Sorts findings, so that reports do not depend on the order of the checks: a cause before its consequences.
///
/// What running shows comes after what reading shows, warnings after errors, later stages after earlier ones; the rest
/// goes by file and place. Consequences are held back: see [`hold_back`].
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.message.cmp(&b.message)));
    findings.dedup();
    hold_back(findings);
    thin(findings);
}

/// The order of findings.
fn rank(finding: &Finding) -> impl Ord + '_ {
    let stage = finding.code.stage();
    (
        stage >= Stage::Scenarios,
        !finding.is_error(),
        stage,
        &finding.file,
        finding.span.line,
        finding.span.column,
        finding.code,
    )
}

/// Findings of one code in one file that are told.
const MOST_ALIKE: usize = 200;

/// Leaves out what nobody would read: a file that is wrong in thousands of places is wrong as a whole.
fn thin(findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<(String, Code), usize> = BTreeMap::new();
    for finding in findings.iter() {
        *seen.entry((finding.file.clone(), finding.code)).or_default() += 1;
    }
    seen.retain(|_, count| *count > MOST_ALIKE);
    if seen.is_empty() {
        return;
    }
    let mut kept: BTreeMap<(String, Code), usize> = BTreeMap::new();
    findings.retain_mut(|finding| {
        let key = (finding.file.clone(), finding.code);
        let Some(all) = seen.get(&key) else { return true };
        let told = kept.entry(key).or_default();
        *told += 1;
        if *told == MOST_ALIKE {
            finding.message = format!("{} (and {} more like it in the file)", finding.message, all - MOST_ALIKE);
        }
        *told <= MOST_ALIKE
    });
}

/// Findings for people: the message, the source line, carets, advice.
pub fn print_human(findings: &[Finding], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for finding in findings {
        text.push_str(&renderer.render(&[group(finding)]));
        text.push_str("\n\n");
    }
    text
}

/// Findings as a JSON array.
pub fn print_json(findings: &[Finding]) -> Value {
    Value::Array(findings.iter().map(Finding::to_json).collect())
}

fn group(finding: &Finding) -> Group<'_> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let group = level.primary_title(finding.message.as_str()).id(finding.code.as_str());
    let mut group = match &finding.source {
        Some(text) => {
            let here = finding
                .labels
                .iter()
                .filter(|label| label.file == finding.file)
                .map(|label| AnnotationKind::Context.span(label.span.bytes.clone()).label(label.message.as_str()));
            group.element(
                Snippet::source(&**text)
                    .path(finding.file.as_str())
                    .annotation(AnnotationKind::Primary.span(finding.span.bytes.clone()))
                    .annotations(here),
            )
        }
        None => group.element(Origin::path(finding.file.as_str())),
    };
    for label in finding.labels.iter().filter(|label| label.file != finding.file) {
        group = group.element(
            Snippet::source(&*label.source)
                .path(label.file.as_str())
                .annotation(AnnotationKind::Context.span(label.span.bytes.clone()).label(label.message.as_str())),
        );
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    match finding.note() {
        Some(note) => group.element(Level::NOTE.message(note)),
        None => group,
    }
}
