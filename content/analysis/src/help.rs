//! What a finding about a script advises.

use principes_findings::{Subject, Suggestion};

/// Advice: a name that was probably meant, or a text.
#[derive(Default)]
pub struct Help {
    /// The name that was probably meant.
    pub near: Option<Suggestion>,
    /// What to do, in words.
    pub words: Option<String>,
    /// The undeclared thing that is named.
    pub missing: Option<Subject>,
    /// How many other places would be wrong with the name that was probably meant.
    pub others: usize,
}

impl Help {
    pub const NONE: Help = Help { near: None, words: None, missing: None, others: 0 };

    /// The name that was probably meant, or other advice if there is none.
    pub fn or(near: Option<Suggestion>, words: impl Into<String>) -> Help {
        Help { near, words: Some(words.into()), ..Help::NONE }
    }

    /// The same for something that nothing declares.
    pub fn lacking(self, family: &str, id: &str) -> Help {
        Help { missing: Some(Subject::missing(family, id)), ..self }
    }
}

impl From<String> for Help {
    fn from(words: String) -> Self {
        Help { words: Some(words), ..Help::NONE }
    }
}
impl From<&str> for Help {
    fn from(words: &str) -> Self {
        Help::from(words.to_owned())
    }
}
impl From<Option<String>> for Help {
    fn from(words: Option<String>) -> Self {
        Help { words, ..Help::NONE }
    }
}
impl From<Option<Suggestion>> for Help {
    fn from(near: Option<Suggestion>) -> Self {
        Help { near, ..Help::NONE }
    }
}
