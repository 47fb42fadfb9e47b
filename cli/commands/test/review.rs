//! Asks about each new or changed snapshot.

use std::collections::BTreeSet;
use std::io::{BufRead as _, Write};
use std::sync::Arc;

use anyhow::Result;
use principes_scenarios::{ScenarioResult, Verdict};

use super::tested::{Tested, verdict};
use super::text::print_diff;
use crate::style;

/// An answer to "store this snapshot?".
enum Answer {
    Accept,
    Reject,
    Skip,
    /// Leave this and all later snapshots as they are.
    Quit,
}

/// Shows each new or changed snapshot and asks whether to store it. Returns the accepted ones.
pub(super) fn review(out: &mut impl Write, tested: &Tested) -> Result<Vec<ScenarioResult>> {
    let is_open = |result: &&Arc<ScenarioResult>| {
        result.failures.is_empty() && matches!(result.snapshot, Verdict::New | Verdict::Changed)
    };
    let open: Vec<&ScenarioResult> = tested.report.results.iter().filter(is_open).map(|result| &**result).collect();
    let mut keep: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut rejected = 0;
    // False once the input has ended. The remaining snapshots are then only shown.
    let mut asks = true;
    for (at, result) in open.iter().enumerate() {
        show(out, result, at + 1, open.len())?;
        if !asks {
            continue;
        }
        match ask(out, result)? {
            Some(Answer::Accept) => {
                keep.insert((&result.file, &result.id));
            }
            Some(Answer::Reject) => rejected += 1,
            Some(Answer::Skip) => {}
            Some(Answer::Quit) => break,
            None => asks = false,
        }
    }
    if !open.is_empty() {
        let left = open.len() - keep.len() - rejected;
        writeln!(out, "\n{} accepted, {rejected} rejected, {left} left as they are", keep.len())?;
    }
    let is_kept = |result: &&&ScenarioResult| keep.contains(&(result.file.as_str(), result.id.as_str()));
    Ok(open.iter().filter(is_kept).map(|result| ScenarioResult::clone(result)).collect())
}

/// Shows what a scenario does now, as a difference if it has a snapshot.
fn show(out: &mut impl Write, result: &ScenarioResult, number: usize, of: usize) -> Result<()> {
    let bold = style::bold();
    let (verdict, id, title) = (verdict(result), &result.id, &result.title);
    writeln!(out, "\n{number} of {of}: {verdict} {bold}{id}{bold:#} – {title}")?;
    if result.snapshot == Verdict::New { print_transcript(out, result) } else { print_diff(out, &result.diff) }
}

fn print_transcript(out: &mut impl Write, result: &ScenarioResult) -> Result<()> {
    for line in result.transcript.lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// Asks until there is an answer. None is returned if the input has ended.
fn ask(out: &mut impl Write, result: &ScenarioResult) -> Result<Option<Answer>> {
    loop {
        write!(out, "[a]ccept, [r]eject, [s]kip, [t]ranscript, [q]uit: ")?;
        out.flush()?;
        let mut answer = String::new();
        if std::io::stdin().lock().read_line(&mut answer)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        return Ok(Some(match answer.trim() {
            "a" | "accept" | "y" | "yes" => Answer::Accept,
            "r" | "reject" | "n" | "no" => Answer::Reject,
            "s" | "skip" => Answer::Skip,
            "q" | "quit" => Answer::Quit,
            "t" | "transcript" => {
                print_transcript(out, result)?;
                continue;
            }
            _ => continue,
        }));
    }
}
