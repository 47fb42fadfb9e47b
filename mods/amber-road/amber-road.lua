-- The Amber Road: Trade, Crossbowmen, and the cards that deal with them.
local M = {}

-- The value of a step of Trade to bots, besides the gold that it brings.
local WORTH = 3

-- How many Crossbowmen fight on the seat's side.
local function crossbowmen(seat)
  return #filter(battle.units(battle.side(seat)), function(piece) return kindof(piece) == kind.crossbowman end)
end

--- Trade fills the treasury with the taxes.
function M.road_income(self, value, _, seat)
  return value + self.gold * math.floor(get(counter.trade, seat) / self.step)
end

function M.road_value(self, value, _, seat)
  return value + WORTH * get(counter.trade, seat)
end

--- Crossbow Guild: gold arms a guard for the Capital.
function M.guild_play(self, seat)
  local capital = prop(seat, "capital")
  if controller(capital) ~= seat or count{kind = kind.crossbowman, owner = seat, on = "pool"} == 0
    or get(counter.gold, seat) < self.gold then
    return
  end
  lose(counter.gold, self.gold, seat)
  place(kind.crossbowman, seat, capital)
  log("crossbowman-armed", seat, capital)
end

--- Caravan: every foreign power on the border buys and sells.
function M.caravan_play(self, seat)
  local markets = filter(spaces{kind = "area"}, function(area)
    return #filter(exits(area), function(land) return controller(land) == seat end) > 0
  end)
  gain(counter.trade, math.min(self.most, self.trade * #markets), seat, "trade-gained")
end

--- Amber Reliquary: goods for the glory of God.
function M.reliquary_play(self, seat)
  if get(counter.trade, seat) >= self.trade
    and confirm(seat, "amber-road.reliquary", { about = { self.trade, self.clergy }, source = self.card }) then
    lose(counter.trade, self.trade, seat)
    log("trade-given", seat, self.trade, gain(counter.clergy, self.clergy, seat))
  end
end

--- Volley: bolts before the horses meet.
function M.volley_play(self, seat)
  battle.add(battle.side(seat), "swords", crossbowmen(seat) > 0 and self.volley or self.swords)
end

--- Pavises: behind tall shields a Crossbowman is hard to reach.
function M.pavises_play(self, seat)
  battle.add(battle.side(seat), "shields", math.min(self.most, self.shields * crossbowmen(seat)))
end

--- Carts Taken: the baggage of the beaten goes to market under another seal.
function M.carts_play(self, seat)
  local loser = battle.player(battle.side(seat) == "attacker" and "defender" or "attacker")
  if loser then
    local lost = lose(counter.trade, self.trade, loser)
    if lost > 0 then
      log("trade-taken", seat, loser, lost)
      gain(counter.trade, lost, seat)
    end
  end
end

--- Wenceslas the Second: good silver travels far.
function M.wenceslas_collected(self, owner, seat)
  if seat == owner then
    gain(counter.trade, self.trade, owner, "trade-gained")
  end
end

--- Salt of Bochnia: towns boil, weigh and sell it.
function M.bochnia_reveal(self)
  for _, seat in seats() do
    local towns = filter(spaces{controller = seat}, function(land)
      return count{at = land, class = "settlement"} > 0
    end)
    if #towns > 0 then
      gain(counter.trade, self.trade, seat, "trade-gained")
    end
  end
end

--- Trading Houses: where taxes are paid, goods change hands.
function M.houses_collected(self, owner, seat)
  if seat == owner then
    gain(counter.trade, self.trade, owner, "trade-gained")
  end
end

return M
