//! [`LuaHost`]: the kernel's interface to scripts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use mlua::Lua;
use principes_core::DecisionOption;
use principes_core::MoveResult;
use principes_core::catalog::{Catalog, HookSource};
use principes_core::ids::*;
use principes_core::scripts::{Reply, ScriptError, ScriptErrorKind, Scripts, Step};
use principes_core::{LiveHook, Table};

use crate::api::choices::list_options;
use crate::assembly;
use crate::error::{ApiError, describe, file_of};
use crate::host::context::Context;
use crate::host::running::{Request, Running};
use crate::host::suspension::{Live, Suspended};
use crate::host::trace::Traces;
use crate::host::vm::Vm;
use crate::host::watch::{Effect, EffectKind};
use crate::machine::budget::{ALONE_LIMIT, MEMORY_LIMIT, STEP_BUDGET};
use crate::machine::modules::LineHits;
use crate::machine::raw::Coroutine;
use crate::machine::steps;
use crate::machine::wire::Answer;
use crate::source::ScriptSource;

/// A script host on Luau. Use one per thread; it serves any number of games of one catalog. Clones share it.
#[derive(Clone)]
pub struct LuaHost {
    inner: Rc<Inner>,
}

struct Inner {
    catalog: Arc<Catalog>,
    sources: Vec<ScriptSource>,
    traces: Traces,
    /// The machine. It is replaced if it runs out of memory.
    vm: RefCell<Option<Rc<Vm>>>,
    /// Whether new machines are for a single game.
    secluded: Cell<bool>,
    /// The steps of all calls, and the most steps of one call since the last reading.
    steps: Cell<u64>,
    most_steps: Cell<u64>,
    /// The steps of the last call.
    last_steps: Cell<u64>,
    /// The number of runs of each hook on previous machines.
    past_runs: RefCell<Vec<u64>>,
    counts_lines: bool,
    /// The number of runs of each line on previous machines.
    past_hits: RefCell<LineHits>,
    steps_in_all: Cell<u64>,
}

impl LuaHost {
    /// Compiles every module and finds the function of every hook of the catalog. Reports all errors, not only the
    /// first.
    pub fn new(catalog: Arc<Catalog>, sources: &[ScriptSource]) -> Result<LuaHost, Vec<ScriptError>> {
        LuaHost::build(catalog, sources, false)
    }

    /// Like [`LuaHost::new`], but counts how often each line runs. It is a little slower.
    pub fn counting_lines(catalog: Arc<Catalog>, sources: &[ScriptSource]) -> Result<LuaHost, Vec<ScriptError>> {
        LuaHost::build(catalog, sources, true)
    }

    fn build(catalog: Arc<Catalog>, sources: &[ScriptSource], counts_lines: bool) -> Result<LuaHost, Vec<ScriptError>> {
        let vm = assembly::build(&catalog, sources, counts_lines, MEMORY_LIMIT)?;
        let inner = Inner {
            catalog,
            sources: sources.to_vec(),
            traces: Traces::default(),
            vm: RefCell::new(Some(Rc::new(vm))),
            secluded: Cell::new(false),
            steps: Cell::new(0),
            most_steps: Cell::new(0),
            last_steps: Cell::new(0),
            past_runs: RefCell::default(),
            counts_lines,
            past_hits: RefCell::default(),
            steps_in_all: Cell::default(),
        };
        Ok(LuaHost { inner: Rc::new(inner) })
    }

    /// Whether it counts how often each line runs.
    pub fn counts_lines(&self) -> bool {
        self.inner.counts_lines
    }

