//! Causes and consequences.
//!
//! A finding names what it [depends on](Finding::rests_on). If that has an error, the finding is a consequence and is
//! held back. The report of the cause counts its consequences.
//!
//! One broken file does not hide the findings of the next. If it is clear what the author meant, `check` continues with
//! that. What cannot be read is marked as missing (`Broken`), and findings that would only be consequences are left
//! out. `content/src/causes.rs` finds causes that only all packs together reveal: a file that cannot be read and may
//! have declared an id, or an id that is declared in one way and used in another.

use std::collections::{BTreeMap, HashMap};

use crate::code::Stage;
use crate::finding::Finding;
use crate::subject::Subject;

/// The number of consequences of one cause that are reported.
pub const MOST_CONSEQUENCES: usize = 3;

/// Holds consequences back: all those that depend on something with an error, and all but a few of those that depend on
/// the same missing thing. The findings are in order, causes first.
pub fn hold_back(findings: &mut Vec<Finding>) {
    let parents = parents(findings);
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

/// Where a file has errors, for findings that depend on them.
#[derive(Default)]
struct FileErrors<'f> {
    /// The first two at each pointer.
    at: BTreeMap<&'f str, Vec<usize>>,
    /// Those of its syntax, by their first byte.
    syntax: HashMap<usize, Vec<usize>>,
}

impl FileErrors<'_> {
    /// The first two that are at a pointer or inside of it.
    fn inside(&self, pointer: &str) -> Vec<usize> {
        let deeper = format!("{pointer}/");
        let deeper = self.at.range(deeper.as_str()..).take_while(|(other, _)| other.starts_with(&deeper));
        let all = self.at.get(pointer).into_iter().chain(deeper.map(|(_, errors)| errors));
        let mut all: Vec<usize> = all.flatten().copied().collect();
        all.sort_unstable();
        all.truncate(2);
        all
    }
}

/// For each finding, the first error on which it depends.
fn parents(findings: &[Finding]) -> Vec<Option<usize>> {
    let mut errors: HashMap<&str, FileErrors<'_>> = HashMap::new();
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.is_error()) {
        let file = errors.entry(finding.file.as_str()).or_default();
        let same = file.at.entry(finding.pointer.as_str()).or_default();
        if same.len() < 2 {
            same.push(at);
        }
        if finding.code.stage() == Stage::Syntax {
            file.syntax.entry(finding.span.bytes.start).or_default().push(at);
        }
    }
    let mut known: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    let mut parents = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let mut first: Vec<usize> = Vec::new();
        for subject in &finding.rests_on {
            let Subject::Part { file, pointer } = subject else { continue };
            let Some(errors) = errors.get(file.as_str()) else { continue };
            let inside = known.entry((file, pointer)).or_insert_with(|| errors.inside(pointer));
            first.extend(inside.iter().find(|other| **other != at));
        }
        // If the syntax of a text is wrong, the schema need not refuse it again.
        if finding.code.stage() != Stage::Syntax
            && let Some(errors) = errors.get(finding.file.as_str())
        {
            let here = errors.syntax.get(&finding.span.bytes.start).into_iter().flatten();
            first.extend(here.copied().find(|other| findings[*other].span == finding.span));
        }
        parents.push(first.into_iter().min());
    }
    parents
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
