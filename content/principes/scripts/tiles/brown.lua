-- Progress Tiles of the Building Action.
local M = {}

--- Brick Kilns: the first buildings of the action cost nothing.
function M.kilns_cost(self, value, owner, seat, _, nth)
  return seat == owner and nth <= self.buildings and 0 or value
end

--- Town Law: Cities are cheaper.
function M.town_law_cost(self, value, owner, seat)
  return seat == owner and math.max(0, value - self.gold) or value
end

--- Master Builders: more buildings in one action.
function M.builders_limit(self, value, owner, seat)
  return seat == owner and value + self.buildings or value
end

--- French Style: a new Abbey impresses the clergy more, whatever it was built by.
function M.french_built(self, owner, seat, _, built)
  if seat == owner and built == kind.abbey then
    gain(counter.clergy, self.clergy, owner)
  end
end

return M
