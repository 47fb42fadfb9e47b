-- Progress Tiles of the Building Action.
local M = {}

--- Brick Kilns: Building: your first {buildings} buildings are free.
function M.kilns_cost(self, value, owner, seat, _, nth)
  return seat == owner and nth <= self.buildings and 0 or value
end

--- French Style: Each Abbey you build gives {clergy} more Clergy Support; losing it costs no more than usual.
function M.french_built(self, owner, seat, _, built)
  if seat == owner and built == kind.abbey then
    gain(counter.clergy, self.clergy, owner)
  end
end

return M
