-- Kingdom bonus cards: what each does when its owner plays it.
local gold = import("orders/gold")
local building = import("orders/building")
local hand = import("battle/hand")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local units = import("pieces/units")
local war = import("war/war")
local M = {}

local ORDERS, HORDES_GATHER = 1, 1

--- Great Commander: cards that lie apart.
function M.commander(self, seat)
  hand.draw_apart(seat, zone.command, self.cards)
end

-- Puts fallen units of a kind where there is room.
local function raise(seat, what, number)
  for _ = 1, number do
    local open = filter(lands.of(seat), function(land) return lands.room(land, seat) > 0 end)
    if lands.reserve(seat) > 0 and #open > 0 then
      local land = choose(seat, "bonus.raise", open, { about = { what } })
      lands.station(seat, what, land)
      log("raised", seat, what, land)
    end
  end
end

--- Resurrection: who fell in the phase that has just ended comes back.
function M.resurrection(self, seat)
  local common, special = get(counter.fallen_common, seat), get(counter.fallen_special, seat)
  set(counter.fallen_common, 0, seat)
  set(counter.fallen_special, 0, seat)
  raise(seat, kind.warrior, common)
  raise(seat, prop(seat, "special"), math.min(special, building.special_left(seat)))
end

function M.resurrection_playable(self, value, owner, seat, card)
  if designof(card) ~= design.resurrection then
    return value
  end
  if get(counter.fallen_common, seat) + get(counter.fallen_special, seat) == 0 then
    return 0
  end
  return value
end

--- Rapid Development: double orders until the order phase ends.
function M.development(self, seat)
  set(counter.doubles, self.orders, seat)
end

--- No Time For Waiting: more turns.
function M.no_time(self, seat)
  add(counter.extra_turns, self.turns, seat)
end

--- Legendary Mentor: common units, wherever the seat likes.
function M.mentor(self, seat)
  for _ = 1, self.units do
    if lands.reserve(seat) > 0 then
      local land = choose(seat, "bonus.recruit", lands.of(seat))
      if land then
        lands.recruit(seat, land)
        log("mobilized", seat, kind.warrior, land)
      end
    end
  end
end

--- Combat Rapture: a die for the battle, at least so much.
function M.rapture(self, seat)
  local strength = math.max(self.least, roll(6))
  add(counter.battle_bonus, strength, seat)
  log("rapture", seat, strength)
end

--- Invincible Hordes: a higher limit for this age, and at once a unit for gold in each of several territories.
function M.hordes(self, seat)
  set(counter.hordes, HORDES_GATHER, seat)
  local left = lands.of(seat)
  while true do
    local list = {}
    for _, land in left do
      if lands.room(land, seat) > 0 and lands.reserve(seat) > 0 and gold.total(seat) >= self.talents then
        table.insert(list, { "train", land, building.trainable(seat, land) })
      end
    end
    table.insert(list, "done")
    local verb, land, what = choose(seat, "bonus.hordes", list)
    if verb ~= "train" then
      return
    end
    lands.station(seat, what, land)
    log("mobilized", seat, what, land)
    gold.pay(seat, self.talents)
    left = filter(left, function(other) return other ~= land end)
  end
end

-- Neighbors that a territory can take by its mere weight.
local function prey(self, seat, from)
  return filter(lands.foreign_neighbors(from, seat), function(land)
    return lands.garrison(land) <= lands.size(from, seat) - self.lead
  end)
end

-- Wipes out who stands there. Returns how many that were.
local function wipe_out(land)
  local units_there = pieces{at = land, class = "unit"}
  for _, unit in units_there do
    units.kill(unit)
  end
  return #units_there
end

--- The Last Frontier: each strong territory takes a weak neighbor without a battle.
function M.frontier(self, seat)
  local strong = filter(lands.of(seat), function(land) return lands.size(land, seat) >= self.units end)
  for _, from in strong do
    local list = { { "take", prey(self, seat, from) }, "pass" }
    local verb, land = choose(seat, "bonus.frontier", list, { about = { from } })
    if verb == "take" then
      war.loot(seat, land)
      local dead = wipe_out(land)
      gold.gain(seat, dead * query("battle.loot", 0, seat))
      if dead > 0 then
        reign.advance(seat, self.feats)
      else
        reign.advance(seat, self["empty-feats"])
      end
      war.conquer(seat, from, land)
    end
  end
end

--- Cards for the order phase can be played in it only.
function M.development_playable(self, value, owner, seat, card)
  if designof(card) == design.rapid_development and get(counter.stage, seat) ~= ORDERS then
    return 0
  end
  return value
end

return M
