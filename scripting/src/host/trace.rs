//! Stack traces of scripts, with the calls that the compiler has removed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use principes_core::scripts::{CallLine, ScriptCall};
use principes_lua::{CallSite, KnownCalls, Traced};

use crate::error::{TracedCall, file_of};
use crate::source::ScriptSource;

/// What is known about the calls in scripts that have failed, by module.
#[derive(Default)]
pub struct Traces(RefCell<BTreeMap<String, Rc<KnownCalls>>>);

impl Traces {
    /// Adds to a stack trace, innermost call first, the calls that the compiler has removed.
    pub fn complete(&self, trace: Vec<TracedCall>, sources: &[ScriptSource]) -> Vec<ScriptCall> {
        trace.into_iter().flat_map(|call| self.with_removed(call, sources)).collect()
    }

    /// A call, after those that the compiler has removed from its function.
    fn with_removed(&self, call: TracedCall, sources: &[ScriptSource]) -> Vec<ScriptCall> {
        let function = call.function.as_deref().map(Traced::Named).or(call.head.map(Traced::From));
        let known = function.zip(self.calls_in(&call.module, sources));
        let Some((own, removed)) = known.and_then(|(function, known)| known.to_line(call.line, function)) else {
            return vec![call.in_file(sources)];
        };
        let file = file_of(&call.module, sources);
        let make = |function, line| ScriptCall { function, file: file.clone(), line };
        let line = |site| match site {
            CallSite::Line(line) => CallLine::Exact(line),
            CallSite::Function(head) => CallLine::Within(head),
        };
        let callers = removed.into_iter().map(|caller| make(caller.function, line(caller.site)));
        std::iter::once(make(Some(own), CallLine::Exact(call.line))).chain(callers).collect()
    }

    fn calls_in(&self, module: &str, sources: &[ScriptSource]) -> Option<Rc<KnownCalls>> {
        if let Some(known) = self.0.borrow().get(module) {
            return Some(Rc::clone(known));
        }
        let source = sources.iter().find(|source| source.module == module)?;
        let known = Rc::new(KnownCalls::of(&source.text));
        self.0.borrow_mut().insert(module.to_owned(), Rc::clone(&known));
        Some(known)
    }
}
