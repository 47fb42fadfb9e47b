//! Causes and consequences.
//!
//! A finding names what it [depends on](Finding::rests_on). If that has an error, the finding is a consequence and is
//! held back. The report of the cause counts its consequences.

use std::collections::{BTreeMap, HashMap};

use crate::code::Stage;
use crate::finding::Finding;
use crate::subject::Subject;

/// The number of consequences of one cause that are reported.
pub const MOST_CONSEQUENCES: usize = 3;

/// Holds consequences back: all those that depend on something with an error, and all but a few of those that depend on
/// the same missing thing. The findings are in order, causes first.
pub fn hold_back(findings: &mut Vec<Finding>) {
    let mut errors: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.is_error()) {
        errors.entry(finding.file.as_str()).or_default().push(at);
    }
    let parents: Vec<Option<usize>> = (0..findings.len()).map(|at| parent(findings, &errors, at)).collect();
    let mut held: BTreeMap<usize, usize> = BTreeMap::new();
    let mut missing: BTreeMap<&Subject, Vec<usize>> = BTreeMap::new();
    let mut kept = vec![true; findings.len()];
    for (at, finding) in findings.iter().enumerate() {
        if let Some(root) = root(&parents, at) {
            kept[at] = false;
            *held.entry(root).or_default() += 1;
        } else if let Some(subject) = finding.rests_on.iter().find(|it| matches!(it, Subject::Missing { .. })) {
            missing.entry(subject).or_default().push(at);
        }
    }
    // The same typo may be in several places. If there are more, the declaration is probably wrong.
    for places in missing.into_values().filter(|places| places.len() > MOST_CONSEQUENCES) {
        places[1..].iter().for_each(|at| kept[*at] = false);
        *held.entry(places[0]).or_default() += places.len() - 1;
    }
    for (at, count) in held {
        add(&mut findings[at], count);
    }
    let mut kept = kept.into_iter();
    findings.retain(|_| kept.next().unwrap_or(true));
}

/// Whether a finding is at the place of a subject.
fn is_at(finding: &Finding, subject: &Subject) -> bool {
    match subject {
        Subject::Part { file, pointer } => {
            let inside = |rest: &str| rest.is_empty() || rest.starts_with('/');
            *file == finding.file && finding.pointer.strip_prefix(pointer.as_str()).is_some_and(inside)
        }
        Subject::Missing { .. } => false,
    }
}

/// The first error on which a finding depends. `errors` are the errors by file, in order.
fn parent(findings: &[Finding], errors: &HashMap<&str, Vec<usize>>, at: usize) -> Option<usize> {
    let first = |subject: &Subject| {
        let Subject::Part { file, .. } = subject else { return None };
        errors.get(file.as_str())?.iter().copied().find(|other| *other != at && is_at(&findings[*other], subject))
    };
    let finding = &findings[at];
    let in_file = errors.get(finding.file.as_str()).into_iter().flatten().copied();
    // If the syntax of a text is wrong, the schema need not refuse it again.
    let is_syntax = |finding: &Finding| finding.code.stage() == Stage::Syntax;
    let is_unreadable = |other: &usize| {
        let other = &findings[*other];
        is_syntax(other) && !is_syntax(finding) && other.span == finding.span
    };
    finding.rests_on.iter().filter_map(first).chain(in_file.filter(|other| *other != at).find(is_unreadable)).min()
}

/// The root cause of a finding; `None` if it has none, or if its causes form a circle.
fn root(parents: &[Option<usize>], at: usize) -> Option<usize> {
    let mut root = parents[at]?;
    for _ in 0..parents.len() {
        match parents[root] {
            Some(next) => root = next,
            None => return Some(root),
        }
    }
    None
}

/// Adds a number of findings to those that a cause holds back.
fn add(cause: &mut Finding, count: usize) {
    if cause.held_back.is_none() {
        let plural = if count == 1 { "" } else { "s" };
        cause.held_back = Some(format!("{count} more finding{plural}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    fn unknown(file: &str, id: &str) -> Finding {
        Finding::new(Code::UnknownReference, file, id).rests_on([Subject::missing("spaces", id)])
    }

    #[test]
    fn an_error_holds_back_what_depends_on_it() {
        let cause =
            |pointer: &str| Finding { pointer: pointer.to_owned(), ..Finding::new(Code::WrongType, "a.json", "") };
        let warning = || {
            let part = Subject::Part { file: "a.json".to_owned(), pointer: "/cards/1".to_owned() };
            Finding::new(Code::IdleParam, "b.json", "").rests_on([part])
        };
        for (pointer, left) in [("/cards/1", 1), ("/cards/1/hooks", 1), ("/cards/12", 2), ("/cards", 2)] {
            let mut findings = vec![cause(pointer), warning()];
            hold_back(&mut findings);
            assert_eq!(findings.len(), left, "{pointer}");
            assert_eq!(findings[0].held_back.as_deref(), (left == 1).then_some("1 more finding"), "{pointer}");
        }
    }

    #[test]
    fn what_is_missing_in_many_places_is_reported_once() {
        let mut few: Vec<Finding> = ["a", "b", "c"].map(|file| unknown(file, "far-isle")).into();
        hold_back(&mut few);
        assert_eq!(few.len(), 3);
        let mut many: Vec<Finding> = ["a", "b", "c", "d"].map(|file| unknown(file, "far-isle")).into();
        many.push(unknown("e", "near-isle"));
        hold_back(&mut many);
        let shown: Vec<_> = many.iter().map(|finding| (finding.file.as_str(), finding.note())).collect();
        let note = "and 3 more findings, held back until this is fixed".to_owned();
        assert_eq!(shown, [("a", Some(note)), ("e", None)]);
    }
}
