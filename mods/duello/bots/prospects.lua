-- For bots: what the map promises a seat, and what a tile promises that is only chosen yet.
local city = import("city/city")
local fitting = import("tiles/fitting")
local geometry = import("scoring/geometry")
local M = {}

-- Road ends by how many there are; more do not matter.
local ENDS = { 300, 540, 720, 860, 960, 1030, 1080, 1120, 1150, 1170 }
-- For each tile of the set that fits somewhere: the first ones matter most.
local FITS, FEW, MORE_FITS, MANY = 45, 10, 10, 25
-- Free floor plans by how many there are.
local PLANS = {
  house = { 80, 130, 150, 160 },
  mine = { 110, 190, 220 },
  well = { 40, 50 },
  castle = { 100, 160, 180 },
  watchtower = { 80, 140, 180 },
  school = { 450 },
  market = { 200 },
  ["riding-hall"] = { 200 },
  port = { 170 },
  lighthouse = { 120 },
  bridge = { 10 },
}
-- What a resource is worth beside a free plan of the seat, as long as this building does not stand.
local NEIGHBORS = {
  ["white-mountain"] = { house = { 170, kind.quarry }, mine = { 60, kind.iron_ore_mine } },
  ["black-mountain"] = { mine = { 60, kind.coal_mine } },
  forest = { house = { 120, kind.lumberjack } },
  grain = { house = { 60, kind.agriculturist } },
  river = { house = { 40, kind.fisherman } },
  field = { ["riding-hall"] = { 100 } },
  juniper = { ["riding-hall"] = { 100 } },
}
-- A free site at a river, as long as there is no sawmill.
local RIVERSIDE = 120

local function step(list, many)
  return list[math.min(many, #list)] or 0
end

local function points(seat, entry)
  if entry[2] == nil or not city.has(seat, entry[2]) then
    return entry[1]
  end
  return 0
end

-- What the resources beside a free plan are worth.
local function beside(seat, cell, plan)
  local worth = 0
  for what, by_plan in NEIGHBORS do
    local entry = by_plan[plan]
    if entry and city.beside(cell, what) then
      worth = worth + points(seat, entry)
    end
  end
  return worth
end

-- Whether a seat still has what a floor plan is for.
local function is_wanted(seat, plan)
  return plan ~= "school" or get(counter.masters, seat) == 0
end

-- Free plans, and what lies beside them.
local function plans(seat, all)
  local worth = 0
  for plan, free in all do
    if is_wanted(seat, plan) then
      worth = worth + step(PLANS[plan], #free)
    end
    local best = 0
    for _, site in free do
      local river = (has(site.tile, "riverside") and not city.has(seat, kind.sawmill)) and RIVERSIDE or 0
      best = math.max(best, beside(seat, site.cell, plan) + river)
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
    if has(tile, plan) and is_wanted(seat, plan) then
      worth = worth + steps[1]
    end
  end
  for what, by_plan in NEIGHBORS do
    if has(tile, what) then
      for _, entry in by_plan do
        worth = worth + points(seat, entry)
      end
    end
  end
  if has(tile, "riverside") and not city.has(seat, kind.sawmill) then
    worth = worth + RIVERSIDE
  end
  local family, roads = prop(tile, "family"), prop(tile, "roads") or 0
  if roads > 0 then
    -- One road leads to the palace, the others are new ends.
    local ends = open_ends{root = city.palace(seat), network = "road"}
    return worth + step(ENDS, ends + roads - 2) - step(ENDS, ends)
  elseif family == "bog" or family == "sea" then
    return worth - 60
  end
  -- What lies anywhere can wait until nothing else fits.
  return worth - 40
end

-- How well a tile would lie on a cell: beside its own color, and resources beside plans.
local function fit(seat, tile, cell)
  local worth = 0
  for _, next in neighbors(cell) do
    local other = laid(next)
    if city.owner_at(next) == seat then
      for _, color in { "green", "white", "gray", "black" } do
        if has(tile, color) and has(other, color) then
          worth = worth + 12
        end
      end
      for what, by_plan in NEIGHBORS do
        for plan, entry in by_plan do
          local is_free = has(other, plan) and count{at = next, owner = seat} == 0
          if (has(tile, what) and is_free) or (has(tile, plan) and has(other, what)) then
            worth = worth + points(seat, entry)
          end
        end
      end
    end
  end
  return worth
end

--- What the map and a chosen tile promise a seat.
function M.of(seat, is_last, free)
  local worth = placed(seat)
  if not is_last then
    worth = worth + plans(seat, free) + step(ENDS, open_ends{root = city.palace(seat), network = "road"})
    local fits = #fitting.tiles(seat, zone.set)
    worth = worth + FITS * math.min(FEW, fits) + MORE_FITS * math.max(0, math.min(MANY, fits) - FEW)
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
