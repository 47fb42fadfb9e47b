//! The data that the functions of one machine share: the catalog, the table while a hook runs, the budget, and the
//! running hooks.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use mlua::{Function, LuaString, Table as LuaTable, Value as LuaValue};
use principes_core::DecisionOption;
use principes_core::catalog::{Catalog, HookPointKind};
use principes_core::ids::*;
use principes_core::{KnownFrontier, LiveHook, Table};

use crate::error::ApiError;
use crate::host::running::{Request, Running};
use crate::host::selves::Selves;
use crate::host::spelling::{CardProp, Spelling};
use crate::host::watch::{Effect, EffectKind, Watch};
use crate::machine::budget::Budget;
use crate::machine::modules::Modules;
use crate::machine::raw;
use crate::machine::wire::Answer;
use crate::suggest::hint;

/// Shared by the functions of one machine.
pub struct Context {
    pub catalog: Arc<Catalog>,
    /// The number of handles of each type, by [`Value::handle_parts`].
    pub extents: [u32; HANDLE_TYPES],
    pub spelling: OnceCell<Spelling>,
    pub budget: Budget,
    pub modules: Modules,
    /// The table while a hook runs; otherwise an older table as a placeholder.
    pub table: RefCell<Option<Table>>,
    pub in_hook: Cell<bool>,
    /// An error of a fast path, until it is raised.
    pub raised: RefCell<Option<mlua::Error>>,
    pub hooks: Hooks,
    pub pending: Pending,
    /// The props that the current call requires of cards, as read on the fast path.
    pub wanted: RefCell<Vec<(CardProp, Value)>>,
    pub watch: RefCell<Option<Watch>>,
    pub frontier: RefCell<KnownFrontier>,
}

/// The hooks of a machine, and the running ones. The functions for them are in [`crate::host::hooks`].
pub struct Hooks {
    /// The running hooks. The last one is innermost, and is the source of decisions and errors.
    pub running: RefCell<Vec<Running>>,
    /// The number of query hooks and option functions that are running.
    pub pure: Cell<u32>,
    /// The function of each hook.
    pub functions: OnceCell<Vec<Function>>,
    /// The same for the host's Lua code, by number plus one.
    pub listed: OnceCell<LuaTable>,
    /// The number of runs of each hook.
    pub runs: Vec<Cell<u64>>,
    pub selves: Selves,
    pub spare: RefCell<Vec<Vec<LiveHook>>>,
}

/// The request of a script, and its reply.
pub struct Pending {
    /// What it waits for.
    pub request: RefCell<Option<Request>>,
    /// The options for its next decision.
    pub options: RefCell<Vec<DecisionOption>>,
    /// The keyword `pass`, if a pack has it.
    pub pass: Option<SymbolId>,
    /// The option that declines the decision, if there is one.
    pub declining: Cell<Option<SymbolId>>,
    /// The verb whose options are listed, for messages.
    pub listing: Cell<&'static str>,
    /// Takes a list of options.
    pub take_options: OnceCell<Function>,
    /// Calls a function that lists options, and takes them.
    pub options_of: OnceCell<Function>,
    /// The result of a movement, until the script that started it continues.
    pub march: RefCell<Vec<f64>>,
}

impl Context {
    pub fn new(catalog: Arc<Catalog>, modules: Modules) -> Self {
        let extents = extents(&catalog);
        let hooks = Hooks {
            running: RefCell::default(),
            pure: Cell::new(0),
            functions: OnceCell::new(),
            listed: OnceCell::new(),
            runs: vec![Cell::new(0); catalog.hooks.len()],
            selves: Selves::new(&catalog),
            spare: RefCell::default(),
        };
        let pending = Pending {
            request: RefCell::default(),
            options: RefCell::default(),
            pass: catalog.symbol("pass"),
            declining: Cell::new(None),
            listing: Cell::new("choose"),
            take_options: OnceCell::new(),
            options_of: OnceCell::new(),
            march: RefCell::default(),
        };
        Context {
            catalog,
            extents,
            spelling: OnceCell::new(),
            budget: Budget::default(),
            modules,
            table: RefCell::default(),
            in_hook: Cell::new(false),
            raised: RefCell::default(),
            hooks,
            pending,
            wanted: RefCell::default(),
            watch: RefCell::default(),
            frontier: RefCell::default(),
        }
    }

    /// Reads the table. The borrow must end before Lua runs again.
    pub fn read<T>(&self, look: impl FnOnce(&Table) -> T) -> mlua::Result<T> {
        match &*self.table.borrow() {
            Some(table) if self.in_hook.get() => Ok(look(table)),
            _ => Err(no_game()),
        }
    }

    /// Changes the table. The borrow must end before Lua runs again.
    pub fn write<T>(&self, change: impl FnOnce(&mut Table) -> T) -> mlua::Result<T> {
        match &mut *self.table.borrow_mut() {
            Some(table) if self.in_hook.get() => Ok(change(table)),
            _ => Err(no_game()),
        }
    }

    /// Records the request that a script waits for.
    pub fn request(&self, request: Request) -> mlua::Result<()> {
        self.read(|_| ())?;
        *self.pending.request.borrow_mut() = Some(request);
        Ok(())
    }

    /// Charges steps, for a function that loops.
    pub fn charge(&self, steps: u64) -> mlua::Result<()> {
        self.budget.charge(steps)
    }

