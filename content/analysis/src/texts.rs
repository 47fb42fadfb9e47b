//! The text of scripts: their canonical shape, and the text of single functions.

use std::sync::Arc;

use principes_findings::{Code, Finding, Span};
use principes_lua::{SyntaxError, parse};

/// A script in its canonical shape: no trailing blanks, `\n` as line end, and one line end at the end of the file.
///
/// # Errors
/// The syntax errors. Such a script is not changed.
pub fn tidy(file: &str, bytes: &[u8]) -> Result<String, Vec<Finding>> {
    let text: Arc<str> = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            return Err(vec![Finding::new(Code::NotUtf8, file, "this is not UTF-8").help("save the file as UTF-8")]);
        }
    };
    principes_lua::tidy(&text).map_err(|errors| {
        let finding = |error: &SyntaxError| {
            let finding = Finding::new(Code::UnloadableScript, file, error.to_string());
            finding.at(&text, Span::new(&text, error.span.clone()))
        };
        errors.iter().map(finding).collect()
    })
}

/// The text of a function that a module exports, with the comments directly above it. `None` if there is no such
/// function.
pub fn function_text<'t>(text: &'t str, function: &str) -> Option<&'t str> {
    let parsed = parse(text);
    let body = &parsed.chunk.functions.first()?.body;
    let span = body.iter().map(|stmt| &stmt.span).find(|span| defines(&text[(*span).clone()], function))?;
    let mut start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    while let Some(above) = text[..start].strip_suffix('\n') {
        let line = above.rfind('\n').map_or(0, |end| end + 1);
        if !above[line..].starts_with("--") {
            break;
        }
        start = line;
    }
    Some(&text[start..span.end])
}

/// Whether a statement defines a function: `function M.name(` or `M.name = function(`.
fn defines(statement: &str, function: &str) -> bool {
    let named = |name: &str| name.trim().rsplit(['.', ':', ' ']).next() == Some(function);
    match statement.split_once('(') {
        Some((head, _)) if head.trim_end().ends_with("function") => {
            head.split_once('=').is_some_and(|(name, _)| named(name))
        }
        Some((head, _)) => head.contains("function ") && named(head),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_quoted_with_their_comments() {
        let text = "local M = {}\n\n--- Plays.\n-- Twice.\nfunction M.play(self)\n  return 1\nend\nM.other = function() end\nlocal function own() M.play() end\nreturn M\n";
        let play = "--- Plays.\n-- Twice.\nfunction M.play(self)\n  return 1\nend";
        assert_eq!(function_text(text, "play"), Some(play));
        assert_eq!(function_text(text, "other"), Some("M.other = function() end"));
        assert_eq!(function_text(text, "own"), Some("local function own() M.play() end"));
        assert_eq!(function_text(text, "pla"), None);
    }

    #[test]
    fn broken_scripts_are_refused_with_their_place() {
        let findings = tidy("p/a.lua", b"local a = 1 \nreturn ]\n").expect_err("it is broken");
        assert_eq!((findings[0].code, findings[0].span.line), (Code::UnloadableScript, 2));
        assert_eq!(tidy("p/a.lua", b"return \xff").expect_err("no UTF-8")[0].code, Code::NotUtf8);
        assert_eq!(tidy("p/a.lua", b"return 1 ").as_deref(), Ok("return 1\n"));
    }
}
