local M = {}

function M.rich(self, value, owner, seat)
  return value + self.gold
end

return M
