//! `check --watch`: again after every change of a file.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use principes_content::diagnostic::{self, Severity, print_human};
use principes_content::source::base_game;
use principes_content::{LoadOptions, PackSource};

use super::{Args, Findings, check_table};
use crate::out::{self, Exit};
use crate::packs;
use crate::stop;
use crate::watch::Watch;

/// Packs that are checked together, and what was found last.
struct Table {
    given: Vec<Arc<dyn PackSource>>,
    last: Findings,
    /// The folders of all its packs.
    folders: Vec<PathBuf>,
}

impl Table {
    fn new(given: &[Arc<dyn PackSource>]) -> Self {
        Table { given: given.to_vec(), last: Findings::default(), folders: Vec::new() }
    }

    fn check(&mut self, args: &Args, options: &LoadOptions) -> Result<()> {
        let mut now = Findings { past: std::mem::take(&mut self.last.past), ..Findings::default() };
        check_table(&self.given, args, options, &mut now)?;
        let loaded = now.orders.iter().flatten().filter_map(|pack| pack.folder.clone());
        self.folders = self.given.iter().filter_map(|pack| pack.folder()).chain(loaded).collect();
        self.last = now;
        Ok(())
    }

    /// Whether a change of these files can change what was found.
    fn depends_on(&self, changes: &BTreeSet<PathBuf>) -> bool {
        // Manifests say which packs belong together. What has no folder is a file: a packed pack.
        let all = |path: &Path| {
            path.ends_with("pack.json")
                || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
        };
        changes.iter().any(|path| all(path) || self.folders.iter().any(|folder| path.starts_with(folder)))
    }
}

/// Checks packs, and those that a change concerns again, until Ctrl-C. Then the last findings decide, as without `--watch`.
pub fn watch(args: &Args) -> Result<Exit> {
    let stop = stop::flag()?;
    let options = packs::options(args.game.as_deref(), args.until.stage());
    let mut folders = packs::under(&args.paths)?;
    let mut tables = tables(&folders, args)?;
    let mut watch = Watch::begin(&places(args, &tables));
    let mut begin = Instant::now();
    let mut changes: Option<BTreeSet<PathBuf>> = None;
    loop {
        for table in &mut tables {
            if changes.as_ref().is_none_or(|changes| table.depends_on(changes)) {
                table.check(args, &options)?;
            }
        }
        let exit = report(&tables, args, begin.elapsed())?;
        watch.turn_to(places(args, &tables));
        changes = watch.wait(&stop);
        if changes.is_none() {
            return Ok(exit);
        }
        begin = Instant::now();
        // Packs may have come or gone; a pack that is gone is said to be missing, as at the beginning.
        let now = packs::under(&args.paths).unwrap_or_default();
        if now != folders {
            folders = now;
            tables = self::tables(&folders, args)?;
            changes = None;
        }
    }
}

fn tables(folders: &[PathBuf], args: &Args) -> Result<Vec<Table>> {
    let given = match folders.is_empty() {
        true => vec![base_game()],
        false => packs::sources(folders)?,
    };
    Ok(match args.together {
        true => vec![Table::new(&given)],
        false => given.chunks(1).map(Table::new).collect(),
    })
}

/// Where changes are looked for: what the user named, else where packs lie, and the folders of all packs that take part.
fn places(args: &Args, tables: &[Table]) -> Vec<PathBuf> {
    let named = match args.paths.is_empty() {
        true => packs::PLACES.iter().map(PathBuf::from).collect(),
        false => args.paths.clone(),
    };
    let mut all: Vec<PathBuf> =
        named.into_iter().chain(tables.iter().flat_map(|table| table.folders.clone())).collect();
    all.sort();
    // What lies in another place is looked at with it.
    all.dedup_by(|inner, outer| inner.starts_with(outer));
    all
}

fn report(tables: &[Table], args: &Args, took: Duration) -> Result<Exit> {
    let mut all = Findings::default();
    for table in tables {
        all.add(&table.last);
    }
    diagnostic::sort(&mut all.findings);
    let mut out = out::stdout();
    out.write_all(print_human(&all.findings, true).as_bytes())?;
    out.flush()?;
    if !args.quiet {
        out::note(&format!("{} ({} ms); waiting for changes", all.summary(), took.as_millis()));
    }
    Ok(Exit::faults(all.count(Severity::Error) > 0))
}