    /// The catalog of this host.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.inner.catalog
    }

    /// The steps that the last call took.
    pub fn steps_used(&self) -> u64 {
        self.inner.last_steps.get()
    }

    /// Makes the next call use a new machine.
    fn leave_machine(&self) {
        *self.inner.past_runs.borrow_mut() = self.hook_runs();
        *self.inner.past_hits.borrow_mut() = self.line_hits();
        *self.inner.vm.borrow_mut() = None;
    }

    /// A call that only reads. If memory has run out, other games may have used it, so the call runs once more without
    /// them.
    fn looking<T>(
        &self,
        table: &mut Table,
        call: impl Fn(&Self, &mut Table) -> Result<T, ScriptError>,
    ) -> Result<T, ScriptError> {
        let before = self.inner.steps.get();
        match call(self, table) {
            Err(error) if error.kind == ScriptErrorKind::Memory && self.seclude(true) => {
                self.inner.steps.set(before);
                let result = call(self, table);
                self.seclude(false);
                result
            }
            result => result,
        }
    }

    /// The steps of all calls in this host and its clones.
    pub fn steps_in_all(&self) -> u64 {
        self.inner.steps_in_all.get()
    }

    /// The number of runs of each hook in this host and its clones, by [`HookId`].
    pub fn hook_runs(&self) -> Vec<u64> {
        let mut runs = self.inner.past_runs.borrow().clone();
        runs.resize(self.inner.catalog.hooks.len(), 0);
        if let Some(vm) = &*self.inner.vm.borrow() {
            for (sum, now) in runs.iter_mut().zip(&vm.context.hooks.runs) {
                *sum += now.get();
            }
        }
        runs
    }

    /// Records the effects of hooks from now on, if the game records its events. Returns the effects since the last
    /// call, including those of calls that failed. A script that was rebuilt has repeated all its effects.
    pub fn watch(&self) -> Vec<Effect> {
        self.vm().map(|vm| vm.context.effects()).unwrap_or_default()
    }

    /// The number of runs of each line with code in this host and its clones, including loading: by module and line
    /// from 1. Empty if the host does not count lines.
    pub fn line_hits(&self) -> LineHits {
        let mut hits = self.inner.past_hits.borrow().clone();
        if let Some(vm) = &*self.inner.vm.borrow() {
            vm.context.modules.add_line_hits(&mut hits);
        }
        hits
    }

    fn vm(&self) -> Result<Rc<Vm>, ScriptError> {
        if let Some(vm) = &*self.inner.vm.borrow() {
            return Ok(vm.clone());
        }
        let Inner { catalog, sources, counts_lines, .. } = &*self.inner;
        let memory = if self.inner.secluded.get() { ALONE_LIMIT } else { MEMORY_LIMIT };
        let built = assembly::build(catalog, sources, *counts_lines, memory);
        let vm = Rc::new(built.map_err(|errors| {
            errors.into_iter().next().unwrap_or_else(|| ScriptError::flow("cannot load the scripts again"))
        })?);
        *self.inner.vm.borrow_mut() = Some(vm.clone());
        Ok(vm)
    }

    /// Runs `call` with the table in place, a full budget, and no errors or running hooks of earlier calls.
    fn enter<T>(
        &self,
        vm: &Rc<Vm>,
        table: &mut Table,
        running: Vec<Running>,
        call: impl FnOnce(&Context, &Lua) -> mlua::Result<T>,
    ) -> Result<T, ScriptError> {
        let context = &*vm.context;
        if context.in_hook.get() {
            return Err(ScriptError::flow("the scripts of this game are running already"));
        }
        context.budget.begin(&vm.lua);
        context.budget.unlatch();
        context.hooks.pure.set(0);
        *context.pending.request.borrow_mut() = None;
        context.pending.options.borrow_mut().clear();
        *context.hooks.running.borrow_mut() = running;
        let result = {
            let _seat = Seated::put(context, table);
            call(context, &vm.lua)
        };
        let taken = STEP_BUDGET - steps::left();
        let Inner { last_steps, steps: sum, most_steps, .. } = &*self.inner;
        last_steps.set(taken);
        sum.set(sum.get() + taken);
        most_steps.set(most_steps.get().max(taken));
        self.inner.steps_in_all.set(self.inner.steps_in_all.get() + taken);
        let latched = context.budget.unlatch();
        let error = match (result, latched) {
            (Ok(value), None) => return Ok(value),
            (Err(error), None) => error,
            // A script may have caught this error and failed later. The first error counts.
            (Err(error), Some(latched)) if latched.place.is_none() && describe(&error).kind == latched.kind => error,
            (_, Some(latched)) => mlua::Error::external(latched),
        };
        let mut described = describe(&error);
        let trace = self.inner.traces.complete(std::mem::take(&mut described.trace), &self.inner.sources);
        let hook = context.hooks.running.borrow().last().map(|running| running.hook);
        if described.kind == ScriptErrorKind::Memory {
            self.leave_machine();
        }
        let mut error = ScriptError { steps: taken, trace, ..described.into_error(hook, &self.inner.sources) };
        if error.file.is_none()
            && let Some(place) = hook.and_then(|hook| context.place_of(hook))
        {
            // The location is unknown, for example if memory has run out. Point at the hook.
            (error.file, error.line) = (Some(file_of(&place.module, &self.inner.sources)), Some(place.line));
        }
        Err(error)
    }

    /// Begins a hook in a coroutine. Returns false if it has finished.
    fn begin(
        &self,
        vm: &Vm,
        context: &Context,
        coroutine: &Coroutine,
        hook: &LiveHook,
        args: &[Value],
    ) -> mlua::Result<bool> {
        let args = Few::of(args.iter().copied());
        if self.inner.catalog.hooks[hook.hook.index()].source == HookSource::Flow {
            return vm.stage.start(coroutine, hook.hook, None, &args);
        }
        let this = context.self_of(&vm.lua, context.source(hook.hook, hook.card), hook.owner)?;
        let owner = hook.owner.map_or(Value::Nil, Value::Faction);
        vm.stage.start(coroutine, hook.hook, Some((&this, owner.into())), &args)
    }

    /// Runs a coroutine until it waits or has finished. `run` returns whether it waits.
    fn go(
        &self,
        live: &mut Live,
        frame: u32,
        vm: &Rc<Vm>,
        table: &mut Table,
        running: Vec<Running>,
        run: impl FnOnce(&Context) -> mlua::Result<(Coroutine, bool)>,
    ) -> Result<Step, ScriptError> {
        self.enter(vm, table, running, |context, _| {
            context.watch_from_here();
            let (coroutine, rests) = run(context)?;
            context.note_effects(match &*context.pending.request.borrow() {
                Some(Request::Move(_)) => Some(EffectKind::Move),
                Some(Request::Fight(_)) => Some(EffectKind::Fight),
                Some(Request::Ask(..)) | None => None,
            });
            if !rests {
                vm.give_back(coroutine);
                return Ok(Step::Done);
            }
            let step = match context.pending.request.borrow_mut().take() {
                Some(Request::Ask(decision)) => Step::Ask(decision),
                Some(Request::Move(order)) => Step::Move(order),
                Some(Request::Fight(order)) => Step::Fight(order),
                None => return Err(ApiError::raise("a script stopped without a decision")),
            };
            let running = std::mem::take(&mut *context.hooks.running.borrow_mut());
            let declining = context.pending.declining.take();
            live.keep(frame, Suspended { coroutine, running, declining, vm: vm.clone() });
            Ok(step)
        })
    }
}

