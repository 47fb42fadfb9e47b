//! Checks what an import would make of the packs.

use std::sync::Arc;

use principes_app::packs::OpenPacks;
use principes_content::{LoadOptions, Stage, check};
use principes_findings::{Code, Finding};
use principes_json::overlap;
use principes_source::{OverlayPack, PackSource};

use super::csv::TableError;
use super::import::{Change, Import};
use crate::edit::{Edit, EditError, Revision};

/// The most errors for which the cell is searched that no pointer names.
const MOST_SEARCHES: usize = 10;

/// An import that can be written.
pub struct ImportOutcome {
    /// The changed files.
    pub revision: Revision,
    /// Pins that the changes break. They are promises about the old numbers, so they do not stop an import.
    pub pins: Vec<Finding>,
}

/// Why an import cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// A file cannot be edited.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The packs would have errors.
    #[error("the packs would have {} error{}", .0.len(), if .0.len() == 1 { "" } else { "s" })]
    Errors(Vec<TableError>),
}

/// What an import makes of the packs, which are checked as far as files and scripts go. Nothing is written.
///
/// # Errors
/// [`Refused`]: a cell would cause an error, or a file cannot be edited.
pub fn outcome(packs: &OpenPacks, import: &Import) -> Result<ImportOutcome, Refused> {
    let trial = Trial { packs, options: options(packs) };
    let revision = Revision::new(&packs.loaded.packs, &import.edits())?;
    let errors = trial.errors(&revision);
    let (pins, errors): (Vec<_>, Vec<_>) = errors.into_iter().partition(|finding| finding.code == Code::WrongPin);
    if errors.is_empty() {
        return Ok(ImportOutcome { revision, pins });
    }
    let mut refused = Vec::new();
    for (at, finding) in errors.iter().enumerate() {
        let change = import.changes.iter().find(|change| trial.is_about(finding, change));
        let change = match change {
            None if at < MOST_SEARCHES => trial.first_cause(finding, &import.changes)?,
            known => known,
        };
        refused.push(refusal(finding, change));
    }
    Err(Refused::Errors(refused))
}

fn options(packs: &OpenPacks) -> LoadOptions {
    LoadOptions {
        game: Some(packs.loaded.manifest.id.to_string()),
        until: Stage::Scripts,
        scenarios: false,
        ..LoadOptions::default()
    }
}

fn refusal(finding: &Finding, change: Option<&Change>) -> TableError {
    let help = finding.help.iter().map(|help| format!("; {help}")).collect::<String>();
    let what = format!("{}: {}{help} ({}:{})", finding.code.as_str(), finding.message, finding.file, finding.span.line);
    match change {
        Some(change) => TableError::at(change.place, format!("`{}` of `{}`: {what}", change.column, change.card)),
        None => TableError::at((1, 0), what),
    }
}

/// The packs with changes that are not written.
struct Trial<'p> {
    packs: &'p OpenPacks,
    options: LoadOptions,
}

impl Trial<'_> {
    /// The errors of the packs with some files changed.
    fn errors(&self, revision: &Revision) -> Vec<Finding> {
        let sources = self.packs.loaded.packs.iter().map(|pack| {
            let changed = revision.of_pack(pack.manifest.id.as_str());
            Arc::new(OverlayPack::new(Arc::clone(&pack.source), changed)) as Arc<dyn PackSource>
        });
        let checked = check(&sources.collect::<Vec<_>>(), &self.options);
        checked.findings.into_iter().filter(Finding::is_error).collect()
    }

    /// Whether a finding is at the value of a change.
    fn is_about(&self, finding: &Finding, change: &Change) -> bool {
        let is_there = |edit: &Edit| {
            let pack = self.packs.loaded.packs.iter().find(|pack| pack.manifest.id.as_str() == edit.pack);
            let file = pack.map(|pack| pack.source.label(&edit.path));
            let is_at = overlap(&edit.pointer, &finding.pointer) && finding.pointer.len() >= edit.pointer.len();
            is_at && file.is_some_and(|file| file == finding.file)
        };
        change.edits.iter().any(is_there)
    }

    /// The first change with which the packs have an error: the changes are made one after the other.
    fn first_cause<'c>(&self, finding: &Finding, changes: &'c [Change]) -> Result<Option<&'c Change>, EditError> {
        let (mut without, mut with) = (0, changes.len());
        while with - without > 1 {
            let middle = usize::midpoint(without, with);
            let edits: Vec<Edit> = changes[..middle].iter().flat_map(|change| change.edits.clone()).collect();
            let errors = self.errors(&Revision::new(&self.packs.loaded.packs, &edits)?);
            let is_there = |other: &Finding| (other.code, &other.message) == (finding.code, &finding.message);
            if errors.iter().any(is_there) { with = middle } else { without = middle }
        }
        Ok(changes.get(without))
    }
}
