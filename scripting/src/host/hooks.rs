//! Hooks: where they come from, in which order they run, and what their results mean. This is the contract that other
//! files must keep.
//!
//! # Where a hook comes from
//!
//! A card design or a rule names a function for a hook point. A hook is *live*
//!
//! - as a hook of a rule, if the rule has no owner, or belongs to the faction of a seat that is still playing;
//! - as a hook of a card, while the card is in an `active` zone of the game, or of a seat that is still playing.
//!
//! The owner of a hook is the faction of its rule, or the seat whose zone the card is in. The world counts the cards
//! that listen to each point, so that a point without listeners costs one comparison.
//! ([`principes_core::Table::live_hooks`] makes the list.)
//!
//! Instead of a function, a hook may be a change of the value (`{"add": 1}`, [`principes_core::catalog::Change`]). It
//! is a query hook like any other, except that no script runs.
//!
//! A function of the flow (a phase, a scenario) is also a hook. It has no `self` and no owner, and runs only from its
//! frame. [`perform`](crate::api) runs a hook of one entity, live or not.
//!
//! # In which order hooks run
//!
//! By priority, lowest first. Default: 0. Hooks of the same priority: those without an owner, and then seat by seat in
//! turn order. For each owner, rules come first, in the order of the packs, then cards, zone by zone in the order of
//! the packs, top first.
//!
//! The list is made when the point is triggered. What becomes live in the meantime does not run. What is no longer live
//! when its turn comes does not run either, unless the hook declares `"stays": true`: a card that an earlier hook has
//! discarded no longer acts. Hooks that a hook triggers run inside it, to their end, before it continues, at most 64 levels
//! deep. The kernel's own points (`control.changed`, `space.vacated`) wait for the next pause.
//!
//! # What goes in, and what results mean
//!
//! - A *query hook* is `function(self, value, owner, ...)`. It returns the new value, a whole number (true and false
//!   count as 1 and 0), which is the value for the next hook. The value of the last hook is the result of the query.
//!   Any other result is an error of the hook. A query hook may only read: changing the game or asking for a decision is
//!   an error.
//! - An *effect hook* is `function(self, owner, ...)`. Its result is ignored. It may change the game and ask for
//!   decisions. While it waits for an answer, the whole chain of hooks above it waits in the same coroutine.
//!
//! `self` is frozen. It contains `id`, `owner`, the `card` if the hook belongs to one, and each param under its name.
//!
//! An error ends every running hook, and the game returns to its state before the answer that led there. If a script
//! catches the error with `pcall`, only the hooks inside that call end.
//!
//! # Who does what
//!
//! The kernel starts an effect hook in a coroutine ([`crate::LuaHost`]) and runs a query with [`Context::query`]. Hooks
//! that a script triggers run in its own coroutine: the loops are in `api/hooks.rs`. All of them ask
//! [`Context::begin_all`] and [`Context::next_hook`] which hook is next.

use std::rc::Rc;

use mlua::{Function, Lua, Table as LuaTable, Value as LuaValue};
use principes_core::LiveHook;
use principes_core::catalog::HookSource;
use principes_core::ids::*;
use principes_core::scripts::ScriptErrorKind;

use crate::error::say;
use crate::error::{ApiError, ScriptLocation};
use crate::host::context::Context;
use crate::host::running::Running;
use crate::host::values::whole;
use crate::machine::wire::NextHook;

/// The greatest depth of nested hooks.
const DEEPEST: usize = 64;

// Which hook runs -----------------------------------------------------------------------------------------------------

impl Context {
    /// Begins the live hooks of a point. `asked` is the point, if a script queries a value.
    pub fn begin_all(&self, point: HookPointId, asked: Option<HookPointId>) -> mlua::Result<Option<NextHook>> {
        if !self.read(|table| table.anyone_listens(point))? {
            return Ok(None);
        }
        let mut hooks = self.spare();
        self.read(|table| table.live_hooks(point, &mut hooks))?;
        hooks.reverse();
        self.begin(hooks, asked)
    }

    /// Begins the hook of an entity for a point, live or not.
    pub fn begin_own(
        &self,
        entity: Value,
        point: HookPointId,
        owner: Option<FactionId>,
    ) -> mlua::Result<Option<NextHook>> {
        let Some(hook) = self.read(|table| table.own_hook(entity, point))? else { return Ok(None) };
        let card = match entity {
            Value::Card(card) => Some(card),
            _ => None,
        };
        let mut hooks = self.spare();
        hooks.push(LiveHook { hook, owner, card, priority: 0 });
        self.begin(hooks, None)
    }