/// A few values for a script, without allocation.
struct Few {
    values: [Answer; 8],
    len: usize,
}

impl Few {
    fn of(list: impl IntoIterator<Item = Value>) -> Self {
        let mut few = Few { values: [Answer::Nil; 8], len: 0 };
        for (place, value) in few.values.iter_mut().zip(list) {
            *place = value.into();
            few.len += 1;
        }
        few
    }
}

impl std::ops::Deref for Few {
    type Target = [Answer];
    fn deref(&self) -> &[Answer] {
        &self.values[..self.len]
    }
}

impl Scripts for LuaHost {
    type Live = Live;

    fn start(
        &self,
        live: &mut Live,
        frame: u32,
        hook: LiveHook,
        args: &[Value],
        table: &mut Table,
    ) -> Result<Step, ScriptError> {
        let vm = self.vm()?;
        let source = vm.context.source(hook.hook, hook.card);
        // Reuses the list of the last call.
        let mut running = vm.context.hooks.running.take();
        running.clear();
        running.push(Running::new(hook.hook, source, hook.owner));
        self.go(live, frame, &vm, table, running, |context| {
            let coroutine = vm.coroutine(context.function_to_run(hook.hook)?)?;
            let rests = self.begin(&vm, context, &coroutine, &hook, args)?;
            Ok((coroutine, rests))
        })
    }

