//! Messages as their files say them.

use std::collections::BTreeSet;

use principes_schemas::MessageText;

use crate::pointer::escape;
use crate::template;

/// A message as written in its file.
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
