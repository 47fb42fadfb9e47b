//! `check --watch`: checks again after every change of a file.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use principes_app::packs::PLACES;
use principes_app::watch::Watch;
use principes_app::workers;
use principes_author::check::{Findings, Rest, check_files, tally};
use principes_content::LoadOptions;
use principes_findings::{Finding, Severity, budget, print_human};
use principes_source::PackSource;

use super::args::Args;
use crate::output::{self, Exit};
use crate::packs;
use crate::stop;

/// Packs that are checked together, and their last findings.
struct Table {
    given: Vec<Arc<dyn PackSource>>,
    last: Findings,
    /// What remains to be checked.
    rest: Option<Rest>,
    /// The folders of all its packs.
    folders: Vec<PathBuf>,
}

impl Table {
    fn new(given: &[Arc<dyn PackSource>]) -> Self {
        Table { given: given.to_vec(), last: Findings::default(), rest: None, folders: Vec::new() }
    }

    /// Finds what the files alone show, and the folders to watch.
    fn check_files(&mut self, args: &Args, options: &LoadOptions) {
        let mut now = Findings { past: std::mem::take(&mut self.last.past), ..Findings::default() };
        self.rest = check_files(&self.given, args.reach(), options, &mut now);
        let loaded = now.orders.iter().flatten().filter_map(|pack| pack.folder.clone());
        self.folders = self.given.iter().filter_map(|pack| pack.folder()).chain(loaded).collect();
        self.last = now;
    }

    /// Checks scenarios and random games.
    fn check_rest(&mut self) -> Result<()> {
        self.rest
            .take()
            .map_or(Ok(()), |rest| rest.check(&mut self.last).map_err(|error| packs::explained(error.into())))
    }

    /// Whether one of the files belongs to a given pack, not to one that it requires.
    fn holds(&self, changes: &BTreeSet<PathBuf>) -> bool {
        let folders: Vec<PathBuf> = self.given.iter().filter_map(|pack| pack.folder()).collect();
        changes.iter().any(|path| folders.iter().any(|folder| path.starts_with(folder)))
    }

    /// Whether a change of these files can change the findings.
    fn depends_on(&self, changes: &BTreeSet<PathBuf>) -> bool {
        // Manifests decide which packs belong together. A pack without a folder is a zip file.
        let all = |path: &Path| {
            path.ends_with("pack.json")
                || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
        };
        changes.iter().any(|path| all(path) || self.folders.iter().any(|folder| path.starts_with(folder)))
    }
}

/// Checks packs until Ctrl-C, and again whenever a change affects them. The last findings decide the exit code.
pub fn watch(args: &Args) -> Result<Exit> {
    let stop = stop::flag()?;
    let options = packs::options(args.game.as_deref(), args.until.stage());
    let mut folders = principes_app::packs::under(&args.paths)?;
    let mut tables = tables(&folders, args)?;
    let mut watch = Watch::begin(&places(args, &tables));
    let mut begin = Instant::now();
    let mut changes: Option<BTreeSet<PathBuf>> = None;
    loop {
        let concerned = |table: &&mut Table| changes.as_ref().is_none_or(|changes| table.depends_on(changes));
        let again = tables.iter_mut().filter(concerned);
        // Edited packs come first, packs that build on them last.
        let (mut first, others): (Vec<&mut Table>, Vec<&mut Table>) =
            again.partition(|table| changes.as_ref().is_some_and(|changes| table.holds(changes)));
        workers::each(workers::cores(), &mut first, |table| {
            table.check_files(args, &options);
            Ok::<_, workers::WorkerError>(())
        })?;
        let is_known = |table: &&mut Table| table.rest.as_ref().is_none_or(Rest::is_known);
        let reported = match first.is_empty() || (others.is_empty() && first.iter().all(is_known)) {
            true => Vec::new(),
            false => tell_first(&first, args, begin.elapsed())?,
        };
        let mut rest: Vec<(bool, &mut Table)> = first.into_iter().map(|table| (false, table)).collect();
        rest.extend(others.into_iter().map(|table| (true, table)));
        workers::each(workers::cores(), &mut rest, |(is_new, table)| {
            if *is_new {
                table.check_files(args, &options);
            }
            table.check_rest()
        })?;
        let exit = report(&tables, &reported, args, begin.elapsed())?;
        watch.turn_to(places(args, &tables));
        changes = watch.wait(&stop);
        if changes.is_none() {
            output::end_line();
            return Ok(exit);
        }
        begin = Instant::now();
        // Packs may have appeared or disappeared. If none is left, for example while a folder is renamed, keep waiting:
        // they may come back.
        let now = loop {
            match principes_app::packs::under(&args.paths) {
                Ok(now) => break now,
                Err(error) => output::error(&error.to_string()),
            }
            output::note("waiting for changes");
            if watch.wait(&stop).is_none() {
                output::end_line();
                return Ok(Exit::failure_if(true));
            }
        };
        if now != folders {
            folders = now;
            tables = self::tables(&folders, args)?;
            changes = None;
        }
    }
}

fn tables(folders: &[PathBuf], args: &Args) -> Result<Vec<Table>> {
    let given = packs::sources(folders)?;
    Ok(match args.together {
        true => vec![Table::new(&given)],
        false => given.chunks(1).map(Table::new).collect(),
    })
}

/// The paths to watch: those that the user named or the usual folders, and the folders of all packs involved.
fn places(args: &Args, tables: &[Table]) -> Vec<PathBuf> {
    let named = match args.paths.is_empty() {
        true => PLACES.iter().map(PathBuf::from).collect(),
        false => args.paths.clone(),
    };
    let mut all: Vec<PathBuf> =
        named.into_iter().chain(tables.iter().flat_map(|table| table.folders.clone())).collect();
    all.sort();
    // Folders inside another watched folder are redundant.
    all.dedup_by(|inner, outer| inner.starts_with(outer));
    all
}

/// Reports on the files of packs before scenarios run and other packs are checked. Returns the reported findings.
fn tell_first(tables: &[&mut Table], args: &Args, took: Duration) -> Result<Vec<Finding>> {
    let mut found: Vec<Finding> = tables.iter().flat_map(|table| table.last.findings.iter().cloned()).collect();
    principes_findings::sort(&mut found);
    tell(&found)?;
    if !args.quiet {
        output::note(&format!("so far {} ({} ms); still checking", tally(&found), took.as_millis()));
    }
    Ok(found)
}

fn tell(findings: &[Finding]) -> Result<()> {
    let mut findings = findings.to_vec();
    budget::cut(&mut findings);
    let mut out = output::stdout();
    out.write_all(print_human(&findings, true).as_bytes())?;
    Ok(out.flush()?)
}

/// Reports all new findings. The number of findings that a finding holds back is known only at the end; a finding does
/// not count as new because of it.
fn report(tables: &[Table], reported: &[Finding], args: &Args, took: Duration) -> Result<Exit> {
    let mut all = Findings::default();
    for table in tables {
        all.add(&table.last);
    }
    principes_findings::sort(&mut all.findings);
    let bare = |finding: &Finding| Finding { held_back: None, ..finding.clone() };
    let reported: Vec<Finding> = reported.iter().map(bare).collect();
    let new: Vec<Finding> = all.findings.iter().filter(|finding| !reported.contains(&bare(finding))).cloned().collect();
    tell(&new)?;
    if !args.quiet {
        output::note(&format!("{} ({} ms); waiting for changes", all.summary(), took.as_millis()));
    }
    Ok(Exit::failure_if(all.count(Severity::Error) > 0))
}
