local M = {}

function M.luck(self, seat)
  bonus = self.gold + 1
  add(counter.gold, self.gold, seat)
end

return M
