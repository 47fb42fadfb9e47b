-- Part B of a battle, secret: for each Castle a split of its bonus and a target, then the order of the attacks.
local castles = import("exploration/castles")
local M = {}

--- Forgets the plan of a Castle.
function M.clear(castle)
  set(counter.boost, 0, castle)
  set(counter.target, nil, castle)
  set(counter.rank, 0, castle)
end

local function split(seat, castle)
  local offense, defense, bonus = get(counter.offense, castle), get(counter.defense, castle), get(counter.bonus, castle)
  local options = {}
  for boost = bonus, 0, -1 do
    table.insert(options, { "strength", offense + boost, defense + bonus - boost })
  end
  local _, strength = choose(seat, "planning.split", options, { about = { castle, offense, defense } })
  set(counter.boost, strength - offense, castle)
end

local function aim(seat, castle)
  -- Strength 0 is no attack.
  if castles.attack(castle) > 0 then
    local targets = castles.standing(castles.rival(seat))
    set(counter.target, choose(seat, "planning.target", targets, { about = { castle, castles.attack(castle) } }), castle)
  end
end

-- Whether all Castles got their plan; not if the player takes it back.
local function plan_castles(seat)
  local left = castles.standing(seat)
  local all = #left
  while #left > 0 do
    local options = {}
    for _, castle in left do
      table.insert(options, { "plan", castle })
    end
    if #left < all then
      table.insert(options, "undo")
    end
    local verb, chosen = choose(seat, "planning.castle", options)
    if verb == "undo" then
      return false
    end
    split(seat, chosen)
    aim(seat, chosen)
    left = filter(left, function(castle)
      return castle ~= chosen
    end)
  end
  return true
end

local function attackers(seat)
  return filter(castles.standing(seat), function(castle)
    return get(counter.target, castle) ~= nil
  end)
end

-- Whether all attacks got their place; not if the player takes the plan back.
local function order_attacks(seat)
  local left = attackers(seat)
  local place_in_order = 0
  while #left > 0 do
    local options = {}
    for _, castle in left do
      table.insert(options, { "strike", castle, get(counter.target, castle), castles.attack(castle) })
    end
    table.insert(options, "undo")
    place_in_order = place_in_order + 1
    local verb, chosen = choose(seat, "planning.order", options, { about = { place_in_order } })
    if verb == "undo" then
      return false
    end
    set(counter.rank, place_in_order, chosen)
    left = filter(left, function(castle)
      return castle ~= chosen
    end)
  end
  return true
end

--- The secret plan of one seat.
function M.plan(seat)
  repeat
    for _, castle in castles.standing(seat) do
      M.clear(castle)
    end
  until plan_castles(seat) and order_attacks(seat)
end

return M
