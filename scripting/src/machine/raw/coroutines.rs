//! Coroutines that are started and resumed without mlua.

use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;

use mlua::ffi;
use mlua::{Function, Lua, Table as LuaTable, Thread};
use principes_core::ids::HookId;

use crate::error::ApiError;
use crate::machine::raw::{MOST, push};
use crate::machine::wire::Answer;

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
