-- What a city consists of: its palace, its buildings, what lies on and beside a cell.
local M = {}

M.BUILDINGS = { "military", "production", "development" }

--- Where Victoria Island lies.
M.ISLAND = space.p16

--- The cell of the palace: the root of all roads of a seat.
function M.palace(seat)
  return at(the_piece{owner = seat, kind = kind.prince_palace, on = "map"})
end

--- Where a seat keeps pieces that are not on a tile.
function M.stand(seat)
  return the_space{kind = "stand", home = seat}
end

--- Whether a piece stands on a tile, not beside the map.
function M.is_built(piece)
  return prop(at(piece), "kind") == "cell"
end

--- The buildings of a seat that stand on tiles; all classes, or one.
---@param class? string
function M.buildings(seat, class)
  local found = {}
  for _, each in class and { class } or M.BUILDINGS do
    for _, piece in pieces{owner = seat, class = each, on = "map"} do
      if M.is_built(piece) then
        table.insert(found, piece)
      end
    end
  end
  return found
end

--- The cells on which buildings of a kind stand. The port of Victoria Island is not among them: it serves no other.
function M.cells_of(seat, what)
  local cells = {}
  for _, piece in pieces{owner = seat, kind = what, on = "map"} do
    local cell = at(piece)
    if prop(cell, "kind") == "cell" and cell ~= M.ISLAND then
      table.insert(cells, cell)
    end
  end
  return cells
end

--- Whether a building of a kind stands, Victoria Island aside.
function M.has(seat, what)
  return #M.cells_of(seat, what) > 0
end

--- Whose tile lies on a cell; nil if it is common or none lies there.
function M.owner_at(cell)
  local tile = laid(cell)
  if tile == nil then
    return nil
  end
  local _, seat = zoneof(tile)
  return seat
end

--- Whether the tile on a cell has a property.
function M.carries(cell, what)
  local tile = laid(cell)
  return tile ~= nil and has(tile, what)
end

--- Whether two cells are the same or next to each other.
function M.is_near(one, other)
  return one == other or contains(neighbors(one), other)
end

--- Whether a cell or one next to it passes a test.
function M.around(cell, test)
  if test(cell) then
    return true
  end
  for _, next in neighbors(cell) do
    if test(next) then
      return true
    end
  end
  return false
end

--- Whether a tile with a property lies next to a cell.
function M.beside(cell, what)
  for _, next in neighbors(cell) do
    if M.carries(next, what) then
      return true
    end
  end
  return false
end

return M
