//! What a script mentions, whatever it does with it.

use std::collections::BTreeSet;

use crate::lexer::{Token, tokens};

/// What a script mentions.
#[derive(Debug, Default)]
pub struct Mentions {
    /// Its names.
    pub names: BTreeSet<String>,
    /// Its texts.
    pub texts: BTreeSet<String>,
    /// Modules it imports by name.
    pub imports: BTreeSet<String>,
}

/// What a script mentions; broken ones as far as they can be read.
pub fn mentions(text: &str) -> Mentions {
    let mut mentions = Mentions::default();
    let (tokens, _) = tokens(text);
    for (at, (token, _)) in tokens.iter().enumerate() {
        match token {
            Token::Name(name) => drop(mentions.names.insert(name.clone())),
            Token::Text(text) => {
                let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at].0);
                let call = if before(1) == Some(&Token::Sign("(")) { before(2) } else { before(1) };
                if matches!(call, Some(Token::Name(name)) if name == "import") {
                    mentions.imports.insert(text.clone());
                }
                mentions.texts.insert(text.clone());
            }
            _ => {}
        }
    }
    mentions
}
