//! Messages as their files say them.

use std::collections::BTreeSet;

use principes_schemas::MessageText;

use crate::pointer::escape;
use crate::template;

/// A message as its file says it.
#[derive(Debug)]
pub struct Message {
    /// Language.
    pub language: String,
    /// Key.
    pub key: String,
    /// What the file says.
    pub text: MessageText,
    /// Pointer to it.
    pub pointer: String,
    /// Names of its placeholders, the one that decides the plural form included.
    pub holes: BTreeSet<String>,
}

impl Message {
    /// A message with its placeholders looked up.
    pub fn new(language: &str, key: String, text: MessageText) -> Self {
        let pointer = format!("/messages/{}", escape(&key));
        let mut holes: BTreeSet<String> =
            template::texts(&text).into_iter().flat_map(|(_, text)| template::holes(text)).collect();
        if let MessageText::Plural(plural) = &text {
            holes.insert(plural.by.clone());
        }
        Message { language: language.to_owned(), key, text, pointer, holes }
    }
}

/// `locale/en/cards.json` and `locale/en.json` hold English; nothing where the path names no language.
pub fn language_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("locale/")?;
    let language = match rest.split_once('/') {
        Some((language, _)) => language,
        None => rest.strip_suffix(".json")?,
    };
    // As manifests name languages.
    let (main, _) = language.split_once('-').unwrap_or((language, ""));
    ((2..=3).contains(&main.len()) && main.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_messages_name_a_language_or_none() {
        let languages = ["locale/en/cards.json", "locale/pl.json", "locale/pt-BR/a/b.json"].map(language_of);
        assert_eq!(languages, [Some("en"), Some("pl"), Some("pt-BR")]);
        let none = ["locale/cards.json", "locale/english/cards.json", "locale/EN/a.json", "texts/en.json", "locale/en"];
        assert_eq!(none.map(language_of), [None; 5]);
    }
}
