//! Tests of functions that Luau calls without mlua.

use principes_core::ids::HookId;

use super::*;

/// A machine with one hook, which waits once and fails if it receives 7.
fn machine() -> mlua::Result<(Stage, Coroutine)> {
    let lua = Lua::new();
    let hook: Function =
        lua.load("return function(word) local n = coroutine.yield() assert(n ~= 7, word) end").eval()?;
    let stage = Stage::new(&lua, &lua.create_sequence_from([&hook])?, &lua.create_sequence_from(["seven"])?)?;
    let coroutine = Coroutine::new(&lua, &hook)?;
    Ok((stage, coroutine))
}

#[test]
fn coroutines_can_wait_finish_and_start_again() -> mlua::Result<()> {
    let (stage, coroutine) = machine()?;
    for _ in 0..3 {
        assert!(stage.start(&coroutine, HookId(0), None, &[Answer::Word(SymbolId(0))])?);
        assert!(!stage.resume(&coroutine, &[Answer::Number(6.0)])?);
    }
    Ok(())
}

#[test]
fn luau_is_built_as_the_host_requires() -> mlua::Result<()> {
    check_build(&Lua::new())
}

#[test]
fn a_machine_that_cannot_count_steps_stops() -> mlua::Result<()> {
    let lua = Lua::new();
    lose_interrupt(&lua)?;
    assert!(lua.load("while true do end").exec().is_err());
    Ok(())
}

#[test]
fn no_coroutine_runs_while_another_one_runs() -> mlua::Result<()> {
    let lua = Lua::new();
    let words = lua.create_sequence_from(["seven"])?;
    let inner: Function = lua.load("return function() end").eval()?;
    let held: std::rc::Rc<std::cell::OnceCell<(Stage, Coroutine)>> = std::rc::Rc::default();
    let here = held.clone();
    let nested = lua.create_function(move |_, ()| {
        let (stage, other) = here.get().ok_or_else(|| ApiError::raise("not yet"))?;
        Ok(stage.start(other, HookId(1), None, &[]).is_err())
    })?;
    let outer: Function = lua.load("local nested = ... return function() assert(nested()) end").call(nested)?;
    let stage = Stage::new(&lua, &lua.create_sequence_from([&outer, &inner])?, &words)?;
    let _ = held.set((stage, Coroutine::new(&lua, &inner)?));
    let (stage, other) = held.get().ok_or_else(|| ApiError::raise("not yet"))?;
    assert!(!stage.start(&Coroutine::new(&lua, &outer)?, HookId(0), None, &[])?);
    assert!(!stage.start(other, HookId(1), None, &[])?);
    Ok(())
}

#[test]
fn only_waiting_coroutines_of_the_same_machine_can_be_resumed() -> mlua::Result<()> {
    let ((stage, coroutine), (_, stranger)) = (machine()?, machine()?);
    let seven = [Answer::Word(SymbolId(0))];
    assert!(stage.start(&stranger, HookId(0), None, &seven).is_err());
    assert!(stage.start(&coroutine, HookId(0), None, &seven)?);
    let error = stage.resume(&coroutine, &[Answer::Number(7.0)]).unwrap_err().to_string();
    assert!(error.contains("seven") && error.contains("stack traceback"), "{error}");
    assert!(stage.resume(&coroutine, &[]).is_err(), "a failed script cannot be resumed");
    assert!(stage.start(&coroutine, HookId(0), None, &seven).is_err());
    Ok(())
}
