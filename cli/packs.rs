//! Opens packs for a command, and reports what is wrong with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use principes_app::packs::{self, OpenPacks, PackError};
use principes_content::{LoadOptions, Stage};
use principes_findings::Finding;
use principes_source::PackSource;

use crate::arguments::{PackArgs, search};
use crate::output;

/// How packs are loaded. Required packs are looked for in the usual folders.
pub fn options(game: Option<&str>, until: Stage) -> LoadOptions {
    LoadOptions { game: game.map(str::to_owned), search: search(), until, ..LoadOptions::default() }
}

/// Loads packs for playing, without their scenarios. Prints their errors on standard error.
pub fn load(args: &PackArgs) -> Result<OpenPacks> {
    OpenPacks::open(&args.request()).map_err(|error| explained(error.into()))
}

/// Loads packs with their scenarios.
pub fn load_with_scenarios(args: &PackArgs) -> Result<OpenPacks> {
    load_sources(&packs::sources_of(&args.request())?, args.game.as_deref())
}

/// Loads the given packs, for playing or testing.
pub fn load_sources(given: &[Arc<dyn PackSource>], game: Option<&str>) -> Result<OpenPacks> {
    OpenPacks::load(given, &options(game, Stage::Scripts)).map_err(|error| explained(error.into()))
}

/// The packs at the given paths. Default: the base game.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<Arc<dyn PackSource>>> {
    Ok(packs::sources(paths)?)
}

/// The pack at a path.
pub fn source(path: &Path) -> Result<Arc<dyn PackSource>> {
    Ok(packs::source(path)?)
}

/// Prints the findings of packs that cannot be played, and returns the error for the exit code.
pub fn refuse(findings: Vec<Finding>) -> anyhow::Error {
    explained(PackError::broken(findings).into())
}

/// If an error is about broken packs, prints their findings on standard error. Returns the error.
pub fn explained(error: anyhow::Error) -> anyhow::Error {
    let broken = error.chain().find_map(|cause| match cause.downcast_ref::<PackError>() {
        Some(PackError::Broken(findings)) => Some(findings),
        _ => None,
    });
    if let Some(findings) = broken {
        output::findings(findings.clone());
    }
    error
}
