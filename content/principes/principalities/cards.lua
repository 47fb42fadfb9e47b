-- The special rule of each Principality; it lasts the whole game.
local M = {}

--- Elder Blood: When you summon a Council while you control Gnesna, first gain {clergy} Clergy Support.
function M.elder_blood(self, owner, host)
  if host == owner and #spaces{prop = "elder-blood", controller = owner} > 0 then
    gain(counter.clergy, self.clergy, owner, "elder-blood")
  end
end

--- House of Princeps: While you control Cracovia, being highest on {tracks} tracks is enough to take the Princeps
--- Token.
function M.house_of_princeps(self, value, owner, seat)
  if seat == owner and #spaces{prop = "house-of-princeps", controller = owner} > 0 then
    return math.min(value, self.tracks)
  end
  return value
end

return M
