local M = {}

function M.act(self, value, owner, seat)
  pcall(add, counter.score, 99, seat)
  return value
end

return M
