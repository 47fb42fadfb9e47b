local M = {}

function M.luck(self, seat)
  local played = self.gold
  add(counter.gold, played, seat)
end

return M
