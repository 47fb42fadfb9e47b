-- The phase of construction and demolition.
local city = import("city/city")
local figures = import("figures/figures")
local founding = import("buildings/founding")
local orders = import("orders/orders")
local sites = import("buildings/sites")
local store = import("goods/store")
local M = {}

-- The kinds of buildings that a seat has left and whose condition is met; with a purse, only those that it can pay for.
---@param purse? table<string, integer>
local function left(seat, purse)
  local list = {}
  for _, class in city.BUILDINGS do
    local last
    for _, piece in pieces{owner = seat, class = class, on = "pool"} do
      local what = kindof(piece)
      -- Whether a place can be paid for, too, is asked later.
      if what ~= last and (purse == nil or store.affords(purse, what, 1)) then -- mutate: skip, because asked again later
        local after = prop(what, "after")
        if after == nil or city.has(seat, after) then -- mutate: skip, because a seat always has a palace
          table.insert(list, what)
        end
      end
      last = what
    end
  end
  return list
end

-- Where a seat can pay for a kind of building.
local function cells_for(purse, what, free)
  return filter(sites.of(what, free), function(cell) return store.affords(purse, what, sites.factor(cell)) end)
end

-- Mines for which there is a free plan, whatever they cost.
local function free_mines(seat, free)
  return filter(left(seat), function(what) return prop(what, "plan") == "mine" and #sites.of(what, free) > 0 end)
end

-- Buildings that may move, each with the cells to which it may.
local function removals(seat, free)
  local list = {}
  for _, piece in city.buildings(seat) do
    local what = kindof(piece)
    if not has(what, "fixed") and at(piece) ~= city.ISLAND and #sites.of(what, free) > 0 then
      table.insert(list, { "move", what, at(piece) })
    end
  end
  return list
end

local function works_of(seat)
  local purse = store.purse(seat)
  local list, kinds = {}, left(seat, purse)
  local miner, architect = orders.held(seat, design.miner_order), orders.held(seat, design.architect_order)
  if #kinds > 0 or miner or architect then
    local free = sites.free(seat)
    table.insert(list, { "build", filter(kinds, function(what) return #cells_for(purse, what, free) > 0 end) })
    if miner and #free_mines(seat, free) > 0 then
      table.insert(list, { "miner" })
    end
    if architect and #removals(seat, free) > 0 then
      table.insert(list, { "architect" })
    end
  end
  if get(counter.pecunia, seat) >= get(counter.demolition_price) then
    for _, piece in city.buildings(seat) do
      if not has(kindof(piece), "fixed") then
        table.insert(list, { "demolish", kindof(piece), at(piece) })
      end
    end
  end
  table.insert(list, "done")
  return list
end

-- The piece is taken and paid for first, so that bots see what they will have.
local function build(seat, what)
  local cells = cells_for(store.purse(seat), what, sites.free(seat))
  place(what, seat, city.stand(seat))
  store.pay(seat, what, 1, true)
  local cell = choose(seat, "building.site", cells, { about = { what } })
  store.pay(seat, what, sites.factor(cell) - 1, false)
  founding.found(seat, what, cell)
end

local function demolish(seat, what, cell)
  founding.take_down(the_piece{owner = seat, kind = what, at = cell})
  log("demolished", seat, what, cell)
  lose(counter.pecunia, get(counter.demolition_price), seat)
  figures.train_all()
end

-- The miner's order: a mine for nothing.
local function dig(seat)
  orders.give_back(seat, design.miner_order)
  local free = sites.free(seat)
  local what = choose(seat, "building.mine", free_mines(seat, free))
  founding.found(seat, what, choose(seat, "building.site", sites.of(what, free), { about = { what } }))
end

-- The architect's order: a building moves.
local function rebuild(seat)
  orders.give_back(seat, design.architect_order)
  local free = sites.free(seat)
  local _, what, cell = choose(seat, "building.move", removals(seat, free))
  local target = choose(seat, "building.site", sites.of(what, free), { about = { what } })
  founding.transfer(the_piece{owner = seat, kind = what, at = cell}, target)
end

--- A seat builds and demolishes as much as it likes and can pay for.
function M.turn(seat)
  local list = function() return works_of(seat) end
  while true do
    local verb, what, cell = choose(seat, "building.work", list)
    if verb == "build" then
      build(seat, what)
    elseif verb == "demolish" then
      demolish(seat, what, cell)
    elseif verb == "miner" then
      dig(seat)
    elseif verb == "architect" then
      rebuild(seat)
    else
      return
    end
  end
end

return M
