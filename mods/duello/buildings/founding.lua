-- What happens when a building appears or disappears, however that comes.
local city = import("city/city")
local figures = import("figures/figures")
local finale = import("rounds/finale")
local orders = import("orders/orders")
local store = import("goods/store")
local M = {}

-- The citizens of a castle leave with it.
local function leave(seat, what)
  local citizens = prop(what, "citizens") or 0
  if citizens > 0 then
    lose(counter.citizens, citizens, seat)
  end
end

--- A building goes back to the pieces of its owner.
function M.take_down(piece)
  local seat, what, cell = owner(piece), kindof(piece), at(piece)
  remove(piece)
  leave(seat, what)
  if what == kind.warehouse then
    store.lose_board(seat)
  end
  figures.settle(seat, cell)
end

-- A tile goes back to the tiles that its owner has not laid; ships and carts stay with the owner.
local function take_back(tile, seat, cell)
  for _, piece in pieces{at = cell} do
    local class = prop(piece, "class")
    if class == "vehicle" then
      move(piece, city.stand(owner(piece)))
    elseif class == "figure" then
      remove(piece)
    end
  end
  for _, piece in pieces{at = cell} do
    M.take_down(piece)
  end
  put(tile, zone.set, seat)
  log("tile-taken-back", seat, tile)
end

local function is_fixed(cell)
  return #filter(pieces{at = cell}, function(piece) return has(kindof(piece), "fixed") end) > 0
end

--- Rivals take back their tiles beside a fortress.
function M.clear_around(seat, cell)
  for _, next in neighbors(cell) do
    local tile, lord = laid(next), city.owner_at(next)
    if lord and lord ~= seat and not is_fixed(next) then
      take_back(tile, lord, next)
    end
  end
end

-- What a building brings at once.
local function take_effect(seat, what, cell)
  local citizens = prop(what, "citizens") or 0
  if citizens > 0 then
    add(counter.citizens, citizens, seat)
    set(counter.second_board, 1, seat)
    log("citizens-come", seat, citizens)
  end
  if what == kind.school then
    set(counter.masters, 6, seat)
  elseif what == kind.warehouse then
    store.take_board(seat)
  elseif what == kind.bridge then
    join_links(cell)
  end
  if has(what, "clears") then
    M.clear_around(seat, cell)
  end
end

--- A building stands on a cell, with all consequences. It comes from beside the map if the seat keeps one there.
function M.found(seat, what, cell)
  local piece = the_piece{owner = seat, kind = what, at = city.stand(seat)}
  if piece then
    move(piece, cell)
  else
    place(what, seat, cell)
  end
  log("built", seat, what, cell)
  take_effect(seat, what, cell)
  orders.check(seat)
  finale.check(seat)
  figures.train_all()
end

--- The buildings that are reserved for the starting tile move onto it.
function M.move_in(seat, cell)
  for _, piece in pieces{owner = seat, at = city.stand(seat)} do
    if prop(piece, "class") ~= "vehicle" then
      M.found(seat, kindof(piece), cell)
    end
  end
end

--- A building moves to another cell: the citizens of a castle stay, masters go home, a fortress clears around it.
function M.transfer(piece, cell)
  local seat, what, old = owner(piece), kindof(piece), at(piece)
  move(piece, cell)
  figures.settle(seat, old)
  log("moved", seat, what, cell)
  if has(what, "clears") then
    M.clear_around(seat, cell)
  end
  orders.check(seat)
  figures.train_all()
end

return M
