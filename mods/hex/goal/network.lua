-- Networks of Fields, Cities and Princes on seas, and what they are worth.
local map = import("map/board")
local M = {}

-- What links: own Fields and Cities, and own Princes on seas.
local function nodes(board, seat)
  local found = {}
  for _, hexagon in board.fields[seat] do
    found[hexagon] = true
  end
  for _, hexagon in board.cities[seat] do
    found[hexagon] = true
  end
  for _, hexagon in board.princes[seat] do
    if map.is_sea(board, hexagon) then
      found[hexagon] = true
    end
  end
  return found
end

--- Worth of the Field on a hexagon, in half points.
function M.field_worth(board, hexagon)
  return stat(kind.field, map.terrain_name(board.terrain[hexagon]))
end

--- Half points of the best network of a seat that holds a City; 0 where it has no City. Networks are not added.
function M.worth(board, seat)
  local linked, seen, best = nodes(board, seat), {}, 0
  for _, city in board.cities[seat] do
    local worth, open = 0, { city }
    if seen[city] then
      open = {}
    end
    seen[city] = true
    while #open > 0 do
      local here = table.remove(open)
      if board.field[here] == seat then
        worth = worth + M.field_worth(board, here)
      end
      for _, there in map.around(board, here) do
        if linked[there] and not seen[there] then
          seen[there] = true
          table.insert(open, there)
        end
      end
    end
    best = math.max(best, worth)
  end
  return best
end

-- The highest possible value of the Fields of a seat, wherever they are.
local function most(seat)
  local best = 0
  for _, terrain in map.TERRAINS do
    best = math.max(best, stat(kind.field, terrain))
  end
  return best * count{owner = seat, kind = kind.field, on = "map"}
end

--- Ends the game where a seat has reached the goal.
function M.settle(seat)
  local goal = get(counter.goal)
  -- Usually there are too few Fields, and the board need not be read.
  if most(seat) >= goal and M.worth(map.read(), seat) >= goal then
    win(seat, "realm")
  end
end

return M
