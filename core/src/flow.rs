//! The flow: an explicit stack of frames, each plain data. No recursion and no thread: where the game stands is in
//! here.

use serde::{Deserialize, Serialize};

use crate::battle::Battle;
use crate::catalog::{PhaseBody, Question, Times};
use crate::decision::{Ask, Choice};
use crate::event::Event;
use crate::ids::*;
use crate::movement::Movement;
use crate::scripts::{Reply, ScriptError};
use crate::table::{LiveHook, Table};

/// Where a script frame stands.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ScriptState {
    /// Not started.
    New,
    /// It waits for a choice. `stale` asks for its options to be listed again, because something else has run since.
    Asking {
        /// The question.
        ask: Ask,
        /// Whether its options must be listed, for the first time or again.
        stale: bool,
        /// The phase that asks, before the script starts; none where the script itself does.
        before: Option<PhaseId>,
    },
    /// It waits for the frame above.
    Waiting,
    /// It can go on.
    Ready(Reply),
}

/// A running effect hook.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ScriptFrame {
    /// Under which the host keeps its suspended part.
    pub id: u32,
    /// What runs.
    pub hook: HookId,
    /// For whom.
    pub owner: Option<FactionId>,
    /// The card it belongs to.
    pub card: Option<CardId>,
    /// Its arguments.
    pub args: Args,
    /// Where it stands.
    pub state: ScriptState,
}

impl ScriptFrame {
    pub(crate) fn new(table: &mut Table, hook: LiveHook, args: Args) -> Self {
        let id = table.world.next_frame;
        table.world.next_frame += 1;
        ScriptFrame { id, hook: hook.hook, owner: hook.owner, card: hook.card, args, state: ScriptState::New }
    }
    pub(crate) fn live_hook(&self) -> LiveHook {
        LiveHook { hook: self.hook, owner: self.owner, card: self.card, priority: 0 }
    }
    /// The script of a phase for one seat, which is asked first where the phase says so.
    fn of_phase(table: &mut Table, phase: PhaseId, hook: LiveHook, seat: SeatId) -> Self {
        let mut script = ScriptFrame::new(table, hook, Args::new(&[Value::Faction(seat)]));
        if let Some(Question { decision, always, .. }) = table.catalog.phases[phase.index()].question {
            let about = script.args;
            let ask = Ask { seat, decision, source: Value::Nil, about, options: Vec::new(), always };
            script.state = ScriptState::Asking { ask, stale: true, before: Some(phase) };
        }
        script
    }
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.state, ScriptState::New)
    }
    fn is_suspended(&self) -> bool {
        !matches!(self.state, ScriptState::New | ScriptState::Asking { before: Some(_), .. })
    }
    pub(crate) fn ask(&self) -> Option<&Ask> {
        match &self.state {
            ScriptState::Asking { ask, .. } => Some(ask),
            _ => None,
        }
    }
    pub(crate) fn mark_stale(&mut self) {
        if let ScriptState::Asking { stale, .. } = &mut self.state {
            *stale = true;
        }
    }
    /// Takes over what its seat has chosen, or that there was nothing to choose.
    pub(crate) fn choose(&mut self, choice: Option<Choice>) {
        if self.is_suspended() {
            self.state = ScriptState::Ready(Reply::Choice(choice));
            return;
        }
        let verb = choice.and_then(|choice| choice.verb).map(Value::Symbol);
        let args = choice.map_or(Args::NONE, |choice| choice.args);
        for value in verb.into_iter().chain(args.iter().copied()) {
            // Options with more values than fit are not offered.
            let _ = self.args.push(value);
        }
        self.state = ScriptState::New;
    }
    /// What becomes of a question whose options have been listed: it is asked, or answered by itself where there is nothing to
    /// choose.
    pub(crate) fn settle(&mut self, ask: Ask, before: Option<PhaseId>) {
        let single = match ask.options.as_slice() {
            [] => Some(None),
            [only] if !ask.always => Some(Some(*only)),
            _ => None,
        };
        self.state = ScriptState::Asking { ask, stale: false, before };
        if let Some(choice) = single {
            self.choose(choice);
        }
    }
}

/// Which list of phases a level of [`Turns`] goes through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Level {
    /// The repeated phase whose parts these are; none for the outermost phases.
    pub phase: Option<PhaseId>,
    /// Position in the list.
    pub index: usize,
    /// Which turn of the loop, from 1.
    pub iteration: i32,
    /// Position in the turn order, for phases that go from seat to seat.
    pub seat: usize,
}

