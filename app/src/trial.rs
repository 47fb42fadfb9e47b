//! Finds a game in which a seat can play a card. Bots play ordinary games until one reaches such a position, so the
//! game can be saved, taken back and repeated like any other.

use principes_core::bots::{self, Players};
use principes_core::*;
use principes_scripting::LuaHost;

use crate::packs::OpenPacks;
use crate::save::Save;
use crate::session::SessionError;
use crate::setup::{Player, SetupError, SetupRequest, derive_seed, set_up};

/// The number of answers, over all games, after which the search ends.
const MOST_ANSWERS: usize = 12_000;
/// The number of answers after which a game without the card is abandoned.
const ANSWERS_OF_GAME: usize = 400;

/// Why no game was found.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The table cannot be set up.
    #[error(transparent)]
    Setup(SetupError),
    /// A game does not start or fails.
    #[error(transparent)]
    Game(Box<SessionError>),
    /// No seat has a person.
    #[error("no person has a seat")]
    NoPerson,
    /// The search ended without success.
    #[error("no game in which you can play this card was found; perhaps no player can get it")]
    NotFound,
}

impl<E: Into<SessionError>> From<E> for TrialError {
    fn from(error: E) -> Self {
        TrialError::Game(Box::new(error.into()))
    }
}

/// The record of a game up to a decision of the first person that offers the card. If there is none, the card is at
/// least in a zone that only the seat sees.
///
/// # Errors
/// [`TrialError`].
pub fn deal(packs: &OpenPacks, setup: &SetupRequest, card: DesignId) -> Result<Save, TrialError> {
    let host = packs.host()?;
    let (mut answers, mut held, mut seed) = (0, None, setup.seed);
    while answers < MOST_ANSWERS {
        seed = derive_seed(seed, 1) >> 11;
        let table = set_up(&packs.catalog, &SetupRequest { seed, ..setup.clone() }).map_err(TrialError::Setup)?;
        let person = table.players.iter().find(|(_, player)| *player == Player::Human).map(|(seat, _)| *seat);
        let person = person.ok_or(TrialError::NoPerson)?;
        let mut game = packs.start(&host, table.config.clone())?;
        game.record_events(false);
        let mut save = Save::begin(&game, packs.packs.clone(), &table.players);
        let bot = |(seat, _): &(SeatId, Player)| {
            Some((*seat, Player::Random.bot(&packs.catalog, derive_seed(seed, u64::from(seat.0)), None)?))
        };
        let mut players: Players<LuaHost> = table.players.iter().filter_map(bot).collect();
        for _ in 0..ANSWERS_OF_GAME {
            answers += 1;
            if offers(&game, person, card) {
                return Ok(save);
            }
            if held.is_none() && holds(&game, person, card) {
                held = Some(save.clone());
            }
            if !bots::step(&mut game, &mut players)? {
                break;
            }
            save.follow(&game);
        }
    }
    held.ok_or(TrialError::NotFound)
}

/// Whether a decision of a seat offers to do something with a card.
fn offers(game: &Game<LuaHost>, seat: SeatId, card: DesignId) -> bool {
    let catalog = game.catalog();
    let is_it = |value: &Value| match value {
        Value::Card(of) => catalog.cards[of.index()] == card,
        Value::Design(of) => *of == card,
        _ => false,
    };
    let own = game.pending().into_iter().filter(|decision| decision.seat == seat);
    own.flat_map(|decision| &decision.options).any(|option| option.args.iter().any(is_it))
}

/// Whether a seat has a card where only it sees it, and must decide something.
fn holds(game: &Game<LuaHost>, seat: SeatId, card: DesignId) -> bool {
    let catalog = game.catalog();
    let view = game.table().view(Some(seat));
    let mut own =
        view.zones.iter().filter(|zone| zone.owner == Some(seat)).flat_map(|zone| zone.cards.iter().flatten());
    !view.decisions.is_empty() && own.any(|of| catalog.cards[of.index()] == card)
}
