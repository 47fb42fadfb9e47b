local M = {}

function M.luck(self, seat)
  ad(counter.gold, self.gold, seat)
end

return M
