//! A game in which a seat can play a card now: lawful games are played by bots until one gets there, so that it can be
//! saved, taken back and repeated like any other.

use principes_core::bots::{self, Players};
use principes_core::*;
use principes_scripting::LuaHost;

use crate::packs::OpenPacks;
use crate::save::Save;
use crate::session::SessionError;
use crate::setup::{Player, SetupError, SetupRequest, derive_seed, set_up};

/// So many answers are given in all before the search ends.
const MOST_ANSWERS: usize = 12_000;
/// A game is left after so many answers without the card.
const ANSWERS_OF_GAME: usize = 400;

/// Why there is no such game.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The table cannot be set up.
    #[error(transparent)]
    Setup(SetupError),
    /// A game does not start or goes wrong.
    #[error(transparent)]
    Game(Box<SessionError>),
    /// No person plays.
    #[error("no person has a seat")]
    NoPerson,
    /// The search has ended.
    #[error("no game in which you can play this card was found; it may never come to a hand")]
    NotFound,
}

impl<E: Into<SessionError>> From<E> for TrialError {
    fn from(error: E) -> Self {
        TrialError::Game(Box::new(error.into()))
    }
}

/// A record of a game that ends where a decision of the first person offers the card. Without one, the card is at least
/// among those that the seat sees as its own.
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
            Some((*seat, Player::Random.bot(derive_seed(seed, u64::from(seat.0)), None)?))
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
    let own = game.pending().into_iter().filter(|ask| ask.seat == seat);
    own.flat_map(|ask| &ask.options).any(|option| option.args.iter().any(is_it))
}

/// Whether a seat has a card where only it sees it, and is asked something.
fn holds(game: &Game<LuaHost>, seat: SeatId, card: DesignId) -> bool {
    let catalog = game.catalog();
    let view = game.table().view(Some(seat));
    let mut own =
        view.zones.iter().filter(|zone| zone.owner == Some(seat)).flat_map(|zone| zone.cards.iter().flatten());
    !view.decisions.is_empty() && own.any(|of| catalog.cards[of.index()] == card)
}
