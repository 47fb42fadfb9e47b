//! What a bot is, and how bots play a game together.

use crate::game::{AnswerError, Game};
use crate::ids::*;
use crate::scripts::Scripts;
use crate::state::{Ask, Choice};

/// A player without a person.
pub trait Bot<S: Scripts> {
    /// Picks one of the options of a decision.
    fn choose(&mut self, game: &Game<S>, ask: &Ask) -> Choice;

    /// An aside that the bot wants to play now, if any; asked now and then while the game waits.
    fn aside(&mut self, _game: &mut Game<S>, _seat: SeatId) -> Option<Choice> {
        None
    }
}

/// Whether an option only takes something back; bots would go in circles with those.
pub(super) fn is_retreat<S: Scripts>(game: &Game<S>, choice: &Choice) -> bool {
    let words = &game.catalog().words;
    choice.verb == Some(words.undo) || choice.verb == Some(words.back)
}

/// The options that bots choose among: those that do not just take something back.
pub fn forward<S: Scripts>(game: &Game<S>, ask: &Ask) -> Vec<Choice> {
    ask.options.iter().copied().filter(|choice| !is_retreat(game, choice)).collect()
}

/// The bots of a game, each with its seat. Other seats are left to somebody else.
pub type Players<S> = Vec<(SeatId, Box<dyn Bot<S>>)>;

/// Lets the bots make one step: an answer to an open decision of theirs, or an aside. False if no bot has anything to
/// do.
pub fn step<S: Scripts>(game: &mut Game<S>, players: &mut Players<S>) -> Result<bool, AnswerError> {
    if game.outcome().is_some() || players.is_empty() {
        return Ok(false);
    }
    let turn = game.record().len() % players.len();
    let (seat, bot) = &mut players[turn];
    if let Some(choice) = bot.aside(game, *seat) {
        game.play_aside(*seat, choice)?;
        return Ok(true);
    }
    let ours = |ask: &&Ask| players.iter().any(|(seat, _)| *seat == ask.seat);
    let Some(ask) = game.table().asks().find(ours) else { return Ok(false) };
    let seat = ask.seat;
    let Some((_, bot)) = players.iter_mut().find(|(player, _)| *player == seat) else { return Ok(false) };
    let choice = bot.choose(game, ask);
    game.answer(seat, choice)?;
    Ok(true)
}
