//! The moments between two moments of a game, for displays that show how one became the other.

use principes_core::SeatId;

use super::{GameInWords, Session, SessionError};
use crate::save::give;

/// A moment on the way.
pub struct Step<'a> {
    /// The number of answers of the game.
    pub step: usize,
    /// The seat that gave the last of them.
    pub seat: SeatId,
    /// The game after it.
    pub scene: GameInWords<'a>,
}

impl Session {
    /// Shows the moments after `from` answers up to `until` answers, in order.
    ///
    /// # Errors
    /// [`SessionError`]: there are fewer answers, or an error of the replay.
    pub fn trail(&self, from: usize, until: usize, mut show: impl FnMut(Step<'_>)) -> Result<(), SessionError> {
        if until > self.steps() {
            return Err(SessionError::NoSuchStep { step: until, answers: self.steps() });
        }
        let mut game = self.replayed(from.min(until))?;
        game.record_events(false);
        for at in from..until {
            give(&mut game, at, &self.record.answers[at])?;
            let scene = GameInWords { game: &game, words: &self.words };
            show(Step { step: at + 1, seat: self.game.record()[at].seat, scene });
        }
        Ok(())
    }
}
