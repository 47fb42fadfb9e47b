//! Training the players of two versions again before they are compared, so that they use what has changed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use principes_core::Catalog;

use crate::learn::{LearnError, Progress, Settings, learn};
use crate::packs::OpenPacks;
use crate::setup::Setup;

/// The number of games that trained players take lessons from, if nothing else is said.
pub const USUAL_LESSONS: u64 = 1_000;

/// The number of games to train the players of two versions with: none if no trained bot plays, or if both versions have
/// the same rules and content.
pub fn lessons(old: &OpenPacks, new: &OpenPacks, table: &Setup, wanted: u64) -> u64 {
    let trained = table.players.iter().any(|(_, player)| player.is_trained());
    if trained && old.catalog.fingerprint != new.catalog.fingerprint { wanted } else { 0 }
}

/// The packs with their trained player after lessons from this many games.
///
/// # Errors
/// [`LearnError`].
pub fn retrained(
    packs: OpenPacks,
    games: u64,
    seed: u64,
    jobs: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<OpenPacks, LearnError> {
    let Some(start) = packs.catalog.trained.as_deref().filter(|_| games > 0) else { return Ok(packs) };
    let learned = learn(&Settings { packs: &packs, start: Some(start), games, seed, jobs, stop, progress })?;
    let catalog = Catalog { trained: Some(Arc::new(learned.trained())), ..Catalog::clone(&packs.catalog) };
    Ok(OpenPacks { catalog: Arc::new(catalog), ..packs })
}
