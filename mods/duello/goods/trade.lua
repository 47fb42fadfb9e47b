-- The trade phase: selling, buying, coins on food fields, orders of commerce.
local city = import("city/city")
local finale = import("rounds/finale")
local orders = import("orders/orders")
local store = import("goods/store")
local M = {}

local FISH_COIN, FOOD_COIN = 1, 5

--- What the caravans pay for one of any goods.
function M.selling_price(seat)
  return city.has(seat, kind.market) and 2 or 1
end

-- Half of the food fields are on the supplementary board.
local function open_fields(seat, fields, each)
  return get(fields, seat) < each * (1 + get(counter.second_board, seat))
end

local function deals(seat)
  local money = get(counter.pecunia, seat)
  local free, held = store.free(seat)
  local bought, list = {}, {}
  for _, good in store.kinds() do
    local price = prop(good, "price")
    if price > 0 and price <= money and store.is_room(good, free) then
      table.insert(bought, prop(good, "goods"))
    end
  end
  table.insert(list, { "sell", held })
  table.insert(list, { "buy", bought })
  if not finale.is_final() then
    if money >= FISH_COIN and open_fields(seat, counter.fish_coins, 2) then
      table.insert(list, { "fish-coin" })
    end
    if money >= FOOD_COIN and open_fields(seat, counter.food_coins, 1) then
      table.insert(list, { "food-coin" })
    end
  end
  for _, order in orders.for_sale(seat) do
    table.insert(list, { "order", order })
  end
  table.insert(list, "done")
  return list
end

local function price_of(goods)
  for _, good in store.kinds() do
    if prop(good, "goods") == goods then
      return prop(good, "price")
    end
  end
  return 0
end

--- A seat deals until it has enough.
function M.turn(seat)
  local list = function() return deals(seat) end
  while true do
    local deal, what = choose(seat, "trade.deal", list)
    if deal == "sell" then
      lose(what, 1, seat)
      add(counter.pecunia, M.selling_price(seat), seat)
      log("sold", seat, what)
    elseif deal == "buy" then
      lose(counter.pecunia, price_of(what), seat)
      gain(what, 1, seat)
      log("bought", seat, what)
    elseif deal == "fish-coin" then
      lose(counter.pecunia, FISH_COIN, seat)
      add(counter.fish_coins, 1, seat)
      log("food-raised", seat, counter.fish_coins)
    elseif deal == "food-coin" then
      lose(counter.pecunia, FOOD_COIN, seat)
      add(counter.food_coins, 1, seat)
      log("food-raised", seat, counter.food_coins)
    elseif deal == "order" then
      orders.buy(seat, what)
    else
      return
    end
  end
end

return M
