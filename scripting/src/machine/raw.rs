//! The only `unsafe` code of this project, here and in `raw/`: functions that Luau calls without mlua, tables that are
//! read without it, coroutines that are resumed without it, and the step counter.
//!
//! mlua takes every argument as an owned value, keeps its strings and tables in a list of references, and calls a
//! closure for every step. That is most of the cost of an API call and of a loop iteration. Here, arguments are read in
//! place if they are nil, numbers, booleans or strings that are known by their address. Everything else goes through
//! mlua.
//!
//! Why it is sound:
//! - No function of Luau is called with more on its stack than the twenty slots that Luau guarantees to a C function.
//! - A call that may raise an error is made where a C++ exception passes only frames of this module, which hold nothing
//!   that would be lost, under `extern "C-unwind"`.
//! - Safe code is called within `catch_unwind`, so no Rust panic enters Luau's frames.
//! - A coroutine continues only in its own machine, and only if it waits or has finished.
//! - A closure that Luau calls is in a userdata value, which its function holds, so it lives as long as the function.
//! - Tables are read through Luau's functions. Only the sizes of their two parts, by which a walk is charged, are read
//!   from memory, because Luau has no function for them.
//! - [`check_build`] makes sure that Luau was built as this code assumes.
#![allow(unsafe_code)]

mod coroutines;
mod tables;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::OnceLock;

use mlua::ffi;
use mlua::{Function, Lua, Table as LuaTable};
use principes_core::ids::SymbolId;

use crate::error::ApiError;
use crate::machine::steps;
use crate::machine::wire::{Answer, CallOutcome, MOST_ARGS, NextHook, Raw, Shape};

use tables::{gather, sizes_are_known};

pub use coroutines::{Coroutine, Stage};
pub use tables::charged;

/// The most values for a coroutine, and the most elements of a list among fields: more than any API function has.
const MOST: usize = MOST_ARGS + 2;

/// A call: its arguments and results. Each argument is read in place, when it is needed.
pub struct CallArgs<'a> {
    state: *mut ffi::lua_State,
    count: c_int,
    /// The content of the table argument: its elements or its keys and values, see [`Shape`].
    pub table: &'a [Raw],
    /// The content of a second table after a list: its keys and values.
    pub fields: &'a [Raw],
    /// The number of results so far.
    results: Cell<c_int>,
}

/// The most results of a function, fewer than the slots beyond its arguments that Luau guarantees.
const MOST_RESULTS: c_int = 8;

impl CallArgs<'_> {
    /// The number of arguments.
    #[inline]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// An argument, from index 0; nil after the last.
    #[inline]
    pub fn arg(&self, at: usize) -> Raw {
        // SAFETY: only `call` makes one of these. The arguments are in the first slots of a function that continues
        // after this is gone, and nobody else puts anything there.
        if at < self.len() { unsafe { read(self.state, at as c_int + 1) } } else { Raw::Nil }
    }

    /// Pushes a result for the script.
    #[inline]
    pub fn give(&self, answer: Answer) {
        let results = self.results.get();
        assert!(results < MOST_RESULTS, "a function has too many results");
        self.results.set(results + 1);
        // SAFETY: as above; there is room for what is pushed.
        unsafe {
            push(self.state, answer, |word| {
                ffi::lua_rawgeti_(self.state, WORDS, word.index() as c_int + 1);
            });
        }
    }

    /// Pushes the hook that runs next, if there is one, for the host's Lua code.
    #[inline]
    pub fn give_next(&self, hook: Option<NextHook>) {
        hook.into_iter().flat_map(NextHook::answers).for_each(|answers| self.give(answers));
    }
}

/// The fast path of a function.
pub trait FastPath: 'static {
    /// How tables among its arguments are read.
    fn shape(&self) -> Shape;
    /// Whether the coroutine then waits. It continues with what it receives as the results of the call.
    fn rests(&self) -> bool;
    /// The result of a call.
    fn run(&self, given: &CallArgs) -> CallOutcome;
}

/// The indices of a function's upvalues.
const FAST: c_int = ffi::lua_upvalueindex(1);
const SLOW: c_int = ffi::lua_upvalueindex(2);
const RAISE: c_int = ffi::lua_upvalueindex(3);
const WORDS: c_int = ffi::lua_upvalueindex(4);

