//! The names and texts in a script.

use std::collections::BTreeSet;

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
