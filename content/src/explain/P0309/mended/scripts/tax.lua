local M = {}

function M.rich(self, value, owner, seat)
  return value + 1
end

return M
