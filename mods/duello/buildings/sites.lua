-- Where a seat can build: on free floor plans of its own tiles that roads link to its palace.
local city = import("city/city")
local M = {}

-- Which floor plans the tiles of a family have; others may have any.
local PLANS = {
  castle = { "castle" },
  watchtower = { "watchtower" },
  well = { "well" },
  mine = { "mine" },
  house = { "house" },
  road = {},
  river = {},
  sea = {},
}
local ALL = {
  "castle", "watchtower", "house", "mine", "well", "school", "bridge", "riding-hall", "market", "port", "lighthouse",
}

-- How many floor plans of a shape the tile on a cell has. The Blue Spring feeds a second well beside it.
local function plans_at(cell, tile, plan)
  local many = prop(tile, plan) or 0
  if plan == "well" and many == 1 and city.beside(cell, "spring") then
    return 2
  end
  return many
end

-- The floor plan of a tile on which a kind of building stands.
local function plan_of(tile, what)
  local plan = prop(what, "plan")
  return has(tile, plan) and plan or prop(what, "other-plan") or plan -- mutate: skip, because only other packs use it
end

-- On the tile of the warehouse, another house keeps mines off, and a mine every house but the warehouse.
local function is_kept_off(tile, what, standing)
  if not has(tile, "store") then
    return false
  end
  for _, other in standing do
    if other ~= kind.warehouse and what ~= kind.warehouse then
      return true
    end
  end
  return false
end

-- What stands on each cell with buildings of a seat.
local function standing(seat)
  local found = {}
  for _, piece in city.buildings(seat) do
    local cell = at(piece)
    found[cell] = found[cell] or {}
    table.insert(found[cell], kindof(piece))
  end
  return found
end

--- The free floor plans of a seat that are linked to its palace, by shape: a list of their cells.
function M.free(seat)
  local found, stands = {}, standing(seat)
  for _, cell in reach{root = city.palace(seat), network = "road"} do
    if city.owner_at(cell) == seat then
      local tile = laid(cell)
      for _, plan in PLANS[prop(tile, "family")] or ALL do -- mutate: skip, because it only saves time
        local many = plans_at(cell, tile, plan)
        for _, what in stands[cell] or {} do
          if plan_of(tile, what) == plan then
            many = many - 1
          end
        end
        if many > 0 then
          found[plan] = found[plan] or {}
          table.insert(found[plan], { cell = cell, tile = tile, standing = stands[cell] or {} })
        end
      end
    end
  end
  return found
end

--- The kinds of buildings that a seat has left for a floor plan.
function M.kinds(seat, plan)
  local list = {}
  for _, class in city.BUILDINGS do
    for _, piece in pieces{owner = seat, class = class, on = "pool"} do
      local what = kindof(piece)
      local is_fit = prop(what, "plan") == plan or prop(what, "other-plan") == plan -- mutate: skip, because only other packs use it
      if what ~= list[#list] and is_fit then
        table.insert(list, what)
      end
    end
  end
  return list
end

--- How many times the price a building costs on a cell: twice beside a bog, no matter who laid it.
function M.factor(cell)
  return city.beside(cell, "bog") and 2 or 1
end

--- The cells among free floor plans on which a kind of building may stand.
function M.of(what, free)
  local cells = {}
  for _, plan in { prop(what, "plan"), prop(what, "other-plan") } do
    for _, site in free[plan] or {} do
      if plan_of(site.tile, what) == plan then -- mutate: skip, because only other packs have kinds with two plans
        if not is_kept_off(site.tile, what, site.standing) then
          table.insert(cells, site.cell)
        end
      end
    end
  end
  return cells
end

return M
