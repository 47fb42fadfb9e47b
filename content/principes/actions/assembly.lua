-- Assembly: Footmen and paid Knights come from the pool to the Prince or to the Capital.
local lands = import("map/lands")
local M = {}

local ASSEMBLED = { kind.knight, kind.footman }

-- Controlled lands that share the highest Might.
local function richest(controlled)
  local best, found = -math.huge, {}
  for _, land in controlled do
    local might = lands.might(land)
    if might > best then
      best, found = might, {}
    end
    if might == best then
      table.insert(found, land)
    end
  end
  return found
end

--- Legal places now, and which of them are only stand-ins for a missing Prince or Capital.
--- Only one stand-in serves an action: `chosen` is the one already used.
function M.places(seat, chosen)
  local places, known, stand_in = {}, {}, {}
  local function allow(land)
    if land and not known[land] then
      known[land] = true
      table.insert(places, land)
      return true
    end
    return false
  end

  local controlled = spaces{controller = seat}
  local prince, capital = lands.of_prince(seat), lands.capital(seat)
  allow(prince)
  allow(capital)
  for _, land in controlled do
    if query("assembly.place", 0, seat, land) > 0 then
      allow(land)
    end
  end
  if prince == nil or capital == nil then
    for _, land in chosen and { chosen } or richest(controlled) do
      if allow(land) then
        stand_in[land] = true
      end
    end
  end
  return places, stand_in
end

--- Price of the nth Knight of one action.
function M.knight_cost(seat, nth)
  return math.max(0, query("assembly.knight-cost", get(counter.knight_cost), seat, nth))
end

--- Puts a unit from the pool on a land without any cost; nil if the pool is empty.
function M.put(seat, unit, land)
  local piece = place(unit, seat, land)
  if piece then
    log("unit-assembled", seat, unit, land)
  end
  return piece
end

function M.action(seat)
  trigger("assembly.start", seat)
  local left = query("assembly.limit", get(counter.assembly_units), seat)
  local knights, chosen = 0, nil
  while left > 0 do
    local function options()
      local affordable = get(counter.gold, seat) >= M.knight_cost(seat, knights + 1)
      local units = filter(ASSEMBLED, function(unit)
        local paid = unit ~= kind.knight or affordable
        return paid and count{kind = unit, owner = seat, on = "pool"} > 0
      end)
      local places = M.places(seat, chosen)
      return { { "assemble", units, places }, "done" }
    end
    local verb, unit, land = choose(seat, "assembly.unit", options, { about = { left } })
    if verb ~= "assemble" then
      return
    end
    local _, stand_in = M.places(seat, chosen)
    if stand_in[land] then
      chosen = land
    end
    if unit == kind.knight then
      knights = knights + 1
      lose(counter.gold, M.knight_cost(seat, knights), seat)
    end
    M.put(seat, unit, land)
    left = left - 1
  end
end

return M
