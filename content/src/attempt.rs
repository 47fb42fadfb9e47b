//! The attempt to build a game: from packs without errors, or else from packs as their authors probably meant them.

use std::collections::BTreeSet;

use principes_findings::{Code, Finding};
use principes_model::{EntityInfo, Loaded, LoadedScenario, Merged};

use crate::game::{HostInput, loaded};
use crate::options::{LoadOptions, Stage};
use crate::recovery::{self, leave_out_scripts, not_of_endless_modules};

/// The state of the attempt.
pub enum Attempt {
    /// It waits until all findings are known. These entities are still unused.
    Open(Vec<EntityInfo>),
    /// The packs compile.
    Compiled(Box<CompiledGame>),
    /// The packs do not compile, for these reasons.
    Failed(Vec<Finding>),
}

/// A game, and the findings about scripts that cannot be loaded.
pub struct CompiledGame {
    game: Loaded,
    failures: Vec<Finding>,
}

/// The result of the attempt.
pub enum BuiltGame {
    /// It can be played.
    Sound(Loaded),
    /// It has errors; this is the game as the author probably meant it.
    Recovered(Loaded),
    /// It compiles, but cannot run.
    Useless(Loaded),
}

impl Attempt {
    /// Compiles the packs and loads their scripts.
    pub fn begin(merged: &Merged, entities: Vec<EntityInfo>, options: &LoadOptions) -> Self {
        let mut findings = Vec::new();
        let Some(game) = loaded(merged, entities, &mut findings) else { return Attempt::Failed(findings) };
        let failures = match options.until >= Stage::Scripts {
            true => options.cache.failures_of_scripts(&HostInput(&game), || game.host().err().unwrap_or_default()),
            false => Vec::new(),
        };
        Attempt::Compiled(Box::new(CompiledGame { game, failures }))
    }

    /// Finishes the attempt, when everything is known that can be found without it.
    pub fn finish(self, merged: &mut Merged, options: &LoadOptions, findings: &mut Vec<Finding>) -> Option<BuiltGame> {
        let sound = !findings.iter().any(Finding::is_error);
        let can_be_tried = findings.iter().all(|finding| !finding.is_error() || recovery::can_go_on(finding));
        if findings.iter().any(recovery::cannot_be_compiled) || (!can_be_tried && options.until < Stage::Scripts) {
            return None;
        }
        let attempt = match self {
            Attempt::Open(entities) => {
                recovery::borders(merged);
                Attempt::begin(merged, entities, options)
            }
            begun => begun,
        };
        let CompiledGame { game, failures } = match attempt {
            Attempt::Compiled(compiled) => *compiled,
            Attempt::Failed(reasons) if sound => {
                findings.extend(reasons);
                return None;
            }
            Attempt::Failed(_) | Attempt::Open(_) => return None,
        };
        not_of_endless_modules(&game, &failures, findings);
        if sound && failures.is_empty() {
            return Some(BuiltGame::Sound(game));
        }
        add_failures(&failures, findings);
        if !can_be_tried || options.until < Stage::Scripts {
            return Some(BuiltGame::Useless(game));
        }
        let game = without_broken(game, &failures, findings);
        Some(if game.host().is_ok() { BuiltGame::Recovered(game) } else { BuiltGame::Useless(game) })
    }
}

/// Adds the findings that only loading the scripts has shown.
fn add_failures(failures: &[Finding], findings: &mut Vec<Finding>) {
    let is_known = |failure: &Finding| {
        findings.iter().any(|finding| {
            let known = finding.code == Code::UnloadableScript || finding.span.line == failure.span.line;
            finding.is_error() && finding.file == failure.file && known
        })
    };
    let new: Vec<Finding> = failures.iter().filter(|failure| !is_known(failure)).cloned().collect();
    findings.extend(new);
}

/// The game without the broken parts.
fn without_broken(mut game: Loaded, failures: &[Finding], findings: &[Finding]) -> Loaded {
    let broken: BTreeSet<&str> =
        findings.iter().filter(|finding| finding.is_error()).map(|finding| finding.file.as_str()).collect();
    leave_out_scripts(&mut game, &broken, failures);
    // Scenarios that call missing functions cannot be played.
    let is_broken = |scenario: &LoadedScenario| {
        let inside = format!("{}/", scenario.pointer);
        let is_inside = |finding: &Finding| finding.file == scenario.file && finding.pointer.starts_with(&inside);
        findings.iter().any(|finding| finding.code == Code::UnknownFunction && is_inside(finding))
    };
    game.scenarios.retain(|scenario| !is_broken(scenario));
    game
}

impl BuiltGame {
    /// The game in any case.
    pub fn loaded(&mut self) -> &mut Loaded {
        match self {
            BuiltGame::Sound(game) | BuiltGame::Recovered(game) | BuiltGame::Useless(game) => game,
        }
    }
}
