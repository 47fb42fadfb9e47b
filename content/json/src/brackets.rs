//! The brackets of a JSON text that are open at a position.

/// An open bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// Its offset.
    pub(crate) at: usize,
    /// `{` or `[`.
    pub(crate) sign: char,
}

/// The open brackets before `end`, outermost first, and the opening quote if `end` is inside of a text.
pub(crate) fn opened(text: &str, end: usize) -> (Vec<Open>, Option<usize>) {
    let (mut brackets, mut quote, mut escaped) = (Vec::new(), None, false);
    for (at, sign) in text.char_indices().take_while(|(at, _)| *at < end) {
        match (quote, sign) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(_), '"') => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some(at),
            (None, '{' | '[') => brackets.push(Open { at, sign }),
            (None, '}' | ']') => drop(brackets.pop()),
            (None, _) => {}
        }
    }
    (brackets, quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_known_at_every_place() {
        let text = r#"{"a": ["\"]", {"b": 1}], "c": "#;
        let signs = |end| opened(text, end).0.iter().map(|open| open.sign).collect::<String>();
        assert_eq!(signs(text.len()), "{");
        assert_eq!(signs(text.find('1').unwrap_or_default()), "{[{");
        assert_eq!(opened(text, 9).1, Some(7));
        assert_eq!(opened("{]", 2).0, []);
    }
}
