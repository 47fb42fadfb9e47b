//! What a whole game may take, and what is done where memory runs out that games share.

use super::game::Game;
use crate::scripts::{ScriptError, ScriptErrorKind, Scripts};

/// Answers that a game may take; far more than any game needs.
pub const MOST_ANSWERS: usize = 20_000;

/// Steps that the scripts of a game may take in all its answers together; far more than any game needs.
pub const MOST_STEPS: u64 = 20_000_000;

impl<S: Scripts> Game<S> {
    /// Steps that the scripts took for the answers so far. What bots try, and what was rebuilt, does not count.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// From here on steps count.
    pub(super) fn count_steps(&mut self) {
        self.counted_from = Some(self.scripts.steps());
    }

    /// Steps no longer count. Those that did are added where they led to something.
    pub(super) fn stop_counting(&mut self, succeeded: bool) {
        if let Some(from) = self.counted_from.take()
            && succeeded
        {
            self.steps += self.scripts.steps().saturating_sub(from);
        }
    }

    /// An error where the game has taken too many steps.
    pub(super) fn check_steps(&self) -> Result<(), ScriptError> {
        let Some(from) = self.counted_from else { return Ok(()) };
        match self.steps + self.scripts.steps().saturating_sub(from) > MOST_STEPS {
            false => Ok(()),
            true => Err(self.beyond(format!("the scripts of the game took more than {MOST_STEPS} steps"))),
        }
    }

    /// An error where the game has taken too many answers.
    pub(super) fn check_answers(&self) -> Result<(), ScriptError> {
        match self.record.len() < MOST_ANSWERS {
            true => Ok(()),
            false => Err(self.beyond(format!("the game did not end within {MOST_ANSWERS} decisions"))),
        }
    }

    fn beyond(&self, message: String) -> ScriptError {
        ScriptError { hook: self.running_hook(), kind: ScriptErrorKind::Game, ..ScriptError::flow(message) }
    }

    /// Where memory has run out, what others hold or have left may be to blame. So `again` decides, with nothing of others
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

    /// Runs to the next decision from the base, where nothing has been answered since.
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
