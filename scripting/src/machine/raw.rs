//! The only `unsafe` code of this project: functions that Luau calls without mlua, coroutines that are resumed without
//! it, and the step counter.
//!
//! mlua takes every argument as an owned value, keeps its strings and tables in a list of references, and calls a
//! closure for every step. That is most of the cost of an API call and of a loop iteration. Here, arguments are read in
//! place if they are nil, numbers, booleans or strings that are known by their address. Everything else goes through
//! mlua.
//!
//! Why it is sound:
//! - No function of Luau is called with more on its stack than the twenty slots that Luau guarantees to a C function.
//! - A call that may raise an error is made where a C++ exception passes only frames of this file, which hold nothing
//!   that would be lost, under `extern "C-unwind"`.
//! - Safe code is called within `catch_unwind`, so no Rust panic enters Luau's frames.
//! - A coroutine continues only in its own machine, and only if it waits or has finished.
//! - A closure that Luau calls is in a userdata value, which its function holds, so it lives as long as the function.
//! - [`check_build`] makes sure that Luau was built as this code assumes.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::OnceLock;

use mlua::ffi;
use mlua::{Function, Lua, Table as LuaTable, Thread};
use principes_core::ids::{HookId, SymbolId};

use crate::error::ApiError;
use crate::machine::steps;
use crate::machine::wire::{Answer, CallOutcome, MOST_ARGS, MOST_FIELDS, NextHook, Raw, Shape};

/// The most values for a coroutine, and the most elements of a list among fields: more than any API function has.
const MOST: usize = MOST_ARGS + 2;
/// The most values that are read from a table, including lists in it. A list that occurs twice is read twice.
const LARGEST: usize = 1 << 16;

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

/// An empty list for [`CallOutcome::List`].
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
    // Tables are read with values above the top; what is pushed are results, or a list, or at most two values more than
    // the arguments, which are passed on.
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

/// Reads the tables among the arguments, and returns the length of the first one in `table`. `None` if there are more
/// tables than the shape has, or if one is too large.
///
/// SAFETY: that many arguments are given, and there is room for four more values.
unsafe fn gather(state: *mut ffi::lua_State, given: c_int, shape: Shape, table: &mut Vec<Raw>) -> Option<usize> {
    let mut first = None;
    for at in 1..=given {
        unsafe {
            if ffi::lua_type(state, at) != ffi::LUA_TTABLE {
                continue;
            }
            match (first, shape) {
                (Some(_), Shape::ListAndFields(_)) => fields(state, at, table)?,
                (Some(_), _) => return None,
                (None, _) => {
                    *table = TABLE.take();
                    table.clear();
                    match shape {
                        Shape::List(most) | Shape::ListAndFields(most) => list(state, at, most, table)?,
                        Shape::Fields | Shape::Closed => fields(state, at, table)?,
                    }
                    first = Some(table.len());
                }
            }
        }
    }
    Some(first.unwrap_or_default())
}

/// Reads keys and values. Metatables are ignored, because scripts cannot make any.
///
/// SAFETY: a table is in the slot, and there is room for three more values.
unsafe fn fields(state: *mut ffi::lua_State, at: c_int, table: &mut Vec<Raw>) -> Option<()> {
    let (mut next, mut many) = (0, 0);
    loop {
        unsafe {
            next = ffi::lua_rawiter(state, at, next);
            if next < 0 {
                return Some(());
            }
            // Nearly all keys are strings, which are not converted, so nothing is allocated.
            let key = ffi::lua_tostringatom(state, -2, ptr::null_mut());
            table.push(if key.is_null() { read(state, -2) } else { Raw::Text(key.addr()) });
            let known = element(state, table, MOST, 1);
            ffi::lua_pop(state, 2);
            known?;
        }
        many += 1;
        if many > MOST_FIELDS {
            return None;
        }
    }
}

