//! The names and texts in a script.

use std::collections::BTreeSet;
use std::ops::Range;

use principes_lua::{TokenKind, text_bytes, tokens};

/// The names and texts in a script.
#[derive(Debug, Default)]
pub struct Mentions {
    /// Identifiers, each once.
    pub names: BTreeSet<String>,
    /// Strings in quotes, each once.
    pub texts: BTreeSet<String>,
    /// Modules it imports by name.
    pub imports: BTreeSet<String>,
}

/// The names and texts in a script. Of a broken script, those that can be read.
pub fn mentions(text: &str) -> Mentions {
    let mut mentions = Mentions::default();
    let tokens = tokens(text).tokens;
    for (at, token) in tokens.iter().enumerate() {
        let word = &text[token.span.clone()];
        match token.kind {
            TokenKind::Name => drop(mentions.names.insert(word.to_owned())),
            TokenKind::Text => {
                let value = String::from_utf8_lossy(&text_bytes(word).unwrap_or_default()).into_owned();
                let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at]);
                let opens = before(1).is_some_and(|token| token.kind == TokenKind::Sign("("));
                let call = if opens { before(2) } else { before(1) };
                if call.is_some_and(|token| token.kind == TokenKind::Name && &text[token.span.clone()] == "import") {
                    mentions.imports.insert(value.clone());
                }
                mentions.texts.insert(value);
            }
            _ => {}
        }
    }
    mentions
}

/// One place of a script where a name or a string stands.
pub struct Mention {
    /// Its bytes; of a string, those between the quotes.
    pub bytes: Range<usize>,
    /// The name, or the content of the string.
    pub text: String,
    /// Whether `local` or `function` precedes it, so that it is declared here for this script alone.
    pub is_own: bool,
}

/// All places of a script where names and strings stand, in order. Strings with escape sequences are left out.
pub fn each_mention(text: &str) -> Vec<Mention> {
    let tokens = tokens(text).tokens;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = &text[token.span.clone()];
        match token.kind {
            TokenKind::Name => {
                let before = at.checked_sub(1).map(|at| tokens[at].kind);
                let after = tokens.get(at + 1).map(|token| token.kind);
                let is_own = match before {
                    Some(TokenKind::Sign("local")) => true,
                    Some(TokenKind::Sign("function")) => after != Some(TokenKind::Sign(".")),
                    _ => false,
                };
                found.push(Mention { bytes: token.span.clone(), text: word.to_owned(), is_own });
            }
            TokenKind::Text if word.starts_with(['"', '\'']) && !word.contains('\\') && word.len() > 2 => {
                let bytes = token.span.start + 1..token.span.end - 1;
                found.push(Mention { text: text[bytes.clone()].to_owned(), bytes, is_own: false });
            }
            _ => {}
        }
    }
    found
}
