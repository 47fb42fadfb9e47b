-- The parts of Luau's library that scripts have in another form: bounded, deterministic, paid for in steps.
-- `host` holds helpers that scripts never see; `api` becomes their environment; `raw` is what Luau has.
local host, api, raw = ...
local select, type, error, ipairs, sort = select, type, error, ipairs, raw.table.sort
local mark, unwind, charge = host.mark, host.unwind, host.charge

-- `pcall` that keeps the stack of running hooks true and lets no latched error through.
local pcall = raw.pcall
local LONGEST, LONGEST_NUMERAL, MOST_VALUES = host.longest, host.longest_numeral, 250
local cut = raw.string.sub
local function caught(depth, ok, ...)
  if ok then
    return true, ...
  end
  local raised = unwind(depth, (...))
  if type(raised) == "string" and #raised > LONGEST then
    -- The place has made it longer.
    raised = cut(raised, 1, LONGEST)
  end
  return false, raised
end
function api.pcall(f, ...)
  return caught(mark(), pcall(f, ...))
end

-- Tables and functions would lie in a table by their address, which is different on every machine, and move what lies
-- beside them. Every key that a script writes under, and that could be one, comes through here.
function api.__key(key)
  local kind = type(key)
  if kind == "table" or kind == "function" or kind == "userdata" or kind == "thread" then
    error("a " .. kind .. " cannot be a key: the order of such keys is random; use handles or keywords", 2)
  end
  return key
end

-- Walking through a table from which much was removed is slow: each walk costs by the slots that it has.
local charged = host.charged
api.__walk = charged(charge, nil)
api.pairs = charged(charge, api.pairs)
api.next = charged(charge, api.next)

-- True, and the compiler does not know it.
api.__turns = true

-- What a function returns after other values, and what it takes of any number, would grow from call to call.
function api.__values(...)
  if select("#", ...) > MOST_VALUES then
    error("a function takes and returns up to " .. MOST_VALUES .. " values here", 2)
  end
  return ...
end

-- Every string that is made comes through here: it costs steps and has a bound, so that comparing it costs little.
local is_long = host.is_long
local function longer(s, name, level)
  charge(#s // 32)
  if is_long(s) then
    if #s > LONGEST then
      error(name .. "strings may have up to " .. LONGEST .. " characters here", level)
    end
    error(name .. "strings may begin with a number of up to " .. LONGEST_NUMERAL .. " characters here", level)
  end
end
local function made(name, s, ...)
  if type(s) == "string" and #s > LONGEST_NUMERAL then
    longer(s, name, 4)
  end
  return s, ...
end
function api.__text(s)
  if #s > LONGEST_NUMERAL then
    longer(s, "", 3)
  end
  return s
end

-- Library functions that loop without a step in between cost as many steps as they loop, or have a bound. ------------

local string, table = {}, {}
api.string, api.table = string, table

local function bounded(name, f)
  name = "string." .. name .. ": "
  return function(s, ...)
    if type(s) == "string" then
      charge(#s // 32)
    end
    return made(name, f(s, ...))
  end
end
string.len = raw.string.len
for _, name in ipairs({ "char", "lower", "upper", "reverse", "sub" }) do
  string[name] = bounded(name, raw.string[name])
end
local split, byte = raw.string.split, raw.string.byte
function string.split(s, ...)
  if type(s) == "string" then
    -- Each character may become a string.
    charge(#s)
  end
  return split(s, ...)
end
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
  local told = "string." .. name .. ": "
  return function(s, pattern, ...)
    if type(s) == "string" and type(pattern) == "string" then
      charge(#s * #pattern // 32)
      if find(pattern, "%b", 1, true) then
        charge(#s * #s // 32)
      end
    end
    return made(told, f(s, pattern, ...))
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
  return made("string.rep: ", rep(s, n))
end

-- A table or function would be written with its address, which is different on every machine. Fractions are written by
-- the host, and whole numbers only where every system converts them in the same way.
local format, sub, pack, unpack = raw.string.format, raw.string.sub, raw.table.pack, raw.table.unpack
local written, concat = host.written, raw.table.concat
local DIRECTIVE = "%%([^%a%%%*]*)(.)"
local FRACTION = { e = true, E = true, f = true, g = true, G = true }
local WHOLE = { c = 255, d = 2 ^ 53, i = 2 ^ 53, o = 2 ^ 53, u = 2 ^ 53, x = 2 ^ 53, X = 2 ^ 53 }

-- The directive to use in place of one, and the value for it.
local function the_same(flags, letter, value)
  local number = tonumber(value)
  if number and FRACTION[letter] then
    return "%s", written(flags, letter, number)
  end
  local most = WHOLE[letter]
  if number and most and not (math.abs(number) <= most) then
    error("string.format: `%" .. letter .. "` writes numbers up to " .. most .. ", got one beyond", 3)
  end
  return "%" .. flags .. letter, value
end

function string.format(pattern, ...)
  local count = select("#", ...)
  for i = 1, count do
    local kind = type((select(i, ...)))
    if kind ~= "string" and kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
      error("string.format cannot write a " .. kind, 2)
    end
  end
  if type(pattern) ~= "string" then
    return format(pattern, ...)
  end
  charge(#pattern // 32)
  local parts, values, at, from = {}, pack(...), 0, 1
  while true do
    local first, last, flags, letter = find(pattern, DIRECTIVE, from)
    if not first then
      break
    end
    local directive = sub(pattern, first, last)
    if directive ~= "%%" then
      at += 1
      if at <= count then
        directive, values[at] = the_same(flags, letter, values[at])
      end
    end
    parts[#parts + 1] = sub(pattern, from, first - 1) .. directive
    from = last + 1
  end
  parts[#parts + 1] = sub(pattern, from)
  return made("string.format: ", format(concat(parts), unpack(values, 1, count)))
end

-- The C library reads more than numerals, and not the same everywhere.
local numeral = host.numeral
function api.tonumber(...)
  local value, base = ...
  if type(value) == "string" and (base == nil or base == 10) then
    charge(#value // 32)
    return numeral(value)
  end
  return tonumber(...)
end

-- The C library computes powers, too, and not the same everywhere.
local power = host.power
local read = api.tonumber
function api.__power(base, exponent)
  local x, y = read(base), read(exponent)
  if x and y then
    return power(x, y)
  end
  local one, other = type(base), type(exponent)
  error("attempt to perform arithmetic (pow) on " .. (if one == other then one else one .. " and " .. other), 2)
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
  return made("table.concat: ", raw_concat(list, ...))
end
function table.find(list, ...)
  if type(list) == "table" then
    charge(#list // 32)
  end
  return raw_find(list, ...)
end
function table.sort(list, ...)
  if type(list) == "table" then
    local compared, half = #list, #list
    while half > 8 do
      half //= 2
      compared += #list // 4
    end
    charge(compared)
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
table.pack = raw.table.pack
api.unpack = table.unpack
