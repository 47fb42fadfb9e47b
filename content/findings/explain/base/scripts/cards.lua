local M = {}

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M
