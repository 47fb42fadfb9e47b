//! Comments that answer a warning: `-- allow P0325: it is a name of the other pack`.

use std::sync::Arc;

use principes_findings::{LineIndex, Span};
use principes_lua::tokens;

/// A comment that answers a warning.
pub struct ScriptAnswer {
    /// The code, as it is written.
    pub code: String,
    /// Why it is right; empty if the comment does not say.
    pub reason: String,
    /// Where the comment is.
    pub span: Span,
    /// The line that it is about: its own, or the next one with code.
    pub line: usize,
}

/// The comments of a script that answer warnings.
pub fn script_answers(text: &Arc<str>) -> Vec<ScriptAnswer> {
    if !text.contains("allow") {
        return Vec::new();
    }
    let all = tokens(text);
    let lines = LineIndex::new(text);
    let answer = |comment: &std::ops::Range<usize>| {
        let words = text.get(comment.clone())?.trim_start_matches('-').trim_start();
        let rest = words.strip_prefix("allow")?.strip_prefix(' ')?.trim_start();
        let code = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is_code = code.len() > 1 && code.starts_with('P') && code[1..].bytes().all(|byte| byte.is_ascii_digit());
        let line = lines.line(comment.start);
        let next = all.tokens.partition_point(|token| token.span.start < comment.start);
        let shares = next.checked_sub(1).is_some_and(|at| lines.line(all.tokens[at].span.end) == line);
        let about = all.tokens.get(next).filter(|_| !shares).map_or(line, |token| lines.line(token.span.start));
        is_code.then(|| ScriptAnswer {
            code: code.to_owned(),
            reason: rest[code.len()..].trim_start_matches(':').trim().to_owned(),
            span: Span::among(text, &lines, comment.clone()),
            line: about,
        })
    };
    all.comments.iter().filter_map(answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_answers_its_line_or_the_next_one() {
        let text: Arc<str> = "local a = 1 -- allow P0325: why\n-- allow P0315\n--- A function.\nfunction f() end\n\
            -- allowed P0315: no\n--allow  P1:  x y\nreturn a"
            .into();
        let found: Vec<_> =
            script_answers(&text).into_iter().map(|it| (it.code, it.reason, it.span.line, it.line)).collect();
        let of = |code: &str, reason: &str, at, line| (code.to_owned(), reason.to_owned(), at, line);
        assert_eq!(found, [of("P0325", "why", 1, 1), of("P0315", "", 2, 4), of("P1", "x y", 6, 7)]);
    }
}
