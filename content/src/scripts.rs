//! A look at script files without running them: names that stand in them as literals.

use std::collections::BTreeSet;
use std::ops::Range;

/// A token of a Lua text that the checks care about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name or keyword.
    Name(String),
    /// A string literal without escapes.
    Text(String),
    /// Any other single character.
    Sign(char),
}

/// The tokens of a Lua text with their places. Comments are left out; broken texts give what can be read.
pub fn tokens(text: &str) -> Vec<(Token, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'-' if bytes.get(at + 1) == Some(&b'-') => {
                at = match long_bracket(text, at + 2) {
                    Some(end) => end,
                    None => text[at..].find('\n').map_or(bytes.len(), |n| at + n),
                };
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = at.min(bytes.len());
                let end = at;
                at = (at + 1).min(bytes.len());
                if let Some(inner) = text.get(start + 1..end) {
                    found.push((Token::Text(inner.to_owned()), start..at));
                }
            }
            b'[' if long_bracket(text, at).is_some() => at = long_bracket(text, at).unwrap_or(at + 1),
            b if b.is_ascii_alphabetic() || b == b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                found.push((Token::Name(text[start..at].to_owned()), start..at));
            }
            b => {
                at += 1;
                if b.is_ascii_punctuation() {
                    found.push((Token::Sign(char::from(b)), start..at));
                }
            }
        }
    }
    found
}

/// The end of a long bracket that begins at `at`.
fn long_bracket(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix('[')?;
    let level = rest.bytes().take_while(|&b| b == b'=').count();
    rest[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    Some(rest.find(&close).map_or(text.len(), |n| at + 1 + n + close.len()))
}

/// Calls `name("literal", …)` and `name(x, "literal", …)` in a text: the position of the literal among the arguments,
/// the literal, its place. Only literals among the first two arguments are found, and only calls of plain names.
pub fn literal_arguments(tokens: &[(Token, Range<usize>)]) -> Vec<(&str, usize, &str, Range<usize>)> {
    let mut found = Vec::new();
    for (at, window) in tokens.windows(2).enumerate() {
        let (Token::Name(name), Token::Sign('(')) = (&window[0].0, &window[1].0) else { continue };
        let before = at.checked_sub(1).map(|before| &tokens[before].0);
        if matches!(before, Some(Token::Sign('.' | ':'))) || before == Some(&Token::Name("function".to_owned())) {
            continue;
        }
        let (mut depth, mut argument) = (0usize, 0usize);
        for (index, (token, place)) in tokens[at + 2..].iter().enumerate() {
            match token {
                Token::Sign('(' | '{' | '[') => depth += 1,
                Token::Sign(')' | '}' | ']') if depth == 0 => break,
                Token::Sign(')' | '}' | ']') => depth -= 1,
                Token::Sign(',') if depth == 0 => argument += 1,
                Token::Text(text) if depth == 0 => {
                    // The literal must be the whole argument.
                    let next = tokens.get(at + 3 + index).map(|(token, _)| token);
                    let previous = &tokens[at + 1 + index].0;
                    let starts = matches!(previous, Token::Sign('(' | ','));
                    if starts && matches!(next, Some(Token::Sign(',' | ')'))) {
                        found.push((name.as_str(), argument, text.as_str(), place.clone()));
                    }
                }
                _ => {}
            }
            if argument > 1 {
                break;
            }
        }
    }
    found
}

/// Constants such as `space.harbour` in a text: table, name, place of the name. Tables that the text itself declares as
/// locals or parameters are left out.
pub fn constants(tokens: &[(Token, Range<usize>)]) -> Vec<(&str, &str, Range<usize>)> {
    const TABLES: [&str; 6] = ["faction", "space", "kind", "zone", "counter", "design"];
    let mut shadowed: BTreeSet<&str> = BTreeSet::new();
    for (at, (token, _)) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        if !TABLES.contains(&name.as_str()) {
            continue;
        }
        // Declared where it stands alone between commas, brackets, `local`, `for` and `in`.
        let before = at.checked_sub(1).map(|before| &tokens[before].0);
        let after = tokens.get(at + 1).map(|(token, _)| token);
        let opens = matches!(before, Some(Token::Sign('(' | ',')))
            || matches!(before, Some(Token::Name(w)) if w == "local" || w == "for");
        let closes =
            matches!(after, Some(Token::Sign(')' | ',' | '='))) || matches!(after, Some(Token::Name(w)) if w == "in");
        if opens && closes {
            shadowed.insert(name);
        }
    }
    tokens
        .windows(3)
        .enumerate()
        .filter_map(|(at, window)| {
            let (Token::Name(table), Token::Sign('.'), Token::Name(name)) = (&window[0].0, &window[1].0, &window[2].0)
            else {
                return None;
            };
            let member = at.checked_sub(1).is_some_and(|before| matches!(tokens[before].0, Token::Sign('.' | ':')));
            let known = TABLES.contains(&table.as_str()) && !shadowed.contains(table.as_str());
            (known && !member).then(|| (table.as_str(), name.as_str(), window[2].1.clone()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_constants_are_found() {
        let text = "-- space.nowhere\nlog(\"a.b\", space.cracovia) choose(seat, \"d.e\", function() end)\n\
                    x.log(\"no\") log('c' .. y) --[[ log(\"z\") ]] local s = [[ log(\"q\") ]]";
        let tokens = tokens(text);
        let calls: Vec<(&str, usize, &str)> =
            literal_arguments(&tokens).into_iter().map(|(n, a, t, _)| (n, a, t)).collect();
        assert_eq!(calls, vec![("log", 0, "a.b"), ("choose", 1, "d.e")]);
        let names: Vec<(&str, &str)> = constants(&tokens).into_iter().map(|(t, n, _)| (t, n)).collect();
        assert_eq!(names, vec![("space", "cracovia")]);
    }

    #[test]
    fn local_names_are_not_constants() {
        let tokens = tokens("for _, space in ipairs(list) do f(space.x) end g(kind.knight)");
        let names: Vec<(&str, &str)> = constants(&tokens).into_iter().map(|(t, n, _)| (t, n)).collect();
        assert_eq!(names, vec![("kind", "knight")]);
    }

    #[test]
    fn broken_texts_do_no_harm() {
        for text in ["\"abc", "--[[ x", "[==[", "'\\", "log(", "log(\"a\"", "é\"ż", "--"] {
            let tokens = tokens(text);
            literal_arguments(&tokens);
            constants(&tokens);
        }
    }
}
