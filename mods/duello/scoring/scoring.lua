-- Victory points: every line says how many and for what, and the sum is the result.
local city = import("city/city")
local geometry = import("scoring/geometry")
local finale = import("rounds/finale")
local store = import("goods/store")
local M = {}

local ISLAND, STUCK, FIGURE, SCOUT = 30, -6, 10, 2

local function buildings(seat, report)
  for _, piece in city.buildings(seat) do
    report("building", stat(piece, "points"), kindof(piece), at(piece))
  end
  if count{at = city.ISLAND, owner = seat, kind = kind.port} > 0 then
    report("island", ISLAND)
  end
  if get(counter.stuck, seat) == 1 then
    report("stuck", STUCK)
  end
end

local function placement(seat, report)
  local where = geometry.where(seat)
  geometry.lines(where, report)
  geometry.wells(where, report)
  geometry.towers(where, report)
  local towers = where[kind.watchtower] or {}
  if where[kind.scout_tower] and #towers > 0 then
    report("scouted", SCOUT * #towers, #towers)
  end
  geometry.distant(seat, where, report)
end

local function riches(seat, report)
  report("money", get(counter.pecunia, seat))
  for _, order in cards(zone.honors, seat) do
    report("order", param(order, "points"), order)
  end
end

local function people(seat, report)
  report("cardinal", FIGURE)
  for name, many in { citizens = counter.citizens, masters = counter.masters, horsemen = counter.horsemen } do
    if get(many, seat) > 0 then
      report(name, FIGURE * get(many, seat), get(many, seat))
    end
  end
end

--- What one of a kind of goods is worth to a seat in the end.
function M.worth(seat, good)
  local raised = prop(good, "raised-by")
  if raised == nil then
    return 0
  end
  local by = raised == counter.jewel_worth and get(counter.jewel_worth) or get(raised, seat)
  return prop(good, "raise") * by
end

local function goods(seat, report)
  for _, piece in pieces{owner = seat, class = "vehicle", on = "map"} do
    report("vehicle", stat(piece, "points"), kindof(piece))
  end
  for _, good in store.kinds() do
    local worth, many = M.worth(seat, good), get(prop(good, "goods"), seat)
    if worth > 0 and many > 0 then
      report("goods", worth * many, prop(good, "goods"), many)
    end
  end
end

--- Reports every line of a seat: what it is, how many points, and up to two values that explain it.
function M.lines(seat, report)
  buildings(seat, report)
  placement(seat, report)
  riches(seat, report)
  people(seat, report)
  geometry.colors(seat, report)
  geometry.holes(seat, report)
  goods(seat, report)
end

-- Tells a line. The messages are named here, so that each is known to exist.
local TELL = {
  building = function(seat, points, a, b) log("score-building", seat, points, a, b) end,
  island = function(seat, points) log("score-island", seat, points) end,
  stuck = function(seat, points) log("score-stuck", seat, points) end,
  trio = function(seat, points, a) log("score-trio", seat, points, a) end,
  pair = function(seat, points, a, b) log("score-pair", seat, points, a, b) end,
  watered = function(seat, points, a, b) log("score-watered", seat, points, a, b) end,
  spaced = function(seat, points, a, b) log("score-spaced", seat, points, a, b) end,
  scouted = function(seat, points, a) log("score-scouted", seat, points, a) end,
  distant = function(seat, points, a, b) log("score-distant", seat, points, a, b) end,
  money = function(seat, points) log("score-money", seat, points) end,
  order = function(seat, points, a) log("score-order", seat, points, a) end,
  cardinal = function(seat, points) log("score-cardinal", seat, points) end,
  citizens = function(seat, points, a) log("score-citizens", seat, points, a) end,
  masters = function(seat, points, a) log("score-masters", seat, points, a) end,
  horsemen = function(seat, points, a) log("score-horsemen", seat, points, a) end,
  group = function(seat, points, a, b) log("score-group", seat, points, a, b) end,
  alone = function(seat, points, a, b) log("score-alone", seat, points, a, b) end,
  enclosed = function(seat, points, a, b) log("score-enclosed", seat, points, a, b) end,
  vehicle = function(seat, points, a) log("score-vehicle", seat, points, a) end,
  goods = function(seat, points, a, b) log("score-goods", seat, points, a, b) end,
}

--- Counts a seat and tells every line.
function M.count(seat)
  local sum = 0
  ---@param a? any
  ---@param b? any
  local function tell(line, points, a, b)
    sum = sum + points
    TELL[line](seat, points, a, b)
  end
  M.lines(seat, tell)
  set(counter.victory, sum, seat)
  log("score-total", seat, sum)
end

--- The end: the most points win; equal points share the victory.
function M.finish()
  local best, winners = nil, {}
  for _, seat in seats() do
    M.count(seat)
    local sum = get(counter.victory, seat)
    if best == nil or sum > best then
      best, winners = sum, {}
    end
    if sum == best then
      table.insert(winners, seat)
    end
  end
  if #winners == 1 then
    win(winners[1], finale.CAUSES[get(counter.cause)] or "agreed")
  else
    draw_game("even")
  end
end

return M
