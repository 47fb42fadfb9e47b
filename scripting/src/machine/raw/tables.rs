//! Tables of scripts: reading them, from memory where that is possible, and charging for their slots.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
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
                        Shape::List(most) | Shape::ListAndFields(most) => listed(state, at, most, table)?,
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
    let first = table.len();
    unsafe {
        let parts = Parts::of(ffi::lua_topointer(state, at));
        if parts.listed.is_empty() && parts.hashed.len() <= MOST_SLOTS {
            let known = parts.hashed.iter().all(|slot| slot.read(table));
            if known && table.len() - first <= 2 * MOST_FIELDS {
                return Some(());
            }
            table.truncate(first);
        }
        walked_fields(state, at, table)
    }
}

/// Reads the elements of a list.
///
/// SAFETY: a table is in the slot, and there is room for three more values.
unsafe fn listed(state: *mut ffi::lua_State, at: c_int, most: usize, table: &mut Vec<Raw>) -> Option<()> {
    let first = table.len();
    unsafe {
        let parts = Parts::of(ffi::lua_topointer(state, at));
        if parts.elements(most).is_some_and(|elements| read_places(elements, most, 2, table).is_some()) {
            return Some(());
        }
        table.truncate(first);
        walked_list(state, at, most, table)
    }
}

/// The same as [`fields`] through Luau's functions, for any table.
///
/// SAFETY: as there.
unsafe fn walked_fields(state: *mut ffi::lua_State, at: c_int, table: &mut Vec<Raw>) -> Option<()> {
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

/// The same as [`listed`] through Luau's functions, for any list.
///
/// SAFETY: as there.
unsafe fn walked_list(state: *mut ffi::lua_State, at: c_int, most: usize, table: &mut Vec<Raw>) -> Option<()> {
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

/// The parts of a table, `LuaTable`, in memory. [`layout_is_known`] has verified the layout of what follows. Reading a
/// table through Luau's functions takes four times as long.
struct Parts<'a> {
    listed: &'a [Place],
    hashed: &'a [Slot],
}

/// A value: `TValue`.
#[repr(C)]
struct Place {
    value: Content,
    _extra: MaybeUninit<c_int>,
    family: c_int,
}

/// A slot of the hashed part: `LuaNode`.
#[repr(C)]
struct Slot {
    value: Place,
    key: Content,
    _extra: MaybeUninit<c_int>,
    /// The type of the key in the lowest four bits, and the distance to the next slot of a chain.
    key_family: u32,
}

#[repr(C)]
union Content {
    number: f64,
    truth: c_int,
    object: *const c_void,
}

/// The offset of the characters in a string, `TString`.
const CHARACTERS: usize = 24;
/// The most slots of a table with [`MOST_FIELDS`] fields.
const MOST_SLOTS: usize = MOST_FIELDS.next_power_of_two();

impl Parts<'_> {
    /// SAFETY: this is a table, which nothing changes while the result is used.
    #[inline(always)]
    unsafe fn of<'a>(table: *const c_void) -> Parts<'a> {
        // SAFETY: two addresses are in its fourth and fifth word.
        unsafe {
            let (listed, hashed) = sizes(table);
            let (list, slots) = (table.byte_add(24).cast::<*const Place>(), table.byte_add(32).cast::<*const Slot>());
            let list = if listed == 0 { &[] } else { std::slice::from_raw_parts(list.read(), listed) };
            Parts { listed: list, hashed: std::slice::from_raw_parts(slots.read(), hashed) }
        }
    }

    /// The elements of a list. `None` if it has some elsewhere, or too many, or much room for more.
    fn elements(&self, most: usize) -> Option<&[Place]> {
        if self.listed.len() > 2 * most || self.hashed.len() > MOST_SLOTS {
            return None;
        }
        let is_nil = |place: &Place| place.family == ffi::LUA_TNIL;
        let end = self.listed.iter().position(is_nil).unwrap_or(self.listed.len());
        let (elements, rest) = self.listed.split_at(end);
        let ends_here = rest.iter().all(is_nil) && self.hashed.iter().all(|slot| is_nil(&slot.value));
        (ends_here && end <= most).then_some(elements)
    }
}

