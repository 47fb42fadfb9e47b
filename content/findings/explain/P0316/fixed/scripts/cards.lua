local M = {}

function M.luck(self, seat)
  local bonus = self.gold + 1
  add(counter.gold, bonus, seat)
end

return M
