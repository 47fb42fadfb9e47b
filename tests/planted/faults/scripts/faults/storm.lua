local M = {}

function M.storm(self, seat)
  add(counter.gold, 1 seat)
end

return M