/// Reads elements, and those of lists among them up to a depth. `None` if a list has elements elsewhere, or too many.
///
/// SAFETY: the elements are in a table, which nothing changes meanwhile.
unsafe fn read_places(elements: &[Place], most: usize, depth: usize, table: &mut Vec<Raw>) -> Option<()> {
    elements.iter().try_for_each(|element| {
        // SAFETY: as above; a table among the elements does not change either.
        unsafe {
            if element.family != ffi::LUA_TTABLE || depth == 0 {
                table.push(element.raw());
                return Some(());
            }
            let inner = Parts::of(element.value.object);
            let elements = inner.elements(most).filter(|_| table.len() <= LARGEST)?;
            table.push(Raw::List(elements.len()));
            read_places(elements, most, depth - 1, table)
        }
    })
}

impl Place {
    /// SAFETY: the value is in a table.
    #[inline(always)]
    unsafe fn raw(&self) -> Raw {
        unsafe {
            match self.family {
                ffi::LUA_TNUMBER => Raw::Number(self.value.number),
                ffi::LUA_TSTRING => self.value.text(),
                ffi::LUA_TBOOLEAN => Raw::Truth(self.value.truth != 0),
                ffi::LUA_TNIL => Raw::Nil,
                ffi::LUA_TTABLE => Raw::Table,
                ffi::LUA_TLIGHTUSERDATA => Raw::Light,
                _ => Raw::Other,
            }
        }
    }
}

impl Content {
    /// SAFETY: this is a string.
    #[inline(always)]
    unsafe fn text(&self) -> Raw {
        unsafe { Raw::Text(self.object.addr() + CHARACTERS) }
    }
}

impl Slot {
    /// Adds the key and the value, if there are any. False if the key is no string, or if the value is a table.
    ///
    /// SAFETY: the slot belongs to a table.
    #[inline(always)]
    unsafe fn read(&self, table: &mut Vec<Raw>) -> bool {
        let is_text = self.key_family & 15 == ffi::LUA_TSTRING as u32;
        match self.value.family {
            ffi::LUA_TNIL => true,
            ffi::LUA_TTABLE => false,
            _ if is_text => {
                // SAFETY: the key is a string.
                table.extend(unsafe { [self.key.text(), self.value.raw()] });
                true
            }
            _ => false,
        }
    }
}

/// How many slots the two parts of a table have, filled or not: `sizearray` and `lsizenode`. Luau does not provide them.
///
/// SAFETY: this is a table.
#[inline(always)]
unsafe fn sizes(table: *const c_void) -> (usize, usize) {
    // SAFETY: a table has more bytes than these, and an aligned integer in its second word.
    let (listed, hashed) = unsafe { (table.byte_add(8).cast::<c_int>().read(), table.byte_add(6).cast::<u8>().read()) };
    (listed.unsigned_abs() as usize, 1 << hashed.min(32))
}

/// Whether tables have the memory layout that [`sizes`] and [`Parts`] read. The sizes are compared first, because only
/// they can be read without following an address.
///
/// SAFETY: nothing is on the stack, and there is room.
pub(super) unsafe fn layout_is_known(state: *mut ffi::lua_State) -> bool {
    let mut counts = true;
    unsafe {
        for (listed, hashed) in [(0, 0), (37, 0), (0, 64), (5, 16), (1, 2)] {
            ffi::lua_createtable(state, listed, hashed);
            counts &= sizes(ffi::lua_topointer(state, -1)) == (listed as usize, hashed.max(1) as usize);
        }
        ffi::lua_settop(state, 0);
        let reads = counts && reads_alike(state);
        ffi::lua_settop(state, 0);
        reads
    }
}