/// The turn procedure: where in the phases the game is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Turns {
    /// From the outermost list of phases inwards.
    pub levels: Vec<Level>,
}

impl Turns {
    pub(crate) fn begin() -> Self {
        Turns { levels: vec![Level { phase: None, index: 0, iteration: 1, seat: 0 }] }
    }

    /// In the middle of the phases: `phase` is the next to begin. A loop around it is in the turn that its counter
    /// shows. `None` where no phase of the flow has this id.
    pub(crate) fn at(table: &Table, phase: PhaseId) -> Option<Self> {
        let catalog = &table.catalog;
        let mut levels = Vec::new();
        let mut wanted = phase;
        // From the phase outwards; no phase is part of two others.
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

    /// The phase that is under way, innermost.
    pub fn phase(&self, catalog: &crate::catalog::Catalog) -> Option<PhaseId> {
        let level = self.levels.last()?;
        let list = list(catalog, level);
        // `index` has moved on while a phase that runs once is under way.
        list.get(level.index.saturating_sub(usize::from(level.seat == 0 && level.index > 0))).copied().or(level.phase)
    }
}

fn list<'a>(catalog: &'a crate::catalog::Catalog, level: &Level) -> &'a [PhaseId] {
    match level.phase {
        None => &catalog.flow,
        Some(phase) => match &catalog.phases[phase.index()].body {
            PhaseBody::Repeat { phases, .. } => phases,
            _ => &[],
        },
    }
}

/// One frame of the flow.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Frame {
    /// Phases, rounds and turns.
    Turns(Turns),
    /// An effect hook.
    Script(ScriptFrame),
    /// Effect hooks of several seats at the same time, each asking its own seat.
    Simultaneous(Vec<ScriptFrame>),
    /// A movement.
    Movement(Box<Movement>),
    /// A battle.
    Battle(Box<Battle>),
    /// Nothing is to be done and nobody is asked. Scenarios run single hooks above it; games never come here.
    Idle,
}

// By hand, as of worlds: turns and questions are copied at nearly every pause, over others of their kind.
impl Clone for Frame {
    fn clone(&self) -> Self {
        match self {
            Frame::Turns(turns) => Frame::Turns(turns.clone()),
            Frame::Script(script) => Frame::Script(script.clone()),
            Frame::Simultaneous(scripts) => Frame::Simultaneous(scripts.clone()),
            Frame::Movement(movement) => Frame::Movement(movement.clone()),
            Frame::Battle(battle) => Frame::Battle(battle.clone()),
            Frame::Idle => Frame::Idle,
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Frame::Turns(to), Frame::Turns(from)) => to.levels.clone_from(&from.levels),
            (Frame::Script(to), Frame::Script(from)) => to.clone_from(from),
            (to, from) => *to = from.clone(),
        }
    }
}

impl Clone for ScriptFrame {
    fn clone(&self) -> Self {
        ScriptFrame { state: self.state.clone(), ..*self }
    }
    fn clone_from(&mut self, source: &Self) {
        let ScriptFrame { id, hook, owner, card, args, state } = self;
        (*id, *hook, *owner, *card, *args) = (source.id, source.hook, source.owner, source.card, source.args);
        state.clone_from(&source.state);
    }
}

impl Clone for ScriptState {
    fn clone(&self) -> Self {
        match self {
            ScriptState::New => ScriptState::New,
            ScriptState::Asking { ask, stale, before } => {
                ScriptState::Asking { ask: ask.clone(), stale: *stale, before: *before }
            }
            ScriptState::Waiting => ScriptState::Waiting,
            ScriptState::Ready(reply) => ScriptState::Ready(reply.clone()),
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (
                ScriptState::Asking { ask, stale, before },
                ScriptState::Asking { ask: asked, stale: old, before: phase },
            ) => {
                ask.clone_from(asked);
                (*stale, *before) = (*old, *phase);
            }
            (to, from) => *to = from.clone(),
        }
    }
}

impl Frame {
    /// The decisions that wait in this frame.
    pub fn asks(&self) -> impl Iterator<Item = &Ask> {
        let (one, several) = match self {
            Frame::Script(script) => (script.ask(), [].as_slice()),
            Frame::Simultaneous(scripts) => (None, scripts.as_slice()),
            Frame::Movement(movement) => (movement.ask.as_ref(), [].as_slice()),
            Frame::Turns(_) | Frame::Battle(_) | Frame::Idle => (None, [].as_slice()),
        };
        one.into_iter().chain(several.iter().filter_map(ScriptFrame::ask))
    }

