//! Taking back answers.

use principes_core::SeatId;
use serde::Serialize;

use super::{Session, SessionError};
use crate::setup::Player;

/// The result of taking back an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The answer was taken back.
    Done,
    /// These seats have not answered.
    Nothing,
    /// Another person has answered since, or something has been revealed.
    TooLate,
}

/// Whether seats can take back their last answer, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undoable {
    /// They can: the game goes back to this number of answers.
    To(usize),
    /// They have not answered.
    Nothing,
    /// Another person has answered since.
    Answered,
    /// Something that they did not know has been revealed since: a die, a card, secret choices.
    Revealed,
}

impl Session {
    /// Whether the last answer of these seats can be taken back, together with what bots have answered since.
    pub fn undoable(&self, seats: &[SeatId]) -> Undoable {
        let record = self.game.record();
        let Some(last) = record.iter().rposition(|answer| seats.contains(&answer.seat)) else {
            return Undoable::Nothing;
        };
        let is_bot = |seat: SeatId| self.setup.players.iter().any(|(of, by)| *of == seat && *by != Player::Human);
        let revealed =
            self.log.has_opened(last, record.len()) || self.log.has_revealed(self.game.catalog(), seats, last);
        match () {
            () if !record[last + 1..].iter().all(|answer| is_bot(answer.seat)) => Undoable::Answered,
            () if revealed => Undoable::Revealed,
            () => Undoable::To(last),
        }
    }

    /// Takes back the last answer of one of `seats`, and what bots have answered since, if nothing has been revealed
    /// since: no die, no card, no answer of another person.
    ///
    /// # Errors
    /// [`SessionError`]; nothing is taken back.
    pub fn undo(&mut self, seats: &[SeatId]) -> Result<Undo, SessionError> {
        let last = match self.undoable(seats) {
            Undoable::To(last) => last,
            Undoable::Nothing => return Ok(Undo::Nothing),
            Undoable::Answered | Undoable::Revealed => return Ok(Undo::TooLate),
        };
        self.return_to(last)?;
        Ok(Undo::Done)
    }

    /// Removes all answers after the first `answers`.
    ///
    /// # Errors
    /// [`SessionError`]; nothing is removed.
    pub(super) fn return_to(&mut self, answers: usize) -> Result<(), SessionError> {
        let game = self.replayed(answers)?;
        let mut shorter = self.record.clone();
        shorter.shorten(answers);
        shorter.digest = shorter.state_of(&game);
        self.write(&shorter)?;
        self.game = game;
        self.record = shorter;
        self.log.truncate(answers);
        let events = self.log.len();
        self.read.values_mut().for_each(|read| *read = (*read).min(events));
        self.old = self.old.min(events);
        Ok(())
    }
}
