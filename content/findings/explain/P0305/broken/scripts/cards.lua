local M = {}

function M.luck(self, seat)
  add(counter.glod, self.gold, seat)
end

return M
