-- For bots: what a position is worth to a seat, ten for a victory point. It reads what the score reads, and what will
-- bring points later: material, working buildings, open road ends, floor plans, places for what is still to come.
local city = import("city/city")
local finale = import("rounds/finale")
local prospects = import("bots/prospects")
local store = import("goods/store")
local works = import("city/works")
local M = {}

-- Building material beyond this is worth little.
local ENOUGH = { [counter.stone] = 7, [counter.beam] = 5, [counter.tool] = 6, [counter.jewel] = 4 }
local MATERIAL, SURPLUS, JEWEL = 44, 5, 85
local MONEY, LAST_MONEY = 6, 10
local FIGURE, HELPER, HORSEMAN = 100, 30, 100
local SEAT_OF_WORK, IDLE = 55, -12

local function goods(seat, is_last)
  local worth = 0
  for _, good in store.kinds() do
    local what = prop(good, "goods")
    local many, enough = get(what, seat), ENOUGH[what]
    if what == counter.pecunia then
      worth = worth + (is_last and LAST_MONEY or MONEY) * many
    elseif enough and not is_last then
      local each = what == counter.jewel and JEWEL or MATERIAL
      worth = worth + each * math.min(many, enough) + SURPLUS * math.max(0, many - enough)
    elseif prop(good, "raised-by") and what ~= counter.jewel then
      worth = worth + (10 * prop(good, "raise") * get(prop(good, "raised-by"), seat) + 6) * many
    elseif what == counter.jewel then
      worth = worth + 10 * get(counter.jewel_worth) * many
    else
      worth = worth + SURPLUS * many
    end
  end
  return worth
end

-- Buildings, ships and carts, wherever a seat keeps them, and its figures.
local function assets(seat)
  local worth = 0
  for _, piece in pieces{owner = seat, on = "map"} do
    worth = worth + 10 * stat(piece, "points")
  end
  for _, order in cards(zone.honors, seat) do
    worth = worth + 10 * param(order, "points")
  end
  worth = worth + 100 * size(zone.returned, seat)
  worth = worth + FIGURE * (get(counter.citizens, seat) + get(counter.masters, seat))
  return worth + HORSEMAN * get(counter.horsemen, seat)
end

-- On the way to an order: the nearer, the more.
local STEPS = { tower = { 10, 30, 70, 0 }, diggings = { 20, 70, 0 }, farm = { 20, 70, 0 } }

local function progress(seat)
  local many = { tower = 0, diggings = 0, farm = 0 }
  for _, piece in city.buildings(seat) do
    local what = kindof(piece)
    for name in many do
      if has(what, name) then
        many[name] = many[name] + 1
      end
    end
  end
  local worth = 0
  for name, steps in STEPS do
    worth = worth + (steps[math.min(many[name], #steps)] or 0)
  end
  return worth
end

-- What works brings goods; masters help there, and the cardinal is better at home.
local function industry(seat)
  local working = works.all(seat)
  local worth = 0
  for _, is_working in working do
    worth = worth + (is_working and SEAT_OF_WORK or IDLE)
  end
  for _, master in pieces{owner = seat, kind = kind.master, on = "map"} do
    for _, building in pieces{owner = seat, at = at(master)} do
      if working[kindof(building)] then
        worth = worth + HELPER
      end
    end
  end
  return worth - HELPER * count{owner = seat, kind = kind.cardinal, on = "map"}
end

--- `bot.value`: how well a seat stands.
function M.value(self, value, owner, seat)
  local is_last = finale.is_final()
  local worth = assets(seat) + goods(seat, is_last)
  if not is_last then
    worth = worth + progress(seat) + industry(seat)
  end
  worth = worth + prospects.of(seat, is_last)
  for _, rival in others(seat) do
    worth = worth - assets(rival)
  end
  return value + worth
end

--- Says what a position is worth to a seat, for designers who tune the bots.
function M.tell(seat)
  log("judged", seat, query("bot.value", 0, seat))
end

return M
