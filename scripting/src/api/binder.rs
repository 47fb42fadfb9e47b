//! Makes Lua functions from verbs. On the fast path, arguments are read in place. The slow path goes through mlua and
//! handles everything else, including all error messages.

use std::rc::Rc;

use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Table as LuaTable, Value as LuaValue, Variadic};
use principes_core::scripts::ScriptErrorKind;

use crate::api::args::{Args, ParamShapes, WantedFields};
use crate::api::entry::{Entry, VerbBody};
use crate::api::fields::refuse_fields;
use crate::api::options::MOST_OPTIONS;
use crate::error::ApiError;
use crate::host::context::Context;
use crate::machine::raw::{self, CallArgs};
use crate::machine::wire::{CallOutcome, Shape};
use crate::types::Ty;

/// Binds verbs and helpers to one machine.
pub(crate) struct Binder {
    pub(crate) context: Rc<Context>,
    pub(crate) lua: Lua,
    /// The values that the host's Lua code sees and scripts never do.
    pub(crate) host: LuaTable,
    /// The string of each keyword, at its number plus one.
    pub(crate) words: LuaTable,
    /// Raises the error that the fast path recorded.
    raise: Function,
}

/// The fast path of a function.
struct Shortcut<F> {
    context: Rc<Context>,
    shape: Shape,
    rests: bool,
    run: F,
}

impl<F: Fn(&Context, &CallArgs) -> mlua::Result<CallOutcome> + 'static> raw::FastPath for Shortcut<F> {
    #[inline]
    fn shape(&self) -> Shape {
        self.shape
    }
    #[inline]
    fn rests(&self) -> bool {
        self.rests
    }
    #[inline]
    fn run(&self, given: &CallArgs) -> CallOutcome {
        (self.run)(&self.context, given).unwrap_or_else(|error| {
            self.context.raised.replace(Some(error));
            CallOutcome::Failed
        })
    }
}

impl Binder {
    pub(crate) fn new(context: &Rc<Context>, lua: &Lua) -> mlua::Result<Self> {
        let c = context.clone();
        let raise = lua.create_function(move |_, ()| -> mlua::Result<()> {
            raw::resume_panic();
            Err(c.raised.take().unwrap_or_else(|| ApiError::raise("a function failed without an error message")))
        })?;
        let words = lua.create_sequence_from(context.catalog.symbols.iter())?;
        Ok(Binder { context: context.clone(), lua: lua.clone(), host: lua.create_table()?, words, raise })
    }

    /// A function with a fast path. `slow` is the same function through mlua.
    fn function<F>(&self, shortcut: Shortcut<F>, slow: Function) -> mlua::Result<Function>
    where
        F: Fn(&Context, &CallArgs) -> mlua::Result<CallOutcome> + 'static,
    {
        raw::function(&self.lua, shortcut, slow, &self.raise, &self.words)
    }

    /// Provides a function to the host's Lua code. `slow` is called with arguments that the fast path does not read.
    pub(crate) fn helper<F>(&self, name: &str, shape: Shape, run: F, slow: Function) -> mlua::Result<()>
    where
        F: Fn(&Context, &CallArgs) -> mlua::Result<CallOutcome> + 'static,
    {
        let shortcut = Shortcut { context: self.context.clone(), shape, rests: false, run };
        self.host.raw_set(name, self.function(shortcut, slow)?)
    }

    /// The same, for a function that accepts any arguments.
    pub(crate) fn sure_helper<F>(&self, name: &str, run: F) -> mlua::Result<()>
    where
        F: Fn(&Context, &CallArgs) -> mlua::Result<CallOutcome> + 'static,
    {
        let never = |_: &Lua, ()| Err::<(), _>(ApiError::raise("the host called a helper with wrong arguments"));
        self.helper(name, Shape::Closed, run, self.lua.create_function(never)?)
    }

    /// The function of a verb.
    pub(crate) fn verb(&self, entry: &'static Entry) -> mlua::Result<Function> {
        self.bind(entry, false)
    }

    /// The function of a verb that asks for a decision. It also takes the fields of the decision. The coroutine then
    /// rests until there is an answer.
    pub(crate) fn resting_verb(&self, entry: &'static Entry) -> mlua::Result<Function> {
        self.bind(entry, true)
    }