    fn resume(&self, live: &mut Live, frame: u32, reply: &Reply, table: &mut Table) -> Result<Step, ScriptError> {
        let Some(Suspended { coroutine, running, declining, vm }) = live.take(frame) else {
            return Err(ScriptError::flow("cannot resume a script that is not suspended"));
        };
        self.go(live, frame, &vm, table, running, |context| {
            let stage = &vm.stage;
            let rests = match reply {
                Reply::Answer(None) => stage.resume(&coroutine, &[Answer::Nil])?,
                Reply::Answer(Some(choice)) if choice.verb.is_some() && choice.verb == declining => {
                    stage.resume(&coroutine, &[Answer::Nil])?
                }
                Reply::Answer(Some(choice)) => {
                    let verb = choice.verb.map(Value::Symbol);
                    let values = verb.into_iter().chain(choice.args.iter().copied());
                    stage.resume(&coroutine, &Few::of(values))?
                }
                Reply::Moved(result) => {
                    *context.pending.march.borrow_mut() = moved(context, result);
                    stage.resume(&coroutine, &[])?
                }
                Reply::Fought(side) => stage.resume(&coroutine, &[Answer::Word(*side)])?,
            };
            Ok((coroutine, rests))
        })
    }

    fn reopen(
        &self,
        live: &mut Live,
        frame: u32,
        table: &mut Table,
    ) -> Result<Option<Vec<DecisionOption>>, ScriptError> {
        let Some(suspended) = live.get(frame) else {
            return Err(ScriptError::flow("cannot list the options of a script that is not suspended"));
        };
        let vm = &suspended.vm;
        self.enter(vm, table, suspended.running.clone(), |context, _| {
            let lists = vm.stage.left_with(&suspended.coroutine)?;
            let Some(function) = lists else { return Ok(None) };
            let mut options = list_options(context, "choose", &function, [])?;
            options.extend(suspended.declining.map(|pass| DecisionOption::verb(pass, &[])));
            Ok(Some(options))
        })
    }

    fn query(&self, point: HookPointId, value: i32, args: &[Value], table: &mut Table) -> Result<i32, ScriptError> {
        if !table.anyone_listens(point) {
            return Ok(value);
        }
        self.looking(table, |host, table| {
            let vm = host.vm()?;
            host.enter(&vm, table, Vec::new(), |context, lua| context.query(lua, point, value, args))
        })
    }

    fn options(&self, hook: HookId, args: &[Value], table: &mut Table) -> Result<Vec<DecisionOption>, ScriptError> {
        self.looking(table, |host, table| {
            let vm = host.vm()?;
            let running = vec![Running::new(hook, vm.context.source(hook, None), None)];
            host.enter(&vm, table, running, |context, _| {
                let args = args.iter().map(|value| context.to_lua(*value));
                list_options(context, "options", context.function_to_run(hook)?, args)
            })
        })
    }

    fn steps(&self) -> u64 {
        self.inner.steps.get()
    }

    fn take_most_steps(&self) -> u64 {
        self.inner.most_steps.take()
    }

    fn seclude(&self, on: bool) -> bool {
        if self.inner.secluded.replace(on) == on {
            return false;
        }
        self.leave_machine();
        true
    }
}

/// Puts the table where API functions find it, until this is dropped.
struct Seated<'a> {
    context: &'a Context,
    table: &'a mut Table,
}

impl<'a> Seated<'a> {
    fn put(context: &'a Context, table: &'a mut Table) -> Self {
        // The first table is cloned as a placeholder. From then on, tables are only swapped.
        context.table.borrow_mut().get_or_insert_with(|| table.clone());
        let mut seated = Seated { context, table };
        seated.swap();
        context.in_hook.set(true);
        seated
    }
    fn swap(&mut self) {
        if let Ok(mut place) = self.context.table.try_borrow_mut()
            && let Some(place) = &mut *place
        {
            std::mem::swap(place, self.table);
        }
    }
}

impl Drop for Seated<'_> {
    fn drop(&mut self) {
        self.context.in_hook.set(false);
        self.swap();
    }
}

/// The result of a movement for the prelude: the number of moves, the destination and the previous controller of each,
/// and then each moved piece with its origin and destination.
fn moved(context: &Context, result: &MoveResult) -> Vec<f64> {
    let ended = result.ended.iter().zip(&result.before);
    let ended = ended.flat_map(|(at, seat)| [Value::Space(*at), seat.map_or(Value::Nil, Value::Faction)]);
    let moved = result.moved.iter();
    let moved = moved.flat_map(|(piece, from, to)| [Value::Piece(*piece), Value::Space(*from), Value::Space(*to)]);
    context.many(std::iter::once(Value::Int(result.ended.len() as i32)).chain(ended).chain(moved))
}
