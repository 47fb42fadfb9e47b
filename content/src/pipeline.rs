//! The order in which packs are checked and loaded.

use std::sync::Arc;

use principes_findings::{Finding, budget, sort};
use principes_model::{Checked, Loaded, Recovered};
use principes_scripting::api::PackNames;
use principes_source::PackSource;

use crate::attempt::{Attempt, BuiltGame};
use crate::game::{counts, entities, infos};
use crate::merge::merge;
use crate::options::{LoadOptions, Stage};
use crate::packs::resolve;
use crate::script_names::names;
use crate::scripts;
use crate::{answers, bots, causes, checks};

/// Checks packs and loads them if there are no errors. It reports all findings, not only the first.
pub fn check(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Checked {
    let mut findings = Vec::new();
    budget::begin_comparing();
    let packs = resolve(given, &options.search, options.game.as_deref(), &mut findings);
    if packs.is_empty() {
        sort(&mut findings);
        return Checked { findings, ..Checked::default() };
    }
    let infos = infos(&packs);
    let last = packs.last().map(|pack| pack.document.file.clone()).unwrap_or_default();
    let mut merged = merge(packs, options, &mut findings);
    let mut answers = answers::gather(&merged, &mut findings);
    let (entities, removed) = entities(&merged);
    let mut checked = Checked { counts: counts(&merged, &entities), packs: infos, ..Checked::default() };
    let mut attempt = Attempt::Open(entities);
    if options.until >= Stage::Scripts {
        let (in_scripts, begun) = scripts::check(&merged, options, || {
            checks::run(&merged, options, &mut findings);
            let sound = merged.broken.spares_the_game() && !findings.iter().any(Finding::is_error);
            match attempt {
                Attempt::Open(entities) if sound => Attempt::begin(&merged, entities, options),
                open => open,
            }
        });
        findings.extend(in_scripts);
        attempt = begun;
    } else if options.until == Stage::Links {
        checks::run(&merged, options, &mut findings);
    }
    let mut game = match options.until >= Stage::Links && merged.broken.spares_the_game() {
        true => attempt.finish(&mut merged, options, &mut findings),
        false => None,
    };
    if let Some(game) = &mut game {
        let mut unknown = Vec::new();
        bots::fit(&merged, Arc::make_mut(&mut game.loaded().catalog), &mut unknown);
        // A game with errors may lack what the player knows.
        if !findings.iter().any(Finding::is_error) {
            findings.extend(unknown);
        }
    }
    findings.extend(budget::not_compared(last));
    causes::tie(&merged, &mut findings);
    answers.apply(&mut findings);
    if options.until >= Stage::Scripts && !findings.iter().any(Finding::is_error) {
        findings.extend(answers.idle(Stage::Syntax..=Stage::Scripts));
    }
    sort(&mut findings);
    budget::cut(&mut findings);
    sort(&mut findings);
    if let Some(game) = &mut game {
        let game = game.loaded();
        checked.counts.hooks = game.catalog.hooks.len();
        game.warnings = findings.iter().filter(|finding| !finding.is_error()).cloned().collect();
        game.removed = removed;
        game.origins.documents = Arc::new(merged.documents);
    }
    match game {
        Some(BuiltGame::Sound(game)) => checked.loaded = Some(game),
        Some(BuiltGame::Recovered(game)) => checked.recovered = Some(Recovered::new(game, findings.clone())),
        Some(BuiltGame::Useless(_)) | None => {}
    }
    checked.findings = findings;
    checked.answers = answers;
    checked
}

/// The names in packs that scripts may use, for the stubs of editors; none if no pack can be read.
pub fn script_names(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Option<PackNames> {
    let options = LoadOptions { until: Stage::Links, ..options.clone() };
    let packs = resolve(given, &options.search, options.game.as_deref(), &mut Vec::new());
    let merged = (!packs.is_empty()).then(|| merge(packs, &options, &mut Vec::new()))?;
    Some(names(&merged))
}

/// Loads packs, or returns all findings about them. Scripts are not run yet; see [`Loaded::host`].
pub fn load(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Result<Loaded, Vec<Finding>> {
    let options = LoadOptions { until: Stage::Links, ..options.clone() };
    let checked = check(given, &options);
    checked.loaded.ok_or(checked.findings)
}
