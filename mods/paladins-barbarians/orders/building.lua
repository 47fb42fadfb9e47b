-- Buildings: what may be built where and for how much, what happens when one is built or pulled down.
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local M = {}

local KINDS = {
  kind.residential_districts, kind.treasure_house, kind.storehouse, kind.statue, kind.brickyard,
  kind.watchtower, kind.military_academy, kind.wall, kind.library, kind.market_square,
  kind.fortress, kind.bank, kind.armory, kind.palace, kind.altar,
  kind.masters_castle, kind.temple, kind.bedehouse,
  kind.hall_of_chiefs, kind.arena, kind.warrior_marquees,
}
-- Of this level a Brickyard admits one more than the slots.
local BRICKYARD_LEVEL = 2
local TOP_LEVEL = 3

local function level(building)
  return stat(building, "level")
end

--- Buildings of everybody on a territory.
function M.standing(land)
  return pieces{at = land, class = "building"}
end

-- A territory without buildings.
local BARE = { kinds = {}, levels = {}, open = true, brickyard = false }

--- What a territory holds: the kinds and levels that stand there, and the levels for which there is a slot.
function M.site(seat, land, there)
  if #there == 0 then
    return BARE
  end
  local kinds, levels = {}, {}
  for _, building in there do
    kinds[kindof(building)] = true
    levels[level(building)] = true
  end
  local slots = get(counter.building_slots)
  local brickyard = #there == slots and lands.works(kind.brickyard, land, seat)
  return { kinds = kinds, levels = levels, open = #there < slots, brickyard = brickyard }
end

local function fits(building, site)
  if site.kinds[building] then
    return false
  end
  local step = level(building)
  if not (site.open or site.brickyard and step == BRICKYARD_LEVEL) or step > 1 and not site.levels[step - 1] then
    return false
  end
  return step < TOP_LEVEL or not site.levels[TOP_LEVEL]
end

-- Whether the seat has a copy of the building left.
local function is_left(seat, building)
  return count{owner = seat, kind = building, on = "pool"} > 0
end

-- Whether any building fits on a site, costs at most so much, and is left.
local function finds_any(seat, purse, site, left)
  for _, building in KINDS do
    if stat(building, "price") <= purse and fits(building, site) then
      if left[building] == nil then
        left[building] = is_left(seat, building)
      end
      if left[building] then
        return true
      end
    end
  end
  return false
end

--- Whether the seat could build anything for so much on a site. `known` remembers for a list of orders of which
--- buildings the seat has a copy left, and what it can build where nothing stands.
function M.can_build(seat, purse, site, known)
  if purse <= 0 then
    return false
  end
  if site ~= BARE then
    return finds_any(seat, purse, site, known.left)
  end
  if known.bare[purse] == nil then
    known.bare[purse] = finds_any(seat, purse, site, known.left)
  end
  return known.bare[purse]
end

--- Buildings that the seat could put on a territory for at most so much.
function M.choices(seat, land, purse, surcharge)
  local site = M.site(seat, land, M.standing(land))
  return filter(KINDS, function(building)
    return stat(building, "price") + surcharge <= purse and fits(building, site) and is_left(seat, building)
  end)
end

-- Directly after a Brickyard one more building may follow at a higher price.
local function extra_building(seat, land)
  local surcharge = get(counter.brickyard_surcharge)
  local choices = M.choices(seat, land, gold.total(seat), surcharge)
  if #choices == 0 then
    return
  end
  local verb, building = choose(seat, "build.extra", { { "raise", choices }, "done" }, { about = { land } })
  if verb == "raise" then
    M.build(seat, building, land, surcharge)
  end
end

--- Builds, pays and does what the new building does at once.
function M.build(seat, building, land, surcharge)
  place(building, seat, land)
  log("built", seat, building, land)
  gold.pay(seat, stat(building, "price") + surcharge)
  if building == kind.statue then
    reign.lengthen(seat)
  elseif building == kind.library then
    hand.draw(seat)
  elseif building == kind.brickyard then
    extra_building(seat, land)
  end
end

--- What the owner of a territory pays for pulling a building down there.
function M.demolition_price(seat, building)
  if owner(building) == seat then
    return 0
  end
  return stat(building, "ruin-price")
end

--- Buildings on a territory that the seat can afford to pull down.
function M.doomed(seat, land, purse)
  return filter(M.standing(land), function(building) return M.demolition_price(seat, building) <= purse end)
end

--- Whether the seat can afford to pull down any of the buildings.
function M.can_demolish(seat, purse, there)
  for _, building in there do
    if M.demolition_price(seat, building) <= purse then
      return true
    end
  end
  return false
end

--- Pulls a building down.
function M.demolish(seat, building, land)
  local what, whose, price = kindof(building), owner(building), M.demolition_price(seat, building)
  remove(building)
  log("demolished", seat, what, whose, land)
  gold.pay(seat, price)
  if what == kind.treasure_house then
    gold.spill(land)
  end
end

--- The capital of a seat.
function M.capital(seat)
  return prop(seat, "capital")
end

--- Kinds of units that the seat can train on a territory: common ones everywhere, its own where its capital works.
function M.trainable(seat, land)
  local kinds = { kind.warrior }
  if lands.works(M.capital(seat), land, seat) and M.special_left(seat) > 0 then
    table.insert(kinds, prop(seat, "special"))
  end
  return kinds
end

--- How many special units the seat may still train. Cavalry that has ridden out counts as cavalry.
function M.special_left(seat)
  local on_map = count{owner = seat, kind = prop(seat, "special"), on = "map"}
  if prop(seat, "spent") then
    on_map = on_map + count{owner = seat, kind = prop(seat, "spent"), on = "map"}
  end
  return prop(seat, "special-limit") - on_map
end

return M
