local M = {}

function M.rich(self, value, owner, seat)
  pcall(add, counter.gold, 1, seat)
  return value + 1
end

return M
