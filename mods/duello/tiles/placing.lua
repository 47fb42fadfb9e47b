-- The phase of area tiles: tiles that come in addition, then one of the own set or, with the farmer's order, a tile that
-- is moved. Nobody may pass who can lay a tile.
local city = import("city/city")
local figures = import("figures/figures")
local finale = import("rounds/finale")
local fitting = import("tiles/fitting")
local founding = import("buildings/founding")
local orders = import("orders/orders")
local M = {}

-- Asks where a tile goes and how it is turned, and lays it. What is chosen so far is kept, so that bots see it.
local function lay_down(seat, tile, lord, cells)
  set(counter.laying, tile, seat)
  local cell = choose(seat, "placing.cell", cells, { about = { tile } })
  set(counter.laying_at, cell, seat)
  local turn = choose(seat, "placing.rotation", fitting.rotations(seat, tile, cell, lord), { about = { tile, cell } })
  set(counter.laying, nil, seat)
  set(counter.laying_at, nil, seat)
  lay(tile, cell, turn, zone.land, lord)
  log("tile-laid", seat, tile, cell)
  return cell
end

-- Starting and order-of-merit tiles bring buildings for nothing.
local function lay_extra(seat, tile)
  local cell = lay_down(seat, tile, seat, fitting.cells(seat, tile, seat))
  if prop(tile, "family") == "starting" then
    founding.move_in(seat, cell)
  else
    local what = has(tile, "castle") and kind.fortress or kind.watchtower
    if count{owner = seat, kind = what, on = "pool"} > 0 then
      founding.found(seat, what, cell)
    end
  end
end

-- Where the farmer's order may move a tile: not back to where it lies.
local function new_cells(seat, tile)
  local old = laid_at(tile)
  return filter(fitting.cells(seat, tile, city.owner_at(old)), function(cell) return cell ~= old end)
end

-- The tiles that the farmer's order may move: all but common ones and those with a palace or a bridge.
local function movable(seat)
  local list = {}
  for _, lord in seats() do
    for _, tile in cards(zone.land, lord) do
      local is_fixed = #filter(pieces{at = laid_at(tile)}, function(piece) return has(kindof(piece), "fixed") end) > 0
      if not is_fixed and #new_cells(seat, tile) > 0 then
        table.insert(list, tile)
      end
    end
  end
  return list
end

-- Moves a tile with everything on it.
local function move_tile(seat)
  orders.give_back(seat, design.farmer_order)
  local tile = choose(seat, "placing.farmer", function() return movable(seat) end)
  if tile == nil then
    return
  end
  local old, lord = laid_at(tile), city.owner_at(laid_at(tile))
  local load = pieces{at = old}
  local cell = lay_down(seat, tile, lord, new_cells(seat, tile))
  for _, piece in load do
    move(piece, cell)
  end
  if #filter(load, function(piece) return has(kindof(piece), "clears") end) > 0 then
    founding.clear_around(lord, cell)
  end
end

local function tiles(seat)
  local own = fitting.tiles(seat, zone.set)
  local list = { { "lay", own }, { "add", fitting.tiles(seat, zone.extra) } }
  if orders.held(seat, design.farmer_order) then
    table.insert(list, { "farmer" })
  end
  if #own == 0 then
    table.insert(list, "unable")
  end
  return list
end

--- A seat lays its tile.
function M.turn(seat)
  if get(counter.trigger) == seat and get(counter.stuck, seat) == 1 then
    log("skipped", seat)
    return
  end
  local verb
  repeat
    local tile
    verb, tile = choose(seat, "placing.tile", function() return tiles(seat) end)
    if verb == "lay" then
      lay_down(seat, tile, seat, fitting.cells(seat, tile, seat))
    elseif verb == "add" then
      lay_extra(seat, tile)
    elseif verb == "farmer" then
      move_tile(seat)
    else
      set(counter.stuck, 1, seat)
      log("stuck", seat)
      finale.trigger(seat, "stuck")
    end
    figures.train_all()
  until verb ~= "add"
end

return M
