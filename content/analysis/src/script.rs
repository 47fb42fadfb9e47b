//! A script and what is known about it alone.

use std::sync::{Arc, OnceLock};

use principes_lua::SyntaxError;
use principes_lua::tree::Chunk;
use principes_scripting::Compiled;

use crate::mentions::{Mentions, mentions};

/// What a script says, or everything for which it cannot be read.
pub type Parsed = Result<Arc<Chunk>, Vec<SyntaxError>>;

/// What a script says, and the tree as it was meant where it cannot be read but there is no doubt.
struct Reading {
    parsed: Parsed,
    meant: Option<Arc<Chunk>>,
}

/// Reads a script.
fn parse(text: &str) -> Reading {
    match principes_lua::parse(text).into_lua51() {
        Ok(chunk) => Reading { parsed: Ok(Arc::new(chunk)), meant: None },
        Err(unread) => Reading { parsed: Err(unread.errors), meant: unread.recovered.map(Arc::new) },
    }
}

/// A script and what it says.
pub struct Script {
    /// Its text.
    pub text: Arc<str>,
    reading: OnceLock<Reading>,
    mentions: OnceLock<Arc<Mentions>>,
    /// What Luau compiled it to.
    pub compiled: Compiled,
}

impl Script {
    /// A script about which nothing is known yet.
    pub fn new(text: Arc<str>) -> Self {
        Script { text, reading: OnceLock::new(), mentions: OnceLock::new(), compiled: Compiled::default() }
    }

    /// What it says.
    pub fn parsed(&self) -> &Parsed {
        &self.reading().parsed
    }

    /// What it was meant to say, where it cannot be read but there is no doubt.
    pub fn meant(&self) -> Option<&Arc<Chunk>> {
        self.reading().meant.as_ref()
    }

    fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| parse(&self.text))
    }

    /// What it mentions.
    pub fn mentions(&self) -> &Arc<Mentions> {
        self.mentions.get_or_init(|| Arc::new(mentions(&self.text)))
    }
}

/// One script file.
#[derive(Clone)]
pub struct ScriptFile {
    /// Module name.
    pub module: String,
    /// Path inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// What is known about it alone.
    pub known: Arc<Script>,
}
