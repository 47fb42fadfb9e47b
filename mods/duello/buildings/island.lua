-- The right to Victoria Island: who has a cargo ship from an earlier round is asked, in the order of the ships.
local city = import("city/city")
local finale = import("rounds/finale")
local founding = import("buildings/founding")
local store = import("goods/store")
local M = {}

-- The seats with a cargo ship from an earlier round, the first ship first.
local function captains()
  local list = filter(seats(), function(seat)
    return get(counter.ship_round, seat) > 0 and get(counter.ship_round, seat) < get(counter.round)
  end)
  return sorted(list, function(one, other)
    local a, b = get(counter.ship_round, one), get(counter.ship_round, other)
    return a < b or (a == b and get(counter.ship_place, one) < get(counter.ship_place, other))
  end)
end

--- The first who wants builds the port of the island. Those who decline are asked again in the next round.
function M.queue()
  for _, seat in captains() do
    if count{at = city.ISLAND, kind = kind.port} > 0 then
      return
    end
    local may = count{owner = seat, kind = kind.port, on = "pool"} > 0 and store.affords(store.purse(seat), kind.port, 1)
    if may and confirm(seat, "building.island") then
      founding.found(seat, kind.port, city.ISLAND)
      log("island-captured", seat)
      store.pay(seat, kind.port, 1, true)
      finale.trigger(seat, "island")
    end
  end
end

return M
