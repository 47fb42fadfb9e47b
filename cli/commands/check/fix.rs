//! `check --fix`: applies unambiguous fixes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail};
use principes_content::{Stage, check};
use principes_findings::{Finding, Severity, TextEdit};
use principes_source::PackSource;

use crate::{output, packs};

/// One fix can make others possible. After more rounds than this, fixes go in circles.
const MOST_ROUNDS: usize = 20;

/// The content of files after the fixes so far, by the names that users know.
type Changed = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A pack with the fixes so far applied.
struct Fixed {
    pack: Arc<dyn PackSource>,
    changed: Changed,
}

impl PackSource for Fixed {
    fn list(&self) -> io::Result<Vec<String>> {
        self.pack.list()
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let changed = self.changed.lock().map_err(|_| io::Error::other("a thread failed"))?;
        match changed.get(&self.pack.label(path)) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.pack.read(path),
        }
    }
    fn label(&self, path: &str) -> String {
        self.pack.label(path)
    }
    fn beside(&self) -> Option<PathBuf> {
        self.pack.beside()
    }
    fn folder(&self) -> Option<PathBuf> {
        self.pack.folder()
    }
}

/// Fixes the given packs. With `dry`, only prints the changes. Returns whether there was anything to fix.
pub fn fix(given: &[Arc<dyn PackSource>], until: Stage, dry: bool) -> Result<bool> {
    let changed: Changed = Arc::default();
    let mut reported: Vec<Finding> = Vec::new();
    for pack in given.iter().filter(|pack| pack.folder().is_some()) {
        let fixed: Arc<dyn PackSource> = Arc::new(Fixed { pack: Arc::clone(pack), changed: Arc::clone(&changed) });
        for _ in 0..MOST_ROUNDS {
            let checked = check(std::slice::from_ref(&fixed), &packs::options(None, until));
            let applied = apply(pack.as_ref(), &fixed, &changed, &checked.findings)?;
            if applied.is_empty() {
                break;
            }
            reported.extend(applied);
        }
    }
    let changed = changed.lock().map(|map| map.clone()).unwrap_or_default();
    if dry {
        print_diff(&changed)?;
    } else {
        for pack in given {
            write(&**pack, &changed)?;
        }
    }
    let (shown, more) = output::listed(&reported, "finding");
    for finding in shown {
        let what = finding.fix.as_ref().map_or("", |fix| fix.message.as_str());
        let verb = if dry { "would fix" } else { "fixed" };
        output::note(&format!(
            "{verb} {}:{}:{}: {} ({}): {what}",
            finding.file, finding.span.line, finding.span.column, finding.message, finding.code
        ));
    }
    more.iter().for_each(|more| output::note(more));
    Ok(!changed.is_empty())
}

/// Applies the fixes of one round, errors first. A fix is skipped if it overlaps an earlier one of the same round.
fn apply(
    pack: &dyn PackSource,
    fixed: &Arc<dyn PackSource>,
    changed: &Changed,
    findings: &[Finding],
) -> Result<Vec<Finding>> {
    let own: BTreeMap<String, String> = pack.list()?.into_iter().map(|path| (pack.label(&path), path)).collect();
    let mut applied = Vec::new();
    let mut edits: BTreeMap<&str, Vec<&TextEdit>> = BTreeMap::new();
    let mut seen: BTreeSet<(&str, usize, usize, &str)> = BTreeSet::new();
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.severity != Severity::Error);
    for finding in sorted {
        let Some(fix) = &finding.fix else { continue };
        let free = |edit: &TextEdit| {
            let taken = edits.get(edit.file.as_str()).into_iter().flatten();
            let bytes = &edit.span.bytes;
            let apart = |other: &TextEdit| other.span.bytes.end < bytes.start || bytes.end < other.span.bytes.start;
            own.contains_key(&edit.file) && taken.clone().all(|other| apart(other))
        };
        let new = |edit: &TextEdit| {
            !seen.contains(&(edit.file.as_str(), edit.span.bytes.start, edit.span.bytes.end, edit.text.as_str()))
        };
        if !fix.edits.iter().all(|edit| new(edit) && free(edit)) {
            continue;
        }
        for edit in &fix.edits {
            seen.insert((&edit.file, edit.span.bytes.start, edit.span.bytes.end, &edit.text));
            edits.entry(&edit.file).or_default().push(edit);
        }
        applied.push(finding.clone());
    }
    let mut new: Vec<(String, Vec<u8>)> = Vec::new();
    for (file, mut list) in edits {
        let Some(path) = own.get(file) else { continue };
        // A finding with a fix comes from a file that was read as text.
        let text = String::from_utf8(fixed.read(path)?).with_context(|| format!("`{file}` is not UTF-8"))?;
        let mut text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        list.sort_by_key(|edit| std::cmp::Reverse(edit.span.bytes.start));
        for edit in list {
            if text.get(edit.span.bytes.clone()).is_some() {
                text.replace_range(edit.span.bytes.clone(), &edit.text);
            }
        }
        new.push((file.to_owned(), text.into_bytes()));
    }
    if let Ok(mut changed) = changed.lock() {
        changed.extend(new);
    }
    Ok(applied)
}

/// Writes the files of a pack that have changed, through its folder.
fn write(pack: &dyn PackSource, changed: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    let Some(held) = pack.held() else { return Ok(()) };
    let held = held.with_context(|| format!("cannot open `{}`", pack.label("")))?;
    for path in pack.list()? {
        let file = pack.label(&path);
        let Some(bytes) = changed.get(&file) else { continue };
        if pack.is_link(&path) {
            bail!("`{file}` is a link; name the file itself");
        }
        held.write(Path::new(&path), bytes).with_context(|| format!("cannot write `{file}`"))?;
    }
    Ok(())
}

fn print_diff(changed: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    let before = |file: &String| std::fs::read(file).with_context(|| format!("cannot read `{file}`"));
    let before: Vec<Vec<u8>> = changed.keys().map(before).collect::<Result<_>>()?;
    let both = changed.iter().zip(&before).map(|((file, after), before)| (file.clone(), (&**before, &**after)));
    output::diffs(&both.collect())
}
