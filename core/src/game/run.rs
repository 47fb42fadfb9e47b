//! The machine: runs the innermost frame of the flow until a seat must choose or the game is over.

use super::game::Game;
use crate::catalog::BattleStep;
use crate::ids::*;
use crate::rules::{NextPhase, RuleError, step_turns};
use crate::scripts::{ScriptError, Scripts, Step};
use crate::state::{
    Battle, Decision, Frame, LiveHook, Movement, Reply, ScriptFrame, ScriptState, SideId, Turns, merge_equal,
};

/// The most steps of the flow without a decision, far more than any game needs.
const FLOW_LIMIT: u32 = 100_000;

impl<S: Scripts> Game<S> {
    pub(super) fn pop(&mut self) -> Option<Frame> {
        self.table.world.flow.pop()
    }

    /// Passes the result of a finished procedure to the script below it.
    pub(super) fn give_result(&mut self, reply: Reply) {
        if let Some(script) = self.top_script() {
            script.state = ScriptState::Ready(reply);
        }
    }

    /// Runs the flow until a seat must choose or the game is over.
    pub(super) fn advance(&mut self) -> Result<(), ScriptError> {
        for _ in 0..FLOW_LIMIT {
            if self.table.world.outcome.is_some() {
                self.table.world.flow.clear();
                self.table.world.triggers.clear();
                self.live = S::Live::default();
                return Ok(());
            }
            if !self.table.world.triggers.is_empty() {
                self.run_trigger();
                continue;
            }
            if !self.step()? {
                return Ok(());
            }
            self.check_steps()?;
        }
        Err(self.endless_flow())
    }

    fn endless_flow(&self) -> ScriptError {
        let message = format!("no decision in {FLOW_LIMIT} steps: the flow loops forever");
        ScriptError { hook: self.running_hook(), ..ScriptError::flow(message) }
    }

    fn run_trigger(&mut self) {
        let trigger = self.table.world.triggers.remove(0);
        let mut hooks = Vec::new();
        self.table.live_hooks(trigger.point, &mut hooks);
        if hooks.is_empty() {
            return;
        }
        if let Some(frame) = self.table.world.flow.last_mut() {
            frame.mark_stale();
        }
        for hook in hooks.into_iter().rev() {
            let script = self.table.script_frame(hook, trigger.args);
            self.table.world.flow.push(Frame::Script(script));
        }
    }

    /// Makes one step of the innermost frame. Returns false if the game waits for a seat.
    fn step(&mut self) -> Result<bool, ScriptError> {
        // A script stays on the stack while it runs, so that it sees its battle, and so that frames that it starts are
        // above it.
        match self.table.world.flow.last() {
            Some(Frame::Script(script)) => {
                if script.is_new() {
                    self.note_next_base();
                }
                return self.step_script();
            }
            Some(Frame::Simultaneous(scripts)) if scripts.iter().any(ScriptFrame::is_new) => self.note_next_base(),
            Some(Frame::Idle) => return Ok(false),
            _ => {}
        }
        match self.pop() {
            Some(Frame::Turns(turns)) => self.step_phases(turns),
            Some(Frame::Simultaneous(scripts)) => self.step_simultaneous(scripts),
            Some(Frame::Movement(movement)) => self.step_movement(movement),
            Some(Frame::Battle(battle)) => self.step_battle(battle),
            _ => Err(ScriptError::flow("the flow has ended, but the game has no outcome")),
        }
    }

    fn step_phases(&mut self, mut turns: Turns) -> Result<bool, ScriptError> {
        if self.table.world.flow.is_empty() {
            self.between_phases = true;
        }
        for _ in 0..FLOW_LIMIT {
            match step_turns(&mut self.table, &mut turns)? {
                NextPhase::Run(frame) => {
                    self.table.world.flow.push(Frame::Turns(turns));
                    self.table.world.flow.push(frame);
                    return Ok(true);
                }
                NextPhase::GoOn => {}
                NextPhase::Over => {
                    return Err(ScriptError::flow("all phases have ended, but no script ended the game"));
                }
            }
        }
        Err(self.endless_flow())
    }

    /// The script on top of the stack, if there is one.
    fn top_script(&mut self) -> Option<&mut ScriptFrame> {
        match self.table.world.flow.last_mut() {
            Some(Frame::Script(script)) => Some(script),
            _ => None,
        }
    }

