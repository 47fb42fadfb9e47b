//! Annotations of function parameters in comments.

use super::Parser;
use crate::tree::Note;

impl Parser<'_> {
    /// The annotations of parameters in the comment directly above a statement that begins at `start`.
    pub(super) fn notes_above(&self, start: usize) -> Vec<Note> {
        let mut line_start = self.lines.start_at(start);
        let before = self.tokens.partition_point(|token| token.span.start < start);
        let shares_line = before.checked_sub(1).is_some_and(|at| self.tokens[at].span.end > line_start);
        let mut notes = Vec::new();
        while !shares_line && line_start > 0 {
            let above = self.lines.start_at(line_start - 1);
            let text = self.slice(above..line_start);
            line_start = above;
            let Some(comment) = text.trim_start().strip_prefix("--") else { break };
            let Some(note) = comment.trim_start_matches('-').trim_start().strip_prefix("@param") else { continue };
            let mut words = note.split_whitespace();
            let (Some(name), ty) = (words.next(), words.next().unwrap_or_default()) else { continue };
            let optional = name.ends_with('?') || ty.ends_with('?');
            notes.push(Note {
                name: name.trim_end_matches('?').to_owned(),
                optional,
                ty: ty.trim_end_matches('?').to_owned(),
            });
        }
        notes
    }
}
