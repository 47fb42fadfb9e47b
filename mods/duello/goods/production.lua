-- The production phase: every citizen makes one good in a building that works, ships and carts included.
local city = import("city/city")
local figures = import("figures/figures")
local store = import("goods/store")
local works = import("city/works")
local M = {}

local BOAT_FISH = 2

-- How many goods the working buildings of a kind may give in a round.
local function limit_of(seat, good, maker)
  local limit = 0
  for _, cell in city.cells_of(seat, maker) do
    limit = limit + 1 + (figures.is_welcome(seat, maker) and figures.masters_at(seat, cell) or 0)
  end
  return query("production.limit", limit, seat, good)
end

-- What each kind of goods, as a counter, may bring this round. Nothing of the others can be made.
local function limits_of(seat, working)
  local limits = {}
  for _, good in store.kinds() do
    local maker = prop(good, "maker")
    if working[maker] then
      limits[prop(good, "goods")] = limit_of(seat, good, maker)
    end
  end
  if working[kind.port] then
    local boats = count{owner = seat, kind = kind.fishing_boat, on = "map"} - get(counter.new_boats, seat)
    limits[counter.fish] = (limits[counter.fish] or 0) + BOAT_FISH * boats
  end
  return limits
end

-- Ships and carts that a seat can make now.
local function vehicles(seat, working, capacity)
  local list, purse = {}, store.purse(seat)
  local function offer(what, may)
    if may and store.affords(purse, what, 1) and count{owner = seat, kind = what, on = "pool"} > 0 then
      table.insert(list, what)
    end
  end
  if capacity > 0 and working[kind.port] then
    offer(kind.fishing_boat, true)
    offer(kind.cargo_ship, city.has(seat, kind.lighthouse))
  end
  -- Where the metallurgist works, a coal mine does.
  if working[kind.riding_hall] and working[kind.sawmill] and working[kind.metallurgist] then
    offer(kind.cart, get(counter.horsemen, seat) > count{owner = seat, kind = kind.cart, on = "map"})
  end
  return list
end

local function makings(seat, limits, working, capacity)
  local made = {}
  if capacity > 0 and next(limits) ~= nil then -- mutate: skip, because the second half only saves time
    local free = store.free(seat)
    for _, good in store.kinds() do
      local goods = prop(good, "goods")
      if (limits[goods] or 0) > 0 and store.is_room(good, free) then
        table.insert(made, goods)
      end
    end
  end
  return { { "make", made }, { "equip", vehicles(seat, working, capacity) }, "done" }
end

-- A ship or cart leaves the box.
local function equip(seat, what)
  store.pay(seat, what, 1, true)
  local yard = what == kind.cart and kind.riding_hall or kind.port
  place(what, seat, city.cells_of(seat, yard)[1])
  log("equipped", seat, what)
  if what == kind.fishing_boat then
    add(counter.new_boats, 1, seat)
  elseif what == kind.cargo_ship then
    local place = 1
    for _, other in others(seat) do
      if get(counter.ship_round, other) == get(counter.round) then
        place = 2
      end
    end
    set(counter.ship_round, get(counter.round), seat)
    set(counter.ship_place, place, seat)
  end
end

--- A seat makes goods one after the other: as many as it has people, from each building as many as that may give.
function M.turn(seat)
  local working = works.all(seat)
  if next(working) == nil then
    return
  end
  local capacity = figures.capacity(seat)
  local limits = capacity > 0 and limits_of(seat, working) or {} -- mutate: skip, because of time only
  local list = function() return makings(seat, limits, working, capacity) end
  while true do
    local verb, what = choose(seat, "production.make", list)
    if verb == "make" then
      add(what, 1, seat)
      limits[what] = limits[what] - 1
      capacity = capacity - 1
      log("made", seat, what)
    elseif verb == "equip" then
      equip(seat, what)
      if what ~= kind.cart then
        capacity = capacity - 1
      end
    else
      return
    end
  end
end

return M
