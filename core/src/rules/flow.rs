//! The flow: the order of phases, and the handling of decisions when options are listed and answers arrive.

use crate::catalog::{Catalog, PhaseBody, PhaseDecision, Times};
use crate::ids::*;
use crate::scripts::ScriptError;
use crate::state::{
    Decision, DecisionOption, Event, Frame, Level, LiveHook, Reply, ScriptFrame, ScriptState, Table, Turns,
};

impl ScriptFrame {
    /// The script of a phase for one seat, which chooses first if the phase has a decision.
    fn of_phase(table: &mut Table, phase: PhaseId, hook: LiveHook, seat: SeatId) -> Self {
        let mut script = table.script_frame(hook, Args::new(&[Value::Faction(seat)]));
        if let Some(PhaseDecision { decision, always, .. }) = table.catalog.phases[phase.index()].decision {
            let about = script.args;
            let decision = Decision { seat, kind: decision, source: Value::Nil, about, options: Vec::new(), always };
            script.state = ScriptState::Asking { decision, stale: true, before: Some(phase) };
        }
        script
    }

    /// Takes the option that its seat has chosen; `None` if there was nothing to choose.
    pub(crate) fn choose(&mut self, option: Option<DecisionOption>) {
        if self.is_suspended() {
            self.state = ScriptState::Ready(Reply::Answer(option));
            return;
        }
        let verb = option.and_then(|option| option.verb).map(Value::Symbol);
        let args = option.map_or(Args::NONE, |option| option.args);
        for value in verb.into_iter().chain(args.iter().copied()) {
            // Options with more values are not offered.
            let _ = self.args.push(value);
        }
        self.state = ScriptState::New;
    }

    /// Opens a decision with listed options, or answers it at once if there is nothing to choose.
    pub(crate) fn settle(&mut self, decision: Decision, before: Option<PhaseId>) {
        let single = match decision.options.as_slice() {
            [] => Some(None),
            [only] if !decision.always => Some(Some(*only)),
            _ => None,
        };
        self.state = ScriptState::Asking { decision, stale: false, before };
        if let Some(option) = single {
            self.choose(option);
        }
    }
}

impl Turns {
    /// A position in the phases at which `phase` comes next. A loop around it continues at the iteration that its
    /// counter shows. `None` if `phase` is not part of the flow.
    pub(crate) fn at(table: &Table, phase: PhaseId) -> Option<Self> {
        let catalog = &table.catalog;
        let mut levels = Vec::new();
        let mut wanted = phase;
        // From the phase outward. No phase is part of two others.
        for _ in 0..=catalog.phases.len() {
            if let Some(index) = catalog.flow.iter().position(|at| *at == wanted) {
                levels.push(Level { phase: None, index, iteration: 1, seat: 0 });
                levels.reverse();
                return Some(Turns { levels });
            }
            let around = catalog.phases.iter().enumerate().find_map(|(at, spec)| match &spec.body {
                PhaseBody::Repeat { counter, phases, .. } => {
                    let index = phases.iter().position(|part| *part == wanted)?;
                    Some((PhaseId::at(at), *counter, index))
                }
                _ => None,
            });
            let (outer, counter, index) = around?;
            let shown = counter.and_then(|counter| table.get(counter, Value::Nil).ok());
            levels.push(Level { phase: Some(outer), index, iteration: shown.unwrap_or(1).max(1), seat: 0 });
            wanted = outer;
        }
        None
    }
}

/// The result of one step through the phases.
pub(crate) enum NextPhase {
    /// This frame must run before the next step.
    Run(Frame),
    /// Nothing runs here; continue with the next step.
    GoOn,
    /// All phases have ended.
    Over,
}

/// Makes one step through the phases.
pub(crate) fn step_turns(table: &mut Table, turns: &mut Turns) -> Result<NextPhase, ScriptError> {
    let catalog = table.catalog.clone();
    let Some(level) = turns.levels.last_mut() else { return Ok(NextPhase::Over) };
    let Some(phase) = level.phases(&catalog).get(level.index).copied() else {
        return end_of_list(table, &catalog, turns);
    };
    match &catalog.phases[phase.index()].body {
        PhaseBody::Run(hook) => {
            level.index += 1;
            table.emit(Event::Phase { phase, seat: None });
            Ok(NextPhase::Run(Frame::Script(table.script_frame(LiveHook::of_flow(*hook), Args::NONE))))
        }
        PhaseBody::Each(hook) => Ok(next_seat(table, level, phase, LiveHook::of_flow(*hook))),
        PhaseBody::Simultaneous(hook) => {
            level.index += 1;
            table.emit(Event::Phase { phase, seat: None });
            let seats: Vec<SeatId> = table.world.seats().collect();
            let script = |seat| {
                let live = LiveHook { owner: Some(seat), ..LiveHook::of_flow(*hook) };
                ScriptFrame::of_phase(table, phase, live, seat)
            };
            Ok(NextPhase::Run(Frame::Simultaneous(seats.into_iter().map(script).collect())))
        }
        PhaseBody::Repeat { times, counter, .. } => {
            if repetitions(table, times)? > 0 {
                turns.levels.push(Level { phase: Some(phase), index: 0, iteration: 1, seat: 0 });
                show_iteration(table, *counter, 1)?;
            } else {
                level.index += 1;
            }
            Ok(NextPhase::GoOn)
        }
    }
}

/// The end of a list of phases: the next iteration of its loop, or the end of the loop.
fn end_of_list(table: &mut Table, catalog: &Catalog, turns: &mut Turns) -> Result<NextPhase, ScriptError> {
    let Some(level) = turns.levels.last_mut() else { return Ok(NextPhase::Over) };
    let Some(looping) = level.phase else { return Ok(NextPhase::Over) };
    let PhaseBody::Repeat { times, counter, .. } = &catalog.phases[looping.index()].body else {
        return Err(ScriptError::flow("a phase lost its parts"));
    };
    if level.iteration < repetitions(table, times)? {
        level.iteration += 1;
        level.index = 0;
        show_iteration(table, *counter, level.iteration)?;
    } else {
        turns.levels.pop();
        if let Some(outer) = turns.levels.last_mut() {
            outer.index += 1;
        }
    }
    Ok(NextPhase::GoOn)
}

/// The script of a phase for the next playing seat in turn order, or the end of the phase.
fn next_seat(table: &mut Table, level: &mut Level, phase: PhaseId, hook: LiveHook) -> NextPhase {
    let order = table.world.order();
    match (level.seat..order.len()).find(|at| table.world.is_led(order[*at])) {
        Some(at) => {
            let seat = order[at];
            level.seat = at + 1;
            table.world.active = Some(seat);
            table.emit(Event::Phase { phase, seat: Some(seat) });
            NextPhase::Run(Frame::Script(ScriptFrame::of_phase(table, phase, hook, seat)))
        }
        None => {
            level.seat = 0;
            level.index += 1;
            table.world.active = None;
            NextPhase::GoOn
        }
    }
}

fn repetitions(table: &Table, times: &Times) -> Result<i32, ScriptError> {
    match times {
        Times::Fixed(n) => Ok(*n),
        Times::Counter(counter) => table.get(*counter, Value::Nil).map_err(|error| ScriptError::flow(error.0)),
    }
}

fn show_iteration(table: &mut Table, counter: Option<CounterId>, iteration: i32) -> Result<(), ScriptError> {
    match counter {
        Some(counter) => table.set(counter, iteration, Value::Nil).map_err(|error| ScriptError::flow(error.0)),
        None => Ok(()),
    }
}
