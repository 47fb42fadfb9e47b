-- Which buildings work. A building works if what it needs lies beside it and if the buildings that supply it work.
-- Nothing is stored: the answer follows from the map and is worked out when it is needed.
local city = import("city/city")
local M = {}

--- Whether the sea at the tile on a cell is complete: a sea tile and two coasts, of which one may be a river mouth. The
--- sea around Victoria Island is.
function M.is_sea(cell)
  local seas, coasts, mouths = 0, 0, 0
  for _, there in reach{root = cell, network = "sea"} do
    local tile = laid(there)
    if there == city.ISLAND then
      return true
    elseif designof(tile) == design.sea_tile then
      seas = seas + 1
    elseif has(tile, "river") then
      mouths = 1
    else
      coasts = coasts + 1
    end
  end
  return seas > 0 and coasts + mouths >= 2
end

local function is_water(cell)
  local tile = laid(cell)
  if tile == nil then
    return false
  end
  if has(tile, "lake") then -- mutate: skip, because only accessories have ponds: tests/accessories proves them
    return true
  end
  if has(tile, "river") then
    return true
  end
  return has(tile, "sea") and M.is_sea(cell) -- mutate: skip, because the sea of a tile without any is never complete
end

local function is_beside(cell, what)
  return city.around(cell, function(there) return city.carries(there, what) end)
end

-- For each resource whether a cell offers it to a seat.
local OFFERS = {
  ["white-mountain"] = function(_, cell) return is_beside(cell, "white-mountain") end,
  ["black-mountain"] = function(_, cell) return is_beside(cell, "black-mountain") end,
  forest = function(_, cell) return is_beside(cell, "forest") end,
  grain = function(seat, cell)
    return city.around(cell, function(there) return city.carries(there, "grain") and city.owner_at(there) == seat end)
  end,
  water = function(_, cell) return city.around(cell, is_water) end,
  riverside = function(_, cell) return city.carries(cell, "riverside") end,
  coast = function(_, cell) return M.is_sea(cell) end,
}

--- Whether a cell offers what a kind of building needs there.
function M.is_supplied(seat, what, cell)
  local offers = OFFERS[prop(what, "resource")]
  return offers == nil or offers(seat, cell)
end

-- A cell for each kind of building of a seat that takes part in production.
local function places(seat)
  local cells = {}
  for _, class in { "production", "development" } do
    for _, piece in pieces{owner = seat, class = class, on = "map"} do
      local cell = at(piece)
      if prop(cell, "kind") == "cell" and cell ~= city.ISLAND then
        cells[kindof(piece)] = cell
      end
    end
  end
  return cells
end

--- For each kind of building that a seat has, whether it works.
function M.all(seat)
  local cells, known = places(seat), {}
  local function working(what)
    if what == nil then
      return true
    end
    local answer = known[what]
    if answer == nil then
      local cell = cells[what]
      answer = cell ~= nil
        and working(prop(what, "first-need"))
        and working(prop(what, "second-need"))
        and working(prop(what, "third-need"))
        and M.is_supplied(seat, what, cell)
      known[what] = answer
    end
    return answer
  end
  for what in cells do
    working(what)
  end
  return known
end

--- Says whether a building of a seat works, for scenarios.
function M.tell(seat, what)
  log(M.all(seat)[what] and "works" or "idle", seat, what)
end

return M
