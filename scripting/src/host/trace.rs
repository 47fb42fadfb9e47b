//! Stack traces of scripts, with the calls that the compiler has removed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use principes_core::scripts::ScriptFrame;
use principes_lua::{InlinedCall, KnownCalls};

use crate::source::ScriptSource;

/// What is known about the calls in scripts that have failed, by file.
#[derive(Default)]
pub struct Traces(RefCell<BTreeMap<String, Rc<KnownCalls>>>);

impl Traces {
    /// Adds to a stack trace, innermost frame first, the calls that the compiler has removed.
    pub fn complete(&self, trace: Vec<ScriptFrame>, sources: &[ScriptSource]) -> Vec<ScriptFrame> {
        let whole = |frame: ScriptFrame| {
            let known = frame.function.as_deref().zip(self.calls_in(&frame.file, sources));
            let known = known.and_then(|(function, calls)| calls.to_line(frame.line, function));
            let Some((own, calls)) = known else { return vec![frame] };
            let innermost = ScriptFrame { function: Some(own), ..frame.clone() };
            let caller = |call: InlinedCall| ScriptFrame { function: call.function, line: call.line, ..frame.clone() };
            std::iter::once(innermost).chain(calls.into_iter().map(caller)).collect()
        };
        trace.into_iter().flat_map(whole).collect()
    }

    fn calls_in(&self, file: &str, sources: &[ScriptSource]) -> Option<Rc<KnownCalls>> {
        if let Some(known) = self.0.borrow().get(file) {
            return Some(Rc::clone(known));
        }
        let source = sources.iter().find(|source| source.path == file)?;
        let known = Rc::new(KnownCalls::of(&source.text));
        self.0.borrow_mut().insert(file.to_owned(), Rc::clone(&known));
        Some(known)
    }
}
