local M = {}

function M.siege(self, seat)
  add(counter.gold, 1, seat)
end

return M
