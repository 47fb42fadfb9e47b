-- Where pawns can go: Princes by land or by sea, the Queen over land and over bridges.
local map = import("map/board")
local strength = import("battle/strength")
local M = {}

--- What a Prince can reach over known hexagons in this many steps: hexagons where it can end, and barred ones that it can
--- touch. A path is all land, all sea, or (where it may cross) one single step from one to the other.
function M.reach(board, seat, from, steps, may_cross)
  local ends, contacts = {}, {}
  local seen, ring = { [from] = true }, { from }
  local element, terrain = map.ELEMENT, board.terrain
  -- Notes a hexagon; says whether a Prince can go on from there.
  local function touch(hexagon)
    if map.is_barred(board, hexagon, seat) then
      table.insert(contacts, hexagon)
      return false
    end
    if map.is_free(board, hexagon) then
      table.insert(ends, hexagon)
    end
    return true
  end
  for step = 1, steps do
    local next_ring = {}
    for _, here in ring do
      -- A pawn stands on known hexagons, so this one is land or sea.
      local same = element[terrain[here]]
      for _, there in map.around(board, here) do
        if seen[there] then
          -- Shorter ways come first.
        elseif element[terrain[there]] == same then
          seen[there] = true
          if touch(there) then
            table.insert(next_ring, there)
          end
        elseif step == 1 and may_cross then
          seen[there] = true
          touch(there)
        end
      end
    end
    ring = next_ring
  end
  return sorted(ends), sorted(contacts)
end

--- What a Prince can reach from where it stands, with all its steps. It is looked for once on a board.
function M.of_prince(board, seat, from)
  local known = board.reach[from]
  if known == nil then
    local ends, contacts = M.reach(board, seat, from, strength.of_prince(board, seat, from), true)
    known = { ends = ends, contacts = contacts }
    board.reach[from] = known
  end
  return known.ends, known.contacts
end

--- Whether the Queen may walk over a hexagon: land that no enemy bars, or a sea with an own Prince on it.
function M.queen_passes(board, seat, hexagon)
  if map.is_barred(board, hexagon, seat) then
    return false
  end
  if map.is_sea(board, hexagon) then
    return board.pawns[hexagon] ~= nil
  end
  return map.is_land(board, hexagon)
end

--- Hexagons where the Queen can end her move.
function M.of_queen(board, seat)
  local from = board.queen[seat]
  local ends, seen, ring = {}, { [from] = true }, { from }
  for _ = 1, stat(kind.queen, "steps") do
    local next_ring = {}
    for _, here in ring do
      for _, there in map.around(board, here) do
        if not seen[there] and M.queen_passes(board, seat, there) then
          seen[there] = true
          table.insert(next_ring, there)
          -- On a sea that she crosses stands a Prince.
          if map.is_free(board, there) then
            table.insert(ends, there)
          end
        end
      end
    end
    ring = next_ring
  end
  return sorted(ends)
end

--- Whether Queen and Prince can change places: close enough, on land, the Prince alone, and a way for her between them.
function M.can_castle(board, seat, prince)
  local queen = board.queen[seat]
  local apart = distance(queen, prince)
  if not map.is_land(board, prince) or board.pawns[prince].princes > 1 then
    return false
  end
  if apart == 1 then
    return true
  end
  for _, between in map.around(board, queen) do
    if distance(between, prince) == 1 and M.queen_passes(board, seat, between) then
      return true
    end
  end
  return false
end

return M
