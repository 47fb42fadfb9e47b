//! The Lua modules of a pack, as the host takes them.

use std::sync::{Arc, OnceLock};

/// One Lua module of a pack.
#[derive(Clone, Debug)]
pub struct ScriptSource {
    /// Its name in hooks and `import`: `cards/court`.
    pub module: String,
    /// Its file as the pack names it: `scripts/cards/court.lua`.
    pub path: String,
    /// The Lua text.
    pub text: Arc<str>,
    /// The compiler's output for it.
    pub compiled: Compiled,
}

impl ScriptSource {
    /// A module that was not compiled before.
    pub fn new(module: impl Into<String>, path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        ScriptSource { module: module.into(), path: path.into(), text: text.into(), compiled: Compiled::default() }
    }

    /// The module with another text.
    #[must_use]
    pub fn with_text(self, text: impl Into<Arc<str>>) -> Self {
        ScriptSource::new(self.module, self.path, text)
    }
}

/// The compiler's output for a module, for the next machine. Copies share it.
#[derive(Clone, Default)]
pub struct Compiled(Arc<[OnceLock<Code>; 2]>);

/// A text and the compiler's output for it.
type Code = (String, Vec<u8>);

impl Compiled {
    /// The code for machines that count lines, or do not, if this is what was compiled.
    pub(crate) fn of(&self, text: &str, counts_lines: bool) -> Option<&[u8]> {
        let (known, code) = self.0[usize::from(counts_lines)].get()?;
        (known == text).then_some(code)
    }

    pub(crate) fn keep(&self, text: &str, counts_lines: bool, code: Vec<u8>) {
        // Where another thread was faster it has made the same.
        let _ = self.0[usize::from(counts_lines)].set((text.to_owned(), code));
    }
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Compiled")
    }
}
