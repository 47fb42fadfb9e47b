//! The canonical format of a script: no spaces at the ends of lines, line feeds as line ends, one of them at the end.

use crate::{SyntaxError, TokenKind, parse, tokens};

/// Formats a script: no spaces at the ends of lines, `
/// ` as line ends, one of them at the end. Strings are not changed, so the script has the same meaning.
///
/// # Errors
/// The syntax errors. Such a script is not changed.
pub fn tidy(text: &str) -> Result<String, Vec<SyntaxError>> {
    let parsed = parse(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let cut = tokens(text).tokens;
    let mut texts = cut.iter().filter(|token| is_text(token.kind)).peekable();
    let mut tidy = String::with_capacity(text.len());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        // The line end belongs to a string that continues on the next line.
        while texts.next_if(|token| token.span.end < end).is_some() {}
        if texts.peek().is_some_and(|token| token.span.start < end && token.span.end >= end) && line.ends_with('\n') {
            tidy.push_str(line);
        } else {
            tidy.push_str(line.trim_end_matches(['\n', '\r', ' ', '\t']));
            tidy.push('\n');
        }
        start = end;
    }
    let length = tidy.trim_end_matches('\n').len();
    tidy.truncate(length);
    if !tidy.is_empty() {
        tidy.push('\n');
    }
    Ok(tidy)
}

/// Whether spaces and line ends inside a token are part of its value.
fn is_text(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Text | Template | TemplateStart | TemplateMiddle | TemplateEnd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_spaces_are_removed_and_strings_kept() {
        let text = "local a = 1  \r\n\t\nlocal b = [[ x  \r\n y\t\n]]  \n-- note \nreturn 'c\\\n  d  '\t\n\n\n";
        let shape = "local a = 1\n\nlocal b = [[ x  \r\n y\t\n]]\n-- note\nreturn 'c\\\n  d  '\n";
        assert_eq!(tidy(text).as_deref(), Ok(shape));
        assert_eq!(tidy(shape).as_deref(), Ok(shape));
        assert_eq!(tidy("").as_deref(), Ok(""));
        assert_eq!(tidy("return 1").as_deref(), Ok("return 1\n"));
    }

    #[test]
    fn broken_scripts_are_refused() {
        assert_eq!(tidy("return ]").map_err(|errors| !errors.is_empty()), Err(true));
    }
}
