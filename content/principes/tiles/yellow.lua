-- Progress Tiles of the Taxes Action.
local lands = import("map/lands")
local M = {}

--- Salt Trade: Taxes: {gold} more gold for each land you control outside your borders.
function M.salt_income(self, value, owner, seat)
  if seat ~= owner then
    return value
  end
  return value + self.gold * #lands.outside(owner)
end

--- Fair Charters: Taxes: {gold} more gold for every {cities} Cities you control.
function M.charters_income(self, value, owner, seat)
  if seat ~= owner then
    return value
  end
  local cities = 0
  for _, city in pieces{class = "settlement", on = "map"} do
    if controller(at(city)) == owner then
      cities = cities + 1
    end
  end
  return value + self.gold * math.floor(cities / self.cities)
end

return M
