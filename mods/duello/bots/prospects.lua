-- For bots: what the map promises a seat, and what a tile promises that is only chosen yet.
local city = import("city/city")
local geometry = import("scoring/geometry")
local sites = import("buildings/sites")
local M = {}

-- Road ends by how many there are; more do not matter.
local ENDS = { 60, 110, 150, 180, 200, 215, 225, 230 }
-- Free floor plans by how many there are.
local PLANS = {
  house = { 60, 100, 120, 130 },
  mine = { 50, 80, 90 },
  well = { 40, 50 },
  castle = { 60, 80 },
  watchtower = { 40, 70, 80 },
  school = { 450 },
  market = { 120 },
  ["riding-hall"] = { 160 },
  port = { 120 },
  lighthouse = { 90 },
  bridge = { 10 },
}
-- What a natural tile is worth beside a free plan of the seat.
local NEIGHBORS = {
  ["white-mountain"] = { house = 20, mine = 40 },
  ["black-mountain"] = { mine = 40 },
  forest = { house = 30 },
  grain = { house = 30 },
  field = { ["riding-hall"] = 60 },
  juniper = { ["riding-hall"] = 60 },
  river = { house = 10 },
}

local function step(list, many)
  return many > 0 and list[math.min(many, #list)] or 0
end

-- The resources that a tile carries.
local function beside(cell, plan)
  local worth = 0
  for _, next in neighbors(cell) do
    local tile = laid(next)
    if tile then
      for what, by_plan in NEIGHBORS do
        if by_plan[plan] and has(tile, what) then
          worth = worth + by_plan[plan]
        end
      end
    end
  end
  return worth
end

-- Free plans, and what lies beside them.
local function plans(seat)
  local worth = 0
  for plan, free in sites.free(seat) do
    worth = worth + step(PLANS[plan] or {}, #free)
    local best = 0
    for _, site in free do
      best = math.max(best, beside(site.cell, plan))
    end
    worth = worth + best
  end
  return worth
end

-- What is scored for where things lie, as it stands.
local function placed(seat)
  local sum = 0
  local function report(_, points) sum = sum + points end
  local where = geometry.where(seat)
  geometry.lines(where, report)
  geometry.wells(where, report)
  geometry.towers(where, report)
  geometry.colors(seat, report)
  geometry.holes(seat, report)
  return 10 * sum
end

-- How much a tile that is in the hand promises: more roads, wanted plans, resources.
local function promise(seat, tile)
  local worth = 0
  for plan, steps in PLANS do
    if has(tile, plan) then
      worth = worth + steps[1]
    end
  end
  for what in NEIGHBORS do
    if has(tile, what) then
      worth = worth + 30
    end
  end
  local family = prop(tile, "family")
  if family == "road" then
    worth = worth + 50
  elseif family == "bog" or family == "sea" then
    worth = worth - 60
  end
  return worth
end

-- How well a tile would lie on a cell: beside its own color, and resources beside plans.
local function fit(seat, tile, cell)
  local worth = 0
  for _, next in neighbors(cell) do
    local other = laid(next)
    if other and city.owner_at(next) == seat then
      for _, color in { "green", "white", "gray", "black" } do
        if has(tile, color) and has(other, color) then
          worth = worth + 12
        end
      end
      for what, by_plan in NEIGHBORS do
        for plan, points in by_plan do
          if (has(tile, what) and has(other, plan)) or (has(tile, plan) and has(other, what)) then
            worth = worth + points
          end
        end
      end
    end
  end
  return worth
end

--- What the map and a chosen tile promise a seat.
function M.of(seat, is_last)
  local worth = placed(seat)
  if not is_last then
    worth = worth + plans(seat) + step(ENDS, open_ends{root = city.palace(seat), network = "road"})
  end
  local tile, cell = get(counter.laying, seat), get(counter.laying_at, seat)
  if tile then
    worth = worth + promise(seat, tile)
    if cell then
      worth = worth + fit(seat, tile, cell)
    end
  end
  return worth
end

return M
