local M = {}

local played = 0

function M.luck(self, seat)
  played = self.gold
  add(counter.gold, self.gold, seat)
end

return M
