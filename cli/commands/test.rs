//! `principes test`: runs the packs' scenarios and compares them with their snapshots.

mod json;
mod junit;
mod lcov;
mod review;
mod tested;
mod text;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::ValueEnum;
use principes_app::packs::OpenPacks;
use principes_app::watch::Watch;
use principes_author::smoke::smoke_games;
use principes_core::scripts::ScriptError;
use principes_findings::Finding;
use principes_findings::budget::Effort;
use principes_model::Loaded;
use principes_scenarios::coverage::{self, ModuleCoverage, counting_host};
use principes_scenarios::{ScenarioResult, ScenarioRunner, Texts};

use crate::output::{self, Exit};
use crate::packs;
use crate::stop;
use tested::{Tested, sums, verdict, why_not_loaded};

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
    Ok(Tested { pack, report, texts, unreached, coverage: None, too_little: None, is_filtered: filter.is_some() })
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
            let accepted = review::review(&mut out, &tested)?;
            if !accepted.is_empty() {
                store(&ready.loaded, accepted)?;
                // Runs again, because stored snapshots are read together with the packs.
                tested = test_pack(&ready.loaded, args, false)?;
            }
        }
        if args.coverage {
            tested.coverage = Some(measure(&ready, args)?);
        }
        tested.too_little = too_little(&tested, args);
        match args.format {
            Format::Human => text::print(&mut out, &tested)?,
            Format::Lcov => {
                lcov::print(&mut out, &tested)?;
                let failed: Vec<_> = tested.report.results.iter().filter(|result| !result.passed()).collect();
                let (shown, more) = output::listed(&failed, "scenario");
                for result in shown {
                    output::error(&format!("{}: scenario `{}` {}", result.file, result.id, verdict(result)));
                }
                more.iter().for_each(|more| output::note(more));
            }
            Format::Json | Format::Junit => {}
        }
        if let Some(why) = &tested.too_little {
            output::error(why);
        }
        all.push(tested);
    }
    match args.format {
        Format::Json => output::json(&mut out, &json::results(&all, &unloaded))?,
        Format::Junit => out.write_all(junit::report(&all, &unloaded)?.as_bytes())?,
        Format::Human | Format::Lcov => {}
    }
    let count: usize = all.iter().map(|tested| tested.report.results.len()).sum();
    if count == 0 && unloaded.is_empty() {
        match &args.filter {
            Some(filter) => bail!("no scenario matches `{filter}` in its file, id, title or rules"),
            None => output::note("the packs have no scenarios"),
        }
    }
    Ok(Exit::failure_if(!unloaded.is_empty() || all.iter().any(|tested| !tested.is_fine())))
}

/// Stores the transcripts of scenarios as their snapshots.
fn store(loaded: &Loaded, mut accepted: Vec<ScenarioResult>) -> Result<()> {
    let files = principes_scenarios::scenario_files(loaded, principes_scenarios::pack_under_test(loaded));
    principes_scenarios::accept(&files, &mut accepted);
    if let Some(why) = accepted.iter().find_map(|result| result.unwritable()) {
        bail!("the snapshots could not be stored: {why}");
    }
    Ok(())
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
        let mut failed = Vec::new();
        smoke_games(ready, &host, &Effort::endless(), |_, played| failed.extend(played.err()));
        let (shown, more) = output::listed(&failed, "game");
        for ScriptError { message, .. } in shown {
            output::error(&format!("a random game failed: {message}; `principes check --until play` says where"));
        }
        more.iter().for_each(|more| output::note(more));
        for (module, lines) in host.line_hits() {
            let sums = hits.entry(module).or_default();
            lines.into_iter().for_each(|(line, count)| *sums.entry(line).or_default() += count);
        }
    }
    Ok(coverage::measure(loaded, &hits))
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
