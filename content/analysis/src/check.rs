//! Checks all scripts of some packs against the facts of their content.

use std::sync::Arc;

use principes_findings::budget::{Effort, MOST_FINDINGS};
use principes_findings::{Code, Finding, Span, Subject};
use principes_lua::tree::{Chunk, StmtKind};
use principes_lua::{SyntaxError, SyntaxErrorKind};

use crate::facts::Facts;
use crate::program::Program;
use crate::report::{self, MissingFunction};
use crate::script::ScriptFile;

/// The stack that [`check`] needs for the deepest nesting of scripts, also in unoptimized builds.
pub const STACK: usize = 64 << 20;

/// The errors in scripts, and those in content that names them.
#[derive(Clone, Debug, Default)]
pub struct CheckedScripts {
    /// The findings about the scripts.
    pub findings: Vec<Finding>,
    /// Functions that the content names but no script defines.
    pub missing: Vec<MissingFunction>,
}

/// Checks the scripts of some packs together. Each look at a statement or expression is a step, in each round and in each
/// lap of a loop.
pub fn check(scripts: &[ScriptFile], facts: &Facts, effort: Effort) -> CheckedScripts {
    let mut findings = Vec::new();
    let mut chunks = Vec::new();
    for script in scripts {
        match script.known.parsed() {
            Ok(chunk) => {
                findings.extend(without_return(script, chunk));
                chunks.push((script, Arc::clone(chunk)));
            }
            Err(errors) => {
                findings.extend(unloadable(script, errors).into_iter().take(MOST_FINDINGS));
                // A syntax error with a clear fix does not hide other errors in the script.
                chunks.extend(script.known.recovered().map(|chunk| (script, Arc::clone(chunk))));
            }
        }
    }
    let partial = facts.partial || !findings.is_empty();
    let mut program = Program::new(facts, chunks, partial);
    program.run(effort);
    if program.is_late {
        // Incomplete facts would cause false findings.
        let file = scripts.last().map(|script| script.file.as_str()).unwrap_or_default();
        findings.push(program.effort.finding(file, "the check of scripts", "all that it would find"));
        return CheckedScripts { findings, missing: Vec::new() };
    }
    let missing = report::finish(&mut program);
    findings.append(&mut program.findings);
    CheckedScripts { findings, missing }
}

/// Whether a file is no text: bytecode begins with a control character. One that slipped into a text has its own place.
fn is_binary(text: &str) -> bool {
    let is_control = |letter: char| letter.is_ascii_control() && !"\t\r\n\u{c}".contains(letter);
    text.starts_with(is_control) || text.contains('\u{fffd}')
}

/// The finding about a script that returns nothing.
fn without_return(script: &ScriptFile, chunk: &Chunk) -> Option<Finding> {
    let last = chunk.functions.first()?.body.last();
    if last.is_some_and(|last| matches!(last.kind, StmtKind::Return { .. })) {
        return None;
    }
    let message = "a module must end with `return` and a table of functions";
    let line = script.text.trim_end().lines().count().max(1);
    let finding = Finding::new(Code::UnloadableScript, &script.file, message);
    let finding = finding.at(&script.text, Span::of_line(&script.text, line));
    Some(finding.help("write the functions into a table `M`, and `return M` below this line"))
}

/// The findings about a script that cannot be parsed.
fn unloadable(script: &ScriptFile, errors: &[SyntaxError]) -> Vec<Finding> {
    if is_binary(&script.text) {
        let message = "this is not the text of a script";
        let finding = Finding::new(Code::UnloadableScript, &script.file, message);
        let finding = finding.help("packs hold the text of scripts: if this one is compiled, put its source here");
        return vec![finding.at(&script.text, Span::default()).rests_on([Subject::file(script.file.as_str())])];
    }
    if let Some(finding) = Finding::of_merge(Code::UnloadableScript, &script.file, &script.text) {
        return vec![finding];
    }
    let tell = |error: &SyntaxError| {
        let place = |bytes: &std::ops::Range<usize>| Span::new(&script.text, bytes.clone());
        let finding = Finding::new(Code::UnloadableScript, &script.file, error.to_string());
        let finding = finding.at(&script.text, place(&error.span)).maybe_help(error.help());
        match (&error.kind, &error.fix) {
            (SyntaxErrorKind::Foreign { lua, .. }, Some(fix)) => {
                finding.fix(format!("write `{lua}`"), place(&fix.span), fix.with.clone())
            }
            (SyntaxErrorKind::ElseIf, Some(fix)) => finding.fix("write `elseif`", place(&fix.span), fix.with.clone()),
            _ => finding,
        }
    };
    errors.iter().map(tell).collect()
}
