//! Changes a game from outside its rules, as scenarios and tools do.

use super::game::Game;
use super::start::StartError;
use crate::ids::*;
use crate::scripts::{ScriptError, Scripts};
use crate::state::{Frame, LiveHook, Table, Turns};

impl<S: Scripts> Game<S> {
    /// Whether nothing is left to do: the hook from [`Game::run_hook`] has ended, and no flow waits below it.
    pub fn is_idle(&self) -> bool {
        matches!(self.table.world.flow.last(), Some(Frame::Idle))
    }

    /// Runs an effect hook on top of the stack, as if the rules had called it. After such a change, the record of the
    /// game cannot be replayed.
    pub fn run_hook(&mut self, hook: LiveHook, args: &[Value]) -> Result<(), ScriptError> {
        if self.dormant {
            self.rebuild()?;
        }
        let script = self.table.script_frame(hook, Args::new(args));
        self.table.world.flow.push(Frame::Script(script));
        self.advance_from_here()
    }

    /// Drops the stack and runs the flow from `phase` on. Fails if the phase is not part of the flow. A loop around it
    /// continues at the iteration that its counter shows. The record cannot be replayed, as above.
    pub fn run_phase(&mut self, phase: PhaseId) -> Result<(), ScriptError> {
        let turns =
            Turns::at(&self.table, phase).ok_or_else(|| ScriptError::flow("the phase is not part of the flow"))?;
        self.live = S::Live::default();
        self.table.world.flow.clear();
        self.table.world.triggers.clear();
        self.table.world.flow.push(Frame::Turns(turns));
        self.dormant = false;
        self.advance_from_here()
    }

    /// Changes the table directly and lists the options of open decisions again. No hook runs for the change. The
    /// record cannot be replayed, as above.
    pub fn edit(&mut self, change: impl FnOnce(&mut Table) -> Result<(), StartError>) -> Result<(), StartError> {
        if self.dormant {
            self.rebuild()?;
        }
        self.asides = None;
        let queued = self.table.world.triggers.len();
        change(&mut self.table)?;
        self.table.world.triggers.truncate(queued);
        if let Some(frame) = self.table.world.flow.last_mut() {
            frame.mark_stale();
        }
        Ok(self.advance_from_here()?)
    }

    /// Continues after a change from outside, which becomes part of the base unless a script is suspended.
    fn advance_from_here(&mut self) -> Result<(), ScriptError> {
        self.asides = None;
        let suspended = self.table.world.flow.iter().any(Frame::is_suspended);
        if !suspended {
            self.rebase();
        }
        self.between_phases = false;
        let events = self.table.events.len();
        self.count_steps();
        let mut result = self.advance();
        if !suspended {
            result = self.or_alone(result, |game| game.advance_base_alone(events));
        }
        self.stop_counting(result.is_ok());
        result?;
        self.advance_base(None);
        Ok(())
    }
}
