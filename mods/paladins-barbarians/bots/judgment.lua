-- For bots: what a position is worth to a seat. Reads only what that seat may know.
local gold = import("orders/gold")
local lands = import("map/lands")
local scoring = import("scoring/scoring")
local M = {}

local LAND, UNIT, TALENT, CARD, FEAT, POINT, REBELLION, BUILT, GLORY = 120, 26, 10, 14, 16, 110, 70, 20, 24

-- What a kingdom has gathered.
local function riches(seat)
  local worth = LAND * #lands.of(seat) + UNIT * lands.army(seat) + TALENT * gold.total(seat)
  worth = worth + CARD * (size(zone.hand, seat) + size(zone.apart, seat) + size(zone.command, seat))
  worth = worth + FEAT * get(counter.feats, seat)
  worth = worth + POINT * (get(counter.permanent, seat) + get(counter.great_conqueror, seat))
  worth = worth + BUILT * scoring.constructions(seat) + GLORY * scoring.glory(seat)
  for _, land in lands.of(seat) do
    worth = worth - REBELLION * get(counter.rebellion, land)
  end
  return worth
end

-- Danger: neighbors stronger than the own garrison.
local function danger(seat)
  local worst = 0
  for _, land in lands.of(seat) do
    for _, near in lands.foreign_neighbors(land, seat) do
      worst = worst + math.max(0, lands.garrison(near) - lands.size(land, seat))
    end
  end
  return worst
end

--- `bot.value`: how well a seat stands.
function M.value(self, value, owner, seat)
  local worth = riches(seat) - 6 * danger(seat)
  for _, rival in others(seat) do
    worth = worth - riches(rival) + 6 * danger(rival)
  end
  return value + worth
end

--- Says what a position is worth to a seat, for designers who tune the bots.
function M.tell(seat)
  log("judged", seat, query("bot.value", 0, seat))
end

return M
