//! A script and what is known about it alone.

use std::sync::{Arc, OnceLock};

use principes_lua::SyntaxError;
use principes_lua::tree::Chunk;
use principes_scripting::Compiled;

use crate::mentions::{Mentions, mentions};

/// What a script says, or everything for which it cannot be read.
pub type Parsed = Result<Arc<Chunk>, Vec<SyntaxError>>;

/// Reads a script.
fn parse(text: &str) -> Parsed {
    principes_lua::parse(text).into_lua51().map(Arc::new)
}

/// A script and what it says.
pub struct Script {
    /// Its text.
    pub text: Arc<str>,
    parsed: OnceLock<Parsed>,
    mentions: OnceLock<Arc<Mentions>>,
    /// What Luau compiled it to.
    pub compiled: Compiled,
}

impl Script {
    /// A script about which nothing is known yet.
    pub fn new(text: Arc<str>) -> Self {
        Script { text, parsed: OnceLock::new(), mentions: OnceLock::new(), compiled: Compiled::default() }
    }

    /// What it says.
    pub fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| parse(&self.text))
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
