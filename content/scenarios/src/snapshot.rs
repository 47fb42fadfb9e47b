//! Snapshots: comparing transcripts with them, and storing them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use principes_findings::escape;
use principes_model::Loaded;
use principes_source::{MAX_FILE_BYTES, text_of};
use similar::{ChangeTag, TextDiff};

use crate::bundle::Bundle;
use crate::files::{ScenarioFile, pack_under_test, scenario_files, snapshot_path};
use crate::result::{ScenarioResult, Verdict};

/// Whether two transcripts are equal. Line ends and trailing blank lines do not count, as with `insta`.
fn normal(text: &str) -> String {
    text.replace("\r\n", "\n").trim_end().to_owned()
}

/// Whether a transcript is equal to the stored one.
pub fn is_same(stored: &str, transcript: &str) -> bool {
    normal(stored) == normal(transcript)
}

/// Compares a transcript with the stored one.
pub(crate) fn compare(file: &ScenarioFile, transcript: &str) -> Verdict {
    match &file.stored {
        None => Verdict::New,
        Some(stored) if is_same(stored, transcript) => Verdict::Same,
        Some(_) => Verdict::Changed,
    }
}

/// The path of a scenario's snapshot as users write it.
pub(crate) fn label(file: &ScenarioFile) -> String {
    let pack = file.label.strip_suffix(file.path.as_str()).unwrap_or("");
    format!("{pack}{}", file.snapshot_path())
}

/// Stores the transcripts of scenarios that passed except for their snapshots. Each .snap file is replaced completely
/// or not at all. Unchanged sections stay as they are, and those without a scenario are removed. `files` are all
/// scenarios of the pack.
pub fn accept<'o>(files: &[ScenarioFile], results: impl IntoIterator<Item = &'o mut ScenarioResult>) {
    let is_open = |result: &ScenarioResult| {
        matches!(result.snapshot, Verdict::New | Verdict::Changed) && result.failures.is_empty()
    };
    let mut of_snapshots: BTreeMap<String, Vec<&mut ScenarioResult>> = BTreeMap::new();
    for result in results {
        of_snapshots.entry(result.snapshot_file.clone()).or_default().push(result);
    }
    for (snapshot_file, results) in of_snapshots {
        let of_file: Vec<&ScenarioFile> = files.iter().filter(|file| label(file) == snapshot_file).collect();
        let open = results.iter().filter(|result| is_open(result));
        let new = open.map(|result| (result.id.clone(), result.transcript.clone())).collect();
        let stored = store(&of_file, new);
        for result in results {
            match &stored {
                Ok(()) if is_open(result) => result.snapshot = Verdict::Accepted,
                Ok(()) => {}
                Err(why) => result.snapshot = Verdict::Unwritable(why.clone()),
            }
        }
    }
}

/// The snapshots of a pack that has none, by their paths in it: the transcripts of all scenarios that passed except for
/// them. Nothing is written.
pub fn first_snapshots(loaded: &Loaded, results: &[Arc<ScenarioResult>]) -> BTreeMap<String, String> {
    let files = scenario_files(loaded, pack_under_test(loaded));
    let mut bundles: BTreeMap<&str, Bundle> = BTreeMap::new();
    for file in &files {
        let is_it =
            |result: &&Arc<ScenarioResult>| result.id == file.scenario.id.as_str() && result.failures.is_empty();
        if let Some(result) = results.iter().find(is_it) {
            let sections = &mut bundles.entry(&file.path).or_default().sections;
            sections.insert(result.id.clone(), result.transcript.clone());
        }
    }
    bundles.into_iter().map(|(path, bundle)| (snapshot_path(path), bundle.document(path))).collect()
}

/// Puts transcripts into the .snap file of one scenario file, and removes sections without a scenario. Without either,
/// the file stays as it is. An error says why that failed.
fn store(files: &[&ScenarioFile], new: BTreeMap<String, String>) -> Result<(), String> {
    let Some((first, folder)) = files.first().and_then(|file| Some((file, file.folder.as_ref()?))) else {
        return if new.is_empty() { Ok(()) } else { Err("the pack is not in a folder".to_owned()) };
    };
    let path = first.snapshot_path();
    let in_file = |error: io::Error| format!("{}: {error}", label(first));
    let stored = match folder.read(Path::new(&path), MAX_FILE_BYTES) {
        Ok(bytes) => text_of(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(in_file(error)),
    };
    let ids: BTreeSet<&str> = files.iter().map(|file| file.scenario.id.as_str()).collect();
    let mut bundle = Bundle::read(&stored).unwrap_or_default();
    if new.is_empty() && bundle.sections.keys().all(|id| ids.contains(id.as_str())) {
        return Ok(());
    }
    bundle.sections.extend(new);
    bundle.sections.retain(|id, _| ids.contains(id.as_str()));
    let text = bundle.document(&first.path);
    if text == stored { Ok(()) } else { folder.write(Path::new(&path), text.as_bytes()).map_err(in_file) }
}

/// The difference between the stored transcript and the new one, with a few lines around each change.
pub fn diff(stored: &str, transcript: &str) -> String {
    let (old, new) = (normal(stored) + "\n", normal(transcript) + "\n");
    let diff = TextDiff::from_lines(&old, &new);
    let mut text = String::new();
    for (at, group) in diff.grouped_ops(3).iter().enumerate() {
        if at > 0 {
            text.push_str("  ...\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            text.push_str(match change.tag() {
                ChangeTag::Delete => "- ",
                ChangeTag::Insert => "+ ",
                ChangeTag::Equal => "  ",
            });
            // The stored text comes from a file and may hold any characters.
            text.push_str(&escape::line(change.value().trim_end_matches('\n')));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_what_changed_and_little_else() {
        let lines: Vec<String> = (0..20).map(|n| format!("line {n}")).collect();
        let old = lines.join("\n");
        let new = old.replace("line 10", "line ten");
        let shown = diff(&old, &new);
        assert!(shown.contains("- line 10\n+ line ten\n"), "{shown}");
        assert!(!shown.contains("line 2\n"), "{shown}");
        assert_eq!(diff(&old, &old), "");
        assert_eq!(diff("a\u{1b}[2J", "b"), "- a\\u{1b}[2J\n+ b\n", "what was stored commands no terminal");
    }
}
