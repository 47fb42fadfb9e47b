//! Finds a game in which a seat can play a card. Bots play ordinary games until one reaches such a position, so the
//! game can be saved, taken back and repeated like any other. The person gets the seat that can play the card.
//!
//! An option that names a card need not play it: a card can also be sold, discarded or kept. `acts` tells the difference.
//!
//! Games begin from other seeds, and also from positions of earlier games: one for each way in which the copies of the
//! card lie in zones, and each kind of decision there. The position that was continued least often comes first, so a
//! rare step toward the card is not lost. In some games, bots prefer some verbs to others, which meets conditions that
//! random play does not meet. Some games have other setups than the wanted one.

mod acts;
mod named;
mod players;
mod search;
mod tried;

use principes_app::packs::OpenPacks;
use principes_app::save::Save;
use principes_app::session::SessionError;
use principes_app::setup::{Player, SetupError, SetupRequest, set_up};
use principes_core::*;

pub use tried::Tried;

/// Why no game was found.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// A game of the search cannot be started or continued.
    #[error(transparent)]
    Session(Box<SessionError>),
    /// The setup is not possible.
    #[error(transparent)]
    Setup(Box<SetupError>),
    /// There is no seat for a person.
    #[error("no person has a seat")]
    NoPerson,
    /// The search ended without success.
    #[error("{}", .0.told())]
    NotFound(Box<Tried>),
}

impl<E: Into<SessionError>> From<E> for TrialError {
    fn from(error: E) -> Self {
        TrialError::Session(Box::new(error.into()))
    }
}

/// A game in which a card can be tried.
#[derive(Clone, Debug)]
pub struct Found {
    /// The game. It ends at a decision of the person.
    pub save: Save,
    /// How the card acts.
    pub way: Way,
    /// Whether the game has the seats and options that were wanted.
    pub has_wanted_setup: bool,
}

/// How a card acts at the end of a found game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The person can play it.
    Played,
    /// No option names it, in any game of the search. It acts after this option of the person, by its key; without one,
    /// it is in play when the game begins.
    ByItself(Option<String>),
}

/// Searches for a decision of a person at which that person can play the card. `is_over` learns what was tried after
/// every few answers, and ends the search.
///
/// # Errors
/// [`TrialError`].
pub fn search(
    packs: &OpenPacks,
    setup: &SetupRequest,
    card: DesignId,
    is_over: &mut dyn FnMut(&Tried) -> bool,
) -> Result<Found, TrialError> {
    let table = set_up(&packs.catalog, setup).map_err(|error| TrialError::Setup(Box::new(error)))?;
    if !table.players.iter().any(|(_, player)| *player == Player::Human) {
        return Err(TrialError::NoPerson);
    }
    search::Search::new(packs, setup, card)?.run(is_over)
}
