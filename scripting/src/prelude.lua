-- Trusted part of the API: what must yield, what calls functions of scripts, and bounded library functions.
-- `host` holds helpers that scripts never see; `api` becomes their environment.
local host, api, raw = ...
local yield, pack = raw.yield, raw.pack
local nothing, create, insert, sort = host.nothing, raw.table.create, raw.table.insert, raw.table.sort
local type, select, error, pairs, ipairs = type, select, error, pairs, ipairs
local leave, mark, unwind, charge = host.leave, host.mark, host.unwind, host.charge

-- Questions and procedures: the host notes what is wanted, then the coroutine rests. A function that lists options is
-- what it rests with, so that the host can call it again.
local ask, ask_and_rest, take_options = host.choose, host.choose_and_rest, host.take_options
local listing, listed, taken = host.listing, host.listed, host.taken
function api.choose(seat, decision, options, about, ...)
  if type(options) ~= "function" then
    return ask_and_rest(seat, decision, options, about, ...)
  end
  listing()
  listed((options()))
  ask(seat, decision, taken, about, ...)
  return yield(options)
end
function host.options_of(f, ...)
  take_options((f(...)))
end
local move_units, march = host.move_units, host.march
function api.move_units(...)
  move_units(...)
  yield()
  local list = march()
  local ended, before, moved = {}, {}, {}
  local last = 1 + 2 * list[1]
  for at = 2, last, 2 do
    local land, seat = list[at], list[at + 1]
    insert(ended, land)
    before[land] = seat ~= nothing and seat
  end
  for at = last + 1, #list, 3 do
    insert(moved, { piece = list[at], from = list[at + 1], to = list[at + 2] })
  end
  return { ended = ended, moved = moved, before = before }
end

local choose, check_confirm = api.choose, host.confirm
local YES_NO = { "yes", "no" }
function api.confirm(seat, decision, about)
  check_confirm(seat, decision, about)
  return choose(seat, decision, YES_NO, about) == "yes"
end

-- Hooks run in the coroutine of their caller, so that they may ask. The host says which has begun, by its number, that
-- of its `self`, and its owner; after it which is next. What is new among the selves is made where it is missed.
local hooks, selves, missed, answered = host.hooks, host.selves, host.missed, host.answered

local query, trigger, perform = host.query, host.trigger, host.perform
function api.query(point, value, ...)
  local hook, this, owner = query(point, value, ...)
  value = if value == true then 1 elseif value == false then 0 else value + 0
  while hook do
    value, hook, this, owner = answered((hooks[hook](selves[this] or missed[this], value, owner, ...)))
  end
  return value
end
function api.trigger(point, ...)
  local hook, this, owner = trigger(point, ...)
  while hook do
    hooks[hook](selves[this] or missed[this], owner, ...)
    hook, this, owner = leave()
  end
end
function api.perform(entity, point, seat, ...)
  local hook, this = perform(entity, point, seat, ...)
  if not hook then
    return false
  end
  hooks[hook](selves[this] or missed[this], seat, ...)
  leave()
  return true
end

-- `pcall` that keeps the stack of running hooks true and lets no latched fault through.
local pcall = raw.pcall
local function caught(depth, ok, ...)
  if ok then
    return true, ...
  end
  return false, unwind(depth, (...))
end
function api.pcall(f, ...)
  return caught(mark(), pcall(f, ...))
end

-- Tables and functions would lie in a table by their address, which is different on every machine, and move what lies
-- beside them. Every key that a script writes under, and that could be one, comes through here.
function api.__key(key)
  local kind = type(key)
  if kind == "table" or kind == "function" or kind == "userdata" or kind == "thread" then
    error("a " .. kind .. " cannot be a key: the order of such keys is chance; use handles or keywords", 2)
  end
  return key
end

-- Facts never change: they are looked up here. What is not found, or asked for wrongly, the host answers.
local facts = host.facts
local function looked_up(column, ask)
  return function(entity, extra)
    local value = column[entity]
    if value == nil or extra ~= nil then
      return ask(entity, extra)
    end
    return value or nil
  end
end
api.home = looked_up(facts.homes, host.home)
api.kindof = looked_up(facts.kinds, host.kindof)
api.designof = looked_up(facts.designs, host.designof)

local function looked_up_by_name(columns, ask)
  return function(entity, name, extra)
    local column = columns[name]
    local value = column and column[entity]
    if value == nil or extra ~= nil then
      return ask(entity, name, extra)
    end
    return value or nil
  end
end
api.prop = looked_up_by_name(facts.props, host.prop)
api.stat = looked_up_by_name(facts.stats, host.stat)

local props, ask_has = facts.props, host.has
function api.has(entity, name, extra)
  local column = props[name]
  local value = column and column[entity]
  if value == nil or extra ~= nil then
    return ask_has(entity, name, extra)
  end
  return value ~= false and value ~= 0
end

-- Pure helpers -----------------------------------------------------------------------------------------------------