thread_local! {
    /// A panic of the fast path, until mlua can propagate it.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
    /// The content of a table; a reused buffer.
    static TABLE: Cell<Vec<Raw>> = const { Cell::new(Vec::new()) };
    /// The results; a reused buffer.
    static LIST: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// Resumes a panic of the fast path, if there is one.
pub fn resume_panic() {
    if let Some(panic) = PANIC.take() {
        resume_unwind(panic);
    }
}

/// An empty list for [`CallOutcome::List`] and [`CallOutcome::Pairs`].
pub fn spare_list() -> Vec<f64> {
    let mut list = LIST.take();
    list.clear();
    list
}

/// A function with a fast path. `slow` is the same function through mlua. `raise` raises the error that the fast path
/// recorded, after [`resume_panic`]. `words` holds each keyword's string at its number plus one.
pub fn function<S: FastPath>(
    lua: &Lua,
    fast: S,
    slow: Function,
    raise: &Function,
    words: &LuaTable,
) -> mlua::Result<Function> {
    // SAFETY: four values are on the stack when the closure is made, in the order of the constants above: the userdata
    // that is put below the three arguments owns `fast` from here on.
    unsafe {
        lua.exec_raw((slow, raise, words), |state| {
            ffi::lua_newuserdata_t::<S>(state, fast);
            ffi::lua_insert(state, 1);
            ffi::lua_pushcclosurek(state, call::<S>, ptr::null(), 4, None);
        })
    }
}

/// The function that Luau calls.
unsafe extern "C-unwind" fn call<S: FastPath>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: only `function` makes closures of this, with an `S` in a userdata value as the first of four values.
    // Tables are read with values above the top; what is pushed are results, or a table with a key and a value, or at
    // most two values more than the arguments, which are passed on.
    unsafe {
        let count = ffi::lua_gettop(state);
        let fast: *const c_void = ffi::lua_touserdata(state, FAST);
        let fast = &*fast.cast::<S>();
        let mut given = CallArgs { state, count, table: &[], fields: &[], results: Cell::new(0) };
        let mut buffer = Vec::new();
        let mut reads = true;
        if fast.shape() != Shape::Closed {
            match gather(state, count, fast.shape(), &mut buffer) {
                Some(first) => (given.table, given.fields) = buffer.split_at(first),
                None => reads = false,
            }
        }
        let mut outcome = CallOutcome::SlowPath;
        if reads {
            outcome = catch_unwind(AssertUnwindSafe(|| fast.run(&given))).unwrap_or_else(|panic| {
                PANIC.set(Some(panic));
                CallOutcome::Failed
            });
        }
        let results = given.results.get();
        if buffer.capacity() > 0 {
            TABLE.set(buffer);
        }
        match outcome {
            CallOutcome::Done if fast.rests() => ffi::lua_yield(state, 0),
            CallOutcome::Done => results,
            CallOutcome::List(numbers) => {
                ffi::lua_createtable(state, numbers.len() as c_int, 0);
                for (at, number) in (1..).zip(&numbers) {
                    ffi::lua_pushnumber(state, *number);
                    ffi::lua_rawseti_(state, -2, at);
                }
                LIST.set(numbers);
                1
            }
            CallOutcome::Pairs(numbers) => {
                ffi::lua_createtable(state, 0, (numbers.len() / 2) as c_int);
                for pair in numbers.chunks_exact(2) {
                    pair.iter().for_each(|number| ffi::lua_pushnumber(state, *number));
                    ffi::lua_rawset(state, -3);
                }
                LIST.set(numbers);
                1
            }
            CallOutcome::SlowPath => {
                ffi::lua_settop(state, count);
                ffi::lua_pushvalue(state, SLOW);
                ffi::lua_insert(state, 1);
                ffi::lua_call(state, count, ffi::LUA_MULTRET);
                if fast.rests() {
                    return ffi::lua_yield(state, 0);
                }
                ffi::lua_gettop(state)
            }
            CallOutcome::Failed => {
                ffi::lua_pushvalue(state, RAISE);
                ffi::lua_call(state, 0, 0);
                0
            }
        }
    }
}

/// SAFETY: `at` is a slot of the stack.
#[inline]
unsafe fn read(state: *mut ffi::lua_State, at: c_int) -> Raw {
    unsafe {
        let family = ffi::lua_type(state, at);
        read_as(state, at, family)
    }
}

/// SAFETY: a value of this type is in the slot.
#[inline]
unsafe fn read_as(state: *mut ffi::lua_State, at: c_int, family: c_int) -> Raw {
    unsafe {
        match family {
            // Nearly all values are numbers.
            ffi::LUA_TNUMBER => Raw::Number(ffi::lua_tonumberx(state, at, ptr::null_mut())),
            _ => read_more(state, at, family),
        }
    }
}

/// SAFETY: a value of this type is in the slot.
#[inline(never)]
unsafe fn read_more(state: *mut ffi::lua_State, at: c_int, family: c_int) -> Raw {
    unsafe {
        match family {
            ffi::LUA_TNIL => Raw::Nil,
            ffi::LUA_TBOOLEAN => Raw::Truth(ffi::lua_toboolean(state, at) != 0),
            ffi::LUA_TTABLE => Raw::Table,
            ffi::LUA_TLIGHTUSERDATA => Raw::Light,
            ffi::LUA_TSTRING => Raw::Text(ffi::lua_tostringatom(state, at, ptr::null_mut()).addr()),
            _ => Raw::Other,
        }
    }
}

