-- Reach and battle values. All of them depend on how far a Prince is from its Queen.
local map = import("map/board")
local M = {}

--- Steps that a Prince may make from a hexagon, and its simple battle value there: 5 less its distance to its Queen,
--- counted over whatever lies between. Without a Queen: nothing.
function M.of_prince(board, seat, hexagon)
  local queen = board.queen[seat]
  if queen == nil then
    return 0
  end
  return math.max(stat(kind.prince, "power") - distance(hexagon, queen), 0)
end

--- Defense of everything in a hexagon that belongs to one side.
function M.defense(board, hexagon)
  local pawns, city = board.pawns[hexagon], board.city[hexagon]
  local terrain = map.terrain_name(board.terrain[hexagon])
  local sum = 0
  if city ~= nil then
    sum = stat(kind.city, terrain)
  end
  if pawns == nil then
    return sum
  end
  -- Inside a City a pawn counts as in a plain: the walls have the mountain's bonus already.
  local in_mountain = terrain == "mountain" and city == nil
  if pawns.queen then
    sum = sum + stat(kind.queen, in_mountain and "mountain" or "plain")
  end
  local each = M.of_prince(board, pawns.owner, hexagon)
  if in_mountain then
    each = each * stat(kind.prince, "mountain-factor")
  end
  return sum + pawns.princes * each
end

--- How many Princes of the seat are needed to beat what stands in a hexagon: 1, 2, or nil where it cannot be attacked.
function M.attackers_needed(board, seat, target)
  local city = board.city[target]
  local is_third = city ~= nil and count{owner = seat, kind = kind.city, on = "pool"} == 0
  if is_third and get(counter.third_city) == 0 then
    -- There is no third City piece to put down, and a beaten City cannot vanish.
    return nil
  end
  local value, defense = M.of_prince(board, seat, target), M.defense(board, target)
  if value > defense then
    return 1
  elseif 2 * value > defense then
    return 2
  end
end

return M
