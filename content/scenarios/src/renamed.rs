//! Scenarios without a snapshot beside snapshots without a scenario: one of them may have been renamed.

use std::collections::BTreeMap;

use principes_findings::nearest;
use principes_model::{Loaded, LoadedScenario};

use crate::files::{self, Orphan, pack_under_test};
use crate::held::BrokenParts;
use crate::result::{ScenarioReport, ScenarioResult, Verdict};

/// Scenarios, and the sections of the stored file that may be theirs.
#[derive(Debug, Default)]
pub struct Renamed {
    /// File and id of a scenario, and the section.
    sections: BTreeMap<(String, String), String>,
}

impl Renamed {
    /// Pairs the scenarios that a report finds without a snapshot with sections that belong to no scenario: those with
    /// similar names, and then the only ones of a file.
    pub(crate) fn new(game: &Loaded, broken: &BrokenParts, report: &ScenarioReport) -> Self {
        let mut fresh: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for result in report.results.iter().filter(|result| is_fresh(game, broken, result)) {
            fresh.entry(result.file.as_str()).or_default().push(&result.id);
        }
        let mut renamed = Renamed::default();
        if fresh.is_empty() {
            return renamed;
        }
        let mut free: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for orphan in files::orphans(game, pack_under_test(game)) {
            let (Some(section), Some(file)) = (orphan.section, orphan.of.into_iter().next()) else { continue };
            free.entry(file).or_default().push(section);
        }
        for (file, mut ids) in fresh {
            let Some(sections) = free.get_mut(file) else { continue };
            let mut pair = |id: &str, section: String, sections: &mut Vec<String>| {
                sections.retain(|other| *other != section);
                renamed.sections.insert((file.to_owned(), id.to_owned()), section);
            };
            ids.retain(|id| match nearest(id, sections.iter().map(String::as_str)) {
                Some(near) => {
                    pair(id, near, sections);
                    false
                }
                None => true,
            });
            if let ([id], [section]) = (ids.as_slice(), sections.as_slice()) {
                let section = section.clone();
                pair(id, section, sections);
            }
        }
        renamed
    }

    /// The section that may be that of a scenario.
    pub(crate) fn section(&self, result: &ScenarioResult) -> Option<&str> {
        self.sections.get(&(result.file.clone(), result.id.clone())).map(String::as_str)
    }

    /// Whether a section may be that of a scenario, which is reported there.
    pub(crate) fn is_stored_as(&self, orphan: &Orphan) -> bool {
        let of = |(file, _): &(String, String)| orphan.of.contains(file);
        self.sections.iter().any(|(scenario, section)| orphan.section.as_ref() == Some(section) && of(scenario))
    }
}

/// Whether a scenario is reported as one without a snapshot.
fn is_fresh(game: &Loaded, broken: &BrokenParts, result: &ScenarioResult) -> bool {
    let is_it = |place: &&LoadedScenario| place.file == result.file && place.scenario.id.as_str() == result.id;
    let place = game.scenarios.iter().find(is_it);
    result.snapshot == Verdict::New
        && result.failures.is_empty()
        && place.is_some_and(|place| !broken.holds(&game.catalog, place, result))
}