    /// Begins the last of these hooks. The hooks before it follow.
    fn begin(&self, mut hooks: Vec<LiveHook>, asked: Option<HookPointId>) -> mlua::Result<Option<NextHook>> {
        let Some(next) = hooks.pop() else {
            self.hooks.spare.borrow_mut().push(hooks);
            return Ok(None);
        };
        let source = self.source(next.hook, next.card);
        self.count_run(next.hook);
        let looks = asked.is_some();
        self.go_deeper(Running { hook: next.hook, source, owner: next.owner, asked, looks, rest: hooks })?;
        let this = self.hooks.selves.number_of(&self.catalog, source, next.owner);
        Ok(Some(NextHook { hook: next.hook, this, owner: next.owner }))
    }

    /// Ends the innermost hook, and begins the next one of its point, if there is one.
    pub fn next_hook(&self) -> mlua::Result<Option<NextHook>> {
        self.note_effects(None);
        let Some(mut ended) = self.hooks.running.borrow_mut().pop() else { return Ok(None) };
        self.looks_again(&ended);
        // Query hooks move nothing.
        if ended.asked.is_none() && !ended.rest.is_empty() {
            self.read(|table| {
                while ended.rest.last().is_some_and(|next| !table.still_runs(next)) {
                    ended.rest.pop();
                }
            })?;
        }
        self.begin(ended.rest, ended.asked)
    }

    /// Begins an inner hook.
    fn go_deeper(&self, hook: Running) -> mlua::Result<()> {
        self.note_effects(None);
        let mut running = self.hooks.running.borrow_mut();
        if running.len() >= DEEPEST {
            return Err(ApiError::raise(format!("hooks call each other more than {DEEPEST} levels deep")));
        }
        if hook.looks {
            self.hooks.pure.set(self.hooks.pure.get() + 1);
        }
        running.push(hook);
        Ok(())
    }

    /// Removes the running hooks that an error has ended.
    pub fn unwind(&self, depth: usize) {
        let mut running = self.hooks.running.borrow_mut();
        while running.len() > depth {
            running.pop().iter().for_each(|ended| self.looks_again(ended));
        }
    }

    /// After a hook that may only read, its caller has its previous permissions again.
    fn looks_again(&self, ended: &Running) {
        if ended.looks {
            self.hooks.pure.set(self.hooks.pure.get().saturating_sub(1));
        }
    }

    /// Logs a message of the innermost hook.
    pub fn log(&self, key: SymbolId, args: Args) -> mlua::Result<()> {
        let hook = self.hooks.running.borrow().last().map(|running| running.hook);
        self.write(|table| table.log(key, args, hook))
    }

    /// Runs `inside` with changes and decisions forbidden.
    pub fn purely<T>(&self, inside: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
        let depth = self.hooks.pure.get();
        self.hooks.pure.set(depth + 1);
        let result = inside();
        self.hooks.pure.set(depth);
        result
    }

    /// Begins to list options, which may only read.
    pub fn begin_listing(&self) -> mlua::Result<()> {
        let innermost =
            self.hooks.running.borrow().last().map(|&Running { hook, source, owner, .. }| (hook, source, owner));
        let Some((hook, source, owner)) = innermost else { return Err(ApiError::raise("no hook is running")) };
        self.go_deeper(Running { looks: true, ..Running::new(hook, source, owner) })
    }

    /// Ends listing options.
    pub fn end_listing(&self) {
        if let Some(ended) = self.hooks.running.borrow_mut().pop() {
            self.looks_again(&ended);
        }
    }

    /// An empty list, which may be a reused one.
    fn spare(&self) -> Vec<LiveHook> {
        self.hooks.spare.borrow_mut().pop().unwrap_or_default()
    }
}

// The arguments of hooks -----------------------------------------------------------------------------------------------

impl Context {
    /// The entity of a hook.
    pub fn source(&self, hook: HookId, card: Option<CardId>) -> Value {
        match (card, self.catalog.hooks[hook.index()].source) {
            (Some(card), _) => Value::Card(card),
            (None, HookSource::Design(design)) => Value::Design(design),
            (None, HookSource::Rule(rule)) => Value::Rule(rule),
            (None, HookSource::Flow) => Value::Nil,
        }
    }