    /// Charges for examining a number of things in the world. Few things are free.
    #[inline]
    pub fn scan(&self, things: usize) -> mlua::Result<()> {
        match (things / SCANNED) as u64 {
            0 => Ok(()),
            steps => self.charge(steps),
        }
    }

    /// Charges for examining everything on a space. If the game has few pieces, they are not counted.
    pub fn scan_space(&self, table: &Table, space: SpaceId) -> mlua::Result<()> {
        match self.catalog.pieces.len() < FEW {
            true => Ok(()),
            false => self.scan(table.world.on_space(space).count()),
        }
    }

    /// The keyword of a Lua string.
    #[inline]
    pub fn symbol(&self, text: &LuaString) -> Option<SymbolId> {
        self.spelling.get()?.symbol(text.to_pointer().addr())
    }

    /// The hook point with a name.
    pub fn point(&self, function: &str, name: &LuaString) -> mlua::Result<HookPointId> {
        let known = self.spelling.get().and_then(|spelling| spelling.point(name.to_pointer().addr()));
        known.ok_or_else(|| {
            let name = name.to_string_lossy();
            let hint = hint(&name, self.catalog.points.iter().map(|point| point.id.as_str()));
            ApiError::raise_with(format_args!("{function}: unknown hook point `{name}`"), hint)
        })
    }

    /// A hook point, which must have a kind and take a number of arguments.
    #[inline]
    pub fn taking(
        &self,
        function: &str,
        id: HookPointId,
        kind: HookPointKind,
        given: usize,
    ) -> mlua::Result<HookPointId> {
        let point = &self.catalog.points[id.index()];
        let name = &point.id;
        if point.kind != kind {
            return Err(ApiError::raise(match kind {
                HookPointKind::Query => format!("{function}: `{name}` is an effect point; use trigger or perform"),
                HookPointKind::Effect => format!("{function}: `{name}` is a query point; use query"),
            }));
        }
        if given > point.args.len() {
            let wants = point.args.join(", ");
            return Err(ApiError::raise(format!("{function}: `{name}` takes ({wants}), found {given} arguments")));
        }
        Ok(id)
    }

    /// The decision with a name.
    pub fn decision(&self, function: &str, name: &LuaString) -> mlua::Result<DecisionId> {
        let known = self.spelling.get().and_then(|spelling| spelling.decision(name.to_pointer().addr()));
        known.ok_or_else(|| {
            let name = name.to_string_lossy();
            let hint = hint(&name, self.catalog.decisions.iter().map(|decision| decision.id.as_str()));
            ApiError::raise_with(format_args!("{function}: unknown decision `{name}`"), hint)
        })
    }

    /// A value as a Lua value.
    #[inline]
    pub fn to_lua(&self, value: Value) -> LuaValue {
        self.spelling.get().map_or(LuaValue::Nil, |spelling| spelling.value(value))
    }

    /// The result of an API function, for mlua.
    pub fn give(&self, answer: Answer) -> LuaValue {
        match answer {
            Answer::Nil => LuaValue::Nil,
            Answer::Truth(truth) => LuaValue::Boolean(truth),
            Answer::Number(number) => LuaValue::Number(number),
            Answer::Word(word) => self.to_lua(Value::Symbol(word)),
        }
    }

    /// A list of handles as Lua numbers.
    pub fn many(&self, values: impl IntoIterator<Item = Value>) -> Vec<f64> {
        let mut list = raw::spare_list();
        // Internal iteration is faster for chains of filters.
        values.into_iter().for_each(|value| list.push(value.to_bits().into()));
        list
    }

    /// The entity whose hook runs; nil for the flow.
    pub fn source_now(&self) -> Value {
        self.hooks.running.borrow().last().map_or(Value::Nil, |running| running.source)
    }

    /// Skips events from before a script continues.
    pub fn watch_from_here(&self) {
        if let (Some(watch), Some(table)) = (&mut *self.watch.borrow_mut(), &*self.table.borrow()) {
            watch.skip(&table.events);
        }
    }

    /// Records the events since the last time as effects of the innermost hook.
    pub fn note_effects(&self, more: Option<EffectKind>) {
        let mut watch = self.watch.borrow_mut();
        if let (Some(watch), Some(table)) = (&mut *watch, &*self.table.borrow()) {
            watch.note(&table.events, more, self.hooks.running.borrow().last());
        }
    }

    /// Records effects of hooks from now on, and returns those recorded so far.
    pub fn effects(&self) -> Vec<Effect> {
        self.watch.borrow_mut().get_or_insert_default().take()
    }
}

/// The number of things in the world that may be examined for one step.
const SCANNED: usize = 32;
/// Up to this many pieces are few.
const FEW: usize = 1024;

/// The numbers for [`Context::extents`].
fn extents(catalog: &Catalog) -> [u32; HANDLE_TYPES] {
    let types = HandleType::ALL.iter().map(|of| (of.value(0), catalog.count(*of)));
    let mut extents = [0; HANDLE_TYPES];
    for (value, count) in types.chain([(Value::Nil, 1)]) {
        if let Some((tag, _)) = Value::handle_parts(value.to_bits()) {
            extents[tag] = count as u32;
        }
    }
    extents
}

fn no_game() -> mlua::Error {
    ApiError::raise("there is no game while modules load: call this inside a function")
}
