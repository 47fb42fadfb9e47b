//! `principes test`: runs the packs' scenarios against their stored snapshots.

use std::collections::BTreeSet;
use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::ValueEnum;
use principes_content::Loaded;
use principes_content::scenario::{self, Outcome, Report, Verdict};
use principes_content::source::{PackSource, base_game};
use serde_json::json;

use crate::ink;
use crate::out::{self, Exit};
use crate::packs::{self, Ready};

const EXAMPLES: &str = "\
Examples:
  principes test                                 every pack under content/ and mods/
  principes test mods/my-pack --filter TEXT
  principes test mods/my-pack --review           shows what changed and asks what to keep
  principes test --accept                        keeps what the scenarios do now
  principes test mods/my-pack --min-coverage 100";

/// Runs the packs' scenarios against their stored snapshots.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, or folders of packs; those under content/ and mods/ unless said.
    paths: Vec<PathBuf>,
    /// Only scenarios with this text in their file, id, title or rules.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Stores what passing scenarios do now as their snapshots.
    #[arg(long, conflicts_with = "review")]
    accept: bool,
    /// Shows every new or changed snapshot and asks whether to store it.
    #[arg(long)]
    review: bool,
    /// Fails where scenarios reach a smaller share of a pack's hooks.
    #[arg(long, value_name = "PERCENT")]
    min_coverage: Option<f64>,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// The scenarios of one pack and how they went.
pub struct Tested {
    /// Id of the pack.
    pub pack: String,
    /// What became of them.
    pub report: Report,
    /// Names of hooks that no scenario reached.
    pub unreached: Vec<String>,
}

/// Runs the scenarios of the last of the loaded packs.
pub fn test_pack(ready: &Ready, filter: Option<&str>, accept: bool) -> Result<Tested> {
    test_loaded(&ready.loaded, filter, accept)
}

fn test_loaded(loaded: &Loaded, filter: Option<&str>, accept: bool) -> Result<Tested> {
    let report = scenario::run_all(loaded, filter, accept).map_err(|findings| packs::refuse(&findings))?;
    let unreached = report.unreached().map(|hook| packs::hook_name(&loaded.catalog, hook)).collect();
    let pack = loaded.packs.last().map(|pack| pack.manifest.id.to_string()).unwrap_or_default();
    Ok(Tested { pack, report, unreached })
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if let Some(percent) = args.min_coverage
        && !(0.0..=100.0).contains(&percent)
    {
        bail!("--min-coverage is a percentage from 0 to 100, got {percent}");
    }
    let folders = packs::under(&args.paths)?;
    let given: Vec<Arc<dyn PackSource>> = match folders.is_empty() {
        true => vec![base_game()],
        false => packs::sources(&folders)?,
    };
    let mut out = out::stdout();
    let mut all = Vec::new();
    let mut broken = false;
    for source in given {
        let Ok(ready) = packs::load_sources(std::slice::from_ref(&source), None) else {
            broken = true;
            out::complain(&format!("{} cannot be loaded; `principes check` says why", source.label("")));
            continue;
        };
        let mut tested = test_pack(&ready, args.filter.as_deref(), args.accept)?;
        if args.review {
            tested = review(&mut out, &ready, tested, args)?;
        }
        if args.format == Format::Human {
            print(&mut out, &tested, args)?;
        }
        all.push(tested);
    }
    if args.format == Format::Json {
        out::json(&mut out, &to_json(&all))?;
    }
    let count: usize = all.iter().map(|tested| tested.report.outcomes.len()).sum();
    if count == 0 && !broken {
        match &args.filter {
            Some(filter) => bail!("no scenario has `{filter}` in its file, id, title or rules"),
            None => out::note("there are no scenarios"),
        }
    }
    Ok(Exit::faults(broken || all.iter().any(|tested| !is_fine(tested, args))))
}

fn is_fine(tested: &Tested, args: &Args) -> bool {
    // A filter looks at few scenarios, so coverage says nothing then.
    let covered = args.filter.is_some() || args.min_coverage.is_none_or(|least| tested.report.coverage() >= least);
    tested.report.passed() && covered
}

