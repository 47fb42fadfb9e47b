//! `check --fix`: applies unambiguous fixes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use principes_content::packs::read_manifest;
use principes_content::{Stage, check, spare_agreeing};
use principes_findings::{Finding, Severity, TextEdit};
use principes_source::{OverlayPack, PackSource};

use crate::{output, packs};

/// One fix can make others possible. After more rounds than this, fixes go in circles.
const MOST_ROUNDS: usize = 20;

/// The content of files of a pack after the fixes so far, by their paths in it.
type Changed = BTreeMap<String, Vec<u8>>;

/// Fixes the given packs. With `dry`, only prints the changes. Returns whether there was anything to fix.
pub fn fix(given: &[Arc<dyn PackSource>], until: Stage, dry: bool) -> Result<bool> {
    let in_folders = given.iter().filter(|pack| pack.folder().is_some());
    let mut fixed: Vec<(&Arc<dyn PackSource>, Changed)> = in_folders.map(|pack| (pack, Changed::new())).collect();
    let mut reported: Vec<Finding> = Vec::new();
    let mut found: Vec<Vec<Finding>> = vec![Vec::new(); fixed.len()];
    let mut is_new = vec![true; fixed.len()];
    for _ in 0..MOST_ROUNDS {
        for (at, (pack, changed)) in fixed.iter().enumerate().filter(|(at, _)| is_new[*at]) {
            found[at] = check(&[overlaid(pack, changed)], &packs::options(None, until)).findings;
        }
        spare_across(fixed.iter().map(|(pack, _)| *pack).zip(&mut found));
        for (at, (pack, changed)) in fixed.iter_mut().enumerate() {
            let applied = if is_new[at] { apply(&*overlaid(pack, changed), changed, &found[at])? } else { Vec::new() };
            is_new[at] = !applied.is_empty();
            reported.extend(applied);
        }
        if !is_new.contains(&true) {
            break;
        }
    }
    if dry {
        print_diff(&fixed)?;
    } else {
        fixed.iter().try_for_each(|(pack, changed)| write(&***pack, changed))?;
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
    Ok(fixed.iter().any(|(_, changed)| !changed.is_empty()))
}

/// Takes fixes away that would change names on which several packs agree that require the same pack: each was checked
/// alone, and the required one may have misspelled the name.
pub fn spare_across<'f>(found: impl IntoIterator<Item = (&'f Arc<dyn PackSource>, &'f mut Vec<Finding>)>) {
    let mut all: Vec<&mut Vec<Finding>> = Vec::new();
    let mut users: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (pack, findings) in found {
        if let Some(entry) = read_manifest(pack, &mut Vec::new()) {
            for id in entry.manifest.requires.keys() {
                users.entry(id.to_string()).or_default().push(all.len());
            }
        }
        all.push(findings);
    }
    for packs in users.into_values().filter(|packs| packs.len() > 1) {
        let mut together: Vec<Finding> = packs.iter().flat_map(|at| all[*at].iter().cloned()).collect();
        spare_agreeing(&mut together);
        let mut together = together.into_iter();
        for at in packs {
            for finding in all[at].iter_mut() {
                *finding = together.next().unwrap_or_else(|| finding.clone());
            }
        }
    }
}

fn overlaid(pack: &Arc<dyn PackSource>, changed: &Changed) -> Arc<dyn PackSource> {
    Arc::new(OverlayPack::new(Arc::clone(pack), changed.clone()))
}

/// Takes the fixes away that [`fix()`] does not apply: those of packs that were not given, and of packed ones.
pub fn keep_own(given: &[Arc<dyn PackSource>], findings: &mut [Finding]) {
    let in_folders = given.iter().filter(|pack| pack.folder().is_some());
    let labels = |pack: &Arc<dyn PackSource>| {
        let files = pack.list().unwrap_or_default();
        files.iter().map(|path| pack.label(path)).collect::<Vec<_>>()
    };
    let own: BTreeSet<String> = in_folders.flat_map(labels).collect();
    let is_own = |edit: &TextEdit| own.contains(&edit.file);
    for finding in findings {
        finding.fix.take_if(|fix| !fix.edits.iter().all(is_own));
    }
}

/// Applies the fixes of one round, errors first. A fix is skipped if it overlaps an earlier one of the same round.
fn apply(pack: &dyn PackSource, changed: &mut Changed, findings: &[Finding]) -> Result<Vec<Finding>> {
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
    for (file, mut list) in edits {
        let Some(path) = own.get(file) else { continue };
        // A finding with a fix comes from a file that was read as text.
        let text = String::from_utf8(pack.read(path)?).with_context(|| format!("`{file}` is not UTF-8"))?;
        let mut text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        list.sort_by_key(|edit| std::cmp::Reverse(edit.span.bytes.start));
        for edit in list {
            if text.get(edit.span.bytes.clone()).is_some() {
                text.replace_range(edit.span.bytes.clone(), &edit.text);
            }
        }
        changed.insert(path.clone(), text.into_bytes());
    }
    Ok(applied)
}

/// Writes the files of a pack that have changed, through its folder.
fn write(pack: &dyn PackSource, changed: &Changed) -> Result<()> {
    let Some(held) = pack.held() else { return Ok(()) };
    let held = held.with_context(|| format!("cannot open `{}`", pack.label("")))?;
    for (path, bytes) in changed {
        let file = pack.label(path);
        if pack.is_link(path) {
            bail!("`{file}` is a link; name the file itself");
        }
        held.write(Path::new(path), bytes).with_context(|| format!("cannot write `{file}`"))?;
    }
    Ok(())
}

fn print_diff(fixed: &[(&Arc<dyn PackSource>, Changed)]) -> Result<()> {
    let all = fixed.iter().flat_map(|(pack, changed)| changed.iter().map(move |(path, after)| (pack, path, after)));
    let both: BTreeMap<String, (Vec<u8>, &[u8])> = all
        .map(|(pack, path, after)| {
            let file = pack.label(path);
            let before = pack.read(path).with_context(|| format!("cannot read `{file}`"))?;
            Ok((file, (before, &**after)))
        })
        .collect::<Result<_>>()?;
    output::diffs(&both.iter().map(|(file, (before, after))| (file.clone(), (&**before, *after))).collect())
}
