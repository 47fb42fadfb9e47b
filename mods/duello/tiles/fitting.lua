-- Where a seat may lay a tile: the edges must fit, roads must lead to the palace of its owner, towers and fortresses of
-- rivals keep it off, and beside a bog lies only what can bear it.
local city = import("city/city")
local M = {}

local SIDES = 6
-- What may not touch by the stricter readings of the rules (`road-rule`): 1, no road ends at a blank side; 2, neighbors
-- with roads are joined.
local APART = {
  { road = { open = true, rock = true }, open = { road = true }, rock = { road = true } },
  { verge = { verge = true } },
}

-- Whether a stricter reading allows a tile that fits with this rotation.
local function is_allowed(tile, cell, turn, apart)
  for side = 0, SIDES - 1 do
    local beyond = across(cell, side)
    -- A tile that is moved is not its own neighbor.
    if beyond and laid(beyond) ~= tile then
      local touched = apart[edge_of(tile, (side - turn) % SIDES)]
      if touched and touched[edge(beyond, (side + SIDES / 2) % SIDES)] then
        return false
      end
    end
  end
  return true
end

local function is_bog_laid()
  for _, seat in seats() do
    if size(zone.land, seat, { bog = 1 }) > 0 then
      return true
    end
  end
  return false
end

-- The tiles of a zone of the seat whose edges fit somewhere.
local function fitting_tiles(seat, from)
  if size(from, seat) == 0 then
    return {}
  end
  local root = city.palace(seat)
  local all = lay_tiles{zone = from, owner = seat, seat = seat, network = "road", root = root, guards = "guards"}
  if not is_bog_laid() then
    return all
  end
  local off = lay_tiles{
    zone = from, owner = seat, seat = seat, network = "road", root = root, guards = "guards", avoid = "bog",
  }
  -- Both lists are in the same order.
  local next = 1
  return filter(all, function(tile)
    if tile == off[next] then
      next = next + 1
      return true
    end
    return has(tile, "hardy")
  end)
end

-- The cells where the edges of a tile fit.
local function fitting_cells(seat, tile, lord)
  local root = city.palace(lord)
  if has(tile, "hardy") then
    return lay_spaces{tile = tile, seat = seat, network = "road", root = root, guards = "guards"}
  end
  return lay_spaces{tile = tile, seat = seat, network = "road", root = root, guards = "guards", avoid = "bog"}
end

--- The rotations with which it fits there.
function M.rotations(seat, tile, cell, lord)
  local turns = lay_rotations{tile = tile, space = cell, seat = seat, network = "road", root = city.palace(lord)}
  local apart = APART[get(counter.road_rule)]
  if apart == nil then
    return turns
  end
  return filter(turns, function(turn) return is_allowed(tile, cell, turn, apart) end)
end

--- The cells on which a seat may lay a tile whose roads must lead to the palace of `lord`.
function M.cells(seat, tile, lord)
  local cells = fitting_cells(seat, tile, lord)
  if get(counter.road_rule) == 0 then
    return cells
  end
  return filter(cells, function(cell) return #M.rotations(seat, tile, cell, lord) > 0 end)
end

--- The tiles of a zone of the seat that fit somewhere.
function M.tiles(seat, from)
  local tiles = fitting_tiles(seat, from)
  if get(counter.road_rule) == 0 then
    return tiles
  end
  return filter(tiles, function(tile) return #M.cells(seat, tile, seat) > 0 end)
end

return M
