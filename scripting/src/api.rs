//! The script API, described once: from [`entries`] come the bindings, their argument checks, the editor stubs and the
//! reference.

use mlua::{Function, IntoLuaMulti, Lua, Table as LuaTable, Value as LuaValue, Variadic};
use principes_core::scripts::ScriptErrorKind;
use std::rc::Rc;

use crate::args::{Args, MOST, Wanted, WantedFields};
use crate::bindings;
use crate::context::Context;
pub use crate::docs::{ALIASES, HOLDERS, PackNames, json, lua_stub, markdown, pack_stub};
use crate::fault::Fault;
pub use crate::library::{LIBRARY, LibraryFunction};
use crate::raw::{self, Answer, Given, Outcome, Shape};
pub use crate::types::{Field, Param, Ret, Ty};

/// How a function is carried out.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// In Rust, one result.
    One(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// In Rust, two results.
    Two(fn(&Context, &Args) -> mlua::Result<(Answer, Answer)>),
    /// In Rust, a list of handles.
    Many(fn(&Context, &Args) -> mlua::Result<Vec<f64>>),
    /// In Rust, with the machine at hand: to make strings, to call functions of scripts.
    Lua(fn(&Context, &Lua, &Args) -> mlua::Result<LuaValue>),
    /// By the prelude, over this helper.
    Prelude(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// By the prelude, over this helper, which asks a seat. Nothing where the short way does not do.
    Asks(fn(&Context, &Args) -> mlua::Result<Option<Answer>>),
    /// In Rust, which notes the procedure that shall run; the coroutine rests until it is over.
    Rests(fn(&Context, &Args) -> mlua::Result<Answer>),
    /// By the prelude, which runs the hook that this begins with, and those that follow, as it is told of them.
    Hooks(fn(&Context, &Args) -> mlua::Result<Option<[Answer; 3]>>),
}

/// A function of the API.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name; `battle.` functions lie in a table.
    pub name: &'static str,
    /// The chapter of the reference it belongs to.
    pub group: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it returns.
    pub returns: &'static [Ret],
    /// Whether it changes the world or asks: forbidden in query hooks and option functions.
    pub acts: bool,
    /// What it does.
    pub doc: &'static str,
    /// How it is used.
    pub example: &'static str,
    pub(crate) run: Run,
}

/// All functions of the API, by chapter.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    bindings::GROUPS.iter().flat_map(|group| group.iter())
}

/// What the short way through functions needs ([`raw`]).
pub(crate) struct Shortcuts {
    /// Raises the fault that the short way noted.
    raise: Function,
    /// The string of each keyword, by its number and one.
    pub(crate) words: LuaTable,
}

impl Shortcuts {
    pub(crate) fn new(context: &Rc<Context>, lua: &Lua) -> mlua::Result<Self> {
        let c = context.clone();
        let raise = lua.create_function(move |_, ()| -> mlua::Result<()> {
            raw::go_on_panicking();
            Err(c.raised.take().unwrap_or_else(|| Fault::runtime("a function failed and did not say why")))
        })?;
        let words = lua.create_sequence_from(context.catalog.symbols.iter())?;
        Ok(Shortcuts { raise, words })
    }

    /// A function with a short way; `long` is the same through mlua.
    pub(crate) fn function<F>(&self, lua: &Lua, shortcut: Shortcut<F>, long: Function) -> mlua::Result<Function>
    where
        F: Fn(&Context, &Given) -> mlua::Result<Outcome> + 'static,
    {
        raw::function(lua, shortcut, long, &self.raise, &self.words)
    }
}

/// A short way through a function.
pub(crate) struct Shortcut<F> {
    pub(crate) context: Rc<Context>,
    pub(crate) shape: Shape,
    pub(crate) rests: bool,
    pub(crate) run: F,
}

impl<F: Fn(&Context, &Given) -> mlua::Result<Outcome> + 'static> raw::Short for Shortcut<F> {
    #[inline]
    fn shape(&self) -> Shape {
        self.shape
    }
    #[inline]
    fn rests(&self) -> bool {
        self.rests
    }
    #[inline]
    fn run(&self, given: &Given) -> Outcome {
        (self.run)(&self.context, given).unwrap_or_else(|error| {
            self.context.raised.replace(Some(error));
            Outcome::Failed
        })
    }
}