    /// Whether a script is suspended in it, so that the state can only be rebuilt by running the script again.
    pub(crate) fn is_suspended(&self) -> bool {
        match self {
            Frame::Script(script) => script.is_suspended(),
            Frame::Simultaneous(scripts) => scripts.iter().any(ScriptFrame::is_suspended),
            _ => false,
        }
    }

    /// Has the options of open decisions listed again.
    pub(crate) fn mark_stale(&mut self) {
        match self {
            Frame::Script(script) => script.mark_stale(),
            Frame::Simultaneous(scripts) => scripts.iter_mut().for_each(ScriptFrame::mark_stale),
            Frame::Movement(movement) => movement.stale = true,
            Frame::Turns(_) | Frame::Battle(_) | Frame::Idle => {}
        }
    }
}

/// Goes one step through the phases. Returns the frame that must run next; `None` where the phases are over.
pub(crate) fn step_turns(table: &mut Table, turns: &mut Turns) -> Result<Option<Option<Frame>>, ScriptError> {
    let catalog = table.catalog.clone();
    let Some(level) = turns.levels.last_mut() else { return Ok(None) };
    let phases = list(&catalog, level);
    let Some(phase) = phases.get(level.index).copied() else {
        // The list is through: next turn of the loop, or out of it.
        let Some(looping) = level.phase else { return Ok(None) };
        let PhaseBody::Repeat { times, counter, .. } = &catalog.phases[looping.index()].body else {
            return Err(ScriptError::flow("a phase lost its parts"));
        };
        if level.iteration < read(table, times)? {
            level.iteration += 1;
            level.index = 0;
            show(table, *counter, level.iteration)?;
        } else {
            turns.levels.pop();
            if let Some(outer) = turns.levels.last_mut() {
                outer.index += 1;
            }
        }
        return Ok(Some(None));
    };
    let hook = |hook| LiveHook { hook, owner: None, card: None, priority: 0 };
    match &catalog.phases[phase.index()].body {
        PhaseBody::Run(run) => {
            level.index += 1;
            table.emit(Event::Phase { phase, seat: None });
            Ok(Some(Some(Frame::Script(ScriptFrame::new(table, hook(*run), Args::NONE)))))
        }
        PhaseBody::Each(run) => {
            let from = level.seat;
            let order = table.world.order();
            match (from..order.len()).find(|at| table.world.is_led(order[*at])) {
                Some(at) => {
                    let seat = order[at];
                    level.seat = at + 1;
                    table.world.active = Some(seat);
                    table.emit(Event::Phase { phase, seat: Some(seat) });
                    Ok(Some(Some(Frame::Script(ScriptFrame::of_phase(table, phase, hook(*run), seat)))))
                }
                None => {
                    level.seat = 0;
                    level.index += 1;
                    table.world.active = None;
                    Ok(Some(None))
                }
            }
        }
        PhaseBody::Simultaneous(run) => {
            level.index += 1;
            table.emit(Event::Phase { phase, seat: None });
            let seats: Vec<SeatId> = table.world.seats().collect();
            let scripts = seats
                .into_iter()
                .map(|seat| {
                    let live = LiveHook { owner: Some(seat), ..hook(*run) };
                    ScriptFrame::of_phase(table, phase, live, seat)
                })
                .collect();
            Ok(Some(Some(Frame::Simultaneous(scripts))))
        }
        PhaseBody::Repeat { times, counter, .. } => {
            if read(table, times)? > 0 {
                turns.levels.push(Level { phase: Some(phase), index: 0, iteration: 1, seat: 0 });
                show(table, *counter, 1)?;
            } else {
                level.index += 1;
            }
            Ok(Some(None))
        }
    }
}

fn read(table: &Table, times: &Times) -> Result<i32, ScriptError> {
    match times {
        Times::Fixed(n) => Ok(*n),
        Times::Counter(counter) => table.get(*counter, Value::Nil).map_err(|error| ScriptError::flow(error.0)),
    }
}

fn show(table: &mut Table, counter: Option<CounterId>, iteration: i32) -> Result<(), ScriptError> {
    match counter {
        Some(counter) => table.set(counter, iteration, Value::Nil).map_err(|error| ScriptError::flow(error.0)),
        None => Ok(()),
    }
}
