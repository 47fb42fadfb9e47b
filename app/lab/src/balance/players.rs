//! The players of a measurement that names none.

use principes_app::packs::OpenPacks;
use principes_app::setup::Player;

/// The strongest player that is fast enough for thousands of games with all the packs, so that versions are compared
/// with the same players. The help of `principes balance` has the same table:
///
/// | the packs have | the player |
/// | --- | --- |
/// | nothing | `greedy` |
/// | a trained player | `policy` |
pub fn strongest(versions: &[&OpenPacks]) -> Player {
    let trained = versions.iter().all(|packs| packs.catalog.trained.is_some());
    if trained { Player::Policy } else { Player::Greedy }
}