fn print(out: &mut impl Write, tested: &Tested, args: &Args) -> Result<()> {
    let report = &tested.report;
    let (bold, bad, dim) = (ink::bold(), ink::bad(), ink::dim());
    let passed = report.outcomes.iter().filter(|outcome| outcome.passed()).count();
    writeln!(
        out,
        "{bold}{}{bold:#}: {passed} of {} scenarios pass, {} of {} hooks reached ({:.1} %)",
        tested.pack,
        report.outcomes.len(),
        report.reached.len(),
        report.declared.len(),
        report.coverage()
    )?;
    for outcome in report.outcomes.iter().filter(|outcome| !outcome.passed()) {
        writeln!(out, "\n{bad}{}{bad:#} {bold}{}{bold:#} – {}", verdict(outcome), outcome.id, outcome.title)?;
        writeln!(out, "  {dim}{}{dim:#}", outcome.file)?;
        for failure in &outcome.failures {
            writeln!(out, "  {}: {}", failure.part, failure.message)?;
        }
        if let Verdict::Unwritable(why) = &outcome.snapshot {
            writeln!(out, "  the snapshot could not be stored: {why}")?;
        }
        print_diff(out, outcome)?;
    }
    let accepted = report.outcomes.iter().filter(|outcome| outcome.snapshot == Verdict::Accepted).count();
    if accepted > 0 {
        writeln!(out, "  {accepted} snapshots stored")?;
    }
    let new = report
        .outcomes
        .iter()
        .filter(|outcome| outcome.failures.is_empty() && outcome.snapshot == Verdict::New)
        .count();
    if new > 0 {
        let (scenarios, they) = if new == 1 { ("scenario has", "it does") } else { ("scenarios have", "they do") };
        writeln!(out, "  {new} {scenarios} no snapshot yet; `--accept` stores what {they} now")?;
    }
    if args.filter.is_none() && !tested.unreached.is_empty() {
        writeln!(out, "\n  hooks that no scenario reaches:")?;
        for hook in &tested.unreached {
            writeln!(out, "    {hook}")?;
        }
    }
    Ok(())
}

fn verdict(outcome: &Outcome) -> &'static str {
    match (&outcome.snapshot, outcome.failures.is_empty()) {
        (_, false) => "fails",
        (Verdict::New, _) => "new",
        (Verdict::Changed, _) => "changed",
        (Verdict::Unwritable(_), _) => "not stored",
        (Verdict::Same | Verdict::Accepted, _) => "passes",
    }
}

/// A diff with its lines in colour.
fn print_diff(out: &mut impl Write, outcome: &Outcome) -> Result<()> {
    for line in outcome.diff.lines() {
        let style = match line.trim_start().chars().next() {
            Some('+') => ink::colour("green"),
            Some('-') => ink::bad(),
            _ => ink::dim(),
        };
        writeln!(out, "    {style}{line}{style:#}")?;
    }
    Ok(())
}

/// Shows each new or changed snapshot and asks; what is accepted is stored.
fn review(out: &mut impl Write, ready: &Ready, tested: Tested, args: &Args) -> Result<Tested> {
    let asks = std::io::stdin().is_terminal();
    let mut keep: BTreeSet<(&str, &str)> = BTreeSet::new();
    for outcome in &tested.report.outcomes {
        if !(outcome.failures.is_empty() && matches!(outcome.snapshot, Verdict::New | Verdict::Changed)) {
            continue;
        }
        writeln!(out, "\n{} {} – {}", verdict(outcome), outcome.id, outcome.title)?;
        if outcome.snapshot == Verdict::New {
            for line in outcome.transcript.lines() {
                writeln!(out, "    {line}")?;
            }
        } else {
            print_diff(out, outcome)?;
        }
        if !asks {
            continue;
        }
        write!(out, "store it? [y]es, [n]o, [q]uit: ")?;
        out.flush()?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        match answer.trim() {
            "y" | "yes" => {
                keep.insert((&outcome.file, &outcome.id));
            }
            "q" | "quit" => break,
            _ => {}
        }
    }
    if keep.is_empty() {
        return Ok(tested);
    }
    let mut kept = ready.loaded.clone();
    kept.scenarios.retain(|file| keep.contains(&(file.file.as_str(), file.scenario.id.as_str())));
    test_loaded(&kept, None, true)?;
    // The stored snapshots are read with the packs.
    test_pack(ready, args.filter.as_deref(), false)
}

fn to_json(all: &[Tested]) -> serde_json::Value {
    let packs: Vec<serde_json::Value> = all
        .iter()
        .map(|tested| {
            let scenarios: Vec<serde_json::Value> = tested
                .report
                .outcomes
                .iter()
                .map(|outcome| {
                    let failures: Vec<String> =
                        outcome.failures.iter().map(|failure| format!("{}: {}", failure.part, failure.message)).collect();
                    json!({
                        "id": outcome.id, "title": outcome.title, "file": outcome.file, "rules": outcome.rules,
                        "passed": outcome.passed(), "verdict": verdict(outcome), "failures": failures, "diff": outcome.diff,
                    })
                })
                .collect();
            json!({
                "id": tested.pack,
                "passed": tested.report.outcomes.iter().filter(|outcome| outcome.passed()).count(),
                "scenarios": scenarios,
                "hooks": {
                    "declared": tested.report.declared.len(),
                    "reached": tested.report.reached.len(),
                    "coverage": tested.report.coverage(),
                    "unreached": tested.unreached,
                },
            })
        })
        .collect();
    json!({ "packs": packs })
}
