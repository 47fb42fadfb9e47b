-- The cards of the End of Times: each is resolved by its drawer as soon as it is drawn.
local battle = import("battle/battle")
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local rivals = import("kingdoms/rivals")
local units = import("pieces/units")
local M = {}

-- The drawer first, then the others in turn order.
local function from(seat)
  local order = { seat }
  for _, other in others(seat) do
    table.insert(order, other)
  end
  return order
end

-- Revolution -----------------------------------------------------------------

local function revolt(seat)
  local homes = filter(lands.of(seat), function(land) return lands.is_home(land, seat) end)
  local land = choose(rivals.right_of(seat), "event.revolt", lands.fewest(homes, seat), { about = { seat } })
  if land == nil then
    return
  end
  local number = math.ceil(roll(6) / 2)
  log("revolt", seat, land, number)
  if lands.size(land, seat) == 0 or battle.revolt(seat, land, number) then
    lands.lose(land)
    for _ = 1, number do
      place(kind.revolutionary, faction.revolutionaries, land)
    end
    log("revolt-wins", land, number)
  else
    log("revolt-fails", land)
  end
end

function M.revolution(self, seat)
  for _, each in from(seat) do
    revolt(each)
  end
end

-- Plague ---------------------------------------------------------------------

-- Territories with players' units that the plague has not seen.
local function victims(list)
  return filter(list, function(land)
    local lord = controller(land)
    return lord ~= nil and lands.size(land, lord) > 0 and get(counter.plague, land) == 0
  end)
end

local function infect(land)
  set(counter.plague, 1, land)
  log("plague", land)
  units.lose_one(controller(land), land, "plague.victim")
end

function M.plague(self, seat)
  local land = choose(seat, "plague.spread", victims(lands.of(seat)))
  while land do
    infect(land)
    land = choose(controller(land), "plague.spread", victims(neighbors(land)))
  end
  for _, each in spaces() do
    if get(counter.plague, each) > 0 then
      set(counter.plague, 0, each)
    end
  end
end

-- Tournament -----------------------------------------------------------------

-- Each seat enters a card face down, or stays away; the highest attack takes the prize alone.
function M.tournament(self, seat)
  local champion, best, tied = nil, -1, false
  for _, each in from(seat) do
    local verb, card = choose(each, "event.tournament", function()
      return { { "card", hand.playable(each) }, "pass" }
    end, { always = true })
    if verb == "card" then
      put(card, zone.placed, each)
      log("card-placed", each)
    end
  end
  for _, each in from(seat) do
    local card = top(zone.placed, each)
    if card then
      reveal(card)
      log("card-revealed", each, card)
      local strength = prop(card, "attack")
      if strength > best then
        champion, best, tied = each, strength, false
      elseif strength == best then
        tied = true
      end
      put(card, zone.combat_discard)
    end
  end
  if champion and not tied then
    add(counter.tournament, self.glory, champion)
    log("tournament-won", champion)
  else
    log("tournament-undecided")
  end
end

-- Others ---------------------------------------------------------------------

-- A seat picks this many of its units, which go back to the pool.
local function lose_units(seat, n)
  for _ = 1, n do
    local hit = units.all(seat)
    if #hit > 0 then
      units.dismiss(units.pick(seat, "event.loss", hit, { seat }))
    end
  end
end

function M.tempest(self, seat)
  for _, each in from(seat) do
    lose_units(each, self.units)
  end
end

function M.harvest(self, seat)
  for _, each in from(seat) do
    gold.gain(each, self.talents)
  end
end

function M.dearth(self, seat)
  for _, each in from(seat) do
    gold.lose(each, self.talents)
  end
end

function M.levy(self, seat)
  for _, each in from(seat) do
    for _ = 1, self.units do
      if lands.reserve(each) > 0 then
        local land = choose(each, "event.levy", lands.of(each))
        if land then
          lands.recruit(each, land)
          log("mobilized", each, kind.warrior, land)
        end
      end
    end
  end
end

function M.unrest(self, seat)
  for _, each in from(seat) do
    local calm = filter(lands.of(each), function(land) return get(counter.rebellion, land) == 0 end)
    local land = choose(rivals.right_of(each), "rebellion.place", lands.fewest(calm, each), { about = { each } })
    if land then
      lands.rebel(each, land, false)
    end
  end
end

-- Seats with the least of what is measured, the drawer first.
local function least(seat, measure)
  local few, found = nil, {}
  for _, each in from(seat) do
    local value = measure(each)
    if few == nil or value < few then
      few, found = value, {}
    end
    if value == few then
      table.insert(found, each)
    end
  end
  return found
end

function M.relic(self, seat)
  for _, each in least(seat, function(one) return #lands.of(one) end) do
    reign.advance(each, self.feats)
  end
end

-- Own buildings of the lowest level, in own territories.
local function sheds(seat)
  return filter(pieces{owner = seat, class = "building", on = "map"}, function(token)
    return stat(token, "level") == 1 and controller(at(token)) == seat
  end)
end

function M.fire(self, seat)
  for _, each in from(seat) do
    local burning = sheds(each)
    if #burning > 0 then
      local token = units.pick(each, "event.fire", burning, { each })
      local what, land = kindof(token), at(token)
      remove(token)
      log("burned", each, what, land)
      if what == kind.treasure_house then
        gold.spill(land)
      end
    end
  end
end

function M.elders(self, seat)
  for _, each in from(seat) do
    for _ = 1, self.cards do
      hand.draw(each)
    end
  end
end

function M.truce(self, seat)
  for _, each in from(seat) do
    for _, land in lands.of(each) do
      if get(counter.rebellion, land) > 0 then
        set(counter.rebellion, 0, land)
        log("negotiated", each, land)
      end
    end
    reign.advance(each, self.feats)
  end
end

-- Who has most gives to who has least, where one has more than all others.
function M.alms(self, seat)
  local poor = least(seat, gold.total)
  local rich = least(seat, function(one) return -gold.total(one) end)
  if #poor == 1 and #rich == 1 then -- mutate: skip, because of two kingdoms either both are true or none
    gold.gain(poor[1], gold.lose(rich[1], self.talents))
  end
end

function M.desertion(self, seat)
  for _, each in least(seat, function(one) return -lands.army(one) end) do
    lose_units(each, self.units)
  end
end

return M
