//! `principes test`: runs the packs' scenarios and compares them with their snapshots.

use std::collections::BTreeSet;
use std::io::{BufRead as _, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::ValueEnum;
use principes_app::packs::OpenPacks;
use principes_app::smoke::smoke_games;
use principes_app::watch::Watch;
use principes_findings::Finding;
use principes_findings::budget::Deadline;
use principes_model::Loaded;
use principes_scenarios::coverage::{self, ModuleCoverage, counting_host};
use principes_scenarios::{ScenarioReport, ScenarioResult, ScenarioRunner, Texts, Verdict};
use principes_scripting::STEP_BUDGET;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde_json::json;

use crate::output::{self, Exit};
use crate::packs;
use crate::stop;
use crate::style;

const EXAMPLES: &str = "\
Examples:
  principes test                                 every pack under content/ and mods/
  principes test mods/my-pack --filter TEXT
  principes test mods/my-pack --review           shows each change and asks whether to store it
  principes test --accept                        stores the current transcripts as snapshots
  principes test mods/my-pack --accept --texts   also stores the texts that players read
  principes test mods/my-pack --watch            runs again after every change of a file
  principes test mods/my-pack --min-coverage 100
  principes test mods/my-pack --coverage         lines and branches of the scripts that never run
  principes test --coverage --smoke --format lcov > lcov.info";

/// Runs the packs' scenarios and compares them with their snapshots.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, or folders of packs. Default: those under content/ and mods/, or the pack in the current folder.
    paths: Vec<PathBuf>,
    /// Only scenarios with this text in their file, id, title or rules.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Stores the transcripts of passing scenarios as their snapshots.
    #[arg(long, conflicts_with = "review")]
    accept: bool,
    /// Also compares the texts that players read, with numbers filled in, in every language. After `--accept --texts`
    /// has stored them, they are always compared.
    #[arg(long)]
    texts: bool,
    /// Shows every new or changed snapshot and asks whether to store it: accept, reject, skip, quit.
    #[arg(long)]
    review: bool,
    /// Runs the scenarios again whenever a file of the packs changes, until Ctrl-C. The last run decides the exit code.
    #[arg(long, conflicts_with_all = ["accept", "review", "format"])]
    watch: bool,
    /// Counts the lines and branches of the packs' scripts that scenarios run, and lists those that never run.
    #[arg(long)]
    coverage: bool,
    /// Also counts what a few random games in each variant run.
    #[arg(long, requires = "coverage")]
    smoke: bool,
    /// Fails if a smaller percentage of a pack's hooks runs or, with --coverage, of its lines.
    #[arg(long, value_name = "PERCENT")]
    min_coverage: Option<f64>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// For CI systems that display test results.
    Junit,
    /// Line and branch counts, for editors and services.
    Lcov,
}

/// The scenarios of one pack and their results.
struct Tested {
    pack: String,
    report: ScenarioReport,
    /// The texts that players read, if they are stored or requested.
    texts: Vec<Texts>,
    /// The names of hooks that no scenario runs.
    unreached: Vec<String>,
    /// The coverage of its scripts, if counted.
    coverage: Option<Vec<ModuleCoverage>>,
    /// The message if coverage is below `--min-coverage`.
    too_little: Option<String>,
}

/// Runs the scenarios of the last of the loaded packs.
fn test_pack(loaded: &Loaded, args: &Args, accept: bool) -> Result<Tested> {
    let filter = args.filter.as_deref();
    let report = principes_scenarios::run_all(loaded, filter, accept).map_err(packs::refuse)?;
    let texts = if args.texts || principes_scenarios::are_texts_stored(loaded) {
        principes_scenarios::texts(loaded)
    } else {
        Vec::new()
    };
    let mut texts: Vec<Texts> =
        texts.into_iter().filter(|texts| filter.is_none_or(|filter| texts.file.contains(filter))).collect();
    if accept {
        texts.iter_mut().filter(|texts| !texts.passed()).for_each(Texts::accept);
    }
    let unreached = report.unreached().map(|hook| principes_scenarios::hook_name(&loaded.catalog, hook)).collect();
    let pack = loaded.packs.last().map(|pack| pack.manifest.id.to_string()).unwrap_or_default();
    Ok(Tested { pack, report, texts, unreached, coverage: None, too_little: None })
}

