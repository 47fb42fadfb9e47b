//! The lines in which two texts differ.

use schemars::JsonSchema;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

/// The number of equal lines that are shown around a difference.
const AROUND: usize = 2;

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Line {
    /// `-` for an old line, `+` for a new one, or a space.
    pub sign: char,
    /// Its number, from 1: in the old text for an old line, otherwise in the new one.
    pub number: usize,
    /// The line, without its end.
    pub text: String,
}

/// Lines that differ, with equal ones around them.
pub type Hunk = Vec<Line>;

/// The differences between two texts.
pub fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let diff = TextDiff::from_lines(old, new);
    let line = |change: similar::Change<&str>| {
        let (sign, at) = match change.tag() {
            ChangeTag::Delete => ('-', change.old_index()),
            ChangeTag::Insert => ('+', change.new_index()),
            ChangeTag::Equal => (' ', change.new_index()),
        };
        Line { sign, number: at.unwrap_or(0) + 1, text: change.value().trim_end_matches(['\n', '\r']).to_owned() }
    };
    let groups = diff.grouped_ops(AROUND);
    groups.iter().map(|group| group.iter().flat_map(|op| diff.iter_changes(op)).map(line).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_near_a_difference_are_shown() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 10\n", "line ten\n");
        let shown: Vec<String> = hunks(&old, &new)
            .concat()
            .iter()
            .map(|line| format!("{}{} {}", line.sign, line.number, line.text))
            .collect();
        let expected =
            [" 8 line 8", " 9 line 9", "-10 line 10", "+10 line ten", " 11 line 11", " 12 line 12"].map(str::to_owned);
        assert_eq!(shown, expected);
        assert_eq!(hunks("", "a\nb\n").concat().len(), 2);
        assert!(hunks(&old, &old).is_empty());
    }
}
