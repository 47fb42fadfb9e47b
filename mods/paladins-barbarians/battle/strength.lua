-- Strength in a battle: who fights on a side, what protects a territory, and what everything counts for.
local lands = import("map/lands")
local M = {}

-- What lasts for one battle and belongs to a side.
local PASSING = {
  counter.battle_bonus, counter.battle_saved, counter.battle_extra, counter.battle_prize, counter.battle_aside,
  counter.battle_units,
}

--- Whether somebody plays this side; revolutionaries are played by nobody.
function M.is_player(side)
  return playing(side.who)
end

--- What lasts for this battle; revolutionaries keep nothing.
function M.passing(token, side)
  if M.is_player(side) then
    return get(token, side.who)
  end
  return 0
end

--- Cavalry that has come to help and still lives.
function M.riders(side)
  return filter(side.riders, function(rider) return at(rider) ~= nil end)
end

--- Everybody who fights on a side.
function M.fighters(side)
  local list = {}
  if side.land then
    list = lands.units(side.land, side.who)
  end
  for _, rider in M.riders(side) do
    table.insert(list, rider)
  end
  return list
end

--- Whether protection still stands: it works for the defender and is not breached.
function M.protects(building, land, defender)
  return lands.works(building, land, defender)
    and math.floor(get(counter.breached, land) / stat(building, "ward")) % 2 == 0
end

--- What a combat card gives its side: the half of its part, one less from the deck, nothing for red that did more.
function M.card_strength(side, full)
  if side.card == nil or side.weak then
    return 0
  end
  local strength = prop(side.card, side.attacks and "attack" or "defense")
  if side.from_deck and not full then
    strength = strength - 1
  end
  return math.max(0, strength)
end

-- What the defended territory gives.
local function walls(side)
  local strength = 0
  if M.protects(kind.wall, side.field, side.who) then
    strength = strength + 1
  end
  -- A Conqueror who breaches Wall or Fortress also makes the token worthless.
  if get(counter.defense, side.field) > 0 and get(counter.breached, side.field) < stat(kind.wall, "ward") then
    strength = strength + 1
  end
  return strength
end

--- Step 7: the whole strength of a side.
function M.total(side, full)
  local sum = M.card_strength(side, full)
  sum = sum + M.passing(counter.battle_bonus, side) - M.passing(counter.battle_aside, side)
  for _, unit in M.fighters(side) do
    sum = sum + stat(unit, "strength")
  end
  sum = sum + (side.extra or 0)
  if side.support then
    sum = sum + 1
  end
  if not side.attacks then
    sum = sum + walls(side)
  end
  if side.land and get(counter.rebellion, side.land) > 0 then
    sum = sum - 1
  end
  return math.max(0, sum)
end

--- Points with which a side kills: its lead, one more for a great army, and what cards add and the enemy saves.
function M.kills(mine, theirs, side, foe)
  local points = math.max(0, mine - theirs)
  if mine >= get(counter.great_army) then
    points = points + 1
  end
  return math.max(0, points + M.passing(counter.battle_extra, side) - M.passing(counter.battle_saved, foe))
end

--- Nothing of a battle lasts for the seat.
function M.forget(seat)
  for _, token in PASSING do
    if get(token, seat) ~= 0 then
      set(token, 0, seat)
    end
  end
end

return M
