local M = {}

function M.luck(self, seat)
  log("luck", seat)
  add(counter.gold, self.gold, seat)
end

return M
