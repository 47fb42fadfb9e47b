//! `check --fix`: applies unambiguous fixes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use principes_content::{Stage, check};
use principes_findings::{Finding, Severity, TextEdit};
use principes_source::{OverlayPack, PackSource};

use crate::{output, packs};

/// One fix can make others possible. After more rounds than this, fixes go in circles.
const MOST_ROUNDS: usize = 20;

/// The content of files of a pack after the fixes so far, by their paths in it.
type Changed = BTreeMap<String, Vec<u8>>;

/// Fixes the given packs. With `dry`, only prints the changes. Returns whether there was anything to fix.
pub fn fix(given: &[Arc<dyn PackSource>], until: Stage, dry: bool) -> Result<bool> {
    let mut fixed: Vec<(&Arc<dyn PackSource>, Changed)> = Vec::new();
    let mut reported: Vec<Finding> = Vec::new();
    for pack in given.iter().filter(|pack| pack.folder().is_some()) {
        let mut changed = Changed::new();
        for _ in 0..MOST_ROUNDS {
            let now: Arc<dyn PackSource> = Arc::new(OverlayPack::new(Arc::clone(pack), changed.clone()));
            let checked = check(std::slice::from_ref(&now), &packs::options(None, until));
            let applied = apply(&*now, &mut changed, &checked.findings)?;
            if applied.is_empty() {
                break;
            }
            reported.extend(applied);
        }
        fixed.push((pack, changed));
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