pub fn run(args: &Args) -> Result<Exit> {
    if let Some(percent) = args.min_coverage
        && !(0.0..=100.0).contains(&percent)
    {
        bail!("--min-coverage must be a percentage from 0 to 100, found {percent}");
    }
    if args.format == Format::Lcov && !args.coverage {
        bail!("--format lcov needs --coverage");
    }
    let folders = principes_app::packs::under(&args.paths)?;
    if !args.watch {
        return run_once(&folders, args);
    }
    let stop = stop::flag()?;
    let mut watch = Watch::begin(&folders);
    loop {
        // A missing folder may come back, for example after it was renamed.
        let exit = run_once(&folders, args).unwrap_or_else(|error| {
            output::error(&format!("{error:#}"));
            Exit::Failure
        });
        output::note("waiting for changes");
        if watch.wait(&stop).is_none() {
            output::end_line();
            return Ok(exit);
        }
    }
}

fn run_once(folders: &[PathBuf], args: &Args) -> Result<Exit> {
    let mut out = output::stdout();
    let mut all = Vec::new();
    let mut unloaded = Vec::new();
    for source in packs::sources(folders)? {
        let Ok(ready) = packs::load_sources(std::slice::from_ref(&source), None) else {
            let label = source.label("");
            let path = if label.is_empty() { "." } else { label.trim_end_matches('/') };
            output::error(&why_not_loaded(path));
            unloaded.push(path.to_owned());
            continue;
        };
        let mut tested = test_pack(&ready.loaded, args, args.accept)?;
        if args.review {
            tested = review(&mut out, &ready, tested, args)?;
        }
        if args.coverage {
            tested.coverage = Some(measure(&ready, args)?);
        }
        tested.too_little = too_little(&tested, args);
        match args.format {
            Format::Human => print(&mut out, &tested, args)?,
            Format::Lcov => {
                print_lcov(&mut out, &tested)?;
                for result in tested.report.results.iter().filter(|result| !result.passed()) {
                    output::error(&format!("{}: scenario `{}` {}", result.file, result.id, verdict(result)));
                }
            }
            Format::Json | Format::Junit => {}
        }
        if let Some(why) = &tested.too_little {
            output::error(why);
        }
        all.push(tested);
    }
    match args.format {
        Format::Json => output::json(&mut out, &to_json(&all, &unloaded))?,
        Format::Junit => out.write_all(junit(&all, &unloaded)?.as_bytes())?,
        Format::Human | Format::Lcov => {}
    }
    let count: usize = all.iter().map(|tested| tested.report.results.len()).sum();
    if count == 0 && unloaded.is_empty() {
        match &args.filter {
            Some(filter) => bail!("no scenario matches `{filter}` in its file, id, title or rules"),
            None => output::note("the packs have no scenarios"),
        }
    }
    Ok(Exit::failure_if(!unloaded.is_empty() || all.iter().any(|tested| !is_fine(tested))))
}

fn why_not_loaded(path: &str) -> String {
    format!("cannot load `{path}`; `principes check {path}` says why")
}

