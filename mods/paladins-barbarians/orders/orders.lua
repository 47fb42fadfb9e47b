-- Phase C: one order a turn, each in a territory of its own; second orders for the price of a rebellion; double orders.
local bonus = import("kingdoms/bonus")
local building = import("orders/building")
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local rivals = import("kingdoms/rivals")
local units = import("pieces/units")
local war = import("war/war")
local M = {}

local IN_ORDERS = { "turn", "outside-battle", "orders" }
local AFTER_ORDER = { "turn", "outside-battle", "orders", "ordered" }

-- What the Market Square will bring to an order here.
local function market_gain(seat, land, working)
  if working[kind.market_square] and get(counter.market_used, land) == 0 and gold.has_room(seat) then
    return 1
  end
  return 0
end

-- Gold that an order on this territory can be paid with. What stands there says where to look.
local function purse(seat, land, have, site)
  if site.kinds[kind.market_square] then
    return have.gold + market_gain(seat, land, lands.working(land, seat))
  end
  return have.gold
end

-- The units of a seat, and how many it may add: looked up once, where an order can be paid.
local function muster(seat)
  local sizes, army = lands.sizes(seat), 0
  for _, size in sizes do
    army = army + size
  end
  return { sizes = sizes, reserve = lands.reserve_of(army), limit = lands.usual_limit(seat) }
end

local function can_mobilize(seat, land, have, budget, site)
  if budget < have.price then
    return false
  end
  if have.army == nil then
    have.army = muster(seat)
  end
  local army = have.army
  return army.reserve > 0 and (army.sizes[land] or 0) < lands.limit_among(site.kinds, land, seat, army.limit)
end

-- Every order that can be given on one of the territories, as {order, territories}. Some need something; the others are
-- always possible where nobody rebels.
local function options(seat, sites, unruly)
  local have = { gold = gold.total(seat), price = get(counter.unit_price), left = {}, bare = {} }
  local calm, rebels, mobilized, built, demolished = {}, {}, {}, {}, {}
  for _, land in sites do
    if #unruly > 0 and contains(unruly, land) then -- mutate: skip, because the first half only saves time
      table.insert(rebels, land)
    else
      local there = building.standing(land)
      local site = building.site(seat, land, there)
      local budget = purse(seat, land, have, site)
      table.insert(calm, land)
      if can_mobilize(seat, land, have, budget, site) then
        table.insert(mobilized, land)
      end
      if building.can_build(seat, budget, site, have) then
        table.insert(built, land)
      end
      if building.can_demolish(seat, budget, there) then
        table.insert(demolished, land)
      end
    end
  end
  return {
    { "mobilize", mobilized }, { "build", built }, { "demolish", demolished },
    { "tax", calm }, { "plan", calm }, { "regroup", calm }, { "negotiate", rebels },
  }
end

-- Territories on which the seat may order now: those without an order, for a second order those with one, and those in
-- rebellion.
local function find_sites(seat, unruly)
  local sites, has_free = {}, false
  for _, land in lands.of(seat) do
    local given, rebels = get(counter.orders, land), false
    if #unruly > 0 then
      rebels = contains(unruly, land)
    end
    has_free = has_free or (given == 0 and not rebels)
    if given < 2 or rebels then
      table.insert(sites, land)
    end
  end
  return has_free and sites or unruly
end

-- The orders of a turn.
local function all_options(seat)
  local unruly = lands.rebels(seat)
  return options(seat, find_sites(seat, unruly), unruly)
end

-- Neighbors to which units can go.
local function neighbors_with_room(seat, land)
  return lands.roomy(lands.own_neighbors(land, seat), seat)
end

local function mobilize(seat, land)
  local what = choose(seat, "order.train", building.trainable(seat, land), { about = { land } })
  lands.station(seat, what, land)
  log("mobilized", seat, what, land)
  gold.pay(seat, get(counter.unit_price))
end

local function build(seat, land)
  local choices = building.choices(seat, land, gold.total(seat), 0)
  local _, what = choose(seat, "order.build", { { "raise", choices } }, { about = { land } })
  building.build(seat, what, land, 0)
end

local function demolish(seat, land)
  local list = {}
  for _, token in building.doomed(seat, land, gold.total(seat)) do
    table.insert(list, { "raze", kindof(token), owner(token) })
  end
  local _, what, whose = choose(seat, "order.demolish", list, { about = { land } })
  building.demolish(seat, the_piece{at = land, owner = whose, kind = what}, land)
end

local function tax(seat, land, working)
  local talents = 1
  if working[kind.residential_districts] then
    talents = 2
  end
  log("taxed", seat, land)
  gold.gain(seat, talents)
end

local function plan(seat)
  hand.draw(seat)
end

-- Units leave for neighbors: the first free, with a Storehouse the second too, the others for a talent each.
local function regroup(seat, land, working)
  local free = get(counter.free_moves)
  if working[kind.storehouse] then
    free = free + 1
  end
  while true do
    local verb, what, to = bonus.choose(seat, "order.regroup", bonus.TURN, function()
      local movers = lands.units(land, seat)
      if #movers == 0 or free == 0 and gold.total(seat) == 0 then
        return {}
      end
      return { { "march", units.kinds(movers), neighbors_with_room(seat, land) }, "done" }
    end, { land, free })
    if verb ~= "march" then
      return
    end
    units.enter(units.find(lands.units(land, seat), what), to)
    log("regrouped", seat, what, land, to)
    if free > 0 then
      free = free - 1
    else
      gold.pay(seat, 1)
    end
  end
