-- Buildings: what may be built where and for how much, what happens when one is built or pulled down.
local gold = import("gold")
local hand = import("hand")
local lands = import("lands")
local reign = import("reign")
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

-- Buildings of everybody on a territory.
local function standing(land)
  return pieces{at = land, class = "building"}
end

local function has_level(buildings, wanted)
  for _, building in ipairs(buildings) do
    if level(building) == wanted then
      return true
    end
  end
  return false
end

local function has_slot(seat, building, land, taken)
  local slots = get(counter.building_slots)
  if taken < slots then
    return true
  end
  return taken == slots and level(building) == BRICKYARD_LEVEL and lands.works(kind.brickyard, land, seat)
end

--- Whether the seat could put the building on a territory, were it rich enough.
function M.fits(seat, building, land)
  if count{owner = seat, kind = building, on = "pool"} == 0 or count{at = land, kind = building} > 0 then
    return false
  end
  local there = standing(land)
  if not has_slot(seat, building, land, #there) then
    return false
  end
  local needed = level(building) - 1
  if needed > 0 and not has_level(there, needed) then
    return false
  end
  return level(building) < TOP_LEVEL or not has_level(there, TOP_LEVEL)
end

--- Buildings that the seat could put on a territory for at most so much.
function M.choices(seat, land, purse, surcharge)
  return filter(KINDS, function(building)
    return stat(building, "price") + surcharge <= purse and M.fits(seat, building, land)
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
  gold.pay(seat, stat(building, "price") + surcharge)
  place(building, seat, land)
  log("built", seat, building, land)
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
  return filter(standing(land), function(building) return M.demolition_price(seat, building) <= purse end)
end

--- Pulls a building down.
function M.demolish(seat, building, land)
  gold.pay(seat, M.demolition_price(seat, building))
  local what, whose = kindof(building), owner(building)
  remove(building)
  log("demolished", seat, what, whose, land)
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
  local kinds = {}
  if count{owner = seat, kind = kind.warrior, on = "pool"} > 0 then
    table.insert(kinds, kind.warrior)
  end
  local special = prop(seat, "special")
  if lands.works(M.capital(seat), land, seat) and M.special_left(seat) > 0 then
    table.insert(kinds, special)
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
