//! The Lua modules of a pack, as input for the host.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// One Lua module of a pack.
#[derive(Clone, Debug)]
pub struct ScriptSource {
    /// The name in hooks and `import`: `cards/court`.
    pub module: String,
    /// The file as the pack names it: `scripts/cards/court.lua`.
    pub path: String,
    /// The Lua text.
    pub text: Arc<str>,
    /// The compiled code.
    pub compiled: Compiled,
}

impl ScriptSource {
    /// A module that has not been compiled.
    pub fn new(module: impl Into<String>, path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        ScriptSource { module: module.into(), path: path.into(), text: text.into(), compiled: Compiled::default() }
    }

    /// The module with another text.
    #[must_use]
    pub fn with_text(self, text: impl Into<Arc<str>>) -> Self {
        ScriptSource::new(self.module, self.path, text)
    }
}

/// The compiled code of a module, for the next machine. Clones share it.
#[derive(Clone, Default)]
pub struct Compiled(Arc<[OnceLock<Code>; 2]>);

/// The globals that a text uses, and the fields of globals. The result of its check depends on nothing else.
pub(crate) type UsedNames = BTreeSet<(String, Option<String>)>;

/// Compiled code.
pub(crate) struct Code {
    /// The text that was checked and compiled.
    pub text: Arc<str>,
    /// The names that the text uses. Where all of them exist, it needs no other check.
    pub names: UsedNames,
    pub bytes: Vec<u8>,
}

impl Compiled {
    /// The code for machines that count lines, or for those that do not, if it was compiled from this text.
    pub(crate) fn of(&self, text: &str, counts_lines: bool) -> Option<&Code> {
        self.0[usize::from(counts_lines)].get().filter(|code| &*code.text == text)
    }

    pub(crate) fn keep(&self, counts_lines: bool, code: Code) {
        // If another thread was faster, it has stored the same code.
        let _ = self.0[usize::from(counts_lines)].set(code);
    }
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Compiled")
    }
}
