-- Where a seat may lay a tile: the edges must fit, roads must lead to the palace of its owner, towers and fortresses of
-- rivals keep it off, and beside a bog lies only what can bear it.
local city = import("city/city")
local M = {}

local function is_bog_laid()
  for _, seat in seats() do
    if size(zone.land, seat, { bog = 1 }) > 0 then
      return true
    end
  end
  return false
end

--- The tiles of a zone of the seat that fit somewhere.
function M.tiles(seat, from)
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

--- The cells on which a seat may lay a tile whose roads must lead to the palace of `lord`.
function M.cells(seat, tile, lord)
  local root = city.palace(lord)
  if has(tile, "hardy") then
    return lay_spaces{tile = tile, seat = seat, network = "road", root = root, guards = "guards"}
  end
  return lay_spaces{tile = tile, seat = seat, network = "road", root = root, guards = "guards", avoid = "bog"}
end

--- The rotations with which it fits there.
function M.rotations(seat, tile, cell, lord)
  return lay_rotations{tile = tile, space = cell, seat = seat, network = "road", root = city.palace(lord)}
end

return M
