-- Castles: where they stand and what the land around gives them.
local M = {}

--- The tiles on which a faction's Castles stand.
function M.standing(faction)
  local tiles = {}
  for _, castle in pieces({ kind = kind.castle, owner = faction, on = "map" }) do
    table.insert(tiles, at(castle))
  end
  return sorted(tiles)
end

--- Whether a Castle of anybody stands on a tile.
function M.on(tile)
  return count({ kind = kind.castle, at = tile }) > 0
end

--- The seat against which a seat plays.
function M.rival(seat)
  return others(seat)[1]
end

--- Points of one resource around a tile, of the neighbors that `counts` says yes to. A covered tile gives nothing.
function M.around(tile, resource, counts)
  local points = 0
  for _, near in neighbors(tile) do
    local land = get(counter.tile, near)
    if counts(near) and prop(land, "resource") == resource and not M.on(near) then
      points = points + prop(land, "amount")
    end
  end
  return points
end

local function always()
  return true
end

--- Fixes the points of all Castles; they are never counted again.
function M.fix_points()
  for _, seat in seats() do
    for _, castle in M.standing(seat) do
      set(counter.offense, M.around(castle, "iron", always), castle)
      set(counter.defense, M.around(castle, "stone", always), castle)
      set(counter.bonus, M.around(castle, "gold", always), castle)
      log("castle-points", castle, get(counter.offense, castle), get(counter.defense, castle), get(counter.bonus, castle))
    end
  end
end

--- Offense of a Castle with its share of the bonus.
function M.attack(castle)
  return get(counter.offense, castle) + get(counter.boost, castle)
end

--- Defense of a Castle with the rest of the bonus.
function M.guarded_defense(castle)
  return get(counter.defense, castle) + get(counter.bonus, castle) - get(counter.boost, castle)
end

--- What the land gives a Castle: offense, defense and bonus together.
function M.worth(castle)
  return get(counter.offense, castle) + get(counter.defense, castle) + get(counter.bonus, castle)
end

--- Where a faction's Guard stands; nil where it is off the map.
function M.guard_post(faction)
  local guard = the_piece({ kind = kind.guard, owner = faction, on = "map" })
  return guard and at(guard)
end

return M