/// `push_word` pushes the string of a keyword.
///
/// SAFETY: there is room for one value.
unsafe fn push(state: *mut ffi::lua_State, answer: Answer, push_word: impl FnOnce(SymbolId)) {
    unsafe {
        match answer {
            Answer::Nil => ffi::lua_pushnil(state),
            Answer::Truth(truth) => ffi::lua_pushboolean(state, c_int::from(truth)),
            Answer::Number(number) => ffi::lua_pushnumber(state, number),
            Answer::Word(word) => push_word(word),
        }
    }
}

// How Luau was built
// ----------------------------------------------------------------------------------------------------

/// Makes sure that errors of Luau are C++ exceptions, which run the destructors of the frames they pass, and that
/// tables hold their sizes where they are read. Otherwise no script may run.
pub fn check_build(lua: &Lua) -> mlua::Result<()> {
    let (mut drops, mut is_known) = (false, false);
    // SAFETY: what is pushed is taken off again by what follows; there is room for it.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            DROPPED.set(false);
            ffi::lua_pushcclosurek(state, raises, ptr::null(), 0, None);
            let status = ffi::lua_pcall(state, 0, 0, 0);
            drops = status != ffi::LUA_OK && DROPPED.get();
            is_known = sizes_are_known(state);
        })?;
    }
    match (drops, is_known) {
        (true, true) => Ok(()),
        (false, _) => Err(ApiError::raise("Luau must be built with C++ exceptions")),
        (true, false) => Err(ApiError::raise("this is not the version of Luau that the host was written for")),
    }
}

thread_local! {
    /// Whether an error ran the destructor of a frame that it passed.
    static DROPPED: Cell<bool> = const { Cell::new(false) };
}

struct Held;

impl Drop for Held {
    fn drop(&mut self) {
        DROPPED.set(true);
    }
}

unsafe extern "C-unwind" fn raises(state: *mut ffi::lua_State) -> c_int {
    let _held = Held;
    // SAFETY: what is raised is nothing.
    unsafe { look_by(None, state, 0) }
    0
}

// Steps ---------------------------------------------------------------------------------------------------------------

/// The function that mlua registers for steps.
type Interrupt = unsafe extern "C-unwind" fn(*mut ffi::lua_State, c_int);
static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();

/// Counts the steps of a machine. Once in a number of steps (see [`steps::look_after`]), `look` is called instead,
/// which counts its own.
pub fn count_steps(lua: &Lua, look: impl Fn(&Lua) -> mlua::Result<mlua::VmState> + 'static) -> mlua::Result<()> {
    lua.set_interrupt(look);
    let mut counts = false;
    // SAFETY: the callbacks belong to the machine. What mlua has put there is a function that serves any machine, and
    // it finds its closure in the state that it is called with.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            let callbacks = &mut *ffi::lua_callbacks(state);
            if let Some(interrupt) = callbacks.interrupt
                && ptr::fn_addr_eq(*INTERRUPT.get_or_init(|| interrupt), interrupt)
            {
                callbacks.interrupt = Some(step);
                counts = true;
            }
        })?;
    }
    match counts {
        true => Ok(()),
        false => Err(ApiError::raise("the steps of this machine cannot be counted")),
    }
}

/// Counts one step. If `collecting` is not negative, the collector is working, which is not a step.
unsafe extern "C-unwind" fn step(state: *mut ffi::lua_State, collecting: c_int) {
    if collecting >= 0 {
        return;
    }
    if !steps::count() {
        // SAFETY: this is called as Luau called us.
        unsafe { look_now(state, collecting) }
    }
}

/// A step at which the closure given to [`count_steps`] is called. It is a separate function, so that other steps need
/// no stack.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn look_now(state: *mut ffi::lua_State, collecting: c_int) {
    // SAFETY: this is called as Luau called us.
    unsafe { look_by(INTERRUPT.get().copied(), state, collecting) }
}

/// Calls mlua's function for steps. It is stored before Luau calls `step` for the first time. If it were missing, the
/// script would stop here, because a script that nothing stops must not continue.
unsafe extern "C-unwind" fn look_by(interrupt: Option<Interrupt>, state: *mut ffi::lua_State, collecting: c_int) {
    // SAFETY: this is what Luau would have called; a step may raise an error.
    unsafe {
        match interrupt {
            Some(interrupt) => interrupt(state, collecting),
            None => {
                ffi::lua_pushnil(state);
                ffi::lua_error(state)
            }
        }
    }
}

/// Makes a machine behave as if mlua's function had never been stored.
#[cfg(test)]
fn lose_interrupt(lua: &Lua) -> mlua::Result<()> {
    unsafe extern "C-unwind" fn step_alone(state: *mut ffi::lua_State, collecting: c_int) {
        if collecting < 0 {
            // SAFETY: as in `step`.
            unsafe { look_by(None, state, collecting) }
        }
    }
    // SAFETY: the callbacks belong to the machine.
    unsafe { lua.exec_raw::<()>((), |state| (*ffi::lua_callbacks(state)).interrupt = Some(step_alone)) }
}
