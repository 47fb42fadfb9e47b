-- Who has exposed which tile: one bit for each faction, named by its property `sight`.
local M = {}

--- Whether a seat has exposed a tile.
function M.exposed(seat, tile)
  return math.floor(get(counter.seen, tile) / prop(seat, "sight")) % 2 == 1
end

--- The tiles that a seat has exposed.
function M.known(seat)
  return filter(spaces(), function(tile)
    return M.exposed(seat, tile)
  end)
end

--- Steps from a tile to the nearest one that a seat has not exposed; nil where it knows the whole island.
function M.steps_away(seat, from)
  local nearest
  for _, tile in spaces() do
    local steps = distance(from, tile)
    if not M.exposed(seat, tile) and (nearest == nil or steps < nearest) then
      nearest = steps
    end
  end
  return nearest
end

--- Exposes a tile and all tiles around it to a seat, for good.
function M.look_around(seat, tile)
  for _, near in within(tile, 1) do
    if not M.exposed(seat, near) then
      add(counter.seen, prop(seat, "sight"), near)
    end
  end
end

--- Exposes the whole island to all.
function M.lift()
  local everyone = 0
  for _, seat in seats() do
    everyone = everyone + prop(seat, "sight")
  end
  for _, tile in spaces() do
    set(counter.seen, everyone, tile)
  end
end

return M
