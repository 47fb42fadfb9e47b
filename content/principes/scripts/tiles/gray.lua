-- Progress Tiles of Politics: hand, Council, Princess.
local lands = import("lands")
local M = {}

--- Chancery: a larger hand.
function M.chancery_limit(self, value, owner, seat)
  return seat == owner and math.max(value, self.cards) or value
end

--- Heralds of Peace: Battle Cards, too, win Support.
function M.heralds_support(self, value, owner, seat)
  return seat == owner and 1 or value
end

--- Knightly Culture: Tiltyards impress every Council.
function M.culture_declared(self, owner)
  local tiltyards = #lands.with(owner, kind.tiltyard)
  if tiltyards > 0 then
    gain(counter.people, tiltyards * self.people, owner, "knightly-culture")
  end
end

--- Lady of the Court: a Princess counts for more in a Capital.
function M.lady_cards(self, value, owner, seat)
  return seat == owner and value + self.cards or value
end

return M
