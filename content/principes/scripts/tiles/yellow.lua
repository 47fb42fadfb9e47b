-- Progress Tiles of the Taxes Action.
local lands = import("lands")
local M = {}

--- Mint: a fixed bonus.
function M.mint_income(self, value, owner, seat)
  return seat == owner and value + self.gold or value
end

--- Salt Trade: pays for lands held outside the own borders.
function M.salt_income(self, value, owner, seat)
  if seat ~= owner then
    return value
  end
  return value + self.gold * #lands.outside(owner)
end

--- Tithe Agreement: the clergy may bear the burden.
function M.tithe_clergy(self, value, owner, seat)
  return seat == owner and 1 or value
end

--- Fair Charters: pays for every full group of Cities.
function M.charters_income(self, value, owner, seat)
  if seat ~= owner then
    return value
  end
  local cities = 0
  for _, city in ipairs(pieces{class = "settlement", on = "map"}) do
    if controller(at(city)) == owner then
      cities = cities + 1
    end
  end
  return value + self.gold * math.floor(cities / self.cities)
end

return M
