-- Trusted part of the API: what must yield, what calls functions of scripts, and bounded library functions.
-- `host` holds helpers that scripts never see; `api` becomes their environment.
local host, api, raw = ...
local yield, pack = raw.yield, raw.pack
local type, select, error, pairs, ipairs = type, select, error, pairs, ipairs
local enter, leave, mark, unwind, charge = host.enter, host.leave, host.mark, host.unwind, host.charge

-- Numbers go to the host through one buffer, handles and keywords among them: that costs far less than to have it look
-- into tables. What cannot be written there the host refuses, and says why.
local flat, words, writef64 = host.flat, host.words, buffer.writef64
local function coded(value)
  if type(value) == "number" then
    return value
  end
  return words[value]
end

-- Functions that take named fields: each as the number of the field and its value.
local function taking_fields(run, refuse, slots, lists)
  return function(fields, extra)
    local at = 0
    if type(fields) == "table" and extra == nil then
      for name, value in fields do
        local slot, code = slots[name], coded(value)
        if not slot or not code then
          refuse(fields)
        end
        writef64(flat, at, slot)
        writef64(flat, at + 8, code)
        at += 16
      end
    elseif fields ~= nil or extra ~= nil then
      refuse(fields, extra)
    end
    if lists then
      return { run(at) }
    end
    return run(at)
  end
end
for name, entry in host.fields do
  api[name] = taking_fields(entry.run, entry.refuse, entry.slots, entry.lists)
end

-- Options: each as the number of values after its verb, its verb, and the values; a bare value as -1 and that. The first
-- number says how far they go.
local FIRST, LAST, MOST = 8 * host.first_option, 8 * host.last_option, host.most_options
local take_options, refuse_options = host.take_options, host.refuse_options
local function lay_out(list)
  if type(list) ~= "table" or #list > MOST then
    refuse_options(list)
  end
  local at = FIRST
  for i = 1, #list do
    if at > LAST then
      writef64(flat, 0, at)
      take_options()
      at = FIRST
    end
    local option = list[i]
    if type(option) == "table" then
      local verb, size = option[1], #option
      local code = type(verb) == "string" and words[verb]
      if not code or size > 5 then
        refuse_options(list, option)
      end
      local from = at
      writef64(flat, at + 8, code)
      at += 16
      for part = 2, size do
        code = coded(option[part])
        if not code then
          refuse_options(list, option)
          break
        end
        writef64(flat, at, code)
        at += 8
      end
      writef64(flat, from, (at - from) / 8 - 2)
    else
      local code = coded(option)
      if not code then
        refuse_options(list, option)
      end
      writef64(flat, at, if type(option) == "string" then 0 else -1)
      writef64(flat, at + 8, code)
      at += 16
    end
  end
  writef64(flat, 0, at)
end
function host.options_of(f, ...)
  lay_out(f(...))
end

-- What a question is about: whether it is asked always, its source, and how many values for the prompt, and which. What does
-- not fit stays as it is, and the host says why.
local laid_out, nothing, ABOUT = host.laid_out, host.nothing, 8 * host.first_about
local function lay_about(about)
  local always, source, size = 0, nothing, 0
  for name, value in about do
    if name == "always" and type(value) == "boolean" then
      always = if value then 1 else 0
    elseif name == "source" and coded(value) then
      source = coded(value)
    elseif name == "about" and type(value) == "table" then
      size = math.min(#value, 4)
      for i = 1, size do
        local code = if value[i] == nil then nothing else coded(value[i])
        if not code then
          return about
        end
        writef64(flat, ABOUT + 16 + 8 * i, code)
      end
    else
      return about
    end
  end
  writef64(flat, ABOUT, always)
  writef64(flat, ABOUT + 8, source)
  writef64(flat, ABOUT + 16, size)
  return laid_out
end

-- Questions and procedures: the host notes what is wanted, then the coroutine rests.
local ask = host.choose
function api.choose(seat, decision, options, about, ...)
  if type(options) == "table" then
    lay_out(options)
    options = laid_out
  end
  if type(about) == "table" then
    about = lay_about(about)
  end
  ask(seat, decision, options, about, ...)
  return yield()
end
local function resting(order)
  return function(...)
    order(...)
    return yield()
  end
end
api.move_units = resting(host.move_units)
api.battle_at = resting(host.battle_at)

local choose, check_confirm = api.choose, host.confirm
local YES_NO = { "yes", "no" }
function api.confirm(seat, decision, about)
  check_confirm(seat, decision, about)
  return choose(seat, decision, YES_NO, about) == "yes"
end

-- Hooks run in the coroutine of their caller, so that they may ask.
local live, own = host.trigger, host.perform
local function listed(first, ...)
  return first and { first, ... }
end
function api.trigger(point, ...)
  local list = listed(live(point, ...))
  if list then
    for i = 1, #list, 5 do
      enter(list[i + 3], list[i + 4], list[i + 2])
      list[i](list[i + 1], list[i + 2] or nil, ...)
      leave()
    end
  end
end
function api.perform(entity, point, seat, ...)
  local hook, this, number, source = own(entity, point, seat, ...)
  if not hook then
    return false
  end
  enter(number, source, seat)
  hook(this, seat, ...)
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

-- Tables and functions lie in a table by their address, which is different on every machine.
local next = next
local function check_key(name, key)
  local kind = type(key)
  if kind == "table" or kind == "function" then
    error(name .. ": a " .. kind .. " is a key of this table, and the order of such keys is chance; use handles or keywords", 3)
  end
end
function api.pairs(list)
  for key in pairs(list) do
    check_key("pairs", key)
  end
  return next, list
end
function api.next(list, key)
  local k, v = next(list, key)
  check_key("next", k)
  return k, v
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

local insert, sort = raw.table.insert, raw.table.sort
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
  local copy = {}
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
  local kept = {}
  for i = 1, #list do
    local value = list[i]
    if keep(value) then
      insert(kept, value)
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
    if first and last and (last < 0 and #s + last or last) - math.max(first, 0) > 200 then
      error("string.byte: up to 200 characters", 2)
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