    fn bind(&self, entry: &'static Entry, asks: bool) -> mlua::Result<Function> {
        let slow = self.slow(entry)?;
        if matches!(entry.run, VerbBody::Machine(_) | VerbBody::Checks(_)) {
            return Ok(slow);
        }
        let fields = entry.fields().map(|fields| WantedFields::new(&self.context, entry.name, fields)).transpose()?;
        let wanted = ParamShapes::new(&self.context, entry.params);
        let rests = asks || matches!(entry.run, VerbBody::Rests(_));
        let shape = match entry.params.iter().any(|param| param.ty.is_table()) {
            true if asks => Shape::ListAndFields(MOST_OPTIONS),
            true => Shape::Fields,
            false => Shape::Closed,
        };
        let run = move |c: &Context, given: &CallArgs| {
            let mut args = Args::of(entry.name, given);
            let can_read = match &fields {
                Some(fields) => args.read_fields(c, given, fields),
                None => args.read(c, given, &wanted),
            };
            if can_read.is_none() {
                return Ok(CallOutcome::SlowPath);
            }
            enter(entry, c)?;
            match entry.run {
                VerbBody::One(run) | VerbBody::Rests(run) => given.give(run(c, &args)?),
                VerbBody::Two(run) => {
                    let (first, second) = run(c, &args)?;
                    given.give(first);
                    given.give(second);
                }
                VerbBody::Many(run) => return run(c, &args).map(CallOutcome::List),
                VerbBody::Pairs(run) => return run(c, &args).map(CallOutcome::Pairs),
                VerbBody::Asks(run) => match run(c, &args)? {
                    Some(answer) => given.give(answer),
                    None => return Ok(CallOutcome::SlowPath),
                },
                VerbBody::Hooks(run) => given.give_next(run(c, &args)?),
                VerbBody::Machine(_) | VerbBody::Checks(_) => return Ok(CallOutcome::SlowPath),
            }
            Ok(CallOutcome::Done)
        };
        self.function(Shortcut { context: self.context.clone(), shape, rests, run }, slow)
    }

    /// The same function through mlua, for arguments that the fast path does not read. For a function of fields, it
    /// only raises the error.
    fn slow(&self, entry: &'static Entry) -> mlua::Result<Function> {
        let c = self.context.clone();
        if let Some(fields) = entry.fields() {
            return self.lua.create_function(move |_, (table, extra): (LuaValue, LuaValue)| {
                let raw = [table, extra];
                let args = Args::check(&c, entry.name, entry.params, &raw)?;
                refuse_fields(&c, &args, fields)?;
                Err::<(), _>(args.refuse("cannot read these fields"))
            });
        }
        match entry.run {
            VerbBody::One(run) | VerbBody::Checks(run) | VerbBody::Rests(run) => {
                self.taking(entry, move |_, raw| Ok(c.give(run(&c, &open(entry, &c, raw)?)?)))
            }
            VerbBody::Asks(run) => {
                self.taking(entry, move |_, raw| Ok(run(&c, &open(entry, &c, raw)?)?.map(|answer| c.give(answer))))
            }
            VerbBody::Two(run) => self.taking(entry, move |_, raw| {
                let (first, second) = run(&c, &open(entry, &c, raw)?)?;
                Ok((c.give(first), c.give(second)))
            }),
            VerbBody::Many(run) => self.taking(entry, move |_, raw| run(&c, &open(entry, &c, raw)?)),
            VerbBody::Pairs(run) => self.taking(entry, move |lua, raw| {
                let numbers = run(&c, &open(entry, &c, raw)?)?;
                lua.create_table_from(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])))
            }),
            VerbBody::Machine(run) => self.taking(entry, move |lua, raw| run(&c, lua, &open(entry, &c, raw)?)),
            VerbBody::Hooks(run) => self.taking(entry, move |_, raw| {
                let next = run(&c, &open(entry, &c, raw)?)?;
                Ok(Variadic::from_iter(next.into_iter().flat_map(|next| next.answers()).map(|answers| c.give(answers))))
            }),
        }
    }

    /// Every value taken from the Lua stack has a cost, so fast parameter lists take few: the parameters and one more,
    /// to detect calls with too many.
    fn taking<R: IntoLuaMulti>(
        &self,
        entry: &Entry,
        run: impl Fn(&Lua, &[LuaValue]) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<Function> {
        let (lua, least) = (&self.lua, entry.params.len());
        match entry.params.len() {
            _ if entry.params.iter().any(|param| param.rest) => {
                lua.create_function(move |lua, values: MultiValue| run(lua, &padded(values, least)))
            }
            0..=1 => lua.create_function(move |lua, (p, x): (LuaValue, LuaValue)| run(lua, &[p, x])),
            2 => {
                type Values = (LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, x): Values| run(lua, &[p, q, x]))
            }
            3 => {
                type Values = (LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, x): Values| run(lua, &[p, q, r, x]))
            }
            _ => lua.create_function(move |lua, values: MultiValue| run(lua, &padded(values, least))),
        }
    }
}

/// The values of a call. Missing values are nil.
fn padded(values: MultiValue, least: usize) -> Vec<LuaValue> {
    let mut list = Vec::from_iter(values);
    list.resize(list.len().max(least), LuaValue::Nil);
    list
}

#[inline]
fn open<'a>(entry: &Entry, context: &Context, raw: &'a [LuaValue]) -> mlua::Result<Args<'a>> {
    enter(entry, context)?;
    Args::check(context, entry.name, entry.params, raw)
}

/// Checks whether a verb may be called now, and charges for it.
#[inline]
fn enter(entry: &Entry, context: &Context) -> mlua::Result<()> {
    if entry.acts && context.hooks.pure.get() > 0 {
        let message = format!(
            "{}: query hooks and option functions may only read: they cannot change the game or ask for a decision",
            entry.name
        );
        return Err(context.budget.latch(ScriptErrorKind::Impure, message));
    }
    if entry.acts {
        // Actions are also reported, and the host keeps the reports.
        context.charge(8)?;
    }
    Ok(())
}

/// Whether a verb takes options, so that it also has a resting form.
pub(crate) fn takes_options(entry: &Entry) -> bool {
    entry.params.iter().any(|param| param.ty == Ty::Options)
}
