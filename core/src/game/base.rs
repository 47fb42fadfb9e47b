//! The base: the last world without suspended scripts, from which suspended scripts are rebuilt.
//!
//! A hook that waits for an answer is a coroutine, and coroutines cannot be saved. Whenever no script is suspended
//! (between phases, or when an answer arrives while only kernel procedures wait), the game keeps a copy of the world as
//! its *base*, and records the answers given from then on. A clone, a loaded state, or a game after a failed answer
//! rebuilds its scripts by replaying those answers from the base. It then compares the resulting world with the
//! previous one, which also checks determinism. One base per game costs one `memcpy` per phase and covers nested
//! scripts, movements and battles without special cases; one copy per script frame would be more complicated.
//!
//! While a decision of a phase (`choose`) is open, nothing is suspended, so the world itself is the base: a copy
//! continues without running any script again, and positions that can be reached in several ways count as one. A base
//! is taken when the first script starts after the end of a phase, and at such a pause. It is never taken within a
//! simultaneous phase, because the secret answers must be drawn again in imagined games.

use std::sync::Arc;

use super::game::Game;
use crate::scripts::{ScriptError, Scripts};
use crate::state::{Answer, Frame, World};

impl<S: Scripts> Game<S> {
    /// Makes the current world the base.
    pub(super) fn rebase(&mut self) {
        copy_world(&mut self.base, &self.table.world);
        self.since.clear();
        self.table.rolled.clear();
    }

    /// Records that an answer has succeeded. If a phase has ended since, the base moves there; otherwise the answer is
    /// added to those since the base.
    pub(super) fn advance_base(&mut self, answer: Option<Answer>) {
        if std::mem::take(&mut self.between_phases) {
            self.has_next_base = false;
            self.rebase();
            return;
        }
        let next = self.next_base.as_mut().filter(|_| std::mem::take(&mut self.has_next_base));
        if let Some(next) = next {
            std::mem::swap(&mut self.base, next);
            self.since.clear();
            self.table.rolled.drain(..self.rolled_before);
        } else if let Some(answer) = answer {
            self.since.push(answer);
        }
    }

    /// Rebuilds suspended scripts, and checks that they lead to the same world.
    pub(super) fn rebuild(&mut self) -> Result<(), ScriptError> {
        if self.table.world.flow.iter().any(Frame::is_suspended) {
            let world = self.table.world.clone();
            self.rebuild_quietly()?;
            if self.table.world != world {
                return Err(ScriptError::flow(
                    "a script reached another state when it ran again: it depends on something outside the game",
                ));
            }
        }
        self.dormant = false;
        Ok(())
    }

    pub(super) fn rebuild_quietly(&mut self) -> Result<(), ScriptError> {
        let result = self.replay_since_base();
        self.or_alone(result, Game::replay_since_base)
    }

    /// Replays the answers since the base, starting from the base.
    pub(super) fn replay_since_base(&mut self) -> Result<(), ScriptError> {
        self.counted_from = None;
        self.live = S::Live::default();
        (*self.table.world).clone_from(&self.base);
        self.table.rolled.clear();
        let recording = std::mem::replace(&mut self.table.record_events, false);
        let since = std::mem::take(&mut self.since);
        let result = self.advance().and_then(|()| {
            since.iter().try_for_each(|answer| {
                self.apply(answer)?;
                self.advance()
            })
        });
        self.since = since;
        (self.has_next_base, self.between_phases) = (false, false);
        self.table.record_events = recording;
        self.dormant = false;
        result
    }

    /// Records that a script begins. If nothing has run since the last phase, the game can be rebuilt from here, so
    /// this is the next base.
    pub(super) fn note_next_base(&mut self) {
        if !std::mem::take(&mut self.between_phases) {
            return;
        }
        match &mut self.next_base {
            Some(next) => copy_world(next, &self.table.world),
            None => self.next_base = Some(Arc::new((*self.table.world).clone())),
        }
        self.has_next_base = true;
        self.rolled_before = self.table.rolled.len();
    }
}

/// Copies one world over another. This allocates nothing, unless a clone shares the target.
pub(super) fn copy_world(to: &mut Arc<World>, from: &World) {
    match Arc::get_mut(to) {
        Some(to) => to.clone_from(from),
        None => *to = Arc::new(from.clone()),
    }
}