/// Whether a list in memory is the one that Luau's functions read, and the fields of a table, too.
///
/// SAFETY: nothing is on the stack.
unsafe fn reads_alike(state: *mut ffi::lua_State) -> bool {
    let mut read = [const { Vec::new() }; 2];
    let mut walked = [const { Vec::new() }; 2];
    unsafe {
        ffi::lua_createtable(state, 5, 0);
        ffi::lua_createtable(state, 0, 4);
        let values: [&dyn Fn(); 3] =
            [&|| ffi::lua_pushnumber(state, -1.5), &|| ffi::lua_pushboolean(state, 1), &|| {
                ffi::lua_pushstring_(state, c"word".as_ptr())
            }];
        for ((at, name), push) in (1..).zip([c"number", c"truth", c"text"]).zip(values) {
            push();
            ffi::lua_rawseti_(state, 1, at);
            push();
            ffi::lua_setfield(state, 2, name.as_ptr());
        }
        ffi::lua_createtable(state, 1, 0);
        ffi::lua_rawseti_(state, 1, 4);
        let (parts, hashed) = (Parts::of(ffi::lua_topointer(state, 1)), Parts::of(ffi::lua_topointer(state, 2)));
        parts.listed.len() == 5
            && hashed.hashed.len() == 4
            && parts.elements(5).is_some_and(|elements| read_places(elements, 5, 1, &mut read[0]).is_some())
            && hashed.hashed.iter().all(|slot| slot.read(&mut read[1]))
            && walked_list(state, 1, 5, &mut walked[0]).is_some()
            && walked_fields(state, 2, &mut walked[1]).is_some()
            && (read[0].len(), read[1].len()) == (4, 6)
            && read == walked
    }
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

    use mlua::Table as LuaTable;

    use super::*;

    #[test]
    fn tables_in_memory_are_those_that_luau_reads() -> mlua::Result<()> {
        let lua = Lua::new();
        let tables = [
            "{}",
            "{ 1, -2.5, 'three', true, false }",
            "{ 1, nil, 3 }",
            "{ nil, 2 }",
            "{ 'build', { 1, 2, 3 }, { 'a', { 4, { 5 } } } }",
            "{ print, coroutine.create(print) }",
            "{ at = 7, owner = 2.5, class = 'unit', occupying = true }",
            "{ at = { 1, 2 }, always = false }",
            "{ 1, 2, at = 3 }",
            "{ [1.5] = 2, [true] = 3 }",
            "(function() local t = {} for i = 1, 5 do t[#t + 1] = i end t[5] = nil t[3] = nil return t end)()",
            "(function() local t = {} for i = 9, 1, -1 do t[i] = i end return t end)()",
            "(function() local t = { a = 1, b = 2, c = 3 } t.b = nil return t end)()",
            "(function() local t = {} for i = 1, 15 do t['k' .. i] = i end return t end)()",
            "(function() local t = table.create(100) t[1] = 1 return t end)()",
        ];
        for text in tables {
            let table: LuaTable = lua.load(text).eval()?;
            let mut read = [const { Vec::new() }; 4];
            let [fields_read, fields_walked, list_read, list_walked] = &mut read;
            // SAFETY: a table is in the first slot.
            let (fields_known, list_known) = unsafe {
                let mut known = ([None; 2], [None; 2]);
                lua.exec_raw::<()>(&table, |state| {
                    known.0 = [fields(state, 1, fields_read), walked_fields(state, 1, fields_walked)];
                    known.1 = [listed(state, 1, 10, list_read), walked_list(state, 1, 10, list_walked)];
                    ffi::lua_settop(state, 0);
                })?;
                known
            };
            assert_eq!(fields_known[0], fields_known[1], "{text}");
            assert_eq!(list_known[0], list_known[1], "{text}");
            assert!(fields_known[0].is_none() || read[0] == read[1], "{text}: {read:?}");
            assert!(list_known[0].is_none() || read[2] == read[3], "{text}: {read:?}");
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