    fn step_script(&mut self) -> Result<bool, ScriptError> {
        let Some(script) = self.top_script() else { return Err(ScriptError::flow("a suspended script is missing")) };
        if matches!(script.state, ScriptState::Asking { stale: false, .. }) {
            return Ok(false);
        }
        let (id, hook, args) = (script.id, script.live_hook(), script.args);
        let step = match std::mem::replace(&mut script.state, ScriptState::Waiting) {
            ScriptState::New => self.scripts.start(&mut self.live, id, hook, &args, &mut self.table)?,
            ScriptState::Ready(reply) => self.scripts.resume(&mut self.live, id, &reply, &mut self.table)?,
            ScriptState::Asking { mut decision, before, .. } => {
                self.list_again(id, &mut decision, before)?;
                self.settle(decision, before);
                return Ok(true);
            }
            ScriptState::Waiting => return Err(ScriptError::flow("a script waits for no decision")),
        };
        match step {
            Step::Done => {
                self.pop();
                self.drop_gone();
                if let Some(frame) = self.table.world.flow.last_mut() {
                    frame.mark_stale();
                }
            }
            Step::Ask(mut decision) => {
                merge_equal(&mut decision.options, &self.table.catalog);
                self.settle(decision, None);
            }
            Step::Move(order) => {
                if self.table.catalog.movement.is_none() {
                    return Err(ScriptError::flow("the game declares no movement procedure"));
                }
                self.table.world.flow.push(Frame::Movement(Box::new(Movement::new(order))));
            }
            Step::Fight(order) => {
                let battle = Battle::begin(&mut self.table, &order).map_err(|error| ScriptError::flow(error.0))?;
                self.table.world.flow.push(Frame::Battle(Box::new(battle)));
            }
        }
        Ok(true)
    }

    /// Drops the hooks of the same moment whose cards are gone after a hook has ended. No other script waits to begin below
    /// one that has ended.
    fn drop_gone(&mut self) {
        while let Some(Frame::Script(script)) = self.table.world.flow.last()
            && script.is_new()
            && !self.table.still_runs(&script.live_hook())
        {
            self.pop();
        }
    }

    /// Opens the decision of the script on top of the stack, or of its phase.
    fn settle(&mut self, decision: Decision, before: Option<PhaseId>) {
        if let Some(script) = self.top_script() {
            script.settle(decision, before);
        }
    }

    fn step_movement(&mut self, mut movement: Box<Movement>) -> Result<bool, ScriptError> {
        let scripts = &self.scripts;
        let prepared = movement
            .prepare(&mut self.table, &mut |table, point, value, args| scripts.query(point, value, args, table))?;
        if !prepared && movement.decision.is_some() && !movement.stale {
            self.table.world.flow.push(Frame::Movement(movement));
            return Ok(false);
        }
        movement.open(&self.table);
        let single = match &movement.decision {
            Some(decision) if decision.options.len() == 1 && !decision.always => Some(decision.options[0]),
            _ => None,
        };
        if let Some(option) = single
            && let Some(result) = movement.answer(&mut self.table, &option)
        {
            self.give_result(Reply::Moved(result));
            return Ok(true);
        }
        self.table.world.flow.push(Frame::Movement(movement));
        Ok(true)
    }

    fn step_battle(&mut self, battle: Box<Battle>) -> Result<bool, ScriptError> {
        let fail = |error: RuleError| ScriptError::flow(error.0);
        self.table.world.flow.push(Frame::Battle(battle));
        // The kernel's own steps trigger nothing that must run before the next step.
        while let Some(step) = self.table.next_battle_step().map_err(fail)? {
            match step {
                BattleStep::Roll => self.table.battle_roll([SideId::Attacker, SideId::Defender]).map_err(fail)?,
                BattleStep::Count => {
                    let mut totals = [0; 4];
                    let queries = self.table.count_queries().map_err(fail)?;
                    for (total, (point, value, args)) in totals.iter_mut().zip(queries) {
                        *total = self.scripts.query(point, value, &args, &mut self.table)?;
                    }
                    self.table.apply_count(totals).map_err(fail)?;
                }
                BattleStep::Resolve => {
                    self.table.battle_resolve().map_err(fail)?;
                }
                BattleStep::Run(hook) => {
                    let live = LiveHook::of_flow(hook);
                    let script = self.table.script_frame(live, Args::NONE);
                    self.table.world.flow.push(Frame::Script(script));
                    return Ok(true);
                }
            }
        }
        let winner = self.table.world.battle().and_then(|battle| battle.winner);
        self.pop();
        let words = &self.table.catalog.words;
        let side = match winner {
            Some(SideId::Attacker) => words.attacker,
            Some(SideId::Defender) => words.defender,
            None => return Err(ScriptError::flow("a battle ended without a `resolve` step")),
        };
        self.give_result(Reply::Fought(side));
        Ok(true)
    }
}
