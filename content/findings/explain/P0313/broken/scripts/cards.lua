local M = {}

function M.luck(self, seat)
  add(counter.gold, self.gld, seat)
end

return M