/// Coverage of the pack's scripts. The scenarios run a second time on a host that counts.
fn measure(ready: &OpenPacks, args: &Args) -> Result<Vec<ModuleCoverage>> {
    let loaded = &ready.loaded;
    let refuse = |findings: Vec<Finding>| packs::refuse(findings);
    let files = principes_scenarios::scenario_files(loaded, principes_scenarios::pack_under_test(loaded));
    let runner = ScenarioRunner::new(loaded, files.into(), counting_host).map_err(refuse)?;
    runner.run_all(args.filter.as_deref());
    let mut hits = runner.host().line_hits();
    if args.smoke {
        let host = loaded.host_with(Arc::clone(&loaded.catalog), counting_host).map_err(refuse)?;
        smoke_games(ready, &host, Deadline::NONE, |_, played| {
            if let Err(error) = played {
                let message = error.message;
                output::error(&format!("a random game failed: {message}; `principes check --until play` says where"));
            }
        });
        for (module, lines) in host.line_hits() {
            let sums = hits.entry(module).or_default();
            lines.into_iter().for_each(|(line, count)| *sums.entry(line).or_default() += count);
        }
    }
    Ok(coverage::measure(loaded, &hits))
}

/// Sums over modules: lines run, all lines, branches run, all branches.
fn sums(modules: &[ModuleCoverage]) -> [usize; 4] {
    let add = |sums: [usize; 4], module: &ModuleCoverage| {
        let own = [module.lines_hit(), module.lines.len(), module.branches_hit(), module.branches.len()];
        std::array::from_fn(|at| sums[at] + own[at])
    };
    modules.iter().fold([0; 4], add)
}

fn is_fine(tested: &Tested) -> bool {
    tested.report.passed() && tested.texts.iter().all(Texts::passed) && tested.too_little.is_none()
}

/// The message if coverage is below `--min-coverage`.
fn too_little(tested: &Tested, args: &Args) -> Option<String> {
    // A filter runs only some scenarios, so their coverage means nothing.
    let least = args.min_coverage.filter(|_| args.filter.is_none())?;
    let hooks = tested.report.coverage();
    let lines = tested.coverage.as_deref().map(sums).map(|[hit, all, ..]| coverage::percent(hit, all));
    let mut found = Vec::new();
    if hooks < least {
        found.push(format!("{hooks:.1} % of the hooks"));
    }
    found.extend(lines.filter(|lines| *lines < least).map(|lines| format!("{lines:.1} % of the lines")));
    let reached = found.join(" and ");
    (!found.is_empty())
        .then(|| format!("the scenarios of `{}` reach {reached}; --min-coverage requires {least} %", tested.pack))
}

