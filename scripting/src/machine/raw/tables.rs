//! Tables of scripts: reading them through Luau's functions, and charging for their slots.

use std::ffi::{c_int, c_void};
use std::ptr;

use mlua::ffi;
use mlua::{Function, Lua};

use crate::machine::raw::{MOST, TABLE, read, read_as};
use crate::machine::wire::{MOST_FIELDS, Raw, Shape};

/// The most values that are read from a table, including lists in it. A list that occurs twice is read twice.
const LARGEST: usize = 1 << 16;
/// How deep lists among the elements of a list are read.
const DEPTH: usize = 2;
/// The values at each depth that are taken off the stack together, which costs less than one by one.
const TOGETHER: c_int = 4;

/// Reads the tables among the arguments, and returns the length of the first one in `table`. `None` if there are more
/// tables than the shape has, or if one is too large; then values may remain above the arguments.
///
/// SAFETY: that many arguments are given, and nothing else is on the stack. There is room for [`TOGETHER`] more values
/// at each of three depths.
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
                (Some(_), Shape::ListAndFields(_)) => fields(state, at, given, table)?,
                (Some(_), _) => return None,
                (None, _) => {
                    *table = TABLE.take();
                    table.clear();
                    match shape {
                        Shape::List(most) | Shape::ListAndFields(most) => list(state, at, given, most, table)?,
                        Shape::Fields | Shape::Closed => fields(state, at, given, table)?,
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
/// SAFETY: a table is in the slot, `top` is the last slot, and there is room as for [`gather`].
unsafe fn fields(state: *mut ffi::lua_State, at: c_int, top: c_int, table: &mut Vec<Raw>) -> Option<()> {
    let mut reader = Reader { state, most: MOST, table };
    let (mut next, mut here) = (0, top);
    for _ in 0..=MOST_FIELDS {
        unsafe {
            next = ffi::lua_rawiter(state, at, next);
            if next < 0 {
                ffi::lua_settop(state, top);
                return Some(());
            }
            here += 2;
            // Nearly all keys are strings, which are not converted, so nothing is allocated.
            let key = ffi::lua_tostringatom(state, -2, ptr::null_mut());
            reader.table.push(if key.is_null() { read(state, -2) } else { Raw::Text(key.addr()) });
            reader.value(here, ffi::lua_type(state, -1), 1)?;
            if here - top >= TOGETHER {
                ffi::lua_settop(state, top);
                here = top;
            }
        }
    }
    None
}

/// Reads the elements of a list.
///
/// SAFETY: as for [`fields`].
unsafe fn list(state: *mut ffi::lua_State, at: c_int, top: c_int, most: usize, table: &mut Vec<Raw>) -> Option<()> {
    let length = unsafe { ffi::lua_objlen_(state, at) };
    if length as usize > most {
        return None;
    }
    unsafe { Reader { state, most, table }.elements(at, top, length, DEPTH) }
}

/// Where values come from and where they go.
struct Reader<'a> {
    state: *mut ffi::lua_State,
    /// The most elements of a list.
    most: usize,
    table: &'a mut Vec<Raw>,
}

impl Reader<'_> {
    /// Reads elements and, up to a depth, those of the lists among them. `None` if a list is too long.
    ///
    /// SAFETY: a table of this length is in the slot, `top` is the last slot, and there is room for [`TOGETHER`] more
    /// values at each depth.
    unsafe fn elements(&mut self, at: c_int, top: c_int, length: c_int, depth: usize) -> Option<()> {
        let mut here = top;
        for element in 1..=length {
            unsafe {
                let family = ffi::lua_rawgeti_(self.state, at, element);
                here += 1;
                self.value(here, family, depth)?;
                if here - top == TOGETHER || element == length {
                    ffi::lua_settop(self.state, top);
                    here = top;
                }
            }
        }
        Some(())
    }

    /// Reads a value and, if it is a list, its elements up to a depth.
    ///
    /// SAFETY: a value of this type is in the slot, which is the last one, and there is room as for `elements`.
    #[inline(always)]
    unsafe fn value(&mut self, at: c_int, family: c_int, depth: usize) -> Option<()> {
        unsafe {
            if family == ffi::LUA_TTABLE && depth > 0 {
                return self.inner_list(at, depth - 1);
            }
            self.table.push(read_as(self.state, -1, family));
            Some(())
        }
    }

    /// Reads a list in a table. It is a separate function, so that other values cost little.
    ///
    /// SAFETY: a table is in the slot, which is the last one, and there is room as for `elements`.
    #[inline(never)]
    unsafe fn inner_list(&mut self, at: c_int, depth: usize) -> Option<()> {
        let length = unsafe { ffi::lua_objlen_(self.state, at) };
        if length as usize > self.most || self.table.len() > LARGEST {
            return None;
        }
        self.table.push(Raw::List(length as usize));
        unsafe { self.elements(at, at, length, depth) }
    }
}

/// How many slots the two parts of a table have, filled or not: `sizearray` and `lsizenode`. Luau has no function for
/// this. [`sizes_are_known`] verifies that they are there.
///
/// SAFETY: this is a table.
#[inline(always)]
unsafe fn sizes(table: *const c_void) -> (usize, usize) {
    // SAFETY: a table has more bytes than these, and an aligned integer in its second word.
    let (listed, hashed) = unsafe { (table.byte_add(8).cast::<c_int>().read(), table.byte_add(6).cast::<u8>().read()) };
    (listed.unsigned_abs() as usize, 1 << hashed.min(32))
}

