//! Annotations in comments: of the parameters of a function, and of functions that other packs call.

use super::Parser;
use crate::tree::Note;

/// The annotation of a function that is meant for other packs.
const PUBLIC: &str = "@public";

/// What the comment directly above a function says about it.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) params: Vec<Note>,
    pub(super) is_public: bool,
}

impl Parser<'_> {
    /// The annotations in the comment directly above a statement that begins at `start`.
    pub(super) fn notes_above(&self, start: usize) -> Notes {
        let mut line_start = self.lines.start_at(start);
        let before = self.tokens.partition_point(|token| token.span.start < start);
        let shares_line = before.checked_sub(1).is_some_and(|at| self.tokens[at].span.end > line_start);
        let mut notes = Notes::default();
        while !shares_line && line_start > 0 {
            let above = self.lines.start_at(line_start - 1);
            let text = self.slice(above..line_start);
            line_start = above;
            let Some(comment) = text.trim_start().strip_prefix("--") else { break };
            let comment = comment.trim_start_matches('-').trim();
            notes.is_public |= comment == PUBLIC;
            notes.params.extend(comment.strip_prefix("@param").and_then(param));
        }
        notes
    }
}

/// The annotation of a parameter, from what follows `@param`.
fn param(note: &str) -> Option<Note> {
    let mut words = note.split_whitespace();
    let (name, ty) = (words.next()?, words.next().unwrap_or_default());
    Some(Note {
        name: name.trim_end_matches('?').to_owned(),
        optional: name.ends_with('?') || ty.ends_with('?'),
        ty: ty.trim_end_matches('?').to_owned(),
    })
}
