//! Answers: warnings that are right as they are, each with the reason.

use std::ops::RangeInclusive;

use crate::code::{Code, Stage};
use crate::finding::Finding;
use crate::severity::Severity;

/// Where a warning must stand to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnsweredPlace {
    /// At or below a JSON pointer of a file, or anywhere in the file if it is empty.
    Part {
        /// The file as users name it.
        file: String,
        /// The part.
        pointer: String,
    },
    /// In a line of a script.
    Line {
        /// The file as users name it.
        file: String,
        /// The line, from 1.
        line: usize,
    },
}

impl AnsweredPlace {
    fn holds(&self, finding: &Finding) -> bool {
        match self {
            AnsweredPlace::Part { file, pointer } => {
                let inside = finding.pointer.strip_prefix(pointer.as_str());
                finding.file == *file && inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            AnsweredPlace::Line { file, line } => finding.file == *file && finding.span.line == *line,
        }
    }
}

/// An answer to a warning: it is right as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningAnswer {
    /// What is answered.
    pub code: Code,
    /// Where it may stand.
    pub places: Vec<AnsweredPlace>,
    /// The finding about the answer if it answers nothing; `None` if the pack is not the one under test.
    pub idle: Option<Finding>,
    /// Whether it has answered something.
    pub is_used: bool,
}

/// All answers of some packs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers(pub Vec<WarningAnswer>);

impl Answers {
    /// Whether findings with a code can be answered: only warnings, because a game with an error cannot be played, and
    /// no warnings about answers.
    pub fn can_answer(code: Code) -> bool {
        code.severity() == Severity::Warning && code != Code::IdleAnswer
    }

    /// Removes the findings that have an answer.
    pub fn apply(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| {
            let mut kept = true;
            let is_it = |answer: &&mut WarningAnswer| {
                let is_there = answer.places.iter().any(|place| place.holds(finding));
                answer.code == finding.code && !finding.is_error() && is_there
            };
            for answer in self.0.iter_mut().filter(|answer| is_it(answer)) {
                answer.is_used = true;
                kept = false;
            }
            kept
        });
    }

    /// Findings about answers that have answered nothing, although everything that these stages find is known.
    pub fn idle(&self, stages: RangeInclusive<Stage>) -> impl Iterator<Item = Finding> + '_ {
        let unused = self.0.iter().filter(move |answer| !answer.is_used && stages.contains(&answer.code.stage()));
        unused.filter_map(|answer| answer.idle.clone())
    }
}