end

local function negotiate(seat, land)
  set(counter.rebellion, 0, land)
  log("negotiated", seat, land)
end

local RESOLVE = {
  mobilize = mobilize, build = build, demolish = demolish, tax = tax, plan = plan, regroup = regroup,
  negotiate = negotiate,
}

-- Whether the seat can pay for an order without what the Market Square brings.
local function can_pay(seat, order, land)
  local talents = gold.total(seat)
  if order == "mobilize" then
    return talents >= get(counter.unit_price)
  elseif order == "build" then
    return #building.choices(seat, land, talents, 0) > 0
  end
  -- The Market Square itself can be pulled down for nothing.
  return true
end

-- Before the order is paid for. It is not asked where the order cannot be paid for without that talent.
local function visit_market(seat, order, land, working)
  if market_gain(seat, land, working) == 0 then
    return
  end
  if not can_pay(seat, order, land) or confirm(seat, "order.market", { about = { land } }) then
    set(counter.market_used, 1, land)
    log("market-pays", seat, land)
    gold.gain(seat, 1)
  end
end

-- A free unit, where there is room for it.
local function free_unit(seat)
  if lands.reserve(seat) == 0 then
    return
  end
  local land = choose(seat, "temple.unit", lands.roomy(lands.of(seat), seat))
  if land then
    lands.recruit(seat, land)
    log("mobilized", seat, kind.warrior, land)
  end
end

-- The Temple speaks after every order on its territory. Returns a territory for a double order, if it grants one.
local function ask_temple(seat)
  local omen = roll(6)
  log("temple-omen", seat, omen)
  if omen <= 3 then
    gold.gain(seat, 1)
  elseif omen <= 5 then
    free_unit(seat)
  else
    local verb, site = bonus.choose(seat, "temple.double", bonus.TURN, function()
      return { { "double", lands.order_free(seat) }, "pass" }
    end)
    if verb == "double" then
      return site
    end
  end
end

-- Carries out one order and lays its token. Returns where the Temple grants a double order.
local function resolve(seat, order, land)
  local calm = order ~= "negotiate"
  local working = lands.working(land, seat)
  log("order-given", seat, order, land)
  if calm then
    visit_market(seat, order, land, working)
  end
  RESOLVE[order](seat, land, working)
  if calm then
    add(counter.orders, 1, land)
  elseif get(counter.orders, land) == 0 then
    set(counter.orders, 1, land)
  end
  local site
  if working[kind.temple] then
    site = ask_temple(seat)
  end
  war.attack_order(seat, land)
  return site
end

-- Orders of one turn on one territory beyond the first.
local function resolve_more(seat, land, always_two)
  local order = bonus.choose(seat, "order.double", bonus.TURN, function()
    local list = options(seat, { land }, lands.rebels(seat))
    if not always_two then
      table.insert(list, "pass")
    end
    return list
  end, { land })
  if order ~= "pass" then
    resolve(seat, order, land)
    return true
  end
  return false
end

-- A second order costs a rebellion where there are fewest units; of several such places the enemy chooses.
local function pay_second(seat)
  local sites = lands.fewest(lands.order_free(seat), seat)
  if #sites > 0 then
    local land = choose(rivals.right_of(seat), "rebellion.place", sites, { about = { seat } })
    lands.rebel(seat, land, true)
  end
end

--- One turn of the order phase: an order, and whatever it brings with it.
function M.turn(seat)
  local order, land = bonus.choose(seat, "order.give", IN_ORDERS, function() return all_options(seat) end)
  if order == nil then
    return
  end
  local second = get(counter.orders, land) == 1 and order ~= "negotiate"
  local site = resolve(seat, order, land)
  if site then
    resolve_more(seat, site, true)
    resolve_more(seat, site, true)
  end
  if second then
    pay_second(seat)
  elseif order ~= "negotiate" and get(counter.doubles, seat) > 0 and resolve_more(seat, land, false) then
    add(counter.doubles, -1, seat)
  end
  bonus.window(seat, AFTER_ORDER)
end

-- Whether the seat, which may stop, does so. Who goes on is asked again only after the next order.
local function stops(seat, open)
  if confirm(seat, "orders.stop", { about = { open } }) then
    return true
  end
  set(counter.goes_on, 1, seat)
  return false
end

--- Whether the order phase is over: no rebellion, and all territories ordered; with many the seat may stop after some.
--- `goes_on` says that it has just decided not to stop.
function M.is_over(seat, goes_on)
  local open = #spaces{controller = seat, unmarked = counter.orders}
  if open > 0 then
    local owned, enough = #lands.of(seat), get(counter.orders_needed)
    if goes_on or owned - open < enough then
      return false
    end
  end
  return #lands.rebels(seat) == 0 and (open == 0 or stops(seat, open))
end

--- Ends the order phase: tokens come back, and territories without one will be fined.
function M.close(seat)
  for _, land in lands.of(seat) do
    if get(counter.orders, land) == 0 then
      set(counter.owed, 1, land)
    else
      set(counter.orders, 0, land)
    end
  end
  if get(counter.doubles, seat) > 0 then
    set(counter.doubles, 0, seat)
  end
  log("orders-complete", seat)
end

return M
