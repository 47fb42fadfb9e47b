-- Choosing among figures that are alike: an option names the kind and the land, not the single figure.
local M = {}

--- Options {verb, kind, land} for the pieces, one for each kind and land.
function M.options(verb, list)
  local seen, options = {}, {}
  for _, piece in list do
    local sort, land = kindof(piece), at(piece)
    if seen[land] == nil then
      seen[land] = {}
    end
    if not seen[land][sort] then
      seen[land][sort] = true
      table.insert(options, { verb, sort, land })
    end
  end
  return options
end

--- A piece of the list that such an option stands for.
function M.find(list, sort, land)
  for _, piece in list do
    if kindof(piece) == sort and at(piece) == land then
      return piece
    end
  end
end

--- The seat's Knights on the map.
function M.knights(seat)
  return pieces{owner = seat, kind = kind.knight, on = "map"}
end

--- The seat's Knights and Footmen on the map.
function M.troops(seat)
  local list = M.knights(seat)
  for _, footman in pieces{owner = seat, kind = kind.footman, on = "map"} do
    table.insert(list, footman)
  end
  return list
end

--- Sends one of the seat's figures back to its pool.
function M.release(seat, list, sort, land)
  remove(M.find(list, sort, land))
  log("unit-released", seat, sort, land)
end

--- Whether no faction but `side` has units on the land.
function M.free_for(side, land)
  for _, occupant in occupants(land) do
    if occupant ~= side then
      return false
    end
  end
  return true
end

return M