/// Reads the elements of a list.
///
/// SAFETY: a table is in the slot, and there is room for two more values.
unsafe fn list(state: *mut ffi::lua_State, at: c_int, most: usize, table: &mut Vec<Raw>) -> Option<()> {
    let length = unsafe { ffi::lua_objlen_(state, at) };
    if length as usize > most {
        return None;
    }
    for element_at in 1..=length {
        unsafe {
            ffi::lua_rawgeti_(state, at, element_at);
            let known = element(state, table, most, 2);
            ffi::lua_pop(state, 1);
            known?;
        }
    }
    Some(())
}

/// Reads the value on top of the stack and, for a list in a table, its elements, up to a number and a depth.
///
/// SAFETY: there is a value, and room for one more at each depth.
#[inline(always)]
unsafe fn element(state: *mut ffi::lua_State, table: &mut Vec<Raw>, most: usize, depth: usize) -> Option<()> {
    unsafe {
        let value = read(state, -1);
        if matches!(value, Raw::Table) && depth > 0 {
            return elements(state, table, most, depth);
        }
        table.push(value);
        Some(())
    }
}

/// Reads the list on top of the stack. It is a separate function, so that other values cost little.
///
/// SAFETY: there is a table, and room for one more value at each depth.
#[inline(never)]
unsafe fn elements(state: *mut ffi::lua_State, table: &mut Vec<Raw>, most: usize, depth: usize) -> Option<()> {
    unsafe {
        let length = ffi::lua_objlen_(state, -1);
        if length as usize > most || table.len() > LARGEST {
            return None;
        }
        table.push(Raw::List(length as usize));
        for at in 1..=length {
            ffi::lua_rawgeti_(state, -1, at);
            let known = element(state, table, most, depth - 1);
            ffi::lua_pop(state, 1);
            known?;
        }
        Some(())
    }
}

