//! The limits of a whole game, and the retry if shared memory runs out.

use super::game::Game;
use crate::scripts::{ScriptError, ScriptErrorKind, Scripts};

/// The most answers of a game, far more than any game needs.
pub const MOST_ANSWERS: usize = 20_000;

/// The most script steps of a game, over all its answers; far more than any game needs.
pub const MOST_STEPS: u64 = 20_000_000;

impl<S: Scripts> Game<S> {
    /// The script steps of the answers so far. Steps of bots that try options, and of rebuilding, do not count.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Starts to count steps.
    pub(super) fn count_steps(&mut self) {
        self.counted_from = Some(self.scripts.steps());
    }

    /// Stops counting steps. They are added if the answer succeeded.
    pub(super) fn stop_counting(&mut self, succeeded: bool) {
        if let Some(from) = self.counted_from.take()
            && succeeded
        {
            self.steps += self.scripts.steps().saturating_sub(from);
        }
    }

    /// Fails if the game has taken too many steps.
    pub(super) fn check_steps(&self) -> Result<(), ScriptError> {
        let Some(from) = self.counted_from else { return Ok(()) };
        match self.steps + self.scripts.steps().saturating_sub(from) > MOST_STEPS {
            false => Ok(()),
            true => Err(self.beyond(format!("the scripts of the game took more than {MOST_STEPS} steps"))),
        }
    }

    /// Fails if the game has taken too many answers.
    pub(super) fn check_answers(&self) -> Result<(), ScriptError> {
        match self.record.len() < MOST_ANSWERS {
            true => Ok(()),
            false => Err(self.beyond(format!("the game did not end within {MOST_ANSWERS} decisions"))),
        }
    }

    fn beyond(&self, message: String) -> ScriptError {
        ScriptError { hook: self.running_hook(), kind: ScriptErrorKind::Game, ..ScriptError::flow(message) }
    }

    /// If memory has run out, other games may have used it. In that case `again` decides, with nothing of other games
    /// in memory.
    pub(super) fn or_alone<T>(
        &mut self,
        result: Result<T, ScriptError>,
        again: impl FnOnce(&mut Self) -> Result<T, ScriptError>,
    ) -> Result<T, ScriptError> {
        match &result {
            Err(error) if error.kind == ScriptErrorKind::Memory && self.scripts.seclude(true) => {
                let result = again(self);
                self.scripts.seclude(false);
                result
            }
            _ => result,
        }
    }

    /// Runs to the next decision from the base, if there have been no answers since.
    pub(super) fn advance_base_alone(&mut self, events: usize) -> Result<(), ScriptError> {
        self.live = S::Live::default();
        self.table.events.truncate(events);
        self.table.rolled.clear();
        let base = self.base.clone();
        (*self.table.world).clone_from(&base);
        (self.has_next_base, self.between_phases) = (false, false);
        self.count_steps();
        self.advance()
    }
}
