local M = {}

function M.act(self, value, owner, seat)
  add(counter.score, 99, owner or seat)
  return value
end

return M
