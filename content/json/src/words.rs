//! The words of a value.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use serde_json::Value;

use crate::digest::Digest;

/// All texts of a value and all names of its members.
#[derive(Debug)]
pub struct WordSet {
    all: BTreeSet<String>,
    digest: [u8; 32],
}

impl WordSet {
    /// The words of a value.
    pub fn of(value: &Value) -> WordSet {
        fn visit(value: &Value, words: &mut BTreeSet<String>) {
            let mut add = |word: &String| {
                if !words.contains(word) {
                    words.insert(word.clone());
                }
            };
            match value {
                Value::String(text) => add(text),
                Value::Array(list) => list.iter().for_each(|item| visit(item, words)),
                Value::Object(object) => {
                    object.keys().for_each(&mut add);
                    object.values().for_each(|item| visit(item, words));
                }
                _ => {}
            }
        }
        let mut all = BTreeSet::new();
        visit(value, &mut all);
        let mut digest = Digest::default();
        all.iter().for_each(|word| digest.add(word));
        WordSet { all, digest: digest.finish() }
    }

    /// Whether a word is among them.
    pub fn contains(&self, word: &str) -> bool {
        self.all.contains(word)
    }

    /// All words, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }
}

impl Hash for WordSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}
