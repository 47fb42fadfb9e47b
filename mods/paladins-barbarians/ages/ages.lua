-- Phases A and B of an own age: rebellions, fines, spending; then a card of the Ages and income.
local bonus = import("kingdoms/bonus")
local deck = import("ages/deck")
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local units = import("pieces/units")
local war = import("war/war")
local M = {}

-- The fine for the whole army, by its size without those that Storehouses feed.
local TIERS = { 7, 10, 13 }
-- What is counted once in an age.
local ONCE = { counter.bedehouse_used, counter.massacre_used, counter.void_used }

local HORDES_GATHER, HORDES_FED = 1, 2

-- Everything that an age allows once is allowed again.
local function reset(seat)
  for _, once in ONCE do
    set(once, 0, seat)
  end
  for _, land in spaces{controller = seat, marked = counter.market_used} do
    set(counter.market_used, 0, land)
  end
  if prop(seat, "spent") then
    for _, rider in pieces{owner = seat, kind = prop(seat, "spent"), on = "map"} do
      units.swap(rider, prop(seat, "special"))
    end
  end
  if get(counter.hordes, seat) == HORDES_GATHER then
    set(counter.hordes, HORDES_FED, seat)
  end
  war.new_age(seat)
end

-- Conquests that were left alone rebel.
local function punish_neglect(seat)
  for _, land in spaces{controller = seat, marked = counter.hollow} do
    set(counter.hollow, 0, land)
    lands.rebel(seat, land, true)
  end
end

--- Fine for the size of the whole army.
function M.size_fine(seat)
  local fed = #lands.with(kind.storehouse, seat)
  local fine, size = 0, lands.army(seat) - fed
  for _, tier in TIERS do
    if size >= tier then
      fine = fine + 1
    end
  end
  return query("age.size-fine", fine, seat)
end

-- Units above the limit of a territory. Hordes are fed for one more age.
local function excess(seat, land)
  local limit = lands.limit(land, seat)
  if get(counter.hordes, seat) == HORDES_FED then
    limit = math.max(limit, get(counter.hordes_limit))
  end
  return math.max(0, lands.size(land, seat) - limit)
end

--- Fine for crowded territories.
function M.crowd_fine(seat)
  local fine, least = 0, 0
  local limit, size = lands.measures(seat)
  if get(counter.hordes, seat) == HORDES_FED then
    least = get(counter.hordes_limit)
  end
  for _, land in lands.of(seat) do
    local units_there = size(land)
    if units_there > 0 then
      fine = fine + math.max(0, units_there - math.max(limit(land), least))
    end
  end
  return fine
end

-- Units whose dismissal can lower a fine.
local function superfluous(seat)
  if M.size_fine(seat) > 0 then
    return units.all(seat)
  end
  return filter(units.all(seat), function(unit) return excess(seat, at(unit)) > 0 end)
end

-- Fines for the army are paid, or units go until they can be.
local function army_fines(seat)
  while true do
    local fine = M.size_fine(seat) + M.crowd_fine(seat)
    if fine == 0 then
      return
    end
    local verb, what, land = bonus.ask(seat, "age.army-fine", bonus.TURN, function()
      local list = units.options("dismiss", superfluous(seat))
      if gold.total(seat) >= fine then
        table.insert(list, 1, "pay")
      end
      return list
    end, { fine })
    if verb == "dismiss" then
      units.dismiss(units.find(units.all(seat), what, land))
    elseif verb ~= "bonus" then
      log("army-fined", seat, fine)
      gold.pay(seat, fine)
      return
    end
  end
end

-- Territories that got no order cost a talent each, or rebel.
local function territory_fines(seat)
  for _, land in lands.of(seat) do
    if get(counter.owed, land) > 0 then
      set(counter.owed, 0, land)
      local verb = bonus.choose(seat, "age.territory-fine", bonus.TURN, function()
        return gold.total(seat) > 0 and { "pay", "refuse" } or { "refuse" }
      end, { land })
      if verb == "pay" then
        gold.pay(seat, 1)
      else
        lands.rebel(seat, land, true)
      end
    end
  end
end

-- Libraries sell a card each; the Altar takes everything for a point that stays.
local function spend(seat)
  local libraries, may_donate = #lands.with(kind.library, seat), #lands.with(kind.altar, seat) > 0
  while true do
    local verb = bonus.choose(seat, "age.spend", bonus.TURN, function()
      local list = {}
      if libraries > 0 and gold.total(seat) > 0 then
        table.insert(list, "library")
      end
      if may_donate and gold.total(seat) >= get(counter.altar_minimum) then
        table.insert(list, "altar")
      end
      table.insert(list, "done")
      return list
    end)
    if verb == "library" then
      libraries = libraries - 1
      hand.draw(seat)
      gold.pay(seat, 1)
    elseif verb == "altar" then
      may_donate = false
      log("altar-donation", seat)
      gold.pay(seat, gold.total(seat))
      add(counter.permanent, 1, seat)
    else
      return
    end
  end
end

-- The Arena trains one fighter more, the fourth if need be.
local function arena(seat)
  for _, land in lands.with(kind.arena, seat) do
    if lands.size(land, seat) <= get(counter.unit_limit) and lands.reserve(seat) > 0
      and confirm(seat, "age.arena", { about = { land } }) then
      lands.recruit(seat, land)
      log("arena", seat, land)
    end
  end
end

-- What phase B brings beside the card.
local function income(seat, held_center)
  gold.bank(seat)
  if held_center then
    gold.gain(seat, 1)
    reign.advance(seat, 1)
  end
  arena(seat)
  reign.refill_apart(seat)
end

--- Phases A and B of the seat's next age.
function M.start(seat)
  add(counter.age, 1, seat)
  log("age-begins", seat, get(counter.age, seat))
  local center = spaces{prop = "center"}[1]
  local held_center = controller(center) == seat
  reign.succeed(seat)
  reset(seat)
  punish_neglect(seat)
  army_fines(seat)
  territory_fines(seat)
  if get(counter.hordes, seat) == HORDES_FED then
    set(counter.hordes, 0, seat)
  end
  spend(seat)
  deck.draw(seat)
  bonus.window(seat, bonus.TURN)
  income(seat, held_center)
end

return M
