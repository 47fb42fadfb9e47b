local M = {}

function M.luck(self, seat)
  add(counter.gold, self.gold)
end

return M