/// Whether tables hold their sizes where [`sizes`] reads them.
///
/// SAFETY: nothing is on the stack, and there is room.
pub(super) unsafe fn sizes_are_known(state: *mut ffi::lua_State) -> bool {
    let mut known = true;
    unsafe {
        for (listed, hashed) in [(0, 0), (37, 0), (0, 64), (5, 16), (1, 2)] {
            ffi::lua_createtable(state, listed, hashed);
            known &= sizes(ffi::lua_topointer(state, -1)) == (listed as usize, hashed.max(1) as usize);
        }
        ffi::lua_settop(state, 0);
    }
    known
}

/// The number of slots of a table that are walked for one step.
const SLOTS_OF_A_STEP: usize = 64;

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
            let (listed, hashed) = sizes(ffi::lua_topointer(state, 1));
            let slots = listed + hashed;
            if slots > SLOTS_OF_A_STEP {
                ffi::lua_pushvalue(state, charge);
                ffi::lua_pushnumber(state, (slots / SLOTS_OF_A_STEP) as f64);
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ffi::CStr;

    use mlua::Table as LuaTable;

    use super::*;

    /// A value as text; strings by what they say.
    fn written(value: &Raw) -> String {
        match value {
            // SAFETY: the table that was read holds the string, which ends with a zero.
            Raw::Text(address) => {
                unsafe { CStr::from_ptr(ptr::with_exposed_provenance(*address)) }.to_string_lossy().into_owned()
            }
            Raw::Number(number) => number.to_string(),
            Raw::Truth(truth) => truth.to_string(),
            Raw::List(length) => format!("#{length}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// What is read from a table as a list of up to ten elements and as fields, in the order of the keys, each `None` if
    /// it cannot be read so. Afterward, nothing else is on the stack.
    fn read_both(lua: &Lua, text: &str) -> mlua::Result<[Option<String>; 2]> {
        let table: LuaTable = lua.load(text).eval()?;
        let mut found = [None, None];
        let (mut elements, mut pairs) = (Vec::new(), Vec::new());
        // SAFETY: a table is in the first slot, and there is room for twenty values.
        unsafe {
            lua.exec_raw::<()>(&table, |state| {
                ffi::lua_checkstack(state, 20);
                if list(state, 1, 1, 10, &mut elements).is_some() {
                    assert_eq!(ffi::lua_gettop(state), 1);
                    found[0] = Some(elements.iter().map(written).collect::<Vec<_>>().join(" "));
                }
                ffi::lua_settop(state, 1);
                if fields(state, 1, 1, &mut pairs).is_some() {
                    assert_eq!(ffi::lua_gettop(state), 1);
                    found[1] = Some(pairs.iter().map(written).collect::<Vec<_>>().join(" "));
                }
                ffi::lua_settop(state, 0);
            })?;
        }
        Ok(found)
    }

    #[test]
    fn tables_are_read_as_lists_and_as_fields() -> mlua::Result<()> {
        let lua = Lua::new();
        let tables = [
            ("{}", Some(""), Some("")),
            (
                "{ 1, -2.5, 'three', true, false }",
                Some("1 -2.5 three true false"),
                Some("1 1 2 -2.5 3 three 4 true 5 false"),
            ),
            (
                "{ 'build', { 1, 2, 3, 4, 5 }, { 'a', { 4, { 5 } } } }",
                Some("build #5 1 2 3 4 5 #2 a #2 4 table"),
                Some("1 build 2 #5 1 2 3 4 5 3 #2 a table"),
            ),
            ("{ print, coroutine.create(print) }", Some("other other"), Some("1 other 2 other")),
            ("{ at = 7 }", Some(""), Some("at 7")),
            ("{ always = { 1, 'two' } }", Some(""), Some("always #2 1 two")),
            ("{ 1, 2, at = 3 }", Some("1 2"), Some("1 1 2 2 at 3")),
            ("{ [true] = 3 }", Some(""), Some("true 3")),
            (
                "(function() local t = { 1, 2, 3, 4, 5 } t[5] = nil return t end)()",
                Some("1 2 3 4"),
                Some("1 1 2 2 3 3 4 4"),
            ),
            (
                "(function() local t = {} for i = 4, 1, -1 do t[i] = i end return t end)()",
                Some("1 2 3 4"),
                Some("1 1 2 2 3 3 4 4"),
            ),
            ("(function() local t = { a = 1, b = 2 } t.b = nil return t end)()", Some(""), Some("a 1")),
            ("(function() local t = table.create(100) t[1] = 1 return t end)()", Some("1"), Some("1 1")),
            ("table.create(10, 7)", Some("7 7 7 7 7 7 7 7 7 7"), Some("1 7 2 7 3 7 4 7 5 7 6 7 7 7 8 7 9 7 10 7")),
            ("table.create(11, 7)", None, Some("1 7 2 7 3 7 4 7 5 7 6 7 7 7 8 7 9 7 10 7 11 7")),
            ("{ table.create(11, 7) }", None, None),
            ("table.create(15, 7)", None, None),
        ];
        for (text, as_list, as_fields) in tables {
            let found = read_both(&lua, text)?;
            assert_eq!([found[0].as_deref(), found[1].as_deref()], [as_list, as_fields], "{text}");
        }
        Ok(())
    }

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