local check_sorted, check_contains, check_filter = host.sorted, host.contains, host.filter

local function by_type_and_value(a, b)
  local ta, tb = type(a), type(b)
  if ta == tb then
    return a < b
  end
  return ta < tb
end
function api.sorted(list, before)
  if type(list) ~= "table" or (before ~= nil and type(before) ~= "function") then
    check_sorted(list, before)
  end
  local copy = create(#list)
  for i = 1, #list do
    copy[i] = list[i]
  end
  sort(copy, before or by_type_and_value)
  return copy
end
function api.contains(list, value)
  if type(list) ~= "table" then
    check_contains(list, value)
  end
  for i = 1, #list do
    if list[i] == value then
      return true
    end
  end
  return false
end
function api.filter(list, keep)
  if type(list) ~= "table" or type(keep) ~= "function" then
    check_filter(list, keep)
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
end

-- Library functions that loop without a step in between cost as many steps as they loop, or have a bound. ------------

local LONGEST = 65536
local string, table = {}, {}
api.string, api.table = string, table

local function bounded(name, f)
  return function(s, ...)
    if type(s) == "string" then
      if #s > LONGEST then
        error("string." .. name .. ": strings may have up to " .. LONGEST .. " characters here", 2)
      end
      charge(#s // 32)
    end
    return f(s, ...)
  end
end
for _, name in ipairs({ "char", "len" }) do
  string[name] = raw.string[name]
end
for _, name in ipairs({ "lower", "upper", "reverse", "split", "sub" }) do
  string[name] = bounded(name, raw.string[name])
end
local byte = raw.string.byte
function string.byte(s, from, to)
  if type(s) == "string" and to ~= nil and #s > 200 then
    local first, last = tonumber(from or 1), tonumber(to)
    if first and last then
      first = math.max(if first < 0 then #s + first + 1 else first, 1)
      last = math.min(if last < 0 then #s + last + 1 else last, #s)
      if last - first >= 200 then
        error("string.byte: up to 200 characters", 2)
      end
    end
  end
  return byte(s, from, to)
end

-- Searching costs the product of both lengths at worst, and looking for a balanced pair the square of the text's.
local find = raw.string.find
local function searching(name)
  local f = raw.string[name]
  return function(s, pattern, ...)
    if type(s) == "string" and type(pattern) == "string" then
      if #s > LONGEST or #pattern > LONGEST then
        error("string." .. name .. ": strings may have up to " .. LONGEST .. " characters here", 2)
      end
      charge(#s * #pattern // 32)
      if find(pattern, "%b", 1, true) then
        charge(#s * #s // 32)
      end
    end
    return f(s, pattern, ...)
  end
end
for _, name in ipairs({ "find", "match", "gmatch", "gsub" }) do
  string[name] = searching(name)
end

local rep = raw.string.rep
function string.rep(s, n, ...)
  if select("#", ...) > 0 then
    error("string.rep takes a string and a number", 2)
  end
  local length = type(s) == "string" and type(n) == "number" and #s * n or 0
  if length > LONGEST then
    error("string.rep: strings may have up to " .. LONGEST .. " characters here", 2)
  end
  charge(length // 32)
  return rep(s, n)
end

-- A table or function would be written with its address, which is different on every machine.
local format = raw.string.format
function string.format(pattern, ...)
  for i = 1, select("#", ...) do
    local kind = type((select(i, ...)))
    if kind ~= "string" and kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
      error("string.format cannot write a " .. kind, 2)
    end
  end
  if type(pattern) == "string" then
    charge(#pattern // 32)
  end
  return format(pattern, ...)
end

local raw_insert, raw_remove, raw_concat = raw.table.insert, raw.table.remove, raw.table.concat
local raw_unpack, raw_find = raw.table.unpack, raw.table.find
function table.insert(list, ...)
  if select("#", ...) < 2 then
    return raw_insert(list, ...)
  end
  local at = ...
  if type(list) == "table" and type(at) == "number" then
    charge(math.max(0, #list - at) // 32)
  end
  return raw_insert(list, ...)
end
function table.remove(list, at)
  if at == nil then
    return raw_remove(list)
  end
  if type(list) == "table" and type(at) == "number" then
    charge(math.max(0, #list - at) // 32)
  end
  return raw_remove(list, at)
end
function table.concat(list, ...)
  if type(list) == "table" then
    charge(#list)
  end
  return raw_concat(list, ...)
end
function table.find(list, ...)
  if type(list) == "table" then
    charge(#list // 32)
  end
  return raw_find(list, ...)
end
function table.sort(list, ...)
  if type(list) == "table" then
    charge(#list)
  end
  return sort(list, ...)
end
function table.unpack(list, ...)
  if type(list) == "table" and (select("#", ...) > 0 or #list > 200) then
    local from, to = ...
    if (to or #list) - (from or 1) > 200 then
      error("table.unpack: up to 200 values", 2)
    end
  end
  return raw_unpack(list, ...)
end
table.pack = pack
api.unpack = table.unpack
