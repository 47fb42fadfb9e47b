//! Checks all scripts of some packs against the facts of their content.

use std::sync::Arc;

use principes_findings::budget::{Effort, MOST_FINDINGS};
use principes_findings::{Code, Finding, Span};
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
            Ok(chunk) => chunks.push((script, Arc::clone(chunk))),
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

/// The findings about a script that cannot be parsed.
fn unloadable(script: &ScriptFile, errors: &[SyntaxError]) -> Vec<Finding> {
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
