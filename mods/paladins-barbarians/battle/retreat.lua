-- Beaten defenders leave: to the neighbor with the fewest units, spread over several, or through enemy lands.
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local units = import("pieces/units")
local M = {}

-- Units above the limit are paid for at once, or go.
local function settle(seat, land)
  while lands.size(land, seat) > lands.limit(land, seat) do
    local excess = lands.size(land, seat) - lands.limit(land, seat)
    local list = { "dismiss" }
    if gold.total(seat) >= excess then
      table.insert(list, 1, "pay")
    end
    if choose(seat, "retreat.crowd", list, { about = { land, excess } }) == "pay" then
      gold.pay(seat, excess)
      return
    end
    units.lose_one(seat, land, "retreat.dismiss")
  end
end

local function arrive(list, land)
  for _, unit in list do
    units.enter(unit, land)
  end
end

-- Neighbors with the fewest units that can take them all.
local function shelters(seat, near, number)
  return filter(lands.fewest(near, seat), function(land) return lands.room(land, seat) >= number end)
end

-- One unit after the other goes where there is room or, if no room is left, anywhere.
local function spread(seat, list, near)
  for _, unit in list do
    local open = filter(near, function(land) return lands.room(land, seat) > 0 end)
    if #open == 0 then
      open = near
    end
    units.enter(unit, choose(seat, "retreat.unit", open, { about = { kindof(unit) } }))
  end
  for _, land in near do
    settle(seat, land)
  end
end

local function steps_home(seat, from)
  local least
  for _, land in lands.of(seat) do
    local steps = distance(from, land)
    if least == nil or steps < least then
      least = steps
    end
  end
  return least
end

-- How many units a turned card costs: its lower strength.
local function toll(card)
  if card == nil then
    return 0
  end
  return math.min(prop(card, "attack"), prop(card, "defense"))
end

-- No own neighbor: every foreign territory on a shortest way home costs what a turned card says.
local function break_through(seat, field, list)
  local here = field
  while #list > 0 do
    local left = steps_home(seat, here)
    if left == nil then
      for _, unit in list do
        units.kill(unit)
      end
      return
    end
    here = choose(seat, "retreat.way", filter(neighbors(here), function(land)
      return steps_home(seat, land) == left - 1
    end))
    if controller(here) == seat then
      arrive(list, here)
      settle(seat, here)
      return
    end
    log("retreat-through", seat, here)
    for _ = 1, math.min(#list, toll(hand.turn())) do
      local unit = units.pick(seat, "retreat.toll", list, { here })
      units.kill(unit)
      list = filter(list, function(other) return other ~= unit end)
    end
  end
end

--- The units leave the field for good.
function M.flee(seat, field, list)
  if #list == 0 then
    return
  end
  -- The field still belongs to the seat and is no way home.
  lands.lose(field)
  local near = lands.own_neighbors(field, seat)
  if #near == 0 then
    break_through(seat, field, list)
    return
  end
  local safe = shelters(seat, near, #list)
  if #safe > 0 then
    local land = choose(seat, "retreat.to", safe, { about = { field } })
    arrive(list, land)
    log("retreated", seat, field, land)
  else
    spread(seat, list, near)
  end
end

return M
