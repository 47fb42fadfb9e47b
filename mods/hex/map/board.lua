-- The board as the rules need it: terrain, pawns, and the owners of Fields and Cities.
local M = {}

M.FACE_DOWN, M.PLAIN, M.MOUNTAIN, M.SEA = 0, 1, 2, 3

--- Keywords of terrains, as the counter numbers them.
M.TERRAINS = { "plain", "mountain", "sea" }
--- Whether a terrain is land or sea; none while a hexagon is face down.
M.ELEMENT = { "land", "land", "sea" }

--- Keyword of a terrain.
function M.terrain_name(terrain)
  return M.TERRAINS[terrain]
end

--- The other player.
function M.opponent(seat)
  return others(seat)[1]
end

local function add_pawn(board, what, here, whose)
  local pawns = board.pawns[here]
  if pawns == nil then
    pawns = { owner = whose, princes = 0, queen = false }
    board.pawns[here] = pawns
  end
  if what == kind.queen then
    pawns.queen = true
    board.queen[whose] = here
  else
    pawns.princes = pawns.princes + 1
    table.insert(board.princes[whose], here)
  end
end

--- Reads the table once. `away` is a pawn in the middle of its move, which stands nowhere.
--- By hexagon: terrain, city and field (whose), pawns (owner, queen, princes), and what later questions find out: around
--- (its neighbors), reach (what the Princes there can reach). By seat: queen (where), and the hexagons of princes (a
--- pair's twice), cities and fields in order.
---@param away? Piece
function M.read(away)
  local board = {
    terrain = {}, city = {}, field = {}, pawns = {}, around = {}, reach = {},
    queen = {}, princes = {}, cities = {}, fields = {},
  }
  for _, seat in seats() do
    board.princes[seat], board.cities[seat], board.fields[seat] = {}, {}, {}
  end
  for _, hexagon in spaces() do
    board.terrain[hexagon] = get(counter.terrain, hexagon)
  end
  for _, piece in pieces{on = "map"} do
    local what, here, whose = kindof(piece), at(piece), owner(piece)
    if what == kind.city then
      board.city[here] = whose
      table.insert(board.cities[whose], here)
    elseif what == kind.field then
      board.field[here] = whose
      table.insert(board.fields[whose], here)
    elseif piece ~= away then
      add_pawn(board, what, here, whose)
    end
  end
  for _, seat in seats() do
    board.princes[seat] = sorted(board.princes[seat])
    board.cities[seat] = sorted(board.cities[seat])
    board.fields[seat] = sorted(board.fields[seat])
  end
  return board
end

--- The hexagons around one. They are asked for once.
function M.around(board, hexagon)
  local known = board.around[hexagon]
  if known == nil then
    known = neighbors(hexagon)
    board.around[hexagon] = known
  end
  return known
end

function M.is_land(board, hexagon)
  return M.ELEMENT[board.terrain[hexagon]] == "land"
end

function M.is_sea(board, hexagon)
  return board.terrain[hexagon] == M.SEA
end

--- Whether both hexagons, known ones, are land or both are sea.
function M.same_element(board, one, other)
  return M.ELEMENT[board.terrain[one]] == M.ELEMENT[board.terrain[other]]
end

--- Whether an enemy Queen, Prince or City blocks the hexagon. A Field alone blocks nothing.
function M.is_barred(board, hexagon, seat)
  local pawns, city = board.pawns[hexagon], board.city[hexagon]
  return pawns ~= nil and pawns.owner ~= seat or city ~= nil and city ~= seat
end

--- Whether a pawn may end its move on a known hexagon that nobody bars.
function M.is_free(board, hexagon)
  return board.pawns[hexagon] == nil
end

--- The hexagons of a list, each once.
function M.distinct(list)
  local found = {}
  for _, hexagon in list do
    if not contains(found, hexagon) then
      table.insert(found, hexagon)
    end
  end
  return found
end

return M
