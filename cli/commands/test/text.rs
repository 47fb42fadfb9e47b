//! Results for people.

use std::io::Write;

use anyhow::Result;
use principes_scenarios::coverage::{self, ModuleCoverage};
use principes_scenarios::{Texts, Verdict};
use principes_scripting::STEP_BUDGET;

use super::tested::{Tested, failures, sums, verdict};
use crate::output::{listed, shortened};
use crate::style;

/// Calls that take more than one part in this many of the step limit are reported.
const MANY: u64 = 10;

/// Prints the results of a pack.
pub(super) fn print(out: &mut impl Write, tested: &Tested) -> Result<()> {
    let report = &tested.report;
    let (bold, bad, dim) = (style::bold(), style::bad(), style::dim());
    let passed = report.results.iter().filter(|result| result.passed()).count();
    writeln!(
        out,
        "{bold}{}{bold:#}: {passed} of {} scenarios pass, {} of {} hooks reached ({:.1} %)",
        tested.pack,
        report.results.len(),
        report.reached.len(),
        report.declared.len(),
        report.coverage()
    )?;
    let failed: Vec<_> = report.results.iter().filter(|result| !result.passed()).collect();
    let (shown, more) = listed(&failed, "scenario");
    for result in shown {
        writeln!(out, "\n{bad}{}{bad:#} {bold}{}{bold:#} – {}", verdict(result), result.id, result.title)?;
        writeln!(out, "  {dim}{}{dim:#}", result.file)?;
        let all = failures(result);
        let (shown, more) = listed(&all, "failure");
        for failure in shown {
            writeln!(out, "  {failure}")?;
        }
        more.iter().try_for_each(|more| writeln!(out, "  {more}"))?;
        if let Verdict::Unwritable(why) = &result.snapshot {
            writeln!(out, "  cannot write the snapshot: {why}")?;
        }
        print_diff(out, &result.diff)?;
    }
    more.iter().try_for_each(|more| writeln!(out, "\n{more}"))?;
    print_texts(out, &tested.texts)?;
    let accepted = report.results.iter().filter(|result| result.snapshot == Verdict::Accepted).count();
    if accepted > 0 {
        writeln!(out, "  {accepted} snapshot{} stored", if accepted == 1 { "" } else { "s" })?;
    }
    let new =
        report.results.iter().filter(|result| result.failures.is_empty() && result.snapshot == Verdict::New).count();
    if new > 0 {
        let (scenarios, they) = if new == 1 { ("scenario has", "it does") } else { ("scenarios have", "they do") };
        writeln!(out, "  {new} {scenarios} no snapshot yet; `--accept` stores what {they} now")?;
    }
    if !tested.is_filtered && !tested.unreached.is_empty() {
        writeln!(out, "\n  hooks that no scenario runs:")?;
        let (shown, more) = listed(&tested.unreached, "hook");
        for hook in shown {
            writeln!(out, "    {hook}")?;
        }
        more.iter().try_for_each(|more| writeln!(out, "    {more}"))?;
    }
    let far = report.results.iter().max_by_key(|result| result.steps);
    if let Some(far) = far.filter(|result| result.steps > STEP_BUDGET / MANY) {
        let (id, steps) = (&far.id, far.steps);
        writeln!(out, "  a call in scenario `{id}` takes {steps} of the {STEP_BUDGET} steps that a call may take")?;
    }
    if let Some(modules) = &tested.coverage {
        print_coverage(out, modules)?;
    }
    Ok(())
}

/// Prints the differences between the texts and their snapshots.
fn print_texts(out: &mut impl Write, texts: &[Texts]) -> Result<()> {
    let (bold, bad) = (style::bold(), style::bad());
    for changed in texts.iter().filter(|texts| !texts.passed() && texts.verdict != Verdict::New) {
        writeln!(out, "\n{bad}changed{bad:#} {bold}{}{bold:#} – what players read", changed.file)?;
        if let Verdict::Unwritable(why) = &changed.verdict {
            writeln!(out, "  cannot store the texts: {why}")?;
        }
        print_diff(out, &changed.diff)?;
    }
    let count = |verdict: &Verdict| texts.iter().filter(|texts| texts.verdict == *verdict).count();
    match count(&Verdict::Accepted) {
        0 => {}
        1 => writeln!(out, "  1 text snapshot stored")?,
        several => writeln!(out, "  {several} text snapshots stored")?,
    }
    match count(&Verdict::New) {
        0 => {}
        1 => writeln!(out, "  1 text snapshot is not stored yet; `--accept` stores it")?,
        several => writeln!(out, "  {several} text snapshots are not stored yet; `--accept` stores them")?,
    }
    Ok(())
}

fn print_coverage(out: &mut impl Write, modules: &[ModuleCoverage]) -> Result<()> {
    let (bold, dim) = (style::bold(), style::dim());
    writeln!(out, "\n  {bold}{:<28} {:>18} {:>18}{bold:#}", "module", "lines", "branches")?;
    let row = |name: &str, [lines, all_lines, branches, all_branches]: [usize; 4]| {
        let part = |hit, all| format!("{hit}/{all} {:>5.1} %", coverage::percent(hit, all));
        format!("  {name:<28} {:>18} {:>18}", part(lines, all_lines), part(branches, all_branches))
    };
    for module in modules {
        writeln!(out, "{}", row(&module.module, sums(std::slice::from_ref(module))))?;
        for lines in module.missed_lines() {
            let last = if lines.len() > 1 { format!("-{}", lines.end - 1) } else { String::new() };
            writeln!(out, "    {dim}{}:{}{last} never run{dim:#}", module.file, lines.start)?;
        }
        let never = |line: u32| module.lines.get(&line) == Some(&0);
        for branch in module.branches.iter().filter(|branch| branch.hits == 0 && !never(branch.line)) {
            writeln!(out, "    {dim}{}:{} {}{dim:#}", module.file, branch.line, branch.way.missed())?;
        }
    }
    writeln!(out, "{bold}{}{bold:#}", row("all", sums(modules)))?;
    Ok(())
}

/// Prints a diff in color.
pub(super) fn print_diff(out: &mut impl Write, diff: &str) -> Result<()> {
    let lines: Vec<&str> = diff.lines().collect();
    let (shown, more) = listed(&lines, "line");
    for line in shown {
        let style = match line.trim_start().chars().next() {
            Some('+') => style::color("green"),
            Some('-') => style::bad(),
            _ => style::dim(),
        };
        writeln!(out, "    {style}{}{style:#}", shortened(line))?;
    }
    more.iter().try_for_each(|more| writeln!(out, "    {more}"))?;
    Ok(())
}
