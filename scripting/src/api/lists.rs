//! Helpers for lists.

use crate::api::chapter::{NIL, chapter};
use crate::types::{Ty, gives, opt, p};

chapter! { "Helpers",
    look "sorted" (p("list", Ty::List(&Ty::Lua)), opt("before", Ty::Function)) [gives(Ty::Like)]
        "A sorted copy of a list: numbers and handles first, then keywords. For another order, pass a function that says whether its first argument comes before its second."
        "for _, name in sorted(names) do … end"
        Checks |_, _| Ok(NIL), lua "
local check, create, sort = host.sorted, table.create, table.sort
local function by_type_and_value(a, b)
  local ta, tb = type(a), type(b)
  if ta == tb then
    return a < b
  end
  return ta < tb
end
return function(list, before)
  if type(list) ~= 'table' or (before ~= nil and type(before) ~= 'function') then
    check(list, before)
  end
  local copy = create(#list)
  for i = 1, #list do
    copy[i] = list[i]
  end
  sort(copy, before or by_type_and_value)
  return copy
end";
    look "contains" (p("list", Ty::List(&Ty::Lua)), p("value", Ty::Lua)) [gives(Ty::Bool)]
        "Whether a list holds a value."
        "if contains(seats(), seat) then … end"
        Checks |_, _| Ok(NIL), lua "
local check = host.contains
return function(list, value)
  if type(list) ~= 'table' then
    check(list, value)
  end
  for i = 1, #list do
    if list[i] == value then
      return true
    end
  end
  return false
end";
    look "filter" (p("list", Ty::List(&Ty::Lua)), p("keep", Ty::Function)) [gives(Ty::Like)]
        "The elements of a list for which a function returns true, in order."
        "filter(spaces{controller = seat}, function(land) return has(land, \"capital\") end)"
        Checks |_, _| Ok(NIL), lua "
local check, create = host.filter, table.create
return function(list, keep)
  if type(list) ~= 'table' or type(keep) ~= 'function' then
    check(list, keep)
  end
  -- A list that grows is moved again and again.
  local kept, many = create(#list), 0
  for i = 1, #list do
    local value = list[i]
    if keep(value) then
      many += 1
      kept[many] = value
    end
  end
  return kept
end";
}