/// SAFETY: `at` is a slot of the stack.
#[inline]
unsafe fn read(state: *mut ffi::lua_State, at: c_int) -> Raw {
    unsafe {
        match ffi::lua_type(state, at) {
            // Nearly all values are numbers.
            ffi::LUA_TNUMBER => Raw::Number(ffi::lua_tonumberx(state, at, ptr::null_mut())),
            family => read_more(state, at, family),
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

// Tables --------------------------------------------------------------------------------------------------------------

/// The number of slots of a table that are walked for one step.
const PLACES: u64 = 64;

/// A function that charges for all slots of the table in its first argument, filled or not, and then calls `inner`.
/// Without `inner`, it returns its arguments. `charge` takes a number of steps.
pub fn charged(lua: &Lua, charge: &Function, inner: Option<&Function>) -> mlua::Result<Function> {
    // SAFETY: two values are on the stack when the closure is made, in the order in which `charged_call` expects them.
    unsafe { lua.exec_raw((charge, inner), |state| ffi::lua_pushcclosurek(state, charged_call, ptr::null(), 2, None)) }
}

unsafe extern "C-unwind" fn charged_call(state: *mut ffi::lua_State) -> c_int {
    let (charge, inner) = (ffi::lua_upvalueindex(1), ffi::lua_upvalueindex(2));
    // SAFETY: only `charged` makes closures of this. At most two values more than the arguments are on the stack.
    unsafe {
        if ffi::lua_type(state, 1) == ffi::LUA_TTABLE {
            let places = places(state, 1);
            if places > PLACES {
                ffi::lua_pushvalue(state, charge);
                ffi::lua_pushnumber(state, (places / PLACES) as f64);
                ffi::lua_call(state, 1, 0);
            }
        }
        if ffi::lua_type(state, inner) == ffi::LUA_TFUNCTION {
            let given = ffi::lua_gettop(state);
            ffi::lua_pushvalue(state, inner);
            ffi::lua_insert(state, 1);
            ffi::lua_call(state, given, ffi::LUA_MULTRET);
        }
        ffi::lua_gettop(state)
    }
}

/// The number of slots of a table, filled or not. Luau does not provide it, so it is read from memory: `lsizenode` and
/// `sizearray` of `LuaTable`, whose offsets [`check_build`] has verified.
///
/// SAFETY: a table is in the slot.
unsafe fn places(state: *mut ffi::lua_State, at: c_int) -> u64 {
    // SAFETY: a table has more bytes than these, and an aligned integer in its third word.
    let (hashed, listed) = unsafe {
        let table = ffi::lua_topointer(state, at).cast::<u8>();
        (table.add(6).read(), table.add(8).cast::<c_int>().read())
    };
    u64::from(listed.unsigned_abs()) + (1_u64 << hashed.min(32))
}

// How Luau was built
// ----------------------------------------------------------------------------------------------------

/// Makes sure that errors of Luau are C++ exceptions, which run the destructors of the frames they pass, and that
/// tables have the memory layout that [`places`] reads. Otherwise no script may run.
pub fn check_build(lua: &Lua) -> mlua::Result<()> {
    let (mut drops, mut lies) = (false, true);
    // SAFETY: what is pushed is taken off again by what follows; there is room for it.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            DROPPED.set(false);
            ffi::lua_pushcclosurek(state, raises, ptr::null(), 0, None);
            let status = ffi::lua_pcall(state, 0, 0, 0);
            drops = status != ffi::LUA_OK && DROPPED.get();
            for (listed, hashed) in [(0, 0), (37, 0), (0, 64), (5, 16), (1, 2)] {
                ffi::lua_createtable(state, listed, hashed);
                lies &= places(state, -1) == (listed + hashed.max(1)) as u64;
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    match (drops, lies) {
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

// Coroutines ----------------------------------------------------------------------------------------------------------

/// A coroutine of a machine.
pub struct Coroutine {
    /// These keep the coroutine and its machine alive.
    _held: (Thread, Lua),
    state: *mut ffi::lua_State,
    main: *mut ffi::lua_State,
}

impl Coroutine {
    /// A coroutine that begins with a function.
    pub fn new(lua: &Lua, function: &Function) -> mlua::Result<Coroutine> {
        let thread = lua.create_thread(function.clone())?;
        let (mut state, mut main) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: a thread is in the first slot.
        unsafe { lua.exec_raw::<()>(&thread, |here| (state, main) = (ffi::lua_tothread(here, 1), here))? };
        Ok(Coroutine { _held: (thread, lua.clone()), state, main })
    }
}

/// The data with which coroutines of a machine are started and resumed.
pub struct Stage {
    /// This keeps the machine alive.
    lua: Lua,
    main: *mut ffi::lua_State,
    /// The function of each hook, at its number plus one, among the machine's references.
    hooks: c_int,
    /// The string of each keyword, at its number plus one.
    words: c_int,
    /// Whether a coroutine of the machine is running.
    runs: Cell<bool>,
}

impl Stage {
    pub fn new(lua: &Lua, hooks: &LuaTable, words: &LuaTable) -> mlua::Result<Stage> {
        let mut stage = Stage { lua: lua.clone(), main: ptr::null_mut(), hooks: 0, words: 0, runs: Cell::new(false) };
        // SAFETY: two tables are in the first slots. They are never given up, like the machine's state.
        unsafe {
            lua.exec_raw::<()>((hooks, words), |state| {
                (stage.main, stage.hooks, stage.words) = (state, ffi::lua_ref(state, 1), ffi::lua_ref(state, 2));
            })?;
        }
        Ok(stage)
    }

    /// Runs a hook in a coroutine that is new or has finished, until it waits or is done. Returns false if it is done.
    /// It takes a table and a value, if they are given, and then a few more values.
    pub fn start(
        &self,
        coroutine: &Coroutine,
        hook: HookId,
        first: Option<(&LuaTable, Answer)>,
        args: &[Answer],
    ) -> mlua::Result<bool> {
        self.check(coroutine)?;
        let state = coroutine.state;
        // SAFETY: the coroutine runs nothing and is cleared, so that there is room.
        unsafe {
            ffi::lua_settop(state, 0);
            self.push_listed(state, self.hooks, hook.index());
        }
        let Some((table, second)) = first else { return self.run(coroutine, 0, args) };
        // SAFETY: as above; the table is on top of the other stack.
        unsafe {
            self.lua.exec_raw::<()>(table, |main| ffi::lua_xmove(main, state, 1))?;
            self.push(state, second);
        }
        self.run(coroutine, 2, args)
    }

    /// Resumes a waiting coroutine with a few values. Returns false if it is done.
    pub fn resume(&self, coroutine: &Coroutine, args: &[Answer]) -> mlua::Result<bool> {
        self.check(coroutine)?;
        self.run(coroutine, 0, args)
    }

    /// The function with which a coroutine yielded, if it was one.
    pub fn left_with(&self, coroutine: &Coroutine) -> mlua::Result<Option<Function>> {
        self.check(coroutine)?;
        let state = coroutine.state;
        // SAFETY: the coroutine runs nothing. What it went to rest with is in its first slots, with room for a copy.
        unsafe {
            if ffi::lua_gettop(state) == 0 || ffi::lua_type(state, 1) != ffi::LUA_TFUNCTION {
                return Ok(None);
            }
            self.lua.exec_raw((), |main| {
                ffi::lua_pushvalue(state, 1);
                ffi::lua_xmove(state, main, 1);
            })
        }
    }

    /// Resumes a coroutine that has been checked and already has its values.
    fn run(&self, coroutine: &Coroutine, given: c_int, args: &[Answer]) -> mlua::Result<bool> {
        let state = coroutine.state;
        self.runs.set(true);
        // SAFETY: the coroutine rests or has just been given a function, with nothing else on its stack than what it
        // went to rest with, and its machine runs nothing now. No error comes out of `lua_resume_`.
        let status = unsafe {
            for arg in args.iter().take(MOST) {
                self.push(state, *arg);
            }
            ffi::lua_resume_(state, self.main, given + args.len().min(MOST) as c_int)
        };
        self.runs.set(false);
        match status {
            ffi::LUA_YIELD => Ok(true),
            ffi::LUA_OK => {
                // SAFETY: what it has given back is not wanted.
                unsafe { ffi::lua_settop(state, 0) };
                Ok(false)
            }
            _ => Err(failed(&self.lua, coroutine, status)),
        }
    }

    /// SAFETY: there is room for two values.
    unsafe fn push(&self, state: *mut ffi::lua_State, answer: Answer) {
        unsafe { push(state, answer, |word| self.push_listed(state, self.words, word.index())) }
    }

    /// Checks that a coroutine belongs to this machine, and that nothing is running there.
    fn check(&self, coroutine: &Coroutine) -> mlua::Result<()> {
        // SAFETY: what is asked for are two states of this machine, which lives.
        let status = || unsafe { ffi::lua_costatus(self.main, coroutine.state) };
        match !self.runs.get() && coroutine.main == self.main && matches!(status(), ffi::LUA_COSUS | ffi::LUA_COFIN) {
            true => Ok(()),
            false => Err(ApiError::raise(
                "cannot resume this script: it is running, has failed, or belongs to another machine",
            )),
        }
    }

    /// SAFETY: there is room for two values.
    unsafe fn push_listed(&self, state: *mut ffi::lua_State, list: c_int, at: usize) {
        unsafe {
            ffi::lua_rawgeti_(state, ffi::LUA_REGISTRYINDEX, list);
            ffi::lua_rawgeti_(state, -1, at as c_int + 1);
            ffi::lua_remove(state, -2);
        }
    }
}

/// The error on a coroutine's stack, with the lines that led to it.
fn failed(lua: &Lua, coroutine: &Coroutine, status: c_int) -> mlua::Error {
    if status == ffi::LUA_ERRMEM {
        return mlua::Error::MemoryError("not enough memory".to_owned());
    }
    let state = coroutine.state;
    // SAFETY: this raises what it finds, as mlua does after a coroutine has failed; no value of ours waits to be
    // dropped.
    let raised = unsafe {
        lua.exec_raw::<()>((), |main| {
            ffi::lua_xmove(state, main, 1);
            // mlua's own errors, which are userdata values, know where they were raised.
            if ffi::lua_type(main, -1) != ffi::LUA_TUSERDATA {
                let text = ffi::luaL_tolstring(main, -1, ptr::null_mut());
                ffi::luaL_traceback(main, state, text, 0);
            }
            ffi::lua_error(main)
        })
    };
    raised.err().unwrap_or_else(|| ApiError::raise("a script failed without an error message"))
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

#[cfg(test)]
mod tests;
