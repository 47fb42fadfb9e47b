-- The special rule of each Principality; it lasts the whole game.
local M = {}

--- Elder Blood: who holds the oldest see speaks first for the Church, in an own Council only.
function M.elder_blood(self, owner, host)
  if host == owner and #spaces{prop = "elder-blood", controller = owner} > 0 then
    gain(counter.clergy, self.clergy, owner, "elder-blood")
  end
end

--- With the Wind: the own die may be thrown again in every battle.
function M.with_the_wind(self, value, owner, seat)
  return seat == owner and value + self.rerolls or value
end

--- House of Princeps: the lord of the first Capital needs fewer tracks.
function M.house_of_princeps(self, value, owner, seat)
  if seat == owner and #spaces{prop = "house-of-princeps", controller = owner} > 0 then
    return math.min(value, self.tracks)
  end
  return value
end

--- Color of Gold: mines and markets.
function M.color_of_gold(self, value, owner, seat)
  return seat == owner and value + self.gold or value
end

return M
