-- For bots: what a position is worth to a seat, ten for a victory point. It reads what the score reads, and what will
-- bring points later: material, working buildings, open road ends, floor plans, places for what is still to come.
local city = import("city/city")
local finale = import("rounds/finale")
local prospects = import("bots/prospects")
local sites = import("buildings/sites")
local store = import("goods/store")
local works = import("city/works")
local M = {}

-- What building material is worth: the first ones matter most, and beyond these there is little use for it.
local MATERIAL = {
  [counter.tool] = { 60, 115, 165, 205, 240, 265 },
  [counter.beam] = { 50, 95, 140, 170, 200 },
  [counter.stone] = { 40, 80, 120, 155, 185, 210, 230 },
}
local SURPLUS, JEWELS = 3, { 70, 140 }
local MONEY, LAST_MONEY = 6, 10
local FIGURE = 100
-- What it is worth that a building works, and that a master helps in it.
local WORKS = {
  [kind.quarry] = 260, [kind.sawmill] = 260, [kind.blacksmith] = 260, [kind.jeweller] = 160, [kind.mint] = 100,
  [kind.fisherman] = 90, [kind.baker] = 90, [kind.butcher] = 90, [kind.agriculturist] = 60, [kind.water_well] = 50,
  [kind.lumberjack] = 130, [kind.coal_mine] = 90, [kind.iron_ore_mine] = 90, [kind.gold_mine] = 60,
  [kind.diamond_mine] = 60, [kind.metallurgist] = 130, [kind.windmill] = 50, [kind.pig_breeder] = 50,
  [kind.riding_hall] = 80, [kind.port] = 200,
}
local HELPS = {
  [kind.quarry] = 110, [kind.sawmill] = 110, [kind.blacksmith] = 110, [kind.jeweller] = 130, [kind.mint] = 50,
  [kind.fisherman] = 40, [kind.baker] = 40, [kind.butcher] = 40, [kind.agriculturist] = 30,
}
-- What it is worth that other buildings stand.
local STANDS = {
  [kind.fortress] = 150, [kind.great_castle] = 250, [kind.small_castle] = 150, [kind.watchtower] = 110,
  [kind.scout_tower] = 110, [kind.warehouse] = 160, [kind.market] = 200, [kind.lighthouse] = 150, [kind.port] = 150,
  [kind.riding_hall] = 120, [kind.school] = 50, [kind.cargo_ship] = 200, [kind.water_well] = 20,
}
-- Military buildings bring the end as well.
local HOUSE, MILITARY = 20, 60
-- Before this round money is better spent on buildings than on an order of commerce.
local EARLY, EARLY_ORDER = 14, 110

local function worth_of(seat, what, many, is_last)
  if what == counter.pecunia then
    return (is_last and LAST_MONEY or MONEY) * many
  end
  local steps = MATERIAL[what]
  if what == counter.jewel then
    if is_last or get(counter.stock_board, seat) == 0 then
      return 10 * get(counter.jewel_worth) * many
    end
    steps = JEWELS
  end
  if steps and not is_last then
    return (steps[math.min(many, #steps)] or 0) + SURPLUS * math.max(0, many - #steps)
  end
  return SURPLUS * many
end

local function goods(seat, is_last)
  local worth = 0
  for _, good in store.kinds() do
    local what = prop(good, "goods")
    local many, raised = get(what, seat), prop(good, "raised-by")
    worth = worth + worth_of(seat, what, many, is_last)
    if raised and what ~= counter.jewel then
      worth = worth + (is_last and 10 or 4) * prop(good, "raise") * get(raised, seat) * many
    end
  end
  return worth
end

-- Buildings, ships and carts, wherever a seat keeps them, orders and figures.
local function assets(seat, is_last)
  local worth = 0
  for _, piece in pieces{owner = seat, on = "map"} do
    local points = stat(piece, "points")
    worth = worth + 10 * points
    if points > 0 and not is_last then
      worth = worth + (STANDS[kindof(piece)] or HOUSE)
      if prop(piece, "class") == "military" then
        worth = worth + MILITARY
      end
    end
  end
  for _, order in cards(zone.honors, seat) do
    local is_early = has(order, "commerce") and get(counter.round) < EARLY
    worth = worth + (is_early and EARLY_ORDER or 10 * param(order, "points"))
  end
  worth = worth + 60 * size(zone.returned, seat)
  return worth + FIGURE * (get(counter.citizens, seat) + get(counter.masters, seat) + get(counter.horsemen, seat))
end

-- On the way to an order: the nearer, the more.
local STEPS = {
  tower = { 30, 80, 150, 0 }, diggings = { 60, 150, 0 }, farm = { 60, 150, 0 }, master = { 40, 100, 0 },
  fort = { 60, 0 },
}

local function progress(seat)
  local many = { tower = 0, diggings = 0, farm = 0, master = 0, fort = 0 }
  local function count_in(name)
    many[name] = many[name] + 1
  end
  for _, piece in city.buildings(seat) do
    local what = kindof(piece)
    for _, name in { "tower", "diggings", "farm" } do
      if has(what, name) then
        count_in(name)
      end
    end
    if what == kind.fortress then
      count_in("fort")
    elseif what == kind.school or what == kind.market or what == kind.riding_hall then
      count_in("master")
    end
  end
  local worth = 0
  for name, steps in STEPS do
    worth = worth + (steps[math.min(many[name], #steps)] or 0)
  end
  return worth
end

-- Whether a building that is only taken in hand yet will work on one of the free plans.
local function will_work(seat, what, working, free)
  for _, need in { "first-need", "second-need", "third-need" } do
    local other = prop(what, need)
    if other and not working[other] then
      return false
    end
  end
  for _, cell in sites.of(what, free) do
    if works.is_supplied(seat, what, cell) then
      return true
    end
  end
  return false
end

-- What works brings goods; masters help there, and the cardinal is better at home.
local function industry(seat, free)
  local working = works.all(seat)
  local worth = 0
  for what, is_working in working do
    worth = worth + (is_working and WORKS[what] or 0)
  end
  for _, piece in pieces{owner = seat, at = city.stand(seat)} do
    local what = kindof(piece)
    if WORKS[what] and will_work(seat, what, working, free) then
      worth = worth + WORKS[what]
    end
  end
  for _, master in pieces{owner = seat, class = "figure", on = "map"} do
    local best = 0
    for _, building in pieces{owner = seat, at = at(master)} do
      local what = kindof(building)
      best = math.max(best, working[what] and HELPS[what] or 0)
    end
    worth = worth + best - (kindof(master) == kind.cardinal and 60 or 0)
  end
  return worth
end

--- `bot.value`: how well a seat stands.
function M.value(self, value, owner, seat)
  local is_last = finale.is_final()
  local worth = assets(seat, is_last) + goods(seat, is_last)
  local free = sites.free(seat)
  if not is_last then
    worth = worth + progress(seat) + industry(seat, free)
  end
  worth = worth + prospects.of(seat, is_last, free)
  for _, rival in others(seat) do
    worth = worth - assets(rival, is_last)
  end
  return value + worth
end

--- Says what a position is worth to a seat, for designers who tune the bots.
function M.tell(seat)
  log("judged", seat, query("bot.value", 0, seat))
end

return M