fn print(out: &mut impl Write, tested: &Tested, args: &Args) -> Result<()> {
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
    for result in report.results.iter().filter(|result| !result.passed()) {
        writeln!(out, "\n{bad}{}{bad:#} {bold}{}{bold:#} – {}", verdict(result), result.id, result.title)?;
        writeln!(out, "  {dim}{}{dim:#}", result.file)?;
        for failure in failures(result) {
            writeln!(out, "  {failure}")?;
        }
        if let Verdict::Unwritable(why) = &result.snapshot {
            writeln!(out, "  cannot write the snapshot: {why}")?;
        }
        print_diff(out, &result.diff)?;
    }
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
    if args.filter.is_none() && !tested.unreached.is_empty() {
        writeln!(out, "\n  hooks that no scenario runs:")?;
        for hook in &tested.unreached {
            writeln!(out, "    {hook}")?;
        }
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

/// Calls that take more than one part in this many of the step limit are reported.
const MANY: u64 = 10;

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

/// The counts in the format of lcov.
fn print_lcov(out: &mut impl Write, tested: &Tested) -> Result<()> {
    for module in tested.coverage.iter().flatten() {
        // The lcov format has a test name, but it does not allow all characters of pack ids.
        writeln!(out, "TN:\nSF:{}", module.file)?;
        for (at, branch) in module.branches.iter().enumerate() {
            writeln!(out, "BRDA:{},0,{at},{}", branch.line, branch.hits)?;
        }
        writeln!(out, "BRF:{}\nBRH:{}", module.branches.len(), module.branches_hit())?;
        for (line, hits) in &module.lines {
            writeln!(out, "DA:{line},{hits}")?;
        }
        writeln!(out, "LF:{}\nLH:{}\nend_of_record", module.lines.len(), module.lines_hit())?;
    }
    Ok(())
}

/// A JUnit suite for each pack, with a case for each scenario.
/// A suite for every pack. A pack that cannot be loaded has one test case, which is an error.
fn junit(all: &[Tested], unloaded: &[String]) -> Result<String> {
    let mut report = quick_junit::Report::new("principes test");
    for path in unloaded {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("not loaded").set_message(why_not_loaded(path));
        let mut case = TestCase::new("load", status);
        case.set_classname(path.as_str());
        let mut suite = TestSuite::new(path.as_str());
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    for tested in all {
        let mut suite = TestSuite::new(tested.pack.as_str());
        for result in &tested.report.results {
            let mut status = TestCaseStatus::success();
            if !result.passed() {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let failures = failures(result);
                status.set_type(verdict(result));
                status.set_message(
                    failures.first().map_or_else(|| format!("the scenario {}", verdict(result)), String::clone),
                );
                status.set_description(format!("{}\n{}", failures.join("\n"), result.diff));
            }
            let mut case = TestCase::new(result.id.as_str(), status);
            case.set_classname(result.file.as_str());
            suite.add_test_case(case);
        }
        for texts in &tested.texts {
            let mut status = TestCaseStatus::success();
            if !texts.passed() {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message("the texts that players read differ from their snapshots");
                status.set_description(texts.diff.as_str());
            }
            let mut case = TestCase::new("texts", status);
            case.set_classname(texts.file.as_str());
            suite.add_test_case(case);
        }
        if let Some(why) = &tested.too_little {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("coverage").set_message(why.as_str());
            let mut case = TestCase::new("--min-coverage", status);
            case.set_classname(tested.pack.as_str());
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

fn verdict(result: &ScenarioResult) -> &'static str {
    match (&result.snapshot, result.failures.is_empty()) {
        (_, false) => "fails",
        (Verdict::New, _) => "new",
        (Verdict::Changed, _) => "changed",
        (Verdict::Unwritable(_), _) => "not stored",
        (Verdict::Same | Verdict::Accepted, _) => "passes",
    }
}

/// The failures of a scenario apart from its snapshot, with their locations.
fn failures(result: &ScenarioResult) -> Vec<String> {
    result.failures.iter().map(|failure| format!("{}: {}", failure.part, failure.message)).collect()
}

/// Prints a diff in color.
fn print_diff(out: &mut impl Write, diff: &str) -> Result<()> {
    for line in diff.lines() {
        let style = match line.trim_start().chars().next() {
            Some('+') => style::color("green"),
            Some('-') => style::bad(),
            _ => style::dim(),
        };
        writeln!(out, "    {style}{line}{style:#}")?;
    }
    Ok(())
}

/// Shows each new or changed snapshot and asks whether to store it.
fn review(out: &mut impl Write, ready: &OpenPacks, tested: Tested, args: &Args) -> Result<Tested> {
    let is_open = |result: &&Arc<ScenarioResult>| {
        result.failures.is_empty() && matches!(result.snapshot, Verdict::New | Verdict::Changed)
    };
    let open: Vec<&ScenarioResult> = tested.report.results.iter().filter(is_open).map(|result| &**result).collect();
    let mut keep: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut rejected = 0;
    // False once the input has ended. The remaining snapshots are then only shown.
    let mut asks = true;
    'all: for (at, result) in open.iter().enumerate() {
        let bold = style::bold();
        writeln!(
            out,
            "\n{} of {}: {} {bold}{}{bold:#} – {}",
            at + 1,
            open.len(),
            verdict(result),
            result.id,
            result.title
        )?;
        if result.snapshot == Verdict::New {
            for line in result.transcript.lines() {
                writeln!(out, "    {line}")?;
            }
        } else {
            print_diff(out, &result.diff)?;
        }
        while asks {
            write!(out, "[a]ccept, [r]eject, [s]kip, [t]ranscript, [q]uit: ")?;
            out.flush()?;
            let mut answer = String::new();
            asks = std::io::stdin().lock().read_line(&mut answer)? > 0;
            match answer.trim() {
                "a" | "accept" | "y" | "yes" => {
                    keep.insert((&result.file, &result.id));
                }
                "r" | "reject" | "n" | "no" => rejected += 1,
                "s" | "skip" => {}
                "q" | "quit" => break 'all,
                "t" | "transcript" => {
                    for line in result.transcript.lines() {
                        writeln!(out, "    {line}")?;
                    }
                    continue;
                }
                _ if asks => continue,
                _ => writeln!(out)?,
            }
            break;
        }
    }
    if !open.is_empty() {
        let left = open.len() - keep.len() - rejected;
        writeln!(out, "\n{} accepted, {rejected} rejected, {left} left as they are", keep.len())?;
    }
    if keep.is_empty() {
        return Ok(tested);
    }
    let is_kept = |result: &&Arc<ScenarioResult>| keep.contains(&(result.file.as_str(), result.id.as_str()));
    let kept = tested.report.results.iter().filter(is_kept);
    let mut kept: Vec<ScenarioResult> = kept.map(|result| ScenarioResult::clone(result)).collect();
    let files = principes_scenarios::scenario_files(&ready.loaded, principes_scenarios::pack_under_test(&ready.loaded));
    principes_scenarios::accept(&files, &mut kept);
    if let Some(why) = kept.iter().find_map(|result| result.unwritable()) {
        bail!("the snapshots could not be stored: {why}");
    }
    // Runs again, because stored snapshots are read together with the packs.
    test_pack(&ready.loaded, args, false)
}

fn to_json(all: &[Tested], unloaded: &[String]) -> serde_json::Value {
    let packs: Vec<serde_json::Value> = all
        .iter()
        .map(|tested| {
            let scenarios: Vec<serde_json::Value> = tested
                .report
                .results
                .iter()
                .map(|result| {
                    json!({
                        "id": result.id, "title": result.title, "file": result.file, "rules": result.rules,
                        "passed": result.passed(), "verdict": verdict(result), "failures": failures(result),
                        "diff": result.diff, "steps": result.steps,
                    })
                })
                .collect();
            json!({
                "id": tested.pack,
                "passed": tested.report.results.iter().filter(|result| result.passed()).count(),
                "scenarios": scenarios,
                "texts": tested.texts.iter().map(|texts| {
                    json!({ "file": texts.file, "passed": texts.passed(), "diff": texts.diff })
                }).collect::<Vec<_>>(),
                "hooks": {
                    "declared": tested.report.declared.len(),
                    "reached": tested.report.reached.len(),
                    "coverage": tested.report.coverage(),
                    "unreached": tested.unreached,
                },
                "coverage": tested.coverage.as_deref().map(coverage_json),
                "too_little": tested.too_little,
            })
        })
        .collect();
    json!({ "step_limit": STEP_BUDGET, "packs": packs, "unloaded": unloaded })
}

fn coverage_json(modules: &[ModuleCoverage]) -> serde_json::Value {
    let part = |hit, all| json!({ "covered": hit, "total": all, "percent": coverage::percent(hit, all) });
    let list: Vec<serde_json::Value> = modules
        .iter()
        .map(|module| {
            let missed = module.branches.iter().filter(|branch| branch.hits == 0);
            let missed: Vec<serde_json::Value> =
                missed.map(|branch| json!({ "line": branch.line, "what": branch.way.missed() })).collect();
            let lines: Vec<[u32; 2]> =
                module.missed_lines().into_iter().map(|lines| [lines.start, lines.end - 1]).collect();
            json!({
                "module": module.module, "file": module.file,
                "lines": part(module.lines_hit(), module.lines.len()),
                "branches": part(module.branches_hit(), module.branches.len()),
                "missed_lines": lines, "missed_branches": missed,
            })
        })
        .collect();
    let [lines, all_lines, branches, all_branches] = sums(modules);
    json!({ "lines": part(lines, all_lines), "branches": part(branches, all_branches), "modules": list })
}