    /// The `self` of a hook.
    pub fn self_of(&self, lua: &Lua, source: Value, owner: Option<FactionId>) -> mlua::Result<Rc<LuaTable>> {
        self.self_at(lua, self.hooks.selves.number_of(&self.catalog, source, owner))
    }

    /// The `self` with a number.
    pub fn self_at(&self, lua: &Lua, number: u32) -> mlua::Result<Rc<LuaTable>> {
        let spelling = self.spelling.get().ok_or_else(|| ApiError::raise("the machine is not ready"))?;
        self.hooks.selves.table(lua, &self.catalog, spelling, number)
    }

    /// The function of a hook that is about to run on its own, which is counted.
    pub fn function_to_run(&self, hook: HookId) -> mlua::Result<&Function> {
        self.count_run(hook);
        self.function(hook)
    }

    fn function(&self, hook: HookId) -> mlua::Result<&Function> {
        let known = self.hooks.functions.get().and_then(|list| list.get(hook.index()));
        known.ok_or_else(|| ApiError::raise("the hook is not part of this catalog"))
    }

    /// Counts a run of a hook.
    fn count_run(&self, hook: HookId) {
        if let Some(runs) = self.hooks.runs.get(hook.index()) {
            runs.set(runs.get() + 1);
        }
    }

    /// The location where the function of a hook begins.
    pub fn place_of(&self, hook: HookId) -> Option<ScriptLocation> {
        let about = self.hooks.functions.get()?.get(hook.index())?.info();
        Some(ScriptLocation {
            module: about.source?.strip_prefix('@')?.to_owned(),
            line: u32::try_from(about.line_defined?).ok()?,
        })
    }
}

// Queries of the kernel -----------------------------------------------------------------------------------------------

impl Context {
    /// Runs all live query hooks of a point over a value.
    pub fn query(&self, lua: &Lua, point: HookPointId, mut value: i32, args: &[Value]) -> mlua::Result<i32> {
        let mut next = self.begin_all(point, Some(point))?;
        while let Some(NextHook { hook, this, owner }) = next {
            value = match &self.catalog.hooks[hook.index()].change {
                Some(change) => change.apply(value, owner, args),
                None => self.ask_hook(hook, &*self.self_at(lua, this)?, (value, owner), args)?,
            };
            next = self.next_hook()?;
        }
        Ok(value)
    }

    /// Calls the function of a query hook that has begun.
    fn ask_hook(
        &self,
        hook: HookId,
        this: &LuaTable,
        (value, owner): (i32, Option<FactionId>),
        args: &[Value],
    ) -> mlua::Result<i32> {
        let function = self.function(hook)?;
        let owner = self.to_lua(owner.map_or(Value::Nil, Value::Faction));
        let arg = |at: usize| self.to_lua(args[at]);
        let result: LuaValue = match args.len() {
            0 => function.call((this, value, owner))?,
            1 => function.call((this, value, owner, arg(0)))?,
            2 => function.call((this, value, owner, (arg(0), arg(1))))?,
            3 => function.call((this, value, owner, (arg(0), arg(1), arg(2))))?,
            _ => function.call((this, value, owner, (arg(0), arg(1), arg(2), arg(3))))?,
        };
        whole(&result).ok_or_else(|| self.answered_wrongly(&result))
    }

    /// The error if a query hook does not return a whole number. It belongs to the hook, not to the line that queried.
    fn no_number(&self, point: HookPointId, hook: HookId, result: &LuaValue) -> mlua::Error {
        let id = &self.catalog.points[point.index()].id;
        let message = format!("a hook of `{id}` must return a whole number, found {}", say(result));
        let error = ApiError::new(ScriptErrorKind::Runtime, message);
        mlua::Error::external(ApiError { place: self.place_of(hook), ..error })
    }

    /// The error of a query hook that a script queried.
    pub fn answered_wrongly(&self, result: &LuaValue) -> mlua::Error {
        match self.hooks.running.borrow().last() {
            Some(Running { hook, asked: Some(point), .. }) => self.no_number(*point, *hook, result),
            _ => ApiError::raise("no query hook is running"),
        }
    }
}