impl Entry {
    #[inline]
    fn open<'a>(&self, context: &Context, raw: &'a [LuaValue]) -> mlua::Result<Args<'a>> {
        self.enter(context)?;
        Args::check(context, self.name, self.params, raw)
    }

    /// Whether the function may be called now, and what it costs.
    #[inline]
    fn enter(&self, context: &Context) -> mlua::Result<()> {
        if self.acts && context.pure.get() > 0 {
            return Err(context.latched(
                ScriptErrorKind::Impure,
                format!(
                    "{}: query hooks and option functions may only look: they cannot change the game or ask",
                    self.name
                ),
            ));
        }
        if self.acts {
            // What is done is also told, and the host keeps what is told.
            context.charge(8)?;
        }
        Ok(())
    }

    /// The fields of the table that is all this function takes.
    pub(crate) fn fields(&self) -> Option<&'static [Field]> {
        match (self.params, self.run) {
            ([Param { ty: Ty::Fields(fields), optional: true, .. }], Run::One(_) | Run::Many(_)) => Some(fields),
            ([Param { ty: Ty::Fields(fields), .. }], Run::Rests(_)) => Some(fields),
            _ => None,
        }
    }

    /// The Lua function. One that `asks` takes options and what they are about, and then the coroutine rests until there is an
    /// answer.
    pub(crate) fn bind(
        &'static self,
        context: &Rc<Context>,
        lua: &Lua,
        shortcuts: &Shortcuts,
        asks: bool,
    ) -> mlua::Result<Function> {
        let long = self.long(context, lua)?;
        if matches!(self.run, Run::Lua(_) | Run::Prelude(_)) {
            return Ok(long);
        }
        let fields = self.fields().map(|fields| WantedFields::new(context, self.name, fields)).transpose()?;
        let wanted = Wanted::new(context, self.params);
        let rests = asks || matches!(self.run, Run::Rests(_));
        let shape = match self.params.iter().any(|param| param.ty.is_table()) {
            true if asks => Shape::ListAndFields(bindings::MOST_OPTIONS),
            true => Shape::Fields,
            false => Shape::Closed,
        };
        let run = move |c: &Context, given: &Given| {
            let mut args = Args::of(self.name, given);
            let can_read = match &fields {
                Some(fields) => args.read_fields(c, given, fields),
                None => args.read(c, given, &wanted),
            };
            if can_read.is_none() {
                return Ok(Outcome::LongWay);
            }
            self.enter(c)?;
            match self.run {
                Run::One(run) | Run::Rests(run) => given.give(run(c, &args)?),
                Run::Two(run) => {
                    let (first, second) = run(c, &args)?;
                    given.give(first);
                    given.give(second);
                }
                Run::Many(run) => return run(c, &args).map(Outcome::List),
                Run::Asks(run) => match run(c, &args)? {
                    Some(answer) => given.give(answer),
                    None => return Ok(Outcome::LongWay),
                },
                Run::Hooks(run) => given.give_next(run(c, &args)?),
                Run::Lua(_) | Run::Prelude(_) => return Ok(Outcome::LongWay),
            }
            Ok(Outcome::Done)
        };
        shortcuts.function(lua, Shortcut { context: context.clone(), shape, rests, run }, long)
    }

    /// The same function through mlua, for whatever the short way does not read. Where the arguments are a table of
    /// fields, that is only what is wrong with it.
    fn long(&'static self, context: &Rc<Context>, lua: &Lua) -> mlua::Result<Function> {
        let c = context.clone();
        if let Some(fields) = self.fields() {
            return lua.create_function(move |_, (table, extra): (LuaValue, LuaValue)| {
                let raw = [table, extra];
                let args = Args::check(&c, self.name, self.params, &raw)?;
                bindings::refuse_fields(&c, &args, fields)?;
                Err::<(), _>(args.fault("these fields cannot be read"))
            });
        }
        match self.run {
            Run::One(run) | Run::Prelude(run) | Run::Rests(run) => {
                self.taking(lua, move |_, raw| Ok(c.give(run(&c, &self.open(&c, raw)?)?)))
            }
            Run::Asks(run) => {
                self.taking(lua, move |_, raw| Ok(run(&c, &self.open(&c, raw)?)?.map(|answer| c.give(answer))))
            }
            Run::Two(run) => self.taking(lua, move |_, raw| {
                let (first, second) = run(&c, &self.open(&c, raw)?)?;
                Ok((c.give(first), c.give(second)))
            }),
            Run::Many(run) => self.taking(lua, move |_, raw| run(&c, &self.open(&c, raw)?)),
            Run::Lua(run) => self.taking(lua, move |lua, raw| run(&c, lua, &self.open(&c, raw)?)),
            Run::Hooks(run) => self.taking(lua, move |_, raw| {
                let told = run(&c, &self.open(&c, raw)?)?;
                Ok(Variadic::from_iter(told.into_iter().flatten().map(|told| c.give(told))))
            }),
        }
    }

    /// Every value taken from the Lua stack costs, so short parameter lists take few: one more than there are
    /// parameters, to find calls with too many.
    fn taking<R: IntoLuaMulti>(
        &self,
        lua: &Lua,
        run: impl Fn(&Lua, &[LuaValue]) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<Function> {
        let most = if self.params.iter().any(|param| param.rest) { MOST } else { self.params.len() };
        match most {
            0..=1 => lua.create_function(move |lua, (p, x): (LuaValue, LuaValue)| run(lua, &[p, x])),
            2 => {
                type Raw = (LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, x): Raw| run(lua, &[p, q, x]))
            }
            3 => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, x): Raw| run(lua, &[p, q, r, x]))
            }
            _ => {
                type Raw = (LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue);
                lua.create_function(move |lua, (p, q, r, s, t, u, v, x): Raw| run(lua, &[p, q, r, s, t, u, v, x]))
            }
        }
    }

    /// `name(a, b?)`.
    pub fn signature(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|param| match (param.rest, param.optional) {
                (true, _) => "...".to_owned(),
                (false, true) => format!("{}?", param.name),
                (false, false) => param.name.to_owned(),
            })
            .collect();
        format!("{}({})", self.name, params.join(", "))
    }
}
