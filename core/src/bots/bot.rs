//! The trait of bots, and how bots play a game together.

use crate::game::{AnswerError, Game};
use crate::ids::*;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption, Frame, Turns};

/// A player that is a program.
pub trait Bot<S: Scripts> {
    /// Picks one of the options of a decision.
    fn choose(&mut self, game: &Game<S>, decision: &Decision) -> DecisionOption;

    /// An aside that the bot wants to play, if any. Callers ask from time to time while the game waits.
    fn aside(&mut self, _game: &mut Game<S>, _seat: SeatId) -> Option<DecisionOption> {
        None
    }

    /// Makes further choices depend on this seed, and not on what the bot was asked before. A bot without chance ignores
    /// it.
    fn reseed(&mut self, _seed: u64) {}
}

/// Whether an option only takes something back. Bots that chose such options would go in circles.
pub(super) fn is_retreat<S: Scripts>(game: &Game<S>, option: &DecisionOption) -> bool {
    let words = &game.catalog().words;
    option.verb.is_some_and(|verb| verb == words.undo || verb == words.back)
}

/// The options that bots choose from: those that do not take something back.
pub fn forward<S: Scripts>(game: &Game<S>, decision: &Decision) -> Vec<DecisionOption> {
    decision.options.iter().copied().filter(|option| !is_retreat(game, option)).collect()
}

/// The next decision to answer in an imagined game: the seat's own, if it has one.
pub(super) fn next_decision<S: Scripts>(game: &Game<S>, seat: SeatId) -> Option<Decision> {
    let pending = game.pending();
    pending.iter().find(|decision| decision.seat == seat).or(pending.first()).map(|decision| (*decision).clone())
}

/// The current position in the phases.
pub(super) fn turn<S: Scripts>(game: &Game<S>) -> Option<&Turns> {
    match game.table().world.flow().first() {
        Some(Frame::Turns(turns)) => Some(turns),
        _ => None,
    }
}

/// The bots of a game with their seats. Other seats are played by people.
pub type Players<S> = Vec<(SeatId, Box<dyn Bot<S>>)>;

/// Lets the bots make one step: an answer to one of their open decisions, or an aside. Returns false if they have
/// nothing to do.
pub fn step<S: Scripts>(game: &mut Game<S>, players: &mut Players<S>) -> Result<bool, AnswerError> {
    if game.outcome().is_some() || players.is_empty() {
        return Ok(false);
    }
    let turn = game.record().len() % players.len();
    let (seat, bot) = &mut players[turn];
    if let Some(option) = bot.aside(game, *seat) {
        game.play_aside(*seat, option)?;
        return Ok(true);
    }
    let ours = |decision: &&Decision| players.iter().any(|(seat, _)| *seat == decision.seat);
    let Some(decision) = game.table().decisions().find(ours) else { return Ok(false) };
    let seat = decision.seat;
    let Some((_, bot)) = players.iter_mut().find(|(player, _)| *player == seat) else { return Ok(false) };
    let option = bot.choose(game, decision);
    game.answer(seat, option)?;
    Ok(true)
}
