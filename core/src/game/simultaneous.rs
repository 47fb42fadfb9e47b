//! Phases in which all seats choose at once, in secret until everyone has chosen.
//!
//! If the phase asks, its scripts start after the last answer. If a script asks, it may change only what its own seat
//! sees until all seats have chosen. The kernel checks this against the events.

use super::game::Game;
use crate::ids::*;
use crate::scripts::{ScriptError, Scripts, Step};
use crate::state::{Frame, ScriptFrame, ScriptState, Table, merge_equal};

/// A script that has revealed its seat's choice.
struct Shown {
    seat: Option<SeatId>,
    hook: HookId,
}

impl<S: Scripts> Game<S> {
    pub(super) fn step_simultaneous(&mut self, mut scripts: Vec<ScriptFrame>) -> Result<bool, ScriptError> {
        // If the phase asks before its scripts start, the scripts start after everyone has answered.
        let is_asked = |script: &ScriptFrame| matches!(script.state, ScriptState::Asking { before: Some(_), .. });
        let is_held = scripts.iter().any(is_asked);
        let (mut moved, mut done, mut shown) = (false, Vec::new(), Vec::new());
        for (at, script) in scripts.iter_mut().enumerate() {
            if is_held && script.is_new() {
                continue;
            }
            if matches!(script.state, ScriptState::Asking { .. }) {
                moved |= self.open_secret(script)?;
                continue;
            }
            moved = true;
            match self.run_in_secret(script, &mut shown)? {
                Step::Done => done.push(at),
                Step::Ask(mut decision) => {
                    if Some(decision.seat) != script.owner {
                        return Err(ScriptError::flow("in a simultaneous phase, a script may ask only its own seat"));
                    }
                    merge_equal(&mut decision.options, &self.table.catalog);
                    script.settle(decision, None);
                }
                Step::Move(_) | Step::Fight(_) => {
                    return Err(ScriptError::flow("a simultaneous phase cannot start a movement or a battle"));
                }
            }
        }
        for at in done.into_iter().rev() {
            scripts.remove(at);
        }
        if scripts.is_empty() {
            return Ok(true);
        }
        let chooses = |seat| scripts.iter().any(|script| script.decision().is_some() && script.owner != seat);
        if let Some(early) = shown.iter().find(|shown| chooses(shown.seat)) {
            let message = "in a simultaneous phase, a script changed what other seats see before all seats had chosen; \
                           keep the choice where only its owner sees it, and show it in the next phase";
            return Err(ScriptError { hook: Some(early.hook), ..ScriptError::flow(message) });
        }
        self.table.world.flow.push(Frame::Simultaneous(scripts));
        Ok(moved)
    }

    /// Lists the options of a choosing seat again, if they may have changed. Returns whether they may have changed.
    fn open_secret(&mut self, script: &mut ScriptFrame) -> Result<bool, ScriptError> {
        match std::mem::replace(&mut script.state, ScriptState::Waiting) {
            ScriptState::Asking { mut decision, stale, before } => {
                if stale {
                    self.list_again(script.id, &mut decision, before)?;
                }
                script.settle(decision, before);
                Ok(stale)
            }
            state => {
                script.state = state;
                Ok(false)
            }
        }
    }

    /// Starts or resumes a script, and records whether it reveals its seat's choice.
    fn run_in_secret(&mut self, script: &mut ScriptFrame, shown: &mut Vec<Shown>) -> Result<Step, ScriptError> {
        let recording = std::mem::replace(&mut self.table.record_events, true);
        let before = self.table.events.len();
        let state = std::mem::replace(&mut script.state, ScriptState::Waiting);
        // The answer to the decision of a phase follows the seat.
        let has_chosen = matches!(state, ScriptState::Ready(_)) || script.args.len() > 1;
        let step = match state {
            ScriptState::New => {
                let (hook, args) = (script.live_hook(), script.args);
                self.scripts.start(&mut self.live, script.id, hook, &args, &mut self.table)
            }
            ScriptState::Ready(reply) => self.scripts.resume(&mut self.live, script.id, &reply, &mut self.table),
            _ => Err(ScriptError::flow("a script waits for no decision")),
        };
        if has_chosen && shows(&self.table, before, script.owner) {
            shown.push(Shown { seat: script.owner, hook: script.hook });
        }
        self.table.record_events = recording;
        if !recording {
            self.table.events.truncate(before);
        }
        step
    }
}

/// Whether anybody except a seat can notice one of the events from this index on. Spectators count.
fn shows(table: &Table, from: usize, seat: Option<SeatId>) -> bool {
    let others = || std::iter::once(None).chain(table.world.seats().map(Some)).filter(|other| *other != seat);
    table.events.iter().skip(from).any(|event| {
        // The move of an unknown card between two hidden zones reveals nothing of the choice.
        others().any(|other| event.seen_by(&table.catalog, other).is_some_and(|seen| !seen.hidden))
    })
}
