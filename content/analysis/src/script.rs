//! A script and what is known about it alone.

use std::sync::{Arc, OnceLock};

use principes_lua::SyntaxError;
use principes_lua::tree::Chunk;
use principes_scripting::Compiled;

use crate::mentions::{Mentions, mentions};
use crate::script_words::ScriptWords;

/// The syntax tree of a script, or all its syntax errors.
pub type ScriptTree = Result<Arc<Chunk>, Vec<SyntaxError>>;

/// The result of parsing. If the text has syntax errors with clear fixes, `recovered` is the tree of the fixed text.
struct Reading {
    parsed: ScriptTree,
    recovered: Option<Arc<Chunk>>,
}

/// Parses a script.
fn parse(text: &str) -> Reading {
    match principes_lua::parse(text).into_lua51() {
        Ok(chunk) => Reading { parsed: Ok(Arc::new(chunk)), recovered: None },
        Err(unread) => Reading { parsed: Err(unread.errors), recovered: unread.recovered.map(Arc::new) },
    }
}

/// A script, with results that are computed once.
pub struct Script {
    /// What was parsed; spans are ranges of it.
    pub text: Arc<str>,
    reading: OnceLock<Reading>,
    mentions: OnceLock<Arc<Mentions>>,
    words: OnceLock<ScriptWords>,
    /// What Luau compiled it to.
    pub compiled: Compiled,
}

impl Script {
    /// A script about which nothing is known yet.
    pub fn new(text: Arc<str>) -> Self {
        Script {
            text,
            reading: OnceLock::new(),
            mentions: OnceLock::new(),
            words: OnceLock::new(),
            compiled: Compiled::default(),
        }
    }

    /// Its syntax tree, or its syntax errors.
    pub fn parsed(&self) -> &ScriptTree {
        &self.reading().parsed
    }

    /// The tree of the fixed text, if it has syntax errors with clear fixes.
    pub fn recovered(&self) -> Option<&Arc<Chunk>> {
        self.reading().recovered.as_ref()
    }

    fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| parse(&self.text))
    }

    /// Its words in quotes and keys; none if it has syntax errors without clear fixes.
    pub(crate) fn words(&self) -> &ScriptWords {
        let tree = || self.parsed().as_ref().ok().or(self.recovered());
        self.words.get_or_init(|| tree().map(|tree| ScriptWords::of(tree)).unwrap_or_default())
    }

    /// The texts to which it seems to add the rest of a name, and whether they are its beginning or its end.
    pub fn built(&self) -> Vec<(String, bool)> {
        self.words().built()
    }

    /// The names and texts in it.
    pub fn mentions(&self) -> &Arc<Mentions> {
        self.mentions.get_or_init(|| Arc::new(mentions(&self.text)))
    }
}

/// A script and where it is, for findings.
#[derive(Clone)]
pub struct ScriptFile {
    /// The position of its pack; packs stand after those that they build on.
    pub pack: usize,
    /// Module name.
    pub module: String,
    /// Path inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// What the file holds.
    pub text: Arc<str>,
    /// What is known about it alone.
    pub known: Arc<Script>,
}
