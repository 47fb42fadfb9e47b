-- Princely orders of merit: who earns which, what they bring, what is returned for a power.
local city = import("city/city")
local finale = import("rounds/finale")
local M = {}

-- How many buildings with a property stand.
local function standing(seat, what)
  local sum = 0
  for _, piece in city.buildings(seat) do
    if has(kindof(piece), what) then
      sum = sum + 1
    end
  end
  return sum
end

-- What earns each order that is earned.
local CONDITIONS = {
  [design.military_order] = function(seat) return #city.cells_of(seat, kind.fortress) >= 2 end,
  [design.towers_order] = function(seat) return standing(seat, "tower") >= 4 end,
  [design.miner_order] = function(seat) return standing(seat, "diggings") >= 3 end,
  [design.architect_order] = function(seat)
    -- The fourth is a bridge, which every city has from the start.
    return city.has(seat, kind.riding_hall)
      and city.has(seat, kind.school)
      and city.has(seat, kind.market)
  end,
  [design.farmer_order] = function(seat) return standing(seat, "farm") >= 3 end,
}

-- The order of a design that a seat holds, or has held if that counts, too.
local function find(where, seat, what)
  for _, card in cards(where, seat) do
    if designof(card) == what then
      return card
    end
  end
  return nil
end

--- The order of a design that a seat holds now.
function M.held(seat, what)
  return find(zone.honors, seat, what)
end

local function has_had(seat, what)
  return find(zone.honors, seat, what) ~= nil or find(zone.returned, seat, what) ~= nil
end

local function gain_order(seat, card)
  put(card, zone.honors, seat)
  log("order-gained", seat, card)
  if has(card, "grants-tile") then
    local tile = choose(seat, "orders.tile", cards(zone.merit_tiles))
    if tile then
      put(tile, zone.extra, seat)
      log("merit-tile", seat, tile)
    end
  end
  finale.check(seat)
end

--- Gives a seat the orders whose condition it meets. Each comes once in a game.
function M.check(seat)
  for _, card in cards(zone.orders) do
    local condition = CONDITIONS[designof(card)]
    if condition and not has_had(seat, designof(card)) and condition(seat) then
      gain_order(seat, card)
    end
  end
end

--- The orders of commerce that a seat can buy: one in a game, as they are never returned.
function M.for_sale(seat)
  if size(zone.honors, seat, { commerce = 1 }) > 0 then
    return {}
  end
  local money = get(counter.pecunia, seat)
  return filter(cards(zone.orders, nil, { commerce = 1 }), function(card) return money >= param(card, "price") end)
end

--- Buys an order of commerce.
function M.buy(seat, card)
  lose(counter.pecunia, param(card, "price"), seat)
  gain_order(seat, card)
end

--- Returns an order for its power; it never comes back to the seat.
function M.give_back(seat, what)
  local card = M.held(seat, what)
  put(card, zone.returned, seat)
  gain(counter.pecunia, param(card, "gift"), seat)
  log("order-returned", seat, card, param(card, "gift"))
end

return M
