//! Tables of scripts: reading them, and charging for their slots.

use std::ffi::c_int;
use std::ptr;

use mlua::ffi;
use mlua::{Function, Lua};

use crate::machine::raw::{MOST, TABLE, read};
use crate::machine::wire::{MOST_FIELDS, Raw, Shape};

/// The most values that are read from a table, including lists in it. A list that occurs twice is read twice.
const LARGEST: usize = 1 << 16;

/// Reads the tables among the arguments, and returns the length of the first one in `table`. `None` if there are more
/// tables than the shape has, or if one is too large.
///
/// SAFETY: that many arguments are given, and there is room for four more values.
pub(super) unsafe fn gather(
    state: *mut ffi::lua_State,
    given: c_int,
    shape: Shape,
    table: &mut Vec<Raw>,
) -> Option<usize> {
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
/// `sizearray` of `LuaTable`, whose offsets [`layout_is_known`] has verified.
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

/// Whether tables have the memory layout that [`places`] reads.
///
/// SAFETY: nothing is on the stack, and there is room.
pub(super) unsafe fn layout_is_known(state: *mut ffi::lua_State) -> bool {
    let mut counts = true;
    unsafe {
        for (listed, hashed) in [(0, 0), (37, 0), (0, 64), (5, 16), (1, 2)] {
            ffi::lua_createtable(state, listed, hashed);
            counts &= places(state, -1) == (listed + hashed.max(1)) as u64;
        }
        ffi::lua_settop(state, 0);
    }
    counts
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use mlua::Table as LuaTable;

    use super::*;

    #[test]
    fn tables_cost_steps_by_their_slots() -> mlua::Result<()> {
        let lua = Lua::new();
        let paid = std::rc::Rc::new(Cell::new(0.0));
        let sum = paid.clone();
        let charge = lua.create_function(move |_, steps: f64| {
            sum.set(sum.get() + steps);
            Ok(())
        })?;
        let walk = charged(&lua, &charge, None)?;
        let empty: LuaTable = lua
            .load("local t = {} for i = 1, 1000 do t[i] = i end for i = 1, 1000 do t[i] = nil end return t")
            .eval()?;
        let (same, more): (LuaTable, i32) = walk.call((&empty, 7))?;
        assert_eq!((same, more, paid.get()), (empty, 7, 16.0));
        walk.call::<()>((lua.create_table()?, "word"))?;
        walk.call::<()>(())?;
        assert_eq!(paid.get(), 16.0);
        let next = charged(&lua, &charge, Some(&lua.globals().get("next")?))?;
        assert_eq!(next.call::<(i32, i32)>(lua.create_sequence_from([5])?)?, (1, 5));
        Ok(())
    }
}
