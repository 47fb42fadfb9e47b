//! Training the players of a comparison again, so that they use what has changed.
//!
//! Both versions are played by the same player. Two players that were trained apart would differ in much that has nothing
//! to do with the versions, and their differences would be reported as those of the game.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use principes_app::packs::OpenPacks;
use principes_app::setup::Setup;
use principes_core::Catalog;
use principes_core::bots::features::{OptionFeature, PositionFeatures};
use principes_core::catalog::Trained;

use crate::learn::{LearnError, Progress, Settings, learn};

/// The number of games that a trained player takes lessons from, if nothing else is said.
pub const USUAL_LESSONS: u64 = 1_000;

/// The number of games to take lessons from: none if no trained bot plays, or if both versions have the same rules and
/// content.
pub fn lessons(old: &OpenPacks, new: &OpenPacks, table: &Setup, wanted: u64) -> u64 {
    let trained = table.players.iter().any(|(_, player)| player.kind().is_trained);
    if trained && old.catalog.fingerprint != new.catalog.fingerprint { wanted } else { 0 }
}

/// Gives both versions the player of the new one, after lessons from this many games of the new one.
///
/// # Errors
/// [`LearnError`].
pub fn retrained(
    [old, new]: [OpenPacks; 2],
    games: u64,
    seed: u64,
    jobs: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<[OpenPacks; 2], LearnError> {
    let Some(start) = new.catalog.trained.as_deref().filter(|_| games > 0) else { return Ok([old, new]) };
    let learned = learn(&Settings { packs: &new, start: Some(start), games, seed, jobs, stop, progress })?;
    let player = learned.trained();
    let earlier = moved(&player, &new.catalog, &old.catalog);
    Ok([with(old, earlier), with(new, player)])
}

fn with(packs: OpenPacks, player: Trained) -> OpenPacks {
    let mut catalog = Catalog::clone(&packs.catalog);
    catalog.set_trained(Some(Arc::new(player)));
    OpenPacks { catalog: Arc::new(catalog), ..packs }
}

/// A player in another version of its game. Weights for what this version does not have are left out.
fn moved(player: &Trained, from: &Catalog, to: &Catalog) -> Trained {
    let known: BTreeMap<String, [i32; 2]> =
        PositionFeatures::names(from).into_iter().zip(player.value.iter().copied()).collect();
    let value = PositionFeatures::names(to).iter().map(|name| known.get(name).copied().unwrap_or_default()).collect();
    let policy = player.policy().iter().filter_map(|(feature, weight)| {
        let feature = OptionFeature::parse(&OptionFeature(*feature).name(from), to).ok()?;
        Some((feature.0, *weight))
    });
    Trained::new(value, policy.collect(), player.usual_end)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use principes_content::LoadOptions;
    use principes_source::folder;

    use super::*;

    /// What is known about a card is known in a version with more cards, and comes back as it was.
    #[test]
    fn a_player_moves_to_another_version_and_back() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let open = |paths: &[&str]| {
            let sources: Vec<_> = paths.iter().map(|path| folder(root.join(path))).collect();
            OpenPacks::load(&sources, &LoadOptions::default()).unwrap().only_to_play()
        };
        let (small, large) = (open(&["content/principes"]), open(&["content/principes", "mods/amber-road"]));
        let player = small.catalog.trained.as_deref().unwrap();
        let there = moved(player, &small.catalog, &large.catalog);
        assert!(there.value.len() > player.value.len() && there != *player);
        assert!(moved(&there, &large.catalog, &small.catalog) == *player);
    }
}
