local M = {}

function M.act(self, value, owner, seat)
  return value + 0.5
end

return M
