//! Messages as their files write them.

use std::collections::BTreeSet;

use principes_schemas::MessageText;

use crate::pointer::escape;
use crate::template;

/// A message as written in its file.
#[derive(Debug)]
pub struct Message {
    /// The code of its language, from the name of the file.
    pub language: String,
    /// As the file writes it; unique in its language.
    pub key: String,
    /// The text as the file writes it.
    pub text: MessageText,
    /// The JSON pointer of the text in its file.
    pub pointer: String,
    /// Names of its placeholders, including the one that decides the plural form.
    pub holes: BTreeSet<String>,
}

impl Message {
    /// A message with the names of its placeholders.
    pub fn new(language: &str, key: String, text: MessageText) -> Self {
        let pointer = format!("/messages/{}", escape(&key));
        let mut holes: BTreeSet<String> = template::texts(&text).flat_map(|(_, text)| template::holes(text)).collect();
        if let MessageText::Plural(plural) = &text {
            holes.insert(plural.by.clone());
        }
        Message { language: language.to_owned(), key, text, pointer, holes }
    }

    /// The same text and place with another key.
    pub fn with_key(&self, key: String) -> Self {
        let Message { language, text, pointer, holes, .. } = self;
        Message { language: language.clone(), key, text: text.clone(), pointer: pointer.clone(), holes: holes.clone() }
    }
}
